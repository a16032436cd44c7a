"""What the README tells people to type works as it stands there."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project_files import ROOT, document, python_files
from toolsearch_core.cli.main import main


def blocks(language: str, under: str) -> list[str]:
    """The fenced blocks of one language in a section."""
    section = document("README.md").split(f"\n## {under}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(rf"^```{language}\n(.*?)^```", section, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    (block,) = blocks("", "Command line")
    return block.splitlines()


def run(arguments: list[str], folder: Path, modules: str = "") -> str:
    """What a program prints; it finds more modules in one folder of the project."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / modules)} if modules else None,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("command", commands())
def test_each_command_line_runs(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The file that a command writes goes to a folder of the test."""
    *program, verb = shlex.split(command)[:4]
    arguments = [
        str(tmp_path / word) if word.endswith(".jsonl") else word
        for word in shlex.split(command)[4:]
    ]
    monkeypatch.chdir(ROOT)

    assert program == ["python", "-m", "toolsearch_core"]
    assert main([verb, *arguments]) == 0
    assert capsys.readouterr().out.strip()


def test_the_library_example_searches_once_and_keeps_what_it_found(
    capsys: pytest.CaptureFixture[str],
) -> None:
    example, names = blocks("python", "As a library")
    exec(names, {})
    exec(example, {"__name__": "example"})
    lines = capsys.readouterr().out.splitlines()
    answers = [line for line in lines if not line[0].isdigit()]
    calls = [line for line in lines if line[0].isdigit()]

    assert len(answers) == 2
    assert all("21 °C" in answer for answer in answers)
    assert calls[0] == "1.1: tool_search_tool"
    assert all("get_weather" in call for call in calls[1:])
    assert [call[:3] for call in calls] == ["1.1", "1.2", "1.3", "2.1", "2.2"]


def test_every_name_in_the_table_for_people_from_spring_exists() -> None:
    """Each name of ours in the right column is one of the library."""
    section = document("README.md").split("### Coming from Spring AI", 1)[1].split("\n## ", 1)[0]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| `")]
    ours = {name for row in rows for name in re.findall(r"[A-Za-z_]{4,}", row[-1])}
    core = "\n".join(path.read_text(encoding="utf-8") for path in python_files("toolsearch_core"))
    plain = {"application", "names", "which", "keeps", "whole", "conversations", "with", "same"}
    plain |= {
        "generator",
        "events",
        "function",
        "text",
        "False",
        "True",
        "toolsearch",
        "toml",
        "spring",
    }

    assert len(rows) >= 20
    assert sorted(name for name in ours - plain if not re.search(rf"\b{name}\b", core)) == []


def test_the_index_of_ones_own_is_the_tested_one_and_its_example_runs() -> None:
    index, example = blocks("python", "Your own index")
    tested = document("tests/conformance/role_index.py")
    kim, lee = run(["-c", example], ROOT, modules="tests/conformance").splitlines()

    assert tested.endswith(f'"""\n\n{index}')
    assert lee.startswith("lee ['get_current_weather'")
    assert kim.startswith("kim [")
    assert "get_current_weather" not in kim
