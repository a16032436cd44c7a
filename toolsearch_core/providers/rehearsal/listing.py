"""Things that a need lists: `leeks, onions and potatoes`, `Mina and Jonas`, `대파랑 감자로`."""

import re

from toolsearch_core.providers.rehearsal.lexicon import bare_korean, is_verb, word_set
from toolsearch_core.providers.rehearsal.needs import Need
from toolsearch_core.providers.rehearsal.queries import is_empty_word

MAX_ITEM_WORDS = 3
MAX_ITEMS = 12
_PIECE = re.compile(r"[\ue000-\ue0ff]|[^\W_][\w'-]*|,")
_KOREAN_LINK = r"(?:이랑|랑|하고|와|과|및|,)"
_KOREAN_ITEM = r"(?:[가-힣]{2,}?|[A-Za-z][\w-]*)"
_KOREAN_LIST = re.compile(
    rf"(?<!\S)({_KOREAN_ITEM}(?:\s?{_KOREAN_LINK}\s*{_KOREAN_ITEM})*\s?{_KOREAN_LINK}\s+)"
    r"([가-힣A-Za-z][\w-]*)"
)


def listed(need: Need) -> list[str]:
    """The members of the first list of two or more, without articles; empty when there is none."""
    found = _korean(need.masked) if need.language == "ko" else _english(need.masked)
    return [text for item in found[:MAX_ITEMS] if (text := need.source.shown(item).strip())]


def _english(text: str) -> list[str]:
    words = _PIECE.findall(text)
    words = words[1:] if words and is_verb(words[0]) else words
    for place, word in enumerate(words):
        if word.lower() not in ("and", "or") or not 0 < place < len(words) - 1:
            continue
        last = _run(words[place + 1 :])
        before: list[str] = []
        left = place
        while left > 0:
            if words[left - 1] == ",":
                left -= 1
            item = _run(words[:left][::-1])
            if not item:
                break
            before.insert(0, " ".join(reversed(item)))
            left -= len(item)
            if left == 0 or words[left - 1] != ",":
                break
        if before and last:
            return [*before, " ".join(last)]
    return []


def _run(words: list[str]) -> list[str]:
    """The words of one member, up to a word that cannot be a part of it."""
    run: list[str] = []
    for word in words[:MAX_ITEM_WORDS]:
        lower = word.lower()
        stops = lower in ("and", "or", "both", "all", ",") or lower in word_set("prepositions")
        if stops or is_empty_word(lower) or (is_verb(lower) and word[0].islower()):
            break
        run.append(word)
    return run


def _korean(text: str) -> list[str]:
    match = _KOREAN_LIST.search(text)
    if match is None:
        return []
    items = re.split(rf"\s?{_KOREAN_LINK}\s+|\s*,\s*", match[1])
    return [*(item for item in items if item), bare_korean(match[2])]
