"""The laws of a tool index, whatever finds its tools.

A law is a function of a case. The ones that Hypothesis feeds take their input too.
"""

import itertools
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import pytest
from hypothesis import strategies as st

from toolsearch_core.errors import InvalidPatternError, SearchRequestError
from toolsearch_core.protocols import ToolIndex
from toolsearch_core.search_types import ToolSearchRequest, ToolSearchResponse
from toolsearch_core.tools import ToolDefinition


@dataclass(frozen=True, kw_only=True)
class Case:
    """One kind of index, and what it promises beyond the laws."""

    kind: str
    make: Callable[[], ToolIndex]
    """An index without sessions; two of them may share what they build."""
    accepts_patterns: bool = False
    """A query may be refused as a bad pattern."""
    matches_by_meaning: bool = False
    """What is found depends on the whole text of a tool, not on single words of it."""


def tool(
    name: str, description: str = "", *, title: str = "", server: str = "", **parameters: str
) -> ToolDefinition:
    """A tool; `colour="shade"` is a parameter with a description."""
    properties = {key: {"type": "string", "description": text} for key, text in parameters.items()}
    return ToolDefinition(
        name=name,
        wire_name=name,
        description=description,
        title=title,
        server=server,
        input_schema={"type": "object", "properties": properties},
    )


OFFICE = (
    tool("pay_invoice", "Settle a bill", amount="how much money"),
    tool("printLabel", "Put an address on sticky paper", copies="how many"),
    tool("book-room", "Reserve a place to meet", title="Meeting rooms"),
    tool("fetch_weather_report", "Tell whether it will rain", city="name of the town"),
    tool("list_birthdays", "Show who celebrates this week"),
    tool("XMLToCSV2", "Convert markup to a table"),
)

WORDS = ("pay", "room", "weather", "label", "list", "rain", "invoice", "copies", "me", "issue")
NAMES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map("_".join)
CATALOGS = st.lists(
    st.builds(tool, NAMES, st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)),
    max_size=7,
    unique_by=lambda each: each.wire_name,
).map(tuple)
QUERIES = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join),
    st.text(max_size=40),
    st.text(alphabet="ab_*.+()[]{}^$|?\\", max_size=12),
)


def search(
    index: ToolIndex,
    query: str,
    session_id: str = "s",
    *,
    max_results: int = 5,
    threshold: float | None = None,
    exclude: frozenset[str] = frozenset(),
) -> ToolSearchResponse:
    return index.search(
        ToolSearchRequest(
            session_id=session_id,
            query=query,
            max_results=max_results,
            threshold=threshold,
            exclude=exclude,
        )
    )


def names(response: ToolSearchResponse) -> list[str]:
    return [reference.tool_name for reference in response.references]


def filled(case: Case, tools: Sequence[ToolDefinition] = OFFICE) -> ToolIndex:
    index = case.make()
    index.index_tools("s", tools)
    return index


# Laws over any catalog and any text


def an_answer_is_well_formed(
    case: Case, tools: Sequence[ToolDefinition], query: str, max_results: int
) -> None:
    """Any text is safe; names are unique and from the catalog; scores never rise; ties by catalog."""
    index = filled(case, tools)
    try:
        response = search(index, query, max_results=max_results)
    except InvalidPatternError:
        assert case.accepts_patterns
        return
    shown = [*response.references, *response.near_misses]
    place = {each.wire_name: position for position, each in enumerate(tools)}
    order = [(-reference.score, place[reference.tool_name]) for reference in shown]

    assert len(response.references) == min(max_results, response.total_matches)
    assert len(response.near_misses) <= 5
    assert len(set(map(str, [reference.tool_name for reference in shown]))) == len(shown)
    assert order == sorted(order)
    assert all(0 < reference.score <= 1 for reference in shown)
    assert all(_explained(reference.reasons) for reference in shown)
    assert response.metadata.index_kind == case.kind
    assert response.metadata.duration_s >= 0
    assert not response.metadata.calibrated
    assert without_time(search(index, query, max_results=max_results)) == without_time(response)
    index.clear_index("s")


def _explained(reasons: Sequence[object]) -> bool:
    shares = [reason.share for reason in reasons]  # type: ignore[attr-defined]
    return bool(shares) and all(0 <= share <= 1 for share in shares) and sum(shares) <= 1.000001


def without_time(response: ToolSearchResponse) -> ToolSearchResponse:
    return replace(response, metadata=replace(response.metadata, duration_s=0.0))


def an_unrelated_tool_takes_no_match_away(
    case: Case, tools: Sequence[ToolDefinition], query: str
) -> None:
    if case.matches_by_meaning:
        return
    unrelated = tool("zzqx", "Bvvk jrrt")
    with_it = search(filled(case, [*tools, unrelated]), query, max_results=50)
    without_it = search(filled(case, tools), query, max_results=50)

    assert set(names(without_it)) <= set(names(with_it))


