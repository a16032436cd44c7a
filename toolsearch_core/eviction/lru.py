"""Eviction by number: only the sessions used last keep an index."""

from collections.abc import Mapping
from itertools import islice
from types import MappingProxyType

from toolsearch_core.events import EvictionReason
from toolsearch_core.options import require


class Lru:
    """Keeps the `max_sessions` sessions that were used last.

    Not for a handful of sessions with large indexes that lie idle for hours: while the limit is not
    reached, nothing is released. `Ttl` is for that.
    """

    evicts_current = False

    def __init__(
        self, max_sessions: int, accessed: Mapping[str, float] = MappingProxyType({})
    ) -> None:
        """Start with the sessions that are known already.

        Args:
            max_sessions: how many sessions keep an index; at least 1.
            accessed: known sessions, id -> time of the last access, in any order.

        Raises:
            SettingsError: `max_sessions` is no whole number from 1 on.
        """
        holds = (
            isinstance(max_sessions, int)
            and not isinstance(max_sessions, bool)
            and max_sessions >= 1
        )
        require(holds, "max_sessions", max_sessions, "a whole number from 1 on")
        self._max_sessions = max_sessions
        self._oldest_first = dict.fromkeys(sorted(accessed, key=accessed.__getitem__))

    def on_access(self, session_id: str) -> tuple[str, ...]:
        """The sessions beyond the limit; several after a start with more than it allows."""
        self._oldest_first.pop(session_id, None)
        self._oldest_first[session_id] = None
        excess = len(self._oldest_first) - self._max_sessions
        gone = tuple(islice(self._oldest_first, max(excess, 0)))
        for known in gone:
            del self._oldest_first[known]
        return gone

    def expired(self) -> tuple[str, ...]:
        """Nothing: time does not count here."""
        return ()

    def on_removed(self, session_id: str) -> None:
        """Give its place free."""
        self._oldest_first.pop(session_id, None)

    def reason(self, session_id: str) -> EvictionReason:
        """`lru`."""
        return "lru"
