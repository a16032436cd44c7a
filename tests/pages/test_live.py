"""The Live page, through the app: what a person does, and what is there then."""

import itertools
import json
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from pages._shared import state
from pages._shared.live import chat, model_panel, options_panel, raw_request, steps
from pages._shared.plain_text import escaped
from pages._shared.samples import samples
from tests.pages.explorer import QUESTION, Explorer, Gate, one_search
from toolsearch_core.advisor.prompts import prompt
from toolsearch_core.embeddings import ENCODER_NAMES
from toolsearch_core.events import (
    DISCLOSURES,
    CallOutcome,
    IndexEvicted,
    IndexReady,
    InjectionReason,
    RequestPrepared,
    ResponseReceived,
    ToolCalled,
    ToolsDropped,
    TurnEnded,
    TurnStarted,
    TurnStatus,
)
from toolsearch_core.eviction import STRATEGY_KINDS
from toolsearch_core.messages import ModelRequest, ModelResponse
from toolsearch_core.notices import notice
from toolsearch_core.options import AT_CALL_LIMIT
from toolsearch_core.providers.scripted import Reply, ScriptedProvider, call, text
from toolsearch_core.search_types import INDEX_KINDS, MatchReason
from toolsearch_core.settings import MODEL_KINDS, Settings

LONG = "One sentence that is long enough to come in several pieces, and then another one."


# The first visit


@pytest.mark.parametrize(
    ("language", "title"),
    [("en", "Watch a model find its tools"), ("ko", "모델이 도구를 찾아가는 과정을 보세요")],
)
def test_a_first_visit_offers_the_samples(language: str, title: str) -> None:
    page = Explorer(lang=language)

    assert page.at.title[0].value == title
    assert len([key for key in keys(page) if key.startswith("live_load_")]) == 3
    assert not page.at.chat_input


def test_one_click_loads_a_sample_and_offers_its_questions() -> None:
    page = Explorer().click("live_load_everyday.json")

    assert len(page.workspace.catalog) == 28
    assert "28 tools" in page.shown()
    offered = [button for button in page.at.button if button.key.startswith("live_starters")]
    assert offered[0].label == escaped(samples()[0].questions["en"][0])
    assert page.at.chat_input


def test_any_id_that_is_made_is_good_for_every_key(monkeypatch: pytest.MonkeyPatch) -> None:
    count = itertools.count()
    monkeypatch.setattr("secrets.token_urlsafe", lambda size: f"_a__b-{next(count)}-")

    page = Explorer(ScriptedProvider(one_search())).load().ask()

    assert "__" in page.address["c"]
    assert "Mina is." in [element.value for element in page.at.text]


def test_an_unknown_language_falls_back() -> None:
    assert Explorer(lang="xx").address["lang"] == "en"


# A turn


def test_a_turn_is_shown_step_by_step() -> None:
    page = Explorer(ScriptedProvider(one_search())).load().ask()
    shown = page.shown()

    assert "who is on call" in shown
    assert "get_on_call" in shown
    assert "Mina is." in [element.value for element in page.at.text]
    assert "Request 3" in shown
    assert "simulated" in shown
    assert "estimated" in shown
    assert not page.has_button("live_stop")


def test_what_the_service_reports_stands_beside_the_estimate() -> None:
    usage = {"input_tokens": 1234, "output_tokens": 56}
    page = Explorer(Reporting(ScriptedProvider([Reply([text("Done.")], usage=usage)]))).load().ask()
    (caption,) = [e.value for e in page.at.caption if "all up front" in e.value]

    assert "reported: 1,234" in caption.replace("\\", "")
    assert "56 output" in caption


class Reporting:
    """A model whose script stands for what a service reported."""

    simulated = False

    def __init__(self, scripted: ScriptedProvider) -> None:
        self._scripted = scripted
        self.model = scripted.model

    def stream(self, request: ModelRequest) -> Generator[str, None, ModelResponse]:
        answer = yield from self._scripted.stream(request)
        return replace(answer, usage=replace(answer.usage, source="reported"))


