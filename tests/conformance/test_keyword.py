"""Section 3.7: the keyword index."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.contracts.tool_index import names, search, tool
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.tools import ToolDefinition

WEATHER = tool("weatherTool", "Tells the weather conditions in a city of your choice")
STOCKS = tool("stockTool", "Looks up what a share is worth at the exchange")
PLANT = tool("waterPlants", "Keeps flowers alive")


def index_of(*tools: ToolDefinition, session_id: str = "s") -> CatalogToolIndex:
    index = CatalogToolIndex(RetrieverStore(), "keyword")
    index.index_tools(session_id, tools)
    return index


def alike(count: int) -> Sequence[ToolDefinition]:
    return [tool(f"jiraTool{n}", f"Does thing number {n} in jira") for n in range(count)]


@pytest.mark.promise("3.7.1")
def test_words_of_one_tool_find_it_alone() -> None:
    assert names(search(index_of(WEATHER, STOCKS), "weather conditions")) == ["weatherTool"]


@pytest.mark.promise("3.7.2")
def test_a_query_that_is_a_camel_case_name_has_that_tool_first() -> None:
    others = [tool("getWeather", "Says what getCurrentWeather says"), WEATHER]
    index = index_of(*others, tool("getCurrentWeather", "For now"))

    assert names(search(index, "getCurrentWeather"))[0] == "getCurrentWeather"


@pytest.mark.promise("3.7.3")
def test_a_word_in_the_name_outranks_a_word_in_the_description() -> None:
    in_text = tool("first", "Sends an invoice")
    in_name = tool("invoice_sender", "Does what its name says")

    assert names(search(index_of(in_text, in_name, PLANT), "invoice")) == [
        "invoice_sender",
        "first",
    ]


@pytest.mark.promise("3.7.4")
def test_three_tools_indexed_together_are_three() -> None:
    assert index_of(WEATHER, STOCKS, PLANT).describe("s").tool_count == 3


@pytest.mark.promise("3.7.5")
def test_an_unknown_session_finds_nothing() -> None:
    assert names(search(index_of(WEATHER), "weather", "another")) == []


@pytest.mark.promise("3.7.6")
def test_a_cleared_session_has_no_tools_and_finds_nothing() -> None:
    index = index_of(WEATHER, STOCKS)
    index.clear_index("s")

    assert index.describe("s").tool_count == 0
    assert names(search(index, "weather")) == []


@pytest.mark.promise("3.7.7")
def test_tools_of_another_session_never_come_up() -> None:
    index = index_of(WEATHER, session_id="mine")
    index.index_tools("yours", [STOCKS, tool("weatherStation", "Weather conditions of the sea")])

    assert names(search(index, "weather conditions share", "mine")) == ["weatherTool"]
    assert "weatherTool" not in names(search(index, "weatherTool", "yours"))


@pytest.mark.promise("3.7.8")
def test_no_more_tools_come_than_were_asked_for() -> None:
    response = search(index_of(*alike(8), PLANT), "jira", max_results=3)

    assert len(response.references) == 3
    assert response.total_matches == 8


@pytest.mark.promise("3.7.9")
def test_a_tool_that_comes_later_is_found_at_once() -> None:
    """There is no step between indexing and searching, not even after a first search."""
    index = CatalogToolIndex(RetrieverStore(), "keyword")
    index.index_tool("s", WEATHER)
    first = names(search(index, "weather"))
    index.index_tool("s", STOCKS)

    assert first == ["weatherTool"]
    assert names(search(index, "share exchange")) == ["stockTool"]


@pytest.mark.promise("3.7.10")
def test_eight_searches_at_once_over_ten_tools_all_find_something() -> None:
    index = index_of(*alike(10))
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda n: names(search(index, f"jira thing {n}")), range(8)))

    assert [each[0] for each in found] == [f"jiraTool{n}" for n in range(8)]
