"""Section W, as far as the advisor goes: what is weak there is not weak here."""

import gc
import json
import re
from itertools import pairwise

import pytest

from tests.conformance.role_index import RoleIndex
from tests.conformance.talk import (
    CLOCK,
    PARCEL,
    SEARCH,
    SHOPS,
    TOOLS,
    WEATHER,
    Recording,
    Talk,
    find,
    found,
    of_kind,
    results,
    tool,
)
from tests.index.test_store import WatchedEncoder, collections
from tests.project_files import document
from toolsearch_core.advisor import AdvisorOptions, ToolSearchAdvisor
from toolsearch_core.chat import (
    ChatClient,
    InMemoryChatMemory,
    MessageMemoryAdvisor,
    TurnFailedError,
)
from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.events import (
    IndexEvicted,
    IndexReady,
    ResponseReceived,
    ToolCalled,
    ToolsSearched,
)
from toolsearch_core.eviction import Lru
from toolsearch_core.execution import function_tool
from toolsearch_core.index import CatalogToolIndex, RetrieverStore, tool_index
from toolsearch_core.jsonvalues import JsonObject
from toolsearch_core.messages import (
    Message,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    tool_results,
    user_text,
)
from toolsearch_core.options import RESULTS_HINT
from toolsearch_core.protocols import ExecutionResult
from toolsearch_core.providers.scripted import Reply, ScriptedProvider, call, text
from toolsearch_core.search_types import INDEX_KINDS, IndexKind, ToolSearchRequest
from toolsearch_core.settings import OPTIONS, Option, Settings, chat_client
from toolsearch_core.tools import ToolDefinition


def sent_bytes(talk: Talk) -> list[list[str]]:
    """The definitions of each request, as text."""
    return [[json.dumps(each) for each in body["tools"]] for body in talk.requests]


@pytest.mark.promise("W1")
def test_the_list_of_tools_only_grows_at_its_end_over_a_whole_conversation() -> None:
    talk = Talk()

    talk.ask(find(PARCEL), find(SHOPS, WEATHER))
    talk.ask(find(WEATHER), [call("weather_report", city="Oslo")], find(CLOCK))
    talk.ask(find(CLOCK, PARCEL))

    sent = sent_bytes(talk)
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(sent))
    assert talk.sent() == [SEARCH, "track_parcel", "find_shops", "weather_report", "read_clock"]
    assert len({body["system"] for body in talk.requests}) == 1


@pytest.mark.promise("W1")
def test_two_hundred_equal_requests_send_the_same_bytes() -> None:
    talk = Talk()
    talk.ask(find(PARCEL, CLOCK, WEATHER))
    model = ScriptedProvider([[text("Done.")]] * 200)

    for _ in range(200):  # each with a client and an advisor of its own
        advisor = ToolSearchAdvisor(talk.index, sessions=talk.sessions)
        client = ChatClient(model, tools=TOOLS, advisors=[advisor])
        client.prompt("Go on", context={"conversation_id": "s"}).call()

    [body] = {json.dumps(body) for body in model.requests}
    assert len(model.requests) == 200
    assert [each["name"] for each in json.loads(body)["tools"]] == [
        SEARCH,
        "track_parcel",
        "read_clock",
        "weather_report",
    ]


@pytest.mark.promise("W1")
def test_what_the_service_read_from_its_cache_is_reported() -> None:
    talk = Talk()
    usage: JsonObject = {
        "input_tokens": 10,
        "output_tokens": 3,
        "cache_read_input_tokens": 700,
        "cache_creation_input_tokens": 40,
    }

    events = talk.ask(Reply(find(WEATHER), usage=usage))

    first, *_ = of_kind(events, ResponseReceived)
    assert (first.usage.cache_read_tokens, first.usage.cache_write_tokens) == (700, 40)
    assert first.usage.input_tokens == 750


