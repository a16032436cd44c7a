"""Chat memory: outside the tool loop and inside it, the same conversation."""

import pytest

from tests.advisor.stage import PARCELS, SEARCH
from toolsearch_core.advisor import AdvisorOptions, ToolSearchAdvisor
from toolsearch_core.chat import (
    CONVERSATION_ID,
    ChatClient,
    InMemoryChatMemory,
    MessageMemoryAdvisor,
    TurnFailedError,
)
from toolsearch_core.errors import SessionError, SettingsError
from toolsearch_core.execution import function_tool
from toolsearch_core.history import problems
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.messages import Message, TextBlock, user_text
from toolsearch_core.providers.in_process import ServiceError
from toolsearch_core.providers.scripted import Break, Reply, ScriptedProvider, call, text

OUTSIDE, INSIDE = 200, 1000
TURN = (
    [text("Let me look."), call(SEARCH, query="where is parcel")],
    [call("track_parcel", number="1"), call("track_parcel", number="2")],
    [text("In the depot.")],
)


class Talk:
    def __init__(self, order):
        self.provider = ScriptedProvider()
        self.memory = InMemoryChatMemory()
        self.client = ChatClient(
            self.provider,
            tools=PARCELS,
            advisors=[
                MessageMemoryAdvisor(self.memory, order=order),
                ToolSearchAdvisor(CatalogToolIndex(RetrieverStore(), "keyword")),
            ],
            context={CONVERSATION_ID: "c"},
        )

    def ask(self, question, *steps, conversation="c"):
        self.provider.add(*steps)
        prompt = self.client.prompt(question, context={CONVERSATION_ID: conversation})
        return list(prompt.stream())[-1]

    def kept(self):
        return self.memory.get("c")


@pytest.mark.parametrize("order", [OUTSIDE, INSIDE])
def test_what_was_said_is_in_the_next_request_calls_and_results_too(order):
    talk = Talk(order)
    talk.ask("Where are they?", *TURN)
    talk.ask("Thanks", [text("Welcome.")])
    messages = talk.provider.requests[-1]["messages"]

    assert [message["role"] for message in messages] == ["user", "assistant"] * 3 + ["user"]
    assert messages[0]["content"][0]["text"] == "Where are they?"
    assert messages[-1]["content"][0]["text"] == "Thanks"
    assert len(talk.kept()) == 8
    assert problems(talk.kept()) == ()


def test_inside_the_loop_and_outside_of_it_the_same_is_kept_and_sent():
    talks = {order: Talk(order) for order in (OUTSIDE, INSIDE)}
    for talk in talks.values():
        talk.ask("Where are they?", *TURN)
        talk.ask("Where are they?", [text("As before.")])
        talk.ask("Where are they?", *TURN)

    outside, inside = talks.values()
    assert outside.kept() == inside.kept()
    assert outside.provider.requests == inside.provider.requests


@pytest.mark.parametrize("order", [OUTSIDE, INSIDE])
def test_a_tool_that_was_found_stays_found_whatever_the_place_of_memory(order):
    talk = Talk(order)
    talk.ask("Where are they?", *TURN)
    talk.ask("And now?", [text("Same.")])

    sent = [[tool["name"] for tool in request["tools"]] for request in talk.provider.requests]
    assert sent == [[SEARCH], *[[SEARCH, "track_parcel", "return_parcel"]] * 3]


@pytest.mark.parametrize("order", [OUTSIDE, INSIDE])
def test_conversations_do_not_see_each_other(order):
    talk = Talk(order)
    talk.ask("crimson", [text("1")], conversation="a")
    talk.ask("blue", [text("2")], conversation="b")

    assert "crimson" not in str(talk.provider.requests[-1])
    assert [message.text for message in talk.memory.get("b")] == ["blue", "2"]


@pytest.mark.parametrize("order", [OUTSIDE, INSIDE])
def test_after_a_failed_turn_the_conversation_goes_on(order):
    talk = Talk(order)
    talk.ask("one", ServiceError("overloaded_error", "busy"))
    assert talk.ask("two", [text("ok")]).status == "answered"
    assert (
        problems(talk.kept()) == () or talk.provider.requests[-1]["messages"][-1]["role"] == "user"
    )
    assert [m["role"] for m in talk.provider.requests[-1]["messages"]] == ["user"]