# Laws over one catalog


def a_blank_query_finds_nothing_and_says_so(case: Case) -> None:
    for blank in ("", "   ", "\n\t"):
        response = search(filled(case), blank)
        assert (response.references, response.near_misses, response.total_matches) == ((), (), 0)
        assert [each.code for each in response.metadata.notices] == ["search.query_blank"]


def words_without_content_find_nothing_and_say_so(case: Case) -> None:
    for query in ("the", "of and to", "!!!", "…", "🙂", "- , ;"):
        response = search(filled(case), query)
        assert (response.references, response.total_matches) == ((), 0), query
        assert [each.code for each in response.metadata.notices] in (
            ["search.query_without_words"],
            ["search.no_match"],
        ), query


def an_empty_catalog_finds_nothing(case: Case) -> None:
    index = filled(case, ())
    response = search(index, "pay invoice")

    assert (response.references, response.near_misses, response.total_matches) == ((), (), 0)
    assert [each.code for each in response.metadata.notices] == ["search.no_tools"]


def an_unknown_session_finds_nothing_and_may_be_cleared(case: Case) -> None:
    index = filled(case)
    index.clear_index("nobody")

    assert search(index, "pay invoice", "nobody").references == ()
    assert names(search(index, "pay invoice"))[0] == "pay_invoice"


def a_catalog_of_one_tool_is_searched(case: Case) -> None:
    index = filled(case, OFFICE[:1])

    assert names(search(index, "invoice")) == ["pay_invoice"]
    assert names(search(index, "pay_invoice", max_results=100)) == ["pay_invoice"]


def a_tool_is_first_by_its_own_name(case: Case) -> None:
    index = filled(case)
    for each in OFFICE:
        for query in (each.name, f" {each.name} ", each.name.upper()):
            response = search(index, query)
            assert names(response)[0] == each.wire_name, query
        exact = search(index, each.name).references[0]
        assert (exact.score, exact.reasons[0].signal) == (1.0, "exact_name")


def the_words_of_a_name_find_the_tool(case: Case) -> None:
    index = filled(case)
    for query, expected in (
        ("print label", "printLabel"),
        ("room", "book-room"),
        ("weather", "fetch_weather_report"),
        ("csv", "XMLToCSV2"),
        ("birthdays", "list_birthdays"),
    ):
        assert names(search(index, query))[:1] == [expected], query


def fewer_than_one_result_is_refused(case: Case) -> None:
    for max_results in (0, -1):
        with pytest.raises(ValueError, match=str(max_results)) as refused:
            search(filled(case), "pay", max_results=max_results)
        assert isinstance(refused.value, SearchRequestError)


def more_results_than_tools_are_all_that_match(case: Case) -> None:
    response = search(filled(case), "invoice room weather label", max_results=1000)

    assert len(response.references) == response.total_matches <= len(OFFICE)
    assert response.near_misses == ()


def matches_are_counted_before_the_limit(case: Case) -> None:
    index = filled(case)
    everything = search(index, "invoice room weather label", max_results=1000)
    one = search(index, "invoice room weather label", max_results=1)

    assert one.total_matches == everything.total_matches > 1
    assert names(one) == names(everything)[:1]
    assert [miss.tool_name for miss in one.near_misses] == names(everything)[1:6]


def equal_tools_stand_in_catalog_order(case: Case) -> None:
    tools = [tool(f"note{'_' * n}it", "On paper") for n in range(40, 0, -1)]
    response = search(filled(case, tools), "a note on paper", max_results=30)

    assert len({reference.score for reference in response.references}) == 1
    assert names(response) == [each.wire_name for each in tools[:30]]
    assert [miss.tool_name for miss in response.near_misses] == [t.wire_name for t in tools[30:35]]


def a_threshold_leaves_the_lower_scores_as_near_misses(case: Case) -> None:
    index = filled(case)
    everything = search(index, "pay invoice label", max_results=1000)
    second = everything.references[1].score
    cut = search(index, "pay invoice label", max_results=1000, threshold=second)
    none = search(index, "label", threshold=1.0)

    assert all(reference.score >= second for reference in cut.references)
    assert names(cut) + [miss.tool_name for miss in cut.near_misses] == names(everything)[:7]
    assert cut.total_matches == len(cut.references)
    assert none.references == ()
    assert none.near_misses
    assert [each.code for each in none.metadata.notices] == ["search.below_threshold"]
    for threshold in (-0.1, 1.1, float("nan")):
        with pytest.raises(SearchRequestError):
            search(index, "label", threshold=threshold)