def test_a_blank_message_is_not_sent() -> None:
    page = Explorer().load().send("   \n ")

    assert page.events() == []


def test_what_a_model_says_is_no_markup() -> None:
    hostile = "![x](https://example.invalid/q.png) <b>bold</b> $5 and $7 :smile: **loud**"
    page = Explorer(ScriptedProvider([[text(hostile)]])).load().ask(hostile)

    assert [element.value for element in page.at.text].count(hostile) == 2
    assert [
        e.value for kind in ("markdown", "caption") for e in page.at.get(kind) if "![" in e.value
    ] == []
    titled = "**" + escaped(hostile, limit=20)[:-2]
    assert [element.value for element in page.at.markdown if element.value.startswith(titled)]


def test_arguments_results_and_queries_of_strangers_are_no_markup() -> None:
    page = Explorer(
        ScriptedProvider(
            [
                [call("tool_search_tool", query="![x](https://example.invalid/q.png) on call")],
                [call("get_on_call", service="<img src=x> $1$ :smile:")],
                [text("Done.")],
            ]
        )
    ).load()

    page.ask()

    labels = [element.label for element in page.at.expander]
    assert [label for label in labels if "![" in label or "<img" in label] == []


def test_a_model_that_fails_is_told_and_the_conversation_goes_on() -> None:
    page = Explorer(ScriptedProvider([])).load().ask()

    assert page.events(TurnEnded)[0].status == "failed"
    assert "Failed" in page.shown()
    assert page.at.chat_input


def test_a_turn_without_an_end_that_nobody_works_on_was_interrupted() -> None:
    page = Explorer(ScriptedProvider(one_search())).load().ask()
    started = page.events(TurnStarted)[0]

    page.conversation.record(replace(started, turn=2, text="and then?"))
    page.run()

    assert [element.value for element in page.at.warning if "interrupted" in element.value]
    assert "and then?" in [element.value for element in page.at.text]


def test_older_turns_fold_and_open_again() -> None:
    page = Explorer(ScriptedProvider([*one_search(), [text("Again.")]])).load().ask()
    first = page.address["c"]
    assert len([key for key in keys(page) if key.startswith("raw_")]) == 3

    page.ask("and again?")

    assert len([key for key in keys(page) if key.startswith("raw_")]) == 1
    assert "Mina is." in [element.value for element in page.at.text]
    page.at.session_state[state.timeline_key(first, 1)] = True
    page.run()
    assert len([key for key in keys(page) if key.startswith("raw_")]) == 4


# While a run is on


def held_up() -> tuple[Gate, ScriptedProvider]:
    gate = Gate()
    return gate, ScriptedProvider([[text(LONG)]], sleep=gate.sleep)


def test_clicks_during_a_run_neither_kill_nor_double_it() -> None:
    """UI-01: the input is locked, the answer goes on, and one turn is recorded."""
    gate, provider = held_up()
    page = Explorer(provider).load().send()
    assert gate.reached.wait(30)

    page.choose("accumulate", False, page.at.toggle)
    page.choose("disclosure", "all_up_front", page.at.get_by_key)
    page.run()
    assert page.has_button("live_stop")
    assert page.at.chat_input[0].disabled
    gate.open.set()
    page.wait()

    assert len(page.events(TurnStarted)) == 1
    assert page.events(TurnEnded)[0].answer == LONG
    assert LONG in [element.value for element in page.at.text]


def test_settings_changed_during_a_run_hold_from_the_next_turn_on() -> None:
    gate, provider = held_up()
    provider.add([text("Again.")])
    page = Explorer(provider).load().send()
    assert gate.reached.wait(30)

    page.choose("accumulate", False, page.at.toggle)
    gate.open.set()
    page.wait().ask("and again?")

    assert [started.accumulate for started in page.events(TurnStarted)] == [True, False]


def test_stop_keeps_the_partial_answer_and_marks_it() -> None:
    gate, provider = held_up()
    page = Explorer(provider).load().send()
    assert gate.reached.wait(30)

    page.click("live_stop")
    gate.open.set()
    page.wait()

    ended = page.events(TurnEnded)[0]
    assert ended.status == "stopped"
    assert ended.answer
    assert LONG.startswith(ended.answer)
    assert ended.answer in [element.value for element in page.at.text]
    assert "Stopped" in page.shown()


