"""The repair: a copy of a history that the Messages API takes, and what had to be changed for it."""

import math
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from toolsearch_core.history.blocks import (
    CALL_NAME,
    answers,
    is_blank,
    is_misplaced,
    is_writable,
    server_answers,
    server_call,
)
from toolsearch_core.history.tally import Tally
from toolsearch_core.jsonvalues import JsonValue, whole_characters
from toolsearch_core.messages import (
    Block,
    Message,
    OpaqueBlock,
    Role,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from toolsearch_core.notices import Notice

NO_RESULT = "No result: the call was not carried out."
"""Goes to the model in place of a result that is missing."""
NO_OUTPUT = "(The tool gave no output.)"
"""Goes to the model in place of an empty result."""
OPENING = "(The beginning of the conversation is left out.)"
"""Goes to the model as the first message when a history does not begin with the user's."""

MAX_CALL_NAME_CHARS = 64
MAX_ARGUMENT_DEPTH = 64
"""Arguments nested deeper are cut, but only when they could not be written as they are."""


@dataclass(frozen=True, slots=True)
class SendableHistory:
    """The copy that is sent."""

    messages: tuple[Message, ...]
    repairs: tuple[Notice, ...]
    """What differs from the stored history; empty when nothing does."""


@dataclass(frozen=True, slots=True)
class _Piece:
    message: int
    role: Role
    block: Block


def sendable(messages: Sequence[Message]) -> SendableHistory:
    """A copy in which every rule of the Messages API for a history holds.

    What is sound stays as it is, and the copy of a longer history begins with the copy of a shorter
    one, as far as that ended with the user; so a provider's prompt cache survives.
    """
    found = Tally()
    pieces = [
        _Piece(place, message.role, block)
        for place, message in enumerate(messages)
        for block in _sound_blocks(message, found)
    ]
    pieces = _without_orphans(pieces, found)
    runs: list[tuple[Role, list[Block]]] = []
    for role, run in groupby(pieces, key=lambda piece: piece.role):
        held = list(run)
        for _ in range(len({piece.message for piece in held}) - 1):
            found.add("history.merged")
        runs.append((role, [piece.block for piece in held]))
    if runs and runs[0][0] == "assistant":
        found.add("history.no_opening")
        runs.insert(0, ("user", [TextBlock(OPENING)]))
    return SendableHistory(tuple(_answered(runs, found)), found.notices)


def _sound_blocks(message: Message, found: Tally) -> Iterator[Block]:
    """The blocks that can be sent by themselves, each cleaned."""
    if not message.content:
        found.add("history.blank")
    for block in message.content:
        if is_blank(block):
            found.add("history.blank")
        elif is_misplaced(block, message.role):
            found.add("history.misplaced")
        else:
            yield _writable(block, found)


def _writable(block: Block, found: Tally) -> Block:
    match block:
        case TextBlock() if not is_writable(block.text):
            found.add("history.unwritable")
            return TextBlock(whole_characters(block.text))
        case ToolResultBlock():
            content = block.content
            if not is_writable(content):
                found.add("history.unwritable")
                content = whole_characters(content)
            if not content.strip():
                found.add("history.result_empty", block.tool_use_id)
                content = NO_OUTPUT
            return replace(block, content=content)
        case ToolUseBlock():
            name, arguments = block.name, block.input
            if not CALL_NAME.fullmatch(name):
                found.add("history.name_cleaned", name)
                name = re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:MAX_CALL_NAME_CHARS] or "_"
            if not is_writable(arguments):
                found.add("history.unwritable")
                arguments = {
                    whole_characters(str(key)): _clean_json(value, 1)
                    for key, value in arguments.items()
                }
            return replace(block, name=name, input=arguments)
    return block


def _clean_json(value: JsonValue, depth: int) -> JsonValue:
    if isinstance(value, str):
        return whole_characters(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, int):
        return value
    if depth >= MAX_ARGUMENT_DEPTH:
        return None
    if isinstance(value, Mapping):
        return {
            whole_characters(str(key)): _clean_json(each, depth + 1) for key, each in value.items()
        }
    return [_clean_json(each, depth + 1) for each in value]


