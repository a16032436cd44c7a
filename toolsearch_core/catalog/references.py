"""References inside a schema: which lead somewhere, and which go round without end.

A reference stays a reference, also a recursive one; nothing is inlined and nothing is fetched. Three
kinds are left out, since validators fail on them: those that lead nowhere inside the schema (also
all that lead outside of it), those in a ring of references alone, which says nothing, and dynamic
ones, whose rings nobody can see beforehand.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import unquote

from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from toolsearch_core.catalog.keywords import SCHEMA_KEYS, SCHEMA_LIST_KEYS, SCHEMA_MAP_KEYS
from toolsearch_core.jsonvalues import JsonObject, JsonValue

_DYNAMIC_KEYS = ("$dynamicRef", "$recursiveRef")
_SAME_PLACE_KEYS = frozenset("not if then else".split())
_SAME_PLACE_LISTS = frozenset("allOf anyOf oneOf".split())


@dataclass(frozen=True, kw_only=True, slots=True)
class Repaired:
    """A schema whose references all lead somewhere."""

    schema: JsonObject
    broken: tuple[str, ...] = ()
    """References that led nowhere, each once."""
    endless: tuple[str, ...] = ()
    """References that closed a ring, each once."""
    dynamic: tuple[str, ...] = ()
    """References whose goal depends on how they are reached, each once."""


def repaired_references(root: JsonObject) -> Repaired:
    """Leave out the references that lead nowhere, round in a ring, or where their surroundings say."""
    if not any(key in node for node in subschemas(root) for key in ("$ref", *_DYNAMIC_KEYS)):
        return Repaired(schema=root)
    dynamic = [str(node[key]) for node in subschemas(root) for key in _DYNAMIC_KEYS if key in node]
    # An identifier further in would change what the references around it mean, for validators only.
    root = _without(
        root, lambda node, key: key in _DYNAMIC_KEYS or (key == "$id" and node is not root)
    )
    targets = Targets(root)
    nodes = [node for node in subschemas(root) if "$ref" in node]
    broken = [node for node in nodes if targets.of(node["$ref"]) is None]
    endless = _ring_closers(nodes, targets)
    marked = {id(node) for node in (*broken, *endless)}
    return Repaired(
        schema=_without(root, lambda node, key: key == "$ref" and id(node) in marked),
        broken=_references_of(broken),
        endless=_references_of(endless),
        dynamic=tuple(dict.fromkeys(dynamic)),
    )


def _references_of(nodes: list[JsonObject]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(node["$ref"]) for node in nodes))


def subschemas(root: JsonValue) -> Iterator[JsonObject]:
    """Every schema object inside a schema, itself first."""
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Mapping):
            yield node
            pending.extend(reversed([*_children(node)]))


def _children(node: JsonObject) -> Iterator[JsonValue]:
    for key, value in node.items():
        if key in SCHEMA_KEYS:
            yield value
        elif key in SCHEMA_LIST_KEYS and isinstance(value, list):
            yield from value
        elif key in SCHEMA_MAP_KEYS and isinstance(value, Mapping):
            yield from value.values()


def _pointed_at(root: JsonValue, pointer: str) -> JsonValue:
    node = root
    for step in unquote(pointer).split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(node, Mapping) and key in node:
            node = node[key]
        elif isinstance(node, list) and _is_position(key, node):
            node = node[int(key)]
        else:
            return None
    return node


def _is_position(key: str, items: list[JsonValue]) -> bool:
    return key.isdecimal() and len(key) < 10 and int(key) < len(items)


class Targets:
    """Resolves the references of one schema, each once, inside it alone."""

    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._known: dict[str, JsonValue] = {}
        self._following: dict[int, list[JsonObject]] = {}

    def of(self, reference: JsonValue) -> JsonValue:
        """The schema that a reference means, by identity; `None` when it leads nowhere."""
        text = str(reference)
        if text not in self._known:
            pointer = text == "#" or text.startswith("#/")
            target = _pointed_at(self._root, text[1:]) if pointer else self._identified(text)
            self._known[text] = target if isinstance(target, bool | Mapping) else None
        return self._known[text]

    def following(self, node: JsonObject) -> list[JsonObject]:
        """The nodes with a reference that come next at the same place of the data."""
        target = self.of(node["$ref"]) if "$ref" in node else None
        if not isinstance(target, Mapping):
            return []
        if id(target) not in self._following:
            self._following[id(target)] = [item for item in _same_place(target) if "$ref" in item]
        return self._following[id(target)]

    def _identified(self, reference: str) -> JsonValue:
        try:
            target: JsonValue = self._resolve(reference).contents
        except (Unresolvable, ValueError):
            return None
        return target

    @cached_property
    def _resolve(self) -> Callable[[str], Any]:
        # A registry made here knows this one schema and has no way to fetch another.
        resource = DRAFT202012.create_resource(dict(self._root))
        registry: Registry[Any] = Registry().with_resource("", resource).crawl()
        return registry.resolver(base_uri=resource.id() or "").lookup


def _ring_closers(nodes: list[JsonObject], targets: Targets) -> list[JsonObject]:
    """The nodes whose reference closes a ring in which the place in the data never changes.

    A depth-first walk from reference to reference; `trail` holds the nodes under way, each with the
    nodes it leads to that are still to be visited.
    """
    done: set[int] = set()
    closers: list[JsonObject] = []
    for start in nodes:
        if id(start) in done:
            continue
        trail = [(start, iter(targets.following(start)))]
        under_way = {id(start)}
        while trail:
            node, ahead = trail[-1]
            following = next(ahead, None)
            if following is not None and id(following) in under_way:
                closers.append(node)
            if following is None or id(following) in under_way:
                done.add(id(node))
                under_way.discard(id(node))
                trail.pop()
            elif id(following) not in done:
                under_way.add(id(following))
                trail.append((following, iter(targets.following(following))))
    return closers


def _same_place(node: JsonObject) -> Iterator[JsonObject]:
    """The schemas inside that are applied to the same piece of data as the node, itself first."""
    pending: list[JsonValue] = [node]
    while pending:
        schema = pending.pop()
        if not isinstance(schema, Mapping):
            continue
        yield schema
        for key, value in schema.items():
            if key in _SAME_PLACE_KEYS:
                pending.append(value)
            elif key in _SAME_PLACE_LISTS and isinstance(value, list):
                pending.extend(value)
            elif key == "dependentSchemas" and isinstance(value, Mapping):
                pending.extend(value.values())


def _without(node: JsonObject, drops: Callable[[JsonObject, str], bool]) -> JsonObject:
    """The schema without some keywords; the same object where there is none of them."""

    def inside(value: JsonValue) -> JsonValue:
        return _without(value, drops) if isinstance(value, Mapping) else value

    new: dict[str, JsonValue] = {}
    for key, value in node.items():
        if drops(node, key):
            continue
        if key in SCHEMA_KEYS:
            new[key] = inside(value)
        elif key in SCHEMA_LIST_KEYS and isinstance(value, list):
            new[key] = [inside(item) for item in value]
        elif key in SCHEMA_MAP_KEYS and isinstance(value, Mapping):
            new[key] = {name: inside(item) for name, item in value.items()}
        else:
            new[key] = value
    return node if new == node else new
