"""Requests made from tools: worded as people ask, and the tool they come from is found."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.providers.rehearsal.stage import tool
from tests.providers.rehearsal.test_acceptance import called, catalog_of, talk
from toolsearch_core.events import ToolsSearched
from toolsearch_core.providers.rehearsal.lexicon import Language
from toolsearch_core.providers.rehearsal.starters import made_starters, starter
from toolsearch_core.tools import Catalog, ToolDefinition

LEAST_FOUND = 0.9


@pytest.mark.parametrize(
    ("name", "required", "english", "korean"),
    [
        (
            "list_issues",
            ["owner", "repo"],
            "List the issues in acme/shop.",
            "acme/shop 저장소의 이슈 목록을 보여 줘.",
        ),
        ("get_current_time", [], "Show me the current time.", "현재 시간 보여 줘."),
        (
            "create_page",
            ["title"],
            'Create a page called "Weekly report".',
            '"주간 보고"라는 제목으로 페이지 만들어 줘.',
        ),
        ("merge_branch", [], "Merge the branch.", "브랜치 병합해 줘."),
        ("pods_list", [], "List the pods.", "파드 목록을 보여 줘."),
        ("convert_to_pdf", [], "Convert to pdf.", "to pdf 변환해 줘."),
        ("search_dashboards", [], "Search for dashboards.", "대시보드 찾아 줘."),
        ("get_me", [], "Show me my profile.", "내 프로필 보여 줘."),
    ],
)
def test_a_request_is_worded_as_people_ask(
    name: str, required: list[str], english: str, korean: str
) -> None:
    made = tool(name, "", **dict.fromkeys(required, "string"))

    assert (starter(made, "en"), starter(made, "ko")) == (english, korean)


def test_a_korean_title_is_the_best_wording_in_korean() -> None:
    made = ToolDefinition(name="x", wire_name="x", title="휴가 신청", input_schema={})

    assert starter(made, "ko") == "휴가 신청해 줘."


def test_starters_are_few_different_and_from_the_whole_catalog() -> None:
    tools = [tool(f"list_{thing}", "") for thing in "issues labels pages users teams tags".split()]

    assert made_starters(tools, "en", 3) == (
        "List the issues.",
        "List the pages.",
        "List the teams.",
    )
    assert made_starters([], "en", 3) == ()


@given(st.text(max_size=30), st.text(max_size=30), st.sampled_from(["en", "ko"]))
def test_any_name_and_title_give_one_line_or_nothing(
    name: str, title: str, language: Language
) -> None:
    made = ToolDefinition(name=name or "x", wire_name="x", title=title, input_schema={})

    assert len(starter(made, language).splitlines()) <= 1


def found(catalog: Catalog, question: str) -> set[str]:
    (events,) = talk(catalog, [question])
    return {
        hit.tool_name for event in events if isinstance(event, ToolsSearched) for hit in event.hits
    }


@pytest.mark.outside_data
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_search_for_a_starter_finds_its_tool(language: Language, outside_data: Path) -> None:
    missed: list[str] = []
    asked = 0
    for file in ("github", "stripe", "grafana", "google-workspace", "supabase"):
        catalog = catalog_of(outside_data / "catalogs" / f"{file}.json")
        for text in made_starters(catalog.tools, language, 5):
            asked += 1
            own = {each.wire_name for each in catalog.tools if starter(each, language) == text}
            if not own & found(catalog, text):
                missed.append(text)

    assert asked >= 20
    assert len(missed) <= (1 - LEAST_FOUND) * asked, missed


@pytest.mark.outside_data
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_starter_ends_with_its_tool_called(language: Language, outside_data: Path) -> None:
    missed: list[str] = []
    asked = 0
    files = "github gitlab slack atlassian notion grafana google-workspace kubernetes".split()
    for file in files:
        catalog = catalog_of(outside_data / "catalogs" / f"{file}.json")
        for text in made_starters(catalog.tools, language, 5):
            asked += 1
            own = {each.wire_name for each in catalog.tools if starter(each, language) == text}
            (events,) = talk(catalog, [text])
            if not own & {call.name for call in called(events)}:
                missed.append(text)

    assert asked >= 30
    assert len(missed) <= 1, missed


def test_a_request_that_leads_to_another_tool_is_not_offered() -> None:
    shadowed = tool("get_pages", "")
    clear = tool("list_pages", "List the pages")

    assert made_starters([shadowed, clear], "en", 1) == ("List the pages.",)
    assert made_starters([shadowed], "en", 1) == ("Show me the pages.",)
