"""Catalog: load catalog files, look at every tool and what it costs, and read what became of each entry."""

import streamlit as st

from pages._shared import catalog_files, catalog_report, catalog_table, catalog_tokens, frame, state
from pages._shared.language import t

frame.come_in_by_the_app("pages/catalog.py")
visit = state.here()
st.title(t("catalogs.title"), anchor=False)
catalog_files.draw(visit)
if visit.workspace.catalog.tools:
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
