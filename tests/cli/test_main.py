import argparse
import sys
from pathlib import Path

import pytest

from toolsearch_core.cli import check
from toolsearch_core.cli.main import VERBS, main


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_states_a_missing_file_as_one_sentence(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = str(tmp_path / "gone.json")
    arguments = {"check": [gone], "settings": ["--config", gone]}

    assert main([verb, *arguments.get(verb, [gone, "which cats are hungry?"])]) == 2

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("There is no file")
    assert captured.err.count("\n") == 1


def test_the_help_lists_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])

    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert [verb for verb in VERBS if f"\n    {verb} " not in out] == []


def test_the_arguments_of_the_process_are_the_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "argv", ["toolsearch_core", "check", str(tmp_path)])

    assert main() == 2


def test_an_interrupted_verb_ends_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(args: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "run", interrupted)

    assert main(["check", "any.json"]) == 130
    assert capsys.readouterr() == ("", "")
