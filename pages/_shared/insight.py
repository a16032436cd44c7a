"""Beside the chat: what was saved, the ledger, and the board of tool states."""

from functools import partial

import streamlit as st

from pages._shared import panes, state
from pages._shared.board import draw_board
from pages._shared.language import label, t
from pages._shared.ledger_figure import CONFIG, By, ledger_alt, ledger_figure, ledger_rows
from pages._shared.numbers import change, short
from pages._shared.state import Visit
from pages._shared.turns import index_state
from toolsearch_core.trace.board import board
from toolsearch_core.trace.ledger import Ledger, ledger

POLL_S = 0.6
"""Seconds between two looks while a run is on."""
WORTH_TOOLS, WORTH_TOKENS = 10, 10_000
"""From about so many tools, or tokens of definitions, on, searching for tools is worth its rounds."""
BYS: tuple[By, ...] = ("calls", "turns")
BY_TEXT = {"calls": "live.by.calls", "turns": "live.by.turns"}
_BY_KEY = "live_by"


def draw(visit: Visit) -> None:
    """Draw the pane, as often as a run needs it."""
    run = state.run_now()
    live = run is not None and run.live
    with st.container(key=panes.INSIGHT, height=panes.HEIGHT_PX, border=False):
        st.fragment(partial(_content), run_every=POLL_S if live else None)()


def _content() -> None:
    visit = state.here()
    entries = visit.conversation.entries
    rows = ledger(entries)
    _headline(rows)
    _chart(visit, rows)
    _hints(visit, rows)
    draw_board(
        board(entries, visit.workspace.catalog),
        index_state=index_state(entries),
        key=f"live_board_{visit.conversation.id}",
    )


def _headline(rows: Ledger) -> None:
    saved, sent, up_front = st.columns([5, 4, 4], gap="small", wrap=False)
    known = bool(rows.baseline_tokens)
    nothing = "–"
    saved.metric(
        t("live.metric.saved"),
        change(rows.saved) if known else nothing,
        help=t("live.metric.saved.help"),
    )
    sent.metric(t("live.metric.sent"), short(rows.prompt_tokens) if known else nothing)
    up_front.metric(t("live.metric.up_front"), short(rows.baseline_tokens) if known else nothing)


def _chart(visit: Visit, rows: Ledger) -> None:
    widgets = state.widget_state()
    widgets.setdefault(_BY_KEY, "calls")
    by: By = st.segmented_control(
        t("live.by"),
        BYS,
        format_func=lambda item: t(BY_TEXT[item]),
        required=True,
        key=_BY_KEY,
        label_visibility="collapsed",
    )
    st.plotly_chart(
        ledger_figure(rows, by=by, projector=state.projector()),
        key=f"live_ledger_{visit.conversation.id}",
        config=CONFIG,
        alt=ledger_alt(rows, by=by),
    )
    with st.expander(t("live.table"), type="compact"):
        st.dataframe(ledger_rows(rows, by=by), hide_index=True)


def _hints(visit: Visit, rows: Ledger) -> None:
    if rows.saved < 0:
        st.warning(
            label("live.costs_more", change=change(rows.saved)), icon=":material/trending_up:"
        )
