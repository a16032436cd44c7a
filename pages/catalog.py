"""Catalog: load catalog files, look at every tool and what it costs, and read what became of each entry."""

import streamlit as st

from pages._shared import frame, state
from pages._shared.catalog import files, load_report, token_map, tool_table
from pages._shared.language import t

frame.come_in_by_the_app("pages/catalog.py")
visit = state.here()
usable = bool(visit.workspace.catalog.tools)
with st.container(horizontal=True, vertical_alignment="center"):
    st.title(t("catalogs.title"), anchor=False)
    if usable and st.button(
        t("catalogs.ask"), key="catalog_ask", icon=":material/forum:", type="primary"
    ):
        st.switch_page("pages/live.py")
files.draw(visit)
if usable:
    tools, tokens, report = st.tabs(
        [t("catalogs.tab.tools"), t("catalogs.tab.tokens"), t("catalogs.tab.report")],
        key="catalog_tabs",
        on_change="rerun",
    )
    if tools.open:
        with tools:
            tool_table.draw(visit)
    if tokens.open:
        with tokens:
            token_map.draw(visit)
    if report.open:
        with report:
            load_report.draw(visit)
