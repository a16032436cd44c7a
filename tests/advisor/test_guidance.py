"""When searching is worth its rounds: what a person is advised, and when there is nothing to say."""

import pytest

from toolsearch_core.advisor.guidance import WORTH_TOKENS, WORTH_TOOLS, guidance
from toolsearch_core.notices import Notice
from toolsearch_core.options import AdvisorOptions
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.tools import Catalog, ToolDefinition

SEARCH = AdvisorOptions()
ALL = AdvisorOptions(disclosure="all_up_front")
LONG = "Say what happened at this place, and when it did. " * 1000
"""A description of about ten thousand tokens."""


def catalog(count: int, *descriptions: str) -> Catalog:
    texts = [*descriptions, *["Tells something"] * (count - len(descriptions))]
    return Catalog(
        tuple(
            ToolDefinition(name=f"tool_{place}", wire_name=f"tool_{place}", description=text)
            for place, text in enumerate(texts)
        )
    )


def advice(tools: Catalog, options: AdvisorOptions) -> Notice | None:
    return guidance(tools, TokenEstimator(), options)


@pytest.mark.parametrize("count", [1, WORTH_TOOLS - 1])
def test_a_small_catalog_is_better_sent_whole(count: int) -> None:
    told = advice(catalog(count), SEARCH)

    assert told is not None
    assert told.code == "advisor.small_catalog"
    assert advice(catalog(count), ALL) is None


@pytest.mark.parametrize(
    "tools", [catalog(WORTH_TOOLS), catalog(200), catalog(1, LONG)], ids=["10", "200", "long"]
)
def test_a_large_catalog_is_better_searched(tools: Catalog) -> None:
    told = advice(tools, ALL)

    assert told is not None
    assert told.code == "advisor.large_catalog"
    assert advice(tools, SEARCH) is None


def test_advice_has_the_numbers_of_the_catalog() -> None:
    tools = catalog(3, LONG)
    tokens = sum(TokenEstimator().count_tool(tool) for tool in tools.tools)
    told = advice(tools, ALL)

    assert tokens >= WORTH_TOKENS
    assert told is not None
    assert (told.params["tools"], told.params["tokens"]) == (3, f"{tokens:,}")
    assert f"{tokens:,}" in told.text
    assert f"{WORTH_TOKENS:,}" in told.text


def test_a_catalog_below_the_size_from_which_search_begins_is_sent_whole() -> None:
    assert advice(catalog(4), AdvisorOptions(search_from_tools=5)) is None
    assert advice(catalog(5), AdvisorOptions(search_from_tools=5)) is not None
    told = advice(catalog(20), AdvisorOptions(search_from_tools=21))
    assert told is not None
    assert told.code == "advisor.large_catalog"


def test_a_catalog_that_is_pinned_whole_is_sent_whole() -> None:
    assert advice(catalog(2), AdvisorOptions(pinned=("tool_0", "tool_1"))) is None
    assert advice(catalog(2), AdvisorOptions(pinned=("tool_0",))) is not None


@pytest.mark.parametrize("options", [SEARCH, ALL])
def test_without_tools_there_is_nothing_to_advise(options: AdvisorOptions) -> None:
    assert advice(Catalog(), options) is None
