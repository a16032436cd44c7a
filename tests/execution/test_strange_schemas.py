"""Schemas from strangers: any of them, the real ones, and the library's own verdict."""

import json
import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolsearch_core.execution.arguments import check_arguments
from toolsearch_core.execution.schema import checkable

MONEY = {
    "type": "object",
    "properties": {
        "amount": {"type": "number"},
        "to": {"type": "string", "enum": ["EUR", "USD"]},
    },
    "required": ["amount", "to"],
    "additionalProperties": False,
}


def said(schema: object, arguments: object) -> list[str]:
    return [problem.text for problem in check_arguments(schema, arguments).problems]  # type: ignore[arg-type]


def of_property(part: object) -> dict[str, object]:
    return {"type": "object", "properties": {"p": part}}


def codes(part: object, value: object) -> list[str]:
    found = check_arguments(of_property(part), {"p": value}).problems  # type: ignore[arg-type, dict-item]
    return [problem.code.removeprefix("execution.") for problem in found]


@pytest.mark.parametrize(
    "schema",
    [
        None,
        [],
        "object",
        5,
        True,
        {},
        {"type": "str"},
        {"type": 5},
        {"type": []},
        {"properties": ["p"]},
        {"properties": {"p": "string"}},
        {"properties": {"p": {"type": "string", "required": True}}},
        {"required": "p"},
        {"required": [1, None]},
        {"properties": {"p": {"minLength": "1", "maxLength": -1, "pattern": 5, "enum": "x"}}},
        {"properties": {"p": {"minimum": "0", "multipleOf": 0, "maximum": math.nan}}},
        {"properties": {"p": {"pattern": "(?=lookahead)"}}},
        {"properties": {"p": {"pattern": "(((("}}},
        {"properties": {"p": {"not": {"pattern": "(?=a)"}}}},
        {"properties": {"p": {"if": {"format": 1, "pattern": "(?!a)"}, "then": False}}},
        {"properties": {"p": {"oneOf": [{"pattern": "(?=a)"}, {"type": "string"}]}}},
        {"patternProperties": {"(?=p)": {}}, "additionalProperties": False},
        {"properties": {"p": {"$ref": "https://example.invalid/x"}}},
        {"properties": {"p": {"$ref": "#/nowhere"}}},
        {"properties": {"p": {"$ref": "#/required"}}, "required": ["p"]},
        {"properties": {"p": {"$ref": 5}}},
        {"properties": {"p": {"$schema": "http://json-schema.org/draft-04/schema#", "$id": 5}}},
        {"$schema": ["x"], "$id": "https://example.invalid", "$anchor": 5},
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}, {"$ref": "#"}]},
        {"allOf": "x", "anyOf": [], "oneOf": None},
        {
            "properties": {
                "p": {"items": {"$ref": "#/properties/p"}, "anyOf": [{"$ref": "#/properties/p"}]}
            }
        },
        {"unevaluatedProperties": False},
        {"$dynamicRef": "#x"},
    ],
)
def test_what_is_wrong_in_a_schema_never_refuses_a_call(schema: object) -> None:
    assert said(schema, {"p": "x"}) == []


def test_the_good_part_of_a_bad_schema_still_counts() -> None:
    schema = {
        "type": "object",
        "properties": {"p": {"type": "integer", "minimum": "low"}},
        "required": ["p", 5],
    }

    assert said(schema, {}) == ["`p` is missing, but is needed (rule `required`)."]
    assert said(schema, {"p": []}) == ["`p` is [], but has to be of type integer (rule `type`)."]


def test_a_schema_that_multiplies_itself_ends() -> None:
    levels = {f"l{n}": {"allOf": [{"$ref": f"#/$defs/l{n + 1}"}] * 2} for n in range(40)}
    schema = {
        "properties": {"p": {"$ref": "#/$defs/l0"}},
        "$defs": {**levels, "l40": {}},
        "required": ["q"],
    }

    assert said(schema, {"p": 1}) in ([], ["`q` is missing, but is needed (rule `required`)."])


def test_a_pattern_that_would_run_for_ever_elsewhere_is_answered() -> None:
    assert codes({"pattern": "^(a+)+$"}, "a" * 40 + "!") == ["breaks_rule"]
    assert codes({"patternProperties": {"^(a+)+$": False}}, {"a" * 40 + "!": 1}) == []


def test_deep_schemas_and_deep_arguments_are_answered() -> None:
    schema: dict[str, object] = {"type": "string"}
    for _ in range(3000):
        schema = {"type": "object", "properties": {"p": schema}}
    deep: object = {}
    for _ in range(60):
        deep = {"p": deep}

    assert said(schema, {"p": deep}) == []
    assert said(schema, {"p": {"p": 5}}) == [
        "`p.p` is 5, but has to be of type object (rule `type`)."
    ]
    for _ in range(3000):
        deep = [deep]
    assert [each.code for each in check_arguments({}, {"p": deep}).problems] == [
        "execution.too_deep"
    ]


def test_halves_of_character_pairs_are_no_obstacle() -> None:
    assert codes({"pattern": "^x"}, "\ud800") == ["breaks_rule"]
    assert codes({"type": "string"}, "\ud800") == []


def test_the_schema_is_not_touched() -> None:
    text = json.dumps(MONEY)
    check_arguments(MONEY, {"amount": "5"})

    assert json.dumps(MONEY) == text


