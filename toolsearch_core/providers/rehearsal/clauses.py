"""Sentences taken apart into clauses, each of which asks for one thing. Values are masked already."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from toolsearch_core.providers.rehearsal.lexicon import (
    is_verb,
    korean_actions,
    language_of,
    question_words,
    stems,
    word_set,
)
from toolsearch_core.providers.rehearsal.literals import has_mask, unmasked

MAX_SHARED_WORDS = 4
"""`show the pages and their owners`: a second half longer than this has a verb of its own."""
MAX_JOINS = 40
"""Places looked at in one sentence; a longer list of clauses is no question."""
MAX_LOOKED_AT_CHARS = 200

_SENTENCE_END = re.compile(r"[.!?;。！？…]+(?=\s|$)|\n+|(?<=[다요까죠줘라])[.!?]|(?<=[。！？])")
_JOIN = re.compile(
    r"(?:,\s*|\s+)(?:and then|and after that|after that|afterwards|and also|and finally|and|then|also"
    r"|plus|but also|as well as)\s+|,\s+",
    re.IGNORECASE,
)
_LATER = re.compile(r"\b(?:then|after that|afterwards|next|finally|once)\b", re.IGNORECASE)
_FILLER = re.compile(
    r"^(?:[\s,:–-]+|(?:please|kindly|just|now|also|then|first|firstly|next|finally|afterwards"
    r"|after that|and|so|but|hey|hi|hello|ok|okay|well|maybe|again|go ahead and|let's|lets|let us"
    r"|(?:can|could|would|will) you(?: please)?|(?:can|could|may) (?:i|we)(?: please)?"
    r"|i(?:'d| would)? (?:want|need|like|love)(?: you)? to|we (?:want|need) to"
    r"|i(?:'d| would) like|(?:can you )?help me(?: to)?(?! (?:with|in|on|out|about|for)\b)|try to"
    r"|i want you to|you should|i am"
    r"|i'm (?:trying|planning|going) to)\b)",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:(?<!time is )(?<!day is )it(?! (?:rain|snow)ing)"  # `what time is it` is about nothing
    r"|them|they|those|these|this one|that one|another one|the same"
    r"|one (?=called|named|titled|for|with)|(?<!is )(?<!are )there)\b|그것|그걸|그거|이것|이걸|거기",
    re.IGNORECASE,
)
_NOUN_FIRST = re.compile(r"^(?:its|their|my|our|all|the|an?|any)\s+\w", re.IGNORECASE)
_BINDS_NOUNS = re.compile(
    r"\b(?:with|between|from|both|to|titled|called|named|about|saying|containing|against|than|into)\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"^\w+\s+(?:[\ue000-\ue0ff]|the|an?|my|our|its|their|all|any|every|it|them|me|us|to|on|for|in|of"
    r"|off|up|as|this|that|these|those|new|each|both|some|whether|if|how|what|which|who|\d)",
    re.IGNORECASE,
)
"""What follows a verb, and tells it from a noun of the same form: `comment on`, `list the`."""
_RELATIVES = ("who", "which", "where", "whose", "when")
_NAME = r"[A-Z][\w.'-]+(?:\s[A-Z][\w.'-]+)*"
_PLACES = re.compile(rf"\b(in|for|at|near|from)\s+({_NAME})((?:,\s{_NAME})*),?\s+and\s+({_NAME})")
_TELLS = re.compile(
    r"^(?:i|we|he|she|they|it|this|that|these|those|there|here|my|our|your|his|her|their|its|the|an?"
    r"|if|since|because|for example|e\.g\.|note|fyi|thanks|thank|i'm|i've|we're|it's|that's|he's"
    r"|she's)\b",
    re.IGNORECASE,
)
_WISHES = re.compile(
    r"^(?:i|we)\s+(?:(?:really|also|still|urgently) )?"
    r"(?:need|want|wish|require|would like|would love)\b"
    r"|^(?:i'd|we'd)\s+(?:like|love|need)\b"
    r"|^(?:i'm|i am|we're|we are)\s+(?:looking|searching|in search|in need)\b",
    re.IGNORECASE,
)
_ADDS = re.compile(
    r"^(?:include|including|make sure|ensure|sort|order (?:it|them|the results?)|limit|filter"
    r"|exclude|use|keep|specify|assume|remember|consider|bear in mind"
    r"|(?:name|call|label|title|tag)\s+(?:it|them)\b[^,]*[\ue000-\ue0ff])",
    re.IGNORECASE,
)
_EMPTY_OFFER = re.compile(
    r"^(?:(?:please )?(?:help|assist|advise|guide|support|do|done|go ahead|try|proceed)(?: me| us)?"
    r"(?: (?:out|with|in|on|for|about))?(?: (?:it|that|this|these|those|the following))?"
    r"|is (?:it|this|that) possible|any (?:ideas?|suggestions?|advice|thoughts|help)"
    r"|what do you think)\W*$",
    re.IGNORECASE,
)
_KOREAN_STEMS = (
    r"만들|찾|보여\s?주|알려\s?주|보내|지우|바꾸|옮기|열|닫|켜|끄|잡|적|올리|내리|넣|빼|읽|고치|구하"
    r"|정하|남기|나누|모으|돌리|멈추|쓰|달|붙이|뽑|받|하"
)
_KOREAN_JOIN = re.compile(
    r"(?<=[가-힣\ue000-\ue0ff])(?:\s*[.,]\s*|\s+)"
    r"(?:그리고|그런\s?다음에?|그\s?다음에?|그러고\s?나서|이어서|또한|또)\s+"
    rf"|(?:(?<=\s)|(?<=^)|(?<=[가-힣]))(?:{_KOREAN_STEMS})고(?:\s?나서)?(?:\s*,)?\s+(?!싶|있)"
    r"|(?<=[가-힣])(?:[한은린든낸운꾼]|찾은|만든|보낸)\s(?:후|뒤|다음)(?:에)?(?:\s*,)?\s+"
    r"|(?:(?<=\s)|(?<=[가-힣]))(?:찾아서|만들어서|검색해서|조회해서|확인해서|가져와서|골라서)\s+"
)
_KOREAN_ASIDE = re.compile(r"(?:[는은인할될던을]지)\s*(?:,|와|하고|그리고)\s+")
"""`며칠 남았는지, …`: a question inside of a request, with another one behind it."""
_KOREAN_ASKS = re.compile(
    r"(?:어디|언제|누가|누구|무엇|뭐|뭘|몇|얼마|어떻게|어때|어떤|며칠|왜)|[까나니냐요]\s*$|지(?:\s*,)?\s*$"
    r"|(?:줘|주세요|줄래|주라|달라|주십시오|주실래요|주시겠어요|바랍니다|부탁해|부탁해요|부탁드립니다|하자|해라)\s*$"
)
_KOREAN_BOTH = re.compile(
    r"(?P<place>.*?)(?P<first>[가-힣]{2,}?)(?:이랑|랑|하고|와|과)\s+(?P<second>[가-힣]{2,}?)(?P<particle>[은는이가을를도]?)"
    r"\s+(?P<ask>(?:좀\s+)?(?:어때|어떤지|알려|보여|확인해|조회해)\S*(?:\s*\S+)?)\s*$"
)
"""`날씨랑 미세먼지 어때`: two things, one question."""
_BOTH = re.compile(
    r"^(?P<ask>(?:how|what)(?:'s|\s+is|\s+are)|(?:show|tell|give)\s+me|get|check)\s+(?P<first>the\s+[\w-]+(?:\s[\w-]+)?)"
    r"\s+and\s+(?P<second>the\s+[\w-]+(?:\s[\w-]+)?)(?P<place>\s+(?:in|at|for|near|of)\s.+)?$",
    re.IGNORECASE,
)
"""`how are the weather and the air in Oslo`."""
_KOREAN_LATER = re.compile(r"후|뒤|다음|나서|아서|어서|해서")


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a question with one verb."""

    text: str
    """Masked, without what is said out of politeness."""
    later: bool = False
    """It comes after the clause before it in time."""


