"""Laws over any history, and the real ones that broke other products."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolsearch_core.history import problems, sendable
from toolsearch_core.messages import (
    Message,
    ModelRequest,
    OpaqueBlock,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    user_text,
)
from toolsearch_core.providers.wire_rules import check_body
from toolsearch_core.wire import message_from_json, request_body

IDS = st.sampled_from(["a", "b", "a_2", "c.1", ""])
TEXTS = st.sampled_from(["", " \n", "hello", "안녕", "half \ud800"])
ARGUMENTS = st.sampled_from([{}, {"q": "x"}, {"n": float("nan")}, {"\udc00": [1, {"z": None}]}])
KINDS = st.sampled_from(
    "thinking server_tool_use web_search_tool_result tool_search_tool_result image document "
    "tool_result text tool_use".split()
)
OPAQUE = st.builds(
    lambda kind, block_id, more: OpaqueBlock(
        {"type": kind, "id": block_id, "tool_use_id": block_id, **more}
    ),
    KINDS,
    IDS,
    st.sampled_from([{}, {"text": "cited", "citations": [{}]}, {"text": ""}]),
)
BLOCKS = st.one_of(
    st.builds(TextBlock, TEXTS),
    st.builds(ToolUseBlock, IDS, st.sampled_from(["lookup", "x.y", ""]), ARGUMENTS),
    st.builds(ToolUseBlock, IDS, st.just("lookup"), st.just({"q": "x"})),
    st.builds(ToolResultBlock, IDS, TEXTS, st.booleans()),
    st.builds(ToolResultBlock, IDS, st.just("ok")),
    OPAQUE,
)
MESSAGES = st.builds(
    Message, st.sampled_from(["user", "assistant"]), st.lists(BLOCKS, max_size=5).map(tuple)
)
HISTORIES = st.lists(MESSAGES, max_size=8)


def texts(messages: list[Message], role: str) -> str:
    """What a side said, without what cannot be written."""
    said = [
        block.text.replace("\ud800", "\ufffd")
        for message in messages
        if message.role == role
        for block in message.content
        if isinstance(block, TextBlock) and block.text.strip()
    ]
    return "|".join(said)


@given(HISTORIES)
def test_the_copy_breaks_no_rule(history: list[Message]) -> None:
    assert problems(sendable(history).messages) == ()


@given(HISTORIES)
def test_the_service_takes_the_copy(history: list[Message]) -> None:
    """By the rules of the simulated service, which know nothing of the repair."""
    messages = sendable([*history, user_text("and now")]).messages
    check_body(request_body(ModelRequest(model="m", system="", tools=(), messages=messages)))


@given(HISTORIES)
def test_the_copy_of_the_copy_is_the_copy(history: list[Message]) -> None:
    once = sendable(history)

    assert sendable(once.messages).messages == once.messages
    assert sendable(once.messages).repairs == ()


@given(HISTORIES)
def test_a_repair_is_told_when_there_was_one_and_only_then(history: list[Message]) -> None:
    copy = sendable(history)

    assert (copy.repairs == ()) == (copy.messages == tuple(history))
    assert (copy.repairs == ()) == (problems(history) == ())


@given(HISTORIES)
def test_whatever_was_said_is_said_in_the_copy_in_the_same_order(history: list[Message]) -> None:
    sent = list(sendable(history).messages)

    assert texts(sent, "assistant") == texts(history, "assistant")
    assert texts(sent, "user").endswith(texts(history, "user"))


@given(HISTORIES, st.booleans())
def test_the_copy_of_a_longer_history_begins_with_the_copy_of_the_shorter_one(
    history: list[Message], with_call: bool
) -> None:
    ended = [*history, user_text("and now")]
    answer = (
        [
            Message("assistant", (ToolUseBlock("a", "lookup", {}),)),
            Message("user", (ToolResultBlock("a", "ok"),)),
        ]
        if with_call
        else [Message("assistant", (TextBlock("well"),)), user_text("more")]
    )
    short, long = sendable(ended).messages, sendable([*ended, *answer]).messages

    assert long[: len(short)] == short
    assert len(long) == len(short) + 2


# Troubles of other products


def stored(folder: Path, name: str) -> dict[str, list[Message]]:
    data = json.loads((folder / "troubles" / f"{name}.json").read_text(encoding="utf-8"))
    histories = data.get("histories") or {"messages": data["messages"]}
    return {
        title: [message_from_json(message) for message in messages]
        for title, messages in histories.items()
    }


def sent(history: list[Message]) -> list[dict]:
    messages = sendable(history).messages
    assert problems(messages) == ()
    request = ModelRequest(model="m", system="", tools=(), messages=messages)
    if messages[-1].role == "user":
        check_body(request_body(request))
    return json.loads(json.dumps(request_body(request)))["messages"]


def blocks(messages: list[dict], kind: str) -> list[dict]:
    return [block for each in messages for block in each["content"] if block["type"] == kind]


@pytest.mark.outside_data
def test_every_call_of_a_broken_off_turn_has_one_result(outside_data: Path) -> None:
    histories = stored(outside_data, "PRV-01")
    assert len(histories) == 3
    for title, history in histories.items():
        messages = sent(history)
        calls = [block["id"] for block in blocks(messages, "tool_use")]
        results = blocks(messages, "tool_result")

        assert [block["tool_use_id"] for block in results] == calls, title
        assert all(block.get("is_error") for block in results if block["content"] != "ok"), title
        assert messages[2]["content"][: len(calls)] == results, title
    assert messages[2]["content"][-1] == {"type": "text", "text": "never mind"}


@pytest.mark.outside_data
def test_doubled_ids_are_unique_in_the_copy_and_keep_their_order(outside_data: Path) -> None:
    messages = sent(stored(outside_data, "PRV-03")["messages"])
    calls = blocks(messages, "tool_use")

    assert len({block["id"] for block in calls}) == 3
    assert [block["input"]["q"] for block in calls] == ["a", "b", "c"]
    assert [block["tool_use_id"] for block in blocks(messages, "tool_result")] == [
        block["id"] for block in calls
    ]


@pytest.mark.outside_data
def test_nothing_empty_is_in_the_copy(outside_data: Path) -> None:
    messages = sent(stored(outside_data, "PRV-05")["messages"])

    assert all(each["content"] for each in messages)
    assert all(block["text"].strip() for block in blocks(messages, "text"))
    assert [block["tool_use_id"] for block in blocks(messages, "tool_result")] == ["e1"]
    assert all(block["content"] for block in blocks(messages, "tool_result"))


@pytest.mark.outside_data
def test_blocks_of_a_server_side_search_are_replayed_unchanged_but_for_an_orphan(
    outside_data: Path,
) -> None:
    history = stored(outside_data, "PRV-09")["messages"]
    stored_messages = json.loads(
        (outside_data / "troubles" / "PRV-09.json").read_text(encoding="utf-8")
    )["messages"]
    messages = sent(history)

    assert messages[1] == stored_messages[1]
    assert [block["id"] for block in blocks(messages, "server_tool_use")] == [
        "srvtoolu_1",
        "srvtoolu_3",
    ]
    assert [block["tool_use_id"] for block in blocks(messages, "tool_result")] == ["c1"]
    assert {"type": "text", "text": "cut here"} in messages[5]["content"]
    assert blocks(messages, "tool_search_tool_result")[1]["content"]["error_code"] == "unavailable"
    assert [each.code for each in sendable(history).repairs] == ["history.server_call_cut"]
