"""The Live page before anything is loaded: three samples, one click each, and the way to one's own."""

import streamlit as st

from pages._shared import samples, state
from pages._shared.language import label, notice_text, t
from pages._shared.plain_text import escaped
from pages._shared.state import Visit
from toolsearch_core.errors import CatalogError


def draw(visit: Visit) -> None:
    """Draw the offer."""
    language = state.language()
    st.space("small")
    st.title(t("live.empty.title"), anchor=False)
    st.markdown(t("live.empty.idea"))
    st.space("xsmall")
    shown = samples.samples()
    for column, sample in zip(st.columns(len(shown)), shown, strict=True):
        with column.container(border=True, height="stretch"):
            st.subheader(escaped(sample.title[language]), anchor=False)
            st.text(sample.description[language])
            st.space("stretch")
            st.button(
                label("live.empty.load", title=sample.title[language]),
                key=f"live_load_{sample.file}",
                icon=":material/play_arrow:",
                type="primary",
                width="stretch",
                on_click=load,
                args=(visit, sample),
            )
    st.page_link("pages/catalog.py", label=t("live.empty.upload"), icon=":material/upload_file:")
    st.caption(t("live.empty.offline"))


def load(visit: Visit, sample: samples.Sample) -> None:
    """Put a sample on the shelf."""
    try:
        visit.workspace.shelf.add(sample.data, sample.file)
    except CatalogError as error:
        state.tell(notice_text(error.notice))
