"""What broke other products must hold here: the expectations for catalogs, one by one."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.catalog.samples import codes
from toolsearch_core.catalog import LoadReport, load_catalog, merge
from toolsearch_core.cli.main import main
from toolsearch_core.errors import CatalogError
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.tools import WIRE_NAME_PATTERN, ToolDefinition

pytestmark = pytest.mark.outside_data


@pytest.fixture(scope="module")
def troubles(outside_data: Path) -> Path:
    return outside_data / "troubles"


def read(troubles: Path, name: str) -> LoadReport:
    file = troubles / f"{name}.json"
    return load_catalog(file.read_bytes(), source=file.name)


def by_name(report: LoadReport) -> dict[str, ToolDefinition]:
    return {tool.name: tool for tool in report.tools}


def original(troubles: Path, name: str) -> Any:
    return json.loads((troubles / f"{name}.json").read_text(encoding="utf-8"))


def test_cat_01_every_name_is_sendable_and_the_original_is_kept(troubles: Path) -> None:
    report = read(troubles, "CAT-01")

    assert report.loaded == 7
    assert len({tool.wire_name for tool in report.tools}) == 7
    assert all(re.fullmatch(WIRE_NAME_PATTERN, tool.wire_name) for tool in report.tools)
    assert [tool.name for tool in report.tools] == [
        tool["name"] for tool in original(troubles, "CAT-01")["tools"]
    ]


def test_cat_04_long_names_stay_apart_in_any_order(troubles: Path) -> None:
    tools = original(troubles, "CAT-04")["tools"]
    names = {tool.name: tool.wire_name for tool in read(troubles, "CAT-04").tools}

    backwards = load_catalog(json.dumps({"tools": tools[::-1]}), source="CAT-04.json")

    assert len(set(names.values())) == 6
    assert all(len(name) <= 64 for name in names.values())
    assert [name for name in names if len(name) == 64 and names[name] == name] == ["n" * 64]
    assert {tool.name: tool.wire_name for tool in backwards.tools} == names


def test_cat_05_equal_names_are_kept_apart_by_server(troubles: Path) -> None:
    report = read(troubles, "CAT-05")
    sending = [tool for tool in report.tools if tool.name == "send_message"]

    assert len({tool.wire_name for tool in sending}) == 2
    field = merge([report]).by_wire_name["field__send_message"]
    assert (field.server, field.name) == ("field", "send_message")
    (rejected,) = [entry for entry in report.entries if entry.status == "rejected"]
    assert (rejected.position, rejected.server, rejected.name) == (3, "office", "lookup")
    assert codes(rejected) == ["duplicate_name"]


def test_cat_06_no_combinator_is_sent_at_a_root(troubles: Path) -> None:
    report = read(troubles, "CAT-06")
    tools = by_name(report)

    for tool in tools.values():
        sent = json.loads(tool.definition_json)["input_schema"]
        assert sent["type"] == "object"
        assert not sent.keys() & {"anyOf", "oneOf", "allOf"}
    assert "anyOf" in json.dumps(tools["nested_ok"].input_schema)
    assert "list_tasks" in tools
    assert all(entry.reasons for entry in report.entries if entry.status != "loaded")
    assert "(text), (file), (id)" in tools["run_plan"].description
    assert tools["run_plan"].original_schema is not None
    assert "oneOf" in tools["run_plan"].original_schema


def test_cat_09_boolean_schemas_load_and_count(troubles: Path) -> None:
    report = read(troubles, "CAT-09")

    assert (report.loaded, report.repaired) == (3, 0)
    assert all(TokenEstimator().count_tool(tool) > 0 for tool in report.tools)


def test_cat_11_recursion_stays_a_reference(troubles: Path) -> None:
    report = read(troubles, "CAT-11")
    tools = by_name(report)

    assert report.loaded == 5
    for name in ("save_folder", "mutual", "self_root"):
        assert '"$ref"' in tools[name].definition_json
        assert tools[name].original_schema is None
    for tool in tools.values():
        json.dumps([tool.input_schema, tool.original_schema])
        assert 0 < TokenEstimator().count_tool(tool) < 1_000
        Draft202012Validator(tool.input_schema).is_valid({"p": {}, "a": {}, "root": {}})


def test_cat_13_thin_and_huge_descriptions_load(troubles: Path) -> None:
    report = read(troubles, "CAT-13")
    tools = by_name(report)

    assert (report.loaded, report.rejected) == (5, 0)
    assert [tools[name].description for name in ("rotate_log", "null_text", "blank_text")] == [
        ""
    ] * 3
    assert tools["echo_name"].title == "Loudspeaker volume"
    assert [codes(entry) for entry in report.entries] == [
        ["description_missing"],
        ["description_missing"],
        ["description_missing"],
        ["description_repeats_name"],
        ["description_long"],
    ]


def test_cat_15_newer_fields_are_never_sent(troubles: Path) -> None:
    report = read(troubles, "CAT-15")

    assert report.loaded == 2
    for tool in report.tools:
        assert json.loads(tool.definition_json).keys() == {"name", "description", "input_schema"}
        assert "example.invalid" not in tool.definition_json
    assert report.tools[0].title == "Current conditions"
    assert report.tools[1].annotations == {"destructiveHint": True}


def test_cat_20b_dirty_json_gives_a_notice_for_each_fault(troubles: Path) -> None:
    report = read(troubles, "CAT-20b")
    dirty, fine = report.entries

    assert {"doubled_key", "half_character", "not_a_number"} <= set(codes(dirty))
    assert (fine.name, fine.status) == ("ok", "loaded")
    for tool in report.tools:
        tool.definition_json.encode()


def test_cat_23_nothing_loaded_is_an_error_state(troubles: Path) -> None:
    report = read(troubles, "CAT-23")

    assert report.failed
    assert (report.read, report.loaded, report.rejected) == (6, 0, 6)
    assert all(len(entry.reasons) == 1 for entry in report.entries)
    assert codes(report) == ["nothing_loaded"]


def test_ui_09_texts_of_strangers_are_kept_as_they_are(troubles: Path) -> None:
    tools = by_name(read(troubles, "UI-09"))

    for tool in original(troubles, "UI-09")["tools"]:
        assert tools[tool["name"]].description == tool["description"]


@pytest.mark.parametrize(
    ("name", "code"),
    [("CAT-16.yaml", "openapi"), ("CAT-19.json", "openapi"), ("CAT-20.yaml", "yaml")],
)
def test_formats_that_are_not_read_yet_end_in_their_own_error(
    troubles: Path, name: str, code: str
) -> None:
    with pytest.raises(CatalogError) as raised:
        load_catalog((troubles / name).read_bytes(), source=name)

    assert raised.value.notice.code == f"catalog.{code}"


def test_check_ends_every_catalog_trouble_with_a_report_or_a_stated_error(
    troubles: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = sorted(troubles.glob("CAT-*"))
    assert len(files) >= 12

    for file in files:
        code = main(["check", str(file)])

        captured = capsys.readouterr()
        assert code in (0, 1, 2)
        assert bool(captured.err) == (code == 2)
        assert captured.err.count("\n") <= 1
