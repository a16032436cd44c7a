"""The words the rehearsal model knows: actions, synonyms, Korean with its English, and its own phrases.

General vocabulary in tables, not the words of any catalog; what the tables lack, the encoder may know.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Literal, get_args

from toolsearch_core.text.tokens import is_stop_word, tokenize

ActionKind = Literal["read", "create", "update", "delete", "send", "run"]
ACTION_KINDS: tuple[ActionKind, ...] = get_args(ActionKind)
Language = Literal["en", "ko"]

_FOREIGN = re.compile(r"[\u0370-\u109f\u10a0-\u10ff\u1780-\u18af\u3040-\u30ff\u3400-\u9fff]")
"""Letters from Greek to Burmese, Georgian, Khmer, Mongolian, kana, and Chinese characters."""
_HANGUL = re.compile(r"[가-힣]")
_KOREAN_WORD = re.compile(r"[가-힣]+")
_KOREAN_ASKING = re.compile(
    r"(?:누구|누가|어디|언제|얼마|어때|어떻|무엇|뭐|뭘|며칠|몇|왜)|(?:야|어|아|해|까|니|요|고|줘|지|려|면|는)$|^(?:가|갈|와|올)$"
)
_PARTICLE = re.compile(
    r"(?:에서는|에서도|으로는|에게서|이라는|라는|까지|부터|에서|에게|한테|으로|이나|처럼|보다|마다|이랑|하고"
    r"|은|는|이|가|을|를|에|의|로|와|과|도|만|랑)$"
)
"""Particles at the end of a Korean noun, the longer first."""


@cache
def table(name: str) -> Any:
    """The content of `tables/<name>.json`."""
    file = resources.files(__package__) / "tables" / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8"))


@cache
def word_set(name: str) -> frozenset[str]:
    """One of the plain lists of words."""
    return frozenset(table("words")[name].split())


def language_of(text: str) -> Language:
    """Korean when there is any Hangul, else English."""
    return "ko" if _HANGUL.search(text) else "en"


def is_foreign(text: str) -> bool:
    """Whether a text is in a script that neither English nor Korean uses."""
    return _FOREIGN.search(text) is not None


def phrase(language: Language, name: str) -> str:
    """One of the model's own sentences, with places `{…}`."""
    return str(table("phrases")[language][name])


def stems(text: str) -> tuple[str, ...]:
    """The words of a text as `text.tokenize` stems them: in order, each once, without stop words."""
    found = (token.term for token in tokenize(text) if not token.joined and not is_stop_word(token))
    return tuple(dict.fromkeys(found))


@cache
def verbs() -> Mapping[str, tuple[ActionKind, ...]]:
    """Stem of an English action word -> what kinds of action it may mean."""
    found: dict[str, tuple[ActionKind, ...]] = {}
    for kind in ACTION_KINDS:
        for word in table("actions")[kind]["en"].split():
            for token in tokenize(word):
                found[token.term] = (*found.get(token.term, ()), kind)
    return found


def is_verb(word: str) -> bool:
    """Whether an English word, in the form it stands in, is a known action."""
    return word.lower() in _verb_forms()


@cache
def _verb_forms() -> frozenset[str]:
    return frozenset(word for kind in table("actions").values() for word in kind["en"].split())


@cache
def question_words() -> frozenset[str]:
    """English words that open a question; each asks for something to be read."""
    return frozenset(table("actions")["read"]["ask"].split())


def korean_actions(text: str) -> tuple[ActionKind, ...]:
    """The kinds of action that a Korean clause names; the last named counts first, as verbs come last."""
    places: list[tuple[int, ActionKind]] = []
    for kind in ACTION_KINDS:
        words: Iterable[str] = table("actions")[kind]["ko"].split()
        place = max((text.rfind(word) for word in words), default=-1)
        if place >= 0:
            places.append((place, kind))
    return tuple(kind for _, kind in sorted(places, reverse=True))


def asks_in_korean(word: str) -> bool:
    """Whether a Korean word asks, or ends a sentence: `언제인지`, `누구야`, `어떻게`."""
    return _KOREAN_ASKING.search(word) is not None


@cache
def korean_verbs() -> tuple[str, ...]:
    """The beginnings of Korean verbs that ask for something; nouns such as `검색` are no part of it."""
    verbs = (word for kind in ACTION_KINDS for word in table("actions")[kind]["ko"].split())
    return tuple(verb for verb in verbs if verb not in word_set("korean_action_nouns"))


@cache
def synonyms() -> Mapping[str, tuple[str, ...]]:
    """Stem of a word -> the stems of the single words that mean nearly the same."""
    found: dict[str, list[str]] = {}
    for group in table("synonyms"):
        single = [tokenize(word)[0].term for word in group if " " not in word and "-" not in word]
        for stem in single:
            found.setdefault(stem, []).extend(other for other in single if other != stem)
    return {stem: tuple(dict.fromkeys(others)) for stem, others in found.items()}


@cache
def _korean_entries() -> tuple[tuple[str, str], ...]:
    entries: Mapping[str, str] = table("korean")
    return tuple(sorted(entries.items(), key=lambda entry: (-len(entry[0]), entry[0])))


@lru_cache(maxsize=1024)
def gloss(text: str) -> str:
    """English words for the Korean words of a text that the table knows, in the order of the text."""
    found: list[tuple[int, str]] = []
    rest = text
    for korean, english in _korean_entries():
        for match in re.finditer(re.escape(korean), rest):
            if len(korean) == 1 and not _stands_alone(korean, rest, match.start()):
                continue
            found.append((match.start(), english))
            rest = rest[: match.start()] + "\0" * len(korean) + rest[match.end() :]
    words = [word for _, english in sorted(found) for word in english.split()]
    return " ".join(dict.fromkeys(words))


def korean_words(english: Sequence[str]) -> list[str]:
    """The Korean words of the table that mean one of these English ones, the longer first."""
    wanted = frozenset(english)
    return [korean for korean, words in _korean_entries() if wanted & frozenset(words.split())]


def bare_korean(word: str) -> str:
    """A Korean word without its particle; itself when nothing would be left."""
    return word if word in table("korean") else _PARTICLE.sub("", word) or word


def is_particle(word: str) -> bool:
    """Whether a Korean word is a particle alone, as behind a value."""
    return _PARTICLE.fullmatch(word) is not None


def _stands_alone(syllable: str, text: str, place: int) -> bool:
    """One syllable is too short to be looked for inside of words: it is a word, or a verb's beginning."""
    for match in _KOREAN_WORD.finditer(text):
        if match.start() == place:
            return bare_korean(match.group()) == syllable or bool(korean_actions(syllable))
    return False