def test_a_reload_finds_a_run_that_is_on() -> None:
    gate, provider = held_up()
    page = Explorer(provider).load().send()
    assert gate.reached.wait(30)

    again = Explorer(provider, **page.address)
    assert again.has_button("live_stop")
    gate.open.set()

    assert LONG in [element.value for element in again.wait().at.text]


def test_another_conversation_can_be_looked_at_during_a_run() -> None:
    gate, provider = held_up()
    page = Explorer(provider).load().send()
    first = page.address["c"]
    assert gate.reached.wait(30)

    page.click("live_new")
    assert page.address["c"] != first
    assert page.at.chat_input[0].disabled
    gate.open.set()
    page.wait().click(f"live_open_{first}")

    assert LONG in [element.value for element in page.at.text]


def test_whoever_waits_in_line_is_told_the_place() -> None:
    gate, provider = held_up()
    runs = state.process().runs
    others = [Gate() for _ in range(8)]
    for number, other in enumerate(others):
        runs.start(f"other {number}", "c", "hello", lambda stopped, other=other: held(other))
    page = Explorer(provider).load().send()

    assert "Waiting in line, place 1" in page.shown()
    for other in others:
        other.open.set()
    gate.open.set()
    assert page.wait().events(TurnEnded)[0].status == "answered"


def held(gate: Gate) -> list[int]:
    gate.sleep(0)
    return []


# Sessions


def test_a_reload_finds_catalog_conversation_and_settings() -> None:
    page = Explorer(ScriptedProvider(one_search())).load().ask()
    page.choose("max_results", 3, page.at.number_input)

    again = Explorer(**page.address)

    assert "Mina is." in [element.value for element in again.at.text]
    assert len(again.workspace.catalog) == len(page.workspace.catalog)
    assert again.at.number_input(key="choice_max_results").value == 3


def test_another_browser_sees_nothing_of_it() -> None:
    page = Explorer(ScriptedProvider(one_search())).load().ask()
    other = Explorer()

    assert other.address["w"] != page.address["w"]
    assert QUESTION not in other.shown()
    assert len(other.workspace.catalog) == 0


def test_a_conversation_of_somebody_else_is_not_found_by_its_id() -> None:
    page = Explorer(ScriptedProvider(one_search())).load().ask()
    other = Explorer(c=page.address["c"])

    assert other.address["c"] != page.address["c"]
    assert other.events() == []


def test_an_address_that_is_no_more_begins_anew_and_says_so() -> None:
    page = Explorer(w="gone", c="gone")

    assert page.address["w"] != "gone"
    assert "no longer there" in page.shown()


def test_reset_begins_anew_and_keeps_language_and_nothing_else() -> None:
    page = Explorer(ScriptedProvider(one_search()), lang="ko").load().ask()
    before = dict(page.address)

    page.click("frame_reset")

    assert page.address["w"] != before["w"]
    assert page.address["lang"] == "ko"
    assert state.process().workspaces.find(before["w"]) is None
    assert len(page.workspace.catalog) == 0


# Accumulation, eviction, the clock


def test_without_accumulation_earlier_finds_are_dropped() -> None:
    script = [*one_search(), *one_search("vacation days left", answer="Twelve.")]
    page = Explorer(ScriptedProvider(script)).load().ask()
    page.choose("accumulate", False, page.at.toggle).ask("How many vacation days do I have?")

    assert page.events(ToolsDropped)[0].reason == "accumulation_off"
    assert "left the request" in page.shown()


def test_an_index_is_evicted_by_hand_and_built_again_when_asked() -> None:
    script = [*one_search(), *one_search(answer="Still Mina.")]
    page = Explorer(ScriptedProvider(script)).load().ask()

    page.click(f"live_evict_{page.address['c']}")
    assert page.events(IndexEvicted)[0].reason == "explicit"
    assert [element.value for element in page.at.warning if "was evicted" in element.value]

    page.ask("And now?")
    assert [ready.reindexed for ready in page.events(IndexReady)] == [False, True]
    assert [element.value for element in page.at.warning] == []
    assert "Re-indexed" in page.shown()


