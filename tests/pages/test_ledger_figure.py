"""The ledger figure, on its JSON: what is drawn, in which order, and what it says about itself."""

import json

import pytest

from pages._shared import state as app_state
from pages._shared.live.ledger_columns import GAP, columns, gaps
from pages._shared.live.ledger_figure import NARROW, ledger_alt, ledger_figure, ledger_rows
from pages._shared.visual_language import LOOKS, PARTS
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
from toolsearch_core.events import Event
from toolsearch_core.trace.ledger import Ledger, ledger

SECOND_TURN = (
    asked(2, accumulate=False),
    request(1, ("track_parcel", 300, "accumulated"), ("return_parcel", 400, "accumulated")),
    answered(1, search_round=True),
    dropped("track_parcel", "return_parcel", tokens=700),
    request(2, ("read_clock", 100, "discovered"), ("exchange_money", 150, "pinned")),
    answered(2),
    ended(2),
)
LEGEND = [
    "Every tool up front",
    "System prompt",
    "Search tool",
    "Pinned",
    "Accumulated",
    "Newly injected",
    "Messages",
    "Dropped",
    "Index evicted",
]


def drawn(book: Ledger, by: str = "calls", **options: bool) -> dict:
    return json.loads(ledger_figure(book, by=by, **options).to_json())


def trace(figure: dict, name: str) -> dict:
    return next(item for item in figure["data"] if item.get("name") == name)


def shown_names(figure: dict) -> list[str]:
    return [item["name"] for item in figure["data"] if item.get("showlegend", True)]


def text_above(figure: dict) -> list[list[str]]:
    return [item["text"] for item in figure["data"] if item.get("showlegend") is False]


def book(*events: Event) -> Ledger:
    return ledger(entries(*events))


def long_book(turns: int, *, evict: tuple[int, ...] = (), calls: int = 4) -> Ledger:
    events: list[Event] = []
    for turn in range(1, turns + 1):
        if turn in evict:
            events.append(evicted("track_parcel", reason="ttl"))
        events += [asked(turn), ready(reindexed=turn in evict)]
        for call in range(1, calls + 1):
            events += [request(call, ("track_parcel", 300, "discovered")), answered(call)]
        events.append(ended(turn))
    return book(*events)


def test_the_parts_of_a_request_stand_on_each_other_in_the_order_they_are_sent():
    figure = drawn(book(*FOUND_PARCEL, *SECOND_TURN))
    bars = [trace(figure, name) for name in LEGEND[1:7]]

    assert [bar["base"][-1] for bar in bars] == [0, 50, 250, 400, 400, 500]
    assert [bar["y"][-1] for bar in bars] == [50, 200, 150, None, 100, 100]
    assert trace(figure, "Accumulated")["y"] == [None, None, None, 700, None]


def test_behind_each_bar_stands_what_every_tool_up_front_would_have_cost():
    figure = drawn(book(*FOUND_PARCEL))
    ghost = figure["data"][0]

    assert (ghost["name"], ghost["y"]) == ("Every tool up front", [4120] * 3)
    assert ghost["width"] > trace(figure, "Messages")["width"]
    assert ghost["marker"]["line"]["color"] == LOOKS["deferred"].color


def test_what_was_dropped_is_hatched_on_top_of_the_bar_it_left():
    bar = trace(drawn(book(*FOUND_PARCEL, *SECOND_TURN)), "Dropped")

    assert bar["y"] == [None, None, None, None, 700]
    assert bar["base"][-1] == 600
    assert bar["marker"]["pattern"]["shape"] == "/"
    assert bar["marker"]["pattern"]["fgcolor"] == LOOKS["dropped"].color


def test_an_evicted_index_parts_the_bars_by_a_gap_with_its_reason():
    figure = drawn(book(*FOUND_PARCEL, evicted("track_parcel", reason="ttl"), *SECOND_TURN))
    band = trace(figure, "Index evicted")
    places = trace(figure, "Messages")["x"]

    assert places == [0, 1, 2, 3 + GAP, 4 + GAP]
    assert band["x"] == [pytest.approx(2.5 + GAP / 2)]
    assert band["text"] == ["idle for too long"]
    assert [note["text"] for note in figure["layout"]["annotations"]] == ["▩ idle for too long"]


