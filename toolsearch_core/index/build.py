"""How far a build has come, and a build in the background."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from toolsearch_core.notices import Notice

BuildState = Literal["not_built", "building", "ready", "failed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class BuildStatus:
    """How far a retriever is."""

    state: BuildState = "not_built"
    done: int = 0
    """Tools encoded so far."""
    total: int = 0
    """Tools to encode."""
    notice: Notice | None = None
    """Why it failed."""


class BuildJob:
    """A build in a thread of its own. Whoever starts one may wait, look at the store's status, or cancel."""

    def __init__(self, build: Callable[[threading.Event], None]) -> None:
        """Start at once.

        Args:
            build: does the work, looks at the event now and then and stops when it is set; its result
                and its errors go to the store's status.
        """
        self._cancelled = threading.Event()
        self._thread = threading.Thread(
            target=build, args=(self._cancelled,), name="index build", daemon=True
        )
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it is still at work."""
        return self._thread.is_alive()

    def cancel(self) -> None:
        """Stop after the current batch; what is encoded by then is kept for the next build."""
        self._cancelled.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most so long; whether it has ended."""
        self._thread.join(seconds)
        return not self.running
