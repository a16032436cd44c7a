"""What a tool seems to do, by the words of its name, title and description."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolsearch_core.execution.vocabulary import (
    Action,
    korean_names,
    korean_of,
    singular,
    topics,
    verbs,
    word_list,
)
from toolsearch_core.jsonvalues import JsonObject
from toolsearch_core.text.tokens import name_words
from toolsearch_core.tools import ToolDefinition

MAX_READ_CHARS = 300
"""So much of a description is read; what a tool does stands at its beginning."""

_SENTENCE = re.compile(r"[^.!?。\n]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Understanding:
    """A reading of a tool, good enough to make up what it might answer."""

    action: Action
    verb: str
    """The verb of the name, in English; empty when the action was told otherwise."""
    nouns: tuple[str, ...]
    """What it is about, as words of the name; never empty."""
    noun: str
    """The one of them that says what kind of thing it is, in the singular."""
    korean_noun: str
    """The same in Korean; empty when no word for it is known."""
    fields: tuple[str, ...]
    """What such a thing has."""
    several: bool
    """The answer is a list."""


def understand(tool: ToolDefinition) -> Understanding:
    """Read a tool; every tool has a reading."""
    words = _own_words(tool)
    sentence = _first_sentence(tool.description)
    verb = _verb_of(words)
    action = verbs("en")[verb] if verb else _told_action(tool, sentence)
    nouns = _nouns(words, verb)
    if action == "act" and any(word in word_list("answered") for word in nouns):
        action = "list"
    described = [*name_words(tool.title[:MAX_READ_CHARS]), *name_words(sentence)]
    noun = _topic(nouns) or _topic(words)
    korean = _korean_word(sentence, noun)
    if noun:
        fields = topics("en")[noun][1]
    elif korean:
        fields = topics("ko")[korean][1]
    elif told := _topic(described[:8], weak=False):
        fields = topics("en")[told][1]
    else:
        fields = word_list("fallback")
    if verb in word_list("reading") and "content" not in fields and action == "get":
        fields = _with_content(fields)
    return Understanding(
        action=action,
        verb=verb,
        nouns=nouns,
        noun=noun or singular(nouns[-1]),
        korean_noun=korean,
        fields=fields,
        several=action == "list" or (action == "get" and _asks_for_many(nouns, tool.input_schema)),
    )


def _own_words(tool: ToolDefinition) -> list[str]:
    """The words of the name without those of the server in front."""
    words = name_words(tool.name) or name_words(tool.wire_name)
    server = name_words(tool.server)
    while len(words) > 1 and words[0] in server:
        words = words[1:]
    return words


def _verb_of(words: Sequence[str]) -> str:
    """The verb of a name: at its beginning, at its end, or else anywhere.

    `get` and `post` in front of another verb are methods of HTTP, and the other verb says more. At the
    end, a word that may be a noun as well (`pull_request`) is one.
    """
    known, first, last = verbs("en"), words[:1], words[-1:]
    if "".join(first) in ("get", "post"):
        for word in (*words[1:2], *last):
            if word in ("search", "count", "query", "sum"):
                return word
    at_end = [word for word in last if word not in word_list("noun_like")]
    return next((word for word in (*first, *at_end, *words[1:-1]) if word in known), "")


def _told_action(tool: ToolDefinition, sentence: str) -> Action:
    """The action of a tool whose name has no verb: by its description, then by its hints."""
    known = verbs("en")
    for word in name_words(sentence)[:3]:
        for form in (word, singular(word), word.removesuffix("es")):
            if form in known:
                return known[form]
    korean = {sentence.rfind(stem): kind for stem, kind in verbs("ko").items() if stem in sentence}
    if korean:
        return korean[max(korean)]  # a Korean verb stands at the end
    if tool.annotations.get("readOnlyHint") is False:
        return "act"
    return "get"


def _nouns(words: Sequence[str], verb: str) -> tuple[str, ...]:
    """What stands before the first preposition, or else behind it, without verb and fillers."""
    parts: list[list[str]] = [[]]
    rest = list(words)
    if verb in rest:
        rest.remove(verb)
    for word in rest:
        if word in word_list("prepositions"):
            parts.append([])
        elif word not in word_list("fillers") and not word.isdecimal() and len(word) > 1:
            parts[-1].append(word)
    for part in parts:
        if part:
            return tuple(part[-2:])
    return (words[-1],) if words and len(words[-1]) > 1 else ("result",)


def _topic(words: Sequence[str], *, weak: bool = True) -> str:
    """The last known word for a thing, in the singular; a weak one only for want of another."""
    known = topics("en")
    named = [form for word in reversed(words) if (form := singular(word)) in known]
    strong = [word for word in named if not known[word][0]]
    return (strong or (named if weak else []) or [""])[0]


def _with_content(fields: tuple[str, ...]) -> tuple[str, ...]:
    """What is read is in the answer, where the thing has something to read."""
    readable = "filename" in fields or "url" in fields
    return ("content", *fields) if readable else fields


def _korean_word(sentence: str, noun: str) -> str:
    """The Korean word for the noun, best the one that is used; without a noun, the first known word."""
    if noun in korean_names() and korean_names()[noun] in sentence:
        return korean_names()[noun]
    candidates = korean_of(noun) if noun else topics("ko")
    places = {sentence.find(word): word for word in candidates if word in sentence}
    if places:
        return places[min(places)]
    return korean_names().get(noun) or next(iter(candidates), "") if noun else ""


def _asks_for_many(nouns: Sequence[str], schema: JsonObject) -> bool:
    """A plural or a word like history, unless a parameter names the one thing that is meant."""
    one = singular(nouns[-1])
    if one == nouns[-1] and one not in word_list("collective"):
        return False
    properties, required = schema.get("properties"), schema.get("required")
    names = list(properties) if isinstance(properties, Mapping) else []
    needed = required if isinstance(required, list | tuple) else ()
    return "name" not in needed and not any(
        name in ("id", f"{one}_id", f"{one}Id", "path", "url") for name in names
    )


def _first_sentence(description: str) -> str:
    found = _SENTENCE.search(description[:MAX_READ_CHARS])
    return found[0] if found else ""
