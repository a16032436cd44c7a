"""No eviction: the base case."""

from toolsearch_core.events import EvictionReason


class Never:
    """Releases nothing on its own; an index goes only when somebody evicts it.

    Not for a process that sees new sessions for as long as it runs: its memory only grows.
    """

    evicts_current = False

    def on_access(self, session_id: str) -> tuple[str, ...]:
        """Nothing."""
        return ()

    def expired(self) -> tuple[str, ...]:
        """Nothing."""
        return ()

    def on_removed(self, session_id: str) -> None:
        """Nothing to forget."""

    def reason(self, session_id: str) -> EvictionReason:
        """Never asked, because no answer names a session.

        Raises:
            LookupError: always.
        """
        raise LookupError(session_id)
