"""The first turn of a process, held before anybody asks.

It loads what every later turn finds loaded: the encoder, the vector store, the library of the models,
the vocabulary, and the library of the charts. A first visit needs none of that, so it begins when the
page is drawn, and waits while somebody's catalog is indexed.

What it loads stays for good, so it is taken out of the collection of garbage. Streamlit collects after
every run of a page; with some 300,000 objects to look at, all threads would wait a third of a second.
What else lives at those moments is still freed when nothing refers to it.
"""

import gc
import threading
import time
from importlib import import_module

from pages._shared.samples import samples
from toolsearch_core.index import RetrieverStore
from toolsearch_core.workspace import Workspace
from toolsearch_core.workspace.models import provider_for

POLL_S = 0.1
"""Seconds between two looks while somebody's catalog is indexed."""


def begin(store: RetrieverStore) -> None:
    """Begin, in a thread of its own."""
    threading.Thread(target=_hold, args=(store,), name="warm-up", daemon=True).start()


def _hold(store: RetrieverStore) -> None:
    sample = samples()[0]
    workspace = Workspace(store)
    workspace.shelf.add(sample.data, sample.file)
    settings = workspace.settings
    # In the order in which a visitor needs it: searching, charts, and the library of the models last.
    store.build_in_background(settings.index_kind, workspace.catalog, settings.encoder).wait()
    gc.freeze()
    for part in ("insight", "chat", "options_panel"):
        _give_way(store)
        import_module(f"pages._shared.live.{part}")
    gc.freeze()
    _give_way(store)
    conversation = workspace.new_conversation()
    for _ in workspace.ask(
        conversation.id, sample.questions["en"][0], provider_for(workspace.settings)
    ):
        pass
    workspace.close()
    gc.freeze()


def _give_way(store: RetrieverStore) -> None:
    while store.building:
        time.sleep(POLL_S)
