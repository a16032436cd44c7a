"""Advisors that do what none should: each is told, and no turn breaks in silence."""

from dataclasses import replace

import pytest

from tests.advisor.stage import PARCELS
from toolsearch_core.advisor import ToolSearchAdvisor
from toolsearch_core.chat import CONVERSATION_ID, ChatClient, TurnFailedError
from toolsearch_core.chat_types import ChatResponse
from toolsearch_core.errors import SessionError, SettingsError
from toolsearch_core.events import ToolCalled
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.providers.scripted import Reply, ScriptedProvider, call, text
from toolsearch_core.search_types import ToolReference, ToolSearchResponse

OUTSIDE, INSIDE = 0, 500


def client(advise, order, *steps, **more):
    advisor = type("Strange", (), {"name": "Strange", "order": order, "advise": advise})()
    return ChatClient(
        ScriptedProvider(steps or [[text("x")]]),
        tools=PARCELS,
        advisors=[advisor],
        context={CONVERSATION_ID: "c"},
        **more,
    )


class Mute(Exception):
    def __str__(self):
        raise ValueError("nothing to say")


def forgets_to_return(self, request, chain):
    yield from chain.next(request)


def test_an_advisor_that_forgets_to_return_is_named():
    with pytest.raises(SettingsError, match=r"Strange.*NoneType.*return \(yield from"):
        client(forgets_to_return, OUTSIDE).prompt("x").call()
    with pytest.raises(TurnFailedError, match=r"Strange.*NoneType.*return \(yield from"):
        client(forgets_to_return, INSIDE).prompt("x").call()


def test_an_advisor_inside_that_gives_no_answer_is_no_stop():
    def declines(self, request, chain):
        return ChatResponse(answer=None)

    with pytest.raises(TurnFailedError) as caught:
        client(declines, INSIDE).prompt("x").call()
    assert caught.value.notice.code == "chat.no_answer"


def test_a_fault_that_cannot_say_anything_ends_the_turn_all_the_same():
    def breaks(self, request, chain):
        raise Mute
        yield

    with pytest.raises(TurnFailedError, match="Mute"):
        client(breaks, INSIDE).prompt("x").call()


@pytest.mark.parametrize("search", [True, False])
def test_a_turn_without_a_question_is_refused(search):
    def empties(self, request, chain):
        return (yield from chain.next(replace(request, messages=())))

    asked = client(empties, OUTSIDE)
    more = [ToolSearchAdvisor(CatalogToolIndex(RetrieverStore(), "keyword"))] if search else []
    with pytest.raises(SessionError):
        asked.prompt("x", advisors=more).call()


def test_a_model_that_refuses_runs_nothing_any_more():
    steps = [Reply([text("I will not."), call("read_clock")], stop_reason="refusal")]
    answer = (
        client(lambda self, request, chain: chain.next(request), OUTSIDE, *steps).prompt("x").call()
    )

    assert (answer.status, answer.text) == ("refused", "I will not.")
    assert [each for each in answer.trace.events if isinstance(each, ToolCalled)] == []


@pytest.mark.parametrize("score", [float("nan"), "high", None, 7, -1, True])
def test_a_score_that_is_none_counts_as_nothing(score):
    class Odd(CatalogToolIndex):
        def search(self, request):
            hit = ToolReference(tool_name="read_clock", score=score)
            return ToolSearchResponse.of(request, [hit], index_kind="odd")

    provider = ScriptedProvider([[call("tool_search_tool", query="x")], [text("ok")]])
    asked = ChatClient(
        provider,
        tools=PARCELS,
        advisors=[ToolSearchAdvisor(Odd(RetrieverStore(), "keyword"))],
        context={CONVERSATION_ID: "c"},
    )
    answer = asked.prompt("x").call()

    assert [tool["name"] for tool in provider.requests[-1]["tools"]][1:] == ["read_clock"]
    assert "read_clock 0.00" in answer._repr_html_()


def test_a_build_that_breaks_in_any_way_leaves_the_index_that_was_there():
    class Building(CatalogToolIndex):
        broken = False

        def index_tools(self, session_id, tools):
            if self.broken:
                raise TimeoutError("the registry is slow")
            super().index_tools(session_id, tools)

    index = Building(RetrieverStore(), "keyword")
    advisor = ToolSearchAdvisor(index)
    provider = ScriptedProvider([[text("1")], [text("2")]])
    asked = ChatClient(provider, tools=PARCELS, advisors=[advisor], context={CONVERSATION_ID: "c"})
    asked.prompt("x").call()
    index.broken = True

    def more(city: str) -> str:
        """More."""
        return city

    with pytest.raises(TurnFailedError, match="TimeoutError: the registry is slow") as caught:
        asked.prompt("x", tools=[more]).call()
    assert caught.value.notice.code == "session.index_stays"
    assert asked.prompt("x").call().text == "2"
