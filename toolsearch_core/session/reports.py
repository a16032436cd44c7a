"""What the registry tells about sessions, as values."""

from dataclasses import dataclass

from toolsearch_core.events import EvictionReason
from toolsearch_core.notices import Notice
from toolsearch_core.session.state import Session


@dataclass(frozen=True, kw_only=True, slots=True)
class EvictedIndex:
    """A session index that was released, or replaced by another."""

    session_id: str
    reason: EvictionReason
    idle_s: float | None = None
    """Seconds since the session was last opened; `None` when its index was only replaced."""
    released: tuple[str, ...] = ()
    """The discovered tools that went back to deferred, in first-discovery order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Opening:
    """What opening a session did."""

    session: Session
    evicted: tuple[EvictedIndex, ...] = ()
    """In the order it happened; of other sessions too, and what was postponed until now."""
    indexed: bool
    """The index was built or replaced; false when it was there and fits."""
    reindexed: bool
    """Indexed, and this session had had an index before."""
    reused: bool
    """Indexed without building, as far as the index can tell: its retriever was there already."""
    duration_s: float
    """Elapsed seconds, monotonic clock."""
    pruned: tuple[str, ...] = ()
    """Discovered tools that the changed catalog does not have."""
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class LiveIndex:
    """A session that has an index now."""

    session_id: str
    index_kind: str
    tool_count: int
    idle_s: float
    """Seconds since the session was last opened."""
    in_flight: bool
    """A turn is running; the index is safe until it ends."""
    postponed: EvictionReason | None
    """Why the index goes when the turn ends; `None` when it stays."""
