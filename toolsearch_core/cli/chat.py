"""`chat FILE "message" …`: a conversation over a catalog, with its trace on request."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from toolsearch_core.advisor import AdvisorOptions
from toolsearch_core.catalog import read_catalog_file
from toolsearch_core.events import (
    DISCLOSURES,
    Event,
    IndexEvicted,
    RequestPrepared,
    ToolCalled,
    ToolsDropped,
    ToolsSearched,
    TraceEntry,
    TurnEnded,
    TurnStarted,
)
from toolsearch_core.index import RetrieverStore
from toolsearch_core.search_types import INDEX_KINDS
from toolsearch_core.settings import MODEL_KINDS, Settings
from toolsearch_core.trace.jsonl import to_lines
from toolsearch_core.trace.ledger import saved_share
from toolsearch_core.workspace import Workspace
from toolsearch_core.workspace.models import provider_for


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the verb."""
    parser = subparsers.add_parser(
        "chat", help="ask questions over a catalog and see which tools are disclosed"
    )
    parser.add_argument("file", help="a catalog file")
    parser.add_argument("messages", nargs="+", metavar="message", help="one turn each, in order")
    parser.add_argument("--model", choices=MODEL_KINDS, default="rehearsal")
    parser.add_argument("--index", choices=INDEX_KINDS, default="hybrid")
    parser.add_argument("--encoder", default="multilingual")
    parser.add_argument("--disclosure", choices=DISCLOSURES, default="search_and_inject")
    parser.add_argument(
        "--max-results", type=int, default=AdvisorOptions().max_results, help="hits per search"
    )
    parser.add_argument("--threshold", type=float, help="least score of a hit, 0 to 1; off")
    parser.add_argument("--no-accumulate", action="store_true", help="keep the newest finds only")
    parser.add_argument("--pin", action="append", default=[], metavar="TOOL", help="always sent")
    parser.add_argument("--trace", metavar="OUT.jsonl", help="write the trace as JSON lines")
    parser.add_argument("--json", action="store_true", help="print one JSON object per turn")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Hold the conversation; 0 when every turn was answered, 1 when one was not."""
    workspace = Workspace(RetrieverStore(), settings=_settings(args))
    workspace.shelf.add(read_catalog_file(args.file), Path(args.file).name)
    provider = provider_for(workspace.settings, os.environ.get("ANTHROPIC_API_KEY", ""))
    conversation = workspace.new_conversation()
    answered = True
    for message in args.messages:
        turn: list[Event] = []
        for entry in workspace.ask(conversation.id, message, provider):
            turn.append(entry.event)
            if not args.json:
                _show(entry.event)
        if args.json:
            print(json.dumps(_summary(turn), ensure_ascii=False))
        answered = answered and _end(turn).status == "answered"
    if args.trace:
        _write(args.trace, conversation.entries)
    return 0 if answered else 1


def _settings(args: argparse.Namespace) -> Settings:
    options = replace(
        AdvisorOptions(max_results_cap=max(10, args.max_results)),
        disclosure=args.disclosure,
        max_results=args.max_results,
        threshold=args.threshold,
        accumulate=not args.no_accumulate,
        pinned=tuple(args.pin),
    )
    return Settings(
        model_kind=args.model, index_kind=args.index, encoder=args.encoder, options=options
    )


def _write(path: str, entries: Sequence[TraceEntry]) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in to_lines(entries))
    except OSError as fault:
        print(f"The trace could not be written to {path}: {fault.strerror}.", file=sys.stderr)


def _end(turn: Sequence[Event]) -> TurnEnded:
    return next(event for event in turn if isinstance(event, TurnEnded))


def _show(event: Event) -> None:
    match event:
        case TurnStarted():
            simulated = " (simulated)" if event.simulated else ""
            print(f"\n> {event.text}\n  {event.model}{simulated}, {event.tool_count} tools")
        case IndexEvicted():
            print(f"  index evicted ({event.reason})")
        case ToolsDropped():
            print(f"  dropped ({event.reason}): {', '.join(event.names)}")
        case RequestPrepared():
            names = ", ".join(tool.name for tool in event.injected)
            print(
                f"  request {event.call}: {event.tokens.total:,} tokens estimated"
                f" (all up front {event.baseline.total:,}), tools: {names or 'none'}"
            )
        case ToolsSearched():
            hits = ", ".join(f"{hit.tool_name} {hit.score:.2f}" for hit in event.hits)
            print(f"  search “{event.query}”: {hits or 'nothing'}")
        case ToolCalled():
            arguments = json.dumps(event.arguments, ensure_ascii=False)
            print(f"  call {event.name} {arguments}: {event.outcome}\n    {event.result}")
        case TurnEnded():
            print(event.answer)
            if event.problem is not None:
                print(f"  {event.status}: {event.problem.text}")
            print(
                f"  {event.model_calls} model calls, {event.prompt_tokens:,} prompt tokens"
                f" {event.source}{_against_baseline(event)}"
            )
        case _:
            pass


def _against_baseline(end: TurnEnded) -> str:
    if not end.prompt_tokens:
        return ""
    saved = saved_share(end.prompt_tokens, end.baseline_tokens)
    return f", {abs(saved):.0%} {'less' if saved >= 0 else 'more'} than all tools up front"


def _summary(turn: Sequence[Event]) -> dict[str, object]:
    end = _end(turn)
    return {
        **{key: value for key, value in asdict(end).items() if key != "problem"},
        "problem": end.problem.text if end.problem else None,
        "searches": [
            {"query": event.query, "found": [hit.tool_name for hit in event.hits]}
            for event in turn
            if isinstance(event, ToolsSearched)
        ],
        "calls": [
            {"name": event.name, "arguments": event.arguments, "outcome": event.outcome}
            for event in turn
            if isinstance(event, ToolCalled)
        ],
    }
