"""`chat FILE "message" …`: a conversation over a catalog, with its trace on request."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from toolsearch_core.catalog import read_catalog_file
from toolsearch_core.cli.chat_lines import show
from toolsearch_core.cli.search_options import add_search_options, search_flags
from toolsearch_core.cli.settings import add_config_option
from toolsearch_core.events import (
    DISCLOSURES,
    Event,
    ToolCalled,
    ToolsSearched,
    TraceEntry,
    TurnEnded,
)
from toolsearch_core.index import RetrieverStore
from toolsearch_core.settings import MODEL_KINDS, Settings, load_settings
from toolsearch_core.trace.jsonl import to_lines
from toolsearch_core.workspace import Workspace
from toolsearch_core.workspace.models import provider_for


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the verb."""
    parser = subparsers.add_parser(
        "chat",
        help="ask questions over a catalog and see which tools are disclosed",
        description="Hold a conversation over a catalog file and print each step. The results of tools"
        " are simulated. Claude needs the environment variable ANTHROPIC_API_KEY.",
        epilog="Exit code: 0 when every turn was answered, 1 when one was not, 2 when it is refused or"
        " its trace cannot be written.",
    )
    parser.add_argument("file", metavar="FILE", help="a catalog file")
    parser.add_argument("messages", nargs="+", metavar="MESSAGE", help="one turn each, in order")
    _add_settings(parser)
    parser.add_argument("--trace", metavar="OUT.jsonl", help="write the trace as JSON lines")
    parser.add_argument("--json", action="store_true", help="print one JSON object per turn")
    parser.set_defaults(run=run)


def _add_settings(parser: argparse.ArgumentParser) -> None:
    """Flags are keyword arguments of the settings, so they win over variables and the file."""
    add_config_option(parser)
    parser.add_argument(
        "--model", choices=MODEL_KINDS, help="who answers; as in the settings by default"
    )
    parser.add_argument(
        "--disclosure",
        choices=DISCLOSURES,
        help="how the tools reach the model; as in the settings by default",
    )
    add_search_options(parser, results="hits per search when the model names no number")
    parser.add_argument(
        "--accumulate",
        action=argparse.BooleanOptionalAction,
        help="keep what earlier searches found, or send only what the newest search turn found;"
        " as in the settings by default",
    )
    parser.add_argument(
        "--pin",
        action="append",
        metavar="TOOL",
        help="always sent, instead of those pinned in the settings; can be repeated",
    )


def run(args: argparse.Namespace) -> int:
    """Hold the conversation; 0 when every turn was answered, 1 when one was not."""
    workspace = Workspace(RetrieverStore(), settings=settings_of(args))
    workspace.shelf.add(read_catalog_file(args.file), Path(args.file).name)
    provider = provider_for(workspace.settings, os.environ.get("ANTHROPIC_API_KEY", ""))
    if args.trace is not None and not _written(args.trace, ()):  # told before anything is paid for
        return 2
    conversation = workspace.new_conversation()
    answered = True
    for message in args.messages:
        turn: list[Event] = []
        for entry in workspace.ask(conversation.id, message, provider):
            turn.append(entry.event)
            if not args.json:
                show(entry.event)
        if args.json:
            print(json.dumps(_summary(turn), ensure_ascii=False))
        answered = answered and _end(turn).status == "answered"
    if args.trace is not None and not _written(args.trace, conversation.entries):
        return 2
    return 0 if answered else 1


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings of a chat: its flags win over the environment and the file."""
    flags = {
        "model_kind": args.model,
        "advisor_enabled": args.disclosure and args.disclosure == "search_and_inject",
        "search_max_results": args.max_results,
        "disclosure_accumulate": args.accumulate,
        "disclosure_pinned": args.pin,
    }
    given = {name: value for name, value in flags.items() if value is not None} | search_flags(args)
    return load_settings(file=args.config, **given).settings


def _written(path: str, entries: Sequence[TraceEntry]) -> bool:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in to_lines(entries))
    except OSError as fault:
        print(f"The trace could not be written to {path}: {fault.strerror}.", file=sys.stderr)
        return False
    return True


def _end(turn: Sequence[Event]) -> TurnEnded:
    return next(event for event in turn if isinstance(event, TurnEnded))


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
