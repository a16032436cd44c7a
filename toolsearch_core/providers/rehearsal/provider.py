"""The rehearsal model behind the Messages API, as a provider like any other."""

from collections.abc import Callable, Generator, Sequence
from functools import cache, cached_property
from typing import Any

from toolsearch_core.embeddings import VectorCache, encoder_by_name, encoder_problem
from toolsearch_core.jsonvalues import JsonObject, compact_json
from toolsearch_core.messages import Message, ModelRequest, ModelResponse
from toolsearch_core.protocols import Encoder, TokenCounter
from toolsearch_core.providers import REHEARSAL_MODEL
from toolsearch_core.providers.anthropic import AnthropicProvider
from toolsearch_core.providers.rehearsal.choosing import Chooser
from toolsearch_core.providers.rehearsal.model import next_message
from toolsearch_core.providers.rehearsal.reading import tools_of
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.wire import message_from_json

ENCODER = "multilingual"


@cache
def _shared_vectors() -> VectorCache:
    """Vectors of definitions, shared by the process: every turn sees the same tools again."""
    return VectorCache()


class RehearsalProvider:
    """A `ModelProvider` that needs no key and no network; its words are simulated."""

    def __init__(
        self,
        *,
        counter: TokenCounter | None = None,
        encoder: Encoder | None = None,
        words_only: bool = False,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        """Set the model up; its client and its encoder are made when it is first asked.

        Args:
            counter: estimates tokens for the usage it reports; by default one for the newest family.
            encoder: compares needs and tools by meaning; by default the multilingual one, if installed.
            words_only: compare by words alone.
            sleep: paces the words, so that they are seen to come; `None` sends them at once.
        """
        self._counter = counter or TokenEstimator()
        self._encoder = encoder
        self._words_only = words_only
        self._sleep = sleep

    def __repr__(self) -> str:
        return f"RehearsalProvider(words_only={self._words_only})"

    @property
    def model(self) -> str:
        """The name it goes by."""
        return REHEARSAL_MODEL

    @property
    def simulated(self) -> bool:
        """Always true."""
        return True

    def stream(self, request: ModelRequest) -> Generator[str, None, ModelResponse]:
        """Yield the text of the answer in pieces, then return the whole.

        Raises:
            ProviderError: the request is one that the Messages API refuses.
        """
        return self._door.stream(request)

    def count_tokens(self, request: ModelRequest) -> int:
        """Prompt tokens of the request, estimated."""
        return self._door.count_tokens(request)

    @cached_property
    def _door(self) -> AnthropicProvider:
        from toolsearch_core.providers.in_process import InProcessService, in_process_client

        service = InProcessService(self._answer, self._count, sleep=self._sleep)
        return AnthropicProvider(in_process_client(service), self.model, simulated=True)

    @cached_property
    def _chooser(self) -> Chooser:
        encoder = self._encoder
        if encoder is None and not self._words_only and encoder_problem(ENCODER) is None:
            encoder = encoder_by_name(ENCODER)
        return Chooser(None if self._words_only else encoder, _shared_vectors())

    def _answer(self, body: JsonObject) -> JsonObject:
        message = next_message(body, self._chooser)
        return self._within_limit(body, message)

    def _within_limit(self, body: JsonObject, message: JsonObject) -> dict[str, Any]:
        """Cut what is longer than the output limit, as a model would be cut off."""
        limit = body["max_tokens"]
        content: Any = message["content"]
        said = self._count_content(content)
        whole = {**message, "usage": self._usage(body, said)}
        if not isinstance(limit, int) or said <= limit:
            return whole
        first = content[0]
        if first["type"] == "text":
            text = self._cut(first["text"], limit)
            cut: list[dict[str, Any]] = [{"type": "text", "text": text}] if text.strip() else []
        else:
            cut = [
                {**first, "input": {}, "partial_json": compact_json(first["input"])[: 2 * limit]}
            ]
        return {
            **whole,
            "content": cut,
            "stop_reason": "max_tokens",
            "usage": self._usage(body, limit),
        }

    def _cut(self, text: str, limit: int) -> str:
        """The longest beginning of a text within a number of tokens, by halving."""
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (
                (middle, high)
                if self._counter.count_text(text[:middle]) <= limit
                else (low, middle - 1)
            )
        return text[:low]

    def _count_content(self, content: Sequence[JsonObject]) -> int:
        return sum(
            self._counter.count_text(
                str(block["text"]) if block["type"] == "text" else compact_json(block["input"])
            )
            for block in content
        )

    def _usage(self, body: JsonObject, said: int) -> dict[str, int]:
        return {"input_tokens": self._count(body), "output_tokens": said}

    def _count(self, body: JsonObject) -> int:
        """Prompt tokens of a body, by the parts that the estimate of a request is made of."""
        listed: Any = body.get("messages") or []
        messages: list[Message] = [message_from_json(item) for item in listed]
        system, tools = body.get("system"), tools_of(body)
        return (
            (self._counter.count_text(system) if isinstance(system, str) else 0)
            + (self._counter.tool_prompt if tools else 0)
            + sum(self._counter.count_tool(tool) for tool in tools)
            + self._counter.count_messages(messages)
        )
