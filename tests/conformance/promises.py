"""The suite's table in `README.md`, and the tests that carry its ids, as values."""

import ast
import re
from dataclasses import dataclass

from tests.project_files import ROOT, document

FOLDER = "tests/conformance"

SECTIONS = {
    "A": 15,
    "3.1": 20,
    "3.2": 5,
    "3.3": 8,
    "3.4": 1,
    "3.5": 20,
    "3.6": 18,
    "3.7": 10,
    "3.8": 12,
    "3.9": 20,
    "3.10": 27,
    "U": 13,
    "W": 17,
}
"""Section -> how many promises, cases or weak points it has."""

WAITING_TOPICS = ("several processes", "live servers", "provider-native search")
MOST_WAITING = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One line of the table."""

    id: str
    promise: str
    tests: tuple[str, ...]
    """`test_file.py::test_name` each; none while the row waits."""
    status: str
    """`holds`, `deviation: reason` or `waits: topic`."""

    @property
    def waits(self) -> bool:
        """There is nothing to test yet."""
        return self.status.startswith("waits")


def ids_of(section: str) -> list[str]:
    """The ids of a section, in order: `A1`, `3.7.1`, `W1`."""
    dot = "." if section[0].isdigit() else ""
    return [f"{section}{dot}{number}" for number in range(1, SECTIONS[section] + 1)]


def section_of(promise: str) -> str:
    """The section that an id belongs to."""
    return re.sub(r"\.?\d+$", "", promise)


def rows() -> list[Row]:
    """The lines of all tables in `README.md`, in order."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in document(f"{FOLDER}/README.md").splitlines()
        if re.match(r"\| [AUW\d][\d.]* \|", line)
    ]
    return [
        Row(
            id=promise_id,
            promise=promise,
            tests=tuple(re.findall(r"`([^`]+::[^`]+)`", tests)),
            status=status,
        )
        for promise_id, promise, tests, status in cells
    ]


def marked_tests() -> dict[str, tuple[str, ...]]:
    """`test_file.py::test_name` -> the ids that the test carries; empty for a test without a mark."""
    return {
        f"{path.name}::{function.name}": _ids_on(function)
        for path in sorted((ROOT / FOLDER).glob("test_*.py"))
        for function in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test_")
    }


def _ids_on(function: ast.FunctionDef) -> tuple[str, ...]:
    return tuple(
        ast.literal_eval(argument)
        for mark in function.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.promise"
        for argument in mark.args
    )
