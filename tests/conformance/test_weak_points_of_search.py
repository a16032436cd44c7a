"""Section W, as far as indexes, eviction and sessions go: what is weak there is not weak here."""

import pytest

from tests.contracts.eviction import TurnedClock
from tests.contracts.tool_index import names, search, tool
from tests.generated_catalog import generated_catalog
from tests.index.test_store import WatchedEncoder
from tests.measure.bench import MOST_KIB, cost_of_a_session
from tests.session.recording_index import RecordingIndex, catalog_of
from toolsearch_core.catalog import load_catalog
from toolsearch_core.errors import SearchRequestError, SessionError
from toolsearch_core.eviction import Always, Composite, Lru, Never, Ttl
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.search_types import IndexKind
from toolsearch_core.session import SessionRegistry
from toolsearch_core.settings import Settings
from toolsearch_core.tools import Catalog, ToolDefinition

TOOLS = catalog_of("red_tool", "blue_tool")
every_kind = pytest.mark.parametrize("kind", ["hybrid", "keyword", "regex", "vector"])
by_words = pytest.mark.parametrize("kind", ["hybrid", "keyword"])


def index_of(*tools: ToolDefinition, kind: IndexKind = "keyword") -> CatalogToolIndex:
    index = CatalogToolIndex(RetrieverStore(), kind, "hashing", patience_s=None)
    index.index_tools("s", tools)
    return index


# W2: a copy for each session


@pytest.mark.promise("W2")
def test_a_hundred_sessions_read_their_catalog_once_and_a_change_reads_what_changed() -> None:
    encoder = WatchedEncoder()
    index = CatalogToolIndex(RetrieverStore(encoders=lambda name: encoder), "vector")
    tools = tuple(tool(f"tool_{n}", f"Does thing {n}") for n in range(30))
    for number in range(100):
        index.index_tools(f"session {number}", tools)
    at_first = len(encoder.texts)
    index.index_tools("session 0", (*tools[:-1], tool("tool_29", "Does another thing")))

    assert at_first == 30
    assert encoder.texts[30:] == ["tool 29. Does another thing"]


@pytest.mark.promise("W2")
def test_a_session_over_a_known_catalog_holds_a_few_kibibytes_at_most() -> None:
    catalog = Catalog(load_catalog(generated_catalog(200), source="generated").tools)
    _, kib = cost_of_a_session("keyword", catalog)

    assert kib <= MOST_KIB


# W6: weak retrieval


@pytest.mark.promise("W6")
@by_words
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("github", {"github_create_issue", "githubListPullRequests"}),
        ("weather", {"getWeather"}),
        ("emails", {"sendEmail"}),
        ("pull requests", {"githubListPullRequests"}),
        ("cc recipients", {"sendEmail"}),
        ("Weather in Amsterdam", {"getWeather"}),
    ],
)
def test_identifiers_are_taken_apart_words_are_stemmed_and_parameters_are_searched(
    kind: IndexKind, query: str, found: set[str]
) -> None:
    index = index_of(
        tool("github_create_issue", "Opens a new one"),
        tool("githubListPullRequests", "Shows the open ones"),
        tool("getWeather", "What the sky does"),
        tool("sendEmail", "Writes to somebody", cc="further recipients"),
        tool("log_in", "Signs a person in"),
        kind=kind,
    )
    best = names(search(index, query, max_results=len(found)))

    assert set(best) == found


@pytest.mark.promise("W6")
def test_a_word_without_content_brings_no_tool_along() -> None:
    index = index_of(tool("getWeather", "Weather of a place"), tool("log_in", "Signs a person in"))

    assert names(search(index, "Weather in Amsterdam")) == ["getWeather"]


@pytest.mark.promise("W6")
@every_kind
def test_names_count_for_meaning_and_a_name_in_full_comes_first(kind: IndexKind) -> None:
    """Equal descriptions: only the names tell these tools apart."""
    alike = [tool(name, "Does it for you") for name in ("bake_bread", "wash_car", "paint_wall")]
    index = index_of(*alike, kind=kind)

    for each in ("bake bread", "wash car", "paint wall"):
        assert names(search(index, f"{each} please"))[0] == each.replace(" ", "_")
    exact = search(index, "paint_wall").references[0]
    assert (exact.tool_name, exact.score) == ("paint_wall", 1.0)


# W7: the default index, and patterns that match nothing


@pytest.mark.promise("W7")
def test_the_default_index_is_the_hybrid_one() -> None:
    assert Settings().index_kind == "hybrid"


@pytest.mark.promise("W7")
@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("get_*", {"get_weather_data", "get_user_data"}),
        ("get_.*", {"get_weather_data", "get_user_data"}),
        (".*weather.*", {"get_weather_data"}),
        ("get_*_data", {"get_weather_data", "get_user_data"}),
        ("^list_", {"list_users"}),
    ],
)
def test_patterns_over_names_match_as_patterns(pattern: str, found: set[str]) -> None:
    index = index_of(
        tool("get_weather_data", "x"),
        tool("get_user_data", "y"),
        tool("list_users", "z"),
        kind="regex",
    )

    assert set(names(search(index, pattern))) == found


@pytest.mark.promise("W7")
def test_a_short_word_is_not_found_inside_others() -> None:
    index = index_of(tool("list_users", "Everybody"), tool("to_use", "In use"), kind="regex")

    assert names(search(index, "us")) == []
    assert names(search(index, "use"))[0] == "to_use", "the whole word first"


# W8: thresholds


