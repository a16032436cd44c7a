"""Vectors by the digest of encoder and text: none is computed twice in a process."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from threading import Lock

import numpy as np

from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.jsonvalues import digest
from toolsearch_core.protocols import Encoder, Vectors

BATCH = 16
"""Texts per call to the encoder: progress is told and a search gets its turn after each."""

_WHAT_LIBRARIES_RAISE = (
    ArithmeticError,
    AttributeError,
    ImportError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


class Turns:
    """A lock whose holders follow each other in the order they came.

    With an ordinary lock a thread that encodes batch after batch takes the lock again before a waiting
    search wakes up, which then waits for the whole catalog.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._taken = False
        self._waiting: deque[Lock] = deque()

    def __enter__(self) -> None:
        with self._lock:
            if not self._taken:
                self._taken = True
                return
            mine = Lock()
            mine.acquire()
            self._waiting.append(mine)
        mine.acquire()  # released by whoever holds the turn before

    def __exit__(self, *exception: object) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False


class VectorCache:
    """Keeps what encoders computed. Safe to use from several threads."""

    def __init__(self, capacity: int = 50_000) -> None:
        """Start empty.

        Args:
            capacity: how many vectors are kept; the oldest go first. 50,000 of the default encoder
                take 100 MB.
        """
        self._capacity = capacity
        self._vectors: dict[str, Vectors] = {}
        self._lock = Lock()
        self._turns: dict[str, Turns] = {}

    def encode(
        self,
        encoder: Encoder,
        texts: Sequence[str],
        on_progress: Callable[[int], None] = lambda done: None,
    ) -> Vectors:
        """The vectors of the texts, shape (len(texts), dim).

        Args:
            encoder: asked only for the texts it has not seen.
            texts: may repeat themselves.
            on_progress: told how many texts are done, after each batch; may raise to stop.

        Raises:
            IndexUnavailableError: the encoder cannot be used, or answers nonsense.
        """
        if not texts:
            return np.zeros((0, encoder.dim), dtype=np.float32)
        keys = [digest(encoder.id, text) for text in texts]
        with self._lock:
            rows = {key: self._vectors[key] for key in keys if key in self._vectors}
            turns = self._turns.setdefault(encoder.id, Turns())
        unknown = {key: text for key, text in zip(keys, texts, strict=True) if key not in rows}
        left = len(unknown)
        for batch in _batches(unknown.items()):
            with turns:  # what another thread computed meanwhile is taken from it
                rows.update(self._encode_unknown(encoder, dict(batch)))
            left -= len(batch)
            on_progress(len(texts) - left)
        return np.stack([rows[key] for key in keys])

    def _encode_unknown(self, encoder: Encoder, texts: dict[str, str]) -> dict[str, Vectors]:
        with self._lock:
            rows = {key: self._vectors[key] for key in texts if key in self._vectors}
        unknown = [key for key in texts if key not in rows]
        if unknown:
            vectors = _encode(encoder, [texts[key] for key in unknown])
            rows.update(zip(unknown, vectors, strict=True))
            with self._lock:
                self._vectors.update(rows)
                surplus = max(0, len(self._vectors) - self._capacity)
                for key in list(islice(self._vectors, surplus)):
                    del self._vectors[key]
        return rows


def _batches(items: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    iterator = iter(items)
    while batch := list(islice(iterator, BATCH)):
        yield batch


def _encode(encoder: Encoder, texts: list[str]) -> Vectors:
    """Ask the encoder; whatever goes wrong in a foreign library becomes an error of ours."""
    try:
        vectors = np.asarray(encoder.encode(texts), dtype=np.float32)
    except _WHAT_LIBRARIES_RAISE as error:
        reason = str(error) or type(error).__name__
        raise IndexUnavailableError(
            "search.encoder_failed", encoder=encoder.id, reason=reason
        ) from error
    if vectors.shape != (len(texts), encoder.dim) or not np.isfinite(vectors).all():
        raise IndexUnavailableError(
            "search.encoder_answered_nonsense",
            encoder=encoder.id,
            expected=f"{len(texts)} x {encoder.dim}",
            got=" x ".join(map(str, vectors.shape)),
        )
    return vectors
