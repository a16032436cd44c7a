"""The chat client: tools, context, options and advisors of the client and of one question."""

from dataclasses import replace
from uuid import UUID

import pytest

from tests.advisor.stage import CLOCK, PARCELS, SEARCH, TRACK, kinds
from toolsearch_core.advisor import AdvisorOptions, ToolCallingAdvisor, ToolSearchAdvisor
from toolsearch_core.chat import (
    CONVERSATION_ID,
    ChatClient,
    MessageMemoryAdvisor,
    TurnFailedError,
)
from toolsearch_core.chat_types import ChatResponse
from toolsearch_core.errors import SessionError, SettingsError
from toolsearch_core.events import RequestPrepared, TextDelta, ToolCalled, ToolsSearched, TurnEnded
from toolsearch_core.eviction import Lru
from toolsearch_core.execution import function_tool
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.messages import ModelResponse, TextBlock
from toolsearch_core.providers.in_process import ServiceError
from toolsearch_core.providers.scripted import ScriptedProvider, call, text
from toolsearch_core.session import SessionRegistry
from toolsearch_core.tools import ToolDefinition
from toolsearch_core.usage import Usage


def scripted(*steps):
    provider = ScriptedProvider()
    provider.add(*steps)
    return provider


def sent(provider, request=-1):
    return [tool["name"] for tool in provider.requests[request].get("tools", ())]


def search_advisor():
    return ToolSearchAdvisor(CatalogToolIndex(RetrieverStore(), "keyword"))


def weather(city: str) -> str:
    """Tell the weather of a city."""
    return f"Rain in {city}"


def test_without_an_advisor_that_runs_tools_the_plain_one_is_added():
    provider = scripted([call("weather", city="Oslo")], [text("Rain.")])
    answer = ChatClient(provider, tools=[weather]).prompt("Weather in Oslo?").call()

    assert (answer.text, answer.status, answer.problem) == ("Rain.", "answered", None)
    assert sent(provider) == ["weather"]
    called = [entry.event for entry in answer.entries if isinstance(entry.event, ToolCalled)]
    assert [(each.result, each.simulated) for each in called] == [("Rain in Oslo", False)]
    assert answer.ledger.turns[0].calls == 2
    assert [entry.seq for entry in answer.entries] == list(range(len(answer.entries)))
    assert {entry.turn for entry in answer.entries} == {1}


def test_the_search_advisor_takes_its_place_without_a_change_around_it():
    plain, searching = [], [search_advisor()]
    requests = {}
    for advisors in (plain, searching):
        provider = scripted([text("Hi.")])
        client = ChatClient(provider, tools=PARCELS, advisors=advisors)
        client.prompt("hello", context={CONVERSATION_ID: "c"}).call()
        requests[bool(advisors)] = sent(provider)

    assert requests == {False: [tool.wire_name for tool in PARCELS.tools], True: [SEARCH]}


def test_tools_of_a_question_join_those_of_the_client_and_replace_the_same_name():
    def other(city: str) -> str:
        """Something else."""
        return "other"

    provider = scripted([text("1")], [call("weather", city="x")], [text("2")], [text("3")])
    client = ChatClient(provider, tools=[weather])
    client.prompt("one", tools=[TRACK]).call()
    first = sent(provider)
    answer = client.prompt("two", tools=[function_tool(other, name="weather"), CLOCK]).call()
    results = [entry.event.result for entry in answer.entries if hasattr(entry.event, "result")]
    second = sent(provider)
    client.prompt("three").call()

    assert first == ["weather", "track_parcel"]
    assert (second, results) == (["weather", "read_clock"], ["other"])
    assert sent(provider) == ["weather"]
    assert [tool.wire_name for tool in client.catalog.tools] == ["weather"]


@pytest.mark.parametrize(
    "tools",
    [
        [weather, weather],
        [TRACK, TRACK],
        [ToolDefinition(name="x", wire_name="bad name")],
        [ToolDefinition(name=SEARCH, wire_name=SEARCH)],
        [ToolDefinition(name="", wire_name="")],
        ["weather"],
        [None],
        [lambda city: city],
    ],
)
def test_tools_that_cannot_be_told_apart_or_sent_are_refused(tools):
    with pytest.raises(SettingsError):
        ChatClient(ScriptedProvider(), tools=tools)
    with pytest.raises(SettingsError):
        ChatClient(ScriptedProvider()).prompt("x", tools=tools)


