"""What a call of the client answers: the text, how the turn ended, and all its events."""

from collections.abc import Sequence
from dataclasses import dataclass

from toolsearch_core.errors import ToolSearchError
from toolsearch_core.events import TraceEntry, TurnEnded, TurnStatus
from toolsearch_core.notices import Notice
from toolsearch_core.trace.ledger import Ledger, ledger


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """One turn that is over."""

    text: str
    """What the person reads; as far as it came when the turn was stopped or cut off."""
    status: TurnStatus
    problem: Notice | None
    """Why the turn did not end with an answer; `None` when it did."""
    entries: tuple[TraceEntry, ...]
    """All that happened, in order."""

    @property
    def ledger(self) -> Ledger:
        """The tokens of the turn."""
        return ledger(self.entries)


class TurnFailedError(ToolSearchError):
    """A turn failed: the model or a part of the loop broke. `answer` has what happened until then."""

    def __init__(self, answer: Answer, problem: Notice) -> None:
        super().__init__(problem.code, **problem.params)
        self.answer = answer


def answer_of(entries: Sequence[TraceEntry]) -> Answer:
    """Fold the entries of a turn that is over.

    Raises:
        TurnFailedError: the turn failed.
    """
    end = next(entry.event for entry in reversed(entries) if isinstance(entry.event, TurnEnded))
    answer = Answer(text=end.answer, status=end.status, problem=end.problem, entries=tuple(entries))
    if end.status == "failed" and end.problem is not None:
        raise TurnFailedError(answer, end.problem)
    return answer
