"""`chat`: a conversation on a terminal, its numbers, its trace, and what a stranger's text may do there."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.trace.story import ended
from toolsearch_core.cli.chat_lines import lines
from toolsearch_core.cli.main import main
from toolsearch_core.trace.jsonl import from_lines

CATALOG = "sample_catalogs/everyday.json"
QUESTION = "What is the weather in Amsterdam?"


@pytest.fixture(autouse=True)
def at_the_root(project_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project_root)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)


def test_each_step_is_printed_and_the_last_line_compares(capsys):
    assert main(["chat", CATALOG, QUESTION]) == 0

    printed = capsys.readouterr().out
    for part in (f"> {QUESTION}", "request 1", "search “", "Amsterdam", "executed"):
        assert part in printed
    assert "% less than all tools up front" in printed.splitlines()[-1]


def test_json_has_one_object_a_turn(capsys):
    assert main(["chat", CATALOG, QUESTION, "And in Oslo?", "--json"]) == 0

    turns = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [turn["turn"] for turn in turns] == [1, 2]
    assert turns[0]["searches"]
    assert turns[0]["calls"]
    assert 0 < turns[0]["prompt_tokens"] < turns[0]["baseline_tokens"]


def test_the_trace_can_be_read_back(tmp_path, capsys):
    trace = tmp_path / "trace.jsonl"
    assert main(["chat", CATALOG, QUESTION, "--trace", str(trace)]) == 0

    entries = from_lines(trace.read_text(encoding="utf-8").splitlines())
    assert entries[-1].event.status == "answered"


def test_a_trace_that_cannot_be_written_is_told_and_is_two(tmp_path, capsys):
    trace = tmp_path / "missing" / "trace.jsonl"
    assert main(["chat", CATALOG, "hi", "--trace", str(trace)]) == 2
    assert str(trace) in capsys.readouterr().err


def test_a_question_in_no_encoding_is_asked_and_traced_all_the_same(tmp_path, capsys):
    trace = tmp_path / "trace.jsonl"
    assert main(["chat", CATALOG, "hi \udcff", "--trace", str(trace)]) == 0

    entries = from_lines(trace.read_text(encoding="utf-8").splitlines())
    assert entries[0].event.text == "hi \udcff"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--model", "claude"], "ANTHROPIC_API_KEY"),
        (["--max-results", "0"], "max_results"),
        (["--threshold", "7"], "threshold"),
    ],
)
def test_what_is_refused_is_one_sentence_and_two(arguments, told, capsys):
    assert main(["chat", CATALOG, "hi", *arguments]) == 2

    said = capsys.readouterr()
    assert told in said.err
    assert len(said.err.splitlines()) == 1


def test_a_turn_that_cost_nothing_claims_no_saving():
    free = replace(ended(1, "failed"), prompt_tokens=0, baseline_tokens=0)
    assert "all tools up front" not in lines(free)[-1]


def test_a_question_with_control_characters_is_not_obeyed(capsys):
    assert main(["chat", CATALOG, "hi \x1b[2J there"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_a_chat_without_search_says_how_much_is_sent_with_every_request(
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = "sample_catalogs/everyday.json"
    main(["chat", file, "What is the weather in Seoul?", "--disclosure", "all_up_front"])
    assert (
        "  All 28 tool definitions are sent with every request, about " in capsys.readouterr().out
    )
