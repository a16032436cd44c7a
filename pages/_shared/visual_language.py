"""How states look, on every page alike: colour, mark, icon and word. The only file with state colours.

Colour never speaks alone: each state has a shape, a glyph for plain text and a word. The colours keep
3:1 against the page in light and dark and stay apart for colour-blind eyes; a test measures both.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from pages._shared.language import t
from toolsearch_core.trace.board import IN_REQUEST, BoardRow

State = Literal[
    "deferred", "discovered", "accumulated", "injected", "called", "dropped", "index_evicted"
]
Part = Literal["system", "search_tool", "pinned", "accumulated", "injected", "messages"]
PARTS: tuple[Part, ...] = (
    "system",
    "search_tool",
    "pinned",
    "accumulated",
    "injected",
    "messages",
)
"""The parts of a request in the order they are sent, which is the order they are stacked in."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """How one state is shown."""

    color: str
    glyph: str
    """The mark in plain text: tables, tick labels, Markdown."""
    icon: str
    """A Material symbol, as Streamlit writes it."""
    path: str
    """The mark as an SVG path in a box of 16 by 16."""
    stroke: float = 0.0
    """Width of the line of the path; 0 for a filled mark."""
    pattern: str = ""
    """The fill of a bar in a chart, in Plotly's letters; empty for a plain one."""
    word: str
    """Key of its word."""
    meaning: str
    """Key of the sentence that explains it."""


def _circle(radius: float) -> str:
    return f"M{8 - radius} 8a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 {-2 * radius} 0z"


_GREEN = "#009E73"

LOOKS: Mapping[State, Look] = {
    "deferred": Look(
        color="#7A828C",
        glyph="○",
        icon=":material/dataset:",
        path=_circle(3.5),
        stroke=1.6,
        word="stage.deferred",
        meaning="stage.deferred.meaning",
    ),
    "discovered": Look(
        color="#1F78C8",
        glyph="◎",
        icon=":material/search:",
        path=_circle(5.4),
        stroke=3.2,
        pattern=".",
        word="stage.discovered",
        meaning="stage.discovered.meaning",
    ),
    "accumulated": Look(
        color="#AA4499",
        glyph="●",
        icon=":material/layers:",
        path=_circle(6.2),
        word="stage.accumulated",
        meaning="stage.accumulated.meaning",
    ),
    "injected": Look(
        color=_GREEN,
        glyph="■",
        icon=":material/input:",
        path="M2.4 2.4h11.2v11.2H2.4z",
        word="stage.injected",
        meaning="stage.injected.meaning",
    ),
    "called": Look(
        color=_GREEN,
        glyph="★",
        icon=":material/bolt:",
        path="M8 .8l2.2 4.9 5.3.6-3.9 3.6 1.1 5.2L8 12.4l-4.7 2.7 1.1-5.2L.5 6.3l5.3-.6z",
        word="stage.called",
        meaning="stage.called.meaning",
    ),
    "dropped": Look(
        color="#D55E00",
        glyph="✕",
        icon=":material/logout:",
        path="M3.2 3.2l9.6 9.6M12.8 3.2l-9.6 9.6",
        stroke=3.0,
        pattern="/",
        word="stage.dropped",
        meaning="stage.dropped.meaning",
    ),
    "index_evicted": Look(
        color="#946F3C",
        glyph="▩",
        icon=":material/delete_sweep:",
        path="M2 2h12v12H2zM2 8l6-6M2 14L14 2M8 14l6-6M8 2l6 6M2 2l12 12M2 8l6 6",
        stroke=1.5,
        pattern="x",
        word="stage.index_evicted",
        meaning="stage.index_evicted.meaning",
    ),
}
"""All states in the order of a tool's life; legends keep it."""

SYSTEM_COLOR = "#66707C"
MESSAGES_COLOR = "#878E97"
PART_FILLS: Mapping[Part, tuple[str, str]] = {
    "system": (SYSTEM_COLOR, ""),
    "search_tool": (LOOKS["discovered"].color, LOOKS["discovered"].pattern),
    "pinned": (LOOKS["injected"].color, "-"),
    "accumulated": (LOOKS["accumulated"].color, ""),
    "injected": (LOOKS["injected"].color, ""),
    "messages": (MESSAGES_COLOR, ""),
}
"""Colour and Plotly pattern of each part of a request; definitions look like their state."""

AMOUNT_COLORS = ("#2B323B", "#46515E", "#66707C")
"""Fields within fields of a map of amounts, outermost first; white type is legible on each."""

REASONS: Mapping[str, str] = {
    "never_searched": "reason.never_searched",
    "found": "reason.found",
    "found_now": "reason.found_now",
    "kept": "reason.kept",
    "pinned": "reason.pinned",
    "all_up_front": "reason.all_up_front",
    "accumulation_off": "reason.accumulation_off",
    "catalog_changed": "reason.catalog_changed",
    "unpinned": "reason.unpinned",
    "lru": "reason.lru",
    "ttl": "reason.ttl",
    "always": "reason.always",
    "explicit": "reason.explicit",
    "index_changed": "reason.index_changed",
    "evicted_before": "reason.evicted_before",
    "not_sent": "reason.not_sent",
}
"""Why a tool is in its state, or why an index was evicted; keys of the words."""


def reason_word(reason: str) -> str:
    """A reason of the board or of an eviction, in a few words."""
    return t(REASONS[reason])


def state_of(row: BoardRow) -> State:
    """The state that is drawn: a tool that was called in this turn and is in the request is called."""
    return "called" if row.called_in_turn and row.state in IN_REQUEST else row.state


def word(state: State) -> str:
    """The word of a state in the language of the page."""
    return t(LOOKS[state].word)


def marked(state: State) -> str:
    """Mark and word in one line of plain text: `◎ discovered`."""
    return f"{LOOKS[state].glyph} {word(state)}"


def mark(state: State) -> str:
    """The mark in its colour, for a place that reads Markdown."""
    return f':color[{LOOKS[state].glyph}]{{foreground="{LOOKS[state].color}"}}'


def badge(state: State) -> str:
    """Icon and word on a tint of the state's colour, for a place that reads Markdown."""
    look = LOOKS[state]
    return f':color[{look.icon} {word(state)}]{{background="{look.color}33"}}'


def legend() -> None:
    """All states with their marks and meanings; both kinds of eviction under one heading."""
    with st.container(gap="xsmall"):
        for state in LOOKS:
            if state == "dropped":
                st.markdown(f"▁ **{t('board.pinned')}** · {t('stage.pinned.meaning')}")
                st.markdown(f"**{t('stage.evicted')}**")
            st.markdown(f"{mark(state)} **{word(state)}** · {t(LOOKS[state].meaning)}")
