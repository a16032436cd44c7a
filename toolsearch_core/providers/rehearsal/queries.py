"""How a need is worded as a search: the action and the thing, without the values that it is about."""

import re
from collections.abc import Sequence
from functools import lru_cache

from toolsearch_core.providers.rehearsal.currencies import currencies_of
from toolsearch_core.providers.rehearsal.lexicon import (
    ActionKind,
    bare_korean,
    gloss,
    is_verb,
    korean_verbs,
    table,
    word_set,
)
from toolsearch_core.providers.rehearsal.literals import Found, LiteralKind, has_mask
from toolsearch_core.providers.rehearsal.needs import Need
from toolsearch_core.providers.rehearsal.phrasing import without_phrases
from toolsearch_core.providers.rehearsal.spans import without_ends
from toolsearch_core.text.tokens import name_words

MAX_QUERY_WORDS = 18
CACHED_NEEDS = 256

_LOOKS = frozenset("get show display see view check".split())
_MEANS: dict[LiteralKind, str] = {
    "path": "file",
    "key": "issue",
    "range": "cells",
    "channel": "channel",
    "url": "url",
}
"""What a value says about its clause, for the search."""
_NAMED = re.compile(
    r"\b(?:titled|entitled|called|named)\s+(?:[\ue000-\ue0ff]|(?:[A-Z][\w'-]*)(?:\s[A-Z][\w'-]*)*|\S+)"
)
_ASIDE = re.compile(r"\b(?:saying|asking|telling|that says|which says|with the text)\b.*$")
_SQL = re.compile(r"\s*(?:select|insert|update|delete|create|alter|with)\s", re.IGNORECASE)
_STATE = re.compile(
    r"(?<=\s)(?:currently |still )?(?:open|opened|closed|unread|merged|active|pending)\b"
    r"(?!\s+(?:at|now|right))",
    re.IGNORECASE,
)
_CONTAINER = re.compile(
    r"\s(?:of|in|from|on|for)\s+(?:the\s+|my\s+|our\s+)?(project|repository|repo|workspace|organi[sz]ation|org"
    r"|account|namespace|cluster|group)\s+(?:[\ue000-\ue0ff]|(?-i:[A-Z]\w*)"
    r"|\w+(?=\s*$|\s+(?:with|and|that|by|for|of|in|on|at)\b))",
    re.IGNORECASE,
)
_TOPIC = re.compile(r"\s(?:about|regarding|concerning|containing|mentioning|matching)\b.*$")
_WORD = re.compile(r"[\ue000-\ue0ff]|[^\W_](?:[\w.'’-]*\w)?")
_VALUE_IN_KOREAN = re.compile(
    r"[\ue000-\ue0ff](?:(?:이?라는|이?란)\s*(?:제목|이름|내용)(?:으로|의)?|이?라는|이?라고|이?라?면|[을를은는이가에의로])?"
)
_WHERE_IN_KOREAN = re.compile(
    r"(?:[A-Za-z][\w-]*|(?<=\s)|^)\s*(?:프로젝트|저장소|채널|스페이스|조직|팀|폴더|클러스터|네임스페이스)(?:에서|에|의)\s"
)
_TOPIC_IN_KOREAN = re.compile(
    r"\S{1,30}(?:에|을|를)\s(?:대해서?|대한|관해서?|관한|관련된?)(?=\s)"
    r"|(?:\S{1,30}\s)?\S{1,30}(?:에게서|에게|한테서|한테|로부터)\s(?:온|받은|왔던)(?=\s)"
)
_POINTS_AT: tuple[LiteralKind, ...] = (
    "key",
    "pair",
    "path",
    "url",
    "channel",
    "email",
    "id",
    "hash",
)
"""Kinds of value that say what a clause is about."""
_CANONICAL: dict[ActionKind, str] = {
    "read": "get list",
    "create": "create write",
    "update": "update manage",
    "delete": "delete remove",
    "send": "send create",
    "run": "run execute",
}