def test_two_advisors_that_run_tools_are_refused():
    with pytest.raises(SettingsError) as caught:
        ChatClient(ScriptedProvider(), advisors=[ToolCallingAdvisor(), search_advisor()])
    assert "ToolCallingAdvisor and ToolSearchAdvisor" in str(caught.value)
    with pytest.raises(SettingsError):
        ChatClient(ScriptedProvider(), advisors=[search_advisor()]).prompt(
            "x", advisors=[search_advisor()]
        )


class Noting:
    """Writes down what passes."""

    def __init__(self, name, order, log):
        self.name, self.order, self.log = name, order, log

    def advise(self, request, chain):
        self.log.append(f"{self.name} {request.call}")
        response = yield from chain.next(request)
        self.log.append(f"{self.name} back")
        return response


def test_advisors_stand_in_their_order_outside_around_the_turn_inside_around_each_call():
    log = []
    advisors = [Noting("c", 400, log), Noting("b", 100, log), Noting("a", -5, log)]
    provider = scripted([call("weather", city="x")], [text("done")])
    client = ChatClient(provider, tools=[weather], advisors=advisors)
    client.prompt("x", advisors=[Noting("b2", 100, log)]).call()

    assert log == [
        "a 0",
        "b 0",
        "b2 0",
        "c 1",
        "c back",
        "c 2",
        "c back",
        "b2 back",
        "b back",
        "a back",
    ]


def test_an_inner_advisor_changes_what_is_sent_and_the_trace_shows_what_was_sent():
    class Shouting:
        name, order = "shouting", 500

        def advise(self, request, chain):
            options = replace(request.options, system="SHOUT")
            return (yield from chain.next(replace(request, options=options)))

    provider = scripted([text("OK")])
    answer = ChatClient(provider, advisors=[Shouting()]).prompt("x").call()
    prepared = next(e.event for e in answer.entries if isinstance(e.event, RequestPrepared))

    assert provider.requests[0]["system"] == prepared.body["system"] == "SHOUT"


def test_an_advisor_may_answer_by_itself_and_no_model_is_asked():
    class Known:
        name, order = "known", 0

        def advise(self, request, chain):
            usage = Usage(input_tokens=0, output_tokens=0)
            yield TextDelta(text="From ")
            return ChatResponse(
                answer=ModelResponse(
                    content=(TextBlock("From memory."),), stop_reason="end_turn", usage=usage
                )
            )

    provider = scripted()
    answer = ChatClient(provider, advisors=[Known()]).prompt("x").call()

    assert (answer.text, answer.status) == ("From memory.", "answered")
    assert provider.requests == []
    assert answer.ledger.turns[0].tokens.total == 0


def test_an_outer_advisor_may_replace_events_as_they_pass():
    class Masking:
        name, order = "masking", 0

        def advise(self, request, chain):
            events = chain.next(request)
            while True:
                try:
                    event = next(events)
                except StopIteration as done:
                    return done.value
                if isinstance(event, TurnEnded):
                    event = replace(event, answer=event.answer.replace("secret", "***"))
                yield event

    answer = ChatClient(scripted([text("a secret")]), advisors=[Masking()]).prompt("x").call()
    assert answer.text == "a ***"


def test_context_and_options_of_a_question_go_before_those_of_the_client():
    seen = []

    class Reading:
        name, order = "reading", 0

        def advise(self, request, chain):
            seen.append((dict(request.context), request.options.max_tokens))
            return (yield from chain.next(request))

    client = ChatClient(
        scripted([text("1")], [text("2")]),
        advisors=[Reading()],
        context={"tenant_id": "t", "user": "u"},
        options=AdvisorOptions(max_tokens=10),
    )
    client.prompt("x").call()
    client.prompt("x", context={"user": "v"}, options=AdvisorOptions(max_tokens=20)).call()

    assert seen == [
        ({"tenant_id": "t", "user": "u"}, 10),
        ({"tenant_id": "t", "user": "v"}, 20),
    ]


def test_call_and_stream_tell_the_same_events():
    steps = [
        [call(SEARCH, query="where is parcel")],
        [call("track_parcel", number="1")],
        [text("x")],
    ]

    def client():
        return ChatClient(
            scripted(*steps),
            tools=PARCELS,
            advisors=[
                ToolSearchAdvisor(CatalogToolIndex(RetrieverStore(), "keyword"), clock=lambda: 0.0)
            ],
            context={CONVERSATION_ID: "c"},
            clock=lambda: 0.0,
        )

    called = [entry.event for entry in client().prompt("x").call().entries]
    streamed = list(client().prompt("x").stream())

    assert kinds(called) == kinds(streamed)
    assert called[-1] == streamed[-1]
    assert [e.body for e in called if isinstance(e, RequestPrepared)] == [
        e.body for e in streamed if isinstance(e, RequestPrepared)
    ]