def test_idle_time_by_the_demo_clock_evicts() -> None:
    page = Explorer(ScriptedProvider(one_search())).load()
    page.choose("strategy", "ttl", page.at.selectbox)
    page.choose("ttl_minutes", 45.0, page.at.number_input).ask()

    page.click("live_clock")
    assert page.events(IndexEvicted) == []
    page.click("live_clock")

    assert page.events(IndexEvicted)[0].reason == "ttl"
    assert page.events(IndexEvicted)[0].idle_s >= 3600


# Settings and keys


def test_a_refused_setting_is_told_at_its_widget_and_changes_nothing() -> None:
    page = Explorer().load()
    page.choose("model_kind", "claude", page.at.get_by_key)
    page.choose("base_url", "http://host:port", page.at.text_input)
    assert "base_url" in page.shown()
    page.choose("base_url", "ftp://example.invalid", page.at.text_input)

    assert page.workspace.settings.base_url == ""
    assert "base_url" in page.shown()
    assert page.at.text_input(key="choice_base_url").value == "ftp://example.invalid"

    page.choose("base_url", "http://localhost:1", page.at.text_input)
    assert page.workspace.settings.base_url == "http://localhost:1"
    assert list(page.at.error) == []


def test_the_number_of_results_is_left_to_the_model_until_somebody_sets_it() -> None:
    page = Explorer().load()
    field = page.at.number_input(key="choice_max_results")
    assert (field.value, field.proto.placeholder) == (None, "The model decides")

    page.choose("max_results", 3, page.at.number_input)
    assert page.workspace.settings.options.max_results == 3
    page.choose("max_results", None, page.at.number_input)
    assert page.workspace.settings.options.max_results is None


@pytest.mark.parametrize(("results", "left"), [(None, None), (1, 1), (4, 2)])
def test_a_lower_cap_takes_a_set_number_of_results_along(
    results: int | None, left: int | None
) -> None:
    page = Explorer().load()
    page.choose("max_results", results, page.at.number_input)
    page.choose("max_results_cap", 2, page.at.number_input)

    options = page.workspace.settings.options
    assert (options.max_results, options.max_results_cap) == (left, 2)
    assert ("Results per search are now 2" in page.shown()) == (results != left)


def test_the_bounds_of_a_turn_are_set_in_the_panel() -> None:
    page = Explorer().load()
    for choice, value in (("search_from_tools", 40), ("calls_per_turn", 9), ("calls_per_tool", 4)):
        page.choose(choice, value, page.at.number_input)
    page.choose("at_call_limit", "answer", page.at.get_by_key)

    options = page.workspace.settings.options
    assert (options.search_from_tools, options.calls_per_turn) == (40, 9)
    assert (options.calls_per_tool, options.at_call_limit) == (4, "answer")


def test_an_own_text_explains_the_search_tool_until_it_is_cleared() -> None:
    page = Explorer().load()
    field = page.at.text_area(key="choice_system_suffix")
    assert field.value == ""
    assert field.proto.placeholder == prompt("system_suffix")

    page.choose("system_suffix", "Search first.", page.at.text_area)
    assert page.workspace.settings.options.system_suffix == "Search first."
    page.choose("system_suffix", " \n ", page.at.text_area)
    assert page.workspace.settings.options.system_suffix is None
    assert page.at.text_area(key="choice_system_suffix").value == ""


def test_the_threshold_is_off_until_somebody_sets_it() -> None:
    page = Explorer().load()
    assert page.workspace.settings.options.threshold is None
    page.at.toggle(key="choice_threshold_on_False").set_value(True)
    page.run()
    assert page.workspace.settings.options.threshold == pytest.approx(0.3)
    page.choose("threshold", 0.55, page.at.slider)
    assert page.workspace.settings.options.threshold == pytest.approx(0.55)
    page.at.toggle(key="choice_threshold_on_True").set_value(False)
    page.run()
    assert page.workspace.settings.options.threshold is None


