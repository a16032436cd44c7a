"""A schema from a stranger, made fit for checking: what is wrong or unknown in it is left out.

Left out never makes the check stricter. Not covered, so not checked: `format`, `unevaluated…`,
`dependencies`, dynamic and remote references, patterns that a linear-time engine does not know.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol, cast

import re2

from toolsearch_core.jsonvalues import JsonValue

MAX_DEPTH = 64
"""What lies deeper is not checked."""

TYPES = ("object", "string", "number", "integer", "boolean", "array", "null")

_MAPS = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLES = (
    "items additionalProperties not if then else contains propertyNames additionalItems".split()
)
_UNCHECKED = "unevaluatedProperties unevaluatedItems dependencies $dynamicRef $recursiveRef".split()

Schema = bool | dict[str, JsonValue]


class Matcher(Protocol):
    """A compiled pattern; it works on UTF-8, in time linear in the text."""

    def search(self, text: bytes) -> object | None:
        """The first match anywhere in the text."""
        ...


def checkable(schema: JsonValue) -> Schema:
    """The schema in draft 2020-12 with those keywords that can be checked, well-formed and local.

    `True`, which allows everything, stands for what is no schema. The value is new and made of plain
    dicts and lists; references are kept for `resolve`.
    """
    return _node(schema, 0)[0]


def resolve(root: Schema, reference: str) -> Schema:
    """The part of a checkable schema that `#` or `#/…` means; `True` when there is none."""
    node: JsonValue = root
    for step in reference.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(node, list) and step.isdecimal() and int(step) < len(node):
            node = node[int(step)]
        elif isinstance(node, dict) and step in node:
            node = node[step]
        else:
            return True
    return node if isinstance(node, bool | dict) else True


@lru_cache(maxsize=1024)
def matcher(pattern: str) -> Matcher | None:
    """The compiled pattern; `None` when it cannot be compiled."""
    options = re2.Options()
    options.log_errors = False
    try:
        return cast(Matcher, re2.compile(pattern.encode("utf-8", "replace"), options))
    except re2.error:
        return None


def _node(value: JsonValue, depth: int) -> tuple[Schema, bool]:
    """The checkable schema, and whether it allows exactly what the schema allows."""
    if isinstance(value, bool):
        return value, True
    if not isinstance(value, Mapping) or depth > MAX_DEPTH:
        return True, False
    made: dict[str, JsonValue] = {}
    looser: set[str] = {key for key in _UNCHECKED if key in value}
    for key, given in value.items():
        part, exact = _keyword(key, given, depth)
        if part is not None:
            made[key] = part[0]
        if not exact:
            looser.add(key)
    _modernise(made, value)
    _loosen(made, looser, value)
    return made, not looser - {"$defs", "definitions"}


def _keyword(key: str, given: JsonValue, depth: int) -> tuple[tuple[JsonValue] | None, bool]:
    """One keyword in a tuple, or `None` to leave it out; and whether that changes nothing."""
    if key in _WELL_FORMED:
        sound = _WELL_FORMED[key](given)
        return ((given,), True) if sound else (None, False)
    if key == "$ref":  # what it points to may be looser than it was
        return ((given,), False) if _is_local(given) else (None, False)
    if key == "required":
        names = [name for name in _items(given) if isinstance(name, str)]
        return (names,), len(names) == len(_items(given))
    if key in _MAPS:
        parts = {
            name: _node(part, depth + 1)
            for name, part in (given.items() if isinstance(given, Mapping) else ())
            if key != "patternProperties" or matcher(name) is not None
        }
        complete = isinstance(given, Mapping) and len(parts) == len(given)
        made = {name: part for name, (part, _) in parts.items()}
        return (made,), complete and all(exact for _, exact in parts.values())
    if key in _LISTS or (key == "items" and not isinstance(given, Mapping | bool)):
        nodes = [_node(part, depth + 1) for part in _items(given)]
        listed: list[JsonValue] = [part for part, _ in nodes]
        return ((listed,) if listed else None), bool(nodes) and all(exact for _, exact in nodes)
    if key in _SINGLES:
        node, exact = _node(given, depth + 1)
        return (node,), exact
    return None, True


def _modernise(made: dict[str, JsonValue], value: Mapping[str, JsonValue]) -> None:
    """Bring older drafts to 2020-12."""
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if value.get(exclusive) is True and bound in made:
            made[exclusive] = made.pop(bound)
    rest = made.pop("additionalItems", None)
    if isinstance(made.get("items"), list):
        made["prefixItems"] = made.pop("items")
        if rest is not None:
            made["items"] = rest


def _loosen(made: dict[str, JsonValue], looser: set[str], value: Mapping[str, JsonValue]) -> None:
    """Where a part became looser, take out what would turn that into something stricter."""
    if "not" in looser:
        made.pop("not", None)
    if "if" in looser:
        for key in ("if", "then", "else"):
            made.pop(key, None)
    if "contains" in looser:
        made.pop("maxContains", None)
    if len(_map(made, "patternProperties")) < len(_map(value, "patternProperties")):
        made.pop("additionalProperties", None)
    if "oneOf" in looser and "oneOf" in made:
        one_of: dict[str, JsonValue] = {"anyOf": made.pop("oneOf")}
        made["allOf"] = [*_items(made.get("allOf", [])), one_of]


def _map(schema: Mapping[str, JsonValue], key: str) -> Mapping[str, JsonValue]:
    value = schema.get(key)
    return value if isinstance(value, Mapping) else {}


def _items(value: JsonValue) -> Sequence[JsonValue]:
    return value if isinstance(value, list | tuple) else ()


def _is_local(value: JsonValue) -> bool:
    return isinstance(value, str) and (value == "#" or value.startswith("#/"))


def _is_type(value: JsonValue) -> bool:
    names = [value] if isinstance(value, str) else _items(value)
    return bool(names) and all(name in TYPES for name in names)


def _is_count(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_required_map(value: JsonValue) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)
        for names in value.values()
    )


_WELL_FORMED: Mapping[str, Callable[[JsonValue], bool]] = {
    "type": _is_type,
    "enum": lambda value: bool(_items(value)),
    "const": lambda value: True,
    "pattern": lambda value: isinstance(value, str) and matcher(value) is not None,
    "uniqueItems": lambda value: isinstance(value, bool),
    "multipleOf": lambda value: isinstance(value, int | float) and _is_number(value) and value > 0,
    "dependentRequired": _is_required_map,
    **dict.fromkeys(
        "minLength maxLength minItems maxItems minProperties maxProperties minContains "
        "maxContains".split(),
        _is_count,
    ),
    **dict.fromkeys("minimum maximum exclusiveMinimum exclusiveMaximum".split(), _is_number),
}
