"""Each promise made to the model is kept."""

import json
from itertools import pairwise

import pytest

from tests.advisor.stage import RICH, SEARCH, Stage, only, tool
from toolsearch_core.advisor import AdvisorOptions
from toolsearch_core.advisor.prompts import prompt
from toolsearch_core.advisor.search_tool import read_arguments, search_tool
from toolsearch_core.events import ToolCalled, ToolsSearched
from toolsearch_core.notices import Notice
from toolsearch_core.providers.scripted import call, text
from toolsearch_core.tools import SEARCH_TOOL_NAME, Catalog

OTHERS = tuple(tool(f"other_{number}", "Something else entirely") for number in range(5))


@pytest.mark.parametrize(
    "query",
    [
        "plan route",
        "wayfinder",
        "get somewhere",
        "zeppelin",
        "umbrella",
        "quay",
        "jetty",
        "plan_route",
    ],
)
def test_every_field_of_a_tool_is_searched(query):
    stage = Stage(catalog=Catalog((*OTHERS, RICH)))
    events = stage.ask("x", [[call(SEARCH, query=query)], [text("ok")]])

    assert only(events, ToolsSearched)[0].hits[0].tool_name == "plan_route"


def test_the_found_tools_can_be_called_at_once_and_come_best_first():
    stage = Stage()
    events = stage.ask(
        "x",
        [[call(SEARCH, query="track parcel")], [call("track_parcel", number="1")], [text("ok")]],
    )
    search = only(events, ToolsSearched)[0]

    assert json.loads(search.result)["found"] == [hit.tool_name for hit in search.hits]
    assert only(events, ToolCalled)[0].outcome == "executed"


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        (None, 3),
        (1, 1),
        (6, 6),
        (7, 6),
        (100000, 6),
        (0, 1),
        (-5, 1),
        ("4", 4),
        (2.0, 2),
        ("many", 3),
        (True, 3),
    ],
)
def test_default_and_maximum_are_what_the_schema_says(asked, given):
    options = AdvisorOptions(max_results=3, max_results_cap=6)
    schema = search_tool("keyword", options).input_schema["properties"]["max_results"]
    arguments = {"query": "x"} if asked is None else {"query": "x", "max_results": asked}
    read = read_arguments(arguments, options)

    assert (schema["default"], schema["minimum"], schema["maximum"]) == (3, 1, 6)
    assert not isinstance(read, Notice)
    assert read.max_results == given


@pytest.mark.parametrize("query", [None, 5, ["a"], {}])
def test_a_search_without_words_gets_a_short_answer_and_the_turn_goes_on(query):
    stage = Stage()
    arguments = {} if query is None else {"query": query}
    events = stage.ask("x", [[call(SEARCH, **arguments)], [text("ok")]])

    assert only(events, ToolsSearched)[0].failed
    assert "query" in only(events, ToolsSearched)[0].result
    assert events[-1].status == "answered"


def test_nothing_found_comes_with_advice():
    stage = Stage()
    events = stage.ask("x", [[call(SEARCH, query="xylophone")], [text("ok")]])

    answer = json.loads(only(events, ToolsSearched)[0].result)
    assert answer == {"found": [], "hint": prompt("nothing_found")}


def test_the_system_text_names_the_search_tool_and_catalog_text_is_not_in_it():
    stage = Stage(options=AdvisorOptions(system="Be brief."))
    stage.ask("x", [[call(SEARCH, query="parcel")], [text("ok")]])
    systems = {request["system"] for request in stage.provider.requests}

    assert len(systems) == 1
    assert SEARCH_TOOL_NAME in prompt("system_suffix")
    assert next(iter(systems)) == "Be brief.\n\n" + prompt("system_suffix")


def test_the_search_tool_is_the_same_in_every_request():
    stage = Stage()
    stage.ask("a", [[call(SEARCH, query="parcel")], [text("ok")]])
    stage.ask("b", [[call(SEARCH, query="time")], [text("ok")]])

    assert len({json.dumps(request["tools"][0]) for request in stage.provider.requests}) == 1


def test_earlier_definitions_stay_byte_equal_while_tools_accumulate():
    stage = Stage(options=AdvisorOptions(max_results=1))
    for query in ("time of day", "track parcel", "convert money"):
        stage.ask(query, [[call(SEARCH, query=query)], [text("ok")]])
    sent = [[json.dumps(item) for item in request["tools"]] for request in stage.provider.requests]

    for before, after in pairwise(sent):
        assert after[: len(before)] == before


def test_the_regex_promise_patterns_and_words():
    regex = prompt("search_tool_regex")

    assert "get_*_data" in regex
    assert "^jira_.*issue" in regex
    assert "200" in regex
