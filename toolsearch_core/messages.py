"""The conversation as values: blocks, messages, and one model call's request and response."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from toolsearch_core.jsonvalues import JsonObject
from toolsearch_core.tools import ToolDefinition
from toolsearch_core.usage import Usage

Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Text by either side."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolUseBlock:
    """The model calls a tool."""

    id: str
    """Unique in its conversation."""
    name: str
    """The wire name."""
    input: JsonObject = field(hash=False)


@dataclass(frozen=True, slots=True)
class ToolResultBlock:
    """The answer to one call."""

    tool_use_id: str
    content: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class OpaqueBlock:
    """A block the provider made and wants back unchanged, such as thinking or a server-side search."""

    data: JsonObject = field(hash=False)
    """The block as it came, `type` included."""


Block = TextBlock | ToolUseBlock | ToolResultBlock | OpaqueBlock


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    content: tuple[Block, ...]

    @property
    def text(self) -> str:
        """The text blocks, joined by line breaks."""
        return "\n".join(block.text for block in self.content if isinstance(block, TextBlock))

    @property
    def tool_uses(self) -> tuple[ToolUseBlock, ...]:
        """The calls in this message, in order."""
        return tuple(block for block in self.content if isinstance(block, ToolUseBlock))


def user_text(text: str) -> Message:
    """A user message of one text."""
    return Message("user", (TextBlock(text),))


def tool_results(results: Sequence[ToolResultBlock]) -> Message:
    """The user message that answers all calls of one assistant message, in their order."""
    return Message("user", tuple(results))


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelRequest:
    """Everything one model call sends."""

    model: str
    system: str
    tools: tuple[ToolDefinition, ...]
    """In the order they are sent; the search tool first when there is one."""
    messages: tuple[Message, ...]
    max_tokens: int = 4096
    """The output limit, in tokens."""


StopReason = Literal["end_turn", "tool_use", "max_tokens", "stop_sequence", "refusal", "pause_turn"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelResponse:
    """What one model call answered."""

    content: tuple[Block, ...]
    stop_reason: StopReason
    usage: Usage
