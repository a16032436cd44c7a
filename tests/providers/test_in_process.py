"""The Messages API in this process: the order of events, whole and streamed, and what it refuses."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import anthropic
import httpx2
import pytest

from toolsearch_core.jsonvalues import JsonObject
from toolsearch_core.providers.in_process import (
    DELTA_CHARS,
    PAUSE_S,
    STATUS,
    BrokenStream,
    InProcessService,
    ServiceError,
    in_process_client,
    text_pieces,
)

TEXT = {"type": "text", "text": "The quick brown fox jumps over the lazy dog, twice a day."}
CALL = {"type": "tool_use", "id": "c1", "name": "look", "input": {"where": "under the old table"}}
BODY = {
    "model": "m",
    "max_tokens": 100,
    "messages": [{"role": "user", "content": "hello"}],
    "tools": [{"name": "look", "input_schema": {"type": "object"}}],
}


def client_of(
    *content: Mapping[str, Any], sleep: Any = None, error: Exception | None = None
) -> anthropic.Anthropic:
    def answer(body: JsonObject) -> JsonObject:
        if error is not None:
            raise error
        stop = "tool_use" if any(block["type"] == "tool_use" for block in content) else "end_turn"
        usage = {"input_tokens": 9, "output_tokens": 5}
        return {"content": list(content), "stop_reason": stop, "usage": usage}

    return in_process_client(InProcessService(answer, lambda body: 42, sleep=sleep))


def events(client: anthropic.Anthropic, body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for event in client.messages.create(**body, stream=True):
        yield event.to_dict()


def test_events_come_in_the_order_of_the_messages_api() -> None:
    kinds = [event["type"] for event in events(client_of(TEXT, CALL), BODY)]
    steps = [kind for n, kind in enumerate(kinds) if n == 0 or kind != kinds[n - 1]]

    block = ["content_block_start", "content_block_delta", "content_block_stop"]
    assert steps == ["message_start", *block, *block, "message_delta", "message_stop"]


def test_text_comes_in_small_deltas_and_arguments_in_pieces_of_json() -> None:
    seen = list(events(client_of(TEXT, CALL), BODY))
    deltas = [event["delta"] for event in seen if event["type"] == "content_block_delta"]
    texts = [delta["text"] for delta in deltas if delta["type"] == "text_delta"]
    pieces = [delta["partial_json"] for delta in deltas if delta["type"] == "input_json_delta"]

    assert len(texts) > 2
    assert "".join(texts) == TEXT["text"]
    assert len(pieces) > 2
    assert json.loads("".join(pieces)) == CALL["input"]


def test_a_message_is_the_same_whole_and_streamed() -> None:
    client = client_of(TEXT, CALL)
    whole = client.messages.create(**BODY)
    with client.messages.stream(**BODY) as stream:
        streamed = stream.get_final_message()

    assert streamed.to_dict()["content"] == whole.to_dict()["content"]
    assert streamed.stop_reason == whole.stop_reason == "tool_use"
    assert streamed.usage.output_tokens == whole.usage.output_tokens == 5


def test_tokens_are_counted_by_the_given_function() -> None:
    counted = client_of(TEXT).messages.count_tokens(model="m", messages=BODY["messages"])

    assert counted.input_tokens == 42


def test_the_words_are_paced_only_when_somebody_asks_for_it() -> None:
    pauses: list[float] = []
    list(events(client_of(TEXT, sleep=pauses.append), BODY))

    assert pauses == [PAUSE_S] * len(text_pieces(str(TEXT["text"])))


@pytest.mark.parametrize("kind", STATUS)
def test_an_error_has_the_status_and_the_shape_of_the_messages_api(kind: str) -> None:
    with pytest.raises(anthropic.APIStatusError) as caught:
        client_of(error=ServiceError(kind, "for this reason")).messages.create(**BODY)

    assert caught.value.status_code == STATUS[kind]
    assert caught.value.type == kind
    assert caught.value.api_message == "for this reason"


def test_a_rate_limit_says_when_to_ask_again() -> None:
    with pytest.raises(anthropic.RateLimitError) as caught:
        client_of(error=ServiceError("rate_limit_error", "slow", 9)).messages.create(**BODY)

    assert caught.value.response.headers["retry-after"] == "9"


def test_a_stream_breaks_off_after_the_given_number_of_events() -> None:
    error = BrokenStream({"content": [TEXT], "stop_reason": "end_turn"}, events=4, how="silence")

    assert len(list(events(client_of(error=error), BODY))) == 4


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [("/v1/models", "POST", 404), ("/v1/messages", "GET", 400), ("/", "POST", 404)],
)
def test_nothing_else_is_served(path: str, method: str, status: int) -> None:
    service = InProcessService(lambda body: {}, lambda body: 0)

    assert service(httpx2.Request(method, f"http://in-process.invalid{path}")).status_code == status


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b"[" * 100_000, b"null"])
def test_a_body_that_is_no_json_object_is_refused(content: bytes) -> None:
    service = InProcessService(lambda body: {}, lambda body: 0)
    request = httpx2.Request("POST", "http://in-process.invalid/v1/messages", content=content)

    assert service(request).status_code == 400


@pytest.mark.parametrize(
    "text",
    ["", " ", "word", "가나다 라마바", "x" * 500, " lead and trail ", "a\n\nb\n", "日本語" * 50],
)
def test_pieces_of_a_text_make_up_the_text(text: str) -> None:
    pieces = text_pieces(text)

    assert "".join(pieces) == text
    assert all(len(piece) <= DELTA_CHARS + 40 for piece in pieces)