def test_an_index_evicted_before_the_first_and_after_the_last_request_is_shown_at_the_ends():
    figure = drawn(book(evicted(reason="lru"), *FOUND_PARCEL, evicted(reason="explicit")))

    assert trace(figure, "Index evicted")["x"] == [
        pytest.approx(-0.5 + GAP / 2),
        pytest.approx(2.5 + GAP * 1.5),
    ]
    assert figure["layout"]["xaxis"]["range"][1] > 2.5 + GAP * 1.5


@pytest.mark.parametrize("by", ["calls", "turns"])
@pytest.mark.parametrize(
    "story", [(), FOUND_PARCEL[:3], FOUND_PARCEL, (*FOUND_PARCEL, *SECOND_TURN)]
)
def test_legend_height_and_start_of_the_axis_never_change(by, story):
    figure = drawn(book(*story), by)

    assert shown_names(figure) == LEGEND
    assert figure["layout"]["yaxis"]["range"][0] == 0
    assert figure["layout"]["height"] == drawn(book(), by)["layout"]["height"]


def test_a_turn_is_the_sum_of_its_requests_before_the_baseline_without_search_rounds():
    figure = drawn(book(*FOUND_PARCEL, *SECOND_TURN), "turns")

    assert trace(figure, "System prompt")["y"] == [150, 100]
    assert trace(figure, "Newly injected")["y"] == [1400, 100]
    assert figure["data"][0]["y"] == [8160, 4080]
    assert figure["layout"]["xaxis"]["ticktext"] == ["turn 1", "turn 2"]
    assert "without search rounds" in figure["layout"]["title"]["subtitle"]["text"]


def test_an_eviction_between_turns_stands_between_their_bars():
    story = book(*FOUND_PARCEL, evicted(reason="explicit"), *SECOND_TURN)

    assert [column.x for column in columns(story, "turns")] == [0, 1 + GAP]
    assert [gap.x for gap in gaps(story, "turns")] == [pytest.approx(0.5 + GAP / 2)]


def test_numbers_stand_above_the_bars_and_searches_have_their_mark():
    totals, ghosts = text_above(drawn(book(*FOUND_PARCEL)))

    assert totals == ["◎<br>350", "1.1k", "1.1k"]
    assert ghosts == ["4.1k"] * 3


def test_two_bars_about_equally_high_have_one_number():
    everything = request(1, ("a", EVERYTHING, "all_up_front"), searches=False)
    figure = drawn(ledger(entries(asked(1), everything, answered(1), ended(1))))

    above, behind = text_above(figure)
    assert len(above) == 1
    assert behind == []


def test_beyond_25_calls_only_turns_are_named_and_only_their_last_call_has_a_number():
    figure = drawn(long_book(9))
    totals, ghosts = text_above(figure)

    assert len(figure["data"][0]["x"]) == 36
    assert figure["layout"]["xaxis"]["ticktext"] == [f"turn {n}" for n in range(1, 10)]
    assert figure["layout"]["xaxis"]["tickvals"] == [4 * n for n in range(9)]
    assert len(totals) == 9
    assert len(ghosts) == 1


def test_up_to_16_calls_are_numbered_and_up_to_20_are_named():
    numbered, named = drawn(long_book(4)), drawn(long_book(5))

    assert len(text_above(numbered)[0]) == 16
    assert named["layout"]["xaxis"]["ticktext"][:5] == ["1.1", "1.2", "1.3", "1.4", "2.1"]
    assert len(text_above(named)[0]) == 5  # the last call of each turn


def test_beside_the_chat_numbers_and_names_stay_apart_in_a_long_conversation():
    figure = json.loads(ledger_figure(long_book(30), by="turns", room=NARROW).to_json())

    assert len(text_above(figure)[0]) <= NARROW.few
    assert len(figure["layout"]["xaxis"]["ticktext"]) <= NARROW.few
    assert figure["layout"]["xaxis"]["ticktext"][-1] == "30"


def test_notes_of_evictions_lie_within_the_figure_each_on_a_line_of_its_own():
    figure = drawn(long_book(6, evict=(2, 5), calls=2))
    first, last = figure["layout"]["annotations"]

    assert (first["xanchor"], last["xanchor"]) == ("left", "right")
    assert last["yshift"] > first["yshift"]


