"""Which texts of a tool are searched."""

from typing import Any

import pytest

from toolsearch_core.text.tool_text import (
    MAX_DESCRIPTION_CHARS,
    MAX_EMBEDDED_CHARS,
    MAX_PARAMETER_CHARS,
    embedded_text,
    tool_text,
)
from toolsearch_core.tools import ToolDefinition


def with_schema(schema: Any) -> ToolDefinition:
    return ToolDefinition(name="t", wire_name="t", input_schema=schema)


def test_parameters_give_names_descriptions_and_allowed_values() -> None:
    schema = {
        "type": "object",
        "description": "said of the whole",
        "properties": {
            "unit": {"enum": ["furlong", 7, None, True], "description": "measure"},
            "opts": {"type": "object", "properties": {"retention_days": {"type": "integer"}}},
            "rows": {"type": "array", "items": {"properties": {"cell": {"const": "fixed"}}}},
            "either": {"anyOf": [{"description": "first way"}, {"enum": ["second"]}]},
            "more": {"additionalProperties": {"description": "any key"}},
            "flag": True,
        },
    }

    assert tool_text(with_schema(schema)).parameters.split("\n") == [
        *("unit", "measure", "furlong", "opts", "retention_days", "rows", "cell", "fixed"),
        *("either", "first way", "second", "more", "any key", "flag"),
    ]


def test_references_are_followed_once() -> None:
    schema = {
        "$defs": {
            "node": {
                "description": "a node",
                "properties": {"next": {"$ref": "#/$defs/node"}, "a/b": {"$ref": "#/$defs/x~1y"}},
            },
            "x/y": {"description": "escaped"},
        },
        "properties": {
            "root": {"$ref": "#/$defs/node"},
            "lost": {"$ref": "#/nowhere/at/all"},
            "far": {"$ref": "https://example.invalid/schema"},
            "self": {"$ref": "#"},
        },
    }

    found = tool_text(with_schema(schema)).parameters.split("\n")

    assert found.count("a node") == 1
    assert "escaped" in found
    assert {"root", "lost", "far", "self", "next", "a/b"} <= set(found)


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": []},
        {"properties": {"a": None, "b": 3, "c": []}},
        {"properties": {"a": {"description": 5, "enum": "x", "items": [1], "anyOf": {}}}},
        {"items": False, "additionalProperties": True, "$ref": 7},
        {},
    ],
)
def test_odd_schemas_are_walked(schema: Any) -> None:
    tool_text(with_schema(schema))


def test_a_schema_that_branches_without_end_is_left_early() -> None:
    node: dict[str, Any] = {"description": "leaf"}
    for _ in range(40):
        node = {"anyOf": [node, node], "items": node}

    assert len(tool_text(with_schema({"properties": {"a": node}})).parameters) < 100_000


def test_long_texts_are_clipped() -> None:
    tool = ToolDefinition(
        name="t",
        wire_name="t",
        description="word " * 40_000,
        input_schema={"properties": {f"p{n}": {"description": "x" * 1000} for n in range(100)}},
    )

    text = tool_text(tool)
    assert len(text.description) == MAX_DESCRIPTION_CHARS
    assert len(text.parameters) <= 2 * MAX_PARAMETER_CHARS
    assert len(embedded_text(tool)) <= MAX_EMBEDDED_CHARS


def test_a_wire_name_with_other_words_is_searched_too() -> None:
    assert tool_text(ToolDefinition(name="get.me", wire_name="get_me")).name == "get.me"
    renamed = ToolDefinition(name="일정 만들기", wire_name="tool_1")
    assert tool_text(renamed).name == "일정 만들기 tool_1"


def test_the_embedded_text_is_name_in_words_title_and_description() -> None:
    tool = ToolDefinition(
        name="getHTTPCode", wire_name="getHTTPCode", title="Status", description=" Reads\n a  code "
    )

    assert embedded_text(tool) == "get http code. Status. Reads a code"
    assert embedded_text(ToolDefinition(name="!", wire_name="x")) == ""
