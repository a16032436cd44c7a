"""The copy of a conversation that is sent: single cases of every repair."""

import copy
import math

import pytest

from toolsearch_core.history import problems, sendable
from toolsearch_core.history.repair import NO_OUTPUT, NO_RESULT, OPENING
from toolsearch_core.messages import (
    Block,
    Message,
    OpaqueBlock,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    user_text,
)

GO = user_text("go")


def call(call_id: str, name: str = "lookup") -> ToolUseBlock:
    return ToolUseBlock(call_id, name, {"q": call_id})


def result(call_id: str, content: str = "ok") -> ToolResultBlock:
    return ToolResultBlock(call_id, content)


def says(*blocks: Block | str) -> Message:
    return Message("assistant", tuple(TextBlock(b) if isinstance(b, str) else b for b in blocks))


def user(*blocks: Block | str) -> Message:
    return Message("user", tuple(TextBlock(b) if isinstance(b, str) else b for b in blocks))


def repaired(*messages: Message) -> list[Message]:
    """The messages of the copy, which has to be sound."""
    history = sendable(messages)
    assert problems(history.messages) == ()
    assert sendable(history.messages) == type(history)(history.messages, ())
    return list(history.messages)


def codes(*messages: Message) -> list[str]:
    """What was repaired; each repair has a sentence."""
    repairs = sendable(messages).repairs
    assert all(each.text for each in repairs)
    return [each.code.removeprefix("history.") for each in repairs]


def test_a_sound_history_is_sent_as_it_is() -> None:
    thinking = OpaqueBlock({"type": "thinking", "thinking": "hm", "signature": "x"})
    image = OpaqueBlock({"type": "image", "source": {}})
    sound = [
        user("what is this", image),
        says(thinking, "let me see", call("a"), call("b")),
        user(result("a"), ToolResultBlock("b", "no", is_error=True), "and?"),
        says("done"),
        user("thanks"),
    ]

    assert repaired(*sound) == sound
    assert codes(*sound) == []
    assert problems(sound) == ()


def test_an_empty_history_stays_empty() -> None:
    assert repaired() == []


# Results


def test_a_missing_result_is_stated_as_an_error_in_the_place_of_its_call() -> None:
    history = [GO, says(call("a"), call("b"), call("c")), user(result("a"), result("c"))]

    assert repaired(*history)[2] == user(
        result("a"), ToolResultBlock("b", NO_RESULT, is_error=True), result("c")
    )
    assert codes(*history) == ["result_missing"]
    assert sendable(history).repairs[0].params == {"count": 1, "first": "b"}


def test_a_history_that_ends_on_a_call_is_closed() -> None:
    assert repaired(GO, says(call("a"))) == [
        GO,
        says(call("a")),
        user(ToolResultBlock("a", NO_RESULT, is_error=True)),
    ]


def test_a_text_instead_of_a_result_stays_behind_the_stated_result() -> None:
    assert repaired(GO, says(call("a")), user("never mind"))[2] == user(
        ToolResultBlock("a", NO_RESULT, is_error=True), "never mind"
    )


def test_results_come_first_and_in_the_order_of_the_calls() -> None:
    history = [GO, says(call("a"), call("b")), user("here", result("b"), "both", result("a"))]

    assert repaired(*history)[2] == user(result("a"), result("b"), "here", "both")
    assert codes(*history) == ["reordered"]


def test_a_result_without_a_call_is_left_out() -> None:
    history = [
        GO,
        says("hi"),
        user(result("zz"), "more"),
        says(call("a")),
        user(result("a"), result("y")),
    ]

    assert repaired(*history) == [GO, says("hi"), user("more"), says(call("a")), user(result("a"))]
    assert codes(*history) == ["result_without_call"]


def test_a_result_that_comes_a_message_too_late_is_left_out() -> None:
    history = [GO, says(call("a")), user("wait"), says("yes?"), user(result("a"), "now")]

    assert repaired(*history)[-1] == user("now")


def test_a_second_result_of_a_call_is_left_out() -> None:
    history = [GO, says(call("a"), call("b")), user(result("a"), result("a", "2"), result("b"))]

    assert repaired(*history)[2] == user(result("a"), result("b"))
    assert codes(*history) == ["second_result"]


def test_an_empty_result_is_sent_as_such_in_words() -> None:
    for blank in ("", "  \n"):
        history = [GO, says(call("a")), user(result("a", blank))]
        assert repaired(*history)[2] == user(result("a", NO_OUTPUT))
        assert codes(*history) == ["result_empty"]


def test_a_result_with_an_image_is_a_result_like_any_other() -> None:
    picture = OpaqueBlock(
        {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "image"}]}
    )
    history = [GO, says(call("a")), user(picture), says(call("a")), user(picture)]

    assert repaired(*history) == [
        GO,
        says(call("a")),
        user(picture),
        says(ToolUseBlock("a_2", "lookup", {"q": "a"})),
        user(OpaqueBlock({**picture.data, "tool_use_id": "a_2"})),
    ]
    assert picture.data["tool_use_id"] == "a"