@lru_cache(maxsize=CACHED_NEEDS)
def core_words(need: Need) -> tuple[str, ...]:
    """The words of a need that say which tool it wants, in order, values and politeness left out."""
    if len(currencies_of(need)) > 1:
        return ("통화", "변환") if need.language == "ko" else ("convert", "currency")
    if need.language == "ko":
        return _korean_words(need)
    spoken = without_ends(need.masked)
    spoken = spoken if _names_a_thing(_english_words(_reworded(spoken))) else need.masked
    clause = _ASIDE.sub("", _NAMED.sub(" ", _reworded(spoken)))
    shorter = without_phrases(clause, "en")
    if _names_a_thing(_english_words(shorter)):
        clause = shorter
    if need.actions[:1] == ("read",):
        clause = _without_filters(clause)
    shorter = _TOPIC.sub("", clause)
    if _names_a_thing(_english_words(shorter)):
        clause = shorter
    words = [*_english_words(_hinted(need, clause)), *_shared_hint(need), *need.about]
    if need.actions[:1] == ("send",) and any(
        found.kind == "email" for found in need.source.inside(need.masked)
    ):
        words.append("email")
    elif need.actions[:1] == ("send",) and _to_channel(need):
        words.append("message")
    if words and words[0] in _LOOKS and any(is_plural(word) for word in words[1:]):
        words[0] = "list"
    return tuple(dict.fromkeys(words))


def _to_channel(need: Need) -> bool:
    return any(found.kind == "channel" for found in need.source.inside(need.masked))


def _names_a_thing(words: Sequence[str]) -> bool:
    """Whether words say more than a verb: `send email` does, where email is a noun."""
    return any(
        (place or not is_verb(word)) and word not in word_set("vague")
        for place, word in enumerate(words)
    )


def is_plural(word: str) -> bool:
    """Whether an English noun looks like several."""
    return (
        word not in word_set("no_plurals")
        and len(word) > 3
        and word[0].islower()
        and word.lower().endswith("s")
        and not word.lower().endswith(("ss", "us", "is"))
    )


def container_words(need: Need) -> tuple[str, ...]:
    """What the thing that is read stands in: `project`, of `issues in project PAY`."""
    if need.language == "ko" or need.actions[:1] != ("read",):
        return ()
    return tuple(match[1].lower() for match in _CONTAINER.finditer(need.masked))


def _without_filters(clause: str) -> str:
    """What is read, without which ones: states and containers are arguments of the tool that reads."""
    for pattern in (_STATE, _CONTAINER):
        shorter = pattern.sub(" ", clause)
        if any(not is_verb(word) for word in _english_words(shorter)):
            clause = shorter
    return clause


def _reworded(clause: str) -> str:
    """Ways of speaking put into the words that tools are described with."""
    for rule in table("rewording"):
        flags = re.NOFLAG if rule.get("case") else re.IGNORECASE
        clause = re.sub(rule["when"], rule["put"], clause, flags=flags)
    return clause


def _hinted(need: Need, clause: str) -> str:
    """A clause with words in the place of those values that say something about the tool."""
    for found in need.source.inside(clause):
        if hint := _hint(found):
            clause = clause.replace(found.mask, f" {hint} ")
    return clause


def _hint(found: Found) -> str:
    if found.kind == "quote" and _SQL.match(found.text):
        return "SQL"
    if found.kind == "path" and "." not in found.text.rpartition("/")[2]:
        return "directory"
    return _MEANS.get(found.kind, "")


def _shared_hint(need: Need) -> tuple[str, ...]:
    """`... and leave a comment`, on the issue that the clause before is about."""
    mine = need.source.inside(need.masked)
    keys = any(found.kind == "key" for found in need.source.found)
    return ("issue",) if keys and not any(found.kind in _POINTS_AT for found in mine) else ()


