"""The words that simulated results are made of: general vocabulary, not the words of any catalog."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args

Action = Literal["list", "count", "get", "convert", "send", "delete", "update", "create", "act"]
ACTIONS: tuple[Action, ...] = get_args(Action)
Language = Literal["en", "ko"]

_HANGUL = re.compile(r"[ㄱ-ㆎ가-힣]")


@cache
def _data() -> Any:
    file = resources.files(__package__) / "simulation.json"
    return json.loads(file.read_text(encoding="utf-8"))


@cache
def word_list(name: str) -> tuple[str, ...]:
    """One list of words, in its order."""
    return tuple(_data()[name].split())


@cache
def synonymous() -> tuple[tuple[str, ...], ...]:
    """Names of fields that mean the same, group by group."""
    return tuple(tuple(group.split()) for group in _data()["same_fields"])


@cache
def verbs(language: Language) -> Mapping[str, Action]:
    """English verbs, or stems of Korean ones, and the kind of action they mean."""
    return {word: kind for kind in ACTIONS for word in _data()["actions"][kind][language].split()}


@cache
def topics(language: Language) -> Mapping[str, tuple[bool, tuple[str, ...]]]:
    """A word for a thing -> whether it says little beside another, and the fields of such a thing."""
    return {
        word: (topic.get("weak", False), tuple(topic["fields"].split()))
        for topic in reversed(_data()["topics"])
        for word in topic[language].split()
    }


@cache
def kinds() -> Mapping[str, str]:
    """A field's name, or a word of it -> the kind of its value."""
    return {word: kind for words, kind in _data()["kinds"].items() for word in words.split()}


@cache
def per_dollar() -> Mapping[str, float]:
    """Currency code -> about how much of it a dollar is worth."""
    worth: Mapping[str, float] = _data()["per_dollar"]
    return worth


@cache
def units() -> Mapping[str, tuple[str, float]]:
    """Name of a unit -> what it measures, and how many of the basic unit it is."""
    return {
        name: (dimension, size)
        for dimension, sizes in _data()["units"].items()
        for names, size in sizes.items()
        for name in names.split()
    }


@cache
def cities() -> Mapping[str, str]:
    """Cities that no time zone is named after, and Korean names of cities -> their IANA zone."""
    zones: Mapping[str, str] = _data()["cities"]
    return zones


@cache
def korean_names() -> Mapping[str, str]:
    """An English word for a kind of place -> the Korean one that a name ends with."""
    names: Mapping[str, str] = _data()["korean_names"]
    return names


def choices(language: Language, name: str) -> Sequence[str]:
    """What a value can be picked from; empty when there is nothing of that name."""
    plain: Mapping[str, Sequence[str]] = _data()["plain_vocabulary"]
    own: Mapping[str, Sequence[str]] = _data()["vocabulary"][language]
    return own.get(name) or plain.get(name, ())


@cache
def korean_of(thing: str) -> tuple[str, ...]:
    """The Korean words for things like this one, an English word."""
    for topic in _data()["topics"]:
        if thing in topic["en"].split():
            return tuple(topic["ko"].split())
    return ()


def participle(verb: str, action: Action) -> str:
    """What a thing is after the verb: `merge` gives merged; without a verb the action's own word."""
    known: Mapping[str, str] = _data()["participles"]
    if verb in known or not verb:
        return known.get(verb) or str(_data()["done"][action])
    if verb.endswith("e"):
        return verb + "d"
    return verb[:-1] + "ied" if verb[-1] == "y" and verb[-2:-1] not in "aeiou" else verb + "ed"


def singular(word: str) -> str:
    """`boxes` gives box, `queries` query; words that only look like plurals stay."""
    if word in word_list("invariable") or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("xes", "ches", "shes", "sses", "zes")) else word[:-1]


def plural(word: str) -> str:
    """`box` gives boxes; a plural stays."""
    if singular(word) != word or word in word_list("invariable"):
        return word
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "es" if word.endswith(("x", "ch", "sh", "ss", "z")) else word + "s"


def has_hangul(text: str) -> bool:
    """Whether any of it is Korean."""
    return _HANGUL.search(text) is not None
