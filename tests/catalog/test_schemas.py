import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.catalog.samples import codes, with_schema
from toolsearch_core.catalog import EntryReport

Schema = dict[str, Any]


def sent(found: EntryReport) -> Schema:
    assert found.tool is not None
    return json.loads(json.dumps(found.tool.input_schema))


def description(found: EntryReport) -> str:
    assert found.tool is not None
    return found.tool.description


def fits(found: EntryReport, arguments: Schema) -> bool:
    return Draft202012Validator(sent(found)).is_valid(arguments)


def test_a_sound_schema_is_sent_as_it_came() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
        "additionalProperties": False,
    }

    found = with_schema(schema)

    assert (found.status, sent(found)) == ("loaded", schema)
    assert found.tool is not None
    assert found.tool.original_schema is None


@pytest.mark.parametrize(
    "schema", [{}, {"properties": {"a": {}}}, {"type": ["object", "null"]}, True]
)
def test_a_root_that_does_not_say_object_is_made_to(schema: Schema | bool) -> None:
    found = with_schema(schema)

    assert (found.status, codes(found)) == ("repaired", ["type_added"])
    assert sent(found)["type"] == "object"


@pytest.mark.parametrize("schema", [{"type": "array"}, {"type": ["string", "null"]}])
def test_a_root_that_cannot_be_an_object_is_rejected(schema: Schema) -> None:
    assert codes(with_schema(schema)) == ["root_not_object"]


def test_one_of_at_the_root_is_merged_and_kept_in_words() -> None:
    schema = {
        "type": "object",
        "properties": {"chip": {"type": "string"}, "name": {"type": "string"}},
        "oneOf": [{"required": ["chip"]}, {"required": ["name"]}],
    }

    found = with_schema(schema, description="Find a cat")

    assert sent(found) == {"type": "object", "properties": schema["properties"]}
    assert description(found).startswith("Find a cat\n\nGive exactly one of these sets")
    assert "(chip), (name)" in description(found)
    assert found.tool is not None
    assert found.tool.original_schema == schema


def test_branches_bring_their_properties_and_what_all_of_them_require() -> None:
    mail = {"kind": {"const": "mail"}, "to": {"type": "string"}}
    text = {"kind": {"const": "text"}, "number": {"type": "string"}}
    found = with_schema(
        {
            "oneOf": [
                {"type": "object", "properties": mail, "required": ["kind", "to"]},
                {"type": "object", "properties": text, "required": ["kind", "number"]},
            ]
        }
    )

    assert sent(found) == {
        "type": "object",
        "properties": {
            "kind": {"enum": ["mail", "text"]},
            "to": mail["to"],
            "number": text["number"],
        },
        "required": ["kind"],
    }
    assert '(kind = "mail", to), (kind = "text", number)' in description(found)


def test_all_of_at_the_root_needs_no_words() -> None:
    found = with_schema(
        {
            "allOf": [
                {"properties": {"a": {"type": "string"}}, "required": ["a"]},
                {"properties": {"a": {"minLength": 2}, "b": {"type": "integer"}}},
            ]
        },
        description="Do it",
    )

    assert sent(found) == {
        "type": "object",
        "properties": {"a": {"type": "string", "minLength": 2}, "b": {"type": "integer"}},
        "required": ["a"],
    }
    assert description(found) == "Do it"


def test_contradicting_branches_are_kept_beside_each_other_below_the_root() -> None:
    everything = with_schema(
        {"allOf": [{"properties": {"a": {"minimum": 1}}}, {"properties": {"a": {"minimum": 2}}}]}
    )
    something = with_schema(
        {"anyOf": [{"properties": {"a": {"minimum": 1}}}, {"properties": {"a": {"maximum": 0}}}]}
    )

    assert sent(everything)["properties"]["a"] == {"allOf": [{"minimum": 1}, {"minimum": 2}]}
    assert sent(something)["properties"]["a"] == {"anyOf": [{"minimum": 1}, {"maximum": 0}]}


