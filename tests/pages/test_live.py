"""The Live page, through the app: what a person does, and what is there then."""

import itertools
import json
from collections.abc import Generator
from dataclasses import replace
from typing import get_args, get_type_hints

import pytest

from pages._shared import state
from pages._shared.live import chat, model_panel, options_panel, raw_request, steps
from pages._shared.plain_text import escaped
from pages._shared.samples import samples
from tests.pages.explorer import QUESTION, Explorer, Gate, one_search, tiny
from toolsearch_core.embeddings import ENCODER_NAMES
from toolsearch_core.events import (
    DISCLOSURES,
    CallOutcome,
    IndexEvicted,
    IndexReady,
    InjectionReason,
    ToolsDropped,
    TurnEnded,
    TurnStarted,
    TurnStatus,
)
from toolsearch_core.eviction import STRATEGY_KINDS
from toolsearch_core.messages import ModelRequest, ModelResponse
from toolsearch_core.options import AT_CALL_LIMIT
from toolsearch_core.providers.scripted import Reply, ScriptedProvider, call, text
from toolsearch_core.search_types import INDEX_KINDS, MatchReason
from toolsearch_core.settings import MODEL_KINDS

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


def test_where_searching_costs_more_the_page_says_so() -> None:
    page = tiny()
    assert list(page.at.warning) == []

    page.ask()

    assert [element.value for element in page.at.warning if "costs more" in element.value]


def keys(page: Explorer) -> list[str]:
    return [button.key for button in page.at.button if button.key]
