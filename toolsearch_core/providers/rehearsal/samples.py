"""Values that a schema accepts, for what a question does not say: plausible by name, valid by rule."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolsearch_core.jsonvalues import JsonValue, compact_json
from toolsearch_core.providers.rehearsal.checking import matches
from toolsearch_core.providers.rehearsal.lexicon import table
from toolsearch_core.providers.rehearsal.patterns import sample
from toolsearch_core.providers.rehearsal.schemas import (
    MAX_DEPTH,
    Schemas,
    fits_type,
    properties_of,
    required_of,
    told_values,
    type_of,
)
from toolsearch_core.text.tokens import name_words

MAX_ITEMS = 20
MAX_LEAST_CHARS = 2_000
_STRANGE = (
    "a", "1", "A", "A-1", "A1", "a1b2c3", "2026-01-15", "2026-01-15T09:00:00Z", "09:00", "1h", "#ededed",
    "someone@example.com", "https://example.com", "example.com", "/example", "1.0.0", "en-US", "0" * 24,
    "00000000-0000-4000-8000-000000000000", "+15550100", "example", "A1:B2",
)  # fmt: skip
"""Tried against patterns that `patterns.sample` cannot read."""


def placeholder(schemas: Schemas, node: Any, name: str, depth: int = 0) -> JsonValue:
    """A value that the subschema accepts.

    Args:
        schemas: the reader of the root that the subschema belongs to.
        node: the subschema.
        name: the property's name, which says what would be plausible.
        depth: how deep the value will stand; deep ones are as small as can be.
    """
    plain = next(schemas.choices(node), {})
    for given in _given(plain):
        return given
    match type_of(plain):
        case "object":
            return _object(schemas, plain, depth)
        case "array":
            return _array(schemas, plain, name, depth)
        case "integer":
            return math.ceil(number(plain, 1.0))
        case "number":
            wanted = number(plain, 1.0)
            return int(wanted) if wanted.is_integer() else wanted
        case "boolean":
            return False
        case "null":
            return None
    return string(plain, [*_told(plain, name), _by_name(plain, name), *_STRANGE])


def string(node: Mapping[str, Any], candidates: Sequence[str]) -> str:
    """The first candidate that the subschema accepts once cut or lengthened, else a made-up one."""
    pattern, least = node.get("pattern"), node.get("minLength")
    shaped = [_length(node, text) for text in candidates]
    if not isinstance(pattern, str):
        return shaped[0]
    longer = min(least, MAX_LEAST_CHARS) if isinstance(least, int) and least > 1 else 2
    made = [text for many in (1, longer) if (text := sample(pattern, many)) is not None]
    for text in (shaped[0], *made, *(_length(node, text) for text in made), *shaped[1:]):
        if matches(pattern, text) and _length(node, text) == text:
            return text
    return shaped[0]


def number(node: Mapping[str, Any], wanted: float) -> float:
    """The number within the subschema's bounds that is nearest to the wanted one."""
    whole = type_of(node) == "integer"
    step = _finite(node.get("multipleOf")) or (1.0 if whole else 0.0)
    low, high = _finite(node.get("minimum")), _finite(node.get("maximum"))
    above, below = _finite(node.get("exclusiveMinimum")), _finite(node.get("exclusiveMaximum"))
    gap = step or 0.5
    lows = [bound for bound in (low, None if above is None else above + gap) if bound is not None]
    highs = [bound for bound in (high, None if below is None else below - gap) if bound is not None]
    value = min([max([wanted, *lows]), *highs])
    if step > 0:
        down = math.floor(value / step) * step
        value = math.ceil(value / step) * step if lows and down < max(lows) else down
    return value


def _given(plain: Mapping[str, Any]) -> list[JsonValue]:
    """The value that a subschema itself names: constant, default, first option or example."""
    for key in ("const", "default", "enum", "examples"):
        value = plain.get(key)
        if key == "const" and key in plain:
            return [value]
        if key == "default" and key in plain and fits_type(plain, value):
            return [value]
        if key == "enum" and isinstance(value, list) and value:
            return [next((item for item in value if item is not None), value[0])]
        if key == "examples" and isinstance(value, list) and value and fits_type(plain, value[0]):
            return [value[0]]
    return []


