"""The body of a request, read as a conversation: the question, what was done about it, the tools."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from toolsearch_core.jsonvalues import JsonObject
from toolsearch_core.messages import Message, TextBlock, ToolResultBlock, ToolUseBlock
from toolsearch_core.providers.rehearsal.small_talk import means_again
from toolsearch_core.tools import ToolDefinition
from toolsearch_core.wire import message_from_json

SEARCH_TOOL_NAME = "tool_search_tool"
_CALL_ID = re.compile(r"^toolu_[0-9a-f]{16}_(\d+)_\d+$")


@dataclass(frozen=True, slots=True)
class Step:
    """One call of this conversation with its answer."""

    name: str
    arguments: JsonObject
    need: int | None
    """Place of the need it serves in its question; `None` when its id does not say."""
    result: str | None
    failed: bool

    @property
    def is_search(self) -> bool:
        """Whether this searched for tools."""
        return self.name == SEARCH_TOOL_NAME


@dataclass(frozen=True, slots=True)
class Reading:
    """What the model knows when it is asked."""

    question: str
    """The latest text of the person; empty when there is none. Of one that only says `again`, the text
    before it."""
    steps: tuple[Step, ...]
    """Calls since the question, in order."""
    earlier: tuple[Step, ...]
    """Calls before the question, in order."""
    tools: tuple[ToolDefinition, ...]
    """The tools of the request but for the search tool, in order."""
    search_tool: ToolDefinition | None
    """How to search for more; `None` when there is no searching."""

    @property
    def can_search(self) -> bool:
        """Whether tools can be searched for."""
        return self.search_tool is not None


def call_id(seed: str, need: int, place: int) -> str:
    """An id for a call: unique as long as the seed is, and it tells which need the call serves."""
    return f"toolu_{seed[:16]}_{need}_{place}"


def read(body: JsonObject) -> Reading:
    """Read a request body; the service has checked its form."""
    listed = body.get("messages")
    messages = [message_from_json(item) for item in listed] if isinstance(listed, list) else []
    start = _question_place(messages)
    question = _question(messages)
    turn = 0 if start is None else start + 1
    tools = tools_of(body)
    return Reading(
        question=question,
        steps=_steps(messages[turn:]),
        earlier=_steps(messages[:turn]),
        tools=tuple(tool for tool in tools if tool.wire_name != SEARCH_TOOL_NAME),
        search_tool=next((tool for tool in tools if tool.wire_name == SEARCH_TOOL_NAME), None),
    )


def _question_place(messages: list[Message]) -> int | None:
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if message.role == "user" and any(
            isinstance(block, TextBlock) and block.text.strip() for block in message.content
        ):
            return place
    return None


def _question(messages: list[Message]) -> str:
    """What is asked for now.

    A text that was left without an answer stands beside the next one, often in the same message. It is
    asked for again only when the next one says so.
    """
    said = [
        block.text.strip()
        for message in messages
        if message.role == "user"
        for block in message.content
        if isinstance(block, TextBlock) and block.text.strip()
    ]
    latest = said[-1] if said else ""
    return next((text for text in reversed(said) if not means_again(text)), latest)


def _steps(messages: list[Message]) -> tuple[Step, ...]:
    answers = {
        block.tool_use_id: block
        for message in messages
        for block in message.content
        if isinstance(block, ToolResultBlock)
    }
    calls = [call for message in messages for call in message.tool_uses]
    return tuple(_step(call, answers.get(call.id)) for call in calls)


def _step(call: ToolUseBlock, answer: ToolResultBlock | None) -> Step:
    told = _CALL_ID.match(call.id)
    return Step(
        name=call.name,
        arguments=call.input,
        need=int(told[1]) if told else None,
        result=None if answer is None else answer.content,
        failed=answer is not None and answer.is_error,
    )


def tools_of(body: JsonObject) -> list[ToolDefinition]:
    """The tools of a request body, in order; what is no tool is passed over."""
    listed = body.get("tools")
    tools: list[ToolDefinition] = []
    for tool in listed if isinstance(listed, list) else ():
        if isinstance(tool, Mapping):
            name, description, schema = (
                tool.get("name"),
                tool.get("description"),
                tool.get("input_schema"),
            )
            if isinstance(name, str) and isinstance(schema, Mapping):
                text = description if isinstance(description, str) else ""
                tools.append(
                    ToolDefinition(name=name, wire_name=name, description=text, input_schema=schema)
                )
    return tools
