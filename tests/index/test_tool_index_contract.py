"""Every kind of index under the laws of `tests.contracts.tool_index`."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contracts import tool_index as laws
from tests.contracts.tool_index import Case
from tests.project_files import ROOT
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.search_types import INDEX_KINDS, IndexKind
from toolsearch_core.tools import ToolDefinition

STORE = RetrieverStore()


def case_of(
    kind: IndexKind, *, accepts_patterns: bool = False, matches_by_meaning: bool = False
) -> Case:
    return Case(
        kind=kind,
        make=lambda: CatalogToolIndex(STORE, kind, "hashing", patience_s=None),
        accepts_patterns=accepts_patterns,
        matches_by_meaning=matches_by_meaning,
    )


CASES = {
    case.kind: case
    for case in (
        case_of("keyword"),
        case_of("regex", accepts_patterns=True),
        case_of("vector", matches_by_meaning=True),
        case_of("hybrid", matches_by_meaning=True),
    )
}
every_kind = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def test_every_kind_of_index_is_under_the_laws() -> None:
    assert sorted(CASES) == sorted(INDEX_KINDS)


def test_every_law_is_in_the_list() -> None:
    taking_a_case = {
        name
        for name, value in vars(laws).items()
        if callable(value) and list(getattr(value, "__annotations__", {})) == ["case", "return"]
    }

    assert taking_a_case == {law.__name__ for law in laws.LAWS}


@every_kind
@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
def test_law(case: Case, law: Callable[[Case], None]) -> None:
    law(case)


@every_kind
@given(tools=laws.CATALOGS, query=laws.QUERIES, max_results=st.integers(1, 9))
def test_an_answer_is_well_formed(
    case: Case, tools: Sequence[ToolDefinition], query: str, max_results: int
) -> None:
    laws.an_answer_is_well_formed(case, tools, query, max_results)


@every_kind
@given(tools=laws.CATALOGS, words=st.lists(st.sampled_from(laws.WORDS), min_size=1, max_size=4))
def test_an_unrelated_tool_takes_no_match_away(
    case: Case, tools: Sequence[ToolDefinition], words: list[str]
) -> None:
    laws.an_unrelated_tool_takes_no_match_away(case, tools, " ".join(words))


PROGRAM = """
import json
from tests.contracts.tool_index import OFFICE, search
from tests.index.test_tool_index_contract import CASES
answers = {}
for case in CASES.values():
    index = case.make()
    index.index_tools("s", OFFICE)
    found = search(index, "pay the weather label in a room", max_results=9)
    answers[case.kind] = [(each.tool_name, repr(each.score), repr(each.reasons)) for each in found.references]
print(json.dumps(answers))
"""


def test_the_answer_is_the_same_in_every_process() -> None:
    answers = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1")
    ]

    assert all(len(hits) >= 3 for hits in json.loads(answers[0]).values())
    assert answers[0] == answers[1]
