"""`make bench`: time of loading, indexing and searching on this machine."""

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.generated_catalog import generated_catalog
from toolsearch_core.catalog import load_catalog
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.search_types import INDEX_KINDS, IndexKind, ToolSearchRequest
from toolsearch_core.tools import ToolDefinition

T = TypeVar("T")

SIZES = (86, 200, 1000, 5000)
QUERIES = (
    "open invoices of last month",
    "create a ticket",
    "who drives the truck",
    "export the payslips",
    "sample results",
)
ROUNDS = 10


def main() -> int:
    """Print one line per size and index kind; times are elapsed, the first index warms the encoder."""
    print(f"{'tools':>6} {'index':<9}{'load':>9}{'build':>9}{'again':>9}{'p50':>10}{'p95':>10}")
    for size in SIZES:
        data = generated_catalog(size)
        report, load_s = _timed(lambda data=data: load_catalog(data, source="generated"))
        for kind in INDEX_KINDS:
            build_s, again_s, searches = _measure(kind, report.tools)
            print(
                f"{size:>6} {kind:<9}{load_s:>8.2f}s{build_s:>8.2f}s{again_s * 1000:>7.1f}ms"
                f"{statistics.median(searches) * 1000:>8.1f}ms"
                f"{statistics.quantiles(searches, n=20)[-1] * 1000:>8.1f}ms"
            )
    return 0


def _measure(kind: IndexKind, tools: Sequence[ToolDefinition]) -> tuple[float, float, list[float]]:
    """Seconds to build, to open a second session on the known catalog, and of each search."""
    index = CatalogToolIndex(RetrieverStore(), kind)
    _, build_s = _timed(lambda: index.index_tools("first", tools))
    _, again_s = _timed(lambda: index.index_tools("second", tools))
    searches = [
        _timed(
            lambda query=query: index.search(ToolSearchRequest(session_id="first", query=query))
        )[1]
        for _ in range(ROUNDS)
        for query in QUERIES
    ]
    return build_s, again_s, searches


def _timed(action: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    result = action()
    return result, time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
