"""Conversations with a scripted model over an index that writes down what it is told."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolsearch_core.advisor import AdvisorOptions, ToolSearchAdvisor
from toolsearch_core.chat import CONVERSATION_ID, ChatClient, Prompt
from toolsearch_core.chat.tools import Tool
from toolsearch_core.chat_types import Advisor
from toolsearch_core.events import Event
from toolsearch_core.eviction import Lru
from toolsearch_core.index import tool_index
from toolsearch_core.protocols import EvictionStrategy, ToolExecutor, ToolIndex
from toolsearch_core.providers.scripted import ScriptedProvider, call, text
from toolsearch_core.search_types import ToolSearchRequest, ToolSearchResponse
from toolsearch_core.session import SessionRegistry
from toolsearch_core.tools import Catalog, ToolDefinition

SEARCH = "tool_search_tool"


class Recording:
    """Any tool index, with what it is told written down; it may be made to break."""

    def __init__(self, inner: ToolIndex | None = None) -> None:
        self.inner = inner if inner is not None else tool_index("keyword")
        self.indexed: list[tuple[str, tuple[str, ...]]] = []
        """Session and wire names of each time that tools were indexed."""
        self.searches: list[ToolSearchRequest] = []
        self.cleared: list[str] = []
        self.fault: Exception | None = None
        """Raised by the next searches."""
        self.while_indexing: Callable[[], object] = lambda: None

    @property
    def kind(self) -> str:
        return self.inner.kind

    def index_tool(self, session_id: str, tool: ToolDefinition) -> None:
        self.indexed.append((session_id, (tool.wire_name,)))
        self.inner.index_tool(session_id, tool)

    def index_tools(self, session_id: str, tools: Sequence[ToolDefinition]) -> None:
        self.indexed.append((session_id, tuple(tool.wire_name for tool in tools)))
        self.while_indexing()
        self.inner.index_tools(session_id, tools)

    def search(self, request: ToolSearchRequest) -> ToolSearchResponse:
        self.searches.append(request)
        if self.fault is not None:
            raise self.fault
        return self.inner.search(request)

    def clear_index(self, session_id: str) -> None:
        self.cleared.append(session_id)
        self.inner.clear_index(session_id)


def tool(name: str, description: str, **properties: str) -> ToolDefinition:
    """A tool whose arguments are all required; `city="string"` gives one of that type."""
    return ToolDefinition(
        name=name,
        wire_name=name,
        description=description,
        input_schema={
            "type": "object",
            "properties": {key: {"type": kind} for key, kind in properties.items()},
            "required": [*properties],
        },
    )


WEATHER = tool("weather_report", "Tell the weather of a city", city="string")
CLOCK = tool("read_clock", "Tell the time of day")
SHOPS = tool("find_shops", "List clothing shops", city="string")
PARCEL = tool("track_parcel", "Tell where a parcel is", number="string")
TOOLS = (WEATHER, CLOCK, SHOPS, PARCEL)
WORDS = {
    WEATHER.wire_name: "weather city",
    CLOCK.wire_name: "time of day",
    SHOPS.wire_name: "clothing shops",
    PARCEL.wire_name: "parcel",
}
"""What finds each of these tools, and only that one, in a search for one result."""


def find(*tools: ToolDefinition) -> list[dict[str, Any]]:
    """One message of parallel searches, each of which finds one of `TOOLS`."""
    return [call(SEARCH, query=WORDS[each.wire_name], max_results=1) for each in tools]


@dataclass
class Talk:
    """A client with search; by default the model has nothing to say but `Done.`"""

    tools: Iterable[Tool] | Catalog = TOOLS
    options: AdvisorOptions = field(default_factory=AdvisorOptions)
    inner: ToolIndex | None = None
    eviction: EvictionStrategy = field(default_factory=lambda: Lru(1000))
    advisors: Sequence[Advisor] = ()
    executor: ToolExecutor | None = None
    streamed: bool = False
    now: float = 1000.0

    def __post_init__(self) -> None:
        self.index = Recording(self.inner)
        self.model = ScriptedProvider()
        self.sessions = SessionRegistry(self.eviction, lambda: self.now, timer=lambda: self.now)
        self.advisor = ToolSearchAdvisor(self.index, sessions=self.sessions, clock=lambda: self.now)
        self.client = ChatClient(
            self.model,
            tools=self.tools,
            advisors=[self.advisor, *self.advisors],
            options=self.options,
            executor=self.executor,
            clock=lambda: self.now,
        )

    def ask(
        self,
        *steps: object,
        session: str = "s",
        question: str = "Go on",
        **more: Any,
    ) -> list[Event]:
        """One question; the model takes the steps and ends with `Done.` What `prompt` takes goes on to it."""
        self.model.add(*steps, [text("Done.")])  # type: ignore[arg-type]
        context = {CONVERSATION_ID: session, **more.pop("context", {})}
        return self.events(self.client.prompt(question, context=context, **more))

    def events(self, prompt: Prompt) -> list[Event]:
        """Ask by `call`, or by `stream` where the talk is streamed."""
        if self.streamed:
            return list(prompt.stream())
        return [entry.event for entry in prompt.call().entries]

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The bodies that the model was sent."""
        return self.model.requests  # type: ignore[return-value]

    def sent(self, request: int = -1) -> list[str]:
        """The names of the tools in a request, in order."""
        return names(self.requests[request])

    def declared(self) -> list[list[str]]:
        """The names of the tools in each request."""
        return [names(body) for body in self.requests]


def names(body: Mapping[str, Any]) -> list[str]:
    """The names of the tools in a request, in order."""
    return [each["name"] for each in body.get("tools", ())]


def results(body: Mapping[str, Any]) -> list[str]:
    """The texts of the results in the last message of a request, in order."""
    return [
        block["content"]
        for block in body["messages"][-1]["content"]
        if block["type"] == "tool_result"
    ]


def found(result: str) -> list[str]:
    """The names that a search told the model."""
    listed: list[str] = json.loads(result)["found"]
    return listed


def of_kind(events: Sequence[Event], kind: type[Any]) -> list[Any]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]
