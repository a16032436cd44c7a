"""One entry of a catalog file becomes a tool, or a reason why it does not.

The forms differ in one key: MCP says `inputSchema`, Anthropic `input_schema`, OpenAI `parameters`,
the latter inside `function` in its older form. What a tool definition has no place for (icons, output
schema, `_meta`, unknown keys) is not kept and never sent.
"""

import re
from collections.abc import Mapping

from toolsearch_core.catalog.clean import Cleaner, TooDeepError, safe_text
from toolsearch_core.catalog.findings import Findings, RejectedError
from toolsearch_core.catalog.formats import RawEntry, json_type
from toolsearch_core.catalog.keywords import Refused, accepted
from toolsearch_core.catalog.limits import LONG_DESCRIPTION_CHARS, MAX_DEPTH
from toolsearch_core.catalog.parse import BadLine, RawValue
from toolsearch_core.catalog.references import repaired_references
from toolsearch_core.catalog.report import EntryReport
from toolsearch_core.catalog.schemas import accepted_schema
from toolsearch_core.jsonvalues import JsonObject, JsonValue
from toolsearch_core.notices import Notice, notice
from toolsearch_core.tools import ToolDefinition

SCHEMA_KEYS = ("inputSchema", "input_schema", "parameters")
"""In order of precedence."""

_PROVIDER_TYPE = re.compile(r"_(?:\d{8}|preview)$")


def read_entry(raw: RawEntry, position: int, server: str) -> EntryReport:
    """What becomes of an entry. Its tool has no wire name yet: that depends on all the others.

    Args:
        raw: the entry as it stands in the file.
        position: 1 for the first of the file.
        server: the server it belongs to.
    """
    name = _name_or_nothing(raw.value)
    findings = Findings()
    try:
        entry = _cleaned(raw.value, findings)
        tool = _tool(entry, server, findings)
    except RejectedError as rejected:
        return _rejected(position, server, name, rejected.reason)
    return EntryReport(
        position=position,
        server=server,
        name=tool.name,
        status="repaired" if findings.changed else "loaded",
        reasons=findings.reasons,
        tool=tool,
    )


def _rejected(position: int, server: str, name: str, reason: Notice) -> EntryReport:
    return EntryReport(
        position=position, server=server, name=name, status="rejected", reasons=(reason,)
    )


def _name_or_nothing(value: RawValue) -> str:
    if not isinstance(value, Mapping):
        return ""
    inner = value.get("function")
    name = (inner if isinstance(inner, Mapping) else value).get("name")
    return safe_text(name) if isinstance(name, str) else ""


def _cleaned(value: RawValue, findings: Findings) -> JsonObject:
    if isinstance(value, BadLine):
        raise RejectedError(value.problem)
    if not isinstance(value, Mapping):
        raise RejectedError(notice("catalog.entry_not_object", found=json_type(value)))
    cleaner = Cleaner()
    try:
        entry = cleaner.cleaned(value)
    except TooDeepError:
        raise RejectedError(notice("catalog.entry_too_deep", allowed=MAX_DEPTH)) from None
    for found in cleaner.notices:
        findings.repair(found)
    assert isinstance(entry, Mapping)
    inner = entry.get("function")
    return inner if isinstance(inner, Mapping) and "name" not in entry else entry


def _tool(entry: JsonObject, server: str, findings: Findings) -> ToolDefinition:
    name = _name(entry)
    schema = _schema(entry)
    input_schema = accepted_schema(schema, findings)
    description = _description(entry, name, findings)
    repaired = isinstance(schema, Mapping) and input_schema.sent is not schema
    _check_output_schema(entry.get("outputSchema"), findings)
    return ToolDefinition(
        name=name,
        wire_name="",
        description="\n\n".join(filter(None, [description, *input_schema.words])),
        input_schema=input_schema.sent,
        original_schema=schema if repaired and isinstance(schema, Mapping) else None,
        server=server,
        title=_title(entry, findings),
        annotations=_annotations(entry, findings),
    )


def _name(entry: JsonObject) -> str:
    if "name" not in entry:
        raise RejectedError(notice("catalog.name_missing"))
    name = entry["name"]
    if not isinstance(name, str):
        raise RejectedError(notice("catalog.name_not_text", found=json_type(name)))
    if not name.strip():
        raise RejectedError(notice("catalog.name_blank"))
    return name


def _schema(entry: JsonObject) -> JsonValue:
    present = [key for key in SCHEMA_KEYS if entry.get(key) is not None]
    kind = entry.get("type")
    if not present and isinstance(kind, str) and _PROVIDER_TYPE.search(kind):
        raise RejectedError(notice("catalog.provider_tool", type=kind))
    return entry[present[0]] if present else None


def _description(entry: JsonObject, name: str, findings: Findings) -> str:
    description = entry.get("description")
    if description is None:
        description = ""
    if not isinstance(description, str):
        findings.repair(
            notice("catalog.field_not_text", field="description", found=json_type(description))
        )
        description = ""
    if not description.strip():
        findings.remark(notice("catalog.description_missing"))
        return ""
    if _letters(description) == _letters(name):
        findings.remark(notice("catalog.description_repeats_name"))
    if len(description) > LONG_DESCRIPTION_CHARS:
        findings.remark(notice("catalog.description_long", count=len(description)))
    return description


def _letters(text: str) -> str:
    return "".join(char for char in text[:1000].casefold() if char.isalnum())


def _title(entry: JsonObject, findings: Findings) -> str:
    title = entry.get("title")
    annotations = entry.get("annotations")
    if title is None and isinstance(annotations, Mapping):
        title = annotations.get("title")
    if title is None or isinstance(title, str):
        return title or ""
    findings.repair(notice("catalog.field_not_text", field="title", found=json_type(title)))
    return ""


def _annotations(entry: JsonObject, findings: Findings) -> JsonObject:
    annotations = entry.get("annotations")
    if annotations is None or isinstance(annotations, Mapping):
        return annotations or {}
    findings.repair(notice("catalog.annotations_not_object", found=json_type(annotations)))
    return {}


def _check_output_schema(schema: JsonValue, findings: Findings) -> None:
    """It is neither kept nor sent; a fault in it is worth a word, as the server's author may look."""
    if schema is None:
        return
    if not isinstance(schema, Mapping):
        findings.remark(notice("catalog.output_schema_not_object", found=json_type(schema)))
        return
    valid = accepted(schema, Refused())
    assert isinstance(valid, Mapping)
    for reference in repaired_references(valid).broken:
        findings.remark(notice("catalog.output_schema_broken_reference", reference=reference))