def excluded_tools_take_no_place(case: Case) -> None:
    index = filled(case)
    everything = search(index, "pay invoice", max_results=1000)
    without = search(
        index, "pay invoice", max_results=1000, exclude=frozenset({"pay_invoice", "unknown"})
    )

    assert names(everything)[0] == "pay_invoice"
    assert names(without) == names(everything)[1:]
    assert without.total_matches == everything.total_matches - 1
    assert "pay_invoice" not in [miss.tool_name for miss in without.near_misses]


def excluded_tools_that_would_have_been_shown_are_told(case: Case) -> None:
    index = filled(case)
    everything = search(index, "pay invoice label", max_results=1000)
    first, second = everything.references[:2]
    barred = frozenset({first.tool_name, second.tool_name, "unknown"})
    one, two = (search(index, "pay invoice label", max_results=n, exclude=barred) for n in (1, 2))
    only = search(filled(case, OFFICE[:1]), "invoice", exclude=frozenset({"pay_invoice"}))

    assert (everything.excluded, one.excluded, two.excluded) == ((), (first,), (first, second))
    assert search(index, "pay label", threshold=1.0, exclude=barred).excluded == ()
    assert [each.code for each in only.metadata.notices] == ["search.only_excluded"]


def sessions_never_see_each_others_tools(case: Case) -> None:
    index = case.make()
    index.index_tools("a", OFFICE[:2])
    index.index_tools("b", OFFICE[2:])

    for each in OFFICE:
        owner, other = ("a", "b") if each in OFFICE[:2] else ("b", "a")
        assert names(search(index, each.name, owner))[0] == each.wire_name
        assert each.wire_name not in names(search(index, each.name, other, max_results=100))
    index.clear_index("a")
    assert search(index, "pay_invoice", "a").references == ()
    assert names(search(index, "weather", "b"))[0] == "fetch_weather_report"


def session_ids_are_any_text_and_never_mix(case: Case) -> None:
    ids = ("ab", "AB", " ab", "ab ", "user@example.org", "a/b/../c", "目录", "", "CON", "x" * 600)
    index = case.make()
    for number, session_id in enumerate(ids):
        index.index_tools(session_id, [tool(f"tool_of_{number}", "Do this")])

    for number, session_id in enumerate(ids):
        assert names(search(index, "tool", session_id, max_results=50)) == [f"tool_of_{number}"]


def new_tools_replace_the_old_ones(case: Case) -> None:
    index = filled(case)
    changed = tool("pay_invoice", "Give away a gift card")
    index.index_tools("s", [changed, OFFICE[1]])

    assert names(search(index, "gift card"))[0] == "pay_invoice"
    assert set(names(search(index, "weather room invoice label", max_results=50))) <= {
        "pay_invoice",
        "printLabel",
    }
    index.index_tools("s", ())
    assert search(index, "gift card").references == ()


def a_rebuilt_index_equals_a_fresh_one(case: Case) -> None:
    rebuilt = filled(case, OFFICE[:3])
    rebuilt.index_tools("s", OFFICE)
    fresh = filled(case)
    for query in ("pay a bill", "weather", "room label", "nothing of this kind"):
        assert without_time(search(rebuilt, query, max_results=50)) == without_time(
            search(fresh, query, max_results=50)
        )


def one_tool_can_be_added_or_replaced(case: Case) -> None:
    index = case.make()
    for each in OFFICE[:3]:
        index.index_tool("s", each)
    index.index_tool("s", tool("printLabel", "Etch brass plates"))

    assert names(search(index, "brass"))[0] == "printLabel"
    assert names(search(index, "room"))[0] == "book-room"
    assert not {"printLabel"} & set(names(search(index, "sticky paper", threshold=0.5)))


def a_name_given_twice_counts_once(case: Case) -> None:
    index = filled(case, [tool("twin", "Saw wood"), OFFICE[0], tool("twin", "Peel apples")])
    response = search(index, "peel apples", max_results=50)

    assert names(response)[0] == "twin"
    assert names(response).count("twin") == 1


def searching_changes_nothing(case: Case) -> None:
    tools = [tool("pay_invoice", "Settle a bill", amount="how much money"), OFFICE[1]]
    before = [each.definition_json for each in tools]
    index = filled(case, tools)
    first = search(index, "pay invoice", max_results=50)
    for query in ("label", "xyz", "pay", "bill"):
        search(index, query, max_results=1)

    assert without_time(search(index, "pay invoice", max_results=50)) == without_time(first)
    assert [each.definition_json for each in tools] == before


def threads_agree(case: Case) -> None:
    index = filled(case)
    queries = ("pay invoice", "weather", "room", "label", "birthdays", "csv table", "zzz") * 4
    alone = [without_time(search(index, query)) for query in queries]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda query: without_time(search(index, query)), queries))

    assert together == alone


