"""The registry: opens sessions, indexes what has changed, and applies the eviction strategy."""

import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from weakref import WeakValueDictionary

from toolsearch_core.errors import (
    IndexUnavailableError,
    SessionError,
    ToolSearchError,
    fault_text,
)
from toolsearch_core.events import EvictionReason
from toolsearch_core.notices import notice
from toolsearch_core.options import require
from toolsearch_core.protocols import Clock, DescribedToolIndex, EvictionStrategy, ToolIndex
from toolsearch_core.session.reports import EvictedIndex, LiveIndex, Opening
from toolsearch_core.session.state import Session
from toolsearch_core.tools import Catalog

MAX_RESTING = 1_000
"""So many sessions without an index are remembered; of older ones even the name is forgotten."""

NO_TOOLS = Catalog()


@dataclass(slots=True)
class _Entry:
    session: Session
    building: threading.Lock = field(default_factory=threading.Lock)
    """Held while the session is opened; always taken before the lock of the registry."""
    index: ToolIndex | None = None
    fingerprint: str = ""
    had_index: bool = False
    accessed_s: float = 0.0
    holds: int = 0
    """Turns in flight and openings under way; while there are any, nobody else evicts."""
    openings: int = 0
    """Openings under way or waiting for another; like a hold, one keeps the entry."""
    postponed: EvictionReason | None = None
    renewal: EvictedIndex | None = None
    """The session's own eviction, which its opening under way carries out by replacing the index."""


