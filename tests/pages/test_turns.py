"""The trace, folded into what the chat shows."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pages._shared.live.turns import ModelCall, called_names, model_call, turn_views
from tests.trace import story
from toolsearch_core.events import (
    Event,
    IndexEvicted,
    InjectedTool,
    RequestedCall,
    RequestPrepared,
    ResponseReceived,
    TextDelta,
    ToolCalled,
    TraceEntry,
    TurnEnded,
    TurnStarted,
)
from toolsearch_core.trace.ledger import ledger
from toolsearch_core.usage import RequestTokens, Usage


def started(turn: int) -> TurnStarted:
    return TurnStarted(
        turn=turn,
        text=f"question {turn}",
        disclosure="search_and_inject",
        model="scripted",
        simulated=True,
        catalog_fingerprint="",
        tool_count=3,
        accumulate=True,
    )


def request(call: int, *names: str) -> RequestPrepared:
    search = InjectedTool(name="tool_search_tool", tokens=50, reason="search_tool")
    found = [InjectedTool(name=name, tokens=100, reason="discovered") for name in names]
    return RequestPrepared(
        call=call,
        injected=(search, *found),
        tokens=RequestTokens(system=10),
        baseline=RequestTokens(system=1000),
        conversation_baseline=RequestTokens(system=1000),
        body={},
    )


def answer(call: int, *called: str) -> ResponseReceived:
    return ResponseReceived(
        call=call,
        text="",
        calls=tuple(RequestedCall(call_id=name, name=name, arguments={}) for name in called),
        stop_reason="end_turn",
        usage=Usage(input_tokens=1, output_tokens=1),
        duration_s=0.0,
        search_round=False,
    )


def ended(turn: int) -> TurnEnded:
    return TurnEnded(
        turn=turn,
        status="answered",
        answer="the whole answer",
        model_calls=1,
        prompt_tokens=1,
        output_tokens=1,
        baseline_tokens=1,
        source="estimated",
        duration_s=0.0,
    )


def entries(*events: Event) -> Sequence[TraceEntry]:
    turn = 0
    result = []
    for seq, event in enumerate(events):
        turn = event.turn if isinstance(event, TurnStarted) else turn
        result.append(TraceEntry(seq=seq, turn=turn, at_s=float(seq), event=event))
    return result


def test_a_conversation_without_a_turn_shows_nothing() -> None:
    assert turn_views([]) == ()


def test_a_request_and_its_answer_are_one_step() -> None:
    (view,) = turn_views(entries(started(1), request(1), answer(1), ended(1)))

    (step,) = view.steps
    assert isinstance(step, ModelCall)
    assert step.answer == answer(1)
    assert view.ended == ended(1)


def test_only_what_the_request_before_did_not_carry_was_added_also_over_turns() -> None:
    views = turn_views(
        entries(
            started(1),
            request(1),
            request(2, "a", "b"),
            ended(1),
            started(2),
            request(1, "a", "b"),
            request(2, "a", "b", "c"),
        )
    )

    added = [(step.added, step.added_tokens) for view in views for step in view.steps]
    assert added == [(0, 0), (2, 200), (0, 0), (1, 100)]


def test_words_are_shown_while_they_come_and_no_longer_than_that() -> None:
    said = [TextDelta(text="Hel"), TextDelta(text="lo")]

    (going_on,) = turn_views(entries(started(1), request(1), *said))
    (through,) = turn_views(entries(started(1), request(1), *said, answer(1, "a")))

    assert going_on.words == "Hello"
    assert going_on.ended is None
    assert through.words == ""


def test_what_happens_between_turns_stands_after_the_turn() -> None:
    evicted = IndexEvicted(session_id="s", reason="explicit")
    first, second = turn_views(
        entries(started(1), request(1), ended(1), evicted, started(2), evicted)
    )

    assert [entry.event for entry in first.after] == [evicted]
    assert [step.event for step in second.steps if isinstance(step, TraceEntry)] == [evicted]


def test_a_call_is_found_by_the_place_of_its_request() -> None:
    trace = entries(started(1), request(1), answer(1, "tool_search_tool"), request(2, "a"))

    found = model_call(trace, 1)
    assert found is not None
    assert called_names(found) == {"tool_search_tool"}
    assert model_call(trace, 2) is None
    unanswered = model_call(trace, 3)
    assert unanswered is not None
    assert called_names(unanswered) == frozenset()


def called(name: str) -> ToolCalled:
    return ToolCalled(
        call_id=name,
        name=name,
        arguments={},
        outcome="executed",
        result=f"result of {name}",
        simulated=True,
        duration_s=0.0,
    )


def test_a_search_that_was_not_run_is_no_call_of_a_tool() -> None:
    past_the_limit = replace(called("tool_search_tool"), outcome="over_limit")
    (view,) = turn_views(entries(started(1), request(1), called("a"), past_the_limit))

    assert [call.name for call in view.calls] == ["a"]
    assert past_the_limit in [step.event for step in view.steps if isinstance(step, TraceEntry)]


def test_an_answer_is_direct_when_no_model_call_follows_the_calls() -> None:
    direct, ordinary, running = turn_views(
        entries(
            started(1),
            *(request(1), answer(1, "a"), called("a")),
            *(request(2), answer(2, "b", "c"), called("b"), called("c")),
            ended(1),
            started(2),
            *(request(1), answer(1, "a"), called("a"), request(2), answer(2)),
            ended(2),
            started(3),
            *(request(1), answer(1, "a"), called("a")),
        )
    )

    assert [call.name for call in direct.direct] == ["b", "c"]
    assert ordinary.direct == ()
    assert running.direct == ()


@pytest.mark.parametrize("status", ["answered", "stopped", "failed"])
def test_the_tokens_of_a_turn_are_those_of_the_ledger(status: str) -> None:
    told = story.entries(
        story.asked(1),
        story.request(1),
        story.answered(1),
        story.request(2),
        story.ended(1, status),
    )

    assert turn_views(told)[0].prompt_tokens == ledger(told).turns[0].tokens.total
