"""A small stage for turns: four parcel tools, a keyword index, a scripted model, a clock that stands."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field

from toolsearch_core.advisor import AdvisorOptions, ToolSearchAdvisor
from toolsearch_core.chat import CONVERSATION_ID, ChatClient
from toolsearch_core.chat_types import Advisor
from toolsearch_core.events import Event
from toolsearch_core.eviction import EvictionConfig, make_strategy
from toolsearch_core.execution import SimulatedExecutor
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.messages import Message
from toolsearch_core.protocols import ToolExecutor
from toolsearch_core.providers.scripted import ScriptedProvider
from toolsearch_core.session import SessionRegistry
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.tools import Catalog, ToolDefinition

SEARCH = "tool_search_tool"


def tool(name: str, description: str, **properties: str) -> ToolDefinition:
    """A tool whose arguments are all required; `number="string"` gives one of that type."""
    return ToolDefinition(
        name=name,
        wire_name=name,
        description=description,
        input_schema={
            "type": "object",
            "properties": {key: {"type": kind} for key, kind in properties.items()},
            "required": list(properties),
        },
    )


TRACK = tool("track_parcel", "Tell where a parcel is", number="string")
RETURN = tool("return_parcel", "Send a parcel back to its sender", number="string")
CLOCK = tool("read_clock", "Tell the time of day")
EXCHANGE = tool("exchange_money", "Convert an amount to another currency", amount="number")
PARCELS = Catalog((TRACK, RETURN, CLOCK, EXCHANGE))
RICH = ToolDefinition(
    name="plan_route",
    wire_name="plan_route",
    title="Wayfinder",
    description="Work out how to get somewhere",
    input_schema={
        "type": "object",
        "properties": {
            "zeppelin": {"type": "string", "description": "an umbrella term"},
            "stop": {"type": "object", "properties": {"quay": {"enum": ["gangway", "jetty"]}}},
        },
    },
)
"""Each of its fields has a word that no other field has."""


@dataclass
class Stage:
    """One session on a small catalog; turns follow each other as in a conversation."""

    catalog: Catalog = PARCELS
    options: AdvisorOptions = field(default_factory=AdvisorOptions)
    eviction: EvictionConfig = field(default_factory=EvictionConfig)
    now: float = 1000.0
    session_id: str = "s"

    def __post_init__(self) -> None:
        self.provider = ScriptedProvider()
        self.messages: list[Message] = []
        self.executor: ToolExecutor = SimulatedExecutor()
        self.index = CatalogToolIndex(RetrieverStore(), "keyword")
        self.sessions = SessionRegistry(
            make_strategy(self.eviction, lambda: self.now), lambda: self.now
        )

    def client(self, catalog: Catalog | None = None, *more: Advisor) -> ChatClient:
        return ChatClient(
            self.provider,
            tools=self.catalog if catalog is None else catalog,
            advisors=[
                ToolSearchAdvisor(self.index, sessions=self.sessions, clock=lambda: self.now),
                *more,
            ],
            options=self.options,
            context={CONVERSATION_ID: self.session_id},
            executor=self.executor,
            counter=TokenEstimator("scripted"),
            clock=lambda: self.now,
        )

    def run(
        self,
        text: str,
        catalog: Catalog | None = None,
        *,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Generator[Event, None, None]:
        """One turn as it goes."""
        prompt = self.client(catalog).prompt(text, history=self.messages)
        return prompt.stream(commit=self.messages.extend, stopped=stopped)

    def ask(
        self, text: str, steps: Sequence[object], catalog: Catalog | None = None
    ) -> list[Event]:
        """One whole turn."""
        self.provider.add(*steps)  # type: ignore[arg-type]
        return list(self.run(text, catalog))

    def sent_names(self, request: int = -1) -> list[str]:
        """The names of the tools in a request, in order."""
        tools = self.provider.requests[request].get("tools", ())
        return [item["name"] for item in tools]  # type: ignore[union-attr, index, call-overload]


def kinds(events: Sequence[Event]) -> list[str]:
    """The names of the events, text deltas left out."""
    return [type(event).__name__ for event in events if type(event).__name__ != "TextDelta"]


def only(events: Sequence[Event], kind: type) -> list[Event]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]
