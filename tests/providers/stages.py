"""Every provider of the library, ready for the contract."""

from collections.abc import Sequence

import anthropic

from tests.contracts.model_provider import KEY, Stage
from tests.providers.loopback import Answer, Service, refused, streamed
from toolsearch_core.protocols import ModelProvider
from toolsearch_core.providers.anthropic import AnthropicProvider
from toolsearch_core.providers.in_process import ServiceError, events_of
from toolsearch_core.providers.rehearsal import RehearsalProvider
from toolsearch_core.providers.scripted import Break, ScriptedProvider

USAGE = {"input_tokens": 11, "output_tokens": 7}


def message(content: Sequence[dict[str, object]], stop_reason: str = "") -> dict[str, object]:
    """A message of the Messages API."""
    calls = any(block["type"] == "tool_use" for block in content)
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "some-model",
        "content": list(content),
        "stop_reason": stop_reason or ("tool_use" if calls else "end_turn"),
        "stop_sequence": None,
        "usage": USAGE,
    }


def scripted_stage() -> Stage:
    """Answers from a queue."""
    failures = {
        "bad key": ServiceError("authentication_error", f"invalid x-api-key {KEY}"),
        "rate limit": ServiceError("rate_limit_error", "slow down", 3),
        "service error": ServiceError("api_error", "broken"),
        "overloaded": ServiceError("overloaded_error", "busy"),
        "refused request": ServiceError("invalid_request_error", "no"),
        "overloaded in the middle": Break([{"type": "text", "text": "Hello"}], 3, "error"),
        "stream ends early": Break([{"type": "text", "text": "Hello"}], 3, "silence"),
        "connection lost": Break([{"type": "text", "text": "Hello"}], 3, "lost"),
        "no JSON": Break([{"type": "text", "text": "Hello"}], 3, "garbage"),
    }
    return Stage(
        name="ScriptedProvider",
        answers=lambda content: ScriptedProvider([content]),
        fails=lambda failure: ScriptedProvider([failures[failure]]),
        sent=lambda provider: provider.requests[-1],  # type: ignore[attr-defined]
    )


def rehearsal_stage() -> Stage:
    """Comes to its answers by itself, from what it is asked."""
    return Stage(name="RehearsalProvider", answers=lambda content: RehearsalProvider())


def claude_stage(service: Service) -> Stage:
    """The real client, over HTTP on this machine."""
    events = list(events_of(message([{"type": "text", "text": "Hello there"}])))
    overloaded = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    garbage = b'event: content_block_delta\ndata: {"type": "conte\n\n'
    start = streamed(events[:3]).chunks
    sse = {"content-type": "text/event-stream"}
    failures = {
        "bad key": refused(401, "authentication_error", f"invalid x-api-key: {KEY}"),
        "rate limit": refused(429, "rate_limit_error", "slow down", **{"retry-after": "12"}),
        "service error": refused(500, "api_error", f"broken for {KEY}"),
        "overloaded": refused(529, "overloaded_error", "Overloaded"),
        "overloaded in the middle": streamed([*events[:3], overloaded]),
        "no answer in time": Answer(waits=True),
        "stream ends early": streamed(events[:3]),
        "connection lost": streamed(events[:3], cut=True),
        "no JSON": Answer(headers=sse, chunks=[*start, garbage]),
        "refused request": refused(400, "invalid_request_error", f"bad, says {KEY}"),
    }

    def answers(content: Sequence[dict[str, object]]) -> ModelProvider:
        service.answers[:] = [streamed(list(events_of(message(content))))]
        return service.connect(KEY)

    def fails(failure: str) -> ModelProvider:
        service.answers[:] = [failures[failure]]
        if failure != "no answer in time":
            return service.connect(KEY)
        client = anthropic.Anthropic(api_key=KEY, base_url=service.url, max_retries=0, timeout=0.1)
        return service.closes(AnthropicProvider(client, "some-model"))

    return Stage(
        name="AnthropicProvider",
        answers=answers,
        fails=fails,
        sent=lambda provider: service.received[-1].body,
    )