def test_memory_needs_a_conversation_id():
    client = ChatClient(ScriptedProvider(), advisors=[MessageMemoryAdvisor()])
    with pytest.raises(SessionError):
        client.prompt("x").call()


def test_the_conversation_that_was_used_least_recently_is_forgotten_first():
    memory = InMemoryChatMemory(max_conversations=2)
    for conversation in ("a", "b"):
        memory.add(conversation, [user_text(conversation)])
    memory.get("a")
    memory.add("c", [user_text("c")])

    assert [len(memory.get(each)) for each in "abc"] == [1, 0, 1]
    memory.clear("a")
    memory.clear("a")
    assert memory.get("a") == ()


@pytest.mark.parametrize("number", [0, -1, True, "2", 1.5, None])
def test_memory_for_no_conversations_is_refused(number):
    with pytest.raises(SettingsError):
        InMemoryChatMemory(max_conversations=number)


def direct() -> str:
    """Answer directly."""
    return "the direct result"


@pytest.mark.parametrize(
    ("steps", "options"),
    [
        ([[call("direct")]], {}),
        ([[call("direct")] * 3], {"calls_per_tool": 2}),
        ([Reply([text("Cut off here")], stop_reason="max_tokens")], {}),
        ([[text("")]], {}),
        ([Break([text("Half an")], events=4)], {}),
        ([ServiceError("overloaded_error", "busy")], {}),
    ],
    ids=["direct", "limit", "cut off", "empty", "broken off", "failed"],
)
def test_however_a_turn_ends_memory_inside_keeps_what_memory_outside_does(steps, options):
    kept, sent = {}, {}
    for order in (OUTSIDE, INSIDE):
        memory, provider = InMemoryChatMemory(), ScriptedProvider([*steps, [text("Again.")]])
        client = ChatClient(
            provider,
            tools=[function_tool(direct, pinned=True, return_direct=not options)],
            advisors=[
                MessageMemoryAdvisor(memory, order=order),
                ToolSearchAdvisor(CatalogToolIndex(RetrieverStore(), "keyword")),
            ],
            options=AdvisorOptions(**options),
            context={CONVERSATION_ID: "c"},
        )
        list(client.prompt("Same question").stream())
        list(client.prompt("Same question").stream())
        kept[order], sent[order] = memory.get("c"), provider.requests

    assert kept[INSIDE] == kept[OUTSIDE]
    assert sent[INSIDE] == sent[OUTSIDE]
    assert [message.text for message in kept[INSIDE]].count("Same question") == 2


def test_a_memory_that_breaks_does_not_get_the_answer_twice():
    class Broken(InMemoryChatMemory):
        def add(self, conversation_id, messages):
            super().add(conversation_id, messages)
            if messages[0].role == "assistant":
                raise OSError("disk full")

    memory = Broken()
    client = ChatClient(
        ScriptedProvider([[text("Hi.")]]),
        advisors=[MessageMemoryAdvisor(memory)],
        context={CONVERSATION_ID: "c"},
    )
    with pytest.raises(TurnFailedError, match="disk full"):
        client.prompt("x").call()
    assert [message.text for message in memory.get("c")] == ["x", "Hi."]


@pytest.mark.parametrize("order", [OUTSIDE, INSIDE])
def test_a_history_that_is_given_along_is_not_kept_again(order):
    memory, provider = InMemoryChatMemory(), ScriptedProvider([[text("1")], [text("2")]])
    client = ChatClient(
        provider,
        advisors=[
            MessageMemoryAdvisor(memory, order=order),
            ToolSearchAdvisor(CatalogToolIndex(RetrieverStore(), "keyword")),
        ],
        tools=PARCELS,
        context={CONVERSATION_ID: "c"},
    )
    before = [user_text("long ago"), Message("assistant", (TextBlock("indeed"),))]
    for question in ("one", "two"):
        client.prompt(question, history=before).call()

    assert [message.text for message in memory.get("c")] == ["one", "1", "two", "2"]
    sent = provider.requests[-1]["messages"]
    assert "long ago" in str(sent)
    assert str(sent).count("two") == 1


@pytest.mark.parametrize("order", ["x", True, 10**9])
def test_a_place_that_is_none_is_refused(order):
    with pytest.raises(SettingsError):
        MessageMemoryAdvisor(order=order)
