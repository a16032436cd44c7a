"""The row on top of every page: what is loaded, the language, projector mode, reset."""

import streamlit as st

from pages._shared import index_status, panes, state
from pages._shared.language import label, notice_text, t
from pages._shared.numbers import short
from pages._shared.plain_text import escaped
from pages._shared.state import LANGUAGES, Visit
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.tools import Catalog

NAMES = {"en": "English", "ko": "한국어"}
MAX_REFUSAL_CHARS = 1000
_LANGUAGE_KEY, _PROJECTOR_KEY = "frame_language", "frame_projector"


def draw(visit: Visit) -> None:
    """Draw the row."""
    with st.container(horizontal=True, vertical_alignment="center", key=panes.FRAME):
        panes.fit_title_row()
        st.markdown(_badge(visit.workspace.catalog))
        index_status.draw(visit)
        st.space("stretch")
        _language()
        _projector()
        _reset()
        if state.projector():
            panes.large_type()
    index_status.draw_failure(visit)
    if state.lost():
        state.tell(t("frame.lost"))
    refused = state.configuration_refused()
    if refused is not None:
        why = escaped(notice_text(refused), limit=MAX_REFUSAL_CHARS)
        st.error(f"{t('frame.settings_refused')} {why}", icon=":material/error:")
    for sentence in state.told():
        st.toast(escaped(sentence, limit=600), icon=":material/info:", duration="long")


def come_in_by_the_app(page: str) -> None:
    """Begin again with `app.py` where Streamlit runs a page by itself.

    It does so when the very first address that a new process is asked for is that of a page, since it
    does not know yet that the app has a navigation of its own.

    Args:
        page: the file of the page, as `app.py` names it.
    """
    if not state.came_by_the_app():
        st.navigation([st.Page("app.py"), st.Page(page)])
        st.rerun()


def catalog_tokens(catalog: Catalog) -> int:
    """Tokens of all definitions of the catalog; estimated."""
    counter = TokenEstimator()
    return sum(counter.count_tool(tool) for tool in catalog.tools)


def _badge(catalog: Catalog) -> str:
    if not catalog.tools:
        return label("frame.no_catalog")
    return label("frame.loaded", n=len(catalog), tokens=short(catalog_tokens(catalog)))


def _language() -> None:
    widgets = state.widget_state()
    widgets[_LANGUAGE_KEY] = state.language()
    st.segmented_control(
        t("frame.language"),
        LANGUAGES,
        format_func=NAMES.__getitem__,
        required=True,
        key=_LANGUAGE_KEY,
        label_visibility="collapsed",
        on_change=lambda: state.choose_language(str(widgets[_LANGUAGE_KEY])),
    )


def _projector() -> None:
    widgets = state.widget_state()
    widgets[_PROJECTOR_KEY] = state.projector()
    st.toggle(
        t("frame.projector"),
        key=_PROJECTOR_KEY,
        help=t("frame.projector.help"),
        on_change=lambda: state.show_on_projector(bool(widgets[_PROJECTOR_KEY])),
    )


def _reset() -> None:
    with st.popover(t("frame.reset"), icon=":material/restart_alt:", type="tertiary"):
        st.markdown(t("frame.reset.meaning"))
        st.button(t("frame.reset.confirm"), key="frame_reset", type="primary", on_click=_begin_anew)


def _begin_anew() -> None:
    state.reset()
    state.tell(t("frame.reset.done"))
