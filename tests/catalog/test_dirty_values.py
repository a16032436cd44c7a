import json

import pytest

from tests.catalog.samples import codes, entry, listed, loaded, only, with_schema
from toolsearch_core.catalog import MAX_DEPTH, load_catalog
from toolsearch_core.catalog.parse import TOO_DEEP
from toolsearch_core.errors import CatalogError


def nested(levels: int) -> dict[str, object]:
    schema: dict[str, object] = {"type": "object"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"in": schema}}
    return schema


def test_the_last_of_two_equal_keys_counts_and_a_notice_says_where() -> None:
    text = '{"tools": [{"name": "first", "name": "second", "inputSchema": {"type": "object"}}]}'

    found = only(load_catalog(text))

    assert (found.name, found.status) == ("second", "repaired")
    assert [reason.params["place"] for reason in found.reasons if "doubled" in reason.code] == [
        "name"
    ]


def test_a_doubled_key_of_the_file_itself_is_a_notice_of_the_file() -> None:
    report = load_catalog(f'{{"tools": [], "tools": [{json.dumps(entry())}]}}')

    assert (report.loaded, codes(report)) == (1, ["doubled_key"])


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000])
def test_a_number_that_json_cannot_hold_is_left_out_with_a_notice(number: str) -> None:
    schema = f'{{"type": "object", "properties": {{"x": {{"default": {number}, "enum": [1, {number}]}}}}}}'

    found = only(load_catalog(f'[{{"name": "a", "inputSchema": {schema}}}]'))

    assert found.tool is not None
    assert found.tool.input_schema["properties"] == {"x": {"enum": [1]}}
    assert "not_a_number" in codes(found)
    assert found.tool.definition_json


def test_half_a_character_is_replaced_wherever_it_stands() -> None:
    text = json.dumps(
        entry("half \ud83d", description="\udc00", inputSchema={"properties": {"k\ud83d": {}}})
    )

    found = only(load_catalog(f"[{text}]"))

    assert found.tool is not None
    assert "half_character" in codes(found)
    found.tool.definition_json.encode()
    found.tool.digest.encode()
    assert found.tool.name == "half \ufffd"


def test_two_halves_that_belong_together_are_one_character() -> None:
    tool = loaded(description="a\ud83d\ude00b\ud83d")

    assert tool.description == "a\U0001f600b\ufffd"


def test_a_nul_inside_a_text_is_replaced() -> None:
    assert loaded(description="a\0b").description == "a\ufffdb"


def test_a_pasted_text_is_cleaned_like_a_file() -> None:
    text = json.dumps([entry(description="\ud83d")], ensure_ascii=False)

    assert load_catalog(text).tools[0].description == "\ufffd"


def test_a_schema_within_the_depth_loads_and_a_deeper_one_costs_its_entry_only() -> None:
    report = load_catalog(
        listed(entry("a", inputSchema=nested(40)), entry("b", inputSchema=nested(60)))
    )

    assert [item.status for item in report.entries] == ["loaded", "rejected"]
    assert codes(report.entries[1]) == ["entry_too_deep"]


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_ten_thousand_brackets_inside_one_entry_cost_that_entry_only(opening: str) -> None:
    closing = "]" if opening == "[" else "}"
    deep = opening * 10_000 + "1" + closing * 10_000
    text = f'{{"tools": [{{"name": "deep", "inputSchema": {deep}}}, {json.dumps(entry())}]}}'

    report = load_catalog(text)

    assert [item.status for item in report.entries] == ["rejected", "loaded"]
    assert codes(report.entries[0]) == ["entry_too_deep"]


def test_a_deep_line_of_json_lines_costs_that_line_only() -> None:
    deep = '{"name": "deep", "inputSchema": ' + "[" * 10_000 + "]" * 10_000 + "}"

    report = load_catalog("\n".join([json.dumps(entry("a")), deep, json.dumps(entry("b"))]))

    assert [item.status for item in report.entries] == ["loaded", "rejected", "loaded"]


def test_brackets_that_never_close_are_told_with_their_place() -> None:
    with pytest.raises(CatalogError) as raised:
        load_catalog("[\n" + "[" * 100_000)

    assert raised.value.notice.code == "catalog.too_deep"
    assert raised.value.notice.params["line"] == 2
    assert raised.value.notice.params["allowed"] == MAX_DEPTH


def test_brackets_inside_texts_are_no_depth() -> None:
    assert loaded(description="[" * 10_000 + '"' + "{" * 10_000).description.count("[") == 10_000


def test_a_text_that_looks_like_the_parsers_own_mark_is_only_a_rejected_entry() -> None:
    report = load_catalog(listed(entry(TOO_DEEP), entry("fine")))

    assert [item.status for item in report.entries] == ["rejected", "loaded"]


def test_many_faults_of_one_kind_are_counted() -> None:
    properties = {f"p{number}": {"type": "strange"} for number in range(9)}

    found = with_schema({"type": "object", "properties": properties})

    assert codes(found) == ["keyword_refused"] * 5 + ["more_alike"]
    assert found.reasons[-1].params["count"] == 4
