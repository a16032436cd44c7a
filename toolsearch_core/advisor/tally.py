"""The tokens of one turn, summed up from the events of its model calls."""

from dataclasses import dataclass, field
from typing import Literal

from toolsearch_core.events import Event, RequestPrepared, ResponseReceived
from toolsearch_core.usage import UsageSource


@dataclass(slots=True)
class Tally:
    """What a turn has used so far."""

    calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    baseline_tokens: int = 0
    latest_baseline: int = 0
    awaited: RequestPrepared | None = None
    """A request that went out; it counts when its answer is there, or when that is cut off."""
    sources: list[UsageSource] = field(default_factory=list)

    def note(self, event: Event) -> None:
        """Take in what an event says of tokens.

        A search round would not have been needed with every tool up front, so the baseline has none.
        """
        if isinstance(event, RequestPrepared):
            self.calls += 1
            self.awaited = event
        elif isinstance(event, ResponseReceived):
            self.output_tokens += event.usage.output_tokens
            self._count(event.usage.input_tokens, event.usage.source, event.search_round)

    def cut_off(self) -> None:
        """Nobody waits for the answer any more: its request was read, so that it counts as estimated."""
        if self.awaited is not None:
            self._count(self.awaited.tokens.total, "estimated", search_round=False)

    def _count(self, tokens: int, source: UsageSource, search_round: bool) -> None:
        self.prompt_tokens += tokens
        self.sources.append(source)
        if self.awaited is not None:
            self.latest_baseline = self.awaited.conversation_baseline.total
            self.awaited = None
            if not search_round:
                self.baseline_tokens += self.latest_baseline

    @property
    def source(self) -> Literal["estimated", "reported", "mixed"]:
        """Who counted the tokens."""
        kinds = sorted(set(self.sources))
        return kinds[0] if len(kinds) == 1 else "mixed" if kinds else "estimated"
