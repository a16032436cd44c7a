from dataclasses import replace

import pytest

from tests.trace.story import (
    FOUND_PARCEL,
    NAMES,
    PARCELS,
    asked,
    called,
    dropped,
    ended,
    entries,
    evicted,
    ready,
    request,
    searched,
)
from toolsearch_core.events import Event
from toolsearch_core.tools import Catalog
from toolsearch_core.trace.board import BOARD_REASONS, BoardRow, IndexState, board, index_state

TRACK = ("track_parcel", 300, "discovered")


def rows(*events: Event, catalog: Catalog = PARCELS) -> dict[str, BoardRow]:
    return {row.name: row for row in board(entries(*events), catalog)}


def told(row: BoardRow) -> tuple[str, str, int, int]:
    return row.state, row.reason, row.turn, row.seq


def test_before_the_first_question_every_tool_is_deferred():
    assert [(row.name, told(row)) for row in board((), PARCELS)] == [
        (name, ("deferred", "never_searched", 0, -1)) for name in NAMES
    ]


def test_a_turn_that_searches_calls_and_answers():
    after = rows(*FOUND_PARCEL)

    assert {name: told(row) for name, row in after.items()} == {
        "track_parcel": ("injected", "found_now", 1, 5),
        "return_parcel": ("injected", "found_now", 1, 5),
        "read_clock": ("deferred", "never_searched", 0, -1),
        "exchange_money": ("deferred", "never_searched", 0, -1),
    }
    assert after["track_parcel"] == BoardRow(
        name="track_parcel",
        server="post",
        state="injected",
        reason="found_now",
        turn=1,
        seq=5,
        query="where is my parcel",
        score=0.9,
        calls=1,
        called_in_turn=True,
        tokens=300,
    )


def test_between_the_search_and_the_request_the_hits_are_discovered():
    after = rows(*FOUND_PARCEL[:5])

    assert told(after["track_parcel"]) == ("discovered", "found", 1, 4)
    assert after["track_parcel"].tokens == 0


def test_the_next_turn_keeps_what_was_found_and_its_calls_are_not_of_this_turn():
    after = rows(*FOUND_PARCEL, asked(2), request(1, ("track_parcel", 300, "accumulated")))

    assert told(after["track_parcel"]) == ("accumulated", "kept", 2, 12)
    assert (after["track_parcel"].calls, after["track_parcel"].called_in_turn) == (1, False)


def test_a_search_that_names_a_tool_already_sent_leaves_it_where_it_is():
    after = rows(*FOUND_PARCEL[:6], searched("send it back", return_parcel=0.7))

    assert told(after["return_parcel"]) == ("injected", "found_now", 1, 5)
    assert (after["return_parcel"].query, after["return_parcel"].score) == ("send it back", 0.7)


def test_dropped_tools_are_shown_as_such_until_the_next_question():
    story = (
        *FOUND_PARCEL,
        asked(2, accumulate=False),
        request(1, ("track_parcel", 300, "accumulated"), ("return_parcel", 400, "accumulated")),
        searched("what time is it", read_clock=0.8),
        dropped("track_parcel", "return_parcel", tokens=700),
        request(2, ("read_clock", 100, "discovered")),
        ended(2),
    )

    assert told(rows(*story)["track_parcel"]) == ("dropped", "accumulation_off", 2, 14)
    assert told(rows(*story, asked(3))["track_parcel"]) == ("deferred", "evicted_before", 3, 17)


def test_a_dropped_tool_that_is_found_again_comes_back():
    after = rows(
        *FOUND_PARCEL, asked(2), dropped("track_parcel"), searched("parcel", track_parcel=1)
    )

    assert told(after["track_parcel"]) == ("discovered", "found", 2, 13)


@pytest.mark.parametrize("reason", ["lru", "ttl", "always", "explicit", "catalog_changed"])
def test_an_evicted_index_takes_its_discovered_tools_along(reason):
    after = rows(*FOUND_PARCEL, evicted("track_parcel", "return_parcel", reason=reason))

    assert told(after["track_parcel"]) == ("index_evicted", reason, 1, 11)
    assert told(after["read_clock"]) == ("deferred", "never_searched", 0, -1)


