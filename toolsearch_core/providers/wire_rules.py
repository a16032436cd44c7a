"""What the Messages API refuses, so that a request that passes offline also passes online.

Rules of https://docs.anthropic.com/en/api/messages and of its error answers, in our own words. Not
covered: sizes of images and documents, limits of single models, and blocks only a server tool makes.
"""

import re
from collections.abc import Mapping, Sequence

from toolsearch_core.catalog.keywords import Refused as RefusedKeywords
from toolsearch_core.catalog.keywords import accepted
from toolsearch_core.jsonvalues import JsonObject, JsonValue
from toolsearch_core.tools import WIRE_NAME_PATTERN

_BODY_KEYS = (
    "model messages max_tokens system tools tool_choice stream stop_sequences metadata thinking "
    "cache_control service_tier container diagnostics inference_geo output_config speed"
).split()
_USER_BLOCKS = ("text", "tool_result", "image", "document", "search_result", "container_upload")
_ASSISTANT_BLOCKS = (
    "text tool_use thinking redacted_thinking server_tool_use web_search_tool_result "
    "web_fetch_tool_result code_execution_tool_result bash_code_execution_tool_result "
    "text_editor_code_execution_tool_result tool_search_tool_result container_upload"
).split()
_ROOT_COMBINATORS = ("oneOf", "allOf", "anyOf")
_TOOL_NAME = re.compile(WIRE_NAME_PATTERN)
_CALL_ID = re.compile(r"^[a-zA-Z0-9_-]+$")
_PROPERTY = re.compile(r"^[a-zA-Z0-9_.-]{1,64}$")


class Refused(Exception):
    """The request breaks a rule; the text names the place and the rule."""


def check_body(body: JsonObject, *, counting: bool = False) -> None:
    """Check a whole request.

    Args:
        body: the JSON body.
        counting: the request only asks for a token count, which needs no output limit.

    Raises:
        Refused: at the first rule that is broken.
    """
    for key in body:
        _require(key in _BODY_KEYS, f"{key}: extra inputs are not permitted")
    model = body.get("model")
    _require(isinstance(model, str) and bool(model), "model: a name is required")
    limit = body.get("max_tokens")
    if not counting:
        whole = isinstance(limit, int) and not isinstance(limit, bool) and limit >= 1
        _require(whole, "max_tokens: a whole number from 1 on is required")
    system = body.get("system")
    if isinstance(system, list | tuple):
        for place, block in enumerate(system):
            _text_block(_object(block, f"system.{place}"), f"system.{place}")
    else:
        _require(system is None or isinstance(system, str), "system: text or text blocks expected")
    _check_tools(body.get("tools"))
    _check_messages(body.get("messages"))


def _check_tools(tools: JsonValue) -> None:
    if tools is None:
        return
    names: list[str] = []
    for place, value in enumerate(_items(tools, "tools")):
        where = f"tools.{place}"
        tool = _object(value, where)
        name = tool.get("name")
        _require(
            isinstance(name, str) and _TOOL_NAME.fullmatch(name) is not None,
            f"{where}.name: must match {WIRE_NAME_PATTERN}",
        )
        names.append(str(name))
        if tool.get("type") not in (None, "custom"):
            continue
        description = tool.get("description", "")
        _require(isinstance(description, str), f"{where}.description: text expected")
        problem = _schema_problem(tool.get("input_schema"))
        _require(not problem, f"{where}.input_schema{problem}")
    _require(len(names) == len(set(names)), "tools: tool names must be unique")


def _schema_problem(schema: JsonValue) -> str:
    """What is wrong with an input schema; empty when nothing is."""
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        return ".type: must be object"
    if any(word in schema for word in _ROOT_COMBINATORS):
        return ": does not support oneOf, allOf or anyOf at the top level"
    properties = schema.get("properties", {})
    for key in properties if isinstance(properties, Mapping) else ():
        if not _PROPERTY.fullmatch(key):
            return f".properties: keys must match {_PROPERTY.pattern}"
    refused = RefusedKeywords()
    try:
        accepted(schema, refused)
    except RecursionError:
        return ": is nested too deeply"
    if refused.places:
        return f".{refused.places[0]}: is no valid JSON Schema of draft 2020-12"
    return ""


