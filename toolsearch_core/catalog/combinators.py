"""A combinator at the root, rewritten as one object schema and a sentence.

The Messages API refuses `anyOf`, `oneOf` and `allOf` at the root of an input schema. The properties
of all branches are merged; which arguments belong together is kept in words. Where the merged schema
cannot be exact it accepts more than the original: a hint from some branches never narrows the rest.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from toolsearch_core.catalog.references import Targets
from toolsearch_core.jsonvalues import JsonObject, JsonValue, compact_json
from toolsearch_core.notices import english_wording

ROOT_COMBINATORS = ("anyOf", "oneOf", "allOf")
_OWN_KEYS = frozenset((*ROOT_COMBINATORS, "$ref", "type", "properties", "required"))
_MAX_REFERENCES_IN_A_ROW = 50
_MAX_SETS_IN_WORDS = 12
_MAX_SET_CHARS = 200
_MAX_MERGED_CHARS = 20_000
"""A merged property that would be larger accepts anything: schemas that double at each step must end."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """What a schema says about an object."""

    possible: bool = True
    """Whether an object can fit at all."""
    properties: Mapping[str, JsonValue] = field(default_factory=dict)
    hints: Mapping[str, JsonValue] = field(default_factory=dict)
    """Properties that only some branches describe; used where nothing else describes them."""
    required: tuple[str, ...] = ()
    other: Mapping[str, JsonValue] = field(default_factory=dict)
    """All further keywords, such as `additionalProperties`."""
    words: tuple[str, ...] = ()
    """Sentences for what the keywords cannot say."""

    @property
    def described(self) -> Mapping[str, JsonValue]:
        """Every property with the schema that is known of it."""
        unknown = {name: hint for name, hint in self.hints.items() if name not in self.properties}
        return {**self.properties, **unknown}


def merged_root(root: JsonObject) -> Shape:
    """The shape of a root with its combinators and its reference merged into it."""
    return _Merger(root).shape(root)


class _Merger:
    def __init__(self, root: JsonObject) -> None:
        self._targets = Targets(root)
        self._shapes: dict[str, Shape] = {}
        self._under_way = 0

    def shape(self, schema: JsonValue) -> Shape:
        if not isinstance(schema, Mapping):
            return Shape(possible=schema is not False)
        parts = [_own_shape(schema)]
        if "$ref" in schema:
            parts.append(self._target(str(schema["$ref"])))
        parts.extend(self._branches(schema, "allOf"))
        for key in ("anyOf", "oneOf"):
            if branches := self._branches(schema, key):
                parts.append(_one_branch(branches, key))
        return _all_parts(parts)

    def _branches(self, schema: JsonObject, key: str) -> list[Shape]:
        branches = schema.get(key)
        return [self.shape(item) for item in branches] if isinstance(branches, list) else []

    def _target(self, reference: str) -> Shape:
        if reference not in self._shapes:
            self._shapes[reference] = Shape()  # while it is merged it says nothing, so a ring ends
            if self._under_way < _MAX_REFERENCES_IN_A_ROW:
                self._under_way += 1
                self._shapes[reference] = self.shape(self._targets.of(reference))
                self._under_way -= 1
        return self._shapes[reference]


def _own_shape(schema: JsonObject) -> Shape:
    properties, required, kind = (schema.get(key) for key in ("properties", "required", "type"))
    kinds = kind if isinstance(kind, list) else [kind]
    return Shape(
        possible=kind is None or "object" in kinds,
        properties=properties if isinstance(properties, Mapping) else {},
        required=tuple(map(str, required)) if isinstance(required, list) else (),
        other={key: value for key, value in schema.items() if key not in _OWN_KEYS},
    )


def _all_parts(parts: Sequence[Shape]) -> Shape:
    """What fits every part."""
    if len(parts) == 1:
        return parts[0]
    properties = _schemas_by_name(part.properties for part in parts)
    hints = _schemas_by_name(part.hints for part in parts)
    other: dict[str, JsonValue] = {}
    for part in parts:
        for key, value in part.other.items():
            other.setdefault(key, value)
    # A part that forbids further arguments does not know those that other parts add.
    other.pop("additionalProperties", None)
    names = properties.keys() | hints.keys()
    for part in parts:
        knows_all = len(part.properties) + len(part.hints) >= len(names)
        if "additionalProperties" in part.other and knows_all and names <= part.described.keys():
            other.setdefault("additionalProperties", part.other["additionalProperties"])
    return Shape(
        possible=all(part.possible for part in parts),
        properties={name: _every(schemas) for name, schemas in properties.items()},
        hints={name: schemas[0] for name, schemas in hints.items()},
        required=_unique(name for part in parts for name in part.required),
        other=other,
        words=_unique(sentence for part in parts for sentence in part.words),
    )


def _one_branch(branches: Sequence[Shape], key: str) -> Shape:
    """What fits at least one branch."""
    possible = [branch for branch in branches if branch.possible]
    if len(possible) < 2:
        return possible[0] if possible else Shape(possible=False)
    described = _schemas_by_name(branch.described for branch in possible)
    certain = Counter(name for branch in possible for name in branch.properties)
    required = Counter(name for branch in possible for name in set(branch.required))
    closed = all(branch.other.get("additionalProperties") is False for branch in possible)
    merged = {name: _some(schemas) for name, schemas in described.items()}
    everywhere = {name for name, branches in certain.items() if branches == len(possible)}
    return Shape(
        properties={name: schema for name, schema in merged.items() if name in everywhere},
        hints={name: schema for name, schema in merged.items() if name not in everywhere},
        required=tuple(
            name for name in _unique(possible[0].required) if required[name] == len(possible)
        ),
        other={"additionalProperties": False} if closed else {},
        words=_words(possible, key),
    )


def _schemas_by_name(
    descriptions: Iterable[Mapping[str, JsonValue]],
) -> dict[str, list[JsonValue]]:
    """The schemas of each property over several descriptions, in order of first mention."""
    found: dict[str, list[JsonValue]] = {}
    for description in descriptions:
        for name, schema in description.items():
            found.setdefault(name, []).append(schema)
    return found


def _every(schemas: Sequence[JsonValue]) -> JsonValue:
    """One schema for what fits all of them."""
    distinct = _distinct(schema for schema in schemas if not _says_nothing(schema))
    if len(distinct) < 2:
        return distinct[0] if distinct else schemas[0]
    merged: dict[str, JsonValue] = {}
    for schema in distinct:
        if not isinstance(schema, Mapping):
            return _bounded({"allOf": distinct})
        for key, value in schema.items():
            if merged.setdefault(key, value) != value:
                return _bounded({"allOf": distinct})
    return _bounded(merged)


def _some(schemas: Sequence[JsonValue]) -> JsonValue:
    """One schema for what fits any of them."""
    for schema in schemas:
        if _says_nothing(schema):
            return schema
    distinct = _distinct(schemas)
    if len(distinct) == 1:
        return distinct[0]
    objects = [schema for schema in distinct if isinstance(schema, Mapping) and "const" in schema]
    rests = [{key: item[key] for key in item if key != "const"} for item in objects]
    if len(objects) == len(distinct) and all(rest == rests[0] for rest in rests):
        return {**rests[0], "enum": [item["const"] for item in objects]}
    return _bounded({"anyOf": distinct})


def _bounded(merged: JsonObject) -> JsonObject:
    return merged if len(compact_json(merged)) <= _MAX_MERGED_CHARS else {}


def _distinct(schemas: Iterable[JsonValue]) -> list[JsonValue]:
    return list({compact_json(schema): schema for schema in schemas}.values())


def _says_nothing(schema: JsonValue) -> bool:
    return schema is True or schema == {}


def _words(branches: Sequence[Shape], key: str) -> tuple[str, ...]:
    """One sentence that names the arguments of each branch; none when a branch asks for nothing."""
    sets = _unique(_set_in_words(branch) for branch in branches)
    if len(sets) < 2 or not all(sets):
        return ()
    shown = [f"({item})" for item in sets[:_MAX_SETS_IN_WORDS]]
    if len(sets) > len(shown):
        shown.append("…")
    code = "catalog.words_exactly_one" if key == "oneOf" else "catalog.words_at_least_one"
    return (english_wording()[code].format_map({"sets": ", ".join(shown)}),)


def _set_in_words(branch: Shape) -> str:
    constants = {
        name: compact_json(schema["const"])
        for name, schema in branch.described.items()
        if isinstance(schema, Mapping) and "const" in schema
    }
    names = _unique([*constants, *branch.required]) or tuple(branch.described)
    text = ", ".join(f"{name} = {constants[name]}" if name in constants else name for name in names)
    return text if len(text) <= _MAX_SET_CHARS else text[: _MAX_SET_CHARS - 1] + "…"


def _unique(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))
