"""Section 3.8: the regex index. Ours is an engine for patterns that takes plain words too."""

import subprocess
import sys

import pytest

from tests.contracts.tool_index import names, search, tool
from tests.project_files import ROOT
from toolsearch_core.errors import InvalidPatternError
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.tools import ToolDefinition

WEATHER = tool("get_weather_data", "Tells whether it will rain")
PRICE = tool("toolA", "Looks up a stock price")
USER = tool("get_user_data", "Everything about a person")


def index_of(*tools: ToolDefinition, session_id: str = "s") -> CatalogToolIndex:
    index = CatalogToolIndex(RetrieverStore(), "regex")
    index.index_tools(session_id, tools)
    return index


@pytest.mark.promise("3.8.1")
def test_the_index_and_its_answers_say_which_kind_it_is() -> None:
    index = index_of(WEATHER)

    assert index.kind == "regex"
    assert search(index, "weather").metadata.index_kind == "regex"


@pytest.mark.promise("3.8.2")
@pytest.mark.parametrize("query", ["weather", "get_w*_data", "^get_w.*", "WEATHER"])
def test_a_name_is_found_by_word_and_by_pattern(query: str) -> None:
    assert names(search(index_of(WEATHER, PRICE), query)) == ["get_weather_data"]


@pytest.mark.promise("3.8.3")
def test_words_of_a_description_find_that_tool_alone() -> None:
    assert names(search(index_of(WEATHER, PRICE, USER), "stock price")) == ["toolA"]


@pytest.mark.promise("3.8.4")
def test_tools_indexed_together_are_all_counted() -> None:
    assert index_of(WEATHER, PRICE, USER).describe("s").tool_count == 3


@pytest.mark.promise("3.8.5")
def test_an_unknown_session_finds_nothing() -> None:
    assert names(search(index_of(WEATHER), "weather", "another")) == []


@pytest.mark.promise("3.8.6")
def test_a_cleared_session_has_no_tools_and_finds_nothing() -> None:
    index = index_of(WEATHER)
    index.clear_index("s")

    assert index.describe("s").tool_count == 0
    assert names(search(index, ".*")) == []


@pytest.mark.promise("3.8.7")
def test_tools_of_another_session_never_come_up() -> None:
    index = index_of(WEATHER, session_id="mine")
    index.index_tools("yours", [USER])

    assert names(search(index, "get_*_data", "mine")) == ["get_weather_data"]
    assert names(search(index, "get_*_data", "yours")) == ["get_user_data"]


@pytest.mark.promise("3.8.8")
@pytest.mark.parametrize("query", ["rain", "r[a]in"])
def test_a_match_in_the_name_outranks_one_in_the_description(query: str) -> None:
    index = index_of(WEATHER, tool("rain_gauge", "Measures water"))

    assert names(search(index, query)) == ["rain_gauge", "get_weather_data"]


@pytest.mark.promise("3.8.9")
@pytest.mark.parametrize("query", ["jira", "jira_*"])
def test_exactly_as_many_tools_come_as_were_asked_for(query: str) -> None:
    index = index_of(*(tool(f"jira_{n}", "Tracks work") for n in range(10)))
    response = search(index, query, max_results=3)

    assert names(response) == ["jira_0", "jira_1", "jira_2"]
    assert response.total_matches == 10


@pytest.mark.promise("3.8.10")
def test_plain_words_are_alternatives_and_a_blank_query_finds_nothing() -> None:
    index = index_of(WEATHER, PRICE, USER)

    assert names(search(index, "weather tool")) == ["get_weather_data", "toolA"]
    assert names(search(index, "get user data"))[0] == "get_user_data"
    assert "get_weather_data" in names(search(index, "get user data"))
    blank = search(index, "")
    assert blank.references == ()
    assert [each.code for each in blank.metadata.notices] == ["search.query_blank"]
    assert len(names(search(index, ".*"))) == 3, "who wants everything says so"


TURKISH = """
import locale
for name in ("tr_TR.UTF-8", "tr_TR", ""):
    try:
        locale.setlocale(locale.LC_ALL, name)
        break
    except locale.Error:
        pass
from tests.conformance.test_regex import index_of, names, search, tool
index = index_of(tool("get_inventory", "Counts items"), tool("other", "Nothing"))
print(names(search(index, "GET INVENTORY")), names(search(index, "^GET_INV")))
"""


@pytest.mark.promise("3.8.11")
def test_capital_letters_are_read_alike_whatever_the_language_of_the_machine() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TURKISH],
        cwd=ROOT,
        env={"PATH": "", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"},
        capture_output=True,
        check=True,
        text=True,
    )

    assert done.stdout.strip() == "['get_inventory'] ['get_inventory']"


@pytest.mark.promise("3.8.12")
def test_a_pattern_works_or_is_refused_with_its_reason_and_no_text_gets_a_notice() -> None:
    index = index_of(WEATHER, USER)
    nothing = search(index, None)  # type: ignore[arg-type]

    assert names(search(index, "get_(user|weather)_.*")) == ["get_weather_data", "get_user_data"]
    with pytest.raises(InvalidPatternError, match=r"`get_\[data` cannot be used as a pattern"):
        search(index, "get_[data")
    with pytest.raises(InvalidPatternError, match="at most 200"):
        search(index, "a" * 201)
    assert nothing.references == ()
    assert [each.code for each in nothing.metadata.notices] == ["search.query_not_text"]
