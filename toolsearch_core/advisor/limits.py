"""How often a turn may call tools: a limit for each tool and one for all together, searches included."""

from collections import Counter

from toolsearch_core.notices import Notice, notice
from toolsearch_core.options import AdvisorOptions


class CallLimits:
    """Counts the calls of one turn."""

    def __init__(self, options: AdvisorOptions) -> None:
        self._options = options
        self._calls: Counter[str] = Counter()
        self.reached: Notice | None = None
        """The first limit that a call went past; `None` while there is none."""

    def count(self, name: str) -> Notice | None:
        """Count one call; which limit it goes past, if it does."""
        self._calls[name] += 1
        over: Notice | None = None
        if self._calls[name] > self._options.calls_per_tool:
            limit = self._options.calls_per_tool
            over = notice("advisor.tool_call_limit", name=name, limit=limit)
        elif self._calls.total() > self._options.calls_per_turn:
            over = notice("advisor.turn_call_limit", limit=self._options.calls_per_turn)
        self.reached = self.reached or over
        return over
