"""Who owns what: one workspace for each browser session, found by an id that cannot be guessed.

Nothing in here knows of Streamlit. A page keeps the id in its address, so that a reload or a lost
connection finds everything again; whoever does not have the id never sees it.
"""

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from toolsearch_core.protocols import Clock
from toolsearch_core.workspace import Workspace

CAPACITY = 200
"""Workspaces kept at the same time in one process."""
IDLE_S = 6 * 3600.0
"""Seconds after which a workspace that nobody used is closed."""
ID_BYTES = 24


@dataclass(slots=True)
class _Kept:
    workspace: Workspace
    used_s: float


class Workspaces:
    """The workspaces of one process, least recently used first. Safe to use from several threads."""

    def __init__(
        self,
        make: Callable[[], Workspace],
        *,
        capacity: int = CAPACITY,
        idle_s: float = IDLE_S,
        clock: Clock = time.monotonic,
        busy: Callable[[str], bool] = lambda workspace_id: False,
        closing: Callable[[str], None] = lambda workspace_id: None,
    ) -> None:
        """Set the store up, empty.

        Args:
            make: makes a workspace.
            capacity: how many are kept; the least recently used one goes first.
            idle_s: seconds without use after which one is closed.
            clock: seconds; only differences mean anything.
            busy: whether a workspace may not be closed now.
            closing: told the id of a workspace before it is closed.
        """
        self._make = make
        self._capacity = capacity
        self._idle_s = idle_s
        self._clock = clock
        self._busy = busy
        self._closing = closing
        self._lock = threading.Lock()
        self._kept: dict[str, _Kept] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, workspace_id: str) -> Workspace | None:
        """The workspace of this id, if there is one; finding it counts as use."""
        with self._lock:
            gone = self._take_idle()
            kept = self._kept.pop(workspace_id, None)
            if kept is not None:
                kept.used_s = self._clock()
                self._kept[workspace_id] = kept
        self._close(gone)
        return kept.workspace if kept else None

    def open(self) -> str:
        """Make a new workspace; its id."""
        workspace_id = secrets.token_urlsafe(ID_BYTES)
        with self._lock:
            gone = self._take_idle()
            self._kept[workspace_id] = _Kept(self._make(), self._clock())
            for known in list(self._kept):
                if len(self._kept) <= self._capacity:
                    break
                if known != workspace_id and not self._busy(known):
                    gone[known] = self._kept.pop(known)
        self._close(gone)
        return workspace_id

    def close(self, workspace_id: str) -> None:
        """Close one now, whatever it is doing; an unknown id is no error."""
        with self._lock:
            kept = self._kept.pop(workspace_id, None)
        self._close({workspace_id: kept} if kept else {})

    def _take_idle(self) -> dict[str, _Kept]:
        """Under the lock: take out what nobody used for too long."""
        latest = self._clock() - self._idle_s
        idle = [
            known
            for known, kept in self._kept.items()
            if kept.used_s < latest and not self._busy(known)
        ]
        return {known: self._kept.pop(known) for known in idle}

    def _close(self, gone: dict[str, _Kept]) -> None:
        for workspace_id, kept in gone.items():
            self._closing(workspace_id)
            kept.workspace.close()