@pytest.mark.promise("W3")
@pytest.mark.parametrize("order", [200, 1000], ids=["memory outside", "memory inside"])
def test_wherever_memory_stands_a_found_tool_stays_for_the_iterations_and_turns_that_follow(
    order: int,
) -> None:
    talk = Talk(advisors=[MessageMemoryAdvisor(InMemoryChatMemory(), order=order)])

    talk.ask(find(WEATHER), [call("weather_report", city="Oslo")], find(CLOCK))
    talk.ask([call("weather_report", city="Bergen")])

    assert talk.declared()[1:3] == [[SEARCH, "weather_report"]] * 2
    assert talk.declared()[3:] == [[SEARCH, "weather_report", "read_clock"]] * 3


@pytest.mark.promise("W3")
def test_a_conversation_that_was_cut_keeps_what_was_found() -> None:
    talk = Talk()
    talk.ask(find(WEATHER))

    talk.ask(history=[])

    assert talk.sent() == [SEARCH, "weather_report"]
    assert len(talk.requests[-1]["messages"]) == 1


@pytest.mark.promise("W3")
@pytest.mark.parametrize(
    "result", ["", "Connection reset", "[", '{"found":7}', '["weather_report"]']
)
def test_no_text_of_a_search_result_breaks_or_poisons_a_session(result: str) -> None:
    talk = Talk()
    history = [
        user_text("Before"),
        Message("assistant", (ToolUseBlock("old", SEARCH, {"query": "x"}),)),
        tool_results([ToolResultBlock("old", result)]),
        Message("assistant", (TextBlock("Sorry."),)),
    ]

    talk.ask(find(CLOCK), history=history)
    talk.ask(history=history)

    assert talk.declared() == [[SEARCH], [SEARCH, "read_clock"], [SEARCH, "read_clock"]]


@pytest.mark.promise("W4")
def test_an_unknown_tool_in_a_batch_costs_none_of_the_other_results() -> None:
    ran: list[str] = []

    def note(word: str) -> str:
        """Write a word down."""
        ran.append(word)
        return word.upper()

    talk = Talk(tools=[function_tool(note, pinned=True), *TOOLS])
    batch = [call("note", word="one"), call("forget"), *find(CLOCK), call("note", word="two")]

    events = talk.ask(batch)

    first, unknown, search, last = results(talk.requests[1])
    assert (first, last, ran) == ("ONE", "TWO", ["one", "two"])
    assert "there is no tool `forget`" in unknown
    assert found(search) == ["read_clock"]
    assert [each.outcome for each in of_kind(events, ToolCalled)] == [
        "executed",
        "unknown_tool",
        "executed",
    ]


@pytest.mark.promise("W4")
def test_a_tool_that_was_never_found_is_brought_into_the_request_instead_of_run_blind() -> None:
    ran: list[str] = []

    def measure(length: float) -> str:
        """Measure a thing."""
        ran.append("measure")
        return f"{length} m"

    talk = Talk(tools=[measure, *TOOLS])

    events = talk.ask([call("measure", length=2)], [call("measure", length=2)])

    assert talk.declared() == [[SEARCH], [SEARCH, "measure"], [SEARCH, "measure"]]
    assert "call it again" in results(talk.requests[1])[0]
    assert results(talk.requests[2]) == ["2.0 m"]
    assert ran == ["measure"]
    assert [each.outcome for each in of_kind(events, ToolCalled)] == ["not_injected", "executed"]


@pytest.mark.promise("W4")
def test_a_tool_that_is_gone_since_it_was_found_is_answered_like_any_unknown_one() -> None:
    talk = Talk(tools=(CLOCK,))
    talk.ask(find(WEATHER), tools=[WEATHER])

    events = talk.ask([call("weather_report", city="Oslo")])

    assert "there is no tool `weather_report`" in results(talk.requests[-1])[0]
    assert events[-1].status == "answered"  # type: ignore[union-attr]


