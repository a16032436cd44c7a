"""3.4: the search tool as the model gets it."""

import pytest

from tests.conformance.talk import SEARCH, Talk
from toolsearch_core.advisor import AdvisorOptions
from toolsearch_core.index import tool_index
from toolsearch_core.search_types import INDEX_KINDS, IndexKind


@pytest.mark.promise("3.4.1", "W10")
@pytest.mark.parametrize("kind", INDEX_KINDS)
def test_the_schema_has_the_two_parameters_that_are_honoured_and_nothing_else(
    kind: IndexKind,
) -> None:
    talk = Talk(tools=(), inner=tool_index(kind), options=AdvisorOptions(max_results_cap=7))
    talk.ask(tools=[weather])

    [search_tool] = talk.requests[0]["tools"]
    schema = search_tool["input_schema"]

    assert search_tool["name"] == SEARCH
    assert {name: each["type"] for name, each in schema["properties"].items()} == {
        "query": "string",
        "max_results": "integer",
    }
    assert schema["required"] == ["query"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["max_results"]["maximum"] == 7
    assert {*search_tool} == {"name", "description", "input_schema"}


def weather(city: str) -> str:
    """Tell the weather of a city."""
    return city
