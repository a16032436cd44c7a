"""The ledger: tokens per model call and per turn beside what all tools up front would have cost."""

from collections.abc import Sequence
from dataclasses import dataclass

from toolsearch_core.events import (
    EvictionReason,
    IndexEvicted,
    InjectedTool,
    RequestPrepared,
    ResponseReceived,
    ToolsDropped,
    TraceEntry,
    TurnEnded,
    TurnStarted,
    TurnStatus,
)
from toolsearch_core.html_tables import html_table
from toolsearch_core.usage import RequestTokens, Usage


@dataclass(frozen=True, kw_only=True, slots=True)
class CallRow:
    """One model call."""

    turn: int
    call: int
    seq: int
    """The trace entry of its request."""
    tokens: RequestTokens
    """Estimated, by part."""
    baseline: RequestTokens
    """This request with every tool up front; estimated."""
    conversation_baseline: RequestTokens
    """The same without the search rounds before it; estimated."""
    injected: tuple[InjectedTool, ...]
    dropped: tuple[str, ...]
    """Wire names that left the request since the call before."""
    dropped_tokens: int
    usage: Usage | None
    """`None` while the answer is awaited, or when it never came."""
    search_round: bool
    simulated: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnRow:
    """One turn."""

    turn: int
    text: str
    calls: int
    tokens: RequestTokens
    """Sum over its requests, by part; estimated. A request that failed counts for nothing."""
    baseline: RequestTokens
    """The same turn with every tool up front and without search rounds; estimated."""
    dropped_tokens: int
    output_tokens: int
    simulated: bool
    status: TurnStatus | None
    """`None` while the turn runs."""

    @property
    def saved(self) -> float:
        """Share of the baseline's prompt tokens not sent; negative where search costs more."""
        return saved_share(self.tokens.total, self.baseline.total)


@dataclass(frozen=True, kw_only=True, slots=True)
class EvictionMark:
    """The session index was released between two model calls, or after the last one."""

    seq: int
    """The trace entry of the eviction."""
    calls_before: int
    """How many rows of `Ledger.calls` stand before it."""
    reason: EvictionReason
    released: int
    """How many discovered tools went back to deferred."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ledger:
    """All calls and turns of a conversation, in order."""

    calls: tuple[CallRow, ...]
    turns: tuple[TurnRow, ...]
    evictions: tuple[EvictionMark, ...] = ()

    @property
    def prompt_tokens(self) -> int:
        """Prompt tokens of the turns that were answered, which alone can be compared; estimated."""
        return sum(turn.tokens.total for turn in self.turns if turn.status == "answered")

    @property
    def baseline_tokens(self) -> int:
        """Prompt tokens of these turns with every tool up front; estimated."""
        return sum(turn.baseline.total for turn in self.turns if turn.status == "answered")

    @property
    def saved(self) -> float:
        """Share of the baseline's prompt tokens not sent; negative where search costs more."""
        return saved_share(self.prompt_tokens, self.baseline_tokens)

    def counted_calls(self, turn: TurnRow) -> tuple[CallRow, ...]:
        """The calls that a turn's sums are made of."""
        mine = [call for call in self.calls if call.turn == turn.turn]
        return _counted(mine, turn.status)

    def _repr_html_(self) -> str:
        rows = [
            (
                f"{call.turn}.{call.call}",
                call.tokens.total,
                call.baseline.total,
                ", ".join(tool.name for tool in call.injected),
            )
            for call in self.calls
        ]
        sent, baseline = self.prompt_tokens, self.baseline_tokens
        caption = (
            f"Prompt tokens, estimated: {sent:,} sent, {baseline:,} with every tool up front in the"
            f" same conversation ({'+' if self.saved < 0 else '-'}{saved_percent(self.saved)} %)"
        )
        return html_table(caption, ("call", "sent", "every tool up front", "tools"), rows)


def counts(status: TurnStatus | None, *, answered: bool) -> bool:
    """Whether a request counts: one that failed was not read by a model, so it does on neither side.

    Args:
        status: how its turn ended; `None` while it runs.
        answered: whether its answer came.
    """
    return answered or status != "failed"


def saved_share(tokens: int, baseline: int) -> float:
    """1 - tokens / baseline; 0 without a baseline."""
    return 1 - tokens / baseline if baseline else 0.0