NAMES = st.sampled_from(["a", "b", "c"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "bb", 1.5, 2.0]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
TYPE_NAMES = st.sampled_from(["object", "string", "number", "integer", "boolean", "array", "null"])


def schemas() -> st.SearchStrategy[object]:
    leaf = st.booleans() | st.fixed_dictionaries(
        {},
        optional={
            "type": TYPE_NAMES | st.lists(TYPE_NAMES, min_size=1, max_size=3, unique=True),
            "enum": st.lists(VALUES, min_size=1, max_size=3),
            "minimum": st.integers(-2, 2),
            "exclusiveMaximum": st.integers(-2, 2),
            "minLength": st.integers(0, 2),
            "maxItems": st.integers(0, 2),
            "pattern": st.sampled_from(["^a", "b$"]),
            "required": st.lists(NAMES, max_size=2, unique=True),
        },
    )

    def wider(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
        several = st.lists(inner, min_size=1, max_size=2)
        mapped = st.dictionaries(NAMES, inner, max_size=2)
        return st.fixed_dictionaries(
            {},
            optional={
                "properties": mapped,
                "patternProperties": st.dictionaries(st.sampled_from(["^a", "b|c"]), inner),
                "additionalProperties": inner,
                "items": inner,
                "prefixItems": several,
                "anyOf": several,
                "oneOf": several,
                "allOf": several,
                "not": inner,
                "if": inner,
                "then": inner,
                "else": inner,
                "contains": inner,
                "$ref": st.just("#/$defs/d"),
            },
        )

    return st.recursive(leaf, wider, max_leaves=6)


@given(schemas(), schemas(), st.dictionaries(NAMES, VALUES, max_size=3))
def test_the_check_agrees_with_the_library_on_sound_schemas(
    part: object, shared: object, arguments: dict[str, object]
) -> None:
    """Beside the library as it is; only a reference below `not`, `if` or `oneOf` may let more pass."""
    schema = {"properties": {"a": part}, "allOf": [part], "$defs": {"d": shared}}
    refused = check_arguments(schema, arguments).problems != ()  # type: ignore[arg-type]
    text = json.dumps([part, shared])
    circular = '"$ref"' in json.dumps(shared)
    if circular:
        return
    truth = not Draft202012Validator(schema).is_valid(arguments)
    if '"$ref"' in text and any(word in text for word in ('"not"', '"if"', '"oneOf"')):
        assert truth or not refused
    else:
        assert refused == truth


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | TYPE_NAMES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "type properties required items $ref $defs anyOf not enum pattern minimum if then "
                "additionalProperties patternProperties prefixItems oneOf contains a".split()
            ),
            inner | st.sampled_from(["#", "#/properties", "#/$defs/a", "(", "^a"]),
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON, VALUES)
def test_no_schema_and_no_arguments_raise_anything(schema: object, arguments: object) -> None:
    checked = check_arguments(schema, arguments)  # type: ignore[arg-type]

    assert all(len(problem.text) < 700 for problem in checked.problems)
    assert len(checked.problems) <= 6


# Troubles of other products


@pytest.mark.outside_data
def test_bad_calls_of_the_collection_are_refused_but_for_the_documented_conversion(
    outside_data: Path,
) -> None:
    data = json.loads((outside_data / "troubles" / "ADV-13.json").read_text(encoding="utf-8"))
    schemas = {tool["name"]: tool["inputSchema"] for tool in data["tools"]}
    outcomes = [check_arguments(schemas[call["name"]], call["input"]) for call in data["calls"]]

    assert [[problem.code for problem in outcome.problems] for outcome in outcomes] == [
        [],
        ["execution.not_allowed"],
        ["execution.unexpected"],
        ["execution.missing", "execution.missing"],
        ["execution.wrong_type"],
        ["execution.not_an_object"],
        ["execution.not_an_object"],
    ]
    assert outcomes[0].arguments == {"amount": 5, "to": "EUR"}
    for outcome in outcomes:
        for problem in outcome.problems:
            assert "rule `" in problem.text


@pytest.mark.outside_data
def test_nothing_in_the_schemas_of_real_servers_is_left_unchecked(outside_data: Path) -> None:
    """Apart from patterns with look-around, which no engine of linear time has."""
    tools = 0
    for file in sorted((outside_data / "catalogs").glob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        for tool in data["tools"] if isinstance(data, dict) else data:
            tools += 1
            schema = tool["inputSchema"]
            lost = count(schema) - count(checkable(schema))
            assert lost <= count_of_look_around(schema), (file.name, tool["name"])

    assert tools > 500


KEPT = set(
    "type properties required items $ref enum anyOf oneOf allOf pattern minimum maximum const "
    "minLength maxLength minItems maxItems exclusiveMinimum exclusiveMaximum propertyNames "
    "additionalProperties $defs".split()
)


def count(schema: object) -> int:
    """How many keywords that matter stand in a schema."""
    if not isinstance(schema, dict):
        return 0
    number = len(KEPT & schema.keys())
    for key, part in schema.items():
        if key in ("properties", "$defs") and isinstance(part, dict):
            number += sum(map(count, part.values()))
        elif key in ("items", "additionalProperties", "propertyNames"):
            number += count(part)
        elif key in ("anyOf", "oneOf", "allOf"):
            number += sum(map(count, part))
    return number


def count_of_look_around(schema: object) -> int:
    if isinstance(schema, list):
        return sum(map(count_of_look_around, schema))
    if not isinstance(schema, dict):
        return 0
    pattern = schema.get("pattern")
    own = isinstance(pattern, str) and re.search(r"\(\?<?[=!]", pattern) is not None
    return own + sum(map(count_of_look_around, schema.values()))
