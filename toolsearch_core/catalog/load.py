"""Loading: from the bytes of a file to its load report, and from several reports to one catalog."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from toolsearch_core.catalog.decode import decoded
from toolsearch_core.catalog.entries import read_entry
from toolsearch_core.catalog.formats import find_entries, foreign_format, server_of_file
from toolsearch_core.catalog.limits import MAX_TOOLS
from toolsearch_core.catalog.parse import Document, parsed
from toolsearch_core.catalog.report import EntryReport, LoadReport
from toolsearch_core.catalog.wire_names import ToolKey, wire_names
from toolsearch_core.errors import CatalogError
from toolsearch_core.notices import Notice, notice
from toolsearch_core.tools import SEARCH_TOOL_NAME, Catalog, ToolDefinition


def load_catalog(data: bytes | str, *, source: str = "") -> LoadReport:
    """Read one catalog file. A bad entry costs that entry only.

    Args:
        data: the file, or a pasted text.
        source: the file's name. `github.json` gives the server `github` to tools whose file names no
            server; a name without `.json`, `.jsonl`, `.ndjson` or `.txt` gives none.

    Returns:
        The report with its tools. When nothing could be loaded it says so (`failed`), with the reason
        for each entry; that is no exception.

    Raises:
        CatalogError: the file as a whole cannot be read: it is too large, no text, no JSON (with line
            and column), holds no tools, or too many.
    """
    found = find_entries(_document(decoded(data), source))
    default_server = server_of_file(source)
    entries = tuple(
        read_entry(raw, position, raw.server or default_server)
        for position, raw in enumerate(found.entries, 1)
    )
    report = LoadReport(source=source, entries=entries, notices=found.notices)
    (report,) = settle([report])
    if report.failed and report.read:
        failure = notice("catalog.nothing_loaded", read=report.read)
        report = replace(report, notices=(*report.notices, failure))
    return report


def merge(reports: Sequence[LoadReport]) -> Catalog:
    """One catalog of all tools, in the order of the reports.

    To take a file away, merge the reports of the others: names and status are again what they would
    be had it never been there (see `wire_names`).

    Raises:
        CatalogError: there are more than `MAX_TOOLS` tools.
    """
    tools = tuple(tool for report in settle(reports) for tool in report.tools)
    if len(tools) > MAX_TOOLS:
        raise CatalogError("catalog.too_many_tools", count=len(tools), allowed=MAX_TOOLS)
    return Catalog(tools)


def settle(reports: Sequence[LoadReport]) -> tuple[LoadReport, ...]:
    """The reports as they read beside each other: with the wire names of the merged catalog.

    A tool that an earlier entry of the same server has offered under the same name is rejected here.
    """
    read = [[entry.alone or entry for entry in report.entries] for report in reports]
    keys = [_key(entry.tool) for entries in read for entry in entries if entry.tool]
    names = wire_names(keys)
    offers = Counter(name for _, name in set(keys))
    seen: set[ToolKey] = set()

    def settled(entry: EntryReport) -> EntryReport:
        if entry.tool is None:
            return entry
        key = _key(entry.tool)
        if key in seen:
            return _doubled(entry, key)
        seen.add(key)
        return _named(entry, entry.tool, names[key], shared=offers[key.name] > 1)

    return tuple(
        replace(report, entries=tuple(map(settled, entries)))
        for report, entries in zip(reports, read, strict=True)
    )


def _document(text: str, source: str) -> Document:
    try:
        return parsed(text)
    except CatalogError:
        foreign = foreign_format(text, source)
        if foreign is None:
            raise
        raise foreign from None


def _key(tool: ToolDefinition) -> ToolKey:
    return ToolKey(server=tool.server, name=tool.name)


def _doubled(entry: EntryReport, key: ToolKey) -> EntryReport:
    reason = notice("catalog.duplicate_name", name=key.name, server=key.server or "-")
    return replace(entry, status="rejected", reasons=(reason,), tool=None, alone=entry)


def _named(
    entry: EntryReport, tool: ToolDefinition, wire_name: str, *, shared: bool
) -> EntryReport:
    named = replace(entry, tool=replace(tool, wire_name=wire_name), alone=entry)
    if wire_name == tool.name:
        return named
    reason = _renaming(tool.name, wire_name, shared)
    return replace(named, status="repaired", reasons=(*entry.reasons, reason))


def _renaming(name: str, wire_name: str, shared: bool) -> Notice:
    if shared:
        return notice("catalog.wire_name_shared", name=name, wire_name=wire_name)
    if name.casefold() == SEARCH_TOOL_NAME:
        return notice("catalog.wire_name_reserved", name=name, wire_name=wire_name)
    return notice("catalog.wire_name_changed", name=name, wire_name=wire_name)
