"""Everything a turn reports, as immutable values. A trace is their list, and the only source of truth.

A `TraceEntry` gives an event its place and its time; live view, replay, export, evaluation and tests
read entries and nothing else.
"""

from dataclasses import dataclass, field
from typing import Literal

from toolsearch_core.jsonvalues import JsonObject
from toolsearch_core.messages import StopReason
from toolsearch_core.notices import Notice
from toolsearch_core.search_types import ToolReference
from toolsearch_core.usage import RequestTokens, Usage

Disclosure = Literal["search_and_inject", "all_up_front"]
DISCLOSURES: tuple[Disclosure, ...] = ("search_and_inject", "all_up_front")

EvictionReason = Literal["lru", "ttl", "always", "explicit", "catalog_changed", "index_changed"]
DropReason = Literal["accumulation_off", "catalog_changed", "unpinned"]
InjectionReason = Literal["search_tool", "pinned", "discovered", "accumulated", "all_up_front"]
CallOutcome = Literal[
    "executed",
    "invalid_arguments",
    "failed",
    "not_injected",
    "unknown_tool",
    "not_run",
    "over_limit",
]
TurnStatus = Literal[
    "answered", "stopped", "iteration_limit", "call_limit", "output_limit", "refused", "failed"
]


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnStarted:
    """A person asked something."""

    turn: int
    """1 for the first turn of the conversation."""
    text: str
    disclosure: Disclosure
    model: str
    simulated: bool
    """The model's words are simulated."""
    catalog_fingerprint: str
    tool_count: int
    accumulate: bool
    notices: tuple[Notice, ...] = ()
    """What a person should know of how the tools are sent."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexEvicted:
    """A whole session index was released; all its tools went back to deferred."""

    session_id: str
    """Whose index it was: an access of one session can release that of another."""
    reason: EvictionReason
    idle_s: float | None = None
    """Seconds since the session was last used; `None` when that does not matter."""
    released: tuple[str, ...] = ()
    """The discovered tools that went back to deferred, in first-discovery order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexReady:
    """The session has an index for this catalog."""

    index_kind: str
    tool_count: int
    duration_s: float
    """Elapsed seconds for this session; next to nothing when the catalog was known."""
    reused: bool
    """The retriever over this catalog was there already and is shared."""
    reindexed: bool
    """This session had an index before that was evicted or is replaced by this one."""
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class HistoryRepaired:
    """The copy of the conversation that is sent differs from the stored one, to stay valid."""

    repairs: tuple[Notice, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolsDropped:
    """Injected tools leave the request; their session index stays."""

    names: tuple[str, ...]
    """Wire names."""
    reason: DropReason
    tokens: int = 0
    """Tokens of definitions that are no longer sent."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InjectedTool:
    """One definition in a request."""

    name: str
    """The wire name."""
    tokens: int
    reason: InjectionReason


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestPrepared:
    """One model call is about to be sent."""

    call: int
    """1 for the first model call of the turn."""
    injected: tuple[InjectedTool, ...]
    """In the order they are sent."""
    tokens: RequestTokens
    baseline: RequestTokens
    """This very request with every tool up front (decision 10, the bar behind the bar)."""
    conversation_baseline: RequestTokens
    """This request in the same conversation with every tool up front: no search tool, no search rounds."""
    body: JsonObject = field(hash=False)
    """The exact body that is sent, without any key."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TextDelta:
    """A piece of the model's text."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestedCall:
    """One call that the model asked for."""

    call_id: str
    name: str
    arguments: JsonObject = field(hash=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class ResponseReceived:
    """One model call has answered."""

    call: int
    text: str
    calls: tuple[RequestedCall, ...]
    stop_reason: StopReason
    usage: Usage
    duration_s: float
    """Elapsed seconds, monotonic clock."""
    search_round: bool
    """The answer only searches: with every tool up front this model call would not have been needed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolsSearched:
    """The model searched, and this was found."""

    call_id: str
    query: str
    index_kind: str
    asked_results: int | None
    """What the model asked for; `None` when it left that open."""
    max_results: int
    """What it was given: asked or default, clamped to the cap."""
    threshold: float | None
    calibrated: bool
    hits: tuple[ToolReference, ...]
    near_misses: tuple[ToolReference, ...]
    total_matches: int
    discovered: tuple[str, ...]
    """Wire names that were not known before this search."""
    result: str
    """The text that goes back to the model."""
    duration_s: float
    notices: tuple[Notice, ...] = ()
    failed: bool = False
    """The search was refused or broke; the model got a short error instead of hits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCalled:
    """The model called a tool other than the search tool."""

    call_id: str
    name: str
    """The wire name, as called."""
    arguments: JsonObject = field(hash=False)
    outcome: CallOutcome
    result: str
    """The text that goes back to the model."""
    simulated: bool
    duration_s: float
    problems: tuple[Notice, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnEnded:
    """The turn is over; the conversation is valid and can go on."""

    turn: int
    status: TurnStatus
    answer: str
    """What the person reads; the partial answer when the turn was stopped."""
    model_calls: int
    prompt_tokens: int
    """Over all requests of the turn; reported where the provider reports, else estimated."""
    output_tokens: int
    baseline_tokens: int
    """Prompt tokens of the same turn with every tool up front and without search rounds; estimated."""
    source: Literal["estimated", "reported", "mixed"]
    duration_s: float
    problem: Notice | None = None
    """Why the turn did not end with an answer."""


Event = (
    TurnStarted
    | IndexEvicted
    | IndexReady
    | HistoryRepaired
    | ToolsDropped
    | RequestPrepared
    | TextDelta
    | ResponseReceived
    | ToolsSearched
    | ToolCalled
    | TurnEnded
)


@dataclass(frozen=True, kw_only=True, slots=True)
class TraceEntry:
    """An event in its place."""

    seq: int
    """0 for the first entry of the conversation."""
    turn: int
    """The turn it belongs to; an eviction between turns carries the last one's, 0 before the first."""
    at_s: float
    """Seconds since 1970-01-01 UTC, by the conversation's clock (a demo clock may run ahead)."""
    event: Event
