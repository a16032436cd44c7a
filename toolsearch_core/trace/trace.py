"""A trace as one value: entries in order, that show themselves and can be joined and written."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from toolsearch_core.events import (
    Event,
    HistoryRepaired,
    IndexEvicted,
    IndexReady,
    RequestPrepared,
    ResponseReceived,
    TextDelta,
    ToolCalled,
    ToolsDropped,
    ToolsSearched,
    TraceEntry,
    TurnEnded,
    TurnStarted,
)
from toolsearch_core.html_tables import html_table
from toolsearch_core.trace.jsonl import to_lines
from toolsearch_core.trace.ledger import Ledger, ledger


@dataclass(frozen=True, slots=True)
class Trace:
    """The entries of one turn or of several."""

    entries: tuple[TraceEntry, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        """The events alone."""
        return tuple(entry.event for entry in self.entries)

    @property
    def ledger(self) -> Ledger:
        """The tokens of its model calls and turns."""
        return ledger(self.entries)

    def lines(self) -> Iterator[str]:
        """The lines of a trace file."""
        return to_lines(self.entries)

    def __add__(self, later: "Trace") -> "Trace":
        """This trace and a later one, numbered through."""
        first = len(self.entries)
        moved = [replace(entry, seq=first + place) for place, entry in enumerate(later.entries)]
        return Trace((*self.entries, *moved))

    def __len__(self) -> int:
        return len(self.entries)

    def _repr_html_(self) -> str:
        told = [entry for entry in self.entries if not isinstance(entry.event, TextDelta)]
        rows = [(entry.turn, type(entry.event).__name__, summary(entry.event)) for entry in told]
        return html_table(f"Trace: {len(told)} events", ("turn", "event", "what"), rows)


def summary(event: Event) -> str:
    """One line of an event."""
    match event:
        case TurnStarted():
            return event.text
        case IndexReady():
            reused = ", reused" if event.reused else ""
            return f"{event.index_kind} index over {event.tool_count} tools{reused}"
        case IndexEvicted():
            return f"index of {event.session_id} evicted: {event.reason}"
        case HistoryRepaired():
            return " ".join(repair.text for repair in event.repairs)
        case RequestPrepared():
            names = ", ".join(tool.name for tool in event.injected)
            return f"about {event.tokens.total:,} tokens, tools: {names or 'none'}"
        case ResponseReceived():
            calls = ", ".join(call.name for call in event.calls)
            return f"calls {calls}" if calls else event.text
        case ToolsSearched():
            found = ", ".join(f"{hit.tool_name} {hit.score:.2f}" for hit in event.hits)
            return f"{event.query!r} found {found or 'nothing'}"
        case ToolCalled():
            return f"{event.name}: {event.outcome}: {event.result}"
        case ToolsDropped():
            return f"{', '.join(event.names)} dropped: {event.reason}"
        case TurnEnded():
            return f"{event.status}: {event.answer}"
        case TextDelta():
            return event.text
