"""A tool index by one word, over the retrievers that the process shares."""

from functools import cache

from toolsearch_core.index.session_index import CatalogToolIndex
from toolsearch_core.index.store import DEFAULT_ENCODER, RetrieverStore
from toolsearch_core.options import one_of, require
from toolsearch_core.search_types import INDEX_KINDS, IndexKind


def tool_index(
    kind: IndexKind = "hybrid",
    *,
    encoder: str = DEFAULT_ENCODER,
    keyword_min_score: float | None = None,
) -> CatalogToolIndex:
    """An index without sessions; what it builds is built once per process.

    Args:
        kind: `hybrid`, `keyword`, `regex` or `vector`.
        encoder: name of the encoder, for vector and hybrid.
        keyword_min_score: the least score of a hit (0..1), for keyword alone.

    Raises:
        SettingsError: there is no such kind, or the encoder is not named.
    """
    one_of("index", kind, INDEX_KINDS)
    named = isinstance(encoder, str) and bool(encoder.strip())
    require(
        named,
        "encoder",
        encoder,
        "the name of an encoder; one of your own: RetrieverStore(encoders=…)",
    )
    return CatalogToolIndex(shared_store(), kind, encoder, keyword_min_score=keyword_min_score)


@cache
def shared_store() -> RetrieverStore:
    """The store of the process."""
    return RetrieverStore()
