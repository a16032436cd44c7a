"""The end of the chain: one call to the model, repaired, priced, sent, and listened to."""

from collections.abc import Generator
from contextlib import closing

from toolsearch_core.chat.accounting import price
from toolsearch_core.chat.listening import Listening
from toolsearch_core.chat_types import ChatRequest, ChatResponse
from toolsearch_core.events import (
    Event,
    HistoryRepaired,
    RequestedCall,
    RequestPrepared,
    ResponseReceived,
    TextDelta,
)
from toolsearch_core.history import sendable
from toolsearch_core.messages import Message, ModelRequest, ModelResponse
from toolsearch_core.notices import Notice
from toolsearch_core.protocols import Clock, ModelProvider, TokenCounter
from toolsearch_core.tools import SEARCH_TOOL_NAME
from toolsearch_core.wire import request_body


class ModelCalls:
    """The model calls of one turn."""

    def __init__(self, provider: ModelProvider, counter: TokenCounter, clock: Clock) -> None:
        self.provider = provider
        self.counter = counter
        self._clock = clock
        self._repairs: tuple[Notice, ...] = ()
        """Told already; the same repair of a later call is no news."""

    def ask(self, request: ChatRequest) -> Generator[Event, None, ChatResponse]:
        """Send what the request says, and tell the answer as it comes; none when stopped meanwhile."""
        sent = yield from self._prepare(request)
        started_s = self._clock()
        answer = Listening(self.provider.stream(sent), request.stopped)
        with closing(answer.pieces()) as pieces:
            for piece in pieces:
                yield TextDelta(text=piece)
        if answer.response is not None:
            yield _received(request.call, answer.response, self._clock() - started_s)
        return ChatResponse(answer=answer.response, context=request.context)

    def _prepare(self, request: ChatRequest) -> Generator[Event, None, ModelRequest]:
        history = sendable(request.messages)
        if history.repairs and history.repairs != self._repairs:
            self._repairs = history.repairs
            yield HistoryRepaired(repairs=history.repairs)
        bare_system = request.options.system
        system = "\n\n".join(part for part in (bare_system, request.suffix) if part)
        sent = ModelRequest(
            model=self.provider.model,
            system=system,
            tools=tuple(item.tool for item in request.disclosed),
            messages=history.messages,
            max_tokens=request.options.max_tokens,
        )
        cost = price(
            self.counter,
            request.catalog,
            request.disclosed,
            system=system,
            bare_system=bare_system,
            messages=history.messages,
        )
        yield RequestPrepared(
            call=request.call,
            injected=cost.injected,
            tokens=cost.tokens,
            baseline=cost.baseline,
            conversation_baseline=cost.conversation_baseline,
            body=request_body(sent),
        )
        return sent


def _received(call: int, response: ModelResponse, duration_s: float) -> ResponseReceived:
    message = Message("assistant", response.content)
    calls = message.tool_uses
    return ResponseReceived(
        call=call,
        text=message.text,
        calls=tuple(
            RequestedCall(call_id=item.id, name=item.name, arguments=item.input) for item in calls
        ),
        stop_reason=response.stop_reason,
        usage=response.usage,
        duration_s=duration_s,
        search_round=bool(calls) and all(item.name == SEARCH_TOOL_NAME for item in calls),
    )