class SessionRegistry:
    """The sessions of one workspace. Safe to use from several threads.

    A turn announces itself first and opens then:

        with registry.in_flight(session_id):
            opening = registry.open(session_id, catalog, index)
            ...

    A session with a turn in flight is never evicted by anybody else; what is asked meanwhile is done
    when the turn ends, and reported by the next `sweep` or `open`. Indexing runs outside the lock of
    the registry, `clear_index` inside it, so the latter has to be quick.

    A session that is evicted by its own opening is indexed anew over the index it has, so that a search
    meanwhile finds what was there before or what is there then.
    """

    def __init__(
        self,
        eviction: EvictionStrategy,
        clock: Clock = time.monotonic,
        *,
        timer: Clock = time.perf_counter,
    ) -> None:
        """Start without sessions.

        Args:
            eviction: which indexes go, and when.
            clock: the time that idleness is measured by; the strategy's clock.
            timer: the time that durations are measured by.

        Raises:
            SettingsError: that is no eviction strategy.
        """
        asked = not isinstance(eviction, type) and callable(getattr(eviction, "on_access", None))
        require(asked, "eviction", eviction, "an eviction strategy, such as Lru(1000)")
        self._eviction = eviction
        self._clock = clock
        self._timer = timer
        self._lock = threading.RLock()
        self._entries: dict[str, _Entry] = {}
        """Sessions that have an index, or are held."""
        self._resting: dict[str, _Entry] = {}
        """The others, as far as they are remembered; the one that was left first comes first."""
        self._unreported: list[EvictedIndex] = []
        self._catalogs: WeakValueDictionary[str, Catalog] = WeakValueDictionary()
        """By fingerprint; sessions over equal tools share a catalog."""

    def open(self, session_id: str, catalog: Catalog, index: ToolIndex) -> Opening:
        """Apply eviction, then see to it that the session has an index over this catalog.

        What has expired goes first, this session included; then what the strategy asks for on this
        access. The session is indexed when it has no index, or the catalog or the index is another.

        Raises:
            SessionError: the session id is blank; nothing has happened then.
            IndexUnavailableError: the index cannot be built; the session is as it was before, and
                what was evicted is reported by the next `sweep` or `open`. When an index stays, the
                error says so.
        """
        started_s = self._timer()
        with self._lock:
            entry = self._entry(session_id)
            entry.openings += 1
        try:
            with entry.building:
                return self._open(entry, self._shared(catalog), index, started_s)
        finally:
            with self._lock:
                entry.openings -= 1
                self._rest(entry)

    @contextmanager
    def in_flight(self, session_id: str) -> Iterator[Session]:
        """Keep the session and its index while a turn is running.

        Raises:
            SessionError: the session id is blank.
        """
        with self._lock:
            entry = self._entry(session_id)
            entry.holds += 1
        try:
            yield entry.session
        finally:
            with self._lock:
                self._let_go(entry)

    def evict(self, session_id: str) -> EvictedIndex | None:
        """Release the index of a session now; `None` when it has none, or a turn is still running."""
        with self._lock:
            entry = self._entries.get(session_id)
            asked = self._ask(entry, "explicit") if entry else []
            return asked[0] if asked else None

    def sweep(self) -> tuple[EvictedIndex, ...]:
        """Release what has expired, and report that with all that was postponed and is done now."""
        with self._lock:
            return (*self._report(), *self._expire())

    def use_strategy(self, make: Callable[[Mapping[str, float]], EvictionStrategy]) -> None:
        """Exchange the strategy.

        Args:
            make: given the sessions that have an index, id -> time of the last access, it makes the
                new strategy; for instance `make_strategy` with a configuration and a clock.
        """
        with self._lock:
            self._eviction = make(
                {
                    known: entry.accessed_s
                    for known, entry in self._entries.items()
                    if (entry.index is not None or entry.building.locked())
                    and entry.postponed is None
                }
            )

    def session(self, session_id: str) -> Session | None:
        """What is known of a session; `None` when it has no index and no turn in flight."""
        with self._lock:
            entry = self._entries.get(session_id)
            return entry.session if entry is not None else None

    def idle_s(self, session_id: str) -> float | None:
        """Seconds since the session was last opened; `None` when it has no index."""
        with self._lock:
            entry = self._entries.get(session_id)
            return self._idle(entry) if entry and entry.index is not None else None

    def live(self) -> tuple[LiveIndex, ...]:
        """The sessions that have an index, the one that was idle for longest first."""
        with self._lock:
            return tuple(
                LiveIndex(
                    session_id=entry.session.id,
                    index_kind=entry.index.kind,
                    tool_count=len(entry.session.catalog),
                    idle_s=self._idle(entry),
                    in_flight=entry.holds > 0,
                    postponed=entry.postponed,
                )
                for entry in sorted(self._entries.values(), key=lambda each: each.accessed_s)
                if entry.index is not None
            )

    def close(self) -> None:
        """Release every index; one with a turn in flight goes when the turn ends."""
        with self._lock:
            for entry in tuple(self._entries.values()):
                self._ask(entry, "explicit")

    def _entry(self, session_id: str) -> _Entry:
        if not isinstance(session_id, str) or not session_id.strip():
            raise SessionError("session.id_missing")
        entry = self._entries.get(session_id)
        if entry is None:
            entry = self._resting.pop(session_id, None) or _Entry(Session(session_id))
            self._entries[session_id] = entry
        return entry

    def _shared(self, catalog: Catalog) -> Catalog:
        """The equal catalog that is known already, or this one."""
        known = self._catalogs.setdefault(catalog.fingerprint, catalog)
        # An equal fingerprint leaves room for other pins.
        return known if known is catalog or known.tools == catalog.tools else catalog

    def _rest(self, entry: _Entry) -> None:
        """Put a session aside that has no index and that nobody holds; the oldest of these go."""
        session_id = entry.session.id
        if entry.index is not None or entry.holds or entry.openings:
            return
        if self._entries.pop(session_id, None) is not None:
            entry.session.change_catalog(NO_TOOLS)  # nothing keeps a catalog alive that nobody uses
            self._resting[session_id] = entry
        while len(self._resting) > MAX_RESTING:
            del self._resting[next(iter(self._resting))]

    def _access(self, entry: _Entry) -> list[EvictedIndex]:
        evicted = [*self._report(), *self._expire(opener=entry)]
        if entry.postponed is not None:
            evicted += self._ask(entry, entry.postponed, opener=entry)
        for named in self._eviction.on_access(entry.session.id):
            if named in self._entries:
                reason = self._eviction.reason(named)
                evicted += self._ask(self._entries[named], reason, opener=entry)
        entry.accessed_s = self._clock()
        return evicted

    def _expire(self, opener: _Entry | None = None) -> list[EvictedIndex]:
        return [
            released
            for named in self._eviction.expired()
            if named in self._entries
            for released in self._ask(
                self._entries[named], self._eviction.reason(named), opener=opener
            )
        ]

    def _ask(
        self, entry: _Entry, reason: EvictionReason, *, opener: _Entry | None = None
    ) -> list[EvictedIndex]:
        """Release the index, or postpone that; the turn that opens its own session has it renewed."""
        if entry.holds > (1 if entry is opener else 0):
            entry.postponed = entry.postponed or reason
            return []
        entry.postponed = None
        if entry.index is None or entry.renewal is not None:
            return []
        evicted = EvictedIndex(session_id=entry.session.id, reason=reason, idle_s=self._idle(entry))
        if entry is opener:
            entry.renewal = evicted
            return [evicted]
        return [self._release(entry, entry.index, evicted)]

    def _release(self, entry: _Entry, index: ToolIndex, evicted: EvictedIndex) -> EvictedIndex:
        entry.index, entry.fingerprint = None, ""
        self._eviction.on_removed(entry.session.id)
        _clear(index, entry.session.id)
        released = entry.session.forget()
        self._rest(entry)
        return replace(evicted, released=released)

    def _let_go(self, entry: _Entry) -> None:
        entry.holds -= 1
        if entry.holds == 0 and entry.postponed is not None:
            self._unreported += self._ask(entry, entry.postponed)
        self._rest(entry)

    def _report(self) -> list[EvictedIndex]:
        unreported, self._unreported = self._unreported, []
        return unreported

    def _open(self, entry: _Entry, catalog: Catalog, index: ToolIndex, started_s: float) -> Opening:
        with self._lock:
            postponed = entry.postponed
            evicted = self._access(entry)
            entry.holds += 1
        opening: Opening | None = None
        try:
            opening = self._index(entry, catalog, index, evicted, started_s)
            return opening
        except Exception as fault:
            if entry.index is None:
                raise
            stated = fault.notice.text if isinstance(fault, ToolSearchError) else ""
            cause = stated or fault_text(fault)
            stays = len(entry.session.catalog)
            raise IndexUnavailableError("session.index_stays", cause=cause, tools=stays) from fault
        finally:
            with self._lock:
                if opening is None:
                    self._unreported += [each for each in evicted if each is not entry.renewal]
                    entry.postponed = entry.postponed or postponed
                entry.renewal = None
                if entry.index is None:
                    self._eviction.on_removed(entry.session.id)
                self._let_go(entry)

    def _index(
        self,
        entry: _Entry,
        catalog: Catalog,
        index: ToolIndex,
        evicted: list[EvictedIndex],
        started_s: float,
    ) -> Opening:
        """Build, then swap. Runs outside the lock; the hold on the entry keeps others away."""
        session, before = entry.session, entry.index
        same_catalog = entry.fingerprint == catalog.fingerprint
        renewal = entry.renewal
        fits = before is index and same_catalog and not _differs(index, session.id, catalog)
        indexed = not fits or renewal is not None
        if indexed:
            index.index_tools(session.id, catalog.tools)
        with self._lock:
            reindexed = indexed and entry.had_index
            entry.index, entry.fingerprint, entry.had_index = index, catalog.fingerprint, True
            if renewal is not None:
                evicted[evicted.index(renewal)] = replace(renewal, released=session.forget())
            elif indexed and before is not None:
                reason: EvictionReason = "index_changed" if same_catalog else "catalog_changed"
                evicted.append(EvictedIndex(session_id=session.id, reason=reason))
            # An equal fingerprint leaves room for other pins, so the catalog is always taken over.
            pruned = session.change_catalog(catalog)
            if before is not None and before is not index:
                _clear(before, session.id)
        state = index.describe(session.id) if isinstance(index, DescribedToolIndex) else None
        without_tools = () if catalog.tools else (notice("session.no_tools"),)
        return Opening(
            session=session,
            evicted=tuple(evicted),
            indexed=indexed,
            reindexed=reindexed,
            reused=indexed and state is not None and state.reused,
            duration_s=self._timer() - started_s,
            pruned=pruned,
            notices=(*without_tools, *(state.notices if state else ())),
        )

    def _idle(self, entry: _Entry) -> float:
        return self._clock() - entry.accessed_s


def _differs(index: ToolIndex, session_id: str, catalog: Catalog) -> bool:
    """Whether somebody else who uses this index has put other tools under the session's id."""
    if not isinstance(index, DescribedToolIndex):
        return False
    return index.describe(session_id).fingerprint != catalog.fingerprint


def _clear(index: ToolIndex, session_id: str) -> None:
    """An index of one's own may break here; the turn that brings this about is not to blame."""
    try:
        index.clear_index(session_id)
    except Exception as fault:  # noqa: BLE001 - a stranger's index may raise anything
        what = f"{type(index).__name__}.clear_index({session_id!r}) broke: {fault!r}"
        warnings.warn(what, RuntimeWarning, stacklevel=2)