def _check_messages(value: JsonValue) -> None:
    messages = [_object(item, f"messages.{n}") for n, item in enumerate(_items(value, "messages"))]
    _require(bool(messages), "messages: at least one message is required")
    _require(
        messages[0].get("role") == "user", "messages.0.role: the first message must be of role user"
    )
    seen: list[str] = []
    open_calls: list[str] = []
    for place, message in enumerate(messages):
        where = f"messages.{place}"
        role = message.get("role")
        _require(role in ("user", "assistant"), f"{where}.role: must be user or assistant")
        blocks = _blocks(message, where)
        for n, block in enumerate(blocks):
            _check_block(block, str(role), f"{where}.content.{n}")
        _check_results(blocks, open_calls, where)
        open_calls = [str(block["id"]) for block in blocks if block.get("type") == "tool_use"]
        seen += open_calls
        _require(len(seen) == len(set(seen)), f"{where}: tool_use ids must be unique")
    _require(
        messages[-1].get("role") == "user",
        "messages: the conversation must end with a message of role user",
    )


def _blocks(message: Mapping[str, JsonValue], where: str) -> list[Mapping[str, JsonValue]]:
    content = message.get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    blocks = [
        _object(item, f"{where}.content.{n}") for n, item in enumerate(_items(content, where))
    ]
    _require(bool(blocks), f"{where}: messages must have non-empty content")
    return blocks


def _check_block(block: Mapping[str, JsonValue], role: str, where: str) -> None:
    kind = block.get("type")
    allowed = _USER_BLOCKS if role == "user" else _ASSISTANT_BLOCKS
    _require(kind in allowed, f"{where}.type: a message of role {role} cannot hold {kind}")
    if kind == "text":
        _text_block(block, where)
    elif kind == "tool_use":
        call_id, name = block.get("id"), block.get("name")
        _require(
            isinstance(call_id, str) and _CALL_ID.fullmatch(call_id) is not None,
            f"{where}.id: must match {_CALL_ID.pattern}",
        )
        _require(
            isinstance(name, str) and _TOOL_NAME.fullmatch(name) is not None,
            f"{where}.name: must match {WIRE_NAME_PATTERN}",
        )
        _object(block.get("input"), f"{where}.input")
    elif kind == "tool_result":
        _require(isinstance(block.get("tool_use_id"), str), f"{where}.tool_use_id: text expected")
        content = block.get("content")
        if content is not None and not isinstance(content, str):
            for n, item in enumerate(_items(content, where)):
                part = _object(item, f"{where}.content.{n}")
                if part.get("type") == "text":
                    _text_block(part, f"{where}.content.{n}")


def _text_block(block: Mapping[str, JsonValue], where: str) -> None:
    text = block.get("text")
    _require(isinstance(text, str), f"{where}.text: text expected")
    _require(
        bool(str(text).strip()), f"{where}: text content blocks must contain non-whitespace text"
    )


def _check_results(
    blocks: Sequence[Mapping[str, JsonValue]], open_calls: Sequence[str], where: str
) -> None:
    """Each call of the message before has exactly one result here, ahead of everything else."""
    kinds = [block.get("type") for block in blocks]
    answered = [str(block["tool_use_id"]) for block in blocks if block.get("type") == "tool_result"]
    for call_id in answered:
        _require(
            call_id in open_calls,
            f"{where}: unexpected tool_use_id in a tool_result: {call_id}; "
            "each tool_result needs its tool_use in the previous message",
        )
    _require(
        len(answered) == len(set(answered)),
        f"{where}: each tool_use must have a single tool_result",
    )
    missing = [call_id for call_id in open_calls if call_id not in answered]
    _require(
        not missing,
        f"{where}: tool_use ids without a tool_result immediately after: {', '.join(missing)}",
    )
    _require(
        kinds[: len(answered)] == ["tool_result"] * len(answered),
        f"{where}: tool_result blocks must come before any other content",
    )


def _items(value: JsonValue, where: str) -> Sequence[JsonValue]:
    if not isinstance(value, list | tuple):
        raise Refused(f"{where}: a list is expected")
    return value


def _object(value: JsonValue, where: str) -> Mapping[str, JsonValue]:
    if not isinstance(value, Mapping):
        raise Refused(f"{where}: an object is expected")
    return value


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise Refused(message)