def test_a_pasted_key_is_in_the_browser_session_and_nowhere_else() -> None:
    key = "sk-secret-0123456789"
    page = Explorer(ScriptedProvider(one_search())).load()
    page.choose("model_kind", "claude", page.at.get_by_key)
    page.at.text_input(key="key_field").set_value(key)
    page.run().ask()

    assert not page.at.warning
    assert key not in str(page.address)
    assert key not in repr(page.workspace.settings)
    assert key not in repr(page.conversation.entries)
    assert key not in page.shown()


# What the model saw


def test_the_raw_request_of_any_call_can_be_opened() -> None:
    page = Explorer(ScriptedProvider(one_search())).load().ask()
    raw = [key for key in keys(page) if key.startswith("raw_")]
    assert len(raw) == 3

    page.click(raw[1])

    (dialog,) = page.at.get("dialog")
    assert "turn 1, call 2" in dialog.proto.dialog.title
    body = json.loads(dialog.get("json")[0].value)
    sent = dialog.get("dataframe")[0].value
    assert list(sent["tool"]) == [tool["name"] for tool in body["tools"]]
    assert list(sent["tool"][sent["called"] != ""]) == ["override_on_call"]

    page.click("live_raw_latest")
    assert "turn 1, call 3" in page.at.get("dialog")[0].proto.dialog.title


def test_every_choice_of_the_core_has_its_words() -> None:
    assert steps.OUTCOME_TEXT.keys() == set(get_args(CallOutcome))
    assert steps.SIGNAL_TEXT.keys() == set(get_args(get_type_hints(MatchReason)["signal"]))
    assert chat.STATUS_TEXT.keys() == set(get_args(TurnStatus))
    assert raw_request.REASON_TEXT.keys() == set(get_args(InjectionReason))
    assert options_panel.INDEX_TEXT.keys() == set(INDEX_KINDS)
    assert options_panel.DISCLOSURE_TEXT.keys() == set(DISCLOSURES)
    assert options_panel.AT_CALL_LIMIT_TEXT.keys() == set(AT_CALL_LIMIT)
    assert options_panel.STRATEGY_TEXT.keys() == set(STRATEGY_KINDS)
    assert options_panel.ENCODER_TEXT.keys() == set(ENCODER_NAMES)
    assert model_panel.KIND_TEXT.keys() == set(MODEL_KINDS)


# Honest numbers

TINY = b"""
{"tools": [{"name": "tiny_tool", "description": "A tiny tool", "inputSchema": {"type": "object"}}]}
"""


def tiny() -> Explorer:
    return Explorer(ScriptedProvider(one_search("tiny", tool="tiny_tool"))).put(TINY, "tiny.json")


def test_where_searching_costs_more_the_page_says_so() -> None:
    page = tiny()
    assert list(page.at.warning) == []

    page.ask()

    assert [element.value for element in page.at.warning if "costs more" in element.value]


ADVICE = "about 10 tools or 10,000 tokens"


def test_a_small_catalog_has_the_advice_to_send_it_whole() -> None:
    page = tiny()
    (advice,) = [element.value for element in page.at.sidebar.caption if "small" in element.value]
    assert "tools: 1" in advice.replace("\\", "")
    assert ADVICE in page.shown()

    page.choose("disclosure", "all_up_front", page.at.get_by_key)
    assert ADVICE not in page.shown()


def test_a_larger_catalog_has_the_advice_to_search_it() -> None:
    page = Explorer().load("everyday.json")
    assert ADVICE not in page.shown()

    page.choose("disclosure", "all_up_front", page.at.get_by_key)
    assert ADVICE in page.shown()
    assert "tools: 28" in page.shown()


# What a turn tells of itself


