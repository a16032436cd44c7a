"""Small catalogs written by the tests themselves."""

import json
from typing import Any

from toolsearch_core.catalog import EntryReport, LoadReport, load_catalog
from toolsearch_core.tools import ToolDefinition


def entry(name: str = "feed_cat", **fields: Any) -> dict[str, Any]:
    """One MCP tool; fields replace the usual ones, and a field that is `...` is left out."""
    usual = {
        "name": name,
        "description": "Fill the bowl of one cat",
        "inputSchema": {"type": "object", "properties": {"grams": {"type": "integer"}}},
    }
    return {key: value for key, value in {**usual, **fields}.items() if value is not ...}


def listed(*entries: object, **beside: Any) -> bytes:
    """An answer to tools/list."""
    return json.dumps({"tools": list(entries), **beside}).encode()


def only(report: LoadReport) -> EntryReport:
    """The one entry of a report."""
    (found,) = report.entries
    return found


def loaded(**fields: Any) -> ToolDefinition:
    """The tool that one entry becomes."""
    tool = only(load_catalog(listed(entry(**fields)))).tool
    assert tool is not None
    return tool


def with_schema(schema: object, **fields: Any) -> EntryReport:
    """What happens to an entry with this schema."""
    return only(load_catalog(listed(entry(inputSchema=schema, **fields))))


def codes(found: EntryReport | LoadReport) -> list[str]:
    """The codes of all reasons or notices, without their area."""
    notices = found.reasons if isinstance(found, EntryReport) else found.notices
    return [item.code.removeprefix("catalog.") for item in notices]
