"""The index over the loaded catalog: built in the background, with its progress in the title row."""

from functools import partial

import streamlit as st

from pages._shared import state
from pages._shared.language import notice_label, t
from pages._shared.state import Visit
from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.index import BuildStatus

AT_ONCE_S = 0.3
"""So long the page waits for an index over few tools, before it is drawn."""
POLL_S = 0.7
"""Seconds between two looks while it is being built."""


def draw(visit: Visit) -> None:
    """See to it that there is an index, and say how far it is."""
    if not visit.workspace.catalog.tools:
        return
    status = _status(visit)
    if status.state == "not_built":
        settings = visit.workspace.settings
        job = state.process().store.build_in_background(
            settings.index_kind, visit.workspace.catalog, settings.encoder
        )
        job.wait(AT_ONCE_S)  # what is ready at once needs no looking, and no page that begins anew
        status = _status(visit)
    building = status.state in ("not_built", "building")
    show = partial(_progress, building=building)
    st.fragment(show, run_every=POLL_S if building else None)()


def draw_failure(visit: Visit) -> None:
    """Why the index could not be built, and that words are searched all the same."""
    if not visit.workspace.catalog.tools:
        return
    status = _status(visit)
    if status.state == "failed" and status.notice is not None:
        st.warning(notice_label(status.notice), icon=":material/warning:")


def _status(visit: Visit) -> BuildStatus:
    settings = visit.workspace.settings
    try:
        return state.process().store.status(
            settings.index_kind, visit.workspace.catalog, settings.encoder
        )
    except IndexUnavailableError as error:
        return BuildStatus(state="failed", notice=error.notice)


def _progress(*, building: bool) -> None:
    status = _status(state.here())
    match status.state:
        case "ready":
            st.badge(t("frame.index.ready"), icon=":material/check:", color="gray")
        case "failed":
            st.badge(t("frame.index.failed"), icon=":material/warning:", color="orange")
        case _:
            st.badge(
                t("frame.index.building", done=status.done, total=status.total),
                icon=":material/hourglass_top:",
                color="orange",
                help=t("frame.index.building.help"),
            )
    if building and status.state not in ("not_built", "building"):
        st.rerun()  # the whole page once, which switches looking off
