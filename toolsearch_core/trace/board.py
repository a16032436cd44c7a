"""The board: what became of every tool and of the session index, folded from the trace."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from toolsearch_core.events import (
    EvictionReason,
    IndexEvicted,
    IndexReady,
    RequestPrepared,
    ToolCalled,
    ToolsDropped,
    ToolsSearched,
    TraceEntry,
    TurnStarted,
)
from toolsearch_core.tools import Catalog

ToolState = Literal["deferred", "discovered", "accumulated", "injected", "dropped", "index_evicted"]
"""One state per tool. `accumulated` is in the request as well, kept from an earlier turn's search.
`called` and `pinned` are marks beside the state."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BoardRow:
    """One tool on the board."""

    name: str
    """The wire name."""
    server: str
    state: ToolState
    reason: str
    """Why it is in this state; a key that pages word, see `BOARD_REASONS`."""
    turn: int
    """The turn of the latest change; 0 when nothing happened to it yet."""
    seq: int
    """The trace entry of the latest change; -1 when nothing happened to it yet."""
    query: str = ""
    """The search that found it last; empty when none did."""
    score: float | None = None
    """Its score in that search."""
    pinned: bool = False
    calls: int = 0
    """How often the model called it, all outcomes counted."""
    called_in_turn: bool = False
    """Called in the latest turn."""
    tokens: int = 0
    """Tokens of its definition in the latest request that held it; 0 when none did."""


BOARD_REASONS = (
    "never_searched",
    "found",
    "found_now",
    "kept",
    "pinned",
    "all_up_front",
    "accumulation_off",
    "catalog_changed",
    "unpinned",
    "lru",
    "ttl",
    "always",
    "explicit",
    "index_changed",
    "evicted_before",
    "not_sent",
)

IN_REQUEST: tuple[ToolState, ...] = ("injected", "accumulated")
"""States of a tool whose definition stands in the latest request."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexState:
    """What became of the conversation's session index."""

    state: Literal["none", "ready", "evicted"]
    """`none`: nothing was indexed yet. `evicted`: it was released, and nothing was asked since."""
    at_s: float | None = None
    """When it came to this state, in seconds as in the trace; `None` for `none`."""
    reason: EvictionReason | None = None
    """Why it was evicted; `None` in the other states."""
    idle_s: float | None = None
    """Seconds it had been idle when it was evicted; `None` when that does not matter."""
    released: int = 0
    """How many discovered tools went back to deferred with it."""


def index_state(entries: Sequence[TraceEntry]) -> IndexState:
    """The state of the session index after these entries."""
    for entry in reversed(entries):
        match entry.event:
            case IndexReady():
                return IndexState(state="ready", at_s=entry.at_s)
            case IndexEvicted() as evicted:
                return IndexState(
                    state="evicted",
                    at_s=entry.at_s,
                    reason=evicted.reason,
                    idle_s=evicted.idle_s,
                    released=len(evicted.released),
                )
            case _:
                pass
    return IndexState(state="none")


@dataclass(slots=True)
class _Cell:
    state: ToolState = "deferred"
    reason: str = "never_searched"
    turn: int = 0
    seq: int = -1
    query: str = ""
    score: float | None = None
    pinned: bool = False
    calls: int = 0
    last_call_turn: int = 0
    tokens: int = 0

    def move(self, state: ToolState, reason: str, entry: TraceEntry) -> None:
        self.state, self.reason, self.turn, self.seq = state, reason, entry.turn, entry.seq

    def settle(self, state: ToolState, reason: str, entry: TraceEntry) -> None:
        """Move, unless it is there already for the same reason."""
        if (self.state, self.reason) != (state, reason):
            self.move(state, reason, entry)


def board(entries: Sequence[TraceEntry], catalog: Catalog) -> tuple[BoardRow, ...]:
    """The state of every tool of the catalog after these entries, in catalog order.

    Tools that the entries speak of and the catalog no longer has are left out.
    """
    cells = {tool.wire_name: _Cell(pinned=tool.pinned) for tool in catalog.tools}
    turn = 0
    for entry in entries:
        turn = max(turn, entry.turn)
        _apply(entry, cells)
    return tuple(
        BoardRow(
            name=tool.wire_name,
            server=tool.server,
            state=cell.state,
            reason=cell.reason,
            turn=cell.turn,
            seq=cell.seq,
            query=cell.query,
            score=cell.score,
            pinned=cell.pinned,
            calls=cell.calls,
            called_in_turn=cell.last_call_turn == turn and cell.calls > 0,
            tokens=cell.tokens,
        )
        for tool in catalog.tools
        for cell in [cells[tool.wire_name]]
    )


def _apply(entry: TraceEntry, cells: dict[str, _Cell]) -> None:
    match entry.event:
        case TurnStarted():
            _settle("dropped", entry, cells)
        case IndexReady():
            _settle("index_evicted", entry, cells)
        case IndexEvicted(reason=reason, released=released):
            _move(released, "index_evicted", reason, entry, cells)
        case ToolsDropped(names=names, reason=drop_reason):
            _move(names, "dropped", drop_reason, entry, cells)
            if drop_reason == "unpinned":
                _unpin(names, cells)
        case ToolsSearched() as search:
            _searched(entry, search, cells)
        case RequestPrepared() as request:
            _sent(entry, request, cells)
        case ToolCalled(name=name) if name in cells:
            cells[name].calls += 1
            cells[name].last_call_turn = entry.turn
        case _:
            pass


def _move(
    names: Sequence[str],
    state: ToolState,
    reason: str,
    entry: TraceEntry,
    cells: dict[str, _Cell],
) -> None:
    for name in names:
        if name in cells:
            cells[name].move(state, reason, entry)


def _unpin(names: Sequence[str], cells: dict[str, _Cell]) -> None:
    for name in names:
        if name in cells:
            cells[name].pinned = False


def _settle(state: ToolState, entry: TraceEntry, cells: dict[str, _Cell]) -> None:
    """What was evicted is shown as such until life goes on; then it is deferred like the others."""
    for cell in cells.values():
        if cell.state == state:
            cell.move("deferred", "evicted_before", entry)


def _searched(entry: TraceEntry, event: ToolsSearched, cells: dict[str, _Cell]) -> None:
    for hit in event.hits:
        cell = cells.get(hit.tool_name)
        if cell is None:
            continue
        cell.query, cell.score = event.query, hit.score
        if cell.state not in IN_REQUEST:
            cell.move("discovered", "found", entry)


def _sent(entry: TraceEntry, event: RequestPrepared, cells: dict[str, _Cell]) -> None:
    """A request carries everything that is discovered; what it leaves out is known no more."""
    sent = {tool.name for tool in event.injected}
    for name, cell in cells.items():
        if cell.state in (*IN_REQUEST, "discovered") and name not in sent:
            cell.move("deferred", "not_sent", entry)
            cell.pinned = False
    for tool in event.injected:
        if tool.name not in cells:
            continue
        cell = cells[tool.name]
        cell.tokens = tool.tokens
        cell.pinned = tool.reason == "pinned"
        match tool.reason:
            case "accumulated":
                cell.settle("accumulated", "kept", entry)
            case "pinned" | "all_up_front":
                cell.settle("injected", tool.reason, entry)
            case _:
                cell.settle("injected", "found_now", entry)
