"""Reading a JSON Schema from a stranger: references, merged parts, choices, types. It always ends."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MAX_DEPTH = 12
MAX_NODES = 2_000
"""Subschemas looked at for one set of arguments; a schema that asks for more gets the plainest values."""
MAX_BRANCHES = 20
MAX_READ_CHARS = 600
IS_BRANCH = "$branch"
"""Marks a plain subschema that is one of several; constants tell which one is meant."""

_TYPES = ("object", "string", "integer", "number", "boolean", "array", "null")
_SIGNS: Sequence[tuple[str, str]] = (
    ("object", "properties required additionalProperties minProperties patternProperties"),
    ("array", "items prefixItems minItems maxItems uniqueItems"),
    ("string", "minLength maxLength pattern format"),
    ("number", "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"),
)
"""Keywords that tell the type where the schema does not say it."""
_PYTHON_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_LISTS = re.compile(
    r"\b(?:e\.g\.|such as|for example|example|either|one of|can be|must be|values?|options?|types?)"
    r"|-\s[\"'`]",
    re.IGNORECASE,
)
_NO_VALUE = re.compile(r"[=:]\s*\S*$|\bor\b|,")
_QUOTED = re.compile(r"(?<!\w)(?:'([^'\n]{1,40})'|\"([^\"\n]{1,40})\"|`([^`\n]{1,40})`)(?!\w)")


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
                for branch in branches[:MAX_BRANCHES]:
                    merged = {**rest, IS_BRANCH: True}
                    self._merge(branch, merged, 1)
                    yield from self.choices(merged) if self.spend() else (merged,)
                return
        yield plain

    def spend(self) -> bool:
        """Count a subschema; false when too many were looked at."""
        self._nodes += 1
        return self._nodes < MAX_NODES

    def _merge(self, node: Any, into: dict[str, Any], depth: int) -> None:
        if not isinstance(node, Mapping) or depth > MAX_DEPTH or not self.spend():
            return
        reference = node.get("$ref")
        if isinstance(reference, str):
            self._merge(self._target(reference), into, depth + 1)
        for key, value in node.items():
            there = into.get(key)
            if key == "properties" and isinstance(there, Mapping) and isinstance(value, Mapping):
                into[key] = {**there, **value}
            elif key == "required" and isinstance(there, list) and isinstance(value, list):
                into[key] = [*there, *(name for name in value if name not in there)]
            elif key not in ("$ref", "allOf"):
                into[key] = value
        parts = node.get("allOf")
        for part in parts[:MAX_BRANCHES] if isinstance(parts, list) else ():
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


def properties_of(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """The named properties of a plain subschema."""
    properties = node.get("properties")
    return properties if isinstance(properties, Mapping) else {}


def required_of(node: Mapping[str, Any]) -> list[str]:
    """The names that a plain subschema requires, and those that tell a branch from its neighbours."""
    required = node.get("required")
    names = (
        [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    )
    if node.get(IS_BRANCH):
        parts = properties_of(node).items()
        names += [name for name, part in parts if isinstance(part, Mapping) and "const" in part]
    return list(dict.fromkeys(names))


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


def fits_type(node: Mapping[str, Any], value: Any) -> bool:
    """Whether a value is of the subschema's own type."""
    kind = type_of(node)
    return isinstance(value, _PYTHON_TYPES[kind]) and (
        kind == "boolean" or not isinstance(value, bool)
    )


def told_values(node: Mapping[str, Any]) -> list[str]:
    """Short values that a description quotes as examples or as the only ones: `e.g. 'Task', 'Bug'`."""
    description = node.get("description")
    if not isinstance(description, str) or not _LISTS.search(description[:MAX_READ_CHARS]):
        return []
    found = (
        match[1] or match[2] or match[3] for match in _QUOTED.finditer(description[:MAX_READ_CHARS])
    )
    return [value for value in dict.fromkeys(found) if not _NO_VALUE.search(value)][:MAX_BRANCHES]
