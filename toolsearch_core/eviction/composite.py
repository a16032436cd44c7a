"""Several strategies as one: a session goes as soon as any of them asks."""

from collections.abc import Callable, Mapping, Sequence

from toolsearch_core.errors import SettingsError
from toolsearch_core.events import EvictionReason
from toolsearch_core.protocols import EvictionStrategy


class Composite:
    """The union of its parts.

    Every part sees every access, and every removal that another part asked for. A session that is
    released and indexed again in one access (`Always`) is not gone, so the other parts keep it, and
    a limit beside `Always` still holds. Not for parts that count something else than sessions.
    """

    def __init__(self, parts: Sequence[EvictionStrategy]) -> None:
        """Compose.

        Args:
            parts: at least one; where several name a session, the first gives the reason.

        Raises:
            SettingsError: there are no parts.
        """
        if not parts:
            raise SettingsError(
                "settings.out_of_range",
                option="parts",
                value="empty",
                allowed="one strategy or more",
            )
        self._parts = tuple(parts)
        self._oldest_first: dict[str, None] = {}
        self._reasons: Mapping[str, EvictionReason] = {}

    @property
    def evicts_current(self) -> bool:
        """Whether one of the parts may."""
        return any(part.evicts_current for part in self._parts)

    def on_access(self, session_id: str) -> tuple[str, ...]:
        """What any part names."""
        self._oldest_first.pop(session_id, None)
        self._oldest_first[session_id] = None
        return self._union(lambda part: part.on_access(session_id), stays=session_id)

    def expired(self) -> tuple[str, ...]:
        """What any part calls expired."""
        return self._union(lambda part: part.expired())

    def on_removed(self, session_id: str) -> None:
        """Every part forgets it."""
        self._oldest_first.pop(session_id, None)
        for part in self._parts:
            part.on_removed(session_id)

    def reason(self, session_id: str) -> EvictionReason:
        """The reason of the first part that named it."""
        return self._reasons[session_id]

    def _union(
        self, ask: Callable[[EvictionStrategy], tuple[str, ...]], stays: str | None = None
    ) -> tuple[str, ...]:
        reasons: dict[str, EvictionReason] = {}
        for part in self._parts:
            for named in ask(part):
                reasons.setdefault(named, part.reason(named))
        self._reasons = reasons
        if not reasons:
            return ()
        # What only a part knows was there before this composite, so it is older than the rest.
        before = [named for named in reasons if named not in self._oldest_first]
        gone = (*before, *(known for known in self._oldest_first if known in reasons))
        for known in gone:
            if known != stays:
                self.on_removed(known)
        return gone
