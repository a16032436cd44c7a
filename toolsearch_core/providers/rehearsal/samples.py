"""Values that a schema accepts, for what a question does not say: plausible by name, valid by rule."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolsearch_core.jsonvalues import JsonValue, compact_json
from toolsearch_core.providers.rehearsal.checking import matches
from toolsearch_core.providers.rehearsal.lexicon import table
from toolsearch_core.providers.rehearsal.patterns import sample
from toolsearch_core.text.tokens import name_words

MAX_DEPTH = 12
MAX_NODES = 2_000
"""Subschemas looked at for one set of arguments; a schema that asks for more gets the plainest values."""
MAX_ITEMS = 20
MAX_CHARS = 200

_TYPES = ("object", "string", "integer", "number", "boolean", "array", "null")
_SIGNS: Sequence[tuple[str, str]] = (
    ("object", "properties required additionalProperties minProperties patternProperties"),
    ("array", "items prefixItems minItems maxItems uniqueItems"),
    ("string", "minLength maxLength pattern format"),
    ("number", "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"),
)
"""Keywords that tell the type where the schema does not say it."""
MAX_READ_CHARS = 600
_LISTS = re.compile(
    r"\b(?:e\.g\.|such as|for example|example|either|one of|can be|must be|values?|options?|types?)|-\s[\"'`]",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?<!\w)(?:'([^'\n]{1,40})'|\"([^\"\n]{1,40})\"|`([^`\n]{1,40})`)(?!\w)")
_STRANGE = (
    "a", "1", "A", "A-1", "A1", "a1b2c3", "2026-01-15", "2026-01-15T09:00:00Z", "09:00", "1h", "#ededed",
    "someone@example.com", "https://example.com", "example.com", "/example", "1.0.0", "en-US", "0" * 24,
    "00000000-0000-4000-8000-000000000000", "+15550100", "example", "A1:B2",
)  # fmt: skip
"""Tried against patterns that `patterns.sample` cannot read."""


@dataclass(slots=True)
class Schemas:
    """Reads the subschemas of one root: references followed, `allOf` merged, choices listed."""

    root: Mapping[str, Any]
    _nodes: int = field(default=0)

    def plain(self, node: Any) -> dict[str, Any]:
        """A subschema without `$ref` and `allOf`; a boolean one says nothing."""
        merged: dict[str, Any] = {}
        self._merge(node, merged, 0)
        return merged

    def choices(self, node: Any) -> Iterator[dict[str, Any]]:
        """A subschema once for each branch of its `anyOf` or `oneOf`; itself when it has none."""
        plain = self.plain(node)
        for word in ("oneOf", "anyOf"):
            branches = plain.get(word)
            if isinstance(branches, list) and branches:
                rest = {key: value for key, value in plain.items() if key != word}
                for branch in branches[:MAX_ITEMS]:
                    merged = dict(rest)
                    self._merge(branch, merged, 1)
                    yield from self.choices(merged) if self.spent(0) else (merged,)
                return
        yield plain

    def spent(self, nodes: int) -> bool:
        """Count subschemas; false when too many were looked at."""
        self._nodes += nodes
        return self._nodes < MAX_NODES

    def _merge(self, node: Any, into: dict[str, Any], depth: int) -> None:
        if not isinstance(node, Mapping) or depth > MAX_DEPTH or not self.spent(1):
            return
        reference = node.get("$ref")
        if isinstance(reference, str):
            self._merge(self._target(reference), into, depth + 1)
        for key, value in node.items():
            if (
                key == "properties"
                and isinstance(into.get(key), Mapping)
                and isinstance(value, Mapping)
            ):
                into[key] = {**into[key], **value}
            elif key == "required" and isinstance(into.get(key), list) and isinstance(value, list):
                into[key] = [*into[key], *(name for name in value if name not in into[key])]
            elif key not in ("$ref", "allOf"):
                into[key] = value
        parts = node.get("allOf")
        for part in parts[:MAX_ITEMS] if isinstance(parts, list) else ():
            self._merge(part, into, depth + 1)

    def _target(self, reference: str) -> Any:
        if not reference.startswith("#"):
            return None
        node: Any = self.root
        for step in reference[1:].split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            if isinstance(node, Mapping):
                node = node.get(step)
            elif isinstance(node, list) and step.isdecimal() and int(step) < len(node):
                node = node[int(step)]
            else:
                return None
        return node


def type_of(node: Mapping[str, Any]) -> str:
    """The JSON type that a plain subschema asks for; of several the first that is not null."""
    told = node.get("type")
    kinds = told if isinstance(told, list) else [told]
    for kind in (*[kind for kind in kinds if kind != "null"], *kinds):
        if kind in _TYPES:
            return str(kind)
    for kind, signs in _SIGNS:
        if any(sign in node for sign in signs.split()):
            return kind
    return "string"


def placeholder(schemas: Schemas, node: Any, name: str, depth: int = 0) -> JsonValue:
    """A value that the subschema accepts.

    Args:
        schemas: the reader of the root that the subschema belongs to.
        node: the subschema.
        name: the property's name, which says what would be plausible.
        depth: how deep the value will stand; deep ones are as small as can be.
    """
    plain = next(schemas.choices(node), {})
    for key in ("const", "default"):
        if key in plain and (key == "const" or fits_type(plain, plain[key])):
            value: JsonValue = plain[key]
            return value
    for key in ("enum", "examples"):
        listed = plain.get(key)
        if isinstance(listed, list) and listed and (key == "enum" or fits_type(plain, listed[0])):
            first: JsonValue = next((item for item in listed if item is not None), listed[0])
            return first
    match type_of(plain):
        case "object":
            return _object(schemas, plain, depth)
        case "array":
            return _array(schemas, plain, name, depth)
        case "integer":
            return math.ceil(number(plain, 1.0))
        case "number":
            value_ = number(plain, 1.0)
            return int(value_) if value_.is_integer() else value_
        case "boolean":
            return False
        case "null":
            return None
    return string(plain, [*_told(plain, name), _by_name(plain, name), *_STRANGE])


def fits_type(node: Mapping[str, Any], value: Any) -> bool:
    """Whether a default or an example is of the subschema's own type."""
    kind = type_of(node)
    expected: dict[str, tuple[type, ...]] = {
        "object": (dict,),
        "array": (list,),
        "string": (str,),
        "integer": (int,),
        "number": (int, float),
        "boolean": (bool,),
        "null": (type(None),),
    }
    return isinstance(value, expected[kind]) and (kind == "boolean" or not isinstance(value, bool))


