"""A model that says what it was told to say, in order: for tests, demos and golden stories.

    provider = ScriptedProvider([
        [call("tool_search_tool", query="weather")],
        [text("It is sunny.")],
    ])

It answers through the same door as the rehearsal model, so a script also proves that each request is
one that the Messages API would take.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from toolsearch_core.jsonvalues import JsonObject, JsonValue, compact_json
from toolsearch_core.messages import ModelRequest, ModelResponse, StopReason
from toolsearch_core.providers.anthropic import AnthropicProvider
from toolsearch_core.providers.in_process import (
    BreakKind,
    BrokenStream,
    InProcessService,
    ServiceError,
    in_process_client,
)

Content = Sequence[JsonObject]
"""Blocks of the Messages API, for instance from `text` and `call`; a call without an id is given one."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with more said about it than its content."""

    content: Content
    stop_reason: StopReason | None = None
    """`None` for the usual one: `tool_use` when there is a call, else `end_turn`."""
    usage: JsonObject | None = None
    """Usage of the Messages API; `None` for an estimate."""


@dataclass(frozen=True, slots=True)
class Break:
    """An answer that breaks off."""

    content: Content
    events: int = 4
    """How many events get through."""
    how: BreakKind = "lost"
    """See `BrokenStream.how`."""


Step = Content | Reply | Break | ServiceError | Callable[[JsonObject], Content]
"""What one request gets; a function is given the body of the request and answers with content."""


def text(words: str) -> JsonObject:
    """A block of text."""
    return {"type": "text", "text": words}


def call(name: str, /, **arguments: JsonValue) -> JsonObject:
    """A call of a tool, by its wire name."""
    return {"type": "tool_use", "name": name, "input": arguments}


class ScriptedProvider:
    """A `ModelProvider` that answers from a queue; a request past its end is refused."""

    def __init__(
        self,
        steps: Sequence[Step] = (),
        *,
        model: str = "scripted",
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        self.requests: list[JsonObject] = []
        """The bodies received, in order."""
        self._steps = list(steps)
        self._calls = 0
        service = InProcessService(self._answer, _count, sleep=sleep)
        self._provider = AnthropicProvider(in_process_client(service), model, simulated=True)

    def __repr__(self) -> str:
        return f"ScriptedProvider(waiting={len(self._steps)}, answered={len(self.requests)})"

    @property
    def model(self) -> str:
        """The name it goes by."""
        return self._provider.model

    @property
    def simulated(self) -> bool:
        """Always true."""
        return True

    def add(self, *steps: Step) -> None:
        """Put more answers at the end of the queue."""
        self._steps.extend(steps)

    def stream(self, request: ModelRequest) -> Generator[str, None, ModelResponse]:
        """The next answer of the queue.

        Raises:
            ProviderError: the next step is an error, or the queue is empty.
        """
        return self._provider.stream(request)

    def count_tokens(self, request: ModelRequest) -> int:
        """A quarter of the characters of the body: a stand-in, not an estimate."""
        return self._provider.count_tokens(request)

    def _answer(self, body: JsonObject) -> JsonObject:
        self.requests.append(body)
        if not self._steps:
            asked = len(self.requests)
            raise ServiceError("invalid_request_error", f"request {asked}: the script is over")
        step = self._steps.pop(0)
        if isinstance(step, ServiceError):
            raise step
        if isinstance(step, Break):
            raise BrokenStream(self._message(Reply(step.content)), step.events, step.how)
        if callable(step):
            step = step(body)
        return self._message(step if isinstance(step, Reply) else Reply(step))

    def _message(self, reply: Reply) -> JsonObject:
        content = [self._with_id(block) for block in reply.content]
        calls = any(block["type"] == "tool_use" for block in content)
        return {
            "content": content,
            "stop_reason": reply.stop_reason or ("tool_use" if calls else "end_turn"),
            "usage": reply.usage,
        }

    def _with_id(self, block: JsonObject) -> JsonObject:
        if block["type"] != "tool_use" or "id" in block:
            return block
        self._calls += 1
        return {**block, "id": f"call_{self._calls}"}


def _count(body: JsonObject) -> int:
    return len(compact_json(body)) // 4
