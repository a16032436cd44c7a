"""The project's own files, for tests about the project itself."""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@cache
def tracked() -> tuple[str, ...]:
    """The files that git knows, as paths from the project's folder, sorted."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout
    return tuple(sorted(name for name in listed.split("\0") if name and (ROOT / name).exists()))


def python_files(*folders: str) -> list[Path]:
    """The Python files in these folders, and `app.py` when the folder is called so."""
    return [
        ROOT / name
        for name in tracked()
        if name.endswith(".py") and any(name == f or name.startswith(f + "/") for f in folders)
    ]


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of one Python file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def place(path: Path) -> str:
    """How a failing test names a file."""
    return path.relative_to(ROOT).as_posix()


def document(name: str) -> str:
    """The text of one file in the project's folder."""
    return (ROOT / name).read_text(encoding="utf-8")


def table(text: str, heading: str) -> list[list[str]]:
    """The rows of the first Markdown table under a heading, without its head, cells stripped."""
    section = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    rows = [line.strip() for line in section.splitlines() if line.startswith("|")]
    # A pipe inside a cell is written `\|`.
    return [
        [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
        for row in rows[2:]
    ]
