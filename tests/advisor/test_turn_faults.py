"""Stops, failures and abandoned turns: the conversation stays valid whatever happens."""

import threading

import pytest

from tests.advisor.stage import SEARCH, Stage, kinds, only
from toolsearch_core.advisor import AdvisorOptions
from toolsearch_core.errors import SessionError
from toolsearch_core.events import RequestPrepared, TextDelta, ToolCalled, ToolsSearched, TurnEnded
from toolsearch_core.history import problems
from toolsearch_core.messages import Message, ToolUseBlock, user_text
from toolsearch_core.providers.in_process import ServiceError
from toolsearch_core.providers.scripted import call, text

LONG = "This answer comes in several pieces, so that it can be stopped half way through it."


@pytest.mark.parametrize("session_id", ["", "   "])
def test_a_blank_session_id_is_refused_before_anything_happens(session_id):
    stage = Stage(session_id=session_id)
    with pytest.raises(SessionError) as caught:
        stage.ask("hello", [[text("Hi.")]])

    assert caught.value.notice.code == "session.key_missing"
    assert stage.messages == []
    assert stage.provider.requests == []


def test_a_blank_message_is_not_sent():
    stage = Stage()
    with pytest.raises(SessionError) as caught:
        stage.ask("  \n", [])

    assert caught.value.notice.code == "advisor.blank_message"


def test_a_provider_error_ends_the_turn_and_the_next_one_works():
    stage = Stage()
    events = stage.ask("hello", [ServiceError("rate_limit_error", "slow down")])

    assert kinds(events)[-1] == "TurnEnded"
    assert events[-1].status == "failed"
    assert events[-1].problem.code.startswith("provider.")
    assert (events[-1].prompt_tokens, events[-1].baseline_tokens) == (0, 0)
    assert stage.ask("again", [[text("Hi.")]])[-1].status == "answered"


def test_a_fault_in_a_part_ends_the_turn_with_a_reason():
    class Broken:
        def execute(self, tool, arguments):
            raise RuntimeError("wires crossed")

    stage = Stage(options=AdvisorOptions(pinned=("read_clock",)))
    stage.executor = Broken()
    events = stage.ask("x", [[call("read_clock")]])

    assert events[-1].status == "failed"
    assert "wires crossed" in events[-1].problem.text
    assert stage.ask("again", [[text("Hi.")]])[-1].status == "answered"


def test_a_stop_keeps_the_partial_answer():
    stage = Stage()
    stage.provider.add([text(LONG)])
    seen = []
    run = stage.run(
        "x",
        stopped=lambda: sum(isinstance(event, TextDelta) for event in seen) >= 2,
    )
    for event in run:
        seen.append(event)

    end = only(seen, TurnEnded)[0]
    assert end.status == "stopped"
    assert 0 < len(end.answer) < len(LONG)
    assert LONG.startswith(end.answer)
    assert stage.messages[-1] == Message("assistant", stage.messages[-1].content)
    assert stage.messages[-1].text == end.answer
    sent = only(seen, RequestPrepared)[0]
    assert (end.prompt_tokens, end.source) == (sent.tokens.total, "estimated")
    assert end.baseline_tokens == sent.conversation_baseline.total


def test_a_stop_does_not_wait_for_a_model_that_is_silent():
    asked, let_go = threading.Event(), threading.Event()

    class Silent:
        model, simulated = "silent", True

        def stream(self, request):
            yield "Let me"
            asked.set()
            assert let_go.wait(30)
            yield " think."

        def count_tokens(self, request):
            return 1

    stage = Stage()
    stage.provider = Silent()
    run = stage.run("x", stopped=asked.is_set)
    end = list(run)[-1]
    still_silent = not let_go.is_set()
    let_go.set()

    assert still_silent
    assert (end.status, end.answer) in [("stopped", "Let me"), ("stopped", "")]


def test_a_stop_between_parallel_calls_answers_the_rest_with_not_run():
    stage = Stage()
    stage.provider.add([call(SEARCH, query="parcel"), call(SEARCH, query="time")])
    seen = []
    run = stage.run(
        "x",
        stopped=lambda: bool(only(seen, ToolsSearched)),
    )
    for event in run:
        seen.append(event)

    assert len(only(seen, ToolsSearched)) == 1
    assert [item.outcome for item in only(seen, ToolCalled)] == ["not_run"]
    assert only(seen, TurnEnded)[0].status == "stopped"
    assert problems(stage.messages) == ()


@pytest.mark.parametrize("after", range(1, 14))
def test_a_turn_abandoned_after_any_event_leaves_a_conversation_that_goes_on(after):
    stage = Stage()
    stage.provider.add(
        [text("Let me look."), call(SEARCH, query="where is parcel")],
        [call("track_parcel", number="7")],
        [text("In the depot.")],
    )
    run = stage.run("x")
    for _ in range(after):
        next(run, None)
    run.close()
    open_calls = [
        block
        for message in stage.messages
        for block in message.content
        if isinstance(block, ToolUseBlock)
    ]

    assert stage.messages[0] == user_text("x")
    assert problems(stage.messages) == () or not open_calls
    stage.provider = type(stage.provider)()
    assert stage.ask("go on", [[text("ok")]])[-1].status == "answered"


def test_a_session_in_flight_is_not_evicted_under_the_turn():
    stage = Stage()
    stage.provider.add([call(SEARCH, query="where is parcel")], [text("found")])
    run = stage.run("x")
    for event in run:
        if isinstance(event, ToolsSearched):
            stage.sessions.evict(stage.session_id)

    assert "track_parcel" in stage.sent_names()


def test_two_questions_in_a_row_without_an_answer_between_are_still_valid():
    stage = Stage()
    stage.ask("one", [ServiceError("overloaded_error", "busy")])
    stage.ask("two", [[text("ok")]])

    roles = [message["role"] for message in stage.provider.requests[-1]["messages"]]
    assert roles == ["user"]


def test_turns_are_counted_over_the_history_and_over_the_session():
    stage = Stage()
    first = stage.ask("one", [[text("ok")]])
    second = stage.ask("two", [[text("ok")]])
    stage.messages.clear()
    third = stage.ask("three", [[text("ok")]])

    assert [turn[0].turn for turn in (first, second, third)] == [1, 2, 3]
    assert third[-1].turn == 3
