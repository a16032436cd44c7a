"""`make bench`: time of loading, indexing and searching on this machine; sizes may be given.

Then what a session costs beside its catalog, which all sessions share: time and memory, with limits.
"""

import gc
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.generated_catalog import generated_catalog
from toolsearch_core.catalog import load_catalog
from toolsearch_core.embeddings import encoder_by_name
from toolsearch_core.eviction import Lru
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.search_types import INDEX_KINDS, IndexKind, ToolSearchRequest
from toolsearch_core.session import SessionRegistry
from toolsearch_core.tools import Catalog

T = TypeVar("T")

SIZES = (86, 200, 1000)
QUERIES = (
    "open invoices of last month",
    "create a ticket",
    "who drives the truck",
    "export the payslips",
    "sample results",
)
ROUNDS = 10
SESSIONS = 1000
TOOLS_OF_SESSIONS = 200
MOST_MS = 0.1
"""Limit of opening a session on a known catalog, median."""
MOST_KIB = 4.0
"""Limit of what a session holds."""


def main(sizes: Sequence[int]) -> int:
    """Print one line per size and index kind; all times are elapsed ones."""
    _, encoder_s = _timed(lambda: encoder_by_name("multilingual").encode(["a first text"]))
    print(
        f"multilingual encoder ready after {encoder_s:.2f} s; whole builds, no vector kept from before"
    )
    print(f"{'tools':>6} {'index':<9}{'load':>9}{'build':>9}{'again':>10}{'p50':>10}{'p95':>10}")
    for size in sizes:
        data = generated_catalog(size)
        report, load_s = _timed(lambda data=data: load_catalog(data, source="generated"))
        for kind in INDEX_KINDS:
            build_s, again_s, searches = _measure(kind, Catalog(report.tools))
            print(
                f"{size:>6} {kind:<9}{load_s:>8.2f}s{build_s:>8.2f}s{again_s * 1000:>8.1f}ms"
                f"{statistics.median(searches) * 1000:>8.1f}ms"
                f"{statistics.quantiles(searches, n=20)[-1] * 1000:>8.1f}ms"
            )
    return max(_print_cost_of_a_session(kind) for kind in ("hybrid", "keyword"))


def _print_cost_of_a_session(kind: IndexKind) -> int:
    """One line; 1 when a limit is passed."""
    catalog = Catalog(load_catalog(generated_catalog(TOOLS_OF_SESSIONS), source="generated").tools)
    opened_ms, kib = cost_of_a_session(kind, catalog)
    print(
        f"{SESSIONS} sessions over one catalog of {len(catalog)} tools, {kind}: opening one takes "
        f"{opened_ms:.3f} ms in the median (limit {MOST_MS}), it holds {kib:.2f} KiB (limit {MOST_KIB:g})"
    )
    return int(opened_ms > MOST_MS or kib > MOST_KIB)


def cost_of_a_session(kind: IndexKind, catalog: Catalog) -> tuple[float, float]:
    """Milliseconds (median) to open a session on a known catalog, and the KiB that it holds."""
    store = RetrieverStore()
    times = [_open_sessions(store, kind, catalog)[1] for _ in range(3)]
    tracemalloc.start()
    try:
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        kept, _ = _open_sessions(store, kind, catalog)
        gc.collect()
        held = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    kept.close()
    return min(times) * 1000, held / SESSIONS / 1024


def _open_sessions(
    store: RetrieverStore, kind: IndexKind, catalog: Catalog
) -> tuple[SessionRegistry, float]:
    """The registry of all sessions, and the median of seconds to open one."""
    index = CatalogToolIndex(store, kind, patience_s=None)
    registry = SessionRegistry(Lru(SESSIONS + 1))
    registry.open("first", catalog, index)
    taken = [
        _timed(lambda number=number: registry.open(f"session {number}", catalog, index))[1]
        for number in range(SESSIONS)
    ]
    return registry, statistics.median(taken)


def _measure(kind: IndexKind, catalog: Catalog) -> tuple[float, float, list[float]]:
    """Seconds to build, to open a session on the known catalog, and of each search."""
    store = RetrieverStore()
    lease, build_s = _timed(lambda: store.lease(kind, catalog))
    index = CatalogToolIndex(store, kind, patience_s=None)
    _, again_s = _timed(lambda: index.index_tools("session", catalog.tools))
    searches = [
        _timed(
            lambda query=query: index.search(ToolSearchRequest(session_id="session", query=query))
        )[1]
        for _ in range(ROUNDS)
        for query in QUERIES
    ]
    index.clear_index("session")
    lease.release()
    return build_s, again_s, searches


def _timed(action: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    result = action()
    return result, time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main([int(size) for size in sys.argv[1:]] or SIZES))
