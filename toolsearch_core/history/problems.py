"""The check: what the Messages API would refuse in a history."""

from collections.abc import Sequence

from toolsearch_core.history.blocks import (
    CALL_ID,
    CALL_NAME,
    answers,
    is_blank,
    is_misplaced,
    is_writable,
    server_answers,
    server_call,
)
from toolsearch_core.history.tally import Tally
from toolsearch_core.messages import Message, TextBlock, ToolResultBlock
from toolsearch_core.notices import Notice


def problems(messages: Sequence[Message]) -> tuple[Notice, ...]:
    """Every rule that the history breaks, each once with how often; empty when it can be sent.

    The codes are those of the repairs. Not covered: the inside of blocks that a provider made, and that
    the last message should be the user's, which is a matter of when to send.
    """
    found = Tally()
    seen: set[str] = set()
    open_calls: list[str] = []
    if messages and messages[0].role != "user":
        found.add("history.no_opening")
    for place, message in enumerate(messages):
        if place and messages[place - 1].role == message.role:
            found.add("history.merged")
        if not message.content:
            found.add("history.blank")
        _check_blocks(message, found)
        _check_server_calls(message, found)
        _check_results(message, open_calls, found)
        open_calls = [use.id for use in message.tool_uses]
        for call_id in open_calls:
            if call_id in seen or not CALL_ID.fullmatch(call_id):
                found.add("history.id_renamed", call_id)
            seen.add(call_id)
    for call_id in open_calls:
        found.add("history.result_missing", call_id)
    return found.notices


def _check_blocks(message: Message, found: Tally) -> None:
    for block in message.content:
        if is_blank(block):
            found.add("history.blank")
        if is_misplaced(block, message.role):
            found.add("history.misplaced")
        if isinstance(block, TextBlock) and not is_writable(block.text):
            found.add("history.unwritable")
        if isinstance(block, ToolResultBlock):
            if not block.content.strip():
                found.add("history.result_empty", block.tool_use_id)
            if not is_writable(block.content):
                found.add("history.unwritable")
    for use in message.tool_uses:
        if not CALL_NAME.fullmatch(use.name):
            found.add("history.name_cleaned", use.name)
        if not is_writable(use.input):
            found.add("history.unwritable")


def _check_server_calls(message: Message, found: Tally) -> None:
    """Each call of the server is answered after it in the same message, and once."""
    calls: list[str] = []
    answered: list[str] = []
    for block in message.content:
        call, answer = server_call(block), server_answers(block)
        if call is not None:
            calls.append(call)
        if answer is not None:
            if answer not in calls or answer in answered:
                found.add("history.server_call_cut", answer)
            answered.append(answer)
    for call in calls:
        if call not in answered or calls.count(call) > 1:
            found.add("history.server_call_cut", call)


def _check_results(message: Message, open_calls: Sequence[str], found: Tally) -> None:
    """Each open call has one result, in order, before everything else."""
    given = [call_id for block in message.content if (call_id := answers(block)) is not None]
    for call_id in dict.fromkeys(open_calls):
        if call_id not in given:
            found.add("history.result_missing", call_id)
    for place, call_id in enumerate(given):
        if call_id not in open_calls:
            found.add("history.result_without_call", call_id)
        elif call_id in given[:place]:
            found.add("history.second_result", call_id)
    leading = [answers(block) for block in message.content[: len(given)]]
    expected = [call_id for call_id in open_calls if call_id in given]
    if leading != given or [call_id for call_id in given if call_id in open_calls] != expected:
        found.add("history.reordered")
