"""3.1: the advisor, one answer at a time; what the community version tests beside it."""

import json
from collections.abc import Sequence

import pytest

from tests.conformance.talk import (
    CLOCK,
    PARCEL,
    SEARCH,
    SHOPS,
    TOOLS,
    WEATHER,
    Talk,
    find,
    of_kind,
    results,
)
from toolsearch_core.advisor import AdvisorOptions, ToolSearchAdvisor
from toolsearch_core.advisor.prompts import prompt
from toolsearch_core.chat import CONVERSATION_ID, ChatClient
from toolsearch_core.errors import SettingsError
from toolsearch_core.events import IndexEvicted, ToolsSearched
from toolsearch_core.eviction import Lru
from toolsearch_core.index import tool_index
from toolsearch_core.messages import (
    Message,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    tool_results,
    user_text,
)
from toolsearch_core.providers.scripted import ScriptedProvider, call, text
from toolsearch_core.search_types import (
    SearchMetadata,
    ToolReference,
    ToolSearchRequest,
    ToolSearchResponse,
)
from toolsearch_core.session import SessionRegistry
from toolsearch_core.tools import ToolDefinition


def searched_before(*names: str) -> list[Message]:
    """A history in which a search has named these tools."""
    listed = ", ".join(f'"{name}"' for name in names)
    return [
        user_text("What is there?"),
        Message("assistant", (ToolUseBlock("old", SEARCH, {"query": "anything"}),)),
        tool_results([ToolResultBlock("old", f'{{"found":[{listed}]}}')]),
        Message("assistant", (TextBlock("These."),)),
    ]


@pytest.mark.promise("3.1.1", "3.10.17")
def test_an_advisor_without_an_index_is_refused_and_the_error_names_the_index() -> None:
    with pytest.raises(SettingsError, match="index") as refused:
        ToolSearchAdvisor(None)  # type: ignore[arg-type]

    assert refused.value.notice.params["value"].startswith("NoneType without kind, ")


@pytest.mark.promise("3.1.2", "3.10.18")
def test_everything_that_an_advisor_is_given_is_kept() -> None:
    sessions = SessionRegistry(Lru(2))
    advisor = ToolSearchAdvisor(
        tool_index("keyword"), sessions=sessions, session_id_key="tenant_id", order=42
    )
    client = ChatClient(ScriptedProvider([[text("Done.")]]), tools=TOOLS, advisors=[advisor])

    client.prompt("Go on", context={"tenant_id": "t"}).call()

    assert (advisor.order, advisor.name, advisor.sessions) == (42, "ToolSearchAdvisor", sessions)
    assert [live.session_id for live in sessions.live()] == ["t"]


@pytest.mark.promise("3.1.3", "3.10.19")
def test_with_an_index_alone_order_and_name_are_the_defaults() -> None:
    advisor = ToolSearchAdvisor(tool_index("keyword"))

    assert (advisor.order, advisor.name) == (300, "ToolSearchAdvisor")


@pytest.mark.promise("3.1.4", "3.10.20")
def test_two_tools_are_indexed_in_one_go_in_their_order() -> None:
    talk = Talk(tools=(SHOPS, CLOCK))

    talk.ask()

    assert talk.index.indexed == [("s", ("find_shops", "read_clock"))]


@pytest.mark.promise("3.1.5", "3.10.21")
def test_the_suffix_is_a_part_of_its_own_after_the_system_prompt() -> None:
    own = AdvisorOptions(system="Be brief.", system_suffix="Search, then act.")
    talk = Talk(options=own)

    talk.ask(find(WEATHER))
    talk.ask(options=AdvisorOptions(system_suffix="Search, then act."))
    talk.ask(options=AdvisorOptions(system="Be brief."))

    first, second, without_system, built_in = (body["system"] for body in talk.requests)
    assert first == second == "Be brief.\n\nSearch, then act."
    assert without_system == "Search, then act."
    assert built_in == f"Be brief.\n\n{prompt('system_suffix')}"