def test_what_one_branch_says_does_not_narrow_the_others() -> None:
    found = with_schema(
        {
            "properties": {"kind": {"type": "string"}},
            "anyOf": [
                {"properties": {"kind": {"const": "a"}}, "required": ["x"]},
                {"required": ["y"]},
            ],
        }
    )

    assert fits(found, {"kind": "b", "y": 1})
    assert fits(found, {"kind": "a", "x": 1})


ORIGINALS: list[tuple[Schema, list[Schema]]] = [
    (
        {
            "additionalProperties": False,
            "properties": {"a": {}, "b": {}},
            "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
        [{"a": 1}, {"b": 1}],
    ),
    (
        {"additionalProperties": False, "anyOf": [{"properties": {"a": {}}}]},
        [{}],
    ),
    (
        {
            "anyOf": [
                {"properties": {"a": {"const": 1}}, "additionalProperties": False},
                {"properties": {"b": {"const": 2}}, "additionalProperties": False},
            ]
        },
        [{}, {"a": 1}, {"b": 2}],
    ),
    (
        {
            "$defs": {"A": {"properties": {"a": {}}, "required": ["a"]}},
            "allOf": [{"$ref": "#/$defs/A"}],
        },
        [{"a": None}, {"a": 1, "b": 2}],
    ),
    ({"anyOf": [{"type": "null"}, {"type": "object", "required": ["a"]}]}, [{"a": 0}]),
    ({"anyOf": [True, {"required": ["a"]}]}, [{}, {"a": 0}]),
]


@pytest.mark.parametrize(("original", "examples"), ORIGINALS)
def test_a_merged_root_still_accepts_what_the_original_accepts(
    original: Schema, examples: list[Schema]
) -> None:
    found = with_schema(original)

    assert sent(found).keys() & {"anyOf", "oneOf", "allOf", "$ref"} == set()
    for example in examples:
        assert Draft202012Validator(original).is_valid(example)
        assert fits(found, example)


def test_a_root_whose_branches_are_no_objects_is_rejected() -> None:
    assert codes(with_schema({"anyOf": [{"type": "string"}, {"type": "number"}]})) == [
        "root_not_object"
    ]


def test_a_reference_at_the_root_is_merged_and_recursion_stays_a_reference() -> None:
    leaf = {
        "type": "object",
        "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Leaf"}}},
        "additionalProperties": False,
    }

    found = with_schema({"$ref": "#/$defs/Leaf", "$defs": {"Leaf": leaf}})

    assert sent(found) == {**leaf, "$defs": {"Leaf": leaf}}


def test_boolean_schemas_are_accepted_everywhere() -> None:
    schema = {
        "type": "object",
        "properties": {"a": True, "b": False, "c": {"type": "array", "items": True}},
        "patternProperties": {"^x-": True},
        "if": True,
        "else": False,
        "additionalProperties": False,
    }

    found = with_schema(schema)

    assert (found.status, sent(found)) == ("loaded", schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"again": {"$ref": "#"}}},
        {
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/A"}},
            "$defs": {
                "A": {"properties": {"b": {"$ref": "#/$defs/B"}}},
                "B": {"items": {"$ref": "#/$defs/A"}},
            },
        },
        {"type": "object", "properties": {"a": {"$ref": "#tree"}}, "$defs": {"T": {"$anchor": "tree"}}},
        {"type": "object", "properties": {"c": {"$ref": "#/$defs/a~1b%25"}}, "$defs": {"a/b%": {}}},
        {"$id": "urn:s", "type": "object", "items": {"$ref": "urn:s#/$defs/A"}, "$defs": {"A": {}}},
    ],
    ids=["itself", "each other", "an anchor", "an escaped pointer", "its own address"],
)  # fmt: skip
def test_references_that_lead_somewhere_stay(schema: Schema) -> None:
    found = with_schema(schema)

    references = [text for text in json.dumps(sent(found)).split('"') if text == "$ref"]

    assert len(references) == json.dumps(schema).count('"$ref"')
    assert set(codes(found)) <= {"argument_renamed"}


