"""Inputs that broke other products, from outside the project."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.tool_index import names, search, tool
from toolsearch_core.errors import InvalidPatternError
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.protocols import ToolIndex
from toolsearch_core.search_types import INDEX_KINDS, IndexKind
from toolsearch_core.tools import ToolDefinition

pytestmark = pytest.mark.outside_data

STORE = RetrieverStore()
WHERE_WORDS_COUNT = pytest.mark.parametrize("kind", ["keyword", "hybrid"])
EVERY_KIND = pytest.mark.parametrize("kind", INDEX_KINDS)


def trouble(outside_data: Path, name: str) -> Any:
    path = outside_data / "troubles" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def tools_of(entries: list[dict[str, Any]]) -> list[ToolDefinition]:
    return [
        ToolDefinition(
            name=entry["name"],
            wire_name=entry["name"],
            description=entry["description"],
            input_schema=entry["inputSchema"],
        )
        for entry in entries
    ]


def index_of(kind: IndexKind, tools: list[ToolDefinition]) -> ToolIndex:
    index = CatalogToolIndex(STORE, kind, patience_s=None)
    index.index_tools("s", tools)
    return index


@WHERE_WORDS_COUNT
@pytest.mark.parametrize("name", ["IDX-01", "IDX-03", "IDX-04", "IDX-22"])
def test_each_query_finds_its_tool_first(outside_data: Path, kind: IndexKind, name: str) -> None:
    data = trouble(outside_data, name)
    index = index_of(kind, tools_of(data["tools"]))

    wrong = [
        (query, names(search(index, query))[:3])
        for query, expected in data["queries"]
        if names(search(index, query))[:1] != [expected]
    ]

    assert wrong == []


@EVERY_KIND
def test_a_prefix_that_every_tool_shares_gives_a_stable_order(
    outside_data: Path, kind: IndexKind
) -> None:
    """IDX-03."""
    index = index_of(kind, tools_of(trouble(outside_data, "IDX-03")["tools"]))
    first = search(index, "acme")

    assert 0 < len(first.references) <= 5
    assert names(first) == names(search(index, "acme"))


def test_hostile_patterns_are_answered_or_refused(outside_data: Path) -> None:
    """IDX-07."""
    data = trouble(outside_data, "IDX-07")
    index = index_of("regex", tools_of(data["tools"]))
    for pattern in data["patterns"]:
        if len(pattern) > 200:
            with pytest.raises(InvalidPatternError, match="200"):
                search(index, pattern)
        else:
            assert search(index, pattern).references == ()


@WHERE_WORDS_COUNT
def test_punctuation_of_a_chat_message_is_harmless(outside_data: Path, kind: IndexKind) -> None:
    """IDX-09."""
    data = trouble(outside_data, "IDX-09")
    index = index_of(kind, tools_of(data["tools"]))
    answers = {query: search(index, query) for query in data["queries"]}

    assert names(answers["1/2 day"])[0] == "half_day_leave"
    assert names(answers["C++"])[0] == "cpp_build"
    assert names(answers["-leave"])[0] == names(answers["leave!"])[0] == "half_day_leave"
    for query in ("???", "\\", "&& ||", "🙂"):
        assert answers[query].references == ()
        assert answers[query].metadata.notices


@EVERY_KIND
def test_a_reloaded_catalog_is_searched_as_it_is_now(outside_data: Path, kind: IndexKind) -> None:
    """IDX-12."""
    data = trouble(outside_data, "IDX-12")
    index = CatalogToolIndex(STORE, kind, patience_s=None)
    index.index_tools("s", tools_of(data["v1"]["tools"]))
    index.index_tools("s", tools_of(data["v2"]["tools"]))
    fresh = index_of(kind, tools_of(data["v2"]["tools"]))

    assert index.describe("s").tool_count == 4
    for query, expected in data["queries_after_v2"]:
        found = names(search(index, query, max_results=50))
        assert not {"old_fax", "stock_count"} & set(found)
        assert found == names(search(fresh, query, max_results=50))
        if kind in ("keyword", "hybrid"):
            assert expected is None or found[0] == expected
    if kind == "keyword":
        assert names(search(index, "gift card")) == ["pay_invoice"]
        assert names(search(index, "bank transfer")) == []


@EVERY_KIND
def test_any_name_names_a_session_of_its_own(outside_data: Path, kind: IndexKind) -> None:
    """IDX-14."""
    ids = trouble(outside_data, "IDX-14")["names"]
    index = CatalogToolIndex(STORE, kind, patience_s=None)
    for number, session_id in enumerate(ids):
        index.index_tools(session_id, [tool(f"lamp_{number}", "Switch a lamp")])

    assert [names(search(index, "lamp", session_id)) for session_id in ids] == [
        [f"lamp_{number}"] for number in range(len(ids))
    ]


@EVERY_KIND
def test_odd_sizes_are_answered(outside_data: Path, kind: IndexKind) -> None:
    """IDX-15; the case of 6,000 tools is a test of the store."""
    for case in trouble(outside_data, "IDX-15")["cases"]:
        count = min(case["n_tools"], 50)
        tools = [tool(f"tool_{n:05d}", f"Handles case number {n}") for n in range(count)]
        if case.get("duplicate_id"):
            tools += tools[:1]
        index = index_of(kind, tools)
        if case["top_k"] < 1:
            with pytest.raises(ValueError, match="1 or more"):
                search(index, "handles case", max_results=case["top_k"])
        else:
            found = search(index, "handles case", max_results=case["top_k"]).references
            assert len(found) == min(case["top_k"], count)


@EVERY_KIND
def test_odd_queries_find_nothing_and_say_why(outside_data: Path, kind: IndexKind) -> None:
    """IDX-22."""
    data = trouble(outside_data, "IDX-22")
    index = index_of(kind, tools_of(data["tools"]))
    for odd in data["odd"]:
        if isinstance(odd, str) and len(odd) > 200 and kind == "regex":
            with pytest.raises(InvalidPatternError, match="200"):
                search(index, odd)
            continue
        response = search(index, odd)
        assert response.metadata.notices
        if not isinstance(odd, str) or not odd.strip():
            assert response.references == ()


def test_two_sessions_with_different_catalogs_never_mix(outside_data: Path) -> None:
    """SES-01 and SES-02, as far as an index can hold them."""
    data = trouble(outside_data, "SES-01")["sessions"]
    for kind in INDEX_KINDS:
        index = CatalogToolIndex(STORE, kind, patience_s=None)
        index.index_tools("A", tools_of(data["A"]["catalog"]))
        index.index_tools("B", tools_of(data["A"]["catalog"]))
        index.index_tools("C", tools_of(data["C"]["catalog"]))
        assert set(names(search(index, "red things", "C"))) <= {"green_tool"}
        index.clear_index("A")
        assert search(index, "red", "A").references == ()
        assert names(search(index, "red", "B"))[0] == "red_tool"
        assert names(search(index, "green", "C")) == ["green_tool"]
