"""The ledger side by side: one column for each model call or turn, and the gaps where the index went."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pages._shared.language import t
from pages._shared.visual_language import PARTS, Part
from toolsearch_core.trace.ledger import CallRow, Ledger

By = Literal["calls", "turns"]
GAP = 0.6
"""Width of a gap, in columns."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """One model call or one turn. All numbers are tokens."""

    name: str
    x: float
    turn: int
    parts: Mapping[Part, int]
    baseline: int
    dropped: int
    reported: int | None
    """What the service reported; `None` when it did not, or the count is an estimate."""
    search_rounds: int
    simulated: bool

    @property
    def total(self) -> int:
        """The whole prompt."""
        return sum(self.parts.values())


@dataclass(frozen=True, kw_only=True, slots=True)
class Gap:
    """Between two columns, where the index was evicted."""

    x: float
    reasons: tuple[str, ...]


def columns(ledger: Ledger, by: By) -> tuple[Column, ...]:
    """What is drawn side by side, oldest first."""
    if by == "calls":
        before = [mark.calls_before for mark in ledger.evictions]
        return tuple(
            _column([call], f"{call.turn}.{call.call}", place, before, call.baseline.total)
            for place, call in enumerate(ledger.calls)
        )
    before = [_turns_before(ledger, mark.calls_before) for mark in ledger.evictions]
    return tuple(
        _column(
            ledger.counted_calls(turn),
            t("ledger.turn", n=turn.turn),
            place,
            before,
            turn.baseline.total,
        )
        for place, turn in enumerate(ledger.turns)
    )


def call_column(call: CallRow) -> Column:
    """One request by itself."""
    return _column([call], f"{call.turn}.{call.call}", 0, (), call.baseline.total)


def _turns_before(ledger: Ledger, calls_before: int) -> int:
    """How many turns stand before an eviction; one in the middle of a turn is shown after it."""
    if calls_before == 0:
        return 0
    turn = ledger.calls[calls_before - 1].turn
    return sum(row.turn <= turn for row in ledger.turns)


def _column(
    calls: Sequence[CallRow], name: str, place: int, evicted_before: Sequence[int], baseline: int
) -> Column:
    reported = [
        call.usage.input_tokens for call in calls if call.usage and call.usage.source == "reported"
    ]
    return Column(
        name=name,
        x=_x(place, evicted_before),
        turn=calls[0].turn if calls else place + 1,
        parts=_parts(calls),
        baseline=baseline,
        dropped=sum(call.dropped_tokens for call in calls),
        reported=sum(reported) if reported and len(reported) == len(calls) else None,
        search_rounds=sum(call.search_round for call in calls),
        simulated=any(call.simulated for call in calls),
    )


def _x(place: int, evicted_before: Sequence[int]) -> float:
    return place + GAP * len({before for before in evicted_before if before <= place})


def _parts(calls: Sequence[CallRow]) -> Mapping[Part, int]:
    parts: dict[Part, int] = dict.fromkeys(PARTS, 0)
    for call in calls:
        parts["system"] += call.tokens.system
        parts["messages"] += call.tokens.messages
        parts["search_tool"] += call.tokens.search_tool
        for tool in call.injected:
            match tool.reason:
                case "search_tool":
                    pass
                case "pinned" | "accumulated":
                    parts[tool.reason] += tool.tokens
                case _:
                    parts["injected"] += tool.tokens
    return parts


def gaps(ledger: Ledger, by: By) -> tuple[Gap, ...]:
    """Where the index was evicted, oldest first."""
    reasons: dict[int, list[str]] = {}
    for mark in ledger.evictions:
        before = mark.calls_before if by == "calls" else _turns_before(ledger, mark.calls_before)
        reasons.setdefault(before, []).append(mark.reason)
    return tuple(
        Gap(x=before - 0.5 + GAP * (number + 0.5), reasons=tuple(reasons[before]))
        for number, before in enumerate(sorted(reasons))
    )
