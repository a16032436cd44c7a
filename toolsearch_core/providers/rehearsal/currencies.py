"""Currencies that a need names, as codes: `250 euros`, `Japanese yen`, `엔화`, `USD`."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from toolsearch_core.providers.rehearsal.lexicon import bare_korean, table
from toolsearch_core.providers.rehearsal.needs import Need

CACHED_NEEDS = 256
_NOT_ALONE = frozenset("won real dong try".split())
"""Names that are everyday words as well, so they count beside an amount only."""
_WORD = re.compile(r"[\ue000-\ue0ff]|[A-Za-z]+|[가-힣]+")
_UNIT = re.compile(r"[A-Za-z]+|[가-힣]+|[$€£₩¥]")


@lru_cache(maxsize=CACHED_NEEDS)
def currencies_of(need: Need) -> tuple[str, ...]:
    """The codes, each once: that of an amount first, then in the order of the text."""
    amounts: list[str] = []
    words: list[str] = []
    for word in _WORD.findall(need.masked):
        found = need.source.inside(word)
        if found:
            units = _UNIT.findall(found[0].text) if found[0].kind == "money" else []
            amounts += [code for unit in units if (code := _code(unit))]
        elif code := _code(word, alone=True):
            words.append(code)
    return tuple(dict.fromkeys([*amounts, *words]))


def _code(word: str, *, alone: bool = False) -> str:
    """The code of a currency by its code or name; empty for any other word."""
    if word.isupper() and word in _names().values():
        return word
    lower = word.lower()
    if alone and lower in _NOT_ALONE:
        return ""
    known = _names()
    return known.get(lower) or known.get(bare_korean(word)) or ""


@cache
def _names() -> Mapping[str, str]:
    return {name: code for code, names in table("currencies").items() for name in names.split()}