@pytest.mark.promise("W5", "A15")
def test_below_a_size_of_ones_choice_all_tools_are_sent_and_no_session_is_needed() -> None:
    talk = Talk(options=AdvisorOptions(search_from_tools=5))
    talk.model.add([text("Done.")])

    talk.client.prompt("Go on").call()
    talk.ask(tools=[tool("fifth", "One more")])

    assert talk.sent(0) == [each.wire_name for each in TOOLS]
    assert "system" not in talk.requests[0]
    assert talk.sent(1) == [SEARCH]
    assert len(talk.index.indexed) == 1


@pytest.mark.promise("W5", "A12")
def test_one_request_can_do_without_search_and_the_next_goes_on_with_what_was_found() -> None:
    talk = Talk()
    everything = AdvisorOptions(disclosure="all_up_front")

    talk.ask(find(WEATHER))
    talk.ask(options=everything)
    talk.ask()
    talk.model.add([text("Done.")])
    talk.client.prompt("Without a session id", options=everything).call()

    assert talk.declared()[2:] == [
        [each.wire_name for each in TOOLS],
        [SEARCH, "weather_report"],
        [each.wire_name for each in TOOLS],
    ]


@pytest.mark.promise("W5")
def test_pinned_tools_are_sent_from_the_first_request_on_and_take_no_place_in_a_search() -> None:
    talk = Talk(options=AdvisorOptions(pinned=("track_parcel", "weather_report")))

    talk.ask([call(SEARCH, query="tell", max_results=1)])

    assert talk.sent(0) == [SEARCH, "weather_report", "track_parcel"]
    assert talk.index.searches[0].exclude == {"track_parcel", "weather_report"}
    assert talk.sent(1) == [SEARCH, "weather_report", "track_parcel", "read_clock"]


@pytest.mark.promise("W9")
def test_one_number_is_the_default_in_the_words_and_in_the_deed() -> None:
    for options, number in ((AdvisorOptions(), 5), (AdvisorOptions(max_results_cap=4), 4)):
        talk = Talk(options=options)
        talk.ask([call(SEARCH, query="tell")])

        [search_tool] = talk.requests[0]["tools"]
        about = search_tool["input_schema"]["properties"]["max_results"]
        assert f"{number} when left out" in about["description"]
        assert about["maximum"] == options.max_results_cap
        assert [request.max_results for request in talk.index.searches] == [number]


@pytest.mark.promise("W11")
def test_scores_reasons_near_misses_and_evictions_are_events() -> None:
    talk = Talk(eviction=Lru(1), options=AdvisorOptions(threshold=0.3))

    events = talk.ask([call(SEARCH, query="tell the weather of a city and list clothing shops")])
    again = talk.ask(session="other")

    [search] = of_kind(events, ToolsSearched)
    assert [hit.tool_name for hit in search.hits] == ["find_shops"]
    assert search.hits[0].reasons
    assert search.hits[0].score >= 0.3 > search.near_misses[0].score > 0
    assert (search.total_matches, search.threshold, search.index_kind) == (1, 0.3, "keyword")
    assert [
        (each.session_id, each.reason, each.released) for each in of_kind(again, IndexEvicted)
    ] == [("s", "lru", ("find_shops",))]


@pytest.mark.promise("W11")
def test_whether_an_index_was_built_or_shared_is_an_event() -> None:
    index = CatalogToolIndex(RetrieverStore(), "keyword")
    ready = []
    for _ in range(2):
        model = ScriptedProvider([[text("Done.")]] * 2)
        client = ChatClient(model, tools=TOOLS, advisors=[ToolSearchAdvisor(index)])
        for session in ("a", "b"):
            answer = client.prompt("Go on", context={"conversation_id": session}).call()
            ready += of_kind([entry.event for entry in answer.entries], IndexReady)

    assert [each.reused for each in ready] == [False, True, True, True]
    assert {each.tool_count for each in ready} == {4}