def string(node: Mapping[str, Any], candidates: Sequence[str]) -> str:
    """The first candidate that the subschema accepts once cut or lengthened, else a made-up one."""
    pattern = node.get("pattern")
    shaped = [_length(node, text) for text in candidates]
    if not isinstance(pattern, str):
        return shaped[0]
    made = sample(pattern)
    for text in (
        shaped[0],
        *([_length(node, made), made] if made is not None else []),
        *shaped[1:],
    ):
        if matches(pattern, text):
            return text
    return shaped[0]


def number(node: Mapping[str, Any], wanted: float) -> float:
    """The number within the subschema's bounds that is nearest to the wanted one."""
    whole = type_of(node) == "integer"
    step = _finite(node.get("multipleOf")) or (1.0 if whole else 0.0)
    low, high = _finite(node.get("minimum")), _finite(node.get("maximum"))
    above, below = _finite(node.get("exclusiveMinimum")), _finite(node.get("exclusiveMaximum"))
    gap = step or 0.5
    if above is not None:
        low = above + gap if low is None else max(low, above + gap)
    if below is not None:
        high = below - gap if high is None else min(high, below - gap)
    value = wanted
    if low is not None:
        value = max(value, low)
    if high is not None:
        value = min(value, high)
    if step:
        down = math.floor(value / step) * step
        value = down if low is None or down >= low else math.ceil(value / step) * step
    return value


