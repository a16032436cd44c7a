"""The trace as JSON lines: one header line, then one entry a line. Written and read back alike."""

import dataclasses
import json
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Union, get_args, get_origin

from toolsearch_core.errors import ToolSearchError
from toolsearch_core.events import Event, TraceEntry
from toolsearch_core.jsonvalues import compact_json

SCHEMA = "toolsearch-trace"
VERSION = 1

EVENT_TYPES: Mapping[str, type] = {kind.__name__: kind for kind in get_args(Event)}
"""The name of an event in a trace file is the name of its class."""


class TraceError(ToolSearchError):
    """A trace file cannot be read."""


def to_lines(entries: Iterable[TraceEntry]) -> Iterator[str]:
    """The lines of a trace file, without line ends; each can be encoded as UTF-8."""
    yield compact_json({"schema": SCHEMA, "version": VERSION})
    for entry in entries:
        line = compact_json(
            {
                "seq": entry.seq,
                "turn": entry.turn,
                "at_s": entry.at_s,
                "kind": type(entry.event).__name__,
                "event": _plain(entry.event),
            }
        )
        # Half characters (lone surrogates) are escaped as JSON does it: the only ones UTF-8 does not know.
        yield line.encode("utf-8", "backslashreplace").decode("utf-8")


def from_lines(lines: Iterable[str]) -> tuple[TraceEntry, ...]:
    """Read a trace file back.

    Raises:
        TraceError: a line is no entry of this version; the message names the line.
    """
    rows = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not rows:
        raise TraceError("trace.empty")
    header = _parse(*rows[0])
    if header.get("schema") != SCHEMA or header.get("version") != VERSION:
        raise TraceError("trace.unknown_version", version=str(header.get("version")), known=VERSION)
    return tuple(_entry(number, _parse(number, line)) for number, line in rows[1:])


def _entry(number: int, row: Mapping[str, Any]) -> TraceEntry:
    kind = EVENT_TYPES.get(str(row.get("kind")))
    if kind is None:
        raise TraceError("trace.unknown_event", line=number, kind=str(row.get("kind")))
    try:
        event = _typed(kind, row["event"])
        return TraceEntry(
            seq=_checked(row["seq"], int),
            turn=_checked(row["turn"], int),
            at_s=_checked(row["at_s"], float),
            event=event,
        )
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise TraceError("trace.bad_line", line=number, detail=str(fault)) from fault


def _parse(number: int, line: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise TraceError("trace.bad_line", line=number, detail=str(fault)) from fault
    if not isinstance(row, dict):
        raise TraceError("trace.bad_line", line=number, detail="not an object")
    return row


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return {
            field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


def _typed(kind: Any, value: Any) -> Any:
    """Rebuild a value of an event from its JSON, by the annotation of its field."""
    origin = get_origin(kind)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        types_of = {field.name: field.type for field in dataclasses.fields(kind)}
        return kind(**{name: _typed(types_of[name], item) for name, item in value.items()})
    if origin is tuple:
        return tuple(_typed(get_args(kind)[0], item) for item in _checked(value, list))
    if origin in (Union, types.UnionType):
        return _chosen(get_args(kind), value)
    if origin is typing.Literal and value not in get_args(kind):
        raise ValueError(f"{value!r} is not one of {get_args(kind)}")
    if origin is Mapping:
        return _checked(value, dict)
    return _checked(value, kind) if isinstance(kind, type) else value


def _chosen(choices: tuple[Any, ...], value: Any) -> Any:
    """The only union in events that is not of plain values is one with `None`."""
    if value is None and type(None) in choices:
        return None
    plain = tuple(choice for choice in choices if choice in (str, int, float, bool))
    if plain:
        return _checked(value, plain)
    return _typed(next(choice for choice in choices if choice is not type(None)), value)


def _checked(value: Any, kind: type | tuple[type, ...]) -> Any:
    allowed = (int, float) if kind is float else kind
    if not isinstance(value, allowed):
        raise TypeError(f"{str(value)[:60]!r} is not of type {kind}")
    return value
