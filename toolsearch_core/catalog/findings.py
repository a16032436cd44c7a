"""What is found out about one entry while it is read."""

from collections import Counter
from dataclasses import dataclass, field

from toolsearch_core.notices import Notice, notice

MAX_ALIKE = 5
"""Reasons of one kind that are listed; the rest of them is counted."""


class RejectedError(Exception):
    """The entry cannot become a tool; caught where entries are read."""

    def __init__(self, reason: Notice) -> None:
        self.reason = reason
        super().__init__(reason.code)


@dataclass(slots=True)
class Findings:
    """Reasons in the order in which they were found; of one kind, the first few and a count."""

    changed: bool = False
    """Something of the entry had to be changed to be accepted."""
    _found: dict[str, list[Notice]] = field(default_factory=dict)
    _left_out: Counter[str] = field(default_factory=Counter)

    @property
    def reasons(self) -> tuple[Notice, ...]:
        """What was found, one kind after the other."""
        reasons: list[Notice] = []
        for code, notices in self._found.items():
            reasons.extend(notices)
            if self._left_out[code]:
                reasons.append(notice("catalog.more_alike", count=self._left_out[code]))
        return tuple(reasons)

    def remark(self, found: Notice) -> None:
        """Something a person should know; nothing was changed."""
        alike = self._found.setdefault(found.code, [])
        if len(alike) < MAX_ALIKE:
            alike.append(found)
        else:
            self._left_out[found.code] += 1

    def repair(self, change: Notice) -> None:
        """Something was changed, and this is what."""
        self.changed = True
        self.remark(change)
