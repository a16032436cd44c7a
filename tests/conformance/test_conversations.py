"""3.3: whole conversations with a model that decides for itself, over each of the four indexes.

The rehearsal model stands in for a live one: it sees what a model sees and nothing else.
"""

import pytest

from tests.conformance.talk import SEARCH, of_kind
from toolsearch_core.advisor import ToolSearchAdvisor
from toolsearch_core.chat import (
    CONVERSATION_ID,
    ChatClient,
    InMemoryChatMemory,
    MessageMemoryAdvisor,
)
from toolsearch_core.chat_types import Advisor
from toolsearch_core.events import Event, RequestPrepared, ToolCalled, ToolsSearched, TurnEnded
from toolsearch_core.history import sendable
from toolsearch_core.index import tool_index
from toolsearch_core.providers.rehearsal import RehearsalProvider
from toolsearch_core.search_types import INDEX_KINDS, IndexKind

QUESTION = "What is the weather in Amsterdam, Tokyo and Paris?"
DEGREES = {"Amsterdam": 15, "Tokyo": 10, "Paris": 30}

OUTSIDE, INSIDE = 200, 1000
"""Places of a memory advisor: around the tool loop, and around each of its model calls."""


def current_weather(city: str) -> dict[str, object]:
    """Tell the current weather of a city: the temperature in degrees Celsius."""
    return {"city": city, "temperature_celsius": DEGREES.get(city, 0)}


def book_table(restaurant: str, people: int) -> str:
    """Reserve a table in a restaurant."""
    return f"{people} at {restaurant}"


class Conversation:
    """One question, asked in one of the ways that a client offers."""

    def __init__(
        self, kind: IndexKind, *, streamed: bool, per_request: bool, memory_order: int | None
    ) -> None:
        self.kept = InMemoryChatMemory()
        memory = (
            [] if memory_order is None else [MessageMemoryAdvisor(self.kept, order=memory_order)]
        )
        advisors: list[Advisor] = [ToolSearchAdvisor(tool_index(kind)), *memory]
        self._streamed = streamed
        self._now_and_then = advisors if per_request else []
        self._client = ChatClient(
            RehearsalProvider(),
            tools=[current_weather, book_table],
            advisors=[] if per_request else advisors,
            context={CONVERSATION_ID: "travel"},
        )

    def ask(self, question: str = QUESTION) -> list[Event]:
        prompt = self._client.prompt(question, advisors=self._now_and_then)
        if self._streamed:
            return [*prompt.stream()]
        return [entry.event for entry in prompt.call().entries]


def holds(conversation: Conversation) -> None:
    """The answer has all temperatures, and they came out of a tool that was searched for."""
    events = conversation.ask()

    first, *_ = of_kind(events, RequestPrepared)
    assert [tool.name for tool in first.injected] == [SEARCH]
    assert of_kind(events, ToolsSearched)[0].discovered[0] == "current_weather"
    calls = of_kind(events, ToolCalled)
    assert {each.arguments["city"] for each in calls} == {*DEGREES}
    assert {(each.name, each.outcome) for each in calls} == {("current_weather", "executed")}
    [end] = of_kind(events, TurnEnded)
    assert end.status == "answered"
    assert all(str(degrees) in end.answer for degrees in DEGREES.values())


def remembers(conversation: Conversation) -> None:
    """Calls and results are kept, each once, so that the conversation is valid as it stands."""
    kept = conversation.kept.get("travel")

    assert kept[0].text == QUESTION
    assert [message.text for message in kept].count(QUESTION) == 1
    assert sum(use.name == "current_weather" for each in kept for use in each.tool_uses) == 3
    assert sendable(kept).repairs == ()
    assert all(str(degrees) in kept[-1].text for degrees in DEGREES.values())


kinds = pytest.mark.parametrize("kind", INDEX_KINDS)
memory_orders = pytest.mark.parametrize("order", [OUTSIDE, INSIDE], ids=["outside", "inside"])


@pytest.mark.promise("3.3.1")
@kinds
def test_called_with_the_advisor_of_the_request_and_the_history_of_the_loop(
    kind: IndexKind,
) -> None:
    holds(Conversation(kind, streamed=False, per_request=True, memory_order=None))


@pytest.mark.promise("3.3.2")
@kinds
@memory_orders
def test_called_with_the_advisor_of_the_request_and_a_memory(kind: IndexKind, order: int) -> None:
    conversation = Conversation(kind, streamed=False, per_request=True, memory_order=order)
    holds(conversation)
    remembers(conversation)


@pytest.mark.promise("3.3.3")
@kinds
def test_called_with_the_default_advisor_and_the_history_of_the_loop(kind: IndexKind) -> None:
    holds(Conversation(kind, streamed=False, per_request=False, memory_order=None))


@pytest.mark.promise("3.3.4")
@kinds
@memory_orders
def test_called_with_the_default_advisor_and_a_memory(kind: IndexKind, order: int) -> None:
    conversation = Conversation(kind, streamed=False, per_request=False, memory_order=order)
    holds(conversation)
    remembers(conversation)


@pytest.mark.promise("3.3.5")
@kinds
def test_streamed_with_the_advisor_of_the_request_and_the_history_of_the_loop(
    kind: IndexKind,
) -> None:
    holds(Conversation(kind, streamed=True, per_request=True, memory_order=None))


@pytest.mark.promise("3.3.6")
@kinds
@memory_orders
def test_streamed_with_the_advisor_of_the_request_and_a_memory(kind: IndexKind, order: int) -> None:
    conversation = Conversation(kind, streamed=True, per_request=True, memory_order=order)
    holds(conversation)
    remembers(conversation)


@pytest.mark.promise("3.3.7")
@kinds
def test_streamed_with_the_default_advisor_and_the_history_of_the_loop(kind: IndexKind) -> None:
    holds(Conversation(kind, streamed=True, per_request=False, memory_order=None))


@pytest.mark.promise("3.3.8")
@kinds
@memory_orders
def test_streamed_with_the_default_advisor_and_a_memory(kind: IndexKind, order: int) -> None:
    conversation = Conversation(kind, streamed=True, per_request=False, memory_order=order)
    holds(conversation)
    remembers(conversation)
