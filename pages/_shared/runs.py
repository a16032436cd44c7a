"""Turns at work: each in a plain thread of its own, bounded in number, ended when nobody looks.

Nothing in here knows of Streamlit. A page starts a run, looks at it, and draws what the conversation
holds; a click that restarts the page's script touches nothing in here.
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterable
from typing import Literal

from toolsearch_core.errors import SessionError, ToolSearchError
from toolsearch_core.notices import Notice
from toolsearch_core.protocols import Clock

MAX_RUNNING = 8
"""Runs at work at the same time in one process; the others wait in line."""
PATIENCE_S = 120.0
"""Seconds after which a run that nobody looks at is stopped."""

RunStatus = Literal["queued", "running", "done", "failed", "interrupted", "withdrawn"]
"""`interrupted`: its thread ended without saying how. `withdrawn`: stopped before it began."""

Work = Callable[[Callable[[], bool]], Iterable[object]]
"""Does a turn bit by bit; is given what to ask whether to stop."""


class Run:
    """One turn at work."""

    def __init__(self, owner: str, conversation_id: str, text: str, looked_s: float) -> None:
        self.id = secrets.token_urlsafe(12)
        self.owner = owner
        """The workspace."""
        self.conversation_id = conversation_id
        self.text = text
        """What was asked."""
        self.stop = threading.Event()
        self.status: RunStatus = "queued"
        self.problem: Notice | None = None
        """Why it failed before it could say so in the conversation."""
        self.looked_s = looked_s
        """When somebody looked last, by the clock of `Runs`."""
        self.over = threading.Event()

    @property
    def live(self) -> bool:
        """Waiting or at work."""
        return self.status in ("queued", "running")


class Runs:
    """The runs of one process. Safe to use from several threads."""

    def __init__(
        self,
        *,
        max_running: int = MAX_RUNNING,
        patience_s: float = PATIENCE_S,
        clock: Clock = time.monotonic,
    ) -> None:
        self._max_running = max_running
        self._patience_s = patience_s
        self._clock = clock
        self._lock = threading.Lock()
        self._latest: dict[str, Run] = {}
        self._waiting: list[tuple[Run, Work]] = []
        self._running: list[Run] = []

    def start(self, owner: str, conversation_id: str, text: str, work: Work) -> Run:
        """Put a run to work, or in line when too many are.

        Raises:
            SessionError: the owner has a run that is not over yet.
        """
        with self._lock:
            latest = self._latest.get(owner)
            if latest is not None and latest.live:
                raise SessionError("session.turn_running", conversation_id=latest.conversation_id)
            run = Run(owner, conversation_id, text, self._clock())
            self._latest[owner] = run
            self._waiting.append((run, work))
            self._fill()
        return run

    def look(self, owner: str) -> Run | None:
        """The latest run of an owner, at work or over; looking keeps it alive."""
        with self._lock:
            run = self._latest.get(owner)
            if run is not None:
                run.looked_s = self._clock()
            self._fill()
        return run

    def place(self, run: Run) -> int:
        """1 for the next in line; 0 when it does not wait."""
        with self._lock:
            waiting = [item.id for item, _ in self._waiting]
        return waiting.index(run.id) + 1 if run.id in waiting else 0

    def stop(self, owner: str) -> None:
        """Ask the owner's run to end; one that waits in line never begins."""
        with self._lock:
            run = self._latest.get(owner)
            if run is not None:
                run.stop.set()
            self._fill()

    def forget(self, owner: str) -> None:
        """Stop the owner's run, and know no more of it."""
        self.stop(owner)
        with self._lock:
            self._latest.pop(owner, None)

    def busy(self, owner: str) -> bool:
        """Whether the owner has a run that is not over; asking does not count as looking."""
        run = self._latest.get(owner)
        return run is not None and run.live

    def _fill(self) -> None:
        """Under the lock: send home who gave up, and put to work who fits."""
        for item in list(self._waiting):
            if self._given_up(item[0]):
                self._waiting.remove(item)
                item[0].status = "withdrawn"
                item[0].over.set()
        while self._waiting and len(self._running) < self._max_running:
            run, work = self._waiting.pop(0)
            run.status = "running"
            self._running.append(run)
            threading.Thread(
                target=self._do, args=(run, work), name=f"run-{run.id}", daemon=True
            ).start()

    def _given_up(self, run: Run) -> bool:
        return run.stop.is_set() or self._clock() - run.looked_s > self._patience_s

    def _do(self, run: Run, work: Work) -> None:
        ended: RunStatus = "interrupted"
        try:
            for _ in work(lambda: self._given_up(run)):
                pass
            ended = "done"
        except ToolSearchError as error:
            run.problem = error.notice
            ended = "failed"
        finally:
            with self._lock:
                run.status = ended
                self._running.remove(run)
                self._fill()
            run.over.set()