def test_what_a_person_should_know_of_a_turn_is_told_as_plain_text() -> None:
    page = Explorer(ScriptedProvider(one_search())).load().ask()
    started, ended = page.events(TurnStarted)[0], page.events(TurnEnded)[0]
    told = notice("search.no_match", query="![x](https://example.invalid) <b>bold</b>")
    page.conversation.record(replace(started, turn=2, notices=(told,)))
    page.conversation.record(replace(ended, turn=2))
    page.run()

    (note,) = [element.value for element in page.at.caption if "example" in element.value]
    assert "![" not in note
    assert "<b>" not in note
    assert told.text in page.shown().replace("\u2060", "")


@pytest.mark.parametrize(
    ("language", "outcome", "status"),
    [
        ("en", "past the limit of calls, not run", "Call limit"),
        ("ko", "호출 한도를 넘어 실행 안 함", "호출 한도"),
    ],
)
def test_a_turn_that_passed_a_limit_of_calls_says_so(
    language: str, outcome: str, status: str
) -> None:
    page = Explorer(ScriptedProvider(one_search()), lang=language).load().ask()
    (called,) = page.events(ToolCalled)
    started, ended = page.events(TurnStarted)[0], page.events(TurnEnded)[0]
    for event in (
        replace(started, turn=2),
        replace(called, outcome="over_limit"),
        replace(ended, turn=2, status="call_limit", answer=""),
    ):
        page.conversation.record(event)
    page.run()

    assert outcome in page.shown()
    assert f"front_hand: {status}" in page.shown()
    assert page.has_button(f"live_again_{page.address['c']}_2")


def test_an_answer_that_a_tool_gave_itself_is_marked_as_such() -> None:
    page = Explorer(ScriptedProvider(one_search())).load().ask()
    direct = "result of the tool itself"
    assert direct not in page.shown()
    (called,) = page.events(ToolCalled)
    started, ended = page.events(TurnStarted)[0], page.events(TurnEnded)[0]
    result = "![x](https://example.invalid) and **loud**"
    for event in (
        replace(started, turn=2),
        page.events(RequestPrepared)[0],
        page.events(ResponseReceived)[0],
        replace(called, result=result),
        replace(ended, turn=2, answer=result),
    ):
        page.conversation.record(event)
    page.run()

    assert result in [element.value for element in page.at.text]
    assert direct in page.shown()

    as_data = '{"days": 12}'
    page.conversation.record(replace(started, turn=3))
    page.conversation.record(replace(called, result=as_data))
    page.conversation.record(replace(ended, turn=3, answer=as_data))
    page.run()
    assert page.shown().count(direct) == 2
    assert as_data not in [element.value for element in page.at.text]
    assert [element.value for element in page.at.code].count(as_data) >= 1


# Configured settings


def test_a_new_workspace_begins_with_the_configured_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOOLSEARCH_SEARCH_MAX_RESULTS", "4")
    monkeypatch.setenv("TOOLSEARCH_EVICTION_TTL", "2s")
    monkeypatch.setenv("TOOLSEARCH_EVICTION_LRU_MAX_SESSIONS", "5000000")
    page = Explorer().load()

    assert page.at.number_input(key="choice_max_results").value == 4
    assert page.at.number_input(key="choice_ttl_minutes").value == pytest.approx(2 / 60)
    assert page.at.number_input(key="choice_max_sessions").value == 5_000_000
    page.choose("max_results", None, page.at.number_input)
    page.click("frame_reset")
    assert page.workspace.settings.options.max_results == 4


@pytest.mark.parametrize(
    ("language", "defaults"), [("en", "the defaults hold"), ("ko", "기본값으로 시작합니다")]
)
def test_a_configuration_that_is_refused_is_told_once_and_the_defaults_hold(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str, defaults: str
) -> None:
    file = tmp_path / "toolsearch.toml"
    file.write_text("[search]\nmax_results = 900\n", encoding="utf-8")
    monkeypatch.setenv("TOOLSEARCH_CONFIG", str(file))

    page = Explorer(lang=language)

    (told,) = page.at.error
    assert defaults in told.value
    for part in ("search.max_results", "900", "toolsearch.toml"):
        assert part in page.shown().replace("\u2060", "")
    assert page.workspace.settings == Settings()
    assert not page.load().at.error


def keys(page: Explorer) -> list[str]:
    return [button.key for button in page.at.button if button.key]