# Ids and names


def test_ids_used_twice_are_renamed_together_with_their_results_in_order() -> None:
    history = [
        GO,
        says(ToolUseBlock("d", "lookup", {"q": "1"}), ToolUseBlock("d", "lookup", {"q": "2"})),
        user(result("d", "one"), result("d", "two")),
        says(ToolUseBlock("d", "lookup", {"q": "3"})),
        user(result("d", "three")),
    ]

    assert repaired(*history) == [
        GO,
        says(ToolUseBlock("d", "lookup", {"q": "1"}), ToolUseBlock("d_2", "lookup", {"q": "2"})),
        user(result("d", "one"), result("d_2", "two")),
        says(ToolUseBlock("d_3", "lookup", {"q": "3"})),
        user(result("d_3", "three")),
    ]
    assert codes(*history) == ["id_renamed"]


def test_a_new_id_is_never_one_that_is_taken() -> None:
    history = [
        GO,
        says(call("d"), call("d_2"), call("d")),
        user(result("d"), result("d_2"), result("d")),
    ]

    assert [use.id for use in repaired(*history)[1].tool_uses] == ["d", "d_2", "d_3"]


@pytest.mark.parametrize("bad", ["", "call.1", "functions:0", "전화", "a b", "\ud800"])
def test_ids_that_are_not_allowed_are_renamed_together_with_their_results(bad: str) -> None:
    history = repaired(GO, says(call(bad), call("x")), user(result(bad, "one"), result("x")))

    assert history[2].content == (result(history[1].tool_uses[0].id, "one"), result("x"))


def test_names_of_calls_that_cannot_be_sent_are_cleaned() -> None:
    history = [GO, says(call("a", "files.read v2"), call("b", "x" * 80), call("c", "")), user()]

    assert [use.name for use in repaired(*history)[1].tool_uses] == ["files_read_v2", "x" * 64, "_"]
    assert "name_cleaned" in codes(*history)


# Blank texts, order of messages


def test_blank_texts_and_messages_are_left_out() -> None:
    history = [
        GO,
        says("", call("a")),
        user(result("a"), " "),
        says("\n"),
        user("   "),
        says(),
        user("on"),
    ]

    assert repaired(*history) == [GO, says(call("a")), user(result("a"), "on")]
    assert codes(*history) == ["blank", "merged"]


def test_messages_of_the_same_side_are_put_together() -> None:
    history = [GO, user("on"), says("a"), says("b"), user("c")]

    assert repaired(*history) == [user("go", "on"), says("a", "b"), user("c")]
    assert sendable(history).repairs[0].params["count"] == 2


def test_parallel_calls_stored_as_single_messages_are_put_together_with_their_results() -> None:
    history = [GO, says(call("a")), says(call("b")), user(result("a")), user(result("b"))]

    assert repaired(*history) == [GO, says(call("a"), call("b")), user(result("a"), result("b"))]


def test_a_history_that_begins_with_the_assistant_gets_an_opening() -> None:
    assert repaired(says("Hello!"), user("hi")) == [user(OPENING), says("Hello!"), user("hi")]
    assert codes(says("Hello!"), user("hi")) == ["no_opening"]


def test_a_history_cut_between_call_and_result_starts_sound() -> None:
    assert repaired(user(result("a"), "go on"), says("yes")) == [user("go on"), says("yes")]
    assert repaired(user(result("a")), says("yes"), user("ok")) == [
        user(OPENING),
        says("yes"),
        user("ok"),
    ]


def test_blocks_on_the_wrong_side_are_left_out() -> None:
    thinking = OpaqueBlock({"type": "thinking", "thinking": "x"})
    history = [user("go", call("a"), thinking), says("hi", result("a")), user("on")]

    assert repaired(*history) == [GO, says("hi"), user("on")]
    assert codes(*history) == ["misplaced"]


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"type": None},
        {"type": "text"},
        {"type": "text", "text": 5},
        {"type": "tool_use", "id": "a", "input": "{half"},
        {"type": "server_tool_use", "name": "search"},
        {"type": "server_tool_use", "id": "", "name": "search"},
        {"type": "web_search_tool_result"},
    ],
)
def test_blocks_that_are_not_complete_are_left_out(broken: dict[str, object]) -> None:
    assert repaired(GO, says("hi", OpaqueBlock(broken)), user("on")) == [GO, says("hi"), user("on")]


def test_blocks_of_a_kind_that_is_not_known_are_sent_as_they_came() -> None:
    unknown = OpaqueBlock({"type": "hologram", "data": [1, {"a": None}]})

    assert repaired(GO, says("see", unknown), user("ah")) == [GO, says("see", unknown), user("ah")]


# Server-side calls


