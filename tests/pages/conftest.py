"""Each test of a page has the process to itself."""

from collections.abc import Iterator

import pytest
import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from pages._shared import state


@pytest.fixture(autouse=True)
def fresh_process() -> Iterator[None]:
    """Caches are shared by all apps of a Python process, so they are emptied before and after."""
    st.cache_data.clear()
    st.cache_resource.clear()
    yield
    process = state.process()
    for workspace_id in list(process.workspaces._kept):
        process.workspaces.close(workspace_id)
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture(autouse=True)
def navigation_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit knows from the first visit on that the app has a navigation; AppTest forgets it at each run.

    Without this a page other than the first is run by itself, and what was clicked on it is lost.
    """
    begin = PagesManager.__init__

    def knowing(self: PagesManager, *args: object, **kwargs: object) -> None:
        begin(self, *args, **kwargs)  # type: ignore[arg-type]
        PagesManager.uses_pages_directory = False

    monkeypatch.setattr(PagesManager, "__init__", knowing)
