"""The two ends that a need names: `from A to B`, `to B from A`, `A에서 B까지`."""

import re
from functools import lru_cache

from toolsearch_core.providers.rehearsal.lexicon import gloss
from toolsearch_core.providers.rehearsal.literals import has_mask
from toolsearch_core.providers.rehearsal.needs import Need
from toolsearch_core.text.tokens import name_words

CACHED_NEEDS = 256
MAX_END_WORDS = 6
_MASKED = re.compile("[\ue000-\ue0ff]")
_STOP = r"(?=\s+(?:by|via|on|at|with|using|for|and|in|today|tomorrow|now|please|tonight)\b|[,.?!;]|\s*$)"
_FROM_TO = re.compile(rf"\bfrom\s+(.+?)\s+(?:in)?to\s+(.+?){_STOP}", re.IGNORECASE)
_TO_FROM = re.compile(rf"\b(?:in)?to\s+(.+?)\s+from\s+(.+?){_STOP}", re.IGNORECASE)
_FROM = re.compile(rf"\bfrom\s+(.+?)(?:\s+(?:in)?to\s|{_STOP})", re.IGNORECASE)
_TO = re.compile(rf"(?<!how )\bto\s+(.+?)(?:\s+from\s|{_STOP})", re.IGNORECASE)
_KOREAN = re.compile(
    r"(?:^|\s)(\S[^,.?!]*?)(?:에서|부터)\s+(\S[^,.?!]*?)(?:(?:까지|으로|로)(?=\s|$)|(?:에)?(?=\s+가[는고려]))"
)
_AROUND = re.compile(
    r"^(?:(?:the|an?|my|our|branch|station|stop|city|currency)\s+)+(?=\S)|\s+(?:branch|브랜치|currency)$",
    re.IGNORECASE,
)
_TIMES = frozenset("now today tomorrow yesterday current".split())
STARTS = frozenset("from origin source departure pickup head start".split())
TARGETS = frozenset("to destination dest target arrival dropoff base end".split())
"""Words of names for where it ends."""


def end_for(need: Need, name: str) -> str | None:
    """The end that a property is for, as it is said; `None` when it is for none or the need has none.

    Args:
        need: what is asked.
        name: the property: `origin`, `from_station`, `destination`, `to`, `head`, `base`.
    """
    words = set(name_words(name))
    start, end = ends_of(need)
    if words & STARTS and not words & TARGETS:
        return start
    return end if words & TARGETS and not words & STARTS else None


@lru_cache(maxsize=CACHED_NEEDS)
def ends_of(need: Need) -> tuple[str | None, str | None]:
    """Where it starts and where it ends, values put back; `None` for an end that is not said."""
    text = need.masked
    if need.language == "ko":
        match = _KOREAN.search(text)
        if match is None:
            return None, None
        return _plain(need, _without_times(match[1])), _plain(need, match[2])
    if match := _FROM_TO.search(text):
        return _plain(need, match[1]), _plain(need, match[2])
    if match := _TO_FROM.search(text):
        return _plain(need, match[2]), _plain(need, match[1])
    start, end = _FROM.search(text), _TO.search(text)
    return _named(need, start), _named(need, end)


def without_ends(text: str) -> str:
    """A masked English text without its two ends, as they are values."""
    return _FROM_TO.sub(" ", text)


def _named(need: Need, match: re.Match[str] | None) -> str | None:
    """A lone end has to look like a name, since `to` and `from` stand before much else."""
    if match is None:
        return None
    part = _AROUND.sub("", match[1])
    return _plain(need, match[1]) if has_mask(part) or part[:1].isupper() else None


def _plain(need: Need, part: str) -> str | None:
    part = _AROUND.sub("", _without_moments(need, part).strip())
    if need.language == "ko":
        # What stands around a value says what kind of thing it is: `main 브랜치`.
        part = next((word for word in part.split() if _MASKED.fullmatch(word)), part)
    part = need.source.shown(part).strip(" \"'")
    return part if part and len(part.split()) <= MAX_END_WORDS else None


def _without_moments(need: Need, part: str) -> str:
    """`Busan next Monday` is Busan; the day is a value of its own."""
    for found in need.source.inside(part):
        if found.kind in ("date", "time", "datetime"):
            part = part.replace(found.mask, " ")
    return part


def _without_times(part: str) -> str:
    """`지금 강남역` is Gangnam station, now."""
    words = part.split()
    while len(words) > 1 and _TIMES & set(gloss(words[0]).split()):
        words.pop(0)
    return " ".join(words[-3:])
