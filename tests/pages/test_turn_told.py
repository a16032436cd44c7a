"""What a turn tells of itself: its notes, how it ended, and whose words its answer is."""

from dataclasses import replace

import pytest

from tests.pages.explorer import Explorer, one_search
from toolsearch_core.events import (
    RequestPrepared,
    ResponseReceived,
    ToolCalled,
    TurnEnded,
    TurnStarted,
)
from toolsearch_core.notices import notice
from toolsearch_core.providers.scripted import ScriptedProvider


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
