"""Eviction at every access: each turn starts on a fresh index."""

from toolsearch_core.events import EvictionReason


class Always:
    """Releases the accessed session before it is indexed, so nothing outlives a turn.

    Not for conversations: what was discovered is forgotten with every turn, and every turn pays for
    its index. It releases nothing after a turn either; to bound memory, compose it with `Lru`.
    """

    evicts_current = True

    def on_access(self, session_id: str) -> tuple[str, ...]:
        """The accessed session itself."""
        return (session_id,)

    def expired(self) -> tuple[str, ...]:
        """Nothing: without an access there is no turn to start afresh."""
        return ()

    def on_removed(self, session_id: str) -> None:
        """Nothing to forget."""

    def reason(self, session_id: str) -> EvictionReason:
        """`always`."""
        return "always"
