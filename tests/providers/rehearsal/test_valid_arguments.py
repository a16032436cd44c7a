"""Arguments are valid by the schema, whatever the schema; a hostile one gets some, in time."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import referencing
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.providers.rehearsal.test_acceptance import catalog_of
from tests.providers.rehearsal.test_arguments import INTEGER, STRING, filled
from toolsearch_core.providers.rehearsal.arguments import fill
from toolsearch_core.providers.rehearsal.checking import matches, problems
from toolsearch_core.providers.rehearsal.memory import Memory
from toolsearch_core.providers.rehearsal.needs import find_needs
from toolsearch_core.providers.rehearsal.patterns import sample
from toolsearch_core.providers.rehearsal.samples import placeholder
from toolsearch_core.providers.rehearsal.schemas import Schemas
from toolsearch_core.tools import ToolDefinition

RICH = (
    'Create an issue titled "Broken" in acme/shop #12 with the label bug for kim@example.com on 2026-03-02 '
    "at 3pm for 2 hours, $25.50, 20% off, see https://example.com/a PROJ-7 A1:B2 README.md #general"
)


def leaf() -> st.SearchStrategy[dict[str, Any]]:
    """Schemas of plain values that something satisfies."""
    bounds = st.tuples(st.integers(-50, 50), st.integers(0, 60))
    numbers = st.builds(
        lambda kind, low_width: {
            "type": kind,
            "minimum": low_width[0],
            "maximum": low_width[0] + low_width[1],
        },
        st.sampled_from(["integer", "number"]),
        bounds,
    )
    exclusive = st.builds(
        lambda low: {"type": "number", "exclusiveMinimum": low}, st.integers(-9, 9)
    )
    steps = st.builds(lambda step: {"type": "integer", "multipleOf": step}, st.integers(1, 9))
    texts = st.builds(
        lambda least, width: {"type": "string", "minLength": least, "maxLength": least + width},
        st.integers(0, 40),
        st.integers(0, 20),
    )
    patterns = st.sampled_from(
        [
            r"^[A-Z][A-Z0-9_]+-\d+$",
            r"^[0-9a-f]{24}$",
            r"^\d{4}-\d{2}$",
            r"^(foo|bar)_[a-z]{2,}$",
            r"^#[0-9a-f]{6}$",
            r"^v\d+(\.\d+)*$",
        ]
    ).map(lambda pattern: {"type": "string", "pattern": pattern})
    formats = st.sampled_from(["date", "date-time", "email", "uri", "uuid"]).map(
        lambda form: {"type": "string", "format": form}
    )
    options = st.lists(
        st.text(max_size=4) | st.integers(), min_size=1, max_size=4, unique_by=repr
    ).map(lambda values: {"enum": values})
    plain = st.sampled_from(
        [{"type": "boolean"}, {"type": "null"}, {}, True, {"type": ["string", "null"]}]
    )
    constants = st.builds(
        lambda value: {"const": value}, st.text(max_size=4) | st.integers() | st.none()
    )
    return st.one_of(numbers, exclusive, steps, texts, patterns, formats, options, plain, constants)  # type: ignore[arg-type]


NAMES = st.sampled_from(
    [
        "title",
        "body",
        "owner",
        "repo",
        "issue_number",
        "start_date",
        "end_date",
        "query",
        "count",
        "id",
        "to",
        "kind",
    ]
)


def nested(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    objects = st.dictionaries(NAMES, inner, max_size=4).flatmap(
        lambda properties: st.builds(
            lambda required, closed: {
                "type": "object",
                "properties": properties,
                "required": required,
                **({"additionalProperties": False} if closed else {}),
            },
            st.lists(st.sampled_from(sorted(properties)), unique=True)
            if properties
            else st.just([]),
            st.booleans(),
        )
    )
    arrays = st.builds(
        lambda item, least: {"type": "array", "items": item, "minItems": least},
        inner,
        st.integers(0, 2),
    )
    choices = st.builds(lambda options: {"anyOf": options}, st.lists(inner, min_size=1, max_size=3))
    merged = st.builds(lambda part: {"allOf": [part]}, inner)
    return st.one_of(objects, arrays, choices, merged)


SCHEMAS = st.recursive(leaf(), nested, max_leaves=12)
ROOTS = st.dictionaries(NAMES, SCHEMAS, min_size=1, max_size=5).flatmap(
    lambda properties: st.lists(st.sampled_from(sorted(properties)), unique=True).map(
        lambda required: {"type": "object", "properties": properties, "required": required}
    )
)


def strictly_valid(schema: Mapping[str, Any], arguments: Any) -> None:
    """By the library itself, which runs patterns as Python does."""
    validator = jsonschema.Draft202012Validator(dict(schema), registry=referencing.Registry())
    validator.validate(json.loads(json.dumps(arguments)))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(ROOTS, st.sampled_from(["Do it", RICH, "서울 날씨를 알려 줘"]))
def test_arguments_are_valid_by_any_schema_that_can_be_satisfied(
    schema: dict[str, Any], question: str
) -> None:
    made = ToolDefinition(name="x", wire_name="x", input_schema=schema)

    strictly_valid(schema, filled(question, made).arguments)


@pytest.mark.outside_data
@pytest.mark.parametrize("question", ["Do it", RICH, "서울 날씨를 알려 줘"])
def test_arguments_are_valid_for_every_tool_of_every_real_catalog(
    outside_data: Path, question: str
) -> None:
    need = find_needs(question)[-1]
    for file in sorted((outside_data / "catalogs").glob("*.json")):
        for made in catalog_of(file).tools:
            strictly_valid(made.input_schema, fill(made, need, Memory()).arguments)


NODE: dict[str, Any] = {
    "type": "object",
    "properties": {"next": {"$ref": "#/$defs/node"}, "name": STRING},
}
HARD = {
    "a list without end": {
        "$defs": {"node": {**NODE, "required": ["name"]}},
        "properties": {"a": {"$ref": "#/$defs/node"}},
        "required": ["a"],
    },
    "a branch told by a constant": {
        "properties": {
            "a": {
                "oneOf": [
                    {
                        "type": "object",
                        "properties": {"k": {"const": n}, "x": STRING},
                        "required": ["x"],
                    }
                    for n in ("one", "two")
                ]
            }
        },
        "required": ["a"],
    },
    "a definition": {
        "$defs": {"x": {"enum": ["u", "v"]}},
        "properties": {"a": {"$ref": "#/$defs/x"}},
        "required": ["a"],
    },
    "different items": {
        "properties": {
            "a": {
                "type": "array",
                "items": {"enum": ["u", "v", "w"]},
                "minItems": 3,
                "uniqueItems": True,
            }
        },
        "required": ["a"],
    },
    "items by place": {
        "properties": {"a": {"type": "array", "prefixItems": [STRING, INTEGER], "minItems": 2}},
        "required": ["a"],
    },
    "at least some properties": {"properties": {"a": STRING, "b": INTEGER}, "minProperties": 2},
    "a property that needs another": {
        "properties": {"title": STRING, "b": INTEGER},
        "required": ["title"],
        "dependentRequired": {"title": ["b"]},
    },
    "names by a pattern": {
        "properties": {
            "a": {
                "type": "object",
                "patternProperties": {"^x": INTEGER},
                "additionalProperties": False,
            }
        },
        "required": ["a"],
    },
    "required but not described": {"required": ["a"]},
    "required in a part": {
        "properties": {"a": STRING},
        "required": ["a"],
        "additionalProperties": False,
    },
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("question", ["Do it", RICH])
def test_arguments_are_valid_by_a_hard_schema(name: str, question: str) -> None:
    schema = {"type": "object", **HARD[name]}
    made = ToolDefinition(name="x", wire_name="x", input_schema=schema)

    strictly_valid(schema, filled(question, made).arguments)


def bomb(depth: int) -> dict[str, Any]:
    """Each level refers to the next one twice: 2**depth ways to the bottom."""
    levels = {
        f"l{n}": {"allOf": [{"$ref": f"#/$defs/l{n + 1}"}, {"$ref": f"#/$defs/l{n + 1}"}]}
        for n in range(depth)
    }
    return {
        "$defs": {**levels, f"l{depth}": STRING},
        "properties": {"a": {"$ref": "#/$defs/l0"}},
        "required": ["a"],
    }


HOSTILE = {
    "a reference to itself": {"properties": {"a": {"$ref": "#/properties/a"}}, "required": ["a"]},
    "a reference to the root": {"properties": {"a": {"$ref": "#"}}, "required": ["a"]},
    "a reference outside": {
        "properties": {"a": {"$ref": "https://example.com/s.json"}},
        "required": ["a"],
    },
    "a reference to nothing": {"properties": {"a": {"$ref": "#/$defs/none"}}, "required": ["a"]},
    "references that multiply": bomb(40),
    "a choice of itself": {
        "$defs": {"c": {"anyOf": [{"$ref": "#/$defs/c"}, {"$ref": "#/$defs/c"}]}},
        "properties": {"a": {"$ref": "#/$defs/c"}},
        "required": ["a"],
    },
    "nothing at all": {"properties": {"a": False}, "required": ["a"]},
    "an endless pattern": {
        "properties": {"title": {"type": "string", "pattern": "(a+)+$"}},
        "required": ["title"],
    },
    "a pattern that looks ahead": {
        "properties": {"title": {"type": "string", "pattern": "^(?=(a+)+$)b"}},
        "required": ["title"],
    },
    "names by an endless pattern": {
        "properties": {"a" * 40 + "!": STRING},
        "patternProperties": {"(a+)+$": INTEGER},
        "additionalProperties": False,
        "required": ["a" * 40 + "!"],
    },
    "a huge length": {
        "properties": {"a": {"type": "string", "minLength": 10**9}},
        "required": ["a"],
    },
    "a huge list": {"properties": {"a": {"type": "array", "minItems": 10**9}}, "required": ["a"]},
    "huge numbers": {
        "properties": {"a": {"type": "number", "minimum": 1e308, "multipleOf": 1e-300}},
        "required": ["a"],
    },
    "no schema": {"properties": [], "required": "a"},
    "strange words": {
        "properties": {"a": {"type": 3, "enum": "x", "minLength": "y", "pattern": []}},
        "required": ["a", 3],
    },
    "many properties": {"properties": {f"p{n}": STRING for n in range(5000)}},
    "deep": json.loads('{"properties": {"a": ' * 60 + "{}" + "}}" * 60),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_schema_gets_some_arguments(name: str) -> None:
    made = ToolDefinition(name="x", wire_name="x", input_schema={"type": "object", **HOSTILE[name]})

    json.dumps(filled(RICH, made).arguments)


WORDS = st.sampled_from(
    "type properties items enum anyOf oneOf allOf $ref required minimum pattern a".split()
)
NONSENSE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.just("#"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@given(NONSENSE)
def test_anything_in_the_place_of_a_schema_gets_some_arguments(schema: Any) -> None:
    made = ToolDefinition(
        name="x",
        wire_name="x",
        input_schema={"type": "object", "properties": {"a": schema}, "required": ["a"]},
    )

    json.dumps(filled(RICH, made).arguments)


@given(
    ROOTS, st.dictionaries(NAMES, st.text(max_size=3) | st.integers() | st.booleans() | st.none())
)
def test_the_check_says_what_the_library_says(
    schema: dict[str, Any], value: dict[str, Any]
) -> None:
    valid = jsonschema.Draft202012Validator(schema).is_valid(value)

    assert (problems(schema, value) == ()) == valid


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("^[A-Z]{2}-\\d{3}$", "AA-111"),
        ("^(foo|bar)_[a-z]{2,}$", "foo_aa"),
        ("^https?://", "http://"),
        ("^[^/]+/[^/]+$", "a/a"),
        ("^\\w+\\.md$", "a.md"),
        ("^$", ""),
        ("^(?:x|y)?z$", "z"),
        ("^[\\]]$", "]"),
        ("^\\/a\\.b$", "/a.b"),
    ],
)
def test_a_text_is_made_for_a_simple_pattern(pattern: str, text: str) -> None:
    assert sample(pattern) == text
    assert matches(pattern, text)


@pytest.mark.parametrize(
    "pattern", ["(", "[", "a{", "(?=a)b", "\\p{L}", "(" * 500, "\\", "[b-a]", "a" * 1000]
)
def test_a_pattern_that_is_not_simple_is_left_alone(pattern: str) -> None:
    made = sample(pattern)

    assert made is None or isinstance(made, str)


def test_the_time_of_a_pattern_is_linear_or_the_text_is_short() -> None:
    assert not matches("(a+)+$", "a" * 5000 + "!")
    assert not matches("^(?=(a+)+$)", "a" * 5000 + "!")


@given(SCHEMAS)
def test_a_placeholder_is_valid(schema: Any) -> None:
    root = {"type": "object", "properties": {"a": schema}}
    value = placeholder(Schemas(root), schema, "a")

    strictly_valid(root, {"a": value})