SEARCH = OpaqueBlock({"type": "server_tool_use", "id": "srv1", "name": "web_search", "input": {}})
FOUND = OpaqueBlock({"type": "web_search_tool_result", "tool_use_id": "srv1", "content": []})


def test_a_call_of_the_server_and_its_result_are_sent_as_they_came() -> None:
    history = [GO, says("I look", SEARCH, FOUND, call("a")), user(result("a"))]

    assert repaired(*history) == history


def test_a_call_of_the_server_without_its_result_is_left_out() -> None:
    history = [GO, says(SEARCH, "cut here"), user("again"), says(SEARCH), user("hm")]

    assert repaired(*history) == [GO, says("cut here"), user("again", "hm")]
    assert codes(*history) == ["server_call_cut", "merged"]


def test_a_result_of_the_server_without_a_call_before_it_is_left_out() -> None:
    assert repaired(GO, says(FOUND, SEARCH, "x"), user("y")) == [GO, says("x"), user("y")]


def test_a_call_of_the_server_is_answered_once() -> None:
    again = OpaqueBlock({**FOUND.data, "content": ["again"]})
    history = [GO, says(SEARCH, FOUND, again, SEARCH, again, "x"), user("y")]

    assert repaired(*history)[1] == says(SEARCH, FOUND, "x")


def test_messages_that_come_together_share_no_call_of_the_server() -> None:
    history = [GO, says(SEARCH, FOUND), user(result("zz")), says(SEARCH, FOUND, "x"), user("y")]

    assert repaired(*history)[1] == says(SEARCH, FOUND, "x")


# What cannot be written


def test_halves_of_character_pairs_and_numbers_that_are_none_are_cleaned() -> None:
    arguments = {"q\ud800": ["\udc00", math.nan, {"deep": math.inf}, 1, True, None, 2.5]}
    history = [
        user("go \ud83d"),
        says("\ud83d\ude00", ToolUseBlock("a", "lookup", arguments)),
        user(result("a", "half \udc00")),
    ]
    clean = repaired(*history)

    assert clean == [
        user("go \ufffd"),
        says(
            "\U0001f600",
            ToolUseBlock(
                "a", "lookup", {"q\ufffd": ["\ufffd", None, {"deep": None}, 1, True, None, 2.5]}
            ),
        ),
        user(result("a", "half \ufffd")),
    ]
    assert codes(*history) == ["unwritable"]
    assert "q\ud800" in arguments


def test_arguments_too_deep_to_be_written_are_cut() -> None:
    deep: dict[str, object] = {}
    for _ in range(5000):
        deep = {"in": deep}

    repaired(GO, says(ToolUseBlock("a", "lookup", deep)), user(result("a")))


def test_ten_thousand_calls_of_one_id_are_renamed_quickly() -> None:
    calls = [call("same") for _ in range(10_000)]
    history = repaired(GO, says(*calls))

    assert len({use.id for use in history[1].tool_uses}) == len(history[2].content) == 10_000


def test_the_stored_history_is_not_touched() -> None:
    history = [
        GO,
        says("", SEARCH, ToolUseBlock("a", "x.y", {"q": [math.inf, {"z": "\ud800"}]}), call("a")),
        user("hm", result("a", "")),
        user(" "),
    ]
    before = copy.deepcopy(history)
    sendable(history)

    assert repr(history) == repr(before)


# The check


@pytest.mark.parametrize(
    ("history", "broken"),
    [
        ([says("hi")], "no_opening"),
        ([GO, user("on")], "merged"),
        ([GO, says()], "blank"),
        ([GO, says(" ")], "blank"),
        ([GO, says("x", result("a"))], "misplaced"),
        ([GO, says(call("a")), user("x")], "result_missing"),
        ([GO, says(call("a"))], "result_missing"),
        ([GO, says("x"), user(result("a"))], "result_without_call"),
        ([GO, says(call("a")), user(result("a"), result("a"))], "second_result"),
        ([GO, says(call("a")), user(result("a", " "))], "result_empty"),
        ([GO, says(call("a")), user("x", result("a"))], "reordered"),
        ([GO, says(call("a"), call("b")), user(result("b"), result("a"))], "reordered"),
        ([GO, says(call("a"), call("a")), user(result("a"), result("a"))], "id_renamed"),
        ([GO, says(call("a.b")), user(result("a.b"))], "id_renamed"),
        ([GO, says(call("a", "x.y")), user(result("a"))], "name_cleaned"),
        ([GO, says(SEARCH, "x")], "server_call_cut"),
        ([GO, says(FOUND, SEARCH)], "server_call_cut"),
        ([user("\ud800")], "unwritable"),
    ],
)
def test_the_check_names_each_broken_rule(history: list[Message], broken: str) -> None:
    found = problems(history)

    assert f"history.{broken}" in [each.code for each in found]
    assert all(each.text for each in found)