def test_a_turn_that_failed_raises_with_all_that_happened():
    client = ChatClient(scripted(ServiceError("rate_limit_error", "slow down")))
    with pytest.raises(TurnFailedError) as caught:
        client.prompt("x").call()

    assert caught.value.answer.status == "failed"
    assert caught.value.notice.code.startswith("provider.")
    assert kinds([e.event for e in caught.value.answer.entries])[0] == "TurnStarted"
    assert list(client.prompt("x").stream())[-1].status == "failed"


@pytest.mark.parametrize("blank", ["", "  \n"])
def test_a_blank_question_is_refused(blank):
    with pytest.raises(SessionError) as caught:
        ChatClient(ScriptedProvider()).prompt(blank)
    assert caught.value.notice.code == "advisor.blank_message"


def test_a_prompt_can_be_asked_again():
    provider = scripted([text("1")], [text("2")])
    prompt = ChatClient(provider).prompt("x")

    assert [prompt.call().text, prompt.call().text] == ["1", "2"]
    assert provider.requests[0]["messages"] == provider.requests[1]["messages"]


@pytest.mark.parametrize("session", [None, "", "  ", b"x", 1.5, True, ["a"]])
def test_a_session_id_that_is_none_is_refused_before_anything_happens(session):
    provider = scripted([text("x")])
    advisor = search_advisor()
    context = {} if session is None else {CONVERSATION_ID: session}
    prompt = ChatClient(provider, tools=PARCELS, advisors=[advisor]).prompt("x", context=context)
    with pytest.raises(SessionError) as caught:
        prompt.call()

    assert caught.value.notice.params["key"] == CONVERSATION_ID
    assert provider.requests == []
    assert advisor.sessions.live() == ()


def test_the_session_key_is_configurable_and_numbers_are_ids_too():
    advisor = ToolSearchAdvisor(
        CatalogToolIndex(RetrieverStore(), "keyword"), session_id_key="tenant_id"
    )
    client = ChatClient(scripted([text("x")]), tools=PARCELS, advisors=[advisor])
    client.prompt("x", context={"tenant_id": 7}).call()

    assert [live.session_id for live in advisor.sessions.live()] == ["7"]
    assert advisor.evict_session("7") is not None
    assert advisor.evict_session("7") is None


@pytest.mark.parametrize(
    ("build", "option"),
    [
        (lambda: ToolSearchAdvisor(None), "index"),
        (lambda: ToolSearchAdvisor("regex"), "index"),
        (lambda: ToolCallingAdvisor(order="first"), "order"),
        (lambda: ToolCallingAdvisor(order=True), "order"),
        (
            lambda: ToolSearchAdvisor(
                CatalogToolIndex(RetrieverStore(), "regex"), session_id_key=" "
            ),
            "session_id_key",
        ),
    ],
)
def test_an_advisor_that_cannot_work_is_refused(build, option):
    with pytest.raises(SettingsError) as caught:
        build()
    assert caught.value.notice.params["option"] == option


def test_two_clients_over_one_index_find_their_own_tools_under_the_same_session_id():
    index = CatalogToolIndex(RetrieverStore(), "keyword")
    found = []
    catalogs = ([TRACK, CLOCK], [weather], [TRACK, CLOCK], [weather])
    clients = [
        ChatClient(
            scripted(),
            tools=tools,
            advisors=[ToolSearchAdvisor(index)],
            context={CONVERSATION_ID: "same"},
        )
        for tools in catalogs[:2]
    ]
    for client in (*clients, *clients):
        client._model.add([call(SEARCH, query="tell")], [text("x")])
        answer = client.prompt("x").call()
        found.append([hit.tool_name for e in answer.trace.events for hit in getattr(e, "hits", ())])

    assert [sorted(each) for each in found] == [["read_clock", "track_parcel"], ["weather"]] * 2


def test_an_advisor_may_answer_with_words_alone():
    class Direct:
        name, order = "Direct", 0

        def advise(self, request, chain):
            return ChatResponse.said("From memory.")

    provider = scripted()
    answer = ChatClient(provider, advisors=[Direct()]).prompt("x").call()
    assert (answer.text, provider.requests) == ("From memory.", [])


@pytest.mark.parametrize("given", [None, "text", [1], TextDelta(text="x")])
def test_an_advisor_that_answers_with_something_else_is_told_what_to_do(given):
    class Odd:
        name, order = "Odd", 0

        def advise(self, request, chain):
            return given

    with pytest.raises(SettingsError) as caught:
        ChatClient(scripted(), advisors=[Odd()]).prompt("x").call()
    assert "Odd" in str(caught.value)
    assert "yield from" in str(caught.value)


