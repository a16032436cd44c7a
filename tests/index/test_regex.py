"""The regex index: what is read as a pattern, and what it finds."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contracts.tool_index import Case, filled, names, search, tool
from toolsearch_core.errors import InvalidPatternError
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.index.patterns import MAX_PATTERN_CHARS, read_pattern
from toolsearch_core.protocols import ToolIndex

TOOLS = (
    tool("get_user_data", "Read the profile of a person"),
    tool("get_order_data", "Read what was ordered"),
    tool("get_orders", "List them all"),
    tool("jira_create_issue", "File a ticket"),
    tool("jira_link_issues", "Join two tickets"),
    tool("create_jira_board", "Set a board up (kanban or scrum)"),
    tool("list_grids", "Show rasters", title="Raster view"),
    tool("lookup_id", "Find by number"),
)
CASE = Case(
    kind="regex", make=lambda: CatalogToolIndex(RetrieverStore(), "regex"), accepts_patterns=True
)


@pytest.fixture(scope="module")
def index() -> ToolIndex:
    return filled(CASE, TOOLS)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("get_*_data", {"get_user_data", "get_order_data"}),
        ("get_*", {"get_user_data", "get_order_data", "get_orders"}),
        ("*_issue", {"jira_create_issue"}),
        ("*issue*", {"jira_create_issue", "jira_link_issues"}),
        ("^jira_.*issue", {"jira_create_issue", "jira_link_issues"}),
        ("^jira_.*issue$", {"jira_create_issue"}),
        ("JIRA.*BOARD", {"create_jira_board"}),
        ("(user|order)_data", {"get_user_data", "get_order_data"}),
        ("^get_[a-z]+$", {"get_orders"}),
        ("scrum|profile", {"create_jira_board", "get_user_data"}),
        ("rasters?$", {"list_grids"}),
        ("x*y*z*q*", set()),
        ("^$", set()),
        ("nothing_like_this.*", set()),
    ],
)
def test_patterns_find_what_they_describe(
    index: ToolIndex, pattern: str, expected: set[str]
) -> None:
    assert set(names(search(index, pattern, max_results=50))) == expected


def test_a_pattern_may_ask_for_everything(index: ToolIndex) -> None:
    assert len(names(search(index, ".*", max_results=50))) == len(TOOLS)


def test_what_covers_more_of_a_name_comes_first_and_names_before_texts(index: ToolIndex) -> None:
    assert names(search(index, "get_order(s|_data)"))[0] == "get_order_data"
    assert names(search(index, "jira.*")) == [
        "jira_create_issue",
        "jira_link_issues",
        "create_jira_board",
    ]
    assert names(search(index, "order.*"))[:2] == ["get_order_data", "get_orders"]


def test_the_text_that_matched_is_the_reason(index: ToolIndex) -> None:
    (hit,) = search(index, "^get_u[a-z]+").references

    assert [(reason.signal, reason.matched, reason.share) for reason in hit.reasons] == [
        ("pattern", ("get_user",), 1.0)
    ]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("user data", "get_user_data"),
        ("What was ordered?", "get_order_data"),
        ("link two issues.", "jira_link_issues"),
        ("raster", "list_grids"),
        ("id", "lookup_id"),
        ("profil", "get_user_data"),
        ("set a board up (please)", "create_jira_board"),
        ("board: kanban!", "create_jira_board"),
    ],
)
def test_plain_words_work_too(index: ToolIndex, words: str, first: str) -> None:
    assert names(search(index, words))[0] == first


def test_short_words_are_only_found_whole(index: ToolIndex) -> None:
    assert names(search(index, "id", max_results=50)) == ["lookup_id"]


def test_whole_words_come_before_parts_of_words(index: ToolIndex) -> None:
    tools = [tool("preorders", "x"), tool("order", "y")]

    assert names(search(filled(CASE, tools), "order now")) == ["order", "preorders"]


def test_a_word_repeated_in_a_description_gains_nothing() -> None:
    tools = [tool("honest", "Sends mail"), tool("stuffed", "mail " * 500)]
    scores = [hit.score for hit in search(filled(CASE, tools), "mail").references]

    assert scores[0] == scores[1]


def test_prose_with_signs_of_a_pattern_is_read_as_words_and_says_so(index: ToolIndex) -> None:
    response = search(index, "create (or link) jira issues")

    assert {"jira_create_issue", "jira_link_issues"} <= set(names(response))
    assert [each.code for each in response.metadata.notices] == ["search.pattern_as_words"]


@pytest.mark.parametrize(
    "pattern", ["(", "[a", "a{2,1}", "(?=x)", r"\1", "a**b+?+", "(a AND b", "\\"]
)
def test_a_bad_pattern_is_refused_with_the_reason(index: ToolIndex, pattern: str) -> None:
    with pytest.raises(InvalidPatternError) as refused:
        search(index, pattern)

    assert refused.value.notice.code == "search.pattern_invalid"
    assert refused.value.notice.params["pattern"] == pattern
    assert refused.value.notice.params["reason"]


def test_more_than_two_hundred_characters_are_refused(index: ToolIndex) -> None:
    search(index, "a" * MAX_PATTERN_CHARS)
    for query in ("a" * 201, "word " * 60, "(" * 300):
        with pytest.raises(InvalidPatternError, match="200"):
            search(index, query)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(InvalidPatternError):
        read_pattern(text)
