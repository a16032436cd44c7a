"""What was saved, like compared with like: folds of the ledger for headline, bars and turns."""

from dataclasses import dataclass

from toolsearch_core.trace.ledger import CallRow, Ledger, TurnRow, saved_share


@dataclass(frozen=True, kw_only=True, slots=True)
class Savings:
    """Answered turns beside the same turns with every tool up front. All numbers are tokens."""

    prompt_tokens: int
    baseline_tokens: int

    @property
    def share(self) -> float:
        """Share of the baseline not sent; negative where searching costs more."""
        return saved_share(self.prompt_tokens, self.baseline_tokens)


def savings(ledger: Ledger) -> Savings:
    """The conversation so far; a turn without an answer counts for nothing."""
    counted = [turn for turn in ledger.turns if turn.status == "answered"]
    return Savings(
        prompt_tokens=sum(turn.tokens.total for turn in counted),
        baseline_tokens=sum(turn_baseline(ledger, turn) for turn in counted),
    )


def turn_baseline(ledger: Ledger, turn: TurnRow) -> int:
    """What the turn would have taken with every tool up front.

    A turn that did send every tool is its own baseline: that earlier turns searched, and their
    searches are in the messages, makes neither bar higher than the other.
    """
    if any(all_up_front(call) for call in ledger.calls if call.turn == turn.turn):
        return turn.tokens.total
    return turn.baseline.total


def all_up_front(call: CallRow) -> bool:
    """Whether the request carried every tool."""
    return any(tool.reason == "all_up_front" for tool in call.injected)
