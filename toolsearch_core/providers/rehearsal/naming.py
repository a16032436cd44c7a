"""Values that a question names: `branch fix/login`, `the main branch`, `subject "Lunch"`, `42번 이슈`."""

import re
from collections.abc import Sequence
from functools import lru_cache

from toolsearch_core.providers.rehearsal.lexicon import is_verb, korean_words, word_set
from toolsearch_core.providers.rehearsal.queries import is_empty_word
from toolsearch_core.providers.rehearsal.roles import nouns_of
from toolsearch_core.providers.rehearsal.values import Values
from toolsearch_core.text.tokens import name_words

CACHED_NOUNS = 2048
MASK = r"[\ue000-\ue0ff]"
_MOMENTS = ("date", "time", "datetime")
_TIMED = frozenset(("datetime", "time", "duration"))
_LINK = r"\s*(?:is|are|=|:|named|called|titled|id|key|number|#)?\s*"


def named_value(
    values: Values, name: str, roles: Sequence[str], also: Sequence[str] = ()
) -> str | None:
    """The value that stands beside the property's name in the need; `None` when none does.

    Args:
        values: the values of the need.
        name: the property.
        roles: what it is for.
        also: further nouns by which it may go.
    """
    nouns = tuple(dict.fromkeys((*nouns_of(name), *also)))
    if values.need.language == "ko" and (value := _in_korean(values, nouns, roles)):
        return value
    said = values.need.masked.lower()
    for noun in nouns:
        called = re.search(rf"\b{re.escape(noun)} (?:called|named) (\S+)", said)
        # Of `create a branch called x`, x is the branch, and not the `from_branch`.
        if called and name_words(name)[:1] == noun.split()[:1]:
            word = values.need.masked[called.start(1) : called.end(1)].rstrip(",.?!")
            if value := as_value(values, word, roles, plain=True):
                return value
        if noun not in said:
            continue
        pattern_after, pattern_before, pattern_behind = _beside(noun)
        behind = pattern_behind.search(values.need.masked)
        if (
            behind
            and noun in word_set("named_before")
            and (value := as_value(values, behind[1], roles, plain=True))
        ):
            return value
        after = pattern_after.search(values.need.masked)
        if after:
            # `in the namespace prod`: at the end of a clause a plain word is a name too.
            last = noun in word_set("named_before") and not values.need.masked[after.end() :].strip(
                " .?!"
            )
            value = as_value(values, after[1], roles, plain=last)
            if value:
                return value
        before = pattern_before.search(values.need.masked)
        if before and (noun in word_set("named_before") or is_mask(before[1])):
            value = as_value(values, before[1], roles, plain=True)
            if value:
                return value
    return None


@lru_cache(maxsize=CACHED_NOUNS)
def _beside(noun: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What finds a value behind a noun, before it, and behind it in a phrase: `on branch develop of`."""
    word = re.escape(noun)
    return (
        re.compile(rf"\b{word}s?\b{_LINK}({MASK}|[A-Za-z0-9][\w./-]*)", re.IGNORECASE),
        re.compile(rf"({MASK}|[A-Za-z][\w.-]*)\s+{word}\b"),
        re.compile(
            rf"\b(?:on|in|from|to|with|under|at|of)\s+(?:the\s+)?{word}\s+([A-Za-z0-9][\w./-]*)"
            r"(?=\s+(?:of|in|on|from|for|with|by|to|at|and|since|until)\b|\s*[,.?!]|\s*$)",
            re.IGNORECASE,
        ),
    )


@lru_cache(maxsize=CACHED_NOUNS)
def _beside_korean(noun: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    word = re.escape(noun)
    return (
        re.compile(rf"({MASK}|[A-Za-z][\w.-]*)\s*번?\s*{word}"),
        re.compile(rf"{word}(?:은|는|이|가|:)?\s*({MASK}|[A-Z][\w.-]*)"),
    )


def as_value(values: Values, word: str, roles: Sequence[str], *, plain: bool = False) -> str | None:
    """A masked value of a fitting kind, or a word that can be a name.

    Args:
        values: the values of the need.
        word: a mask, or a word.
        roles: what the property is for.
        plain: take a plain word too, not only one that looks like a name.
    """
    if is_mask(word):
        found = values.need.source.inside(word)[0]
        foreign = found.kind in ("email", "url") and found.kind not in roles
        foreign = foreign or (found.kind in _MOMENTS and _TIMED.isdisjoint(roles))
        halved = found.kind == "pair" and ("owner" in roles or "repo" in roles)
        return None if found.mask in values.taken or foreign or halved else values.give(found)
    lower = word.lower()
    if is_empty_word(lower) or lower in word_set("no_names") or lower in word_set("links"):
        return None
    if plain:
        return None if is_verb(lower) else word
    distinct = any(mark.isdigit() or mark in "-_/." for mark in word) or word[0].isupper()
    return word if distinct else None


def is_mask(word: str) -> bool:
    """Whether this is one masked value."""
    return re.fullmatch(MASK, word) is not None


def _in_korean(values: Values, nouns: Sequence[str], roles: Sequence[str]) -> str | None:
    for korean in korean_words([noun for noun in nouns if " " not in noun]):
        for pattern in _beside_korean(korean) if korean in values.need.masked else ():
            match = pattern.search(values.need.masked)
            if match and (value := as_value(values, match[1], roles, plain=True)):
                return value
    return None