def test_catalogs_and_functions_stand_in_one_list():
    client = ChatClient(scripted(), tools=[PARCELS, weather])
    assert [tool.wire_name for tool in client.catalog][-1] == "weather"
    assert len(client.catalog) == len(PARCELS) + 1


def test_the_cause_of_a_failed_turn_comes_along():
    class Broken:
        name, order = "broken", 500

        def advise(self, request, chain):
            raise KeyError("wires")
            yield

    with pytest.raises(TurnFailedError) as caught:
        ChatClient(scripted(), advisors=[Broken()]).prompt("x").call()
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_pin_that_no_tool_has_is_told():
    options = AdvisorOptions(pinned=["weather", "wether"])
    client = ChatClient(scripted([text("x")]), tools=[weather], options=options)
    started = client.prompt("x").call().trace.events[0]

    assert options.pinned == ("weather", "wether")
    assert [n.params for n in started.notices if n.code == "advisor.pins_unknown"] == [
        {"names": "wether"}
    ]


def test_a_catalog_can_be_walked_through():
    assert [tool.wire_name for tool in PARCELS] == [tool.wire_name for tool in PARCELS.tools]


def test_an_index_that_breaks_in_any_way_is_a_short_result_and_the_turn_goes_on():
    class Broken(CatalogToolIndex):
        def search(self, request):
            raise ConnectionError("the registry is away")

    advisor = ToolSearchAdvisor(Broken(RetrieverStore(), "keyword"))
    client = ChatClient(
        scripted([call(SEARCH, query="x"), call("track_parcel", number="1")], [text("Sorry.")]),
        tools=PARCELS,
        advisors=[advisor],
        context={CONVERSATION_ID: "c"},
    )
    answer = client.prompt("x").call()
    searched = next(each for each in answer.trace.events if isinstance(each, ToolsSearched))

    assert (answer.status, answer.text) == ("answered", "Sorry.")
    assert "the registry is away" in searched.result
    assert searched.failed
    assert [e.outcome for e in answer.trace.events if isinstance(e, ToolCalled)] == ["unknown_tool"]


@pytest.mark.parametrize("session", [7, UUID(int=1), "c"])
def test_a_session_is_evicted_and_a_memory_cleared_by_the_id_that_was_given(session):
    advisor, memory = search_advisor(), MessageMemoryAdvisor()
    client = ChatClient(scripted([text("x")]), tools=PARCELS, advisors=[advisor, memory])
    client.prompt("x", context={CONVERSATION_ID: session}).call()

    assert len(memory.memory.get(session)) == 2
    assert advisor.evict_session(session) is not None
    memory.memory.clear(session)
    assert memory.memory.get(session) == ()


def test_what_an_inner_advisor_takes_out_of_the_request_is_not_run():
    class Taking:
        name, order = "taking", 500

        def advise(self, request, chain):
            kept = tuple(each for each in request.disclosed if each.tool.wire_name != "weather")
            return (yield from chain.next(replace(request, disclosed=kept)))

    steps = [call("weather", city="x")], [text("done")]
    client = ChatClient(
        scripted(*steps),
        tools=[function_tool(weather, pinned=True), CLOCK],
        advisors=[search_advisor(), Taking()],
        context={CONVERSATION_ID: "c"},
    )
    called = [e for e in client.prompt("x").call().trace.events if isinstance(e, ToolCalled)]
    assert [each.outcome for each in called] != ["executed"]


def test_an_advisor_that_keeps_the_end_for_itself_is_told():
    class Swallowing:
        name, order = "swallowing", 0

        def advise(self, request, chain):
            for event in chain.next(request):
                if not isinstance(event, TurnEnded):
                    yield event
            return ChatResponse(answer=None)

    with pytest.raises(SettingsError) as caught:
        ChatClient(scripted([text("x")]), advisors=[Swallowing()]).prompt("x").call()
    assert caught.value.notice.code == "chat.no_end"


def test_an_index_that_cannot_be_cleared_is_warned_of_and_no_turn_fails():
    class Stuck(CatalogToolIndex):
        def clear_index(self, session_id):
            raise ConnectionError("away")

    advisor = ToolSearchAdvisor(
        Stuck(RetrieverStore(), "keyword"), sessions=SessionRegistry(Lru(1))
    )
    client = ChatClient(scripted([text("1")], [text("2")]), tools=PARCELS, advisors=[advisor])
    client.prompt("x", context={CONVERSATION_ID: "a"}).call()
    with pytest.warns(RuntimeWarning, match="away"):
        assert client.prompt("x", context={CONVERSATION_ID: "b"}).call().text == "2"
    assert [live.session_id for live in advisor.sessions.live()] == ["b"]