def _finite(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e15 else None


def _length(node: Mapping[str, Any], text: str) -> str:
    least, most = node.get("minLength"), node.get("maxLength")
    if isinstance(least, int) and len(text) < least <= MAX_LEAST_CHARS:
        text = (text + " example" * (least // 8 + 1))[:least].rstrip().ljust(least, "x")
    if isinstance(most, int) and 0 <= most < len(text):
        text = text[:most]
    return text


def _told(node: Mapping[str, Any], name: str) -> list[str]:
    """Examples of a description that may stand for the value itself."""
    if re.search(
        r"\bJSON (?:string|object)\b", str(node.get("description", ""))[:200], re.IGNORECASE
    ):
        return ["{}"]
    an_id = name_words(name)[-1:] in (["id"], ["uid"], ["key"])
    return [text for text in told_values(node) if not (an_id and re.search(r"[/:\s]", text))][:3]


def _by_name(node: Mapping[str, Any], name: str) -> str:
    tables = table("placeholders")
    form = node.get("format")
    if isinstance(form, str) and form in tables["formats"]:
        return str(tables["formats"][form])
    parts = name_words(name)
    if parts and parts[-1] in ("id", "ids"):
        return "-".join(["example", *parts[:-1][-1:], "1"])
    if parts and parts[-1] in ("uid", "iid", "number", "index"):
        return "1"
    for part in (*reversed(parts), *(part.rstrip("s") for part in reversed(parts))):
        if part in tables["names"]:
            return str(tables["names"][part])
    return "example"


def _object(schemas: Schemas, node: Mapping[str, Any], depth: int) -> dict[str, JsonValue]:
    known = properties_of(node)
    made: dict[str, JsonValue] = {}
    if depth >= MAX_DEPTH or not schemas.spend():
        return made
    for name in required_of(node):
        made[name] = placeholder(schemas, known.get(name, {}), name, depth + 1)
    least = node.get("minProperties")
    missing = (least if isinstance(least, int) else 0) - len(made)
    spare = [name for name in known if name not in made]
    for place in range(min(missing, MAX_ITEMS)):
        name = spare[place] if place < len(spare) else f"example_{place + 1}"
        part = known.get(name, node.get("additionalProperties", {}))
        made[name] = placeholder(schemas, part, name, depth + 1)
    return made


def _array(schemas: Schemas, node: Mapping[str, Any], name: str, depth: int) -> list[JsonValue]:
    least, fixed, rest = node.get("minItems"), node.get("prefixItems"), node.get("items", {})
    first = fixed if isinstance(fixed, list) else []
    # A required list with nothing in it rarely means anything, so it gets one item where it may.
    usual = 1 if depth <= 1 and node.get("maxItems") != 0 else 0
    wanted = max(least if isinstance(least, int) else usual, len(first))
    made: list[JsonValue] = []
    if depth >= MAX_DEPTH or not schemas.spend():
        return made
    for place in range(min(wanted, MAX_ITEMS)):
        part = first[place] if place < len(first) else rest
        made.append(placeholder(schemas, part, name.rstrip("s"), depth + 1))
    return _distinct(schemas.plain(rest), made) if node.get("uniqueItems") is True else made


def _distinct(item: Mapping[str, Any], made: Sequence[JsonValue]) -> list[JsonValue]:
    listed = item.get("enum")
    spare: list[JsonValue] = list(listed) if isinstance(listed, list) else []
    kept: dict[str, JsonValue] = {}
    for place, value in enumerate(made):
        if compact_json(value) in kept:
            if spare:
                value = next((one for one in spare if compact_json(one) not in kept), value)
            elif isinstance(value, str):
                value = f"{value}{place + 1}"
            elif isinstance(value, int | float):
                value = number(item, value + place)
        kept.setdefault(compact_json(value), value)
    return list(kept.values())