def saved_percent(share: float) -> float:
    """Percent saved or lost, without a sign and whole, but almost everything is not everything: 99.6."""
    percent = round(abs(share) * 100)
    return int(share * 1000) / 10 if percent == 100 and 0 < share < 1 else percent


def add(left: RequestTokens, right: RequestTokens) -> RequestTokens:
    """Part by part."""
    return RequestTokens(
        system=left.system + right.system,
        search_tool=left.search_tool + right.search_tool,
        definitions=left.definitions + right.definitions,
        messages=left.messages + right.messages,
    )


def ledger(entries: Sequence[TraceEntry]) -> Ledger:
    """Fold the entries of a conversation into its rows."""
    calls = _calls(entries)
    return Ledger(calls=calls, turns=_turns(entries, calls), evictions=_evictions(entries))


def _calls(entries: Sequence[TraceEntry]) -> tuple[CallRow, ...]:
    rows: list[CallRow] = []
    answers = {
        (entry.turn, entry.event.call): entry.event
        for entry in entries
        if isinstance(entry.event, ResponseReceived)
    }
    dropped: list[ToolsDropped] = []
    simulated = False
    for entry in entries:
        match entry.event:
            case TurnStarted():
                simulated = entry.event.simulated
            case ToolsDropped():
                dropped.append(entry.event)
            case RequestPrepared() as request:
                answer = answers.get((entry.turn, request.call))
                rows.append(
                    CallRow(
                        turn=entry.turn,
                        call=request.call,
                        seq=entry.seq,
                        tokens=request.tokens,
                        baseline=request.baseline,
                        conversation_baseline=request.conversation_baseline,
                        injected=request.injected,
                        dropped=tuple(name for drop in dropped for name in drop.names),
                        dropped_tokens=sum(drop.tokens for drop in dropped),
                        usage=answer.usage if answer else None,
                        search_round=answer.search_round if answer else False,
                        simulated=simulated,
                    )
                )
                dropped = []
            case _:
                pass
    return tuple(rows)


def _evictions(entries: Sequence[TraceEntry]) -> tuple[EvictionMark, ...]:
    marks: list[EvictionMark] = []
    calls = 0
    for entry in entries:
        match entry.event:
            case RequestPrepared():
                calls += 1
            case IndexEvicted(reason=reason, released=released):
                marks.append(
                    EvictionMark(
                        seq=entry.seq, calls_before=calls, reason=reason, released=len(released)
                    )
                )
            case _:
                pass
    return tuple(marks)


def _turns(entries: Sequence[TraceEntry], calls: tuple[CallRow, ...]) -> tuple[TurnRow, ...]:
    ends = {entry.turn: entry.event for entry in entries if isinstance(entry.event, TurnEnded)}
    rows: list[TurnRow] = []
    for entry in entries:
        if not isinstance(entry.event, TurnStarted):
            continue
        mine = [call for call in calls if call.turn == entry.turn]
        end = ends.get(entry.turn)
        tokens, baseline = _sums(_counted(mine, end.status if end else None))
        rows.append(
            TurnRow(
                turn=entry.turn,
                text=entry.event.text,
                calls=len(mine),
                tokens=tokens,
                baseline=baseline,
                dropped_tokens=sum(call.dropped_tokens for call in mine),
                output_tokens=sum(call.usage.output_tokens for call in mine if call.usage),
                simulated=entry.event.simulated,
                status=end.status if end else None,
            )
        )
    return tuple(rows)


def _counted(calls: Sequence[CallRow], status: TurnStatus | None) -> tuple[CallRow, ...]:
    return tuple(call for call in calls if counts(status, answered=call.usage is not None))


def _sums(calls: Sequence[CallRow]) -> tuple[RequestTokens, RequestTokens]:
    """What the requests of a turn cost, and what the same turn had cost with every tool up front.

    A turn that never got past searching would have needed one request all the same.
    """
    tokens, needed, latest = RequestTokens(), RequestTokens(), RequestTokens()
    for call in calls:
        tokens = add(tokens, call.tokens)
        latest = call.conversation_baseline
        if not call.search_round:
            needed = add(needed, latest)
    return tokens, needed if needed.total else latest
