"""The local estimate of tokens, by model family, corrected by what a provider reports."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from toolsearch_core.jsonvalues import JsonObject, JsonValue, compact_json
from toolsearch_core.messages import Block, Message, TextBlock, ToolResultBlock, ToolUseBlock
from toolsearch_core.tokens.families import (
    BLOCK_FRAME,
    MESSAGE_FRAME,
    TOOL_FRAME,
    ModelFamily,
    family_of,
)
from toolsearch_core.tokens.text_counts import TextCounts, shared_text_counts
from toolsearch_core.tools import ToolDefinition

CORRECTION_RANGE = (0.5, 2.0)
"""A report further off than this says that something else was counted, not that the factor is wrong."""

MIN_CHARS_IN_PIECES = 2000
"""A shorter definition is counted whole: cutting saves it little, and every seam costs accuracy."""


class TokenEstimator:
    """Counts for one model, without a network. Immutable, and safe to share between threads."""

    def __init__(
        self, model: str = "", *, correction: float = 1.0, counts: TextCounts | None = None
    ) -> None:
        """Make a counter.

        Args:
            model: the model's name; a name without a version counts as the newest family.
            correction: what every estimate is multiplied with, see `calibrated_by`.
            counts: the memory of counted texts; by default the one that the process shares.
        """
        low, high = CORRECTION_RANGE
        self.model = model
        self.correction = min(max(correction, low), high)
        self._family = family_of(model)
        self._counts = counts or shared_text_counts()

    @property
    def family(self) -> ModelFamily:
        """The numbers behind the estimate."""
        return self._family

    @property
    def tool_prompt(self) -> int:
        """Tokens that the service adds once to a request with tools; part of no other count here."""
        return self._corrected(self._family.tool_prompt)

    def count_text(self, text: str) -> int:
        """Tokens of a text; 0 for an empty one, at least 1 for any other."""
        return self._corrected(self._raw(text))

    def count_tool(self, tool: ToolDefinition) -> int:
        """Tokens of one tool definition in a request."""
        text = tool.definition_json
        if len(text) < MIN_CHARS_IN_PIECES:
            counted = self._counts.count(text)
        else:
            counted = self._counts.count(text, lambda: _pieces(tool))
        return self._corrected(self._weighed(counted) + TOOL_FRAME)

    def count_messages(self, messages: Sequence[Message]) -> int:
        """Tokens of a conversation in a request; 0 for none."""
        if not messages:
            return 0
        raw = sum(self._raw_block(block) for message in messages for block in message.content)
        frames = self._family.request_frame + MESSAGE_FRAME * len(messages)
        return self._corrected(raw + frames)

    def calibrated_by(self, *, reported: int, estimated: int) -> "TokenEstimator":
        """A counter that would have said `reported` where this one said `estimated`.

        Args:
            reported: prompt tokens of one request by the provider, cache reads and writes included.
            estimated: the sum of this counter's numbers for the same request, `tool_prompt` included
                when it held tools; without it a short request would look far too expensive.

        The correction stays within `CORRECTION_RANGE`; numbers that are not positive change nothing.
        """
        if reported <= 0 or estimated <= 0:
            return self
        return TokenEstimator(
            self.model, correction=self.correction * reported / estimated, counts=self._counts
        )

    def _raw(self, text: str) -> float:
        return self._weighed(self._counts.count(text))

    def _weighed(self, counted: tuple[int, int]) -> float:
        latin, other = counted
        return latin * self._family.latin + other * self._family.other

    def _raw_block(self, block: Block) -> float:
        match block:
            case TextBlock(text=text):
                return self._raw(text)
            case ToolUseBlock(name=name, input=arguments):
                return self._raw(name) + self._raw(_json(arguments)) + BLOCK_FRAME
            case ToolResultBlock(content=content):
                return self._raw(content) + BLOCK_FRAME
            case _:
                return self._raw(_json(block.data))

    def _corrected(self, raw: float) -> int:
        return max(1, round(raw * self.correction)) if raw else 0


def _pieces(tool: ToolDefinition) -> Iterator[str]:
    """The definition cut where tools of one server are often equal: between arguments."""
    cut: dict[str, Mapping[str, JsonValue]] = {}
    for section in ("properties", "$defs"):
        value = tool.input_schema.get(section)
        if isinstance(value, Mapping) and value:
            cut[section] = value
    rest = {key: {} if key in cut else value for key, value in tool.input_schema.items()}
    yield replace(tool, input_schema=rest).definition_json
    for arguments in cut.values():
        for name, schema in arguments.items():
            yield compact_json({name: schema})[1:-1] + ","


def _json(value: JsonObject) -> str:
    # Not `compact_json`: what a model wrote may hold NaN, and counting it must not fail.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
