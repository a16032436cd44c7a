"""Validity of a schema by the meta-schema of JSON Schema 2020-12, keyword by keyword.

The Messages API refuses a whole request for one keyword that the meta-schema refuses. A general
validator takes seconds for a large catalog (measured: 5.8 s for 344 tools of 2 MB), so each keyword has
a test of its own here, which says what the meta-schema says; the tests hold them to the validator of
the `jsonschema` package. What is refused is left out; what stands where a schema belongs and is none
becomes `{}`, which accepts anything.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from toolsearch_core.jsonvalues import JsonObject, JsonValue

SCHEMA_KEYS = frozenset(
    "additionalProperties contains contentSchema else if items not propertyNames then "
    "unevaluatedItems unevaluatedProperties".split()
)
"""Keywords whose value is a schema."""
SCHEMA_LIST_KEYS = frozenset("allOf anyOf oneOf prefixItems".split())
"""Keywords whose value is a list of schemas."""
SCHEMA_MAP_KEYS = frozenset(
    "$defs definitions dependentSchemas patternProperties properties".split()
)
"""Keywords whose value is an object of schemas."""

_TYPES = frozenset("array boolean integer null number object string".split())
_IDENTIFIER = re.compile(r"^[^#]*#?$")
_ANCHOR = re.compile(r"^[A-Za-z_][-A-Za-z0-9._]*$")


@dataclass(slots=True)
class Refused:
    """What was left out of a schema."""

    places: list[str] = field(default_factory=list)
    """Paths such as `properties.day.minimum`, in the order of the schema."""


def accepted(schema: JsonValue, refused: Refused, path: str = "") -> JsonValue:
    """The schema without what the meta-schema refuses; the same object when nothing is refused."""
    if isinstance(schema, bool):
        return schema
    if not isinstance(schema, Mapping):
        refused.places.append(path)
        return {}
    kept: dict[str, JsonValue] = {}
    for key, value in schema.items():
        place = f"{path}.{key}" if path else key
        new = _inside(key, value, refused, place)
        if key not in KEYWORD_TESTS or KEYWORD_TESTS[key](new):
            kept[key] = new
        else:
            refused.places.append(place)
    return schema if _same(kept, schema) else kept


def _inside(key: str, value: JsonValue, refused: Refused, place: str) -> JsonValue:
    if key in SCHEMA_KEYS:
        return accepted(value, refused, place)
    if key in SCHEMA_LIST_KEYS and isinstance(value, list):
        branches = [accepted(item, refused, f"{place}.{n}") for n, item in enumerate(value)]
        return value if all(map(_is, branches, value)) else branches
    if key in SCHEMA_MAP_KEYS and isinstance(value, Mapping):
        members = {name: accepted(item, refused, f"{place}.{name}") for name, item in value.items()}
        return value if _same(members, value) else members
    return value


def _same(new: JsonObject, old: JsonObject) -> bool:
    return len(new) == len(old) and all(new[key] is old[key] for key in new)


def _is(one: object, other: object) -> bool:
    return one is other


def _text(value: JsonValue) -> bool:
    return isinstance(value, str)


def _flag(value: JsonValue) -> bool:
    return isinstance(value, bool)


def _number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _positive(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _size(value: JsonValue) -> bool:
    if isinstance(value, float):
        return value >= 0 and value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _array(value: JsonValue) -> bool:
    return isinstance(value, list)


def _filled_array(value: JsonValue) -> bool:
    return isinstance(value, list) and bool(value)


def _object(value: JsonValue) -> bool:
    return isinstance(value, Mapping)


def _anything(value: JsonValue) -> bool:
    return True


def _names(value: JsonValue) -> bool:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return False
    return len(set(value)) == len(value)


def _names_by_name(value: JsonValue) -> bool:
    return isinstance(value, Mapping) and all(map(_names, value.values()))


def _schemas_or_names_by_name(value: JsonValue) -> bool:
    # The one place where schemas stay as they came: an old keyword that no model needs.
    return isinstance(value, Mapping) and all(
        _names(item) or (isinstance(item, bool | Mapping) and accepted(item, Refused()) is item)
        for item in value.values()
    )


def _flags_by_name(value: JsonValue) -> bool:
    return isinstance(value, Mapping) and all(map(_flag, value.values()))


def _type(value: JsonValue) -> bool:
    if isinstance(value, list):
        return bool(value) and _names(value) and all(item in _TYPES for item in value)
    return isinstance(value, str) and value in _TYPES


def _identifier(value: JsonValue) -> bool:
    return isinstance(value, str) and _IDENTIFIER.search(value) is not None


def _anchor(value: JsonValue) -> bool:
    return isinstance(value, str) and _ANCHOR.search(value) is not None


def _tests() -> Iterable[tuple[Callable[[JsonValue], bool], str]]:
    yield _text, "$comment $dynamicRef $recursiveRef $ref $schema contentEncoding contentMediaType"
    yield _text, "description format pattern title"
    yield _identifier, "$id"
    yield _anchor, "$anchor $dynamicAnchor $recursiveAnchor"
    yield _flag, "deprecated readOnly uniqueItems writeOnly"
    yield _flags_by_name, "$vocabulary"
    yield _number, "exclusiveMaximum exclusiveMinimum maximum minimum"
    yield _positive, "multipleOf"
    yield _size, "maxContains maxItems maxLength maxProperties"
    yield _size, "minContains minItems minLength minProperties"
    yield _array, "enum examples"
    yield _anything, "const default"
    yield _names, "required"
    yield _names_by_name, "dependentRequired"
    yield _schemas_or_names_by_name, "dependencies"
    yield _type, "type"
    yield _filled_array, " ".join(SCHEMA_LIST_KEYS)
    yield _object, " ".join(SCHEMA_MAP_KEYS)
    yield _anything, " ".join(SCHEMA_KEYS)  # by now a schema stands there


KEYWORD_TESTS: Mapping[str, Callable[[JsonValue], bool]] = {
    key: test for test, keys in _tests() for key in keys.split()
}
"""What the meta-schema accepts as the value of each keyword, once the schemas inside are accepted."""