def test_indexing_again_puts_what_was_evicted_back_among_the_deferred():
    after = rows(*FOUND_PARCEL, evicted("track_parcel"), asked(2), ready(reindexed=True))

    assert told(after["track_parcel"]) == ("deferred", "evicted_before", 2, 13)
    assert after["track_parcel"].query == "where is my parcel"


def test_pinned_tools_are_marked_from_the_start_and_stay_injected_when_the_index_goes():
    clock = PARCELS.by_wire_name["read_clock"]
    catalog = Catalog((replace(clock, pinned=True),))
    pinned = ("read_clock", 100, "pinned")

    assert rows(catalog=catalog)["read_clock"].pinned
    after = rows(asked(1), ready(), request(1, pinned), ended(1), evicted(), catalog=catalog)
    assert (after["read_clock"].pinned, told(after["read_clock"])) == (
        True,
        ("injected", "pinned", 1, 2),
    )


def test_a_tool_that_was_unpinned_loses_its_mark():
    after = rows(
        asked(1),
        request(1, ("read_clock", 100, "pinned")),
        asked(2),
        dropped("read_clock", reason="unpinned"),
    )

    assert told(after["read_clock"]) == ("dropped", "unpinned", 2, 3)
    assert not after["read_clock"].pinned


def test_a_discovered_tool_that_the_next_request_leaves_out_is_deferred_again():
    """A turn stopped after its search; accumulation was switched off before the next one."""
    after = rows(
        asked(1),
        ready(),
        request(1),
        searched("parcel", track_parcel=0.9),
        ended(1, "stopped"),
        asked(2, accumulate=False),
        request(1),
    )

    assert told(after["track_parcel"]) == ("deferred", "not_sent", 2, 6)


def test_a_request_without_disclosure_by_search_leaves_nothing_behind_that_it_does_not_carry():
    after = rows(
        asked(1),
        request(1, *[(name, 1000, "all_up_front") for name in NAMES], searches=False),
        asked(2),
        request(1),
    )

    assert told(after["track_parcel"]) == ("deferred", "not_sent", 2, 3)
    assert after["track_parcel"].tokens == 1000


def test_every_outcome_of_a_call_counts_and_unknown_names_are_passed_over():
    after = rows(
        asked(1), called("track_parcel", "not_injected"), called("no_such_tool", "unknown_tool")
    )

    assert (after["track_parcel"].calls, told(after["track_parcel"])[0]) == (1, "deferred")


def test_events_about_tools_that_the_catalog_lost_are_passed_over():
    remaining = Catalog(PARCELS.tools[2:])

    assert set(rows(*FOUND_PARCEL, evicted("track_parcel"), catalog=remaining)) == set(NAMES[2:])


def test_every_reason_that_a_row_can_carry_is_listed():
    seen = {
        row.reason
        for story in (FOUND_PARCEL[:n] for n in range(len(FOUND_PARCEL)))
        for row in rows(*story).values()
    }

    assert seen == {"never_searched", "found", "found_now"}
    assert seen <= set(BOARD_REASONS)
    assert len(set(BOARD_REASONS)) == len(BOARD_REASONS)


# The index


def test_there_is_no_index_before_the_first_question():
    assert index_state(()) == IndexState(state="none")
    assert index_state(entries(asked(1))) == IndexState(state="none")


def test_the_index_is_ready_from_the_moment_it_was_built():
    assert index_state(entries(*FOUND_PARCEL)) == IndexState(state="ready", at_s=1001.0)


def test_an_evicted_index_says_why_when_and_what_it_took_along():
    story = entries(
        *FOUND_PARCEL, evicted("track_parcel", "return_parcel", reason="ttl", idle_s=1860)
    )

    assert index_state(story) == IndexState(
        state="evicted", at_s=1011.0, reason="ttl", idle_s=1860, released=2
    )


def test_an_index_that_was_built_again_is_ready():
    story = entries(*FOUND_PARCEL, evicted("track_parcel"), asked(2), ready(reindexed=True))

    assert index_state(story) == IndexState(state="ready", at_s=1013.0)
