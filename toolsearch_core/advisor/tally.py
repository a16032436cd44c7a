"""The tokens of one turn, summed up as its model calls come back."""

from dataclasses import dataclass, field
from typing import Literal

from toolsearch_core.advisor.accounting import Price
from toolsearch_core.messages import ModelResponse
from toolsearch_core.usage import UsageSource


@dataclass(slots=True)
class Tally:
    """What a turn has used so far."""

    calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    baseline_tokens: int = 0
    latest_baseline: int = 0
    awaited: Price | None = None
    sources: list[UsageSource] = field(default_factory=list)

    def sent(self, cost: Price) -> None:
        """A request goes out; it counts when its answer is there, or when that is cut off."""
        self.calls += 1
        self.awaited = cost

    def answered(self, cost: Price, response: ModelResponse, search_round: bool) -> None:
        """Its answer is there; a search round would not have been needed with every tool up front."""
        self.output_tokens += response.usage.output_tokens
        self._count(response.usage.input_tokens, response.usage.source, cost, search_round)

    def cut_off(self) -> None:
        """Nobody waits for the answer any more: its request was read, so that it counts as estimated."""
        if self.awaited is not None:
            self._count(self.awaited.tokens.total, "estimated", self.awaited, search_round=False)

    def _count(self, tokens: int, source: UsageSource, cost: Price, search_round: bool) -> None:
        self.awaited = None
        self.prompt_tokens += tokens
        self.sources.append(source)
        self.latest_baseline = cost.conversation_baseline.total
        if not search_round:
            self.baseline_tokens += self.latest_baseline

    @property
    def source(self) -> Literal["estimated", "reported", "mixed"]:
        """Who counted the tokens."""
        kinds = sorted(set(self.sources))
        return kinds[0] if len(kinds) == 1 else "mixed" if kinds else "estimated"