@pytest.mark.promise("W8")
@every_kind
@pytest.mark.parametrize("size", [1, 3, 10, 100, 400])
def test_the_score_of_a_name_in_full_is_the_same_in_every_catalog(
    kind: IndexKind, size: int
) -> None:
    others = [tool(f"other_{n}", "Does something else") for n in range(size - 1)]
    hit = search(index_of(tool("fly_kite", "Up"), *others, kind=kind), "fly_kite").references[0]

    assert (hit.tool_name, hit.score) == ("fly_kite", 1.0)


@pytest.mark.promise("W8")
@pytest.mark.parametrize("size", [2, 10, 100])
def test_a_word_that_all_tools_share_finds_them_and_what_a_limit_cuts_is_shown(size: int) -> None:
    jira = [tool(f"jira_{n}", f"Does job {n} in jira") for n in range(size)]
    index = CatalogToolIndex(RetrieverStore(), "keyword", keyword_min_score=0.99)
    index.index_tools("s", jira)
    cut = search(index, "jira")

    assert search(index_of(*jira), "jira", max_results=1000).total_matches == size
    assert cut.references == ()
    assert len(cut.near_misses) == min(size, 5)
    assert [each.code for each in cut.metadata.notices] == ["search.below_min_score"]


# W9: how many results


@pytest.mark.promise("W9")
@every_kind
def test_a_senseless_number_of_results_is_our_error_and_a_huge_one_gives_what_there_is(
    kind: IndexKind,
) -> None:
    index = index_of(tool("note_one", "A note"), tool("note_two", "A note"), kind=kind)
    for number in (0, -1):
        with pytest.raises(SearchRequestError, match=str(number)):
            search(index, "note", max_results=number)

    assert names(search(index, "note", max_results=10**9)) == ["note_one", "note_two"]


@pytest.mark.promise("W9")
@every_kind
def test_a_query_of_thousands_of_words_is_clipped_and_answered(kind: IndexKind) -> None:
    index = index_of(tool("note_one", "A note"), kind=kind)
    query = "note " * 39 if kind == "regex" else " ".join(f"note{n} word{n}" for n in range(3000))
    response = search(index, query)

    assert len(response.metadata.query) <= 2000
    assert names(response) == ["note_one"]


# W12: life cycle


@pytest.mark.promise("W12")
def test_always_beside_a_limit_keeps_no_more_sessions_than_the_limit() -> None:
    index = RecordingIndex()
    registry = SessionRegistry(Composite([Always(), Lru(1)]))
    for session_id in ("a", "b", "c", "a", "b"):
        registry.open(session_id, TOOLS, index)

        assert list(index.tools) == [session_id]


@pytest.mark.promise("W12")
def test_the_only_sessions_time_runs_out_by_a_clock_that_is_handed_in() -> None:
    clock, index = TurnedClock(), RecordingIndex()
    registry = SessionRegistry(Ttl(60.0, clock), clock)
    registry.open("a", TOOLS, index)
    clock.now_s += 60.0

    assert [(each.session_id, each.reason) for each in registry.sweep()] == [("a", "ttl")]
    assert index.tools == {}


@pytest.mark.promise("W12")
def test_a_turn_in_flight_keeps_its_index_until_its_end() -> None:
    index = RecordingIndex()
    registry = SessionRegistry(Lru(1))
    with registry.in_flight("a"):
        registry.open("a", TOOLS, index)
        registry.open("b", TOOLS, index)
        registry.evict("a")

        assert index.tools["a"] == TOOLS.tools
    assert "a" not in index.tools


@pytest.mark.promise("W12")
@pytest.mark.parametrize("blank", ["", "  ", None])
def test_a_blank_session_id_is_an_error_before_anything_is_indexed(blank: object) -> None:
    index = RecordingIndex()
    with pytest.raises(SessionError, match="session id is missing"):
        SessionRegistry(Never()).open(blank, TOOLS, index)  # type: ignore[arg-type]

    assert index.log == []


@pytest.mark.promise("W12")
def test_an_evicted_session_is_indexed_by_its_next_turn_and_never_believed_to_be() -> None:
    index = RecordingIndex()
    registry = SessionRegistry(Never())
    registry.open("a", TOOLS, index)
    registry.evict("a")
    empty = dict(index.tools)
    opening = registry.open("a", TOOLS, index)

    assert empty == {}
    assert opening.reindexed
    assert index.tools["a"] == TOOLS.tools


# W14: descriptions that buy their rank


@pytest.mark.promise("W14")
@pytest.mark.parametrize("kind", ["hybrid", "keyword", "regex"])
def test_a_word_said_five_hundred_times_does_not_outrank_a_tool_of_that_name(
    kind: IndexKind,
) -> None:
    stuffed = tool("get_rich_now", "weather " * 500)
    honest = tool("get_weather", "Tells whether it will rain in a city")
    others = [tool(f"tool_{n}", f"Does thing number {n}") for n in range(10)]
    index = index_of(stuffed, honest, *others, kind=kind)

    assert names(search(index, "weather"))[0] == "get_weather"
    assert names(search(index, "weather in a city"))[0] == "get_weather"


@pytest.mark.promise("W14")
def test_the_more_often_a_word_is_repeated_the_less_it_counts() -> None:
    def score(times: int) -> float:
        others = [tool(f"tool_{n}", f"Does thing number {n} for you") for n in range(10)]
        repeated = tool("buy_me", "weather " * times)
        return search(index_of(*others, repeated), "weather").references[0].score

    assert score(500) < score(50) < score(5)
