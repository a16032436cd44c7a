"""Catalog: load catalog files, look at every tool and what it costs, and read what became of each entry."""

import streamlit as st

from pages._shared import catalog_files, catalog_report, catalog_table, catalog_tokens, frame, state
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
catalog_files.draw(visit)
if usable:
    tools, tokens, report = st.tabs(
        [t("catalogs.tab.tools"), t("catalogs.tab.tokens"), t("catalogs.tab.report")],
        key="catalog_tabs",
        on_change="rerun",
    )
    if tools.open:
        with tools:
            catalog_table.draw(visit)
    if tokens.open:
        with tokens:
            catalog_tokens.draw(visit)
    if report.open:
        with report:
            catalog_report.draw(visit)
