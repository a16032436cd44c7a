"""Folds of a conversation's trace into what the Live page draws; no Streamlit in here."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from toolsearch_core.events import (
    RequestPrepared,
    ResponseReceived,
    TextDelta,
    ToolCalled,
    ToolsSearched,
    TraceEntry,
    TurnEnded,
    TurnStarted,
)
from toolsearch_core.tools import SEARCH_TOOL_NAME
from toolsearch_core.trace.ledger import counts


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelCall:
    """One request and, once it came, its answer."""

    request: RequestPrepared
    seq: int
    """The trace entry of the request."""
    added: int
    """Definitions that the request before did not carry; the search tool is not counted."""
    added_tokens: int
    answer: ResponseReceived | None


Step = ModelCall | TraceEntry
"""A trace entry stands for itself, but for a request and its answer, which are one step."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnView:
    """One turn as it is drawn."""

    started: TurnStarted
    steps: tuple[Step, ...]
    words: str
    """What the model is saying now; empty as soon as that answer is complete."""
    ended: TurnEnded | None
    after: tuple[TraceEntry, ...]
    """Evictions between this turn and the next one."""

    @property
    def searches(self) -> tuple[ToolsSearched, ...]:
        """The searches of the turn."""
        return tuple(event for event in self._events() if isinstance(event, ToolsSearched))

    @property
    def calls(self) -> tuple[ToolCalled, ...]:
        """The calls of tools other than the search tool, also when a search was not run."""
        calls = (event for event in self._events() if isinstance(event, ToolCalled))
        return tuple(call for call in calls if call.name != SEARCH_TOOL_NAME)

    @property
    def direct(self) -> tuple[ToolCalled, ...]:
        """The calls whose results are the answer; empty when the model has answered itself."""
        if self.ended is None or self.ended.status != "answered":
            return ()
        last = reversed(self.steps)
        after_model = takewhile(lambda step: not isinstance(step, ModelCall), last)
        events = [step.event for step in after_model if isinstance(step, TraceEntry)]
        return tuple(event for event in reversed(events) if isinstance(event, ToolCalled))

    @property
    def prompt_tokens(self) -> int:
        """Prompt tokens of its requests, estimated and counted as those of the ledger are."""
        status = self.ended.status if self.ended else None
        calls = (step for step in self.steps if isinstance(step, ModelCall))
        return sum(
            call.request.tokens.total
            for call in calls
            if counts(status, answered=call.answer is not None)
        )

    def _events(self) -> list[object]:
        return [step.event for step in self.steps if isinstance(step, TraceEntry)]


def turn_views(entries: Sequence[TraceEntry]) -> tuple[TurnView, ...]:
    """The turns of a conversation, oldest first."""
    starts = [place for place, entry in enumerate(entries) if isinstance(entry.event, TurnStarted)]
    views: list[TurnView] = []
    sent: frozenset[str] = frozenset()
    for start, end in pairwise([*starts, len(entries)]):
        view, sent = _turn(entries[start:end], sent)
        views.append(view)
    return tuple(views)


def _turn(entries: Sequence[TraceEntry], sent: frozenset[str]) -> tuple[TurnView, frozenset[str]]:
    started = entries[0].event
    assert isinstance(started, TurnStarted)
    answers = {
        entry.event.call: entry.event
        for entry in entries
        if isinstance(entry.event, ResponseReceived)
    }
    steps: list[Step] = []
    after: list[TraceEntry] = []
    words = ""
    ended: TurnEnded | None = None
    for entry in entries[1:]:
        match entry.event:
            case RequestPrepared() as request:
                steps.append(_model_call(request, entry.seq, answers.get(request.call), sent))
                sent = frozenset(tool.name for tool in request.injected)
                words = ""
            case ResponseReceived():
                words = ""
            case TextDelta(text=text):
                words += text
            case TurnEnded() as event:
                ended = event
            case _:
                (after if ended else steps).append(entry)
    view = TurnView(
        started=started, steps=tuple(steps), words=words, ended=ended, after=tuple(after)
    )
    return view, sent


def _model_call(
    request: RequestPrepared, seq: int, answer: ResponseReceived | None, sent: frozenset[str]
) -> ModelCall:
    new = [
        tool for tool in request.injected if tool.name not in sent and tool.reason != "search_tool"
    ]
    return ModelCall(
        request=request,
        seq=seq,
        added=len(new),
        added_tokens=sum(tool.tokens for tool in new),
        answer=answer,
    )


def first_question(entries: Sequence[TraceEntry]) -> str:
    """The whole first question of a conversation, of which its title is the beginning; else nothing."""
    events = (entry.event for entry in entries)
    return next((event.text for event in events if isinstance(event, TurnStarted)), "")


def model_call(entries: Sequence[TraceEntry], seq: int) -> ModelCall | None:
    """The model call whose request is this trace entry."""
    for view in turn_views(entries):
        for step in view.steps:
            if isinstance(step, ModelCall) and step.seq == seq:
                return step
    return None


def called_names(call: ModelCall) -> frozenset[str]:
    """Wire names that the model called in its answer to this request."""
    return frozenset(item.name for item in call.answer.calls) if call.answer else frozenset()
