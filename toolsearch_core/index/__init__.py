"""Retrievers over a catalog, the store that shares them, and the session-scoped index over it."""

from toolsearch_core.index.build import BuildJob, BuildStatus
from toolsearch_core.index.session_index import CatalogToolIndex, IndexDescription
from toolsearch_core.index.shared import shared_store, tool_index
from toolsearch_core.index.store import DEFAULT_ENCODER, Lease, RetrieverStore

__all__ = [
    "DEFAULT_ENCODER",
    "BuildJob",
    "BuildStatus",
    "CatalogToolIndex",
    "IndexDescription",
    "Lease",
    "RetrieverStore",
    "shared_store",
    "tool_index",
]
