"""An encoder without a model: words, and pairs and triples of letters, hashed into a short vector.

Deterministic over processes and machines and quick to start, for tests and for trying things out. It
knows spelling and no meaning.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence

import numpy as np

from toolsearch_core.protocols import Vectors

_WORD = re.compile(r"[^\W_]+")


class HashingEncoder:
    """Each word, and each pair and triple of its letters, adds plus or minus one at a hashed place."""

    def __init__(self, dim: int = 256) -> None:
        self._dim = dim

    @property
    def id(self) -> str:
        """Names the scheme and the length."""
        return f"hashing-{self._dim}"

    @property
    def dim(self) -> int:
        """The length of a vector."""
        return self._dim

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dim), float32, rows of unit length."""
        rows = np.zeros((len(texts), self._dim), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature in _features(text):
                hashed = hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=8)
                number = int.from_bytes(hashed.digest(), "big")
                row[(number >> 1) % self._dim] += 1.0 if number & 1 else -1.0
            norm = float(np.linalg.norm(row))
            if norm > 0:
                row /= norm
            else:  # nothing to hash, or everything cancelled out
                row[0] = 1.0
        return rows


def _features(text: str) -> Iterator[str]:
    letters = unicodedata.normalize("NFKD", text.casefold())
    without_accents = "".join(char for char in letters if not unicodedata.combining(char))
    for word in _WORD.findall(without_accents):
        yield word
        for size in (2, 3):
            yield from (word[i : i + size] for i in range(len(word) - size + 1))