@pytest.mark.promise("3.1.6")
def test_the_first_request_of_a_session_indexes_once_and_clears_nothing() -> None:
    talk = Talk()

    talk.ask(find(WEATHER), find(CLOCK))

    assert talk.index.indexed == [("s", tuple(tool.wire_name for tool in TOOLS))]
    assert talk.index.cleared == []


@pytest.mark.promise("3.1.7")
def test_a_second_request_with_the_same_tools_indexes_nothing() -> None:
    talk = Talk()

    talk.ask()
    talk.ask()

    assert len(talk.requests) == 2
    assert len(talk.index.indexed) == 1
    assert talk.index.cleared == []


@pytest.mark.promise("3.1.8")
def test_one_more_tool_indexes_once_more_and_meanwhile_the_old_tools_are_found() -> None:
    talk = Talk(tools=(WEATHER, CLOCK))
    talk.ask(find(WEATHER))
    meanwhile: list[str] = []
    asked = talk.index.searches[0]
    talk.index.while_indexing = lambda: meanwhile.extend(
        hit.tool_name for hit in talk.index.inner.search(asked).references
    )

    talk.ask(find(PARCEL), tools=[PARCEL])

    assert talk.index.indexed == [
        ("s", ("weather_report", "read_clock")),
        ("s", ("weather_report", "read_clock", "track_parcel")),
    ]
    assert talk.index.cleared == []
    assert meanwhile == ["weather_report"]
    assert talk.sent() == [SEARCH, "weather_report", "track_parcel"]


@pytest.mark.promise("3.1.9")
def test_with_room_for_one_session_the_second_one_releases_the_first() -> None:
    talk = Talk(eviction=Lru(1))

    talk.ask(session="a")
    events = talk.ask(session="b")

    assert talk.index.cleared == ["a"]
    assert [session for session, _ in talk.index.indexed] == ["a", "b"]
    assert [(each.session_id, each.reason) for each in of_kind(events, IndexEvicted)] == [
        ("a", "lru")
    ]


@pytest.mark.promise("3.1.10")
def test_a_session_evicted_by_hand_is_cleared_and_indexed_again_when_it_comes_back() -> None:
    talk = Talk()
    talk.ask(find(WEATHER))

    evicted = talk.advisor.evict_session("s")
    cleared = [*talk.index.cleared]
    talk.ask()

    assert evicted is not None
    assert evicted.released == ("weather_report",)
    assert cleared == ["s"]
    assert len(talk.index.indexed) == 2
    assert talk.sent() == [SEARCH]


@pytest.mark.promise("3.1.11", "3.10.22")
def test_names_in_the_history_that_no_tool_has_bring_nothing_into_the_request() -> None:
    talk = Talk()

    talk.ask(history=searched_before("sold_out", "never_was"))

    assert talk.sent() == [SEARCH]


@pytest.mark.promise("3.1.12", "3.10.23")
def test_the_session_id_of_the_context_is_the_one_that_the_index_gets() -> None:
    talk = Talk()

    talk.ask(find(WEATHER), context={CONVERSATION_ID: "chat-7"})
    talk.advisor.evict_session("chat-7")

    assert [session for session, _ in talk.index.indexed] == ["chat-7"]
    assert [search.session_id for search in talk.index.searches] == ["chat-7"]
    assert talk.index.cleared == ["chat-7"]


@pytest.mark.promise("3.1.13", "3.10.24")
def test_without_a_history_the_search_tool_is_sent() -> None:
    talk = Talk()

    talk.ask()

    assert talk.sent() == [SEARCH]


@pytest.mark.promise("3.1.14", "3.10.25")
def test_a_tool_found_before_is_sent_and_one_that_a_text_merely_names_is_not() -> None:
    talk = Talk()
    talk.ask(find(WEATHER))

    talk.ask(session="s")
    talk.ask(session="fresh", history=searched_before("weather_report"))

    assert talk.sent(-2) == [SEARCH, "weather_report"]
    assert talk.sent(-1) == [SEARCH]


