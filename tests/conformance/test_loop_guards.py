"""3.10: guards of the loop; what came later and elsewhere, but for the community version (3.1 has it)."""

import gc
import json
import weakref
from collections.abc import Callable, Iterator

import pytest

from tests.conformance.talk import (
    CLOCK,
    PARCEL,
    SEARCH,
    WEATHER,
    Talk,
    find,
    found,
    of_kind,
    results,
    tool,
)
from toolsearch_core.advisor import AdvisorOptions, ToolSearchAdvisor
from toolsearch_core.events import IndexReady, RequestPrepared, ToolCalled, ToolsSearched
from toolsearch_core.execution import function_tool
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.providers.scripted import call
from toolsearch_core.search_types import ToolSearchRequest

Runs = list[str]


def core_tool(runs: Runs) -> str:
    """Tell the user's account."""
    runs.append("core_tool")
    return "account 7"


def optional_tool(runs: Runs) -> str:
    """Tell the weather of a city."""
    runs.append("optional_tool")
    return "15 degrees"


def told(function: Callable[[Runs], str], runs: Runs) -> Callable[[], str]:
    """The function as a tool without parameters."""

    def run() -> str:
        return function(runs)

    run.__name__, run.__doc__ = function.__name__, function.__doc__
    return run


def injected_tools_run(streamed: bool) -> None:
    """What a search brought into the request is run, and its result goes to the model."""
    runs: Runs = []
    talk = Talk(tools=[told(core_tool, runs), told(optional_tool, runs)], streamed=streamed)

    events = talk.ask([call(SEARCH, query="weather")], [call("optional_tool")])

    assert runs == ["optional_tool"]
    assert results(talk.requests[-1]) == ["15 degrees"]
    assert [(each.name, each.outcome) for each in of_kind(events, ToolCalled)] == [
        ("optional_tool", "executed")
    ]


@pytest.mark.promise("3.10.1")
def test_called_a_tool_that_came_into_the_request_is_run() -> None:
    injected_tools_run(streamed=False)


@pytest.mark.promise("3.10.2")
def test_streamed_a_tool_that_came_into_the_request_is_run() -> None:
    injected_tools_run(streamed=True)


def pinned_tools_stay(streamed: bool) -> None:
    """A pinned tool is called, the other one is found, and the pinned one is called again."""
    runs: Runs = []
    core = function_tool(told(core_tool, runs), pinned=True)
    talk = Talk(tools=[told(optional_tool, runs), core], streamed=streamed)

    events = talk.ask(
        [call("core_tool")], [call(SEARCH, query="tell user account weather")], [call("core_tool")]
    )

    assert talk.declared() == [
        [SEARCH, "core_tool"],
        [SEARCH, "core_tool"],
        [SEARCH, "core_tool", "optional_tool"],
        [SEARCH, "core_tool", "optional_tool"],
    ]
    assert runs == ["core_tool", "core_tool"]
    [search] = of_kind(events, ToolsSearched)
    assert search.discovered == ("optional_tool",)
    assert found(search.result) == ["optional_tool"]
    reasons = {each.name: each.reason for each in of_kind(events, RequestPrepared)[-1].injected}
    assert reasons == {
        SEARCH: "search_tool",
        "core_tool": "pinned",
        "optional_tool": "discovered",
    }


@pytest.mark.promise("3.10.3")
def test_called_a_pinned_tool_stays_and_a_found_one_stands_beside_it() -> None:
    pinned_tools_stay(streamed=False)


@pytest.mark.promise("3.10.4")
def test_streamed_a_pinned_tool_stays_and_a_found_one_stands_beside_it() -> None:
    pinned_tools_stay(streamed=True)


@pytest.mark.promise("3.10.3", "W5")
def test_a_model_that_searches_for_a_pinned_tool_is_told_that_it_has_it() -> None:
    talk = Talk(options=AdvisorOptions(pinned=("weather_report",)))

    talk.ask([call(SEARCH, query="weather")])

    assert json.loads(results(talk.requests[1])[0]) == {
        "found": [],
        "already_listed": ["weather_report"],
    }
    assert talk.declared() == [[SEARCH, "weather_report"]] * 2


@pytest.mark.promise("3.10.5")
def test_called_without_pinned_tools_the_search_tool_is_alone() -> None:
    talk = Talk()

    talk.ask([{"type": "text", "text": "Hello."}])

    assert talk.declared()[0] == [SEARCH]


@pytest.mark.promise("3.10.6")
def test_streamed_without_pinned_tools_the_search_tool_is_alone() -> None:
    talk = Talk(streamed=True)

    talk.ask()

    assert talk.declared()[0] == [SEARCH]


@pytest.mark.promise("3.10.10", "W5")
def test_a_session_without_tools_costs_an_index_nothing_and_the_request_no_search_tool() -> None:
    talk = Talk(tools=(), options=AdvisorOptions(system="Be brief."))

    talk.ask()

    assert (talk.index.indexed, talk.index.searches) == ([], [])
    assert "tools" not in talk.requests[0]
    assert talk.requests[0]["system"] == "Be brief."


