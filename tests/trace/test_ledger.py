import pytest

from tests.trace.story import (
    EVERYTHING,
    FOUND_PARCEL,
    answered,
    asked,
    dropped,
    ended,
    entries,
    evicted,
    ready,
    request,
)
from toolsearch_core.trace.ledger import EvictionMark, Ledger, add, ledger, saved_share
from toolsearch_core.usage import RequestTokens, Usage


def test_an_empty_trace_has_an_empty_ledger():
    assert ledger(()) == Ledger(calls=(), turns=())
    assert (ledger(()).saved, ledger(()).prompt_tokens) == (0.0, 0)


def test_each_request_is_a_row_with_its_parts_and_its_answer():
    calls = ledger(entries(*FOUND_PARCEL)).calls

    assert [(row.turn, row.call, row.seq) for row in calls] == [(1, 1, 2), (1, 2, 5), (1, 3, 8)]
    assert [row.tokens.definitions for row in calls] == [0, 700, 700]
    assert [row.tokens.total for row in calls] == [350, 1050, 1050]
    assert [row.baseline.total for row in calls] == [EVERYTHING + 120] * 3
    assert [row.search_round for row in calls] == [True, False, False]
    assert {row.usage for row in calls} == {Usage(input_tokens=333, output_tokens=10)}
    assert [tool.name for tool in calls[1].injected][1:] == ["track_parcel", "return_parcel"]
    assert all(row.simulated for row in calls)


def test_a_request_without_its_answer_has_no_usage_and_is_no_search_round():
    row = ledger(entries(asked(1), request(1))).calls[0]

    assert (row.usage, row.search_round) == (None, False)


def test_what_was_dropped_stands_at_the_request_that_left_it_out():
    story = entries(
        *FOUND_PARCEL,
        asked(2, accumulate=False),
        dropped("track_parcel", tokens=300),
        dropped("read_clock", reason="unpinned", tokens=100),
        request(1),
        answered(1),
        request(2),
    )
    book = ledger(story)

    assert [(row.dropped, row.dropped_tokens) for row in book.calls] == [
        ((), 0),
        ((), 0),
        ((), 0),
        (("track_parcel", "read_clock"), 400),
        ((), 0),
    ]
    assert [turn.dropped_tokens for turn in book.turns] == [0, 400]


def test_a_turn_sums_its_requests_and_leaves_search_rounds_out_of_its_baseline():
    turn = ledger(entries(*FOUND_PARCEL)).turns[0]

    assert turn.calls == 3
    assert turn.tokens == RequestTokens(system=150, search_tool=600, definitions=1400, messages=300)
    assert turn.baseline == RequestTokens(system=40, definitions=2 * EVERYTHING, messages=120)
    assert (turn.output_tokens, turn.status, turn.text) == (30, "answered", "question 1")
    assert turn.saved == pytest.approx(1 - 2450 / 8160)


def test_a_turn_that_only_searched_would_have_needed_one_request_all_the_same():
    story = entries(
        asked(1),
        request(1),
        answered(1, search_round=True),
        request(2),
        answered(2, search_round=True),
        ended(1, "iteration_limit"),
    )

    assert ledger(story).turns[0].baseline.total == EVERYTHING + 80


def test_a_request_that_failed_counts_on_neither_side():
    answered_first = ledger(
        entries(asked(1), request(1), answered(1), request(2), ended(1, "failed"))
    ).turns[0]
    never_answered = ledger(entries(asked(1), request(1), ended(1, "failed"))).turns[0]

    assert (
        answered_first.tokens == ledger(entries(asked(1), request(1), answered(1))).turns[0].tokens
    )
    assert answered_first.baseline.total == EVERYTHING + 80
    assert (never_answered.tokens.total, never_answered.baseline.total) == (0, 0)


def test_a_request_that_was_stopped_counts_on_both_sides():
    stopped = ledger(entries(asked(1), request(1), ended(1, "stopped"))).turns[0]

    assert stopped.tokens.total > 0
    assert stopped.baseline.total == EVERYTHING + 80


def test_a_turn_without_any_request_is_a_row_of_zeros():
    turn = ledger(entries(asked(1), ended(1, "failed"))).turns[0]

    assert (turn.calls, turn.tokens.total, turn.baseline.total, turn.saved) == (0, 0, 0, 0.0)


def test_the_sums_of_a_conversation_hold_only_turns_that_were_answered():
    running = entries(*FOUND_PARCEL, asked(2), request(1))
    book = ledger(running)

    assert [turn.status for turn in book.turns] == ["answered", None]
    assert (book.prompt_tokens, book.baseline_tokens) == (2450, 8160)


def test_a_turn_without_an_answer_claims_no_saving():
    book = ledger(entries(asked(1), request(1), answered(1), request(2), ended(1, "failed")))

    assert (book.prompt_tokens, book.baseline_tokens, book.saved) == (0, 0, 0.0)
    assert [call.call for call in book.counted_calls(book.turns[0])] == [1]


def test_where_search_costs_more_the_saving_is_negative():
    assert saved_share(150, 100) == -0.5
    assert saved_share(10, 0) == 0.0


def test_parts_are_added_one_by_one():
    one = RequestTokens(system=1, search_tool=2, definitions=3, messages=4)

    assert add(one, one) == RequestTokens(system=2, search_tool=4, definitions=6, messages=8)


def test_a_real_model_is_told_from_a_simulated_one():
    story = entries(asked(1), request(1), ended(1), asked(2, simulated=False), request(1), ended(2))

    assert [row.simulated for row in ledger(story).calls] == [True, False]
    assert [row.simulated for row in ledger(story).turns] == [True, False]


def test_evictions_stand_between_the_requests_they_parted():
    story = entries(
        evicted(reason="lru"),
        *FOUND_PARCEL,
        evicted("track_parcel", "return_parcel", reason="ttl"),
        asked(2),
        ready(reindexed=True),
        request(1),
        evicted(),
    )

    assert ledger(story).evictions == (
        EvictionMark(seq=0, calls_before=0, reason="lru", released=0),
        EvictionMark(seq=12, calls_before=3, reason="ttl", released=2),
        EvictionMark(seq=16, calls_before=4, reason="explicit", released=0),
    )
