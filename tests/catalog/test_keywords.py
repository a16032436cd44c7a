from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolsearch_core.catalog.keywords import KEYWORD_TESTS, Refused, accepted
from toolsearch_core.jsonvalues import JsonValue

judge = Draft202012Validator(Draft202012Validator.META_SCHEMA)

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(-3, 3)
    | st.sampled_from(["", "a", "object", "string", "null", "#", "a#b", 0.0, 2.0, 2.5])
    | st.text(max_size=3)
)
KEYS = st.sampled_from(sorted(KEYWORD_TESTS)) | st.text(max_size=2)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
SCHEMAS = st.dictionaries(KEYS, VALUES, max_size=3) | VALUES


@given(SCHEMAS)
def test_what_is_accepted_is_what_the_validator_of_jsonschema_accepts(schema: JsonValue) -> None:
    refused = Refused()

    result = accepted(schema, refused)

    assert judge.is_valid(result)
    assert judge.is_valid(schema) == (result is schema) == (refused.places == [])


def test_every_keyword_that_the_meta_schema_knows_has_a_test() -> None:
    meta = Draft202012Validator.META_SCHEMA
    parts = [judge._resolver.lookup(part["$ref"]).contents for part in meta["allOf"]]

    known = {name for part in [meta, *parts] for name in part["properties"]}

    assert known == set(KEYWORD_TESTS)


def test_only_the_refused_keyword_is_left_out() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "str", "minLength": 1}, "b": "text", "c": {"required": True}},
    }
    refused = Refused()

    result = accepted(schema, refused)

    assert result == {"type": "object", "properties": {"a": {"minLength": 1}, "b": {}, "c": {}}}
    assert refused.places == ["properties.a.type", "properties.b", "properties.c.required"]
