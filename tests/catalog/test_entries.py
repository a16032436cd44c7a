import json

import pytest

from tests.catalog.samples import codes, entry, listed, loaded, only
from toolsearch_core.catalog import EntryReport, load_catalog


def read(value: object) -> EntryReport:
    return only(load_catalog(listed(value)))


REJECTED = {
    "a text": ("feed_cat", "entry_not_object"),
    "null": (None, "entry_not_object"),
    "no name": (entry(name=...), "name_missing"),
    "a blank name": (entry(" \t"), "name_blank"),
    "a number as name": (entry(name=42), "name_not_text"),
    "null as name": (entry(name=None), "name_not_text"),
    "a list as schema": (entry(inputSchema=[]), "schema_not_object"),
    "a schema in quotation marks": (entry(inputSchema="{}"), "schema_not_object"),
    "false as schema": (entry(inputSchema=False), "schema_not_object"),
    "a schema of a list": (entry(inputSchema={"type": "array"}), "root_not_object"),
    "a tool of the provider": (
        {"type": "web_search_20250305", "name": "web_search"},
        "provider_tool",
    ),
}


@pytest.mark.parametrize(("value", "code"), REJECTED.values(), ids=REJECTED)
def test_an_entry_that_is_no_tool_is_rejected_with_its_reason(value: object, code: str) -> None:
    found = read(value)

    assert (found.status, found.tool, found.wire_name) == ("rejected", None, "")
    assert codes(found) == [code]


def test_a_rejected_entry_keeps_its_name_for_the_reader() -> None:
    assert read(entry("only_bad", inputSchema=[])).name == "only_bad"


@pytest.mark.parametrize("description", [..., None, "", " \n "])
def test_a_missing_description_is_empty_and_never_the_word_none(description: object) -> None:
    found = read(entry(description=description))

    assert found.status == "loaded"
    assert found.tool is not None
    assert found.tool.description == ""
    assert codes(found) == ["description_missing"]


@pytest.mark.parametrize("description", ["feed_cat", "Feed cat", "FEED-CAT."])
def test_a_description_that_repeats_the_name_is_noted(description: str) -> None:
    found = read(entry(description=description))

    assert (found.status, codes(found)) == ("loaded", ["description_repeats_name"])


def test_a_very_long_description_is_kept_whole_and_noted() -> None:
    found = read(entry(description="purr " * 40_000))

    assert found.tool is not None
    assert len(found.tool.description) == 200_000
    assert codes(found) == ["description_long"]


@pytest.mark.parametrize("value", [3, ["a"], {"en": "a"}, True])
def test_a_description_or_title_of_another_type_is_left_out_and_told(value: object) -> None:
    found = read(entry(description=value, title=value))

    assert found.status == "repaired"
    assert found.tool is not None
    assert (found.tool.description, found.tool.title) == ("", "")
    assert codes(found).count("field_not_text") == 2


def test_the_title_comes_from_the_tool_or_from_its_annotations() -> None:
    hints = {"title": "Dinner", "readOnlyHint": False}

    assert loaded(title="Supper", annotations=hints).title == "Supper"
    assert loaded(annotations=hints).title == "Dinner"
    assert loaded(annotations=hints).annotations == hints


def test_annotations_of_another_type_are_left_out_and_told() -> None:
    found = read(entry(annotations=["readOnlyHint"]))

    assert (found.status, codes(found)) == ("repaired", ["annotations_not_object"])


def test_fields_without_a_place_are_never_sent() -> None:
    tool = loaded(
        title="Dinner",
        annotations={"destructiveHint": True},
        icons=[{"src": "https://example.invalid/cat.png"}],
        _meta={"vendor": 1},
        execution={"taskSupport": "optional"},
        **{"x-order": 7},
    )

    assert json.loads(tool.definition_json).keys() == {"name", "description", "input_schema"}


def test_a_fault_in_the_output_schema_is_noted_and_costs_nothing() -> None:
    broken = {"properties": {"r": {"$ref": "#/$defs/Gone"}}}

    assert codes(read(entry(outputSchema=broken))) == ["output_schema_broken_reference"]
    assert codes(read(entry(outputSchema="none"))) == ["output_schema_not_object"]
    assert codes(read(entry(outputSchema=None))) == []
    assert read(entry(outputSchema=broken)).status == "loaded"


@pytest.mark.parametrize("schema", [..., None])
def test_a_tool_without_a_schema_becomes_one_without_arguments(schema: object) -> None:
    found = read(entry(inputSchema=schema))

    assert found.tool is not None
    assert found.tool.input_schema == {"type": "object", "properties": {}}
    assert (found.status, codes(found)) == ("repaired", ["schema_missing"])


def test_a_malformed_output_schema_breaks_nothing() -> None:
    strange = {"$ref": "#x", "properties": [], "allOf": {"a": 1}, "$defs": "none", "$id": 3}

    assert read(entry(outputSchema=strange)).status == "loaded"