def a_search_while_tools_change_sees_the_old_or_the_new(case: Case) -> None:
    def letters(version: str, count: int, change: int = 0) -> list[ToolDefinition]:
        return [tool(f"{version}_letter_{n}", f"Write a letter {change}") for n in range(count)]

    index = filled(case, letters("old", 3))
    versions = [{each.wire_name for each in letters(*given)} for given in (("old", 3), ("new", 4))]
    enough = threading.Event()

    def keep_changing() -> None:
        for change in itertools.count():
            index.index_tools("s", letters("new", 4, change))
            index.index_tools("s", letters("old", 3, change))
            if enough.is_set():
                return

    changing = threading.Thread(target=keep_changing)
    changing.start()
    seen = [set(names(search(index, "letter", max_results=50))) for _ in range(40)]
    enough.set()
    changing.join()

    assert all(found in versions for found in seen)


def many_threads_may_add_tools(case: Case) -> None:
    index = case.make()
    tools = [tool(f"parcel_{n}", "Send a parcel") for n in range(16)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda each: index.index_tool("s", each), tools))

    found = search(index, "parcel", max_results=50)
    assert sorted(names(found)) == sorted(each.wire_name for each in tools)


def hostile_patterns_and_long_texts_are_answered(case: Case) -> None:
    index = filled(case, [*OFFICE, tool("a" * 60, "a" * 5000)])
    for query in ("(a+)+$", r"^(\w+_?)+:$", r"(\w*_?\w*)*!", "a" * 10_000, "word " * 10_000):
        try:
            response = search(index, query)
        except InvalidPatternError:
            assert case.accepts_patterns
        else:
            assert len(response.metadata.query) <= 2_000
            clipped = [each.code for each in response.metadata.notices]
            assert ("search.query_clipped" in clipped) == (len(query) > 2_000)


def texts_in_other_scripts_are_found(case: Case) -> None:
    tools = (
        tool("t1", "Liefert das Wetter für Zürich"),
        tool("t2", "Показывает погоду в городе"),
        tool("t3", "查询城市的天气预报"),
        tool("t4", "도시의 날씨를 알려 준다"),
        tool("t5", "Renames a file"),
    )
    index = filled(case, tools)
    for query, expected in (
        ("Zurich", "t1"),
        ("ZÜRICH", "t1"),
        ("погоду", "t2"),
        ("ПОГОДУ", "t2"),
        ("天气", "t3"),
        ("날씨", "t4"),
    ):
        assert names(search(index, query))[:1] == [expected], query


def half_characters_are_harmless(case: Case) -> None:
    """A lone surrogate cannot be written as UTF-8, and JSON may hold one."""
    broken = tool("pay_\ud800invoice", "Settle \udfff a bill", title="\ud83d")
    broken = replace(broken, wire_name="pay_invoice")
    index = case.make()
    index.index_tools("\ud800", [broken])

    for query in ("bill \ud800", "pay_\ud800invoice", "pay\udfff invoice"):
        assert names(search(index, query, "\ud800")) == ["pay_invoice"], ascii(query)
    assert search(index, "\ud800\udfff", "\ud800").references == ()


def a_value_that_is_no_text_is_refused_politely(case: Case) -> None:
    index = filled(case)
    for odd in (None, 7, ["a", "b"], {"q": "x"}, b"pay"):
        response = search(index, odd)  # type: ignore[arg-type]
        assert response.references == ()
        assert [each.code for each in response.metadata.notices] == ["search.query_not_text"]


LAWS: tuple[Callable[[Case], None], ...] = (
    a_blank_query_finds_nothing_and_says_so,
    words_without_content_find_nothing_and_say_so,
    an_empty_catalog_finds_nothing,
    an_unknown_session_finds_nothing_and_may_be_cleared,
    a_catalog_of_one_tool_is_searched,
    a_tool_is_first_by_its_own_name,
    the_words_of_a_name_find_the_tool,
    fewer_than_one_result_is_refused,
    more_results_than_tools_are_all_that_match,
    matches_are_counted_before_the_limit,
    equal_tools_stand_in_catalog_order,
    a_threshold_leaves_the_lower_scores_as_near_misses,
    excluded_tools_take_no_place,
    excluded_tools_that_would_have_been_shown_are_told,
    sessions_never_see_each_others_tools,
    session_ids_are_any_text_and_never_mix,
    new_tools_replace_the_old_ones,
    a_rebuilt_index_equals_a_fresh_one,
    one_tool_can_be_added_or_replaced,
    a_name_given_twice_counts_once,
    searching_changes_nothing,
    threads_agree,
    a_search_while_tools_change_sees_the_old_or_the_new,
    many_threads_may_add_tools,
    hostile_patterns_and_long_texts_are_answered,
    texts_in_other_scripts_are_found,
    half_characters_are_harmless,
    a_value_that_is_no_text_is_refused_politely,
)