def test_many_evictions_leave_their_reasons_to_the_table():
    figure = drawn(long_book(8, evict=(2, 3, 4, 5, 6), calls=2))

    assert len(trace(figure, "Index evicted")["x"]) == 5
    assert "annotations" not in figure["layout"]


def test_the_figure_says_itself_that_it_is_estimated_and_simulated():
    def said(*events: Event) -> str:
        return drawn(book(*events))["layout"]["title"]["subtitle"]["text"].split("<br>")[1]

    real = (asked(2, simulated=False), request(1), answered(1), ended(2))

    assert said(*FOUND_PARCEL) == "Estimated counts · simulated model"
    assert said(*FOUND_PARCEL, *real) == "Estimated counts · simulated model in part"
    assert said(*real) == "Estimated counts"


def test_reported_counts_are_told_from_estimated_ones():
    estimated = drawn(book(*FOUND_PARCEL))
    reported = drawn(
        book(asked(1), request(1), answered(1, source="reported"), request(2), answered(2))
    )

    assert "Reported" not in shown_names(estimated)
    assert shown_names(reported) == [*LEGEND, "Reported"]
    assert trace(reported, "Reported")["y"] == [333]


def test_backgrounds_are_clear_so_that_the_page_shows_in_light_and_dark():
    layout = drawn(book(*FOUND_PARCEL))["layout"]

    assert layout["paper_bgcolor"] == layout["plot_bgcolor"] == "rgba(0,0,0,0)"


def test_on_a_projector_all_type_is_set_larger():
    layout = drawn(book(*FOUND_PARCEL), projector=True)["layout"]

    assert layout["font"]["size"] == 20
    assert layout["legend"]["font"]["size"] >= 19
    assert layout["xaxis"]["tickfont"]["size"] >= 19
    assert layout["yaxis"]["tickfont"]["size"] >= 19
    assert layout["title"]["subtitle"]["font"]["size"] >= 19


def test_zooming_in_lets_the_bars_behind_run_out_at_the_top_with_their_number():
    near = drawn(book(*FOUND_PARCEL), zoom=True)
    top = near["layout"]["yaxis"]["range"][1]

    assert 1050 < top < 4120
    assert text_above(near)[1] == ["↑ 4.1k"] * 3
    assert near["data"][0]["y"] == [4120] * 3


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("by", ["calls", "turns"])
def test_the_sentence_for_ears_has_the_numbers(monkeypatch, language, by):
    monkeypatch.setattr(app_state, "language", lambda: language)
    sentence = ledger_alt(book(*FOUND_PARCEL), by=by)
    numbers = {"calls": ["3", "350", "4.1k", "−75 %"], "turns": ["1", "2.5k", "8.2k", "−70 %"]}[by]

    assert [number for number in numbers if number not in sentence] == []


def test_an_empty_ledger_says_that_nothing_was_sent():
    assert ledger_alt(book(), by="calls") == "Nothing was sent yet."
    assert ledger_rows(book(), by="calls") == []


def test_the_table_says_what_the_figure_says():
    story = book(*FOUND_PARCEL, evicted(reason="explicit"), *SECOND_TURN)
    rows = ledger_rows(story, by="calls")

    assert [row["Request"] for row in rows] == [
        "1.1",
        "1.2",
        "1.3",
        "Index evicted: evicted by hand",
        "2.1",
        "2.2",
    ]
    assert rows[-1] == {
        "Request": "2.2",
        "System prompt": 50,
        "Search tool": 200,
        "Pinned": 150,
        "Accumulated": 0,
        "Newly injected": 100,
        "Messages": 100,
        "Total": 600,
        "Every tool up front": 4120,
        "Change": "−85 %",
        "Dropped": 700,
        "Search rounds": 0,
    }


def test_the_parts_of_every_column_add_up_to_what_the_request_was_priced_at():
    story = book(*FOUND_PARCEL, *SECOND_TURN)

    assert [column.total for column in columns(story, "calls")] == [
        call.tokens.total for call in story.calls
    ]
    assert [column.total for column in columns(story, "turns")] == [
        turn.tokens.total for turn in story.turns
    ]
    assert all(set(column.parts) == set(PARTS) for column in columns(story, "calls"))
