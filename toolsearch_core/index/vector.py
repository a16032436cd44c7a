"""The vector index: an encoder reads name, title and description of each tool, ChromaDB finds the nearest."""

from collections.abc import Callable

import numpy as np

from toolsearch_core.embeddings import VectorCache
from toolsearch_core.index.chroma import Collection
from toolsearch_core.index.query import Query, without_words
from toolsearch_core.index.ranking import Ranking, Scores, nothing_found
from toolsearch_core.index.tool_names import ToolNames
from toolsearch_core.protocols import Encoder
from toolsearch_core.search_types import IndexKind, MatchReason
from toolsearch_core.text.tool_text import embedded_text
from toolsearch_core.tools import Catalog

COSINE_FLOOR = 0.15
"""Tools farther away are no hits.

On the development halves of eight retrieval sets it costs 0 to 1.4 % of the relevant tools among the
first ten (the default encoder; 0 to 0.3 % with all-MiniLM-L6-v2), and of random letters it leaves two
tools or fewer in catalogs of up to 2,000 tools, in the median.
"""
MAX_CANDIDATES = 2_000
"""ChromaDB is asked for so many; in larger catalogs the rest counts as far away."""


class VectorRetriever:
    """Nearest tools by meaning. The score is the cosine."""

    kind: IndexKind = "vector"

    def __init__(
        self,
        catalog: Catalog,
        encoder: Encoder,
        vectors: VectorCache,
        on_progress: Callable[[int], None] = lambda done: None,
    ) -> None:
        """Encode what is not encoded yet and fill a collection.

        Args:
            catalog: the tools.
            encoder: also reads the queries.
            vectors: where vectors are kept and looked up.
            on_progress: told how many tools are encoded, after each batch; may raise to stop.

        Raises:
            IndexUnavailableError: the encoder or ChromaDB cannot be used.
        """
        self.names = ToolNames(catalog)
        self._encoder = encoder
        self._vectors = vectors
        self._collection: Collection | None = None
        if len(catalog):
            texts = [embedded_text(tool) for tool in catalog.tools]
            rows = vectors.encode(encoder, texts, on_progress)
            name = f"{catalog.fingerprint} {encoder.dim} {encoder.id}"
            self._collection = Collection(name, rows)

    def rank(self, query: Query) -> Ranking:
        """Score every tool.

        Raises:
            IndexUnavailableError: the encoder or ChromaDB cannot answer now.
        """
        if not query.words:
            return nothing_found(len(self.names), without_words(query))
        cosines = self.cosines(query)
        known = np.where(np.isnan(cosines), 0.0, cosines)
        return Ranking(
            scores=np.where(known >= COSINE_FLOOR, np.minimum(known, 1.0), 0.0),
            raw=known,
            explain=lambda position: (MatchReason(signal="meaning", share=1.0),),
        )

    def cosines(self, query: Query) -> Scores:
        """Closeness of every tool, -1..1; not a number for one that is not among the candidates.

        Raises:
            IndexUnavailableError: the encoder or ChromaDB cannot answer now.
        """
        cosines = np.full(len(self.names), np.nan)
        if self._collection is not None:
            vector = self._vectors.encode(self._encoder, [query.text])[0]
            nearest = self._collection.nearest(vector, MAX_CANDIDATES)
            cosines[list(nearest)] = list(nearest.values())
        return cosines

    def close(self) -> None:
        """Give the collection back."""
        if self._collection is not None:
            self._collection.close()