def clauses_of(masked_text: str) -> list[Clause]:
    """All clauses of a masked text in their order."""
    sentences = [part for part in _SENTENCE_END.split(masked_text) if part and part.strip()]
    return [clause for sentence in sentences for clause in _of_sentence(sentence.strip())]


def asks(clause: Clause) -> bool:
    """Whether a clause asks for something, or only tells something."""
    if language_of(clause.text) == "ko":
        return bool(korean_actions(clause.text)) or _KOREAN_ASKS.search(clause.text) is not None
    return _WISHES.match(clause.text) is not None or _TELLS.match(clause.text) is None


def joined(clauses: Sequence[Clause]) -> Iterator[Clause]:
    """`sort them by date` says more about the clause before it; `can you help me?` says nothing."""
    waiting: Clause | None = None
    for clause in clauses:
        if waiting is not None and _ADDS.match(clause.text):
            waiting = replace(waiting, text=f"{waiting.text}, {clause.text}")
        elif waiting is None or not _EMPTY_OFFER.match(clause.text):
            if waiting is not None and not _EMPTY_OFFER.match(waiting.text):
                yield waiting
            waiting = clause
    if waiting is not None:
        yield waiting


def points_back(text: str) -> bool:
    """Whether a masked text has a pronoun for something said before."""
    return _POINTS_BACK.search(text) is not None