@pytest.mark.promise("3.10.11")
def test_an_index_gets_the_query_and_the_tools_and_the_search_tool_comes_first() -> None:
    talk = Talk(tools=(PARCEL, CLOCK), options=AdvisorOptions(threshold=0.1))

    talk.ask([call(SEARCH, query="Where is my parcel?", max_results=2)])

    assert talk.index.indexed == [("s", ("track_parcel", "read_clock"))]
    assert talk.index.searches == [
        ToolSearchRequest(session_id="s", query="Where is my parcel?", max_results=2, threshold=0.1)
    ]
    assert [sent[0] for sent in talk.declared()] == [SEARCH, SEARCH]


@pytest.mark.promise("3.10.12")
def test_several_tools_are_taken_together() -> None:
    many = [tool(f"tool_{number}", "One of many") for number in range(30)]
    talk = Talk(tools=many)

    talk.ask()

    assert talk.index.indexed == [("s", tuple(each.wire_name for each in many))]


@pytest.mark.promise("3.10.13")
def test_clearing_empties_the_session() -> None:
    talk = Talk()
    talk.ask(find(WEATHER))
    asked = talk.index.searches[0]
    assert talk.index.inner.search(asked).references

    talk.advisor.evict_session("s")

    assert talk.index.inner.search(asked).references == ()


@pytest.mark.promise("3.10.14", "A6")
def test_sessions_are_kept_apart_also_when_their_turns_run_into_each_other() -> None:
    talk = Talk(tools=())
    talk.model.add(find(WEATHER))
    running = talk.client.prompt(
        "Go on", tools=[WEATHER, CLOCK], context={"conversation_id": "a"}
    ).stream()
    for event in running:
        if isinstance(event, ToolsSearched):
            break

    between = talk.ask(find(PARCEL, WEATHER), session="b", tools=[PARCEL])
    talk.model.add([{"type": "text", "text": "Done."}])
    [*rest] = running

    searches = of_kind(between, ToolsSearched)
    assert [[hit.tool_name for hit in search.hits] for search in searches] == [["track_parcel"], []]
    assert talk.declared() == [
        [SEARCH],
        [SEARCH],
        [SEARCH, "track_parcel"],
        [SEARCH, "weather_report"],
    ]
    assert of_kind(rest, RequestPrepared)


@pytest.mark.promise("3.10.15", "W11")
def test_an_answer_says_who_searched_and_how_long_it_took() -> None:
    ticks = iter([10.0, 11.25])
    index = CatalogToolIndex(RetrieverStore(), "keyword", clock=lambda: next(ticks))
    index.index_tools("s", (WEATHER,))

    answer = index.search(ToolSearchRequest(session_id="s", query="weather"))

    assert (answer.metadata.index_kind, answer.metadata.duration_s) == ("keyword", 1.25)
    assert answer.metadata.query == "weather"
    assert answer.total_matches == 1


@pytest.mark.promise("3.10.15", "W11")
def test_the_event_of_a_search_says_who_searched_and_how_long_it_took() -> None:
    talk = Talk()
    search = talk.index.inner.search

    class Slow:
        """Takes a second and a quarter."""

        kind = "slow"
        index_tool, index_tools = talk.index.inner.index_tool, talk.index.inner.index_tools
        clear_index = talk.index.inner.clear_index

        def search(self, request):  # type: ignore[no-untyped-def]
            talk.now += 1.25
            return search(request)

    talk.index.inner = Slow()

    events = talk.ask(find(WEATHER))

    [event] = of_kind(events, ToolsSearched)
    assert (event.index_kind, event.duration_s) == ("keyword", 1.25)
    assert [ready.index_kind for ready in of_kind(events, IndexReady)] == ["slow"]


@pytest.fixture
def retrievers() -> Iterator[RetrieverStore]:
    yield RetrieverStore(spares=0)
    gc.collect()


@pytest.mark.promise("3.10.16")
def test_closing_the_sessions_lets_go_of_all_that_was_built(retrievers: RetrieverStore) -> None:
    index = CatalogToolIndex(retrievers, "keyword")
    talk = Talk(inner=index)
    talk.ask(session="a")
    talk.ask(session="b")
    lease = retrievers.lease("keyword", talk.client.catalog)
    built = weakref.ref(lease.retriever)
    lease.release()
    del lease
    assert built() is not None

    talk.sessions.close()
    gc.collect()

    assert sorted(talk.index.cleared) == ["a", "b"]
    assert talk.sessions.live() == ()
    assert built() is None


@pytest.mark.promise("3.10.17")
def test_an_advisor_needs_something_that_searches() -> None:
    with pytest.raises(TypeError, match="index"):
        ToolSearchAdvisor()  # type: ignore[call-arg]
