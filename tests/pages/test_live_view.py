"""The Live page: what its numbers claim, what stays open, what can be read in full, what is kept."""

import json
import re

import pytest

from pages._shared import language, state
from pages._shared.live import insight
from pages._shared.live.ledger_columns import columns
from pages._shared.plain_text import escaped
from tests.pages.explorer import QUESTION, Explorer, one_search
from toolsearch_core.errors import CatalogError
from toolsearch_core.events import RequestPrepared, ToolsSearched, TurnStarted
from toolsearch_core.providers.scripted import ScriptedProvider, text
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.trace.ledger import ledger


def button_keys(page: Explorer) -> list[str]:
    return [button.key for button in page.at.button if button.key]


def test_a_turn_without_an_answer_claims_no_saving() -> None:
    page = Explorer(ScriptedProvider([])).load().ask()

    assert "Ask something to see what it saves" in page.shown()
    assert "%" not in page.shown()
    assert "(all up front" not in page.shown()


def test_with_every_tool_up_front_the_bar_is_as_high_as_its_baseline() -> None:
    script = [*one_search(), [text("Twelve.")]]
    page = Explorer(ScriptedProvider(script)).load().ask()
    page.choose("disclosure", "all_up_front", page.at.get_by_key).ask("And my vacation?")

    drawn = columns(ledger(page.conversation.entries), "turns")
    assert drawn[0].total < drawn[0].baseline
    assert drawn[1].total == drawn[1].baseline
    assert insight.latest_query(page.conversation.entries) == ""
    assert list(page.at.warning) == []


def test_the_board_names_no_search_of_an_earlier_turn() -> None:
    script = [*one_search(), [text("Twelve.")], [text("You are welcome.")]]
    page = Explorer(ScriptedProvider(script)).load().ask()
    searched = insight.latest_query(page.conversation.entries)
    page.ask("Thank you")

    assert searched
    assert insight.latest_query(page.conversation.entries) == ""


def test_a_catalog_beyond_context_windows_is_told() -> None:
    def heavy(words: int) -> str:
        tool = {
            "name": "heavy_tool",
            "description": "apple banana cherry " * words,
            "inputSchema": {"type": "object"},
        }
        data = json.dumps({"tools": [{**tool, "name": f"tool_{n}"} for n in range(12)]})
        return Explorer().put(data.encode(), "heavy.json").shown()

    assert "context windows" not in heavy(50)
    assert "more than the 200k" in heavy(7_000)
    assert "no model would take it" in heavy(45_000)


def test_the_output_limit_can_be_set() -> None:
    page = Explorer(ScriptedProvider([[text("Done.")]])).load()
    page.choose("max_tokens", 77, page.at.number_input).ask()

    assert page.workspace.settings.options.max_tokens == 77
    assert page.events(RequestPrepared)[0].body["max_tokens"] == 77


def test_what_somebody_opened_stays_open_when_a_turn_runs() -> None:
    page = Explorer(ScriptedProvider([*one_search(), [text("Again.")]])).load()
    page.at.session_state["options_search"] = True
    page.ask()
    search = next(e.seq for e in page.conversation.entries if isinstance(e.event, ToolsSearched))
    page.at.session_state[f"why_{search}"] = True
    page.run().choose("max_results", 4, page.at.number_input)

    opened = {e.label.split(":")[0] for e in page.at.expander if e.proto.expanded}
    assert {"Search and tools", "why these, and near misses"} <= opened
    page.ask("and again?")
    assert "Search and tools" in {e.label for e in page.at.expander if e.proto.expanded}


def test_why_a_tool_was_found_is_told_in_full() -> None:
    page = Explorer(ScriptedProvider(one_search())).load().ask()
    found = page.events(ToolsSearched)[0].hits[0]

    for reason in found.reasons:
        assert " ".join(reason.matched) in page.shown()
    assert f"score {found.score:.3f}" in page.shown()


def test_the_raw_request_opens_on_its_body_and_tells_of_what_the_service_adds() -> None:
    page = Explorer(ScriptedProvider(one_search())).load().ask()
    page.click(next(key for key in button_keys(page) if key.startswith("raw_")))

    assert [tab.label for tab in page.at.tabs][:1] == ["Request body"]
    hidden = TokenEstimator(page.events(RequestPrepared)[0].body["model"]).tool_prompt
    assert f"about {hidden} tokens" in page.shown()


def test_a_conversation_without_a_question_is_no_second_new_one() -> None:
    page = Explorer().load()

    assert page.at.button(key="live_new").disabled
    assert "No question yet" in page.shown()


def test_a_long_question_can_be_read_in_full() -> None:
    question = "Who is on call for payments, and who will be after the change of shifts on Friday?"
    page = Explorer(ScriptedProvider([[text("Mina.")]])).load().ask(question)

    helps = [element.help for element in page.at.markdown if element.proto.help]
    assert escaped(question) in helps


def test_in_korean_nothing_but_names_stays_english() -> None:
    page = Explorer(ScriptedProvider(one_search()), lang="ko").load().ask()

    assert "hybrid" not in page.shown()
    assert "keyword" not in page.shown()
    assert not re.search(r"\d m?s\b", page.shown())


def test_in_korean_what_is_wrong_with_a_json_file_is_told_in_korean(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(CatalogError) as caught:
        Explorer().workspace.shelf.add(b'{"tools": [}', "broken.json")

    assert "Expecting" in language.notice_text(caught.value.notice)
    monkeypatch.setattr(state, "language", lambda: "ko")
    assert not re.search(r"[A-Za-z]{5,}", language.notice_text(caught.value.notice))


def test_on_a_wall_the_board_stays_and_controls_go() -> None:
    page = Explorer(ScriptedProvider(one_search()), proj="1").load().ask()

    drawn = [element.proto.component_name for element in page.at.get("bidi_component")]
    assert "toolsearch_board" in drawn
    assert "live_by" not in [element.key for element in page.at.get("button_group")]
    assert not page.at.get("download_button")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_run_that_broke_before_its_turn_keeps_the_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = Explorer().load()

    def breaks(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(page.workspace), "ask", breaks)
    page.send().wait()

    assert [element.value for element in page.at.warning if "interrupted" in element.value]
    assert QUESTION in [element.value for element in page.at.text]
    assert [button for button in page.at.button if button.key.startswith("live_again_")]


def test_claude_without_a_key_says_what_is_missing() -> None:
    page = Explorer().load()
    del page.at.session_state[state.PROVIDER]
    page.choose("model_kind", "claude", page.at.get_by_key)

    assert [e.value for e in page.at.warning if "ANTHROPIC_API_KEY" in e.value]
    page.ask()
    assert [element.value for element in page.at.error if "key" in element.value]
    assert page.events(TurnStarted) == []
    assert QUESTION in [element.value for element in page.at.text]

    page.choose("model_kind", "rehearsal", page.at.get_by_key)
    next(button for button in page.at.button if button.key.startswith("live_again_")).click()
    page.run().wait()
    assert [event.text for event in page.events(TurnStarted)] == [QUESTION]
    assert not [button for button in page.at.button if button.key.startswith("live_again_")]
