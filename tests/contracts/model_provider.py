"""The laws of a model provider. Each law is asked of every provider that can be brought to the situation."""

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from toolsearch_core.errors import (
    ProviderAuthError,
    ProviderError,
    ProviderRateLimitError,
    ProviderResponseError,
    ProviderUnavailableError,
)
from toolsearch_core.messages import (
    Message,
    ModelRequest,
    ModelResponse,
    TextBlock,
    ToolUseBlock,
    user_text,
)
from toolsearch_core.protocols import ModelProvider
from toolsearch_core.tools import ToolDefinition

KEY = "sk-secret-4f81"
"""The key that providers with a key are made with; it may show up nowhere."""

FAILURES: dict[str, type[ProviderError]] = {
    "bad key": ProviderAuthError,
    "rate limit": ProviderRateLimitError,
    "service error": ProviderUnavailableError,
    "overloaded": ProviderUnavailableError,
    "overloaded in the middle": ProviderUnavailableError,
    "no answer in time": ProviderUnavailableError,
    "stream ends early": ProviderUnavailableError,
    "connection lost": ProviderUnavailableError,
    "no JSON": ProviderResponseError,
    "refused request": ProviderResponseError,
}
"""What can go wrong -> the error it must become."""


def tool(name: str, description: str, **properties: str) -> ToolDefinition:
    """A tool whose properties are required; `city="string"` gives one of that type."""
    schema = {
        "type": "object",
        "properties": {key: {"type": kind} for key, kind in properties.items()},
        "required": list(properties),
    }
    return ToolDefinition(name=name, wire_name=name, description=description, input_schema=schema)


WEATHER = tool("get_weather", "Tell the current weather in a city", city="string")
CLOCK = tool("get_time", "Tell the current time in a city", city="string")


def request(text: str, *tools: ToolDefinition, messages: Sequence[Message] = ()) -> ModelRequest:
    """A request that asks one thing."""
    return ModelRequest(
        model="some-model", system="Be brief.", tools=tools, messages=(*messages, user_text(text))
    )


TEXT = request("hello", WEATHER)
ONE_CALL = request("What is the weather in Oslo?", WEATHER, CLOCK)
TWO_CALLS = request("Get the weather in Oslo and get the time in Rome", WEATHER, CLOCK)


@dataclass(frozen=True, kw_only=True)
class Stage:
    """One kind of provider, and how to bring it into a situation."""

    name: str
    answers: Callable[[Sequence[dict[str, object]]], ModelProvider]
    """A provider whose next answer has this content, or that comes to it by itself."""
    fails: Callable[[str], ModelProvider] | None = None
    """A provider whose next answer is one of `FAILURES`."""
    sent: Callable[[ModelProvider], dict[str, object]] | None = None
    """The body that the other side received last."""


@dataclass
class Heard:
    """What a stream said."""

    pieces: list[str] = field(default_factory=list)
    response: ModelResponse | None = None


def listen(provider: ModelProvider, asked: ModelRequest) -> Heard:
    """Read a whole stream."""
    heard = Heard()
    stream = provider.stream(asked)
    while True:
        try:
            heard.pieces.append(next(stream))
        except StopIteration as end:
            heard.response = end.value
            return heard


SAID = [{"type": "text", "text": "Hello there, I am glad to be of help today."}]
CALLED = [{"type": "tool_use", "id": "c1", "name": "get_weather", "input": {"city": "Oslo"}}]
BOTH = [*CALLED, {"type": "tool_use", "id": "c2", "name": "get_time", "input": {"city": "Rome"}}]


class ModelProviderLaws:
    """Mix into a test class with a parametrised `stage` fixture."""

    def test_a_text_comes_in_pieces_that_make_up_the_whole(self, stage: Stage) -> None:
        heard = listen(stage.answers(SAID), TEXT)

        assert heard.response is not None
        assert len(heard.pieces) > 1
        assert all(heard.pieces)
        assert heard.response.content == (TextBlock("".join(heard.pieces)),)
        assert heard.response.stop_reason == "end_turn"

    def test_one_call_has_an_id_a_name_and_its_arguments(self, stage: Stage) -> None:
        heard = listen(stage.answers(CALLED), ONE_CALL)

        assert heard.response is not None
        (call,) = heard.response.content
        assert isinstance(call, ToolUseBlock)
        assert (call.name, call.input) == ("get_weather", {"city": "Oslo"})
        assert call.id
        assert heard.response.stop_reason == "tool_use"
        assert heard.pieces == []

    def test_several_calls_keep_their_order_and_have_ids_of_their_own(self, stage: Stage) -> None:
        heard = listen(stage.answers(BOTH), TWO_CALLS)

        assert heard.response is not None
        calls = [block for block in heard.response.content if isinstance(block, ToolUseBlock)]
        assert [call.name for call in calls] == ["get_weather", "get_time"]
        assert [call.input for call in calls] == [{"city": "Oslo"}, {"city": "Rome"}]
        assert len({call.id for call in calls}) == 2

    def test_usage_is_filled_and_says_who_counted(self, stage: Stage) -> None:
        provider = stage.answers(SAID)
        heard = listen(provider, TEXT)

        assert heard.response is not None
        usage = heard.response.usage
        assert usage.input_tokens > 0
        assert usage.output_tokens > 0
        assert usage.source == ("estimated" if provider.simulated else "reported")

    def test_prompt_tokens_can_be_counted_and_grow_with_the_prompt(self, stage: Stage) -> None:
        provider = stage.answers(SAID)

        few = provider.count_tokens(request("hello"))
        many = provider.count_tokens(request("hello " * 200, WEATHER, CLOCK))

        assert 0 < few < many

    def test_a_closed_stream_is_over_and_the_provider_goes_on(self, stage: Stage) -> None:
        provider = stage.answers(SAID)
        stream = provider.stream(TEXT)
        next(stream)
        stream.close()

        with pytest.raises(StopIteration):
            next(stream)

    def test_no_key_shows_in_its_representation(self, stage: Stage) -> None:
        provider = stage.answers(SAID)

        assert KEY not in repr(provider)
        assert KEY not in repr(vars(provider))
        assert KEY not in repr(listen(provider, TEXT).response)

    def test_it_names_itself(self, stage: Stage) -> None:
        provider = stage.answers(SAID)

        assert provider.model
        assert isinstance(provider.simulated, bool)


def tools_are_sent_in_the_given_order(stage: Stage) -> None:
    """A law for providers whose other side can be looked at."""
    assert stage.sent is not None
    for tools in ((WEATHER, CLOCK), (CLOCK, WEATHER)):
        provider = stage.answers(SAID)
        listen(provider, request("hello", *tools))
        received = stage.sent(provider)["tools"]

        assert [item["name"] for item in received] == [item.wire_name for item in tools]  # type: ignore[attr-defined]


def a_failure_becomes_its_error_without_the_key(stage: Stage, failure: str) -> None:
    """A law for providers that can be brought to fail."""
    assert stage.fails is not None
    with pytest.raises(ProviderError) as caught:
        listen(stage.fails(failure), TEXT)

    assert type(caught.value) is FAILURES[failure]
    assert caught.value.notice.text
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert KEY not in repr(caught.value.notice)
