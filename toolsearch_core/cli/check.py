"""`check FILE …`: what happens to each entry of a catalog file, and what the tools cost in tokens."""

import argparse
import json
import statistics
import sys
from pathlib import Path

from toolsearch_core.catalog import LoadReport, load_catalog, merge, read_catalog_file, settle
from toolsearch_core.catalog.report import EntryReport
from toolsearch_core.catalog.report_json import report_as_json
from toolsearch_core.cli.printable import printable
from toolsearch_core.errors import CatalogError
from toolsearch_core.notices import Notice, notice_as_json
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.tools import Catalog


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the verb."""
    parser = subparsers.add_parser(
        "check",
        help="load catalog files and report what was loaded, repaired and rejected",
        description="Load catalog files together, and report on every entry and on the tokens.",
        epilog="Exit code: 0 when a tool was loaded, 1 when none was, 2 when a file cannot be read.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a catalog file")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--model", default="", metavar="NAME", help="count tokens for this Claude model"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the reports; files that cannot be read cost nothing but themselves."""
    reports: list[LoadReport] = []
    failures: list[tuple[str, Notice]] = []
    for file in args.files:
        try:
            reports.append(load_catalog(read_catalog_file(file), source=Path(file).name))
        except CatalogError as stated:
            failures.append((file, stated.notice))
            sentence = str(stated) if file in str(stated) else f"{file}: {stated}"
            print(printable(sentence), file=sys.stderr)
    settled = settle(reports)
    catalog = merge(settled)
    tokens = _tokens(catalog, args.model)
    if args.json:
        print(json.dumps(_as_json(settled, catalog, tokens, failures), ensure_ascii=False))
    else:
        for report in settled:
            _show(report)
        if reports:
            _show_total(catalog, tokens)
    if failures:
        return 2
    return 0 if catalog.tools else 1


def _tokens(catalog: Catalog, model: str) -> list[int]:
    counter = TokenEstimator(model)
    return [counter.count_tool(tool) for tool in catalog.tools]


def _show(report: LoadReport) -> None:
    print(
        printable(report.source)
        + f": {report.read} read, {report.loaded} loaded"
        + f" ({report.repaired} of them repaired), {report.rejected} rejected"
    )
    for found in report.notices:
        print(f"  {printable(found.text)}")
    for entry in report.entries:
        for reason in entry.reasons:
            print(f"  {_label(entry)}: {printable(reason.text)}")


def _label(entry: EntryReport) -> str:
    kind = "noted" if entry.status == "loaded" else entry.status
    name = entry.name if len(entry.name) <= 64 else entry.name[:63] + "…"
    return printable(f"{kind:<8} #{entry.position} {name}".rstrip())


def _show_total(catalog: Catalog, tokens: list[int]) -> None:
    servers = f"{len(catalog.servers)} server" + ("s" if len(catalog.servers) != 1 else "")
    print(
        f"{len(catalog)} tools of {servers}: {sum(tokens):,} tokens, median {_median(tokens):,}"
        " (estimated)"
    )


def _median(tokens: list[int]) -> int:
    return round(statistics.median(tokens)) if tokens else 0


def _as_json(
    reports: tuple[LoadReport, ...],
    catalog: Catalog,
    tokens: list[int],
    failures: list[tuple[str, Notice]],
) -> dict[str, object]:
    return {
        "files": [report_as_json(report) for report in reports],
        "errors": [{"file": file, **notice_as_json(found)} for file, found in failures],
        "tools": len(catalog),
        "servers": list(catalog.servers),
        "fingerprint": catalog.fingerprint,
        "tokens": {"total": sum(tokens), "median": _median(tokens), "source": "estimated"},
    }
