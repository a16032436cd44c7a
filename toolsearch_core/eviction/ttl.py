"""Eviction by idle time."""

import math
from collections.abc import Mapping
from itertools import takewhile
from types import MappingProxyType

from toolsearch_core.events import EvictionReason
from toolsearch_core.options import require
from toolsearch_core.protocols import Clock


class Ttl:
    """Releases a session that was not used for `ttl_s` seconds; exactly `ttl_s` is too long.

    Not as the only bound where many sessions come at once: within the time there may be any number
    of them. Compose it with `Lru` then. Only the start of a turn counts as use.
    """

    evicts_current = False

    def __init__(
        self, ttl_s: float, clock: Clock, accessed: Mapping[str, float] = MappingProxyType({})
    ) -> None:
        """Start with the sessions that are known already.

        Args:
            ttl_s: the idle time that is too long, in seconds; above 0.
            clock: the time now, in seconds.
            accessed: known sessions, id -> time of the last access by the same clock, in any order.

        Raises:
            SettingsError: `ttl_s` is no finite number above 0.
        """
        holds = (
            isinstance(ttl_s, int | float) and not isinstance(ttl_s, bool) and 0 < ttl_s < math.inf
        )
        require(holds, "ttl_s", ttl_s, "a number of seconds above 0")
        self._ttl_s = ttl_s
        self._clock = clock
        self._accessed_s = {
            known: accessed[known] for known in sorted(accessed, key=accessed.__getitem__)
        }

    def on_access(self, session_id: str) -> tuple[str, ...]:
        """The others whose time has run out; the accessed session is young again."""
        self._accessed_s.pop(session_id, None)
        gone = self.expired()
        self._accessed_s[session_id] = self._clock()
        return gone

    def expired(self) -> tuple[str, ...]:
        """The sessions whose time has run out, which are forgotten with this answer."""
        now_s = self._clock()
        # The oldest access comes first, so the first young session ends the search.
        gone = tuple(
            takewhile(
                lambda known: now_s - self._accessed_s[known] >= self._ttl_s, self._accessed_s
            )
        )
        for known in gone:
            del self._accessed_s[known]
        return gone

    def on_removed(self, session_id: str) -> None:
        """Forget when it was used."""
        self._accessed_s.pop(session_id, None)

    def reason(self, session_id: str) -> EvictionReason:
        """`ttl`."""
        return "ttl"