def _finite(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e15 else None


def _length(node: Mapping[str, Any], text: str) -> str:
    least, most = node.get("minLength"), node.get("maxLength")
    if isinstance(least, int) and len(text) < least <= 10 * MAX_CHARS:
        text = (text + " example" * (least // 8 + 1))[:least].rstrip().ljust(least, "x")
    if isinstance(most, int) and 0 <= most < len(text):
        text = text[:most]
    return text


def told_values(node: Mapping[str, Any]) -> list[str]:
    """Short values that a description quotes as examples or as the only ones: `e.g. 'Task', 'Bug'`."""
    description = node.get("description")
    if not isinstance(description, str) or not _LISTS.search(description[:MAX_READ_CHARS]):
        return []
    quoted = (
        match[1] or match[2] or match[3] for match in _QUOTED.finditer(description[:MAX_READ_CHARS])
    )
    return [value for value in dict.fromkeys(quoted) if not value.endswith((":", "="))][:MAX_ITEMS]


def _told(node: Mapping[str, Any], name: str) -> list[str]:
    """Examples of a description that may stand for the value itself."""
    parts = name_words(name)
    an_id = parts[-1:] in (["id"], ["uid"], ["key"])
    return [value for value in told_values(node) if not (an_id and re.search(r"[/:\s]", value))][:3]


def _by_name(node: Mapping[str, Any], name: str) -> str:
    tables = table("placeholders")
    form = node.get("format")
    if isinstance(form, str) and form in tables["formats"]:
        return str(tables["formats"][form])
    parts = name_words(name)
    if parts and parts[-1] in ("id", "ids", "uid", "iid", "number", "index"):
        return "-".join(["example", *parts[:-1][-1:], "1"]) if parts[-1] in ("id", "ids") else "1"
    for part in (*reversed(parts), *(part.rstrip("s") for part in reversed(parts))):
        if part in tables["names"]:
            return str(tables["names"][part])
    return "example"


def _object(schemas: Schemas, node: Mapping[str, Any], depth: int) -> dict[str, JsonValue]:
    properties = node.get("properties")
    known: Mapping[str, Any] = properties if isinstance(properties, Mapping) else {}
    required = node.get("required")
    names = (
        [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    )
    made: dict[str, JsonValue] = {}
    if depth < MAX_DEPTH and schemas.spent(1):
        for name in names:
            made[name] = placeholder(schemas, known.get(name, {}), name, depth + 1)
        least = node.get("minProperties")
        wanted = least if isinstance(least, int) else 0
        spare = [name for name in known if name not in made]
        further = node.get("additionalProperties", {})
        for place in range(min(wanted - len(made), MAX_ITEMS)):
            name = spare[place] if place < len(spare) else f"example_{place + 1}"
            made[name] = placeholder(schemas, known.get(name, further), name, depth + 1)
    return made


def _array(schemas: Schemas, node: Mapping[str, Any], name: str, depth: int) -> list[JsonValue]:
    least = node.get("minItems")
    # A required list with nothing in it rarely means anything, so it gets one item where it may.
    wanted = (
        least if isinstance(least, int) else (1 if depth <= 1 and node.get("maxItems") != 0 else 0)
    )
    fixed = node.get("prefixItems")
    first = fixed if isinstance(fixed, list) else []
    rest = node.get("items", {})
    made: list[JsonValue] = []
    if depth >= MAX_DEPTH or not schemas.spent(1):
        return made
    for place in range(min(max(wanted, len(first)), MAX_ITEMS)):
        part = first[place] if place < len(first) else rest
        made.append(placeholder(schemas, part, name.rstrip("s"), depth + 1))
    if node.get("uniqueItems") is True:
        return _distinct(schemas.plain(rest), made)
    return made


def _distinct(item: Mapping[str, Any], made: list[JsonValue]) -> list[JsonValue]:
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
