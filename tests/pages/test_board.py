"""The board: what the component is given, its table, and that both hold up to odd catalogs."""

import json
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages._shared import state as app_state
from pages._shared.live import board as board_module
from pages._shared.live.board import board_data, board_rows
from pages._shared.visual_language import LOOKS
from tests.trace.story import (
    FOUND_PARCEL,
    NAMES,
    PARCELS,
    asked,
    dropped,
    entries,
    evicted,
    request,
    searched,
)
from toolsearch_core.events import Event
from toolsearch_core.tools import Catalog, ToolDefinition
from toolsearch_core.trace.board import board, index_state
from toolsearch_core.trace.ledger import ledger

COMPONENT_BYTES = 50_000
FOLDER = Path(board_module.__file__).parent


def data(*events: Event, catalog: Catalog = PARCELS, query: str = "") -> dict:
    trace = entries(*events)
    calls = ledger(trace).calls
    given = board_data(
        board(trace, catalog),
        index_state=index_state(trace),
        latest=calls[-1] if calls else None,
        query=query,
    )
    return json.loads(json.dumps(given))


def test_before_the_first_question_the_window_is_empty_and_says_so():
    given = data()

    assert {tool["state"] for tool in given["tools"]} == {"deferred"}
    assert given["banner"] == {
        "kind": "none",
        "text": "Nothing was asked yet: every tool is deferred.",
    }
    assert (given["window"]["bars"], given["window"]["total"]) == ([], "0")


def test_every_tool_stands_with_its_server_and_state():
    given = data(*FOUND_PARCEL)

    assert [tool["name"] for tool in given["tools"]] == list(NAMES)
    assert [given["servers"][tool["server"]] for tool in given["tools"]] == [
        "post",
        "post",
        "desk",
        "desk",
    ]
    assert [tool["state"] for tool in given["tools"]] == [
        "called",
        "injected",
        "deferred",
        "deferred",
    ]


def test_the_window_holds_the_definitions_in_the_order_sent_with_their_tokens():
    window = data(*FOUND_PARCEL)["window"]

    assert [(bar["name"], bar["tokens"], bar["kind"]) for bar in window["bars"]] == [
        ("tool_search_tool", 200, "search_tool"),
        ("track_parcel", 300, "discovered"),
        ("return_parcel", 400, "discovered"),
    ]
    assert (window["total"], window["rest"]) == ("1,050", "tok of 4,120 with every tool")
    assert sum(part["tokens"] for part in window["parts"]) == window["total_tokens"] == 1050
    assert window["title"] == "Context window · request 1.3"


def test_a_tool_tells_why_it_is_where_it_is():
    given = data(*FOUND_PARCEL)

    assert given["details"]["track_parcel"] == {
        "reason": "found by a search of this turn",
        "query": "where is my parcel",
        "score": "0.90",
        "tokens": "300",
        "turn": "1",
        "calls": "1",
    }
    assert "read_clock" not in given["details"]
    assert given["first_reason"] == "no search has named it yet"


def test_an_evicted_index_is_told_with_its_reason_and_how_many_it_took_along():
    given = data(
        *FOUND_PARCEL, evicted("track_parcel", "return_parcel", reason="ttl", idle_s=1860.0)
    )

    assert given["banner"]["kind"] == "evicted"
    assert "idle for too long (31 min)" in given["banner"]["text"]
    assert "deferred: 2." in given["banner"]["text"]
    assert [tool["state"] for tool in given["tools"]][:2] == ["index_evicted", "index_evicted"]


def test_with_every_tool_up_front_there_is_no_index_and_the_banner_says_why():
    given = data(
        asked(1), request(1, *[(name, 10, "all_up_front") for name in NAMES], searches=False)
    )

    assert given["banner"]["text"] == "No index: every tool is sent up front."
    assert len(given["window"]["bars"]) == 4


