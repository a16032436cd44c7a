"""Tokens of a text by a published vocabulary, remembered by the digest of the text.

The vocabulary is the older Claude one inside the package `anthropic-tokenizer`. Of that package only
the compiled, local part is used; its `ApiTokenizer`, which asks a service, is never touched.
"""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import blake2b

MAX_COUNTED_CHARS = 200_000
"""A longer text is counted up to here and scaled by its length: a million characters take half a second."""

_OTHER_SCRIPT = re.compile(r"[^\x00-\u024f]+(?:[\s.,]+[^\x00-\u024f]+)*")


class TextCounts:
    """Counts of texts, the least recently used forgotten first. Safe to share between threads."""

    def __init__(self, max_texts: int = 20_000) -> None:
        self._max_texts = max_texts
        self._known: OrderedDict[bytes, tuple[int, int]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, text: str) -> bool:
        return _key(text) in self._known

    def count(
        self, text: str, pieces: Callable[[], Iterable[str]] | None = None
    ) -> tuple[int, int]:
        """Tokens in Latin script (with digits and punctuation), and tokens in other scripts.

        Args:
            text: what is counted.
            pieces: gives the text in pieces that other texts hold too; an unknown text is then
                counted piece by piece, which is off by a token at a seam and several times faster.
        """
        if not text:
            return (0, 0)
        key = _key(text)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        # Outside the lock: a long text must not hold up the others.
        counted = _counted(text) if pieces is None else self._sum(pieces())
        with self._lock:
            self._known[key] = counted
            if len(self._known) > self._max_texts:
                self._known.popitem(last=False)
        return counted

    def _sum(self, pieces: Iterable[str]) -> tuple[int, int]:
        counted = [self.count(piece) for piece in pieces]
        return (sum(latin for latin, _ in counted), sum(other for _, other in counted))


@cache
def shared_text_counts() -> TextCounts:
    """The one memory of this process."""
    return TextCounts()


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _counted(text: str) -> tuple[int, int]:
    head = text[:MAX_COUNTED_CHARS].encode("utf-8", "replace").decode()
    total = _vocabulary()(head)
    other = 0
    if not head.isascii():
        other = min(total, _vocabulary()(" ".join(_OTHER_SCRIPT.findall(head))))
    scale = len(text) / len(head)
    return (round((total - other) * scale), round(other * scale))


@cache
def _vocabulary() -> Callable[[str], int]:
    # Loading the vocabulary takes 0.15 s, which a page that counts nothing need not wait for.
    from anthropic_tokenizer import count_tokens

    counter: Callable[[str], int] = count_tokens
    return counter