@pytest.mark.promise("W12")
def test_a_session_with_a_running_turn_is_released_when_the_turn_ends() -> None:
    talk = Talk(eviction=Lru(1))
    talk.model.add(find(WEATHER))
    running = talk.client.prompt("Go on", context={"conversation_id": "a"}).stream()
    next(event for event in running if isinstance(event, ToolsSearched))

    talk.ask(session="b")
    cleared_meanwhile = [*talk.index.cleared]
    talk.model.add(find(CLOCK), [text("Done.")])
    searches = of_kind([*running], ToolsSearched)

    assert cleared_meanwhile == []
    assert [hit.tool_name for search in searches for hit in search.hits] == ["read_clock"]
    assert talk.sent() == [SEARCH, "weather_report", "read_clock"]
    assert talk.index.cleared == ["a"]
    assert [live.session_id for live in talk.sessions.live()] == ["b"]


@pytest.mark.promise("W12", "A11")
def test_a_configured_client_indexes_a_session_once_and_lets_it_be_evicted() -> None:
    own = Recording()
    client = chat_client(
        Settings(), ScriptedProvider([[text("Done.")]] * 4), tools=TOOLS, index=own
    )

    def ask() -> None:
        client.prompt("Go on", context={"conversation_id": "s"}).call()

    ask()
    ask()
    ask()
    [advisor] = client.advisors
    assert isinstance(advisor, ToolSearchAdvisor)
    assert advisor.evict_session("s") is not None
    assert (len(own.indexed), own.cleared) == (1, ["s"])
    ask()
    assert len(own.indexed) == 2


@pytest.mark.promise("W12")
def test_when_indexing_fails_the_old_tools_stay_and_belief_and_index_agree() -> None:
    talk = Talk(tools=(WEATHER,))
    talk.ask()

    def break_down() -> None:
        raise IndexUnavailableError("search.chromadb_missing")

    talk.index.while_indexing = break_down
    with pytest.raises(TurnFailedError, match="stays"):
        talk.client.prompt("Go on", tools=[CLOCK], context={"conversation_id": "s"}).call()
    assert len(talk.requests) == 1

    talk.ask(find(WEATHER))
    assert talk.sent() == [SEARCH, "weather_report"]
    assert [len(tools) for _, tools in talk.index.indexed] == [1, 2]

    talk.index.while_indexing = lambda: None
    talk.ask(find(CLOCK), tools=[CLOCK])
    assert talk.sent() == [SEARCH, "weather_report", "read_clock"]
    assert [len(tools) for _, tools in talk.index.indexed] == [1, 2, 2]


@pytest.mark.promise("W13")
def test_two_owners_of_one_vector_store_find_each_tool_once_and_leave_nothing_behind() -> None:
    encoder = WatchedEncoder()
    before = collections()
    owners = [
        CatalogToolIndex(
            RetrieverStore(encoders=lambda name: encoder, spares=0), "vector", "watched"
        )
        for _ in range(2)
    ]
    asked = ToolSearchRequest(session_id="s", query="tell the weather of a city", max_results=50)

    for index in owners:
        index.index_tools("s", TOOLS)
    owners[0].clear_index("s")
    owners[0].index_tools("s", TOOLS)
    owners[0].clear_index("s")
    gc.collect()

    hits = [hit.tool_name for hit in owners[1].search(asked).references]
    assert hits
    assert len(hits) == len({*hits})
    assert owners[0].search(asked).references == ()
    owners[1].clear_index("s")
    gc.collect()
    assert collections() == before


MARKER = "tenant-4711-secret"


