"""Words as search sees them: `tokenize` is the only tokeniser of the library.

A text is brought to one form (NFKC, accents of Latin, Greek and Cyrillic letters folded), identifiers
are taken apart at case, acronym, digit and punctuation boundaries, words are case-folded and stemmed.
Scripts that write without spaces become pairs of characters.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from threading import Lock
from typing import NamedTuple

import snowballstemmer

from toolsearch_core.text.stop_words import STOP_WORDS

MAX_WORD_CHARS = 100
"""Longer runs are no words (encoded data, say); the rest of the run is dropped."""

_UPPER = "A-Z\u0391-\u03a9\u0400-\u042f"
_LOWER = "a-z\u03b1-\u03c9\u0430-\u045f"
_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Han, kana, Hangul, and Thai, Lao, Burmese and Khmer.
_UNSPACED = (
    f"{_HAN}\u3040-\u30ff\u31f0-\u31ff\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
    "\u0e01-\u0e4e\u0e80-\u0eff\u1000-\u109f\u1780-\u17d3"
)
# Points and vowel signs of Hebrew, Arabic and the Indic scripts, which `\w` leaves out.
_MARKS = "\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff"

_LETTER = rf"(?:[^\W{_UNSPACED}]|[{_MARKS}])"
_RUN = re.compile(rf"\b[A-Za-z](?:\+\+|#)(?!\w)|[{_UNSPACED}]+|{_LETTER}+(?:[-.]{_LETTER}+)*")
_PART = re.compile(
    rf"[{_UPPER}]{{2,}}s(?![{_LOWER}])"  # the plural of an acronym: URLs
    rf"|[{_UPPER}]+(?![{_LOWER}])"  # an acronym, up to the capital that begins the next word
    rf"|[{_UPPER}]?[{_LOWER}]+"
    r"|\d+"
    rf"|[^\d_.\-{_UPPER}{_LOWER}]+"
)
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_IS_HAN = re.compile(f"[{_HAN}]")
_IS_CYRILLIC = re.compile("[\u0400-\u045f]")

# Accents of Latin, Greek and Cyrillic, and the optional points of Hebrew and Arabic.
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05bd\u064b-\u065f]+")
_LETTERS = str.maketrans(
    {
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
        "ı": "i",
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
    }
)
_CONTRACTION = re.compile(r"(?<=\w)['’](?:s|t|m|d|re|ve|ll)\b", re.IGNORECASE)

_stemmers = {name: snowballstemmer.stemmer(name) for name in ("english", "russian")}
_stemming = Lock()


class Token(NamedTuple):
    """One searchable unit of a text."""

    term: str
    """What is compared: case-folded and stemmed."""
    surface: str
    """The word as it stands in the text, after folding of accents."""
    joined: bool = False
    """A whole identifier beside its parts, or two neighbouring words written as one."""


def tokenize(text: str) -> list[Token]:
    """The tokens of a text in their order; a whole identifier follows its parts.

    `getHTTPResponse2` gives get, http, respons, 2 and the joined gethttpresponse2.
    """
    tokens: list[Token] = []
    for run in _RUN.findall(_one_form(text)):
        parts = _parts(run)
        tokens += [token for part in parts for token in _tokens_of(part)]
        if len(parts) > 1:
            tokens.append(_joined(parts))
    return tokens


def neighbours(text: str) -> list[Token]:
    """Each two neighbouring words of a text as one: `to do` also means todo, `file_system` filesystem."""
    parts = [part for run in _RUN.findall(_one_form(text)) for part in _parts(run)]
    return [
        _joined([first, second])
        for first, second in pairwise(parts)
        if not (_IS_UNSPACED.match(first) or _IS_UNSPACED.match(second))
    ]


def name_words(text: str) -> list[str]:
    """The words of a name, case-folded and not stemmed: `listIssues` is list and issues."""
    return [part.casefold() for run in _RUN.findall(_one_form(text)) for part in _parts(run)]


def is_stop_word(token: Token) -> bool:
    """Whether the token is an English word without content."""
    return token.surface.casefold() in STOP_WORDS


def _one_form(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    if not text.isascii():
        text = _ACCENTS.sub("", unicodedata.normalize("NFD", text)).translate(_LETTERS)
        text = unicodedata.normalize("NFC", text)
    return _CONTRACTION.sub("", text)


def _parts(run: str) -> list[str]:
    if run.endswith(("#", "+")) or _IS_UNSPACED.match(run):
        return [run]
    return [part[:MAX_WORD_CHARS] for part in _PART.findall(run)]


def _tokens_of(part: str) -> Iterator[Token]:
    if not _IS_UNSPACED.match(part):
        yield Token(_stem(part.casefold()), part)
        return
    if len(part) == 1 or _IS_HAN.match(part):
        yield from (Token(character, character) for character in part)
    yield from (Token(part[i : i + 2], part[i : i + 2]) for i in range(len(part) - 1))


def _joined(parts: list[str]) -> Token:
    surface = "".join(parts)[:MAX_WORD_CHARS]
    return Token(_stem(surface.casefold()), surface, True)


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    language = "russian" if _IS_CYRILLIC.match(word) else "english"
    with _stemming:  # a stemmer works on its own state
        stem: str = _stemmers[language].stemWord(word)
    return stem
