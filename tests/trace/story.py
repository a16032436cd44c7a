"""A trace made by hand: one line an event, places and times given as a conversation would."""

from toolsearch_core.events import (
    Event,
    IndexEvicted,
    IndexReady,
    InjectedTool,
    RequestedCall,
    RequestPrepared,
    ResponseReceived,
    ToolCalled,
    ToolsDropped,
    ToolsSearched,
    TraceEntry,
    TurnEnded,
    TurnStarted,
)
from toolsearch_core.search_types import ToolReference
from toolsearch_core.tools import SEARCH_TOOL_NAME, Catalog, ToolDefinition
from toolsearch_core.usage import RequestTokens, Usage

NAMES = ("track_parcel", "return_parcel", "read_clock", "exchange_money")
PARCELS = Catalog(
    tuple(
        ToolDefinition(name=name, wire_name=name, server="post" if "parcel" in name else "desk")
        for name in NAMES
    )
)
EVERYTHING = 4000
"""Tokens of all definitions of the catalog."""


def entries(*events: Event) -> tuple[TraceEntry, ...]:
    """The events in their places, a second apart, from 1000 s on."""
    turn = 0
    rows = []
    for seq, event in enumerate(events):
        turn = event.turn if isinstance(event, TurnStarted) else turn
        rows.append(TraceEntry(seq=seq, turn=turn, at_s=1000.0 + seq, event=event))
    return tuple(rows)


def asked(turn: int, *, accumulate: bool = True, simulated: bool = True) -> TurnStarted:
    return TurnStarted(
        turn=turn,
        text=f"question {turn}",
        disclosure="search_and_inject",
        model="scripted",
        simulated=simulated,
        catalog_fingerprint=PARCELS.fingerprint,
        tool_count=len(PARCELS),
        accumulate=accumulate,
    )


def ready(*, reindexed: bool = False) -> IndexReady:
    return IndexReady(
        index_kind="keyword", tool_count=4, duration_s=0.0, reused=False, reindexed=reindexed
    )


def evicted(*released: str, reason: str = "explicit", idle_s: float | None = None) -> IndexEvicted:
    return IndexEvicted(session_id="s", reason=reason, idle_s=idle_s, released=released)  # type: ignore[arg-type]


def request(
    call: int, *injected: tuple[str, int, str], searches: bool = True, messages: int = 100
) -> RequestPrepared:
    """A request of system 50, the search tool 200, and these definitions (name, tokens, reason)."""
    tools = [(SEARCH_TOOL_NAME, 200, "search_tool")] if searches else []
    sent = [
        InjectedTool(name=name, tokens=tokens, reason=reason)  # type: ignore[arg-type]
        for name, tokens, reason in (*tools, *injected)
    ]
    tokens = RequestTokens(
        system=50,
        search_tool=200 if searches else 0,
        definitions=sum(tokens for _, tokens, _ in injected),
        messages=messages,
    )
    return RequestPrepared(
        call=call,
        injected=tuple(sent),
        tokens=tokens,
        baseline=RequestTokens(system=20, definitions=EVERYTHING, messages=messages),
        conversation_baseline=RequestTokens(system=20, definitions=EVERYTHING, messages=60),
        body={},
    )


def searched(query: str, **found: float) -> ToolsSearched:
    """A search with its hits, name=score."""
    return ToolsSearched(
        call_id=f"search {query}",
        query=query,
        index_kind="keyword",
        asked_results=None,
        max_results=5,
        threshold=None,
        calibrated=False,
        hits=tuple(
            ToolReference(tool_name=name, score=score, raw_score=score)
            for name, score in found.items()
        ),
        near_misses=(),
        total_matches=len(found),
        discovered=tuple(found),
        result="",
        duration_s=0.0,
    )


def answered(
    call: int, *, search_round: bool = False, source: str = "estimated"
) -> ResponseReceived:
    """An answer of 10 tokens."""
    name = SEARCH_TOOL_NAME if search_round else "track_parcel"
    return ResponseReceived(
        call=call,
        text="",
        calls=(RequestedCall(call_id=f"c{call}", name=name, arguments={}),),
        stop_reason="tool_use",
        usage=Usage(input_tokens=333, output_tokens=10, source=source),  # type: ignore[arg-type]
        duration_s=0.0,
        search_round=search_round,
    )


def called(name: str, outcome: str = "executed") -> ToolCalled:
    return ToolCalled(
        call_id=f"call {name}",
        name=name,
        arguments={},
        outcome=outcome,  # type: ignore[arg-type]
        result="",
        simulated=True,
        duration_s=0.0,
    )


def dropped(*names: str, reason: str = "accumulation_off", tokens: int = 0) -> ToolsDropped:
    return ToolsDropped(names=names, reason=reason, tokens=tokens)  # type: ignore[arg-type]


def ended(turn: int, status: str = "answered") -> TurnEnded:
    return TurnEnded(
        turn=turn,
        status=status,  # type: ignore[arg-type]
        answer="",
        model_calls=0,
        prompt_tokens=0,
        output_tokens=0,
        baseline_tokens=0,
        source="estimated",
        duration_s=0.0,
    )


FOUND_PARCEL = (
    asked(1),
    ready(),
    request(1),
    answered(1, search_round=True),
    searched("where is my parcel", track_parcel=0.9, return_parcel=0.4),
    request(2, ("track_parcel", 300, "discovered"), ("return_parcel", 400, "discovered")),
    answered(2),
    called("track_parcel"),
    request(3, ("track_parcel", 300, "discovered"), ("return_parcel", 400, "discovered")),
    answered(3),
    ended(1),
)
"""A whole turn: one search, one call, an answer."""
