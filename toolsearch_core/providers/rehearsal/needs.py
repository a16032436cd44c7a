"""What a question asks for: it is taken apart into needs, each of which one tool may serve."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

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
    word_set,
)
from toolsearch_core.providers.rehearsal.literals import MaskedText, has_mask, masked, unmasked

MAX_NEEDS = 6
"""More than these in one question are left for another one."""
MAX_SHARED_WORDS = 4
MAX_BACKGROUND_WORDS = 6
ENOUGH_WORDS = 5
"""A need of as many words of its own needs no background."""

_SENTENCE_END = re.compile(r"[.!?;。！？…]+(?=\s|$)|\n+|(?<=[다요까죠줘라])[.!?]|(?<=[。！？])")
_JOIN = re.compile(
    r"(?:,\s*|\s+)(?:and then|and after that|after that|afterwards|and also|and finally|and|then|also|plus"
    r"|but also|as well as)\s+|,\s+",
    re.IGNORECASE,
)
_LATER = re.compile(r"\b(?:then|after that|afterwards|next|finally|once)\b", re.IGNORECASE)
_FILLER = re.compile(
    r"^(?:[\s,:–-]+|(?:please|kindly|just|now|also|then|first|firstly|next|finally|afterwards|after that|and|so"
    r"|but|hey|hi|hello|ok|okay|well|maybe|again|go ahead and|let's|lets|let us"
    r"|(?:can|could|would|will) you(?: please)?|(?:can|could|may) (?:i|we)(?: please)?"
    r"|i(?:'d| would)? (?:want|need|like|love)(?: you)? to|we (?:want|need) to|i(?:'d| would) like"
    r"|(?:can you )?help me(?: to)?|try to|i want you to|you should|i am|i'm (?:trying|planning|going) to)\b)",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:it|them|they|those|these|this one|that one|another one|one (?=called|named|titled|for|with)|the same|(?<!is )(?<!are )there)\b|그것|그걸|그거|이것|이걸|거기",
    re.IGNORECASE,
)
_NOUN_FIRST = re.compile(r"^(?:its|their|my|our|all|the|an?|any)\s+\w", re.IGNORECASE)
_BINDS_NOUNS = re.compile(
    r"\b(?:with|between|from|both|to|titled|called|named|about|saying|containing|against|than|into)\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"^\w+\s+(?:[\ue000-\ue0ff]|the|an?|my|our|its|their|all|any|every|it|them|me|us|to|on|for|in|of|off|up|as"
    r"|this|that|these|those|new|each|both|some|whether|if|how|what|which|who|\d)",
    re.IGNORECASE,
)
_NAME = r"[A-Z][\w.'-]+(?:\s[A-Z][\w.'-]+)*"
_PLACES = re.compile(rf"\b(in|for|at|near|from)\s+({_NAME})((?:,\s{_NAME})*),?\s+and\s+({_NAME})")
_TELLS = re.compile(
    r"^(?:i|we|he|she|they|it|this|that|these|those|there|here|my|our|your|his|her|their|its|the|an?|if|since|because"
    r"|for example|e\.g\.|note|fyi|thanks|thank|i'm|i've|we're|it's|that's|he's|she's)\b",
    re.IGNORECASE,
)
_WISHES = re.compile(
    r"^(?:i|we)\s+(?:(?:really|also|still|urgently) )?(?:need|want|wish|require|would like|would love)\b"
    r"|^(?:i'd|we'd)\s+(?:like|love|need)\b|^(?:i'm|i am|we're|we are)\s+(?:looking|searching|in search|in need)\b",
    re.IGNORECASE,
)
_ADDS = re.compile(
    r"^(?:include|including|make sure|ensure|sort|order (?:it|them|the results?)|limit|filter|exclude|use|keep|specify"
    r"|assume|remember|consider|bear in mind"
    r"|(?:name|call|label|title|tag)\s+(?:it|them)\b[^,]*[\ue000-\ue0ff])",
    re.IGNORECASE,
)
_EMPTY_OFFER = re.compile(
    r"^(?:(?:please )?(?:help|assist|advise|guide|support|do|done|go ahead|try|proceed)(?: me| us)?"
    r"(?: (?:out|with|in|on|for|about))?(?: (?:it|that|this|these|those|the following))?|is (?:it|this|that) possible"
    r"|any (?:ideas?|suggestions?|advice|thoughts|help)|what do you think)\W*$",
    re.IGNORECASE,
)
_KOREAN_STEMS = (
    "만들|찾|보여\\s?주|알려\\s?주|보내|지우|바꾸|옮기|열|닫|켜|끄|잡|적|올리|내리|넣|빼|읽|고치|구하|정하|남기"
    "|나누|모으|돌리|멈추|쓰|달|붙이|뽑|받|하"
)
_KOREAN_JOIN = re.compile(
    rf"(?<=[가-힣\ue000-\ue0ff])(?:\s*[.,]\s*|\s+)(?:그리고|그런\s?다음에?|그\s?다음에?|그러고\s?나서|이어서|또한|또)\s+"
    rf"|(?:(?<=\s)|(?<=^)|(?<=[가-힣]))(?:{_KOREAN_STEMS})고(?:\s?나서)?(?:\s*,)?\s+(?!싶|있)"
    rf"|(?<=[가-힣])(?:[한은린든낸운꾼]|찾은|만든|보낸)\s(?:후|뒤|다음)(?:에)?(?:\s*,)?\s+"
    rf"|(?:(?<=\s)|(?<=[가-힣]))(?:찾아서|만들어서|검색해서|조회해서|확인해서|가져와서|골라서)\s+"
)
_KOREAN_QUESTION = re.compile(
    r"어디|언제|누가|누구|무엇|뭐|뭘|몇|얼마|어떻게|어때|왜|어떤|[까나니어아요냐][?？]?\s*$"
)
_KOREAN_LATER = re.compile(r"후|뒤|다음|나서|아서|어서|해서")


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
    """Words of the need before that a pronoun points back to."""


def find_needs(question: str) -> tuple[Need, ...]:
    """The needs of a question in their order, at most `MAX_NEEDS`; none for a blank one.

    Sentences that only tell something, such as a name or a place, are no needs as long as another
    sentence asks for something: they go along as its background.
    """
    source = masked(_unquoted(question))
    sentences = [part.strip() for part in _SENTENCE_END.split(source.text) if part and part.strip()]
    clauses = [clause for sentence in sentences for clause in _clauses(sentence)]
    asking = [clause for clause in clauses if _asks(clause.text)] or clauses
    told = " ".join(clause.text for clause in clauses if clause not in asking)
    needs = [need for clause in _joined(asking) for need in _implied(_need(source, clause))]
    return tuple(_linked(needs[:MAX_NEEDS], told))


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    later: bool


def _unquoted(question: str) -> str:
    """A question that somebody put into quotes as a whole."""
    text = question.strip()
    marks = text[:1] + text[-1:]
    whole = marks in ('""', "''", "“”", "「」") and not any(mark in text[1:-1] for mark in marks)
    return text[1:-1] if whole else text


def _joined(clauses: Sequence[_Clause]) -> Iterator[_Clause]:
    """`sort them by date` says more about the clause before it; `can you help me?` says nothing."""
    waiting: _Clause | None = None
    for clause in clauses:
        if waiting is None:
            waiting = clause
        elif _ADDS.match(clause.text):
            waiting = replace(waiting, text=f"{waiting.text}, {clause.text}")
        elif _EMPTY_OFFER.match(clause.text):
            continue
        else:
            if not _EMPTY_OFFER.match(waiting.text):
                yield waiting
            waiting = clause
    if waiting is not None:
        yield waiting


def _clauses(sentence: str) -> Iterator[_Clause]:
    """The clauses of a sentence, each with whether it comes after the one before in time."""
    parts = _korean_parts(sentence) if language_of(sentence) == "ko" else _english_parts(sentence)
    for part, later in parts:
        for text in _per_place(_unfilled(part)):
            if text:
                yield _Clause(text, later)


def _english_parts(sentence: str) -> Iterator[tuple[str, bool]]:
    start, later = 0, False
    if _LATER.match(sentence.lstrip()):
        later = True
    for join in _JOIN.finditer(sentence):
        left, right = sentence[start : join.start()], sentence[join.end() :]
        comma_only = join.group().strip() == ","
        relative = comma_only and _first_word(right) in ("who", "which", "where", "whose", "when")
        if relative or not _has_content(_unfilled(left)):
            continue
        if _opens(_unfilled(right)) and _has_content(_unfilled(right)):
            yield left, later
            start, later = join.end(), bool(_LATER.search(join.group()) or _LATER.match(right))
        elif not comma_only and (verb := _shared_verb(left, right)):
            yield left, later
            yield from _english_parts(f"{verb} {right}")
            return
    yield sentence[start:], later


def _shared_verb(left: str, right: str) -> str:
    """The verb that `show the pages and their owners` lends to its second half; empty for none."""
    first = _unfilled(left).split(" ", 1)[0]
    if not (_opens(_unfilled(left)) and _NOUN_FIRST.match(right)):
        return ""
    if len(right.split()) > MAX_SHARED_WORDS or first.lower() in question_words():
        return ""
    return "" if _BINDS_NOUNS.search(left) else first


def _korean_parts(sentence: str) -> Iterator[tuple[str, bool]]:
    start, later = 0, False
    for join in _KOREAN_JOIN.finditer(sentence):
        left, right = sentence[start : join.end()], sentence[join.end() :]
        if _has_content(left) and _has_content(right):
            yield left, later
            start, later = join.end(), bool(_KOREAN_LATER.search(join.group()))
    yield sentence[start:], later


def _unfilled(clause: str) -> str:
    """A clause without what is said before its verb out of politeness."""
    clause = clause.strip()
    while match := _FILLER.match(clause):
        rest = clause[match.end() :].strip()
        if not rest or match.end() == 0:
            return clause
        clause = rest
    return clause


def _opens(clause: str) -> bool:
    """Whether an English clause starts with a verb or with a question word."""
    first = _first_word(clause)
    if first in question_words():
        return True
    if not is_verb(first):
        return False
    return first not in word_set("often_nouns") or _OBJECT.match(clause) is not None


def _first_word(clause: str) -> str:
    word = re.match(r"[a-z'-]+", clause.lower())
    return re.sub(r"'(?:s|re|d|ll)$", "", word.group()) if word else ""


def _has_content(clause: str) -> bool:
    """Whether anything is left of a clause beside its verb."""
    if language_of(clause) == "ko":
        return len(re.findall(r"[가-힣A-Za-z\ue000-\ue0ff]+", clause)) > 0
    words = stems(unmasked(clause))
    return has_mask(clause) or len(words) > 1 or _POINTS_BACK.search(clause) is not None


def _per_place(clause: str) -> Iterator[str]:
    """`weather in Oslo and Rome` asks twice; each place gets a clause of its own."""
    match = _PLACES.search(clause)
    if match is None:
        yield clause
        return
    preposition, first, between, last = match.groups()
    places = [first, *[place.strip() for place in between.split(",") if place.strip()], last]
    for place in places:
        yield f"{clause[: match.start()]}{preposition} {place}{clause[match.end() :]}".strip()


def _asks(clause: str) -> bool:
    if language_of(clause) == "ko":
        return bool(korean_actions(clause))
    return _WISHES.match(clause) is not None or _TELLS.match(clause) is None


def _need(source: MaskedText, clause: _Clause) -> Need:
    language = language_of(unmasked(clause.text))
    return Need(
        text=" ".join(source.written(clause.text).split()),
        masked=clause.text,
        source=source,
        language=language,
        actions=_actions(clause.text, language),
        later=clause.later,
    )


def _actions(clause: str, language: Language) -> tuple[ActionKind, ...]:
    if language == "ko":
        actions = korean_actions(unmasked(clause))
        return actions or (("read",) if _KOREAN_QUESTION.search(clause) else ())
    if _first_word(clause) in question_words():
        return ("read",)
    for stem in stems(unmasked(clause)):
        if stem in verbs():
            return verbs()[stem]
    return ()


def _implied(need: Need) -> Iterator[Need]:
    """What to wear depends on the weather, what is open depends on the time."""
    told = False
    for rule in table("implied"):
        if re.search(rule["when"], need.masked, re.IGNORECASE):
            words = rule.get(need.language)
            if words is not None:
                place = re.search(r"\b(?:in|at|near)\s+[A-Z][^.!?]*$", need.masked)
                clause = f"{words} {place.group()}" if place else words
                yield _need(need.source, _Clause(clause, later=False))
                told = told or rule["instead"]
    if not told:
        yield need


def _linked(needs: Sequence[Need], told: str) -> Iterator[Need]:
    """A clause that points back, or that names no thing, is about the things of the clause before it."""
    before: Need | None = None
    for need in needs:
        if before is None:
            need = replace(need, later=False)
        elif _POINTS_BACK.search(need.masked) or (need.later and not _things(need)):
            need = replace(need, later=True, about=_things(before)[:4] or before.about)
        if told and not need.about and len(_things(need)) < ENOUGH_WORDS:
            need = replace(need, about=_nouns(told)[:MAX_BACKGROUND_WORDS])
        yield need
        before = need


def _things(need: Need) -> tuple[str, ...]:
    """The words of a need that name things, its verb left out."""
    return _nouns(need.masked)


def _nouns(text: str) -> tuple[str, ...]:
    if language_of(text) == "ko":
        words = re.findall(r"[가-힣]+", text)
        return tuple(bare_korean(word) for word in words if not korean_actions(word))
    words = re.findall(r"[^\W\d_][\w-]+", unmasked(text))
    return tuple(word for word in words if stems(word) and not is_verb(word))
