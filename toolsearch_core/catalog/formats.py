"""Where the tools are in a file, by its shape; and what a file is that holds none.

Read are: MCP `tools/list` results, also inside a JSON-RPC answer; lists of tools; several servers with
their tools; JSON lines of any of these; a single tool. Anthropic and OpenAI tools differ from MCP only
inside an entry, see `entries`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from toolsearch_core.catalog.clean import safe_text
from toolsearch_core.catalog.limits import MAX_TOOLS
from toolsearch_core.catalog.parse import (
    BadLine,
    Document,
    Lines,
    ObjectWithDoubledKey,
    RawValue,
)
from toolsearch_core.errors import CatalogError
from toolsearch_core.jsonvalues import JsonObject, JsonValue
from toolsearch_core.notices import Notice, notice

_YAML_LINE = re.compile(r"^(?:---|- |[\w.$\"'/-]+[ \t]*:(?:[ \t]|$))", re.MULTILINE)
_OPENAPI_LINE = re.compile(r"^[\"']?(?:openapi|swagger)[\"']?[ \t]*:", re.MULTILINE)
_TOOL_KEYS = ("inputSchema", "input_schema", "parameters", "description", "function")
_FILE_NAME = re.compile(r"\.(?:jsonl?|ndjson|txt)$", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class RawEntry:
    """One entry as it stands in the file."""

    value: RawValue
    server: str
    """The server its group names; empty when there is none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """All entries of a file, and what concerns the file as a whole."""

    entries: tuple[RawEntry, ...]
    notices: tuple[Notice, ...]


def find_entries(document: Document) -> Found:
    """The entries of a parsed file, in order.

    Raises:
        CatalogError: the file holds no list of tools, or one that is too long.
    """
    notices: list[Notice] = []
    entries = tuple(_of_document(document, notices))
    if len(entries) > MAX_TOOLS:
        raise CatalogError("catalog.too_many_tools", count=len(entries), allowed=MAX_TOOLS)
    if not entries:
        notices.append(notice("catalog.no_entries"))
    return Found(entries=entries, notices=tuple(notices))


def _of_document(document: Document, notices: list[Notice]) -> Iterator[RawEntry]:
    if isinstance(document, Lines):
        yield from _of_list(document.values, notices)
    elif isinstance(document, list):
        yield from _of_list(document, notices)
    elif isinstance(document, Mapping):
        yield from _of_object(document, notices)
    else:
        raise CatalogError("catalog.wrong_top", found=json_type(document))


def _of_list(values: Iterable[RawValue], notices: list[Notice]) -> Iterator[RawEntry]:
    for value in values:
        if isinstance(value, Mapping) and _holds_tools(value):
            yield from _of_object(value, notices)
        else:
            yield RawEntry(value=value, server="")


def _holds_tools(value: JsonObject) -> bool:
    inner = value.get("result")
    return isinstance(value.get("tools"), list) or (
        isinstance(inner, Mapping) and isinstance(inner.get("tools"), list)
    )


def _of_object(value: JsonObject, notices: list[Notice]) -> Iterator[RawEntry]:
    if isinstance(value, ObjectWithDoubledKey):
        notices.append(notice("catalog.doubled_key", place=safe_text(value.doubled), count=1))
    inner = value.get("result")
    if isinstance(inner, Mapping):
        yield from _of_object(inner, notices)
    elif "tools" in value:
        yield from _of_group(value, notices)
    elif isinstance(value.get("servers"), list | Mapping):
        yield from _of_servers(value["servers"], notices)
    elif any(key in value for key in ("name", "function")) and any(
        key in value for key in _TOOL_KEYS
    ):
        yield RawEntry(value=value, server="")
    else:
        raise _holds_no_tools(value)


def _of_group(group: JsonObject, notices: list[Notice]) -> Iterator[RawEntry]:
    tools = group["tools"]
    if not isinstance(tools, list):
        raise CatalogError("catalog.tools_not_array", found=json_type(tools))
    if group.get("nextCursor"):
        notices.append(notice("catalog.more_pages"))
    server = _server_name(group)
    for tool in tools:
        yield RawEntry(value=tool, server=server)


def _of_servers(servers: JsonValue, notices: list[Notice]) -> Iterator[RawEntry]:
    groups: Iterable[JsonValue] = servers if isinstance(servers, list) else ()
    if isinstance(servers, Mapping):
        groups = [
            {"server": name, **group} if isinstance(group, Mapping) else group
            for name, group in servers.items()
        ]
    for group in groups:
        if isinstance(group, Mapping) and isinstance(group.get("tools"), list):
            yield from _of_group(group, notices)
        else:
            server = _server_name(group) if isinstance(group, Mapping) else ""
            yield RawEntry(
                value=BadLine(notice("catalog.server_without_tools", server=server)), server=server
            )


def _server_name(group: JsonObject) -> str:
    for key in ("server", "serverInfo", "name"):
        value = group.get(key)
        if isinstance(value, Mapping):
            value = value.get("name")
        if isinstance(value, str) and value.strip():
            return safe_text(value)
    return ""


def _holds_no_tools(value: JsonObject) -> CatalogError:
    if "openapi" in value or "swagger" in value:
        return CatalogError("catalog.openapi")
    if "mcpServers" in value or "servers" in value:
        return CatalogError("catalog.server_settings")
    problem = value.get("error")
    if isinstance(problem, Mapping):
        message = problem.get("message")
        return CatalogError(
            "catalog.server_error", message=safe_text(message) if isinstance(message, str) else "?"
        )
    keys = ", ".join(f"`{safe_text(key)}`" for key in list(value)[:8]) or "-"
    return CatalogError("catalog.no_tools_key", keys=keys)


def foreign_format(text: str, source: str) -> CatalogError | None:
    """What a text is that is no JSON, when its beginning or its file name tells."""
    head = text.lstrip()[:20_000]
    if head.startswith("<"):
        return CatalogError("catalog.markup")
    if head[0] in '{["':
        return None
    if _OPENAPI_LINE.search(head):
        return CatalogError("catalog.openapi")
    if _YAML_LINE.match(head) or PurePath(source).suffix.lower() in (".yaml", ".yml"):
        return CatalogError("catalog.yaml")
    return None


def server_of_file(source: str) -> str:
    """The server that the name of a file stands for: `github` for `github.json`; else nothing."""
    name = safe_text(source).replace("\\", "/").rsplit("/", 1)[-1]
    return _FILE_NAME.sub("", name) if _FILE_NAME.search(name) else ""


def json_type(value: object) -> str:
    """JSON's own word for the type of a value."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case Mapping():
            return "object"
        case _:
            return "array"
