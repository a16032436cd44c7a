"""ChromaDB in memory: one collection per catalog and encoder, deleted when nobody uses it.

ChromaDB is imported at the first collection, not before: importing it takes most of a second. All
in-memory clients of a process share one store, so the users of a collection are counted per process.
"""

import weakref
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from threading import RLock
from typing import Any

import numpy as np

from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.jsonvalues import digest
from toolsearch_core.protocols import Vectors

MAX_PER_WRITE = 5_000
"""ChromaDB refuses more than 5,461 entries at once."""
SEARCH_EFFORT = 400
"""`ef_search`: the approximate search then agrees with an exact one at some thousand tools."""

_users: Counter[str] = Counter()
_lock = RLock()
"""Clients made at the same time fail now and then, so opening and deleting take turns.

Reentrant, as the garbage collector may close a forgotten collection in the middle of either.
"""


class Collection:
    """The vectors of one catalog by position. Safe to use from several threads."""

    def __init__(self, name: str, vectors: Vectors) -> None:
        """Open the collection of that name and put the vectors in.

        Args:
            name: any text; it goes through a digest, so every text works and no two collide.
            vectors: shape (number of tools, dim), at least one.

        Raises:
            IndexUnavailableError: ChromaDB is not installed or refuses.
        """
        self._count = len(vectors)
        stored_as = digest(name)[:40]
        with _lock:
            _users[stored_as] += 1
        self._release = weakref.finalize(self, _release, stored_as)
        self._release.atexit = False
        try:
            self._opened = _open(stored_as)
            self._write(vectors)
        except IndexUnavailableError:
            self.close()
            raise

    def nearest(self, vector: Vectors, most: int) -> Mapping[int, float]:
        """Position -> cosine of the nearest; `most` of them or all.

        Args:
            vector: shape (dim,).
            most: at least 1.

        Raises:
            IndexUnavailableError: ChromaDB cannot answer.
        """
        wanted = min(most, self._count)
        found = self._query(vector, wanted)
        if wanted == self._count and len(found) < wanted:  # the graph can lose one: ask by name
            lost = [str(position) for position in range(self._count) if position not in found]
            found |= self._query(vector, len(lost), lost)
        # Equal vectors may differ in the last digits here, and ties go by catalog order.
        return {position: round(1.0 - distance, 6) for position, distance in found.items()}

    def close(self) -> None:
        """Delete the collection if this was its last user; a forgotten one closes itself."""
        self._release()

    def _write(self, vectors: Vectors) -> None:
        for start in range(0, len(vectors), MAX_PER_WRITE):
            part = vectors[start : start + MAX_PER_WRITE]
            ids = [str(start + offset) for offset in range(len(part))]
            with _errors_of_chroma():
                self._opened.upsert(ids=ids, embeddings=part)

    def _query(
        self, vector: Vectors, count: int, ids: Sequence[str] | None = None
    ) -> dict[int, float]:
        with _errors_of_chroma():
            answer = self._opened.query(
                query_embeddings=vector[np.newaxis, :],
                n_results=count,
                ids=ids,
                include=["distances"],
            )
        return dict(zip(map(int, answer["ids"][0]), answer["distances"][0], strict=True))


def _open(stored_as: str) -> Any:
    with _lock, _errors_of_chroma():
        return _client().get_or_create_collection(
            stored_as,
            configuration={"hnsw": {"space": "cosine", "ef_search": SEARCH_EFFORT}},
            embedding_function=None,
        )


def _release(stored_as: str) -> None:
    with _lock:
        _users[stored_as] -= 1
        if _users[stored_as] == 0:
            del _users[stored_as]
            # A collection that cannot be deleted costs memory and harms nobody.
            with suppress(IndexUnavailableError), _errors_of_chroma():
                _client().delete_collection(stored_as)


@cache
def _client() -> Any:
    import chromadb
    from chromadb.config import Settings

    return chromadb.EphemeralClient(Settings(anonymized_telemetry=False))


@contextmanager
def _errors_of_chroma() -> Iterator[None]:
    """Whatever ChromaDB raises becomes an error of ours."""
    try:
        from chromadb.errors import ChromaError
    except ImportError as error:
        raise IndexUnavailableError("search.chromadb_missing") from error
    try:
        yield
    except (ChromaError, LookupError, OSError, RuntimeError, TypeError, ValueError) as error:
        reason = str(error) or type(error).__name__
        raise IndexUnavailableError("search.chromadb_failed", reason=reason) from error
