"""Claude over HTTP: what is sent, how it is made, and that closing a stream hangs up."""

import json
from collections.abc import Iterator
from pathlib import Path

import anthropic
import pytest

from tests.contracts.model_provider import CLOCK, KEY, WEATHER, listen, request
from tests.providers.loopback import Answer, Service, loopback, streamed
from tests.providers.stages import USAGE, message
from toolsearch_core.errors import ProviderAuthError, ProviderError, ProviderResponseError
from toolsearch_core.messages import OpaqueBlock, TextBlock, ToolUseBlock
from toolsearch_core.providers import DEFAULT_MODEL
from toolsearch_core.providers.anthropic import READ_TIMEOUT_S, AnthropicProvider, claude
from toolsearch_core.providers.in_process import events_of
from toolsearch_core.usage import Usage


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with loopback() as running:
        yield running


def asked(service: Service, *events: dict[str, object]) -> object:
    service.answers.append(streamed(events))
    return listen(service.connect(KEY), request("hello", WEATHER)).response


def test_what_goes_over_the_wire_is_the_request(service: Service) -> None:
    service.answers.append(streamed(list(events_of(message([{"type": "text", "text": "Hi"}])))))
    listen(service.connect(KEY), request("hello", CLOCK, WEATHER))
    received = service.received[-1]

    assert received.path == "/v1/messages"
    assert any(KEY in value for value in received.headers.values())
    assert KEY not in json.dumps(received.body)
    assert received.body["stream"] is True
    assert received.body["model"] == "some-model"
    assert received.body["system"] == "Be brief."
    assert received.body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "hello"}]}
    ]
    assert received.body["tools"] == [
        {"name": tool.wire_name, "description": tool.description, "input_schema": tool.input_schema}
        for tool in (CLOCK, WEATHER)
    ]
    assert not {"temperature", "top_p", "top_k"} & set(received.body)


def test_counting_sends_the_same_without_an_output_limit(service: Service) -> None:
    service.connect(KEY).count_tokens(request("hello", WEATHER))
    received = service.received[-1]

    assert received.path == "/v1/messages/count_tokens"
    assert set(received.body) == {"model", "system", "tools", "messages"}


def test_closing_the_generator_hangs_up_at_once(service: Service) -> None:
    events = list(events_of(message([{"type": "text", "text": "Hello there"}])))
    service.hung_up.clear()
    service.answers.append(streamed(events[:3], waits_after=True))
    stream = service.connect(KEY).stream(request("hello"))
    next(stream)
    stream.close()

    assert service.hung_up.wait(5)


def test_usage_is_what_the_service_reports_cache_included(service: Service) -> None:
    said = message([{"type": "text", "text": "Hi"}])
    said["usage"] = {
        "input_tokens": 5,
        "output_tokens": 3,
        "cache_read_input_tokens": 100,
        "cache_creation_input_tokens": 20,
    }
    response = asked(service, *events_of(said))

    assert response.usage == Usage(  # type: ignore[attr-defined]
        input_tokens=125,
        output_tokens=3,
        cache_read_tokens=100,
        cache_write_tokens=20,
        source="reported",
    )


def test_thinking_and_unknown_blocks_come_back_as_they_were(service: Service) -> None:
    thinking = {"type": "thinking", "thinking": "Let me see what there is.", "signature": "c2ln"}
    unknown = {"type": "crystal_ball", "vision": [1, 2], "deep": {"a": None}}
    said = message([thinking, unknown, {"type": "text", "text": "Hi"}])
    response = asked(service, *events_of(said))

    assert response.content == (OpaqueBlock(thinking), OpaqueBlock(unknown), TextBlock("Hi"))  # type: ignore[attr-defined]


