"""`search FILE "query"`: what an index finds in a catalog file, and why."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from toolsearch_core.advisor.search_tool import default_results
from toolsearch_core.catalog import load_catalog, read_catalog_file
from toolsearch_core.cli.printable import printable
from toolsearch_core.cli.search_options import add_search_options, search_flags
from toolsearch_core.cli.settings import add_config_option
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.notices import notice_as_json
from toolsearch_core.options import AdvisorOptions
from toolsearch_core.search_types import (
    MatchReason,
    ToolReference,
    ToolSearchRequest,
    ToolSearchResponse,
)
from toolsearch_core.settings import load_settings
from toolsearch_core.tools import Catalog

SESSION = "command"
DESCRIPTION_CHARS = 90


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the verb."""
    parser = subparsers.add_parser(
        "search",
        help="search a catalog file and see what is found, with scores and reasons",
        description="Index a catalog file and search it once, as a model would.",
        epilog="Exit code: 0 when a tool was found, 1 when none was, 2 when the search is refused.",
    )
    parser.add_argument("file", metavar="FILE", help="a catalog file")
    parser.add_argument("query", metavar="QUERY", help="words, or a pattern for the regex index")
    add_config_option(parser)
    add_search_options(parser, results="most hits")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Load, index, search, and print the answer."""
    report = load_catalog(read_catalog_file(args.file), source=Path(args.file).name)
    for found in report.notices if report.failed else ():
        print(printable(found.text), file=sys.stderr)
    catalog = Catalog(report.tools)
    settings = load_settings(file=args.config, **search_flags(args)).settings
    index = CatalogToolIndex(
        RetrieverStore(),
        settings.index_kind,
        settings.encoder,
        keyword_min_score=settings.keyword_min_score,
        patience_s=None,
    )
    index.index_tools(SESSION, catalog.tools)
    response = index.search(
        ToolSearchRequest(
            session_id=SESSION,
            query=args.query,
            max_results=_results(args.max_results, settings.options),
            threshold=settings.options.threshold,
        )
    )
    if args.json:
        print(json.dumps(_as_json(response, catalog), ensure_ascii=False))
    else:
        _show(response, catalog)
    return 0 if response.references else 1


def _results(asked: int | None, options: AdvisorOptions) -> int:
    return default_results(options) if asked is None else asked


def _show(response: ToolSearchResponse, catalog: Catalog) -> None:
    metadata = response.metadata
    scale = "calibrated" if metadata.calibrated else "uncalibrated"
    print(
        f"{len(response.references)} of {response.total_matches} matches in {len(catalog)} tools"
        f" ({metadata.index_kind} index, {1000 * metadata.duration_s:.1f} ms, {scale} scores)"
    )
    for found in metadata.notices:
        print(f"  {printable(found.text)}")
    _show_references(response.references, catalog, 1)
    if response.near_misses:
        print("near misses")
        _show_references(response.near_misses, catalog, len(response.references) + 1)


def _show_references(references: Sequence[ToolReference], catalog: Catalog, first: int) -> None:
    for rank, reference in enumerate(references, first):
        reasons = "; ".join(map(_reason, reference.reasons))
        print(f"{rank:3}. {reference.score:.3f} {reference.tool_name}  [{printable(reasons)}]")
        tool = catalog.by_wire_name[reference.tool_name]
        description = " ".join(tool.description.split())
        if len(description) > DESCRIPTION_CHARS:
            description = description[: DESCRIPTION_CHARS - 1] + "…"
        print(f"            {printable(description)}".rstrip())


def _reason(reason: MatchReason) -> str:
    words = f": {', '.join(reason.matched)}" if reason.matched else ""
    return f"{reason.signal.replace('_', ' ')} {reason.share:.0%}{words}"


def _as_json(response: ToolSearchResponse, catalog: Catalog) -> dict[str, object]:
    metadata = response.metadata
    return {
        "query": metadata.query,
        "index": metadata.index_kind,
        "calibrated": metadata.calibrated,
        "duration_s": metadata.duration_s,
        "tools": len(catalog),
        "total_matches": response.total_matches,
        "notices": [notice_as_json(found) for found in metadata.notices],
        "hits": _references_as_json(response.references, catalog, 1),
        "near_misses": _references_as_json(
            response.near_misses, catalog, len(response.references) + 1
        ),
    }


def _references_as_json(
    references: Sequence[ToolReference], catalog: Catalog, first: int
) -> list[dict[str, object]]:
    return [
        {
            "rank": rank,
            "tool_name": reference.tool_name,
            "name": catalog.by_wire_name[reference.tool_name].name,
            "server": catalog.by_wire_name[reference.tool_name].server,
            "score": reference.score,
            "raw_score": reference.raw_score,
            "reasons": [
                {"signal": reason.signal, "matched": list(reason.matched), "share": reason.share}
                for reason in reference.reasons
            ],
        }
        for rank, reference in enumerate(references, first)
    ]
