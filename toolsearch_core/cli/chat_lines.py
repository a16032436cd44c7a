"""What `chat` prints of an event."""

import json

from toolsearch_core.cli.printable import printable
from toolsearch_core.events import (
    Event,
    IndexEvicted,
    RequestPrepared,
    ToolCalled,
    ToolsDropped,
    ToolsSearched,
    TurnEnded,
    TurnStarted,
)
from toolsearch_core.trace.ledger import saved_percent, saved_share


def show(event: Event) -> None:
    """Print it, with the codes of control characters in place of what they would do."""
    for line in lines(event):
        print(printable(line))


def lines(event: Event) -> list[str]:
    """None for an event that needs no telling."""
    match event:
        case TurnStarted():
            simulated = " (simulated)" if event.simulated else ""
            told = [f"  {each.text}" for each in event.notices]
            first = f"  {event.model}{simulated}, {event.tool_count} tools"
            return ["", f"> {event.text}", first, *told]
        case IndexEvicted():
            return [f"  index evicted ({event.reason})"]
        case ToolsDropped():
            return [f"  dropped ({event.reason}): {', '.join(event.names)}"]
        case RequestPrepared():
            names = ", ".join(tool.name for tool in event.injected)
            return [
                f"  request {event.call}: {event.tokens.total:,} tokens estimated"
                f" (all up front {event.baseline.total:,}), tools: {names or 'none'}"
            ]
        case ToolsSearched():
            hits = ", ".join(f"{hit.tool_name} {hit.score:.2f}" for hit in event.hits)
            return [f"  search “{event.query}”: {hits or 'nothing'}"]
        case ToolCalled():
            arguments = json.dumps(event.arguments, ensure_ascii=False)
            return [f"  call {event.name} {arguments}: {event.outcome}", f"    {event.result}"]
        case TurnEnded():
            return _ended(event)
        case _:
            return []


def _ended(end: TurnEnded) -> list[str]:
    problem = [f"  {end.status}: {end.problem.text}"] if end.problem else []
    return [
        *end.answer.splitlines(),
        *problem,
        f"  {end.model_calls} model calls, {end.prompt_tokens:,} prompt tokens"
        f" {end.source}{_against_baseline(end)}",
    ]


def _against_baseline(end: TurnEnded) -> str:
    if not end.prompt_tokens:
        return ""
    saved = saved_share(end.prompt_tokens, end.baseline_tokens)
    return f", {saved_percent(saved)}% {'less' if saved >= 0 else 'more'} than all tools up front"
