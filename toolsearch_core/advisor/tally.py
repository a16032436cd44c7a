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
    sources: list[UsageSource] = field(default_factory=list)

    def sent(self, cost: Price) -> None:
        """A request goes out."""
        self.calls += 1
        self.latest_baseline = cost.conversation_baseline.total

    def answered(self, cost: Price, response: ModelResponse, search_round: bool) -> None:
        """Its answer is there; a search round would not have been needed with every tool up front."""
        self.prompt_tokens += response.usage.input_tokens
        self.output_tokens += response.usage.output_tokens
        self.sources.append(response.usage.source)
        if not search_round:
            self.baseline_tokens += cost.conversation_baseline.total

    @property
    def source(self) -> Literal["estimated", "reported", "mixed"]:
        """Who counted the tokens."""
        kinds = sorted(set(self.sources))
        return kinds[0] if len(kinds) == 1 else "mixed" if kinds else "estimated"
