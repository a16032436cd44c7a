"""A clock that a demonstration can turn forward, so that idle time need not be waited for."""

import threading
import time

from toolsearch_core.errors import SettingsError
from toolsearch_core.protocols import Clock


class DemoClock:
    """Seconds since 1970-01-01 UTC, plus what it was turned forward."""

    def __init__(self, base: Clock = time.time) -> None:
        self._base = base
        self._ahead_s = 0.0
        self._lock = threading.Lock()

    def __call__(self) -> float:
        """The time now, in seconds."""
        return self._base() + self._ahead_s

    @property
    def ahead_s(self) -> float:
        """How far this clock runs ahead, in seconds."""
        return self._ahead_s

    def advance(self, seconds: float) -> None:
        """Turn forward; time never runs back.

        Raises:
            SettingsError: the step is not positive.
        """
        if not seconds > 0:
            raise SettingsError(
                "settings.out_of_range", option="clock step", value=seconds, allowed="above 0 s"
            )
        with self._lock:
            self._ahead_s += seconds
