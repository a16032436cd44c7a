import json
import re
from collections.abc import Mapping
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.catalog.samples import listed
from toolsearch_core.catalog import LoadReport, load_catalog, merge
from toolsearch_core.catalog.keywords import KEYWORD_TESTS
from toolsearch_core.errors import CatalogError
from toolsearch_core.tools import WIRE_NAME_PATTERN

judge = Draft202012Validator(Draft202012Validator.META_SCHEMA)

REFERENCES = st.sampled_from(
    ["#", "#/$defs/A", "#/$defs/B", "#/anyOf/0", "#/properties/a", "A", "x:y#z"]
)
ANY_TEXT = st.text(st.characters(), max_size=12)  # half characters included
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT | REFERENCES
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=12,
)


def schema_objects(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """Objects with keywords of JSON Schema and values that often fit them."""
    by_name = st.dictionaries(st.sampled_from(["a", "b", "A", "B", "$x", "é"]), inner, max_size=3)
    fitting = {
        "type": st.sampled_from(["object", "string", "strange"]) | st.just(["object", "null"]),
        "properties": by_name,
        "$defs": by_name,
        "required": st.lists(st.sampled_from(["a", "b", "$x"]), max_size=2),
        "anyOf": st.lists(inner, max_size=3),
        "oneOf": st.lists(inner, max_size=3),
        "allOf": st.lists(inner, max_size=3),
        "$ref": REFERENCES,
        "$id": REFERENCES,
        "additionalProperties": inner,
        "const": SCALARS,
        "description": ANY_TEXT,
    }
    wild = st.dictionaries(st.sampled_from(sorted(KEYWORD_TESTS)), inner, max_size=2)
    return st.fixed_dictionaries({}, optional=fitting) | wild


SCHEMAS = st.recursive(st.booleans() | SCALARS, schema_objects, max_leaves=14)
ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["a", "a.b", "b"]) | JSON,
        "description": ANY_TEXT | JSON,
        "inputSchema": SCHEMAS | JSON,
        "outputSchema": SCHEMAS,
        "title": JSON,
        "annotations": JSON,
        "type": JSON,
    },
)


def hold_laws(report: LoadReport) -> None:
    """What is true of every report, whatever the file was."""
    assert report.read == report.loaded + report.rejected
    assert report.repaired <= report.loaded == len(report.tools)
    assert report.failed == (report.tools == ())
    assert not report.failed or report.notices
    for entry in report.entries:
        assert entry.status == "loaded" or entry.reasons
        assert (entry.status == "rejected") == (entry.tool is None) == (entry.wire_name == "")
    for found in chain(report.notices, *(entry.reasons for entry in report.entries)):
        found.text.encode()
    catalog = merge([report])
    assert len(catalog.by_wire_name) == len(catalog)
    for tool in catalog.tools:
        assert re.fullmatch(WIRE_NAME_PATTERN, tool.wire_name)
        tool.definition_json.encode()
        json.dumps(tool.original_schema, allow_nan=False).encode()
        f"{tool.name}{tool.server}{tool.title}".encode()
        schema = tool.input_schema
        assert judge.is_valid(schema)
        assert schema["type"] == "object"
        assert not schema.keys() & {"anyOf", "oneOf", "allOf", "$ref"}
        properties = schema.get("properties", {})
        assert isinstance(properties, Mapping)
        assert all(re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name) for name in properties)


def read(data: bytes | str) -> LoadReport | CatalogError:
    try:
        report = load_catalog(data, source="any.json")
    except CatalogError as stated:
        stated.notice.text.encode()
        return stated
    hold_laws(report)
    return report


@given(st.binary(max_size=200))
def test_any_bytes_give_a_report_or_a_stated_error(data: bytes) -> None:
    read(data)


@given(st.text(st.characters(), max_size=200))
def test_any_text_gives_a_report_or_a_stated_error(text: str) -> None:
    read(text)


@given(JSON | st.fixed_dictionaries({}, optional={"tools": JSON, "servers": JSON, "result": JSON}))
def test_any_json_gives_a_report_or_a_stated_error(value: object) -> None:
    read(json.dumps(value))


@given(st.lists(ENTRIES | JSON, max_size=4))
def test_any_list_of_entries_gives_a_report(entries: list[object]) -> None:
    report = read(listed(*entries))

    assert isinstance(report, LoadReport)
    assert report.read == len(entries)
    again = read(listed(*entries))
    assert again == report


@given(SCHEMAS)
def test_arguments_are_checked_by_any_accepted_schema_without_end_and_without_network(
    schema: object,
) -> None:
    report = load_catalog(listed({"name": "a", "inputSchema": schema}))

    for tool in report.tools:
        for arguments in ({}, {"a": {"a": {"b": []}}, "b": "x"}):
            Draft202012Validator(tool.input_schema).is_valid(arguments)
