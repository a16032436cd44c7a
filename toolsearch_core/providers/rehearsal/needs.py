"""What a question asks for: it is taken apart into needs, each of which one tool may serve."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from toolsearch_core.providers.rehearsal.clauses import (
    Clause,
    asks,
    clauses_of,
    first_word,
    joined,
    points_back,
)
from toolsearch_core.providers.rehearsal.lexicon import (
    ActionKind,
    Language,
    bare_korean,
    is_verb,
    korean_actions,
    language_of,
    question_words,
    stems,
    table,
    verbs,
)
from toolsearch_core.providers.rehearsal.literals import MaskedText, masked, unmasked
from toolsearch_core.providers.rehearsal.mentions import without_mention
from toolsearch_core.text.tokens import name_words

MAX_NEEDS = 6
"""More than these in one question are left for another one."""
MAX_POINTED_AT_WORDS = 4
MAX_BACKGROUND_WORDS = 6
ENOUGH_WORDS = 5
"""A need of as many words of its own needs no background."""

_PLACE_AT_END = re.compile(r"\b(?:in|at|near)\s+[A-Z][^.!?]*$")
_KOREAN_QUESTION = re.compile(
    r"어디|언제|누가|누구|무엇|뭐|뭘|몇|며칠|얼마|어떻게|어때|왜|어떤|[까나니어아요냐][?？]?\s*$|지(?:\s*,)?\s*$"
)

_WORDS_TO_SEND = re.compile(
    r"\b(?:saying|says|asking|telling|that|about (?!it\b|them\b|this\b|that\b))|라고|다고|는 내용|에 대해"
)


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that is asked for."""

    text: str
    """Its words as they were written."""
    masked: str
    """The same with the values masked."""
    source: MaskedText
    """The question it comes from."""
    language: Language
    actions: tuple[ActionKind, ...]
    """What kind of action it asks for, the likeliest first; empty when it does not say."""
    later: bool = False
    """It builds on the need before it, so it waits for that one's result."""
    about: tuple[str, ...] = ()
    """Words from elsewhere that say what it is about: what a pronoun means, or a sentence that only tells."""
    tool: str = ""
    """The name of the tool that it wants, where it says one."""
    told: str = ""
    """Sentences beside it that only tell something, masked."""


def find_needs(question: str) -> tuple[Need, ...]:
    """The needs of a question in their order, at most `MAX_NEEDS`; none for a blank one.

    Sentences that only tell something, such as a name or a place, are no needs as long as another
    sentence asks for something: they go along as its background.
    """
    source = masked(_unquoted(question))
    clauses = clauses_of(source.text)
    asking = [clause for clause in clauses if asks(clause)] or clauses
    told = ". ".join(clause.text for clause in clauses if clause not in asking)
    needs = [need for clause in joined(asking) for need in _implied(_need(source, clause))]
    return tuple(_linked(needs[:MAX_NEEDS], told))


def _unquoted(question: str) -> str:
    """A question that somebody put into quotes as a whole."""
    text = question.strip()
    marks = text[:1] + text[-1:]
    whole = marks in ('""', "''", "“”", "「」") and not any(mark in text[1:-1] for mark in marks)
    return text[1:-1] if whole else text


def _need(source: MaskedText, clause: Clause) -> Need:
    language = language_of(unmasked(clause.text))
    named = next((found for found in source.inside(clause.text) if found.kind == "tool"), None)
    text, actions = clause.text, _actions(clause.text, language)
    if named is not None:
        text = without_mention(text, named.mask, korean=language == "ko")
        actions = _actions(" ".join(name_words(named.text)), "en") or actions
    return Need(
        text=" ".join(source.written(clause.text).split()),
        masked=text,
        source=source,
        language=language,
        actions=actions,
        later=clause.later,
        tool="" if named is None else named.text,
    )


def _actions(clause: str, language: Language) -> tuple[ActionKind, ...]:
    if language == "ko":
        actions = korean_actions(unmasked(clause))
        return actions or (("read",) if _KOREAN_QUESTION.search(clause) else ())
    if first_word(clause) in question_words():
        return ("read",)
    for stem in stems(unmasked(clause)):
        if stem in verbs():
            return verbs()[stem]
    return ()


def _implied(need: Need) -> Iterator[Need]:
    """What to wear depends on the weather, what is open depends on the time."""
    instead = False
    for rule in table("implied"):
        words = rule.get(need.language)
        if words is not None and re.search(rule["when"], need.masked, re.IGNORECASE):
            place = _PLACE_AT_END.search(need.masked)
            clause = f"{words} {place.group()}" if place else words
            yield _need(need.source, Clause(clause))
            instead = instead or rule["instead"]
            need = replace(need, later=True)
    if not instead:
        yield need


def _linked(needs: Sequence[Need], told: str) -> Iterator[Need]:
    """A clause that points back, or that names no thing, is about the things of the clause before it."""
    before: Need | None = None
    for need in needs:
        things = _things(need.masked)
        if before is None:
            need = replace(need, later=False)
        elif points_back(need.masked) or (need.later and not things):
            about = _things(before.masked)[:MAX_POINTED_AT_WORDS] or before.about
            need = replace(need, later=True, about=about)
        elif need.actions[:1] == ("send",) and before.actions[:1] == ("read",) and not _says(need):
            # What is sent without a word of its own is what was just found.
            need = replace(need, later=True)
        if told and not need.about and len(things) < ENOUGH_WORDS:
            need = replace(need, about=_things(told)[:MAX_BACKGROUND_WORDS])
        need = replace(need, told=told)
        yield need
        before = need


def _says(need: Need) -> bool:
    """Whether a need to send has the words that are to be sent."""
    quoted = any(found.kind == "quote" for found in need.source.inside(need.masked))
    return quoted or _WORDS_TO_SEND.search(need.masked) is not None


def _things(text: str) -> tuple[str, ...]:
    """The words of a masked text that name things, its verbs left out."""
    if language_of(text) == "ko":
        words = re.findall(r"[가-힣]+", text)
        return tuple(bare_korean(word) for word in words if not korean_actions(word))
    words = re.findall(r"[^\W\d_][\w-]+", unmasked(text))
    return tuple(word for word in words if stems(word) and not is_verb(word))
