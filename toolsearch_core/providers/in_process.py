"""The Messages API inside this process: a transport that answers from a plain function.

The `anthropic` library talks to it as to the real service, so the offline models use the very code that
asks Claude: the same client, the same events, the same errors. Requests that the real service would
refuse are refused here too (`wire_rules`).
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import httpx2

from toolsearch_core.jsonvalues import JsonObject, compact_json, digest
from toolsearch_core.providers.wire_rules import Refused, check_body

if TYPE_CHECKING:
    import anthropic

Answer = Callable[[JsonObject], JsonObject]
"""Takes the body of a request; gives a message of the Messages API: at least `content` and `stop_reason`."""
Count = Callable[[JsonObject], int]
"""Takes the body of a request; gives its prompt tokens."""

BreakKind = Literal["silence", "lost", "error", "garbage"]
"""The stream just ends; the connection is lost; an error event comes; what comes is no JSON."""

STATUS: Mapping[str, int] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""Type of an error -> HTTP status."""

DELTA_CHARS = 24
"""Text goes out in pieces of whole words of about this length."""
PAUSE_S = 0.02
"""Between two pieces, when there is a pause at all."""


@dataclass(eq=False)
class ServiceError(Exception):
    """Raise it in an `Answer` to answer with an error of the Messages API."""

    kind: str
    """A key of `STATUS`."""
    message: str
    retry_after_s: int | None = None


@dataclass(eq=False)
class BrokenStream(Exception):
    """Raise it in an `Answer` to begin a streamed message and break it off."""

    message: JsonObject
    events: int
    """How many events get through."""
    how: BreakKind = "lost"


class InProcessService:
    """Answers `POST /v1/messages`, streamed or whole, and `POST /v1/messages/count_tokens`."""

    def __init__(
        self, answer: Answer, count: Count, *, sleep: Callable[[float], None] | None = None
    ) -> None:
        """Set the service up.

        Args:
            answer: the model.
            count: counts prompt tokens; used where a message comes without `usage`, and for count_tokens.
            sleep: waits for seconds between the pieces of a stream; `None` sends all at once.
        """
        self._answer = answer
        self._count = count
        self._sleep = sleep

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one HTTP request."""
        path = request.url.path.rstrip("/")
        try:
            if request.method != "POST":
                raise ServiceError("invalid_request_error", f"{request.method} is not served")
            if path.endswith("/v1/messages/count_tokens"):
                body = _body(request, counting=True)
                return httpx2.Response(200, json={"input_tokens": self._count(body)})
            if path.endswith("/v1/messages"):
                return self._message(_body(request))
            raise ServiceError("not_found_error", f"{path} is not served")
        except ServiceError as error:
            return _error_response(error)

    def _message(self, body: JsonObject) -> httpx2.Response:
        streamed = body.get("stream") is True
        try:
            message = self._whole(body, self._answer(body))
        except BrokenStream as broken:
            if not streamed:
                raise ServiceError("api_error", "the answer broke off") from None
            whole = self._whole(body, broken.message)
            return _stream_response(_Stream(events_of(whole), self._sleep, broken))
        if streamed:
            return _stream_response(_Stream(events_of(message), self._sleep))
        return httpx2.Response(200, json=message)

    def _whole(self, body: JsonObject, message: JsonObject) -> dict[str, Any]:
        usage = message.get("usage")
        if usage is None:
            said = len(compact_json(message["content"])) // 4
            usage = {"input_tokens": self._count(body), "output_tokens": said}
        return {
            "id": "msg_" + digest(compact_json(body))[:24],
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": message["content"],
            "stop_reason": message["stop_reason"],
            "stop_sequence": None,
            "usage": usage,
        }


def in_process_client(service: InProcessService) -> "anthropic.Anthropic":
    """A client of the `anthropic` library whose every request stays in this process."""
    import anthropic

    transport = httpx2.MockTransport(service)
    return anthropic.Anthropic(
        api_key="none-needed",
        base_url="http://in-process.invalid",
        max_retries=0,
        http_client=httpx2.Client(transport=transport, trust_env=False),
    )


def events_of(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The events that stream a message, in the order the Messages API sends them."""
    usage = {**message["usage"], "output_tokens": min(1, message["usage"]["output_tokens"])}
    opening = {**message, "content": [], "stop_reason": None, "usage": usage}
    yield {"type": "message_start", "message": opening}
    for index, block in enumerate(message["content"]):
        empty, deltas = _pieces(block)
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
        "usage": {"output_tokens": message["usage"]["output_tokens"]},
    }
    yield {"type": "message_stop"}


