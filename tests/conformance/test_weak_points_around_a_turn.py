"""Section W, around a turn: what is seen of it, who keeps what, and what the documents say."""

import gc
import json
import re

import pytest

from tests.advisor.stage import RICH
from tests.conformance.role_index import RoleIndex
from tests.conformance.talk import (
    CLOCK,
    SEARCH,
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
    MessageMemoryAdvisor,
    TurnFailedError,
)
from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.events import (
    IndexEvicted,
    IndexReady,
    ToolsSearched,
)
from toolsearch_core.eviction import Lru
from toolsearch_core.execution import function_tool
from toolsearch_core.index import CatalogToolIndex, RetrieverStore, tool_index
from toolsearch_core.jsonvalues import JsonObject
from toolsearch_core.options import RESULTS_HINT
from toolsearch_core.protocols import ExecutionResult
from toolsearch_core.providers.scripted import ScriptedProvider, call, text
from toolsearch_core.search_types import INDEX_KINDS, IndexKind, ToolSearchRequest
from toolsearch_core.settings import OPTIONS, Option, Settings, chat_client
from toolsearch_core.tools import ToolDefinition


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
    assert set(collections()) <= set(before)  # what others left may go meanwhile


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


PROMISED: dict[str, tuple[str, str]] = {
    "name": ("name", "plan route"),
    "title": ("title", "wayfinder"),
    "description": ("description", "get somewhere"),
    "parameter": ("parameter", "zeppelin"),
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
