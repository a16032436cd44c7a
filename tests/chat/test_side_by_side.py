"""Conversations beside each other over one client: nothing of one is ever seen in another."""

import json
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from toolsearch_core.advisor import ToolSearchAdvisor
from toolsearch_core.chat import (
    CONVERSATION_ID,
    ChatClient,
    InMemoryChatMemory,
    MessageMemoryAdvisor,
)
from toolsearch_core.events import RequestPrepared, ToolCalled, TurnEnded
from toolsearch_core.execution import function_tool
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.providers.scripted import ScriptedProvider, call, text

SESSIONS, TURNS = 8, 20


class Notes:
    """A tool that keeps what it is told, shared by everybody, as a server would be."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def write_note(self, note: str) -> str:
        """Write a note down."""
        self.kept[note] = note
        return note

    def read_note(self, note: str) -> str:
        """Read a note."""
        return self.kept[note]


def answer(body: Any) -> list[dict[str, Any]]:
    """Search in the first turn, then write the note that is asked for and read it back."""
    question = next(
        block["text"]
        for message in reversed(body["messages"])
        if message["role"] == "user"
        for block in message["content"]
        if block["type"] == "text"
    )
    since = next(
        n
        for n, message in reversed(list(enumerate(body["messages"])))
        if any(block.get("text") == question for block in message["content"])
    )
    done = [
        block["name"]
        for message in body["messages"][since:]
        for block in message["content"]
        if block["type"] == "tool_use"
    ]
    listed = [tool["name"] for tool in body["tools"]]
    if "write_note" not in listed:
        return [marked("search", question, call("tool_search_tool", query="write or read a note"))]
    left = [name for name in ("write_note", "read_note") if name not in done]
    if not left:
        return [text(f"Read {question}")]
    return [marked(left[0], question, call(left[0], note=question))]


def marked(step: str, question: str, block: dict[str, Any]) -> dict[str, Any]:
    """An id by what is asked, not by the order in which conversations come to the model."""
    return {**block, "id": f"{step}_{question}"}


def hold(client: ChatClient, session: int) -> list[Any]:
    events: list[Any] = []
    for turn in range(TURNS):
        prompt = client.prompt(f"{session}-{turn}", context={CONVERSATION_ID: f"s{session}"})
        events += prompt.stream()
    return events


def everything(
    client: ChatClient, memory: InMemoryChatMemory, sessions: Sequence[int], *, workers: int
) -> dict[int, Any]:
    with ThreadPoolExecutor(workers) as pool:
        held = pool.map(lambda session: (session, hold(client, session)), sessions)
        return {session: (events, memory.get(f"s{session}")) for session, events in held}


def new_client() -> tuple[ChatClient, InMemoryChatMemory]:
    memory, notes = InMemoryChatMemory(), Notes()
    client = ChatClient(
        ScriptedProvider([answer] * (SESSIONS * TURNS * 5)),
        tools=[function_tool(notes.write_note), function_tool(notes.read_note)],
        advisors=[
            MessageMemoryAdvisor(memory),
            ToolSearchAdvisor(CatalogToolIndex(RetrieverStore(), "keyword"), clock=lambda: 0.0),
        ],
        clock=lambda: 0.0,
    )
    return client, memory


def totals(events: list[Any]) -> list[tuple[int, int, int]]:
    return [
        (event.turn, event.prompt_tokens, event.output_tokens)
        for event in events
        if isinstance(event, TurnEnded)
    ]


def sent_tools(events: list[Any]) -> list[str]:
    return [json.dumps(each.body["tools"]) for each in events if isinstance(each, RequestPrepared)]


@pytest.mark.timeout(300)
def test_eight_conversations_at_once_equal_the_same_one_by_one() -> None:
    """SES-06: 8 conversations of 20 turns; the marker of a turn is written by a tool and read back."""
    beside = everything(*new_client(), range(SESSIONS), workers=SESSIONS)
    alone = everything(*new_client(), (0, SESSIONS - 1), workers=1)

    for session, (events, messages) in beside.items():
        told = repr((events, messages))
        foreign = {mark for mark in re.findall(r"\b(\d)-\d+\b", told) if int(mark) != session}
        assert foreign == set()
        called = [event for event in events if isinstance(event, ToolCalled)]
        assert [event.outcome for event in called] == ["executed"] * (2 * TURNS)
        assert [event.answer for event in events if isinstance(event, TurnEnded)] == [
            f"Read {session}-{turn}" for turn in range(TURNS)
        ]
    for session, (events, messages) in alone.items():
        beside_events, beside_messages = beside[session]
        assert totals(events) == totals(beside_events)
        assert messages == beside_messages
        assert sent_tools(events) == sent_tools(beside_events)
