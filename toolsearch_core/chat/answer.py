"""What a call of the client answers: the text, how the turn ended, and all its events."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from toolsearch_core.errors import SettingsError, ToolSearchError
from toolsearch_core.events import TraceEntry, TurnEnded, TurnStatus
from toolsearch_core.notices import Notice
from toolsearch_core.trace.ledger import Ledger
from toolsearch_core.trace.trace import Trace


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """One turn that is over."""

    text: str
    """What the person reads; as far as it came when the turn was stopped or cut off."""
    status: TurnStatus
    problem: Notice | None
    """Why the turn did not end with an answer; `None` when it did."""
    trace: Trace = field(repr=False)
    """All that happened, in order."""

    @property
    def entries(self) -> tuple[TraceEntry, ...]:
        """The entries of the trace."""
        return self.trace.entries

    @property
    def ledger(self) -> Ledger:
        """The tokens of the turn."""
        return self.trace.ledger

    def _repr_html_(self) -> str:
        problem = f"<p>{escape(self.problem.text)}</p>" if self.problem else ""
        return f"<p>{escape(self.text)}</p>{problem}{self.trace._repr_html_()}"


class TurnFailedError(ToolSearchError):
    """A turn failed: the model or a part of the loop broke. `answer` has what happened until then."""

    def __init__(self, answer: Answer, problem: Notice) -> None:
        super().__init__(problem.code, **problem.params)
        self.answer = answer


def answer_of(entries: Sequence[TraceEntry], fault: Exception | None = None) -> Answer:
    """Fold the entries of a turn that is over.

    Args:
        entries: all of them.
        fault: what made it fail, if it did.

    Raises:
        TurnFailedError: the turn failed.
        SettingsError: an advisor has kept the end for itself.
    """
    ends = [entry.event for entry in entries if isinstance(entry.event, TurnEnded)]
    if not ends:
        raise SettingsError("chat.no_end")
    end = ends[-1]
    answer = Answer(
        text=end.answer, status=end.status, problem=end.problem, trace=Trace(tuple(entries))
    )
    if end.status == "failed" and end.problem is not None:
        raise TurnFailedError(answer, end.problem) from fault
    return answer