@pytest.mark.parametrize(
    "reference",
    [
        "#/$defs/Gone",
        "#/properties/a/title",
        "#nowhere",
        "https://example.invalid/schema.json",
        "file:///etc/hostname",
        "http://[",
        "#/properties/" + "9" * 5000,
    ],
)
def test_references_that_lead_nowhere_are_left_out_and_nothing_is_fetched(reference: str) -> None:
    properties = {"a": {"title": "A", "$ref": reference, "description": "kept"}}

    found = with_schema({"type": "object", "properties": properties})

    assert codes(found) == ["broken_reference"]
    assert sent(found)["properties"]["a"] == {"title": "A", "description": "kept"}


RINGS: dict[str, Schema] = {
    "alone": {"A": {"$ref": "#/$defs/A"}},
    "two": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}},
    "by allOf": {"A": {"allOf": [{"$ref": "#/$defs/B"}]}, "B": {"allOf": [{"$ref": "#/$defs/A"}]}},
    "into a branch": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "string"}]}},
    "from a branch": {"B": {"$ref": "#/$defs/A/not"}, "A": {"not": {"$ref": "#/$defs/A"}}},
    "crossing": {
        "A": {"allOf": [{"$ref": "#/$defs/B"}, {"$ref": "#/$defs/C"}]},
        "B": {"allOf": [{"$ref": "#/$defs/C"}]},
        "C": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]},
    },
}


@pytest.mark.parametrize("definitions", RINGS.values(), ids=RINGS)
def test_a_ring_of_references_alone_is_opened_so_that_validators_end(definitions: Schema) -> None:
    properties = {name.lower(): {"$ref": f"#/$defs/{name}"} for name in definitions}

    found = with_schema({"type": "object", "properties": properties, "$defs": definitions})

    assert "endless_reference" in codes(found)
    for name in properties:
        fits(found, {name: "x"})


def test_names_of_arguments_that_models_refuse_are_changed_on_the_first_level_only() -> None:
    inner = {"type": "object", "properties": {"$deep": {}}}
    schema = {
        "type": "object",
        "properties": {"$filter": inner, "x" * 65: {}, "fine.name-1": {}},
        "required": ["$filter", "fine.name-1"],
    }

    found = with_schema(schema)

    renamed, long, fine = sent(found)["properties"]
    assert codes(found) == ["argument_renamed"] * 2
    assert renamed.startswith("filter_")
    assert len(long) <= 64
    assert fine == "fine.name-1"
    assert sent(found)["properties"][renamed] == inner
    assert sent(found)["required"] == [renamed, "fine.name-1"]


def test_a_schema_with_faults_all_over_is_rejected() -> None:
    schema = {"type": "object", "properties": {f"p{n}": {"type": "?"} for n in range(60)}}

    assert codes(with_schema(schema)) == ["schema_hopeless"]


@pytest.mark.parametrize("key", ["$dynamicRef", "$recursiveRef"])
def test_dynamic_references_are_left_out(key: str) -> None:
    found = with_schema({"type": "object", "properties": {"a": {key: "#", "title": "A"}}})

    assert codes(found) == ["dynamic_reference"]
    assert sent(found)["properties"] == {"a": {"title": "A"}}


def test_a_root_that_doubles_at_each_step_of_its_references_comes_to_an_end() -> None:
    steps = 40
    definitions: Schema = {
        f"a{step}": {
            "anyOf": [
                {"$ref": f"#/$defs/a{step + 1}"},
                {
                    "allOf": [
                        {"$ref": f"#/$defs/a{step + 1}"},
                        {"properties": {"x": {"minimum": step}}},
                    ]
                },
            ]
        }
        for step in range(steps)
    }
    definitions[f"a{steps}"] = {"properties": {"x": {"type": "integer"}}}

    found = with_schema({"type": "object", "$ref": "#/$defs/a0", "$defs": definitions})

    assert found.status == "repaired"
    assert len(json.dumps(sent(found))) < 100_000
    assert fits(found, {"x": 100})
