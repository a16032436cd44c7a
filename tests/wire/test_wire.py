"""JSON forms of the Messages API."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolsearch_core.jsonvalues import compact_json
from toolsearch_core.messages import (
    Block,
    Message,
    ModelRequest,
    OpaqueBlock,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    user_text,
)
from toolsearch_core.tools import ToolDefinition
from toolsearch_core.wire import (
    WireError,
    block_from_json,
    message_from_json,
    message_to_json,
    request_body,
    tool_to_json,
)

WEATHER = ToolDefinition(
    name="weather.now",
    wire_name="weather_now",
    description="날씨 ☀",
    input_schema={"type": "object", "properties": {"b": {}, "a": {"type": "string"}}},
    title="Weather",
    annotations={"readOnlyHint": True},
    server="sky",
    pinned=True,
)


def request(**changes: object) -> ModelRequest:
    given = {
        "model": "m",
        "system": "be brief",
        "tools": (WEATHER,),
        "messages": (user_text("hi"),),
        "max_tokens": 100,
    }
    return ModelRequest(**{**given, **changes})  # type: ignore[arg-type]


def test_the_body_of_a_request_is_exactly_this() -> None:
    messages = (
        user_text("weather?"),
        Message(
            "assistant",
            (
                OpaqueBlock({"type": "thinking", "thinking": "hm", "signature": "s"}),
                TextBlock("I look"),
                ToolUseBlock("t1", "weather_now", {"b": 1, "a": None}),
                ToolUseBlock("t2", "weather_now", {}),
            ),
        ),
        Message("user", (ToolResultBlock("t1", "sunny"), ToolResultBlock("t2", "no", True))),
    )

    assert compact_json(request_body(request(messages=messages))) == (
        '{"model":"m","max_tokens":100,"system":"be brief",'
        '"tools":[{"name":"weather_now","description":"날씨 ☀","input_schema":'
        '{"type":"object","properties":{"b":{},"a":{"type":"string"}}}}],'
        '"messages":[{"role":"user","content":[{"type":"text","text":"weather?"}]},'
        '{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},'
        '{"type":"text","text":"I look"},'
        '{"type":"tool_use","id":"t1","name":"weather_now","input":{"b":1,"a":null}},'
        '{"type":"tool_use","id":"t2","name":"weather_now","input":{}}]},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"sunny"},'
        '{"type":"tool_result","tool_use_id":"t2","content":"no","is_error":true}]}]}'
    )


def test_without_tools_and_without_a_system_prompt_their_keys_are_left_out() -> None:
    assert list(request_body(request(tools=(), system=""))) == ["model", "max_tokens", "messages"]


def test_a_definition_has_the_bytes_that_identify_it_and_no_more() -> None:
    assert compact_json(tool_to_json(WEATHER)) == WEATHER.definition_json


def test_content_that_is_a_plain_text_is_one_text_block() -> None:
    assert message_from_json({"role": "user", "content": "hi"}) == user_text("hi")
    assert message_from_json({"role": "assistant", "content": ""}).content == (TextBlock(""),)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("ok", "ok"),
        ("", ""),
        (None, ""),
        ([], ""),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
    ],
)
def test_the_content_of_a_result_is_its_text(content: object, text: str) -> None:
    form = {"type": "tool_result", "tool_use_id": "t", "content": content}

    assert block_from_json(form) == ToolResultBlock("t", text)
    assert block_from_json({**form, "is_error": True}) == ToolResultBlock("t", text, True)
    assert block_from_json({**form, "is_error": None}) == ToolResultBlock("t", text)


def test_a_call_without_arguments_has_none() -> None:
    for form in ({"input": {}}, {"input": None}, {}):
        block = block_from_json({"type": "tool_use", "id": "t", "name": "x", **form})
        assert block == ToolUseBlock("t", "x", {})


def test_marks_beside_the_known_fields_are_not_kept() -> None:
    marked = {
        "type": "text",
        "text": "a",
        "citations": None,
        "cache_control": {"type": "ephemeral"},
    }

    assert block_from_json(marked) == TextBlock("a")


@pytest.mark.parametrize(
    "block",
    [
        {"type": "thinking", "thinking": "x", "signature": "y"},
        {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {"q": 1}},
        {"type": "text", "text": "a", "citations": [{"url": "x"}]},
        {"type": "text"},
        {"type": "tool_use", "id": "t", "name": "x", "input": '{"half'},
        {"type": "tool_use", "name": "x", "input": {}},
        {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "image"}]},
        {"type": "tool_result", "content": "no id"},
        {"type": 5},
        {},
    ],
)
def test_a_block_that_is_not_known_or_says_more_is_kept_whole(block: dict[str, object]) -> None:
    read = block_from_json(block)

    assert read == OpaqueBlock(block)
    assert message_to_json(Message("assistant", (read,)))["content"] == [block]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "message has to be an object"),
        ([], "message has to be an object"),
        ("hi", "message has to be an object"),
        ({"role": "system", "content": "x"}, "role has to be user or assistant"),
        ({"content": "x"}, "role has to be user or assistant"),
        ({"role": ["user"], "content": "x"}, "role has to be user or assistant"),
        ({"role": "user"}, "content has to be a text or a list"),
        ({"role": "user", "content": {"type": "text"}}, "content has to be a text or a list"),
        ({"role": "user", "content": ["hi"]}, "block has to be an object"),
        ({"role": "user", "content": [None]}, "block has to be an object"),
    ],
)
def test_what_is_no_message_is_refused_with_the_place_and_what_is_expected(
    value: object, said: str
) -> None:
    with pytest.raises(WireError, match=said):
        message_from_json(value)  # type: ignore[arg-type]


TEXT = st.text(max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
BLOCKS: st.SearchStrategy[Block] = st.one_of(
    st.builds(TextBlock, TEXT),
    st.builds(ToolUseBlock, TEXT, TEXT, st.dictionaries(TEXT, JSON, max_size=3)),
    st.builds(ToolResultBlock, TEXT, TEXT, st.booleans()),
    st.dictionaries(TEXT, JSON, max_size=3).map(
        lambda more: OpaqueBlock({**more, "type": "thinking"})
    ),
)


@given(
    st.builds(Message, st.sampled_from(["user", "assistant"]), st.lists(BLOCKS).map(tuple)),
)
def test_a_message_comes_back_from_its_json_text_as_it_was(message: Message) -> None:
    text = json.dumps(message_to_json(message))

    assert message_from_json(json.loads(text)) == message


@given(JSON)
def test_any_json_value_is_a_message_or_refused(value: object) -> None:
    for form in (value, {"role": "user", "content": value}, {"role": "user", "content": [value]}):
        with suppress(WireError):
            assert message_from_json(form).role == "user"  # type: ignore[arg-type]