@pytest.mark.promise("3.1.15")
@pytest.mark.parametrize(("asked", "given"), [(7, 7), (10, 10), (11, 10), (100_000, 10)])
def test_the_model_may_ask_for_more_than_configured_but_not_for_more_than_the_cap(
    asked: int, given: int
) -> None:
    talk = Talk(options=AdvisorOptions(max_results=3))

    talk.ask([call(SEARCH, query="tell", max_results=asked)])

    assert [search.max_results for search in talk.index.searches] == [given]


@pytest.mark.promise("3.1.16")
def test_when_the_model_asks_for_no_number_the_configured_one_counts() -> None:
    talk = Talk(options=AdvisorOptions(max_results=3))

    talk.ask([call(SEARCH, query="tell")])

    assert [search.max_results for search in talk.index.searches] == [3]


@pytest.mark.promise("3.1.17", "3.10.26")
def test_the_end_of_a_turn_clears_nothing() -> None:
    talk = Talk()

    talk.ask(find(WEATHER), [call("weather_report", city="Seoul")])

    assert talk.index.cleared == []
    assert [live.session_id for live in talk.sessions.live()] == ["s"]


PARALLEL: Sequence[tuple[ToolDefinition, ...]] = [(WEATHER, CLOCK, WEATHER), (CLOCK, SHOPS, PARCEL)]


@pytest.mark.promise("3.1.18")
@pytest.mark.parametrize("wanted", PARALLEL)
def test_without_accumulation_the_parallel_searches_of_one_message_count_together(
    wanted: tuple[ToolDefinition, ...],
) -> None:
    talk = Talk(options=AdvisorOptions(accumulate=False))

    events = talk.ask(find(*wanted))

    assert len(of_kind(events, ToolsSearched)) == 3
    union = [*dict.fromkeys(tool.wire_name for tool in wanted)]
    assert talk.sent() == [SEARCH, *union]


@pytest.mark.promise("3.1.19")
def test_without_accumulation_only_the_latest_search_turn_counts() -> None:
    talk = Talk(options=AdvisorOptions(accumulate=False))

    talk.ask(find(WEATHER), find(CLOCK), [call("read_clock")])

    assert talk.declared() == [
        [SEARCH],
        [SEARCH, "weather_report"],
        [SEARCH, "read_clock"],
        [SEARCH, "read_clock"],
    ]


@pytest.mark.promise("3.1.20")
def test_with_accumulation_both_search_turns_count() -> None:
    talk = Talk()

    talk.ask(find(WEATHER), find(CLOCK))

    assert talk.sent() == [SEARCH, "weather_report", "read_clock"]


class Stale:
    """An index that answers from the tools of yesterday, each twice, as many as it has."""

    kind = "stale"

    def __init__(self, *names: str) -> None:
        self._names = names

    def index_tool(self, session_id: str, tool: ToolDefinition) -> None: ...

    def index_tools(self, session_id: str, tools: Sequence[ToolDefinition]) -> None: ...

    def search(self, request: ToolSearchRequest) -> ToolSearchResponse:
        hits = [ToolReference(tool_name=name, score=1, raw_score=1) for name in self._names]
        return ToolSearchResponse(
            references=(*hits, *hits),
            total_matches=2 * len(hits),
            metadata=SearchMetadata(index_kind=self.kind, query=request.query),
        )

    def clear_index(self, session_id: str) -> None: ...


@pytest.mark.promise("3.10.27", "W9")
def test_what_an_index_answers_counts_within_the_tools_and_the_bounds_of_the_request() -> None:
    stale = Stale("gone", "weather_report", "read_clock", "find_shops", "track_parcel")
    talk = Talk(inner=stale, options=AdvisorOptions(max_results=2, pinned=("read_clock",)))

    events = talk.ask([call(SEARCH, query="anything")])

    told = json.loads(results(talk.requests[1])[0])
    assert told == {"found": ["weather_report", "find_shops"], "already_listed": ["read_clock"]}
    assert talk.sent() == [SEARCH, "read_clock", "weather_report", "find_shops"]
    assert of_kind(events, ToolsSearched)[0].discovered == ("weather_report", "find_shops")