class Listening:
    """Runs nothing and writes down all that it is given."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def execute(self, tool: ToolDefinition, arguments: JsonObject) -> ExecutionResult:
        self.given.append(repr((tool, arguments)))
        return ExecutionResult(content="Fine.", outcome="executed", simulated=False)


@pytest.mark.promise("W14")
@pytest.mark.parametrize("order", [200, 1000], ids=["memory outside", "memory inside"])
def test_neither_session_id_nor_context_reaches_the_model_or_a_tool(order: int) -> None:
    given: list[object] = []

    def local(city: str, **rest: object) -> str:
        """Tell the sights of a city."""
        given.append((city, rest))
        return "None."

    executor = Listening()
    talk = Talk(
        tools=[*TOOLS, function_tool(local, pinned=True)],
        executor=executor,
        advisors=[MessageMemoryAdvisor(order=order)],
    )

    events = talk.ask(
        find(WEATHER),
        [call("weather_report", city="Oslo"), call("local", city="Oslo"), call("nobody")],
        session=MARKER,
        context={"tenant": MARKER, MARKER: MARKER},
    )

    assert talk.index.searches[0].session_id == MARKER
    assert len(executor.given) == len(given) == 1
    assert MARKER not in json.dumps(talk.requests)
    assert MARKER not in repr(executor.given) + repr(given)
    assert MARKER not in repr(events)


@pytest.mark.promise("W14", "A9")
def test_an_index_that_knows_roles_keeps_a_tool_from_who_may_not_use_it() -> None:
    roles = {"kim": {"guest"}, "lee": {"forecaster"}}
    index = RoleIndex(tool_index("keyword"), roles.__getitem__, {"weather_report": "forecaster"})
    talk = Talk(inner=index)

    talk.ask(find(WEATHER), session="kim")
    talk.ask(find(WEATHER), session="lee")

    assert "weather_report" not in talk.sent(1)
    assert talk.sent(3) == [SEARCH, "weather_report"]


RICH = ToolDefinition(
    name="plan_route",
    wire_name="plan_route",
    title="Wayfinder",
    description="Work out how to get somewhere",
    input_schema={
        "type": "object",
        "properties": {
            "zeppelin": {"type": "string", "description": "an umbrella term"},
            "stop": {"type": "object", "properties": {"quay": {"enum": ["gangway", "jetty"]}}},
        },
    },
)
PROMISED: dict[str, tuple[str, str]] = {
    "name": ("names", "plan route"),
    "title": ("titles", "wayfinder"),
    "description": ("descriptions", "get somewhere"),
    "parameter": ("parameter names", "zeppelin"),
    "parameter description": ("parameter descriptions", "umbrella"),
    "parameter value": ("parameter values", "jetty"),
}
"""Field -> how the search tool names it, and a query that only this field answers."""


@pytest.mark.promise("W17")
@pytest.mark.parametrize("kind", INDEX_KINDS)
def test_the_search_tool_claims_no_field_that_its_index_does_not_search(kind: IndexKind) -> None:
    others = [tool(f"other_{number}", "Something else entirely") for number in range(5)]
    talk = Talk(tools=[*others, RICH], inner=tool_index(kind))

    talk.ask([call(SEARCH, query=query, max_results=1) for _, query in PROMISED.values()])

    about = talk.requests[0]["tools"][0]["description"]
    claimed = [field for field, (word, _) in PROMISED.items() if word in about]
    searched = [
        field
        for field, result in zip(PROMISED, results(talk.requests[1]), strict=True)
        if found(result) == ["plan_route"]
    ]
    assert claimed
    assert set(claimed) <= set(searched)
    if kind in ("hybrid", "keyword"):
        assert claimed == [*PROMISED]


@pytest.mark.promise("W17")
def test_definitions_go_to_the_list_of_tools_and_not_into_the_conversation() -> None:
    talk = Talk()

    talk.ask(find(WEATHER), [call("weather_report", city="Oslo")])

    conversation = json.dumps(talk.requests[-1]["messages"]) + talk.requests[-1]["system"]
    assert WEATHER.description not in conversation
    assert talk.requests[-1]["tools"][1]["description"] == WEATHER.description


@pytest.mark.promise("W17")
@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.full_name)
def test_the_default_in_the_readme_is_the_one_of_the_code(option: Option) -> None:
    [_, options] = document("README.md").split("### All options")
    stated = re.search(rf"^\| `{option.full_name}` \| (\S+) \|", options, re.M)

    default = option.written(Settings())
    words = json.dumps(default).strip('"') if default is not None else "none"
    assert stated is not None
    assert stated[1] == (f"`{words}`" if words else "nothing")


@pytest.mark.promise("W17")
def test_the_number_of_results_in_the_decisions_is_the_one_of_the_code() -> None:
    assert f"({RESULTS_HINT} when nobody sets it" in document("ARCHITECTURE.md")
