"""A need as a heading: what it says without its verb and without what goes elsewhere."""

import re

from toolsearch_core.providers.rehearsal.leftover import KOREAN_PASSING
from toolsearch_core.providers.rehearsal.lexicon import (
    bare_korean,
    is_verb,
    korean_actions,
    word_set,
)
from toolsearch_core.providers.rehearsal.literals import has_mask
from toolsearch_core.providers.rehearsal.needs import Need
from toolsearch_core.providers.rehearsal.phrasing import without_phrases
from toolsearch_core.providers.rehearsal.values import Values

MAX_HEADING_CHARS = 80
ABOUT = re.compile(
    r"\b(?:about|regarding|concerning|containing|mentioning|matching|on the topic of)\s+(.+)$"
)
_BACK = re.compile(r"\b(?:(?:from|for|of|to|with|on|in)\s)?(?:it|them|this|that|there)\b\s?")
_ELSEWHERE = ("email", "date", "time", "datetime", "channel", "mention")
"""Kinds of value that have a property of their own, so that no heading repeats them."""
_LOOSE = re.compile(r"\s+(?:to|on|at|for|with|in|by|of|and)\s*$|^(?:to|for|with)\s+", re.IGNORECASE)


def told_heading(need: Need) -> str:
    """What another sentence tells, as a heading, unless it holds a value of its own."""
    told = "" if has_mask(need.told) else need.told.strip()
    return told[:1].upper() + told[1:MAX_HEADING_CHARS].rstrip(" .,")


def heading(values: Values) -> str:
    """A need without its verb; what a pronoun stands for in its place."""
    need = values.need
    if need.language == "ko" and (korean := _korean_heading(need)):
        return korean
    text = without_phrases(ABOUT.sub("", need.masked), need.language)
    for value in need.source.inside(text):
        if value.kind in _ELSEWHERE or value == values.repository():
            text = re.sub(rf"(?:\b(?:to|on|at|for|with|in|by|of)\s+)?{value.mask}", "", text)
    clause = need.source.shown(text).strip() or need.source.shown(need.masked).strip()
    first, _, rest = clause.partition(" ")
    made = _BACK.sub("", rest if is_verb(first) and rest else clause)
    made = _LOOSE.sub("", re.sub(r"\s+", " ", made).strip())
    if need.about and made != rest:
        made = f"{' '.join(need.about)} {made}"
    made = re.sub(r"^(?:an?|the|new)\s+", "", made.strip()) or clause
    return made[:1].upper() + made[1:MAX_HEADING_CHARS].rstrip(" .,")


def _korean_heading(need: Need) -> str:
    """The nouns of a Korean need, without its values and its verb."""
    words = re.findall(r"\S+", re.sub(r"[.,?!]", " ", need.masked))
    kept = [
        word
        for word in words
        if bare_korean(word) not in word_set("korean_request")
        and bare_korean(word) not in KOREAN_PASSING
        and not korean_actions(bare_korean(word))
        and not any(value.kind in _ELSEWHERE for value in need.source.inside(word))
    ]
    plain = " ".join([*kept[:-1], *map(bare_korean, kept[-1:])])
    return need.source.shown(plain)[:MAX_HEADING_CHARS]
