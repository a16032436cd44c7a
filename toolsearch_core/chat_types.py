"""The advisor chain as values and seams: what goes down it, what comes back, and what stands in it."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from toolsearch_core.events import Event, InjectionReason
from toolsearch_core.messages import Message, ModelResponse, TextBlock
from toolsearch_core.options import AdvisorOptions, whole_number
from toolsearch_core.protocols import TokenCounter, ToolExecutor
from toolsearch_core.tools import Catalog, ToolDefinition
from toolsearch_core.usage import Usage

CONVERSATION_ID = "conversation_id"
"""The key of the context that memory reads, and the tool-search advisor unless told otherwise."""

TOOL_ADVISOR_ORDER = 300
"""Where the tool loop stands by default; what has a lower order is outside of it."""
MEMORY_ORDER = 200
"""Where memory stands by default: outside of the tool loop."""
MAX_ORDER = 1_000_000
"""A place in the chain is a whole number from minus to plus this."""

Commit = Callable[[Sequence[Message]], None]
"""Takes whole messages as they become part of the conversation."""


@dataclass(frozen=True, slots=True)
class Disclosed:
    """One definition of a request, and why it is there."""

    tool: ToolDefinition
    reason: InjectionReason


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatRequest:
    """What an advisor gets and hands on: outside the tool loop a turn, inside one model call."""

    messages: tuple[Message, ...]
    """The conversation as far as it is known here, oldest first; outside the loop the question is last."""
    catalog: Catalog
    """All tools that may be used."""
    options: AdvisorOptions
    context: Mapping[str, object] = field(default_factory=dict, hash=False)
    """What the caller gave along for the advisors, such as the conversation id; never sent anywhere."""
    executor: ToolExecutor
    """Runs the tools."""
    commit: Commit = lambda messages: None
    """Called by the tool loop with whole messages; an advisor outside that wants to hear wraps it."""
    stopped: Callable[[], bool] = lambda: False
    """Asked between events; true ends the turn and keeps the partial answer."""
    call: int = 0
    """Inside the tool loop: the model call of the turn, from 1. Outside: 0."""
    disclosed: tuple[Disclosed, ...] = ()
    """Inside the tool loop: the definitions of this model call, in the order they are sent."""
    suffix: str = ""
    """Inside the tool loop: what is added to the system prompt."""
    listen: Callable[[Commit], None] = lambda listener: None
    """Inside the tool loop: an advisor that wants to hear of what becomes part of the conversation from
    now on gives its listener here, once a turn."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatResponse:
    """What comes back up the chain."""

    answer: ModelResponse | None
    """The latest answer of the model; `None` when there is none, as it was stopped or has failed."""
    context: Mapping[str, object] = field(default_factory=dict, hash=False)
    fault: Exception | None = None
    """What made the turn fail, for who looks for the cause; its words are in the events."""

    @classmethod
    def said(cls, text: str) -> "ChatResponse":
        """The answer of an advisor that asks no model."""
        return cls(
            answer=ModelResponse(
                content=(TextBlock(text),),
                stop_reason="end_turn",
                usage=Usage(input_tokens=0, output_tokens=0),
            )
        )


class Placed:
    """What has a place in the chain, and is named by its class."""

    def __init__(self, order: int) -> None:
        """Take the place.

        Raises:
            SettingsError: the order is no whole number from minus to plus a million.
        """
        whole_number("order", order, -MAX_ORDER, MAX_ORDER)
        self._order = order

    @property
    def name(self) -> str:
        """The name of its class."""
        return type(self).__name__

    @property
    def order(self) -> int:
        """The place in the chain."""
        return self._order


class AdvisorChain(Protocol):
    """What comes after an advisor: further advisors, and the model at the end."""

    @property
    def model(self) -> str:
        """The name of the model at the end."""
        ...

    @property
    def simulated(self) -> bool:
        """Whether the model's words are simulated."""
        ...

    @property
    def counter(self) -> TokenCounter:
        """Estimates the tokens of that model."""
        ...

    def next(self, request: ChatRequest) -> Generator[Event, None, ChatResponse]:
        """Hand the request on; may be called more than once, as the tool loop does."""
        ...


class Advisor(Protocol):
    """Stands around a turn or, with a higher order than the tool loop, around each model call."""

    @property
    def name(self) -> str:
        """Names it in errors."""
        ...

    @property
    def order(self) -> int:
        """The lowest is outermost; of equal ones the first given."""
        ...

    def advise(
        self, request: ChatRequest, chain: AdvisorChain
    ) -> "Generator[Event, None, ChatResponse] | ChatResponse":
        """Hand the request on with `return (yield from chain.next(request))`, passing all its events.

        Or answer oneself: `return ChatResponse.said("…")`.
        """
        ...
