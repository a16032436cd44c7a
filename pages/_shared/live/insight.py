"""Beside the chat: what was saved, the ledger, and the board of tool states."""

from collections.abc import Sequence
from functools import lru_cache

import plotly.graph_objects as go
import streamlit as st

from pages._shared import frame, panes, state
from pages._shared.language import label, t, worded
from pages._shared.live.board import draw_board
from pages._shared.live.ledger_figure import (
    CONFIG,
    NARROW,
    By,
    ledger_alt,
    ledger_figure,
    ledger_rows,
)
from pages._shared.numbers import change, short
from pages._shared.state import Language, Visit
from toolsearch_core.events import ToolsSearched, TraceEntry, TurnStarted
from toolsearch_core.trace.board import board, index_state
from toolsearch_core.trace.ledger import Ledger, ledger

POLL_S = 0.6
"""Seconds between two looks while a run is on."""
SMALL_WINDOW, LARGE_WINDOW = 200_000, 1_000_000
"""Tokens that a context window holds; most and newer models of Claude, by the service's own documents
(platform.claude.com/docs, "Context windows")."""
BYS: tuple[By, ...] = ("calls", "turns")
BY_TEXT = {"calls": "live.by.calls", "turns": "live.by.turns"}
_BY_KEY, _WHOLE_BY_KEY = "live_by", "live_whole_by"
SMALL_PX, SMALL_TYPE = 132, 11


def draw(visit: Visit) -> None:
    """Draw the pane, as often as a run needs it."""
    run = state.run_now()
    live = run is not None and run.live
    with st.container(key=panes.INSIGHT, height=panes.HEIGHT_PX, border=False):
        st.fragment(_content, run_every=POLL_S if live else None)()


def _content() -> None:
    visit = state.here()
    entries = visit.conversation.entries
    rows = ledger(entries)
    with st.container(gap="xsmall"):
        by = _headline(rows)
        _hints(visit, rows)
        with st.container(key=panes.CHART):
            _chart(visit, rows, by)
        _board(visit, rows)


def _chart(visit: Visit, rows: Ledger, by: By) -> None:
    if rows.calls:
        _small_ledger(visit, rows, by)
    else:
        _preload_charts()


def _board(visit: Visit, rows: Ledger, of: str = "page") -> None:
    entries = visit.conversation.entries
    draw_board(
        board(entries, visit.workspace.catalog),
        index_state=index_state(entries),
        latest=rows.calls[-1] if rows.calls else None,
        query=latest_query(entries),
        projector=state.projector(),
        key=f"live_board_{of}_{visit.conversation.id}",
    )


def _preload_charts() -> None:
    """An empty chart, so that the browser has the library when the first one is due."""
    figure = go.Figure(layout={"height": 10, "margin": dict.fromkeys("lrtb", 0)})
    figure.update_xaxes(visible=False).update_yaxes(visible=False)
    st.plotly_chart(figure, key="live_preload", config={"staticPlot": True})


def latest_query(entries: Sequence[TraceEntry]) -> str:
    """The latest search of the latest turn, if it has searched."""
    for entry in reversed(entries):
        match entry.event:
            case ToolsSearched(query=query):
                return query
            case TurnStarted():
                return ""
            case _:
                pass
    return ""


def _headline(rows: Ledger) -> By:
    """What was saved, and what the bars below stand for."""
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        if rows.baseline_tokens:
            unbroken = change(rows.saved).replace(" ", "\u00a0")
            st.markdown(f"### {unbroken}", width="content")
            text = label(
                "live.saved",
                sent=short(rows.prompt_tokens),
                up_front=short(rows.baseline_tokens),
            )
            left_out = sum(turn.status not in (None, "answered") for turn in rows.turns)
            if left_out:
                text += " · " + label("live.saved.left_out", n=left_out)
            st.caption(text, width="stretch")
        else:
            running = bool(rows.turns) and rows.turns[-1].status is None
            st.caption(t("live.saved.soon" if running else "live.saved.none"), width="stretch")
        by: By = "calls" if state.projector() else _by()
        if st.button(
            "",
            key="live_enlarge",
            icon=":material/open_in_full:",
            help=t("live.enlarge"),
            type="tertiary",
            disabled=not rows.calls,
        ):
            state.show("ledger")
            st.rerun()  # a dialog is drawn by the page, not by the part that runs again and again
    return by


def _small_ledger(visit: Visit, rows: Ledger, by: By) -> None:
    """The ledger as small as it can be read; its title, legend and table are in the large one."""
    figure = _small_figure(rows, by, state.projector(), state.language())
    st.plotly_chart(
        figure,
        key=f"live_ledger_{visit.conversation.id}",
        config={**CONFIG, "displayModeBar": False},
        alt=ledger_alt(rows, by=by),
    )


@lru_cache(maxsize=64)
def _small_figure(rows: Ledger, by: By, projector: bool, language: Language) -> go.Figure:
    """Made once for what it shows: a figure takes longer than all the rest of the pane."""
    figure = ledger_figure(rows, by=by, projector=projector, room=NARROW)
    figure.update_layout(
        height=SMALL_PX,
        title=None,
        showlegend=False,
        margin={"l": 8, "r": 8, "t": 12, "b": 8},
        yaxis_title=None,
        uniformtext={"minsize": SMALL_TYPE - 1},
    )
    figure.layout.annotations = ()  # why an index went is said by the board, and in the large one
    if not projector:
        figure.update_traces(textfont={"size": SMALL_TYPE}, selector={"type": "bar"})
    return figure


def _by(key: str = _BY_KEY) -> By:
    widgets = state.widget_state()
    widgets.setdefault(key, widgets.get(_BY_KEY, "calls"))
    by: By = st.segmented_control(
        t("live.by"),
        BYS,
        format_func=worded(BY_TEXT),
        required=True,
        key=key,
        label_visibility="collapsed",
    )
    return by


def draw_ledger(visit: Visit) -> None:
    """The ledger in full, on top of the page."""
    title = t("live.ledger.title")
    st.dialog(title, width="large", icon=":material/bar_chart:", on_dismiss=state.hide)(
        _whole_ledger
    )(visit)


def _whole_ledger(visit: Visit) -> None:
    rows = ledger(visit.conversation.entries)
    st.caption(t("live.saved.help"))
    by = _by(_WHOLE_BY_KEY)
    st.plotly_chart(
        ledger_figure(rows, by=by, projector=state.projector()),
        key="live_whole_ledger",
        config=CONFIG,
        alt=ledger_alt(rows, by=by),
    )
    with st.expander(t("live.table"), icon=":material/table:"):
        st.dataframe(ledger_rows(rows, by=by), hide_index=True)
    _board(visit, rows, of="ledger")


def _hints(visit: Visit, rows: Ledger) -> None:
    catalog = visit.workspace.catalog
    tokens = frame.catalog_tokens(catalog)
    if not catalog.tools:
        st.info(t("live.no_catalog"), icon=":material/inventory_2:")
    if tokens > SMALL_WINDOW:
        key = "live.beyond_all" if tokens > LARGE_WINDOW else "live.beyond_small"
        st.caption(label(key, tokens=short(tokens), window=short(_window_passed(tokens))))
    share = rows.saved
    if share < 0:
        st.warning(label("live.costs_more", change=change(share)), icon=":material/trending_up:")


def _window_passed(tokens: int) -> int:
    return LARGE_WINDOW if tokens > LARGE_WINDOW else SMALL_WINDOW
