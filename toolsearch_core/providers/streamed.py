"""One streamed answer, put together from the events of the Messages API.

Events: message_start, then per block content_block_start, content_block_delta…, content_block_stop,
then message_delta and message_stop (https://docs.anthropic.com/en/docs/build-with-claude/streaming).
Deltas belong to a block by its index. What is not known here is kept or passed over, never an error:
the service adds kinds of blocks and events as it grows.
"""

import json
from typing import Any, NoReturn, get_args

from toolsearch_core.errors import ProviderResponseError, ProviderUnavailableError
from toolsearch_core.jsonvalues import whole_characters
from toolsearch_core.messages import Block, ModelResponse, StopReason, TextBlock
from toolsearch_core.usage import Usage, UsageSource
from toolsearch_core.wire import block_from_json

_STOP_REASONS: tuple[StopReason, ...] = get_args(StopReason)
_CUT_SHORT = ("max_tokens", "refusal", "pause_turn")
"""Where the answer may end inside the arguments of a call."""
_GROWING = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
"""Kind of delta -> the field of delta and block that it lengthens."""


class StreamedAnswer:
    """Takes the events in order; `response` gives the whole answer."""

    def __init__(self) -> None:
        self._blocks: dict[int, dict[str, Any]] = {}
        self._arguments: dict[int, list[str]] = {}
        self._halves: dict[int, str] = {}
        self._usage: dict[str, int] = {}
        self._stop_reason: object = None
        self._started = False
        self._complete = False

    def take(self, event: object) -> str:
        """Add one event and answer the text it brought, empty when it brought none."""
        fields = _object(event)
        kind = fields.get("type")
        if kind == "message_start":
            self._started = True
            self._count(_object(fields.get("message")).get("usage"))
        elif kind == "content_block_start":
            block = dict(_object(fields.get("content_block")))
            self._blocks[_index(fields)] = block
            return whole_characters(block["text"]) if isinstance(block.get("text"), str) else ""
        elif kind == "content_block_delta":
            return self._grow(_index(fields), _object(fields.get("delta")))
        elif kind == "message_delta":
            self._stop_reason = _object(fields.get("delta")).get("stop_reason")
            self._count(fields.get("usage"))
        elif kind == "message_stop":
            self._complete = True
        return ""

    def response(self, source: UsageSource) -> ModelResponse:
        """The whole answer.

        Args:
            source: who counted the tokens of this answer.

        Raises:
            ProviderResponseError: there was no answer in the stream, or a call's arguments are no object.
            ProviderUnavailableError: the stream ended before the answer did.
        """
        if not self._started:
            _not_understood()
        if not self._complete:
            raise ProviderUnavailableError("provider.connection_lost")
        reason = self._reason()
        content = tuple(self._block(index, reason) for index in sorted(self._blocks))
        return ModelResponse(
            content=tuple(block for block in content if block != TextBlock("")),
            stop_reason=reason,
            usage=self._total(source),
        )

    def _grow(self, index: int, delta: dict[str, Any]) -> str:
        block = self._blocks.get(index)
        if block is None:
            _not_understood()
        kind = str(delta.get("type"))
        if kind == "input_json_delta":
            self._arguments.setdefault(index, []).append(_text(delta.get("partial_json")))
        elif kind in _GROWING:
            name = _GROWING[kind]
            piece = self._whole(index, _text(delta.get(name)))
            before = block.get(name)
            block[name] = (before if isinstance(before, str) else "") + piece
            return piece if kind == "text_delta" else ""
        elif kind == "citations_delta":
            block["citations"] = [*(block.get("citations") or []), delta.get("citation")]
        return ""

    def _whole(self, index: int, text: str) -> str:
        """The text without the first half of a character whose second half is still to come."""
        text = self._halves.pop(index, "") + text
        if text and "\ud800" <= text[-1] <= "\udbff":
            self._halves[index], text = text[-1], text[:-1]
        return whole_characters(text)

    def _count(self, usage: object) -> None:
        """Counts of a later event are totals, so they replace the earlier ones."""
        for name, value in _object(usage or {}).items():
            if isinstance(value, int) and value >= 0:
                self._usage[name] = value

    def _total(self, source: UsageSource) -> Usage:
        read = self._usage.get("cache_read_input_tokens")
        written = self._usage.get("cache_creation_input_tokens")
        return Usage(
            # The service counts what came from its cache and what went there beside the rest.
            input_tokens=self._usage.get("input_tokens", 0) + (read or 0) + (written or 0),
            output_tokens=self._usage.get("output_tokens", 0),
            cache_read_tokens=read,
            cache_write_tokens=written,
            source=source,
        )

    def _reason(self) -> StopReason:
        if self._stop_reason == "model_context_window_exceeded":
            return "max_tokens"
        for reason in _STOP_REASONS:
            if reason == self._stop_reason:
                return reason
        calls = any(block.get("type") == "tool_use" for block in self._blocks.values())
        return "tool_use" if calls else "end_turn"

    def _block(self, index: int, reason: StopReason) -> Block:
        block = self._blocks[index]
        if "input" in block and index in self._arguments:
            block["input"] = _arguments("".join(self._arguments[index]), reason)
        return block_from_json(block)


def _arguments(text: str, reason: StopReason) -> dict[str, Any]:
    """The arguments of a call; none where the output limit cut their text short (see `_CUT_SHORT`)."""
    if not text.strip():
        return {}
    try:
        return _object(json.loads(whole_characters(text), parse_constant=_no_number))
    except (ValueError, RecursionError, ProviderResponseError):
        if reason in _CUT_SHORT:
            return {}
        _not_understood()


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        _not_understood()
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        _not_understood()
    return value


def _index(fields: dict[str, Any]) -> int:
    index = fields.get("index")
    if not isinstance(index, int):
        _not_understood()
    return index


def _not_understood() -> NoReturn:
    raise ProviderResponseError("provider.not_understood")
