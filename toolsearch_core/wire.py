"""JSON forms of the Messages API (https://docs.anthropic.com/en/api/messages).

Equal values give equal bytes: keys stand in a fixed order, and definitions are passed on as they are.
A block that is not known here, or says more than is known here, is kept whole as `OpaqueBlock`.
"""

from collections.abc import Mapping
from typing import Literal, NotRequired, TypedDict, assert_never, cast

from toolsearch_core.errors import ToolSearchError
from toolsearch_core.jsonvalues import JsonObject, JsonValue
from toolsearch_core.messages import (
    Block,
    Message,
    ModelRequest,
    OpaqueBlock,
    Role,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from toolsearch_core.tools import ToolDefinition


class WireError(ToolSearchError):
    """A JSON value is no message."""


class TextJson(TypedDict):
    """Text by either side."""

    type: Literal["text"]
    text: str


class ToolUseJson(TypedDict):
    """A call."""

    type: Literal["tool_use"]
    id: str
    name: str
    input: JsonObject


class ToolResultJson(TypedDict):
    """The answer to a call."""

    type: Literal["tool_result"]
    tool_use_id: str
    content: str
    is_error: NotRequired[Literal[True]]
    """Left out when the call went well."""


class MessageJson(TypedDict):
    """One message."""

    role: Role
    content: list[JsonObject]
    """`TextJson`, `ToolUseJson`, `ToolResultJson`, or a block as the provider made it."""


class ToolJson(TypedDict):
    """One tool definition."""

    name: str
    """The wire name."""
    description: str
    input_schema: JsonObject


class RequestJson(TypedDict):
    """The body of one model call, without what only a transport adds, such as `stream`."""

    model: str
    max_tokens: int
    system: NotRequired[str]
    """Left out when empty."""
    tools: NotRequired[list[ToolJson]]
    """Left out when there are none."""
    messages: list[MessageJson]


def request_body(request: ModelRequest) -> JsonObject:
    """The exact body of a model call, in the form of `RequestJson`."""
    body: dict[str, JsonValue] = {"model": request.model, "max_tokens": request.max_tokens}
    if request.system:
        body["system"] = request.system
    if request.tools:
        body["tools"] = [tool_to_json(tool) for tool in request.tools]
    body["messages"] = [message_to_json(message) for message in request.messages]
    return body


def tool_to_json(tool: ToolDefinition) -> JsonObject:
    """The form of `ToolJson`; its bytes are those of `tool.definition_json`."""
    form: ToolJson = {
        "name": tool.wire_name,
        "description": tool.description,
        "input_schema": tool.input_schema,
    }
    return cast(JsonObject, form)


def message_to_json(message: Message) -> JsonObject:
    """The form of `MessageJson`; content is always a list."""
    form: MessageJson = {
        "role": message.role,
        "content": [block_to_json(block) for block in message.content],
    }
    return cast(JsonObject, form)


def message_from_json(value: JsonValue) -> Message:
    """Read a message; content that is a plain text becomes one text block.

    Raises:
        WireError: the value is no object, its role is neither user nor assistant, or its content is
            neither a text nor a list of objects.
    """
    if not isinstance(value, Mapping):
        raise WireError("history.not_a_message", place="message", expected="an object")
    role, content = value.get("role"), value.get("content")
    if role != "user" and role != "assistant":
        raise WireError("history.not_a_message", place="role", expected="user or assistant")
    if isinstance(content, str):
        return Message(role, (TextBlock(content),))
    if not isinstance(content, list | tuple):
        raise WireError("history.not_a_message", place="content", expected="a text or a list")
    return Message(role, tuple(block_from_json(block) for block in content))


def block_to_json(block: Block) -> JsonObject:
    """One block in its JSON form."""
    match block:
        case TextBlock():
            text: TextJson = {"type": "text", "text": block.text}
            return cast(JsonObject, text)
        case ToolUseBlock():
            use: ToolUseJson = {
                "type": "tool_use",
                "id": block.id,
                "name": block.name,
                "input": block.input,
            }
            return cast(JsonObject, use)
        case ToolResultBlock():
            result: ToolResultJson = {
                "type": "tool_result",
                "tool_use_id": block.tool_use_id,
                "content": block.content,
            }
            if block.is_error:
                result["is_error"] = True
            return cast(JsonObject, result)
        case OpaqueBlock():
            return block.data
    assert_never(block)


def block_from_json(value: JsonValue) -> Block:
    """Read one block.

    A call without arguments (`null`) has an empty object. A result made of text blocks becomes their
    texts, joined by line breaks. Marks beside the known fields, such as those of a prompt cache, are
    not kept; text with citations and results with images are, as `OpaqueBlock`.

    Raises:
        WireError: the value is no object.
    """
    if not isinstance(value, Mapping):
        raise WireError("history.not_a_message", place="block", expected="an object")
    match value:
        case {"type": "text", "text": str(text)} if not value.get("citations"):
            return TextBlock(text)
        case {"type": "tool_use", "id": str(call_id), "name": str(name)}:
            arguments = value.get("input")
            if arguments is None:
                return ToolUseBlock(call_id, name, {})
            if isinstance(arguments, Mapping):
                return ToolUseBlock(call_id, name, arguments)
        case {"type": "tool_result", "tool_use_id": str(call_id)}:
            content = _plain_text(value.get("content"))
            if content is not None:
                return ToolResultBlock(call_id, content, value.get("is_error") is True)
    return OpaqueBlock(value)


def _plain_text(content: JsonValue) -> str | None:
    """The text of a result; `None` when it holds more than text."""
    if content is None or isinstance(content, str):
        return content or ""
    texts: list[str] = []
    for part in content if isinstance(content, list | tuple) else [content]:
        match part:
            case str(text) | {"type": "text", "text": str(text)}:
                texts.append(text)
            case _:
                return None
    return "\n".join(texts)