def first_word(text: str) -> str:
    """The first English word, lower-case, without `'s`; empty when there is none."""
    word = re.match(r"[a-z'-]+", text.lower())
    return re.sub(r"'(?:s|re|d|ll)$", "", word.group()) if word else ""


def _of_sentence(sentence: str) -> Iterator[Clause]:
    korean = language_of(sentence) == "ko"
    for part in _korean_parts(sentence) if korean else _english_parts(sentence):
        for both in _each_of_both(_unfilled(part.text)):
            for text in _per_place(both):
                if text:
                    yield Clause(text, part.later)


def _english_parts(sentence: str) -> Iterator[Clause]:
    later = _LATER.match(sentence) is not None
    start = 0
    for join in list(_JOIN.finditer(sentence))[:MAX_JOINS]:
        left, right = sentence[start : join.start()], _unfilled(sentence[join.end() :])
        only_comma = join.group().strip() == ","
        if not _has_content(_unfilled(left)) or (only_comma and first_word(right) in _RELATIVES):
            continue
        verb = "" if only_comma else _shared_verb(left, sentence[join.end() :])
        if (_opens(right) and _has_content(right)) or verb:
            yield Clause(left, later)
            tail = sentence[join.end() :]
            later = _LATER.search(join.group()) is not None or _LATER.match(tail) is not None
            if verb and not _opens(right):
                # The second half is the last of the sentence, or as good as: it is short.
                yield Clause(f"{verb} {tail}", later)
                return
            start = join.end()
    yield Clause(sentence[start:], later)


def _shared_verb(left: str, right: str) -> str:
    """The verb that `show the pages and their owners` lends to its second half; empty for none."""
    first = _unfilled(left).split(" ", 1)[0]
    if not (_opens(_unfilled(left)) and _NOUN_FIRST.match(right)):
        return ""
    if len(right.split()) > MAX_SHARED_WORDS or first.lower() in question_words():
        return ""
    return "" if _BINDS_NOUNS.search(left) else first


def _korean_parts(sentence: str) -> Iterator[Clause]:
    start, later = 0, False
    joins = [*_KOREAN_JOIN.finditer(sentence), *_KOREAN_ASIDE.finditer(sentence)]
    for join in sorted(joins, key=lambda join: join.start())[:MAX_JOINS]:
        left, right = sentence[start : join.end()], sentence[join.end() :]
        if _has_content(left) and _has_content(right):
            yield Clause(left, later)
            start, later = join.end(), _KOREAN_LATER.search(join.group()) is not None
    yield Clause(sentence[start:], later)


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
    first = first_word(clause)
    if first in question_words():
        return True
    if not is_verb(first):
        return False
    return first not in word_set("often_nouns") or _OBJECT.match(clause) is not None


def _has_content(clause: str) -> bool:
    """Whether anything is left of a clause beside its verb."""
    clause = clause[:MAX_LOOKED_AT_CHARS]
    if language_of(clause) == "ko":
        return re.search(r"[가-힣A-Za-z\ue000-\ue0ff]", clause) is not None
    verbs = 1 if is_verb(first_word(clause)) else 0
    return has_mask(clause) or len(stems(unmasked(clause))) > verbs or points_back(clause)


def _each_of_both(clause: str) -> Iterator[str]:
    """Two things that one question asks for, each as a question of its own with the place of both."""
    korean = language_of(clause) == "ko"
    match = (_KOREAN_BOTH if korean else _BOTH).match(clause[:MAX_LOOKED_AT_CHARS])
    if match is None:
        yield clause
        return
    ask, place = match["ask"], match["place"] or ""
    for thing in (match["first"], match["second"]):
        yield f"{place}{thing} {ask}" if korean else f"{ask} {thing}{place}"


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