@lru_cache(maxsize=CACHED_NEEDS)
def first_query(need: Need) -> str:
    """The words for the first search; Korean ones followed by their English. For a named tool, its name."""
    if need.tool:
        return need.tool
    words = [*core_words(need)]
    words += [word for said in words for word in _plainer(said).split()]
    if need.language == "ko":
        words += gloss(said_in_korean(need)).split()
    return " ".join(dict.fromkeys(words[:MAX_QUERY_WORDS])) or need.text[:100]


def _plainer(word: str) -> str:
    """The word that tools use for an everyday one, several for several; empty when there is none."""
    plainer: dict[str, str] = table("plainer")
    lower = word.lower()
    if lower in plainer or not is_plural(lower):
        return plainer.get(lower, "")
    one = plainer.get(lower[:-1], "")
    return f"{one}s" if one and " " not in one else one


@lru_cache(maxsize=CACHED_NEEDS)
def second_query(need: Need) -> str:
    """Other words for the same: what the first search did not find may go by another name."""
    if need.tool:
        return " ".join(name_words(need.tool))
    words = list(core_words(need))
    if need.language == "ko":
        words = gloss(said_in_korean(need)).split() or words
    elif is_verb(words[0] if words else ""):
        words = words[1:]
    actions = _CANONICAL[need.actions[0]].split() if need.actions else []
    others = [_other_name(word) for word in words]
    kept = [word for word in (*actions, *others, *words) if word]
    return " ".join(dict.fromkeys(kept[:MAX_QUERY_WORDS])) or need.text[:100]


def is_empty_word(word: str) -> bool:
    """Whether a word says nothing about the thing that is wanted."""
    return word.lower() in word_set("empty") or word in word_set("korean_request")


def _english_words(clause: str) -> list[str]:
    kept: list[str] = []
    for word in reversed(_WORD.findall(clause)):
        lower = word.lower()
        if has_mask(word):
            if kept and kept[-1].lower() in word_set("prepositions"):
                kept.pop()
            kept.append("")
        elif lower in word_set("prepositions"):
            # Without the value that stood before or after it a preposition says nothing.
            kept += [word] if kept and kept[-1] else []
        elif not is_empty_word(lower):
            kept.append(word)
    words = [word for word in reversed(kept) if word]
    return [words[0].lower(), *words[1:]] if words else []


def _korean_words(need: Need) -> tuple[str, ...]:
    clause = _korean_clause(need)
    words = [bare_korean(word) for word in re.findall(r"[가-힣]+|[A-Za-z][\w-]*", clause)]
    kept = [word for word in words if word not in word_set("korean_request")]
    things = [word for word in kept if not _is_korean_request(word)]
    hints = [
        _MEANS[found.kind] for found in need.source.inside(need.masked) if found.kind in _MEANS
    ]
    return tuple(dict.fromkeys([*(things or kept), *hints, *need.about]))


def said_in_korean(need: Need) -> str:
    """The Korean that says what a Korean need wants, with what a pronoun in it means."""
    if len(currencies_of(need)) > 1:
        return "통화 변환"
    return " ".join((_korean_clause(need), *need.about))


def _korean_clause(need: Need) -> str:
    """A Korean clause without values, and without where its thing stands: `PROJ 프로젝트에`."""
    told = without_phrases(need.masked, "ko") if need.actions[:1] == ("read",) else ""
    clause = _reworded(_VALUE_IN_KOREAN.sub(" ", told if gloss(told) else need.masked))
    shorter = _WHERE_IN_KOREAN.sub(" ", _TOPIC_IN_KOREAN.sub(" ", clause))
    return shorter if gloss(shorter) else clause


def _is_korean_request(word: str) -> bool:
    """Whether a word is the verb of a request, such as `알려주고` or `만들어`."""
    return len(word) <= 5 and any(word.startswith(verb) for verb in korean_verbs())


def _other_name(word: str) -> str:
    """Another name of a thing by the table of synonyms; empty when it has none."""
    for group in table("synonyms"):
        if word.lower() in group:
            return next((other for other in group if other != word.lower()), "")
    return ""
