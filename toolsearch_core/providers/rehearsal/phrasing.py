"""Values that a participle or a phrase names: `labelled bug`, `assigned to jane`, `bug 라벨이 붙은`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from toolsearch_core.providers.rehearsal.lexicon import Language, table, word_set
from toolsearch_core.text.tokens import name_words

_MASK = r"[\ue000-\ue0ff]"
_ENDS = (
    r"(?:in|on|of|from|for|with|by|to|at|and|or|that|which|who|as|since|until|before|after|sorted|ordered|assigned"
    r"|labell?ed|tagged|titled|called|named|created|authored|written|opened|reported|please)\b"
)
_WORD = rf"(?:{_MASK}|(?!{_ENDS})[A-Za-z0-9@][\w./@+=:-]*)"
_VALUE = rf"{_WORD}(?:[ ]{_WORD}){{0,2}}"
_VALUES = rf"({_VALUE}(?:(?:,\s*and\s+|,\s*|\s+and\s+){_VALUE})*)(?=\s+{_ENDS}|\s*[,.?!;)]|\s*$)"
_KOREAN_VALUE = rf"({_MASK}|[A-Za-z0-9][A-Za-z0-9_./@+-]*|[가-힣]{{2,}}?)"
_TAIL = r"(?:의|(?:이|가|을|를|로|으로)?\s*(?:붙은|달린|있는|된|가진|지정된|인))?"
_APART = re.compile(r",\s*and\s+|,\s*|\s+and\s+")
_IDENTIFIERS = frozenset("id ids uid iid number key".split())
_ARTICLE = r"\s+(?:the |an? )?"


@dataclass(frozen=True, slots=True)
class _Phrase:
    """The ways of naming the value of properties of one kind."""

    names: frozenset[str]
    says: Mapping[Language, Sequence[re.Pattern[str]]]
    """What tells which things are meant, with the value in the first group."""
    adds: Mapping[Language, Sequence[re.Pattern[str]]]
    """What asks to give the thing the value: `label it bug`."""


def phrased(text: str, language: Language, name: str) -> list[str]:
    """What a masked text names for a property by a phrase, still masked; empty when it names nothing.

    Args:
        text: masked.
        language: of the text.
        name: the property; the words of its name say which phrases are for it.
    """
    parts = name_words(name)
    words = frozenset(parts)
    for phrase in _phrases():
        if words.isdisjoint(phrase.names):
            continue
        for pattern in (*phrase.says[language], *phrase.adds[language]):
            match = pattern.search(text)
            found = _values(match[1]) if match else []
            if parts[-1] in _IDENTIFIERS:
                # A name is no identifier.
                found = [value for value in found if re.search(rf"\d|{_MASK}", value)]
            if found:
                return found
    return []


def without_phrases(text: str, language: Language) -> str:
    """A masked text without the phrases that only tell which things are meant."""
    for phrase in _phrases():
        for pattern in phrase.says[language]:
            text = pattern.sub(" ", text)
    return text


def _values(said: str) -> list[str]:
    parts = [part.strip() for part in _APART.split(said)]
    return [part for part in parts if part and part.lower() not in _nobody()]


@cache
def _nobody() -> frozenset[str]:
    return word_set("empty") | word_set("no_names")


@cache
def _phrases() -> tuple[_Phrase, ...]:
    return tuple(
        _Phrase(
            frozenset(entry["names"].split()),
            {"en": tuple(_english(entry.get("en"))), "ko": tuple(_korean(entry))},
            {"en": tuple(_english(entry.get("adds"))), "ko": tuple(_korean_adds(entry))},
        )
        for entry in table("phrasing")
    )


def _english(words: str | None) -> Iterator[re.Pattern[str]]:
    if words:
        yield re.compile(rf"\b(?:{words}){_ARTICLE}{_VALUES}", re.IGNORECASE)


def _korean(entry: Mapping[str, str]) -> Iterator[re.Pattern[str]]:
    if nouns := entry.get("ko"):
        yield re.compile(rf"(?<!\S){_KOREAN_VALUE}\s*(?:{nouns}){_TAIL}(?=\s)")
    if by := entry.get("ko_by"):
        yield re.compile(rf"(?<!\S){_KOREAN_VALUE}(?:{by})\S*")


def _korean_adds(entry: Mapping[str, str]) -> Iterator[re.Pattern[str]]:
    if nouns := entry.get("ko"):
        yield re.compile(rf"(?<!\S)(?:{nouns})(?:을|를|은|는)?\s+{_KOREAN_VALUE}(?:으로|로)(?=\s)")