def test_unknown_events_and_deltas_are_passed_over(service: Service) -> None:
    events = list(events_of(message([{"type": "text", "text": "Hi"}])))
    events.insert(1, {"type": "weather_report", "sky": "blue"})
    events.insert(3, {"type": "content_block_delta", "index": 0, "delta": {"type": "smell_delta"}})
    response = asked(service, *events)

    assert response.content == (TextBlock("Hi"),)  # type: ignore[attr-defined]


@pytest.mark.outside_data
def test_a_call_cut_off_at_the_output_limit_comes_through_without_arguments(
    service: Service, outside_data: Path
) -> None:
    trouble = json.loads((outside_data / "troubles" / "PRV-07.json").read_text("utf-8"))
    for answer in trouble["responses"]:
        response = asked(service, *events_of(message(answer["content"], answer["stop_reason"])))

        assert response.stop_reason == "max_tokens"  # type: ignore[attr-defined]
        wanted = [block for block in answer["content"] if block["type"] == "tool_use"]
        calls = [b for b in response.content if isinstance(b, ToolUseBlock)]  # type: ignore[attr-defined]
        assert [call.input for call in calls] == [{} for _ in wanted]

    half = {
        "type": "tool_use",
        "id": "m1",
        "name": "lookup",
        "input": {},
        "partial_json": trouble["stream_partial_json"],
    }
    response = asked(service, *events_of(message([half], "max_tokens")))

    assert response.content == (ToolUseBlock("m1", "lookup", {}),)  # type: ignore[attr-defined]
    assert response.stop_reason == "max_tokens"  # type: ignore[attr-defined]


def test_half_a_call_that_claims_to_be_whole_is_not_understood(service: Service) -> None:
    half = {"type": "tool_use", "id": "m1", "name": "x", "input": {}, "partial_json": '{"a": "b'}

    with pytest.raises(ProviderResponseError):
        asked(service, *events_of(message([half], "tool_use")))


@pytest.mark.parametrize("reason", ["model_context_window_exceeded", "max_tokens"])
def test_a_full_context_counts_as_the_output_limit(service: Service, reason: str) -> None:
    response = asked(service, *events_of(message([{"type": "text", "text": "Hi"}], reason)))

    assert response.stop_reason == "max_tokens"  # type: ignore[attr-defined]


STRANGE_EVENTS = [
    [],
    [{"type": "message_stop"}],
    [{"type": "message_start", "message": None}],
    [{"type": "message_start", "message": {"usage": [1]}}],
    [{"type": "message_start", "message": {}}, {"type": "content_block_start"}],
    [{"type": "message_start", "message": {}}, {"type": "content_block_start", "index": 0}],
    [
        {"type": "message_start", "message": {}},
        {"type": "content_block_delta", "index": 7, "delta": {"type": "text_delta", "text": "x"}},
    ],
    [
        {"type": "message_start", "message": {}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": 3}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": []}},
    ],
    [
        {"type": "message_start", "message": {}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta"}},
    ],
]


@pytest.mark.parametrize("events", STRANGE_EVENTS, ids=range(len(STRANGE_EVENTS)))
def test_a_strange_stream_raises_nothing_but_our_errors(
    service: Service, events: list[dict[str, object]]
) -> None:
    with pytest.raises(ProviderError):
        asked(service, *events)


@pytest.mark.parametrize(
    "chunk",
    [
        b"<html>Not here</html>",
        b"event: message_start\ndata: [1, 2]\n\n",
        b"event: message_start\ndata: " + b"[" * 5000 + b"\n\n",
        b"event: message_start\ndata: \xff\xfe\n\n",
        b"\x00\x01\x02",
    ],
)
def test_bytes_that_are_no_events_raise_nothing_but_our_errors(
    service: Service, chunk: bytes
) -> None:
    service.answers.append(Answer(headers={"content-type": "text/event-stream"}, chunks=[chunk]))

    with pytest.raises(ProviderError):
        listen(service.connect(KEY), request("hello"))


