"""Real catalogs, whole: what the explorer promises for each file of the outside data."""

import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from toolsearch_core.catalog import LoadReport, load_catalog, merge
from toolsearch_core.cli.main import main
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.tools import WIRE_NAME_PATTERN

pytestmark = pytest.mark.outside_data

judge = Draft202012Validator(Draft202012Validator.META_SCHEMA)


@pytest.fixture(scope="module")
def catalogs(outside_data: Path) -> list[Path]:
    files = sorted((outside_data / "catalogs").glob("*.json"))
    assert len(files) >= 34
    return files


@pytest.fixture(scope="module")
def reports(catalogs: list[Path]) -> dict[str, LoadReport]:
    return {file.stem: load_catalog(file.read_bytes(), source=file.name) for file in catalogs}


def test_every_real_tool_loads_as_it_came(reports: dict[str, LoadReport]) -> None:
    assert {
        name: (report.read, report.loaded, report.repaired)
        for name, report in reports.items()
        if report.loaded != report.read or report.repaired or report.notices
    } == {}
    assert reports["github"].loaded == 86
    assert reports["gitlab"].loaded == 201
    assert reports["ms365"].loaded == 344


def test_every_schema_that_is_sent_is_valid_and_the_one_that_came(
    reports: dict[str, LoadReport],
) -> None:
    tools = [tool for report in reports.values() for tool in report.tools]

    assert [tool.name for tool in tools if tool.original_schema is not None] == []
    # All are held to the rules by `keywords`; the validator itself would take half a minute.
    sample = [tool for tool in tools if len(tool.definition_json) < 5_000][::20]
    assert len(sample) > 50
    assert [tool.name for tool in sample if not judge.is_valid(tool.input_schema)] == []


def test_all_of_them_together_make_one_catalog_in_any_order(
    reports: dict[str, LoadReport],
) -> None:
    catalog = merge(list(reports.values()))
    backwards = merge(list(reversed(reports.values())))

    assert len(catalog) == sum(report.loaded for report in reports.values())
    assert len(catalog.by_wire_name) == len(catalog)
    assert all(re.fullmatch(WIRE_NAME_PATTERN, name) for name in catalog.by_wire_name)
    assert {name: (tool.server, tool.name) for name, tool in catalog.by_wire_name.items()} == {
        name: (tool.server, tool.name) for name, tool in backwards.by_wire_name.items()
    }
    shared = {tool.server for tool in catalog.tools if tool.wire_name.endswith("__create_branch")}
    assert shared == {"github", "gitlab", "supabase"}


def test_every_tool_has_a_finite_count_of_tokens(reports: dict[str, LoadReport]) -> None:
    counter = TokenEstimator()

    counts = [counter.count_tool(tool) for tool in reports["github"].tools]

    assert all(20 < count < 5_000 for count in counts)
    assert 20_000 < sum(counts) < 45_000


def test_check_reports_every_file(catalogs: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *map(str, catalogs)]) == 0

    out = capsys.readouterr().out
    assert [file.name for file in catalogs if f"\n{file.name}: " not in f"\n{out}"] == []
