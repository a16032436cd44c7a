"""The explorer: page settings, navigation, and the row that stands on every page."""

import streamlit as st

from pages._shared import frame, state, warm_up
from pages._shared.language import t

state.settle_view()
visit = state.arrive()
st.set_page_config(
    page_title="Tool Search Explorer",
    page_icon="🧭",  # an emoji: other icons are fetched from afar
    layout="wide",
    initial_sidebar_state="collapsed" if state.projector() or visit.empty else "auto",
)
page = st.navigation(
    [
        st.Page("pages/live.py", title=t("frame.live"), icon=":material/forum:", default=True),
        st.Page(
            "pages/catalog.py",
            title=t("frame.catalog"),
            icon=":material/inventory_2:",
            url_path="catalog",
        ),
    ],
    position="top",
)
frame.draw(visit)
page.run()
if state.given_provider() is None:
    state.once("warm up", warm_up.begin)
