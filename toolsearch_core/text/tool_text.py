"""The searchable texts of a tool, field by field, and the one text of it that is embedded."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from toolsearch_core.jsonvalues import JsonObject, JsonValue
from toolsearch_core.text.tokens import name_words
from toolsearch_core.tools import ToolDefinition

MAX_DESCRIPTION_CHARS = 20_000
"""The rest of a longer description is not searched."""
MAX_PARAMETER_CHARS = 20_000
"""The same for all parameter texts of a tool together."""
MAX_EMBEDDED_CHARS = 600
"""Encoders read the beginning of a text only, and an average over a long text says little.

On the development halves of eight retrieval sets, 500 to 1,500 characters give the same recall.
"""
MAX_SCHEMA_DEPTH = 12
"""Parameters nested deeper are not searched."""
MAX_SCHEMA_NODES = 5_000
"""After so many subschemas the rest is not searched."""

_BRANCHES = ("anyOf", "oneOf", "allOf", "prefixItems")


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolText:
    """What can be searched of one tool."""

    name: str
    """The name its server gave; the wire name too where its words differ."""
    title: str
    description: str
    parameters: str
    """Names, descriptions and allowed values of all parameters, nested ones included."""
    server: str


def tool_text(tool: ToolDefinition) -> ToolText:
    """The texts of a tool, clipped to what is searched."""
    same_words = name_words(tool.name) == name_words(tool.wire_name)
    return ToolText(
        name=tool.name if same_words else f"{tool.name} {tool.wire_name}",
        title=tool.title,
        description=tool.description[:MAX_DESCRIPTION_CHARS],
        parameters=_clipped_join(_parameter_texts(tool.input_schema), MAX_PARAMETER_CHARS),
        server=tool.server,
    )


def embedded_text(tool: ToolDefinition) -> str:
    """Name in words, title, description: what an encoder reads of a tool."""
    parts = (" ".join(name_words(tool.name)), tool.title, tool.description)
    text = ". ".join(stripped for part in parts if (stripped := part.strip()))
    return re.sub(r"\s+", " ", text[: 2 * MAX_EMBEDDED_CHARS])[:MAX_EMBEDDED_CHARS]


def _clipped_join(texts: Iterator[str], limit: int) -> str:
    kept: list[str] = []
    for text in texts:
        kept.append(text[:limit])
        limit -= len(text) + 1
        if limit <= 0:
            break
    return "\n".join(kept)


def _parameter_texts(schema: JsonObject) -> Iterator[str]:
    """Walk a JSON Schema; each local reference is followed once, so a cycle ends."""
    followed: set[str] = set()
    visits = count(1)

    def of_schema(node: JsonValue, depth: int) -> Iterator[str]:
        if not isinstance(node, dict) or depth > MAX_SCHEMA_DEPTH:
            return
        if next(visits) > MAX_SCHEMA_NODES:
            return
        if depth and isinstance(description := node.get("description"), str):
            yield description
        yield from _allowed_values(node)
        for name, child in _children(node):
            if name:
                yield name
            yield from of_schema(child, depth + 1)
        reference = node.get("$ref")
        if isinstance(reference, str) and reference not in followed:
            followed.add(reference)
            yield from of_schema(_resolve(schema, reference), depth + 1)

    return of_schema(schema, 0)


def _children(node: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    """The schemas inside a schema, with the name of the parameter where there is one."""
    for key in ("properties", "patternProperties"):
        if isinstance(properties := node.get(key), dict):
            yield from properties.items()
    for key in ("items", "additionalProperties"):
        yield "", node.get(key)
    for key in _BRANCHES:
        if isinstance(branches := node.get(key), list):
            yield from (("", branch) for branch in branches)


def _allowed_values(node: JsonObject) -> Iterator[str]:
    values = node.get("enum")
    for value in [*(values if isinstance(values, list) else []), node.get("const")]:
        if isinstance(value, str):
            yield value


def _resolve(schema: JsonObject, reference: str) -> JsonValue:
    """The target of a local reference (`#/$defs/x`), or `None`."""
    if not reference.startswith("#"):
        return None
    node: JsonValue = schema
    for step in reference[1:].split("/")[1:]:
        if not isinstance(node, dict):
            return None
        node = node.get(step.replace("~1", "/").replace("~0", "~"))
    return node
