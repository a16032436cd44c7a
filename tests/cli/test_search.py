"""The verb `search` as a person and as a program sees it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project_files import ROOT
from toolsearch_core.cli.main import main

TOOLS = [
    {
        "name": "create_ticket",
        "description": "File a ticket\nfor the help desk \u001b[31mnow",
        "inputSchema": {"type": "object", "properties": {"urgency": {"type": "string"}}},
    },
    {"name": "close_ticket", "description": "Say that a ticket is done", "inputSchema": {}},
    {"name": "brew_tea", "description": "Boil water", "inputSchema": {"type": "object"}},
]


@pytest.fixture
def catalog(tmp_path: Path) -> str:
    path = tmp_path / "desk.json"
    path.write_text(json.dumps({"tools": TOOLS}), encoding="utf-8")
    return str(path)


def test_hits_are_shown_with_rank_score_reasons_and_near_misses(
    catalog: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", catalog, "ticket", "--index", "keyword", "--max-results", "1"]) == 0

    shown = capsys.readouterr().out
    head, hit, description, near, *_ = shown.splitlines()
    assert head.startswith("1 of 2 matches in 3 tools (keyword index, ")
    assert "uncalibrated scores" in head
    assert hit.strip().startswith("1. 0.")
    assert "close_ticket" in hit or "create_ticket" in hit
    assert "name" in hit
    assert "ticket" in description
    assert near == "near misses"
    assert "\u001b" not in shown


def test_the_answer_as_json_holds_everything(
    catalog: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", catalog, "create ticket", "--json", "--encoder", "hashing"]) == 0

    answer = json.loads(capsys.readouterr().out)
    assert answer["index"] == "hybrid"
    assert answer["calibrated"] is False
    assert answer["tools"] == 3
    assert answer["hits"][0]["tool_name"] == "create_ticket"
    assert answer["hits"][0]["server"] == "desk"
    assert answer["hits"][0]["score"] == 0.99
    assert [hit["rank"] for hit in answer["hits"]] == list(range(1, len(answer["hits"]) + 1))
    assert answer["hits"][0]["reasons"][0]["signal"] == "exact_name"


@pytest.mark.parametrize("index", ["keyword", "regex", "vector", "hybrid"])
def test_each_index_can_be_chosen(
    catalog: str, capsys: pytest.CaptureFixture[str], index: str
) -> None:
    asked = ["search", catalog, "brew tea", "--index", index, "--encoder", "hashing", "--json"]

    assert main(asked) == 0
    assert json.loads(capsys.readouterr().out)["hits"][0]["tool_name"] == "brew_tea"


def test_nothing_found_is_one_and_says_what_to_do(
    catalog: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", catalog, "zzyzx", "--index", "keyword"]) == 1
    assert "Try other words" in capsys.readouterr().out
    assert main(["search", catalog, "ticket", "--index", "keyword", "--threshold", "1"]) == 1
    assert "near misses" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ticket", "--max-results", "0"], "1 or more"),
        (["ticket", "--threshold", "2"], "0 to 1"),
        (["(", "--index", "regex"], "pattern"),
        (["ticket", "--index", "vector", "--encoder", "no/such"], "not on this machine"),
    ],
)
def test_a_refused_search_is_two_and_one_sentence(
    catalog: str, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(["search", catalog, *arguments]) == 2

    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err
    assert len(shown.err.splitlines()) == 1


def test_a_hybrid_without_its_encoder_answers_by_words(
    catalog: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", catalog, "ticket", "--encoder", "no/such", "--json"]) == 0

    answer = json.loads(capsys.readouterr().out)
    assert [each["code"] for each in answer["notices"]] == [
        "search.meaning_absent",
        "search.model_unknown",
    ]


def test_a_file_without_tools_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.json"
    empty.write_text('{"tools": []}', encoding="utf-8")

    assert main(["search", str(empty), "ticket", "--index", "keyword"]) == 1
    assert "no tools to search" in capsys.readouterr().out


def test_it_runs_as_a_command(catalog: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "toolsearch_core", "search", catalog, "tea", "--index", "keyword"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    assert "brew_tea" in ran.stdout


def test_what_no_flag_says_is_as_in_the_settings(
    catalog: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TOOLSEARCH_INDEX_TYPE", "regex")
    config = tmp_path / "my.toml"
    config.write_text("[search]\nmax_results = 1\n", encoding="utf-8")

    assert main(["search", catalog, "ticket", "--config", str(config)]) == 0
    assert capsys.readouterr().out.startswith("1 of 2 matches in 3 tools (regex index, ")
    assert main(["search", catalog, "ticket", "--index", "keyword", "--max-results", "2"]) == 0
    assert capsys.readouterr().out.startswith("2 of 2 matches in 3 tools (keyword index, ")
    assert main(["search", catalog, "ticket", "--config", str(tmp_path / "none.toml")]) == 2
