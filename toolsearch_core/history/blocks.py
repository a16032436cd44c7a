"""What the blocks of a history are to each other: calls and results, of the client and of the server.

A client call is answered in the next user message; a call that the server makes (`server_tool_use`,
`mcp_tool_use`) is answered by a block of a kind ending in `_tool_result` in the same message.
"""

import re

from toolsearch_core.jsonvalues import JsonValue, compact_json
from toolsearch_core.messages import (
    Block,
    OpaqueBlock,
    Role,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from toolsearch_core.tools import WIRE_NAME_PATTERN

CALL_ID = re.compile(r"[a-zA-Z0-9_-]+")
CALL_NAME = re.compile(WIRE_NAME_PATTERN)

_SERVER_CALLS = ("server_tool_use", "mcp_tool_use")
_ONLY_OF_ASSISTANT = ("thinking", "redacted_thinking", *_SERVER_CALLS)
_ONLY_OF_USER = ("tool_result", "image", "document")


def answers(block: Block) -> str | None:
    """The client call that this block is the result of."""
    if isinstance(block, ToolResultBlock):
        return block.tool_use_id
    return _named(block, "tool_use_id") if _kind(block) == "tool_result" else None


def server_call(block: Block) -> str | None:
    """The id of a call that the server makes."""
    return _named(block, "id") if _kind(block) in _SERVER_CALLS else None


def server_answers(block: Block) -> str | None:
    """The server's call that this block is the result of."""
    return _named(block, "tool_use_id") if _kind(block).endswith("_tool_result") else None


def is_blank(block: Block) -> bool:
    """A text without a visible character, which the service refuses."""
    if isinstance(block, TextBlock):
        return not block.text.strip()
    text = block.data.get("text") if isinstance(block, OpaqueBlock) else None
    return _kind(block) == "text" and isinstance(text, str) and not text.strip()


def is_misplaced(block: Block, role: Role) -> bool:
    """A block that this side cannot say, or one of a known kind that lacks what its kind needs."""
    match block:
        case TextBlock():
            return False
        case ToolUseBlock():
            return role == "user"
        case ToolResultBlock():
            return role == "assistant"
    kind = _kind(block)
    if kind == "text":
        return not isinstance(block.data.get("text"), str)
    if kind in ("", "tool_use"):
        return True
    if kind in _ONLY_OF_USER:
        return role == "assistant" or (kind == "tool_result" and answers(block) is None)
    if kind in _SERVER_CALLS or kind.endswith("_tool_result"):
        return role == "user" or (server_call(block) is None and server_answers(block) is None)
    return role == "user" and kind in _ONLY_OF_ASSISTANT


def is_writable(value: JsonValue) -> bool:
    """Whether JSON and UTF-8 have words for the value: no NaN, no half of a character pair."""
    try:
        compact_json(value).encode()
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def _kind(block: Block) -> str:
    kind = block.data.get("type") if isinstance(block, OpaqueBlock) else None
    return kind if isinstance(kind, str) else ""


def _named(block: Block, key: str) -> str | None:
    value = block.data.get(key) if isinstance(block, OpaqueBlock) else None
    return value if isinstance(value, str) and value else None