def _without_orphans(pieces: list[_Piece], found: Tally) -> list[_Piece]:
    """Results without a call go, and so do calls of the server without their result.

    Removing a whole message brings its neighbours together, so it is done until nothing is left to do.
    """
    while True:
        kept: list[_Piece] = []
        calls: frozenset[str] = frozenset()
        for role, run in groupby(pieces, key=lambda piece: piece.role):
            held = list(run)
            if role == "user":
                for piece in held:
                    call_id = answers(piece.block)
                    if call_id is None or call_id in calls:
                        kept.append(piece)
                    else:
                        found.add("history.result_without_call", call_id)
                calls = frozenset()
            else:
                kept += _without_cut_server_calls(held, found)
                calls = frozenset(
                    piece.block.id for piece in held if isinstance(piece.block, ToolUseBlock)
                )
        if len(kept) == len(pieces):
            return kept
        pieces = kept


def _without_cut_server_calls(held: Sequence[_Piece], found: Tally) -> Iterator[_Piece]:
    """Leave out calls of the server that no later block answers, and answers to no earlier call."""
    calls: dict[str, int] = {}
    results: dict[str, int] = {}
    for place, piece in enumerate(held):
        call, answer = server_call(piece.block), server_answers(piece.block)
        if call is not None:
            calls.setdefault(call, place)
        elif answer in calls:
            results.setdefault(answer, place)
    paired = {place for answer, place in results.items() for place in (place, calls[answer])}
    for place, piece in enumerate(held):
        cut = server_call(piece.block) or server_answers(piece.block)
        if cut is None or place in paired:
            yield piece
        else:
            found.add("history.server_call_cut", cut)


def _answered(runs: Sequence[tuple[Role, list[Block]]], found: Tally) -> Iterator[Message]:
    """Give every call one result in the next message, under an id that no call before it has."""
    used: dict[str, int] = {}
    results: list[Block] = []
    for place, (role, blocks) in enumerate(runs):
        if role == "user":
            yield Message(role, (*results, *(block for block in blocks if answers(block) is None)))
            results = []
            continue
        given = runs[place + 1][1] if place + 1 < len(runs) else []
        content, results = _pair(blocks, given, used, found)
        yield Message(role, tuple(content))
    if results:
        yield Message("user", tuple(results))


def _pair(
    blocks: Sequence[Block], given: Sequence[Block], used: dict[str, int], found: Tally
) -> tuple[list[Block], list[Block]]:
    """The blocks of an assistant message with sound ids, and one result for each of their calls.

    Where calls share an id, the first result of that id belongs to the first of them, and so on.
    """
    waiting: dict[str, deque[Block]] = {}
    for block in given:
        call_id = answers(block)
        if call_id is not None:
            waiting.setdefault(call_id, deque()).append(block)
    content: list[Block] = []
    matched: list[Block] = []
    results: list[Block] = []
    for block in blocks:
        if not isinstance(block, ToolUseBlock):
            content.append(block)
            continue
        new_id = _fresh(block.id, used)
        if new_id != block.id:
            found.add("history.id_renamed", block.id)
        content.append(replace(block, id=new_id))
        if waiting.get(block.id):
            result = waiting[block.id].popleft()
            matched.append(result)
            results.append(_answering(result, new_id))
        else:
            found.add("history.result_missing", block.id)
            results.append(ToolResultBlock(new_id, NO_RESULT, is_error=True))
    doubles = {id(block) for left in waiting.values() for block in left}
    for _ in doubles:
        found.add("history.second_result")
    sent = [block for block in given if id(block) not in doubles]
    if any(block is not result for block, result in zip(sent, matched, strict=False)):
        found.add("history.reordered")
    return content, results


def _answering(result: Block, call_id: str) -> Block:
    if isinstance(result, ToolResultBlock):
        return replace(result, tool_use_id=call_id)
    if isinstance(result, OpaqueBlock) and answers(result) != call_id:
        return OpaqueBlock({**result.data, "tool_use_id": call_id})
    return result


def _fresh(call_id: str, used: dict[str, int]) -> str:
    """The id itself if it can be used, or else one made from it.

    Args:
        call_id: as it is stored.
        used: ids that are taken -> the highest number that was put behind them.
    """
    sound = re.sub(r"[^a-zA-Z0-9_-]", "_", call_id) or "call"
    fresh = sound
    while fresh in used:
        used[sound] += 1
        fresh = f"{sound}_{used[sound]}"
    used[fresh] = 1
    return fresh
