"""What the README tells people to type works as it stands there."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project_files import ROOT, document


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
def test_each_command_line_runs(command: str, tmp_path: Path) -> None:
    """The file that a command writes goes to a folder of the test."""
    program, *arguments = shlex.split(command)
    arguments = [str(tmp_path / word) if word.endswith(".jsonl") else word for word in arguments]

    assert program == "python"
    assert run(arguments, ROOT).strip()


def test_the_library_example_runs_to_an_answer() -> None:
    (example,) = blocks("python", "As a library")
    events = [line.split("(")[0] for line in run(["-c", example], ROOT).splitlines()]

    assert events[0] == "TurnStarted"
    assert {"IndexReady", "ToolsSearched", "ToolCalled"} <= set(events)
    assert events[-1] == "TurnEnded"


def test_the_index_of_ones_own_is_the_tested_one_and_its_example_runs() -> None:
    index, example = blocks("python", "Your own index")
    tested = document("tests/conformance/role_index.py")
    kim, lee = run(["-c", example], ROOT, modules="tests/conformance").splitlines()

    assert tested.endswith(f'"""\n\n{index}')
    assert lee.startswith("lee ['get_current_weather'")
    assert kim.startswith("kim [")
    assert "get_current_weather" not in kim