def test_a_character_that_comes_in_two_halves_is_whole(service: Service) -> None:
    events = list(events_of(message([{"type": "text", "text": "ab"}])))
    texts = [event for event in events if event["type"] == "content_block_delta"]
    first, at = texts[0], events.index(texts[0])
    pieces = [
        {**first, "delta": {"type": "text_delta", "text": text}}
        for text in ("ok \ud83d", "\ude80", "!")
    ]
    kept = [event for event in events if event not in texts]
    response = asked(service, *kept[:at], *pieces, *kept[at:])

    assert response.content[0].text == "ok \U0001f680!"  # type: ignore[attr-defined]


def test_half_a_character_pair_is_replaced(service: Service) -> None:
    response = asked(service, *events_of(message([{"type": "text", "text": "a\ud83db"}])))

    response.content[0].text.encode("utf-8")  # type: ignore[attr-defined]


def test_numbers_that_json_does_not_know_are_no_arguments(service: Service) -> None:
    call = {"type": "tool_use", "id": "c", "name": "x", "input": {}, "partial_json": '{"a": NaN}'}

    with pytest.raises(ProviderResponseError):
        asked(service, *events_of(message([call])))


def test_the_client_asks_again_at_most_twice_and_waits_a_stated_time() -> None:
    client = claude(KEY)._client

    assert client.max_retries == 2
    assert client.timeout.read == READ_TIMEOUT_S  # type: ignore[union-attr]
    assert client.timeout.connect == 10  # type: ignore[union-attr]
    assert claude(KEY).model == DEFAULT_MODEL


@pytest.mark.parametrize("key", ["", "  ", "\n"])
def test_a_blank_key_is_told_before_anything_is_sent(key: str) -> None:
    with pytest.raises(ProviderAuthError) as caught:
        claude(key)

    assert caught.value.notice.code == "provider.no_key"


@pytest.mark.parametrize("key", ["sk-one two", "sk-ключ", "sk\nrest", "sk-…"])
def test_a_key_that_cannot_be_one_is_told_without_repeating_it(key: str) -> None:
    with pytest.raises(ProviderAuthError) as caught:
        claude(key)

    assert caught.value.notice.code == "provider.key_malformed"
    assert key not in str(caught.value)


def test_a_key_pasted_with_a_line_break_is_trimmed() -> None:
    assert claude(f" {KEY}\n")._client.api_key == KEY


@pytest.mark.parametrize(
    "url",
    [
        "http://[",
        "ftp://example.com",
        "localhost:80",
        "http://",
        "nonsense",
        "http://host:port",
        "http://a\0b",
        "http://\u202e",
        f"http://{'a' * 70_000}",
    ],
)
def test_a_base_url_that_is_none_is_told(url: str) -> None:
    with pytest.raises(ProviderResponseError) as caught:
        claude(KEY, base_url=url)

    assert caught.value.notice.code == "provider.bad_base_url"


def test_a_client_without_a_key_is_told_before_anything_is_sent(service: Service) -> None:
    client = anthropic.Anthropic(api_key="x", base_url=service.url)
    client.api_key = None
    before = len(service.received)

    with pytest.raises(ProviderAuthError):
        listen(AnthropicProvider(client, "m"), request("hello"))
    assert len(service.received) == before


def test_nobody_listening_is_no_connection() -> None:
    client = anthropic.Anthropic(api_key=KEY, base_url="http://127.0.0.1:9", max_retries=0)

    with pytest.raises(ProviderError) as caught:
        listen(AnthropicProvider(client, "m"), request("hello"))
    assert caught.value.notice.code == "provider.no_connection"


def test_the_usual_answer_is_counted_as_reported(service: Service) -> None:
    response = asked(service, *events_of(message([{"type": "text", "text": "Hi"}])))

    assert response.usage.input_tokens == USAGE["input_tokens"]  # type: ignore[attr-defined]
    assert response.usage.cache_read_tokens is None  # type: ignore[attr-defined]