def test_dropped_tools_are_dropped_on_the_board():
    given = data(*FOUND_PARCEL, asked(2), dropped("track_parcel", tokens=300))

    assert given["tools"][0]["state"] == "dropped"
    assert given["details"]["track_parcel"]["reason"].startswith("accumulation is off")


def test_the_latest_search_is_shown_on_one_line():
    given = data(query="two\nlines   and\u202e more")

    assert given["query"] == "searched: two lines and more"


@pytest.mark.parametrize("language", ["en", "ko"])
def test_looks_come_with_their_words_in_the_language_of_the_page(monkeypatch, language):
    monkeypatch.setattr(app_state, "language", lambda: language)
    given = data(*FOUND_PARCEL)

    assert list(given["looks"]) == list(LOOKS)
    assert given["looks"]["dropped"]["word"] == {"en": "dropped", "ko": "제외"}[language]
    assert all(given["words"].values())


def test_the_table_says_the_same_with_what_happened_first():
    rows = board_rows(board(entries(*FOUND_PARCEL), PARCELS))

    assert rows[0] == {
        "Tool": "track_parcel",
        "State": "★ called",
        "Server": "post",
        "Why": "found by a search of this turn",
        "Found by the search": "where is my parcel",
        "Score": 0.9,
        "Calls": 1,
        "Tokens": 300,
        "Turn": 1,
    }
    assert [row["Tool"] for row in rows] == list(NAMES)
    assert rows[-1]["State"] == "○ deferred"


def test_a_score_of_nothing_and_of_zero_are_told_apart():
    story = entries(asked(1), request(1), searched("q", read_clock=0.0))
    rows = {row["Tool"]: row for row in board_rows(board(story, PARCELS))}

    assert rows["read_clock"]["Score"] == 0.0
    assert rows["track_parcel"]["Score"] is None


def test_what_travels_with_the_board_stays_small():
    code = sum(len((FOLDER / f"board_component.{kind}").read_bytes()) for kind in ("js", "css"))
    names = [f"a_rather_long_name_of_a_tool_{n:03}" for n in range(350)]
    catalog = Catalog(
        tuple(ToolDefinition(name=name, wire_name=name, server="large") for name in names)
    )

    assert code < COMPONENT_BYTES / 2
    assert code + len(json.dumps(data(catalog=catalog))) < COMPONENT_BYTES * 1.2


def test_the_component_puts_texts_in_as_text():
    code = (FOLDER / "board_component.js").read_text(encoding="utf-8")
    doors = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|DOMParser"

    assert re.findall(doors, code) == []
    assert "prefers-reduced-motion" in code
    assert "prefers-reduced-motion" in (FOLDER / "board_component.css").read_text(encoding="utf-8")


def test_motion_ends_within_700_ms():
    style = (FOLDER / "board_component.css").read_text(encoding="utf-8")
    script = (FOLDER / "board_component.js").read_text(encoding="utf-8")
    moves = [line for line in style.splitlines() if "transition" in line or "animation" in line]
    seconds = [float(s) for line in moves for s in re.findall(r"(?<![\w.])([\d.]+)s\b", line)]

    assert len(seconds) >= 5
    assert max(seconds) <= 0.7
    assert int(re.search(r"MOVE_MS = (\d+)", script)[1]) <= 700


def test_the_board_draws_its_table_where_there_is_no_browser():
    def script():
        from pages._shared.live.board import draw_board
        from tests.trace.story import FOUND_PARCEL, PARCELS, entries
        from toolsearch_core.trace.board import board, index_state
        from toolsearch_core.trace.ledger import ledger

        trace = entries(*FOUND_PARCEL)
        draw_board(
            board(trace, PARCELS),
            index_state=index_state(trace),
            latest=ledger(trace).calls[-1],
            key="any__key of mine",
        )

    at = AppTest.from_function(script, default_timeout=20).run()

    assert not at.exception
    assert list(at.dataframe[0].value["State"]) == [
        "★ called",
        "■ injected",
        "○ deferred",
        "○ deferred",
    ]