def _pieces(block: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[dict[str, Any]]]:
    """A block as it starts, and the deltas that fill it."""
    match block.get("type"):
        case "text":
            deltas = [{"type": "text_delta", "text": piece} for piece in text_pieces(block["text"])]
            return {**block, "text": ""}, deltas
        case "thinking":
            pieces = text_pieces(block["thinking"])
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces]
            deltas.append({"type": "signature_delta", "signature": block.get("signature", "")})
            return {**block, "thinking": "", "signature": ""}, deltas
        case "tool_use" | "server_tool_use":
            # A cut-off call may carry the text of its arguments, which then is no JSON.
            text = block.get("partial_json", compact_json(block["input"]))
            parts = [text[at : at + DELTA_CHARS] for at in range(0, len(text), DELTA_CHARS)]
            empty = {key: value for key, value in block.items() if key != "partial_json"}
            return {**empty, "input": {}}, [
                {"type": "input_json_delta", "partial_json": part} for part in ["", *parts]
            ]
    return block, []


def text_pieces(text: str) -> list[str]:
    """The text in pieces of whole words of about `DELTA_CHARS` characters; joined they are the text."""
    pieces: list[str] = []
    for word in re.findall(r"\s*\S{1,40}|\s+$", text):
        if pieces and len(pieces[-1]) + len(word) <= DELTA_CHARS:
            pieces[-1] += word
        else:
            pieces.append(word)
    return pieces


class _Stream(httpx2.SyncByteStream):
    """The bytes of a stream of events; may break off, may pause between pieces of text."""

    def __init__(
        self,
        events: Iterator[dict[str, Any]],
        sleep: Callable[[float], None] | None,
        broken: BrokenStream | None = None,
    ) -> None:
        self._events = events
        self._sleep = sleep
        self._broken = broken

    def __iter__(self) -> Iterator[bytes]:
        for count, event in enumerate(self._events):
            if self._broken is not None and count >= self._broken.events:
                yield from self._end(self._broken)
                return
            yield _line(event["type"], compact_json(event))
            if self._sleep is not None and event["type"] == "content_block_delta":
                self._sleep(PAUSE_S)

    def _end(self, broken: BrokenStream) -> Iterator[bytes]:
        match broken.how:
            case "lost":
                raise httpx2.ReadError("the connection was lost")
            case "error":
                error = _error_json(ServiceError("overloaded_error", "Overloaded"))
                yield _line("error", compact_json(error))
            case "garbage":
                yield _line("content_block_delta", '{"type": "content_blo')
            case "silence":
                return


def _line(kind: str, data: str) -> bytes:
    return f"event: {kind}\ndata: {data}\n\n".encode()


def _stream_response(stream: _Stream) -> httpx2.Response:
    return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=stream)


def _body(request: httpx2.Request, *, counting: bool = False) -> JsonObject:
    try:
        body = json.loads(request.content)
        if not isinstance(body, dict):
            raise Refused("the body must be a JSON object")
        check_body(body, counting=counting)
    except Refused as refused:
        raise ServiceError("invalid_request_error", str(refused)) from None
    except (ValueError, RecursionError):
        raise ServiceError("invalid_request_error", "the body is no JSON") from None
    return body


def _error_json(error: ServiceError) -> dict[str, Any]:
    return {"type": "error", "error": {"type": error.kind, "message": error.message}}


def _error_response(error: ServiceError) -> httpx2.Response:
    headers = {} if error.retry_after_s is None else {"retry-after": str(error.retry_after_s)}
    return httpx2.Response(STATUS.get(error.kind, 400), headers=headers, json=_error_json(error))
