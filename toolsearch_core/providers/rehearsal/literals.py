"""Values that stand in a text as they are: quotes, addresses, dates, numbers, keys, names of files.

They are found before anything else, and masked, so that no later step splits a sentence inside a URL
or takes a quoted title for a request.
"""

import re
from dataclasses import dataclass
from typing import Literal

from toolsearch_core.providers.rehearsal.mentions import named_tools

LiteralKind = Literal[
    "tool", "quote", "url", "email", "datetime", "date", "time", "duration", "money", "percent",
    "key", "hash", "channel", "mention", "range", "pair", "path", "id", "number",
]  # fmt: skip

MAX_TEXT_CHARS = 4_000
"""What is read of one message; the rest of a pasted text holds no request of its own."""
MAX_LITERALS = 60
_MASK_FIRST = 0xE000
"""Masks are single characters of the private use area, which no keyboard writes."""

_EXTENSIONS = (
    "md|txt|json|ya?ml|toml|py|js|ts|tsx|jsx|html?|css|csv|xlsx?|docx?|pptx?|pdf|png|jpe?g|gif|svg|sh|go|rs|java"
    "|c|cpp|h|sql|xml|ini|cfg|lock|log|ipynb|zip"
)
_CURRENCIES = (
    r"USD|EUR|GBP|KRW|JPY|CNY|CHF|CAD|AUD|dollars?|euros?|won\b|yen\b|yuan\b|francs?\b|rupees?\b"
    r"|원|달러|유로|엔|위안|파운드|프랑|루피"
)
_MYRIADS = "천만|백만|십만|억|만|천"
"""Korean words that a number is multiplied by."""
_UNITS = r"h|m|d|hours?|hrs?|minutes?|mins?|days?|weeks?|seconds?|secs?"
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_STEP = r"[\w.-]{1,80}"
_WORDS = r"[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*"
_PATTERNS: tuple[tuple[LiteralKind, str], ...] = (
    ("quote", r"\"([^\"\n]+)\"|“([^”\n]+)”|「([^」\n]+)」|『([^』\n]+)』|`([^`\n]+)`|‘([^’\n]+)’"),
    ("quote", r"(?<![\w'])'([^'\n]+)'(?!\w*')"),
    ("url", r"https?://[^\s<>()\"'“”가-힣]+[^\s<>()\"'“”가-힣.,;:!?]"),
    ("email", r"[\w.%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"),
    ("datetime", r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?"),
    (
        "date",
        r"\d{4}-\d{2}-\d{2}(?!\d)|\d{4}/\d{1,2}/\d{1,2}(?!\d)|(?:\d{4}년\s*)?\d{1,2}월\s*\d{1,2}일",
    ),
    (
        "date",
        rf"\b{_MONTH}\.?\s+{_DAY}(?:,?\s+\d{{4}})?(?![\w:])|(?<!\w){_DAY}\s+(?:of\s+)?{_MONTH}(?:\s+\d{{4}})?\b",
    ),
    (
        "date",
        r"(?i:\b(?:the day after tomorrow|today|tomorrow|yesterday)\b(?!['’]))"
        r"|(?i:\b(?:next|this|on) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b)",
    ),
    ("date", r"(?:오늘|내일|모레|어제|그저께)(?!의)|(?:이번|다음) ?주 ?[월화수목금토일]요일"),
    ("range", r"(?<![\w!])(?:\w+!)?[A-Z]{1,3}\d+:[A-Z]{1,3}\d+(?!\w)"),
    ("time", r"(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp][Mm]\b)?(?![\d:])"),
    ("time", r"(?<!\w)\d{1,2}\s?[AaPp]\.?[Mm]\b|(?:오전|오후)\s*\d{1,2}시(?:\s*\d{1,2}분)?"),
    ("money", r"[$€£₩¥]\s?\d[\d,]{0,20}(?:\.\d{1,9})?"),
    ("money", rf"(?<![\d.,])\d[\d,]{{0,20}}(?:\.\d{{1,9}})?\s?(?:{_CURRENCIES})"),
    (
        "money",
        rf"(?<![\d.,])\d[\d,]{{0,20}}(?:(?:{_MYRIADS})\s?\d{{0,4}}){{1,3}}\s?(?:{_CURRENCIES})",
    ),
    ("percent", r"(?<![\d.,])\d{1,9}(?:\.\d{1,9})?\s?(?:%|percent\b|퍼센트)"),
    ("duration", rf"(?<![\w.])\d{{1,9}}\s?-?(?:{_UNITS})\b"),
    (
        "duration",
        r"\b(?:an?|one|two|three|four|five|six|ten) (?:hours?|minutes?|days?|weeks?|seconds?)\b",
    ),
    (
        "duration",
        r"(?<![\d.,])\d{1,9}\s?(?:시간|분|일|주)(?:\s?(?:동안|간|이내|안에|내로|짜리|만에))",
    ),
    ("key", r"(?<![\w-])[A-Z][A-Z0-9_]+-\d+(?!\w)"),
    ("hash", r"(?<![\w/])[#!]\d+(?!\w)"),
    ("channel", r"(?<![\w/])#[A-Za-z_][\w-]*"),
    ("mention", r"(?<![\w/])@[A-Za-z][\w.-]*"),
    (
        "path",
        rf"(?<![\w/.-])(?:[\w.-]{{1,80}}/){{0,20}}[\w-]{{1,80}}(?:\.[\w-]{{1,80}}){{0,5}}\.(?:{_EXTENSIONS})(?!\w)",
    ),
    ("id", r"(?<![\w-])\d{2,8}(?:-\d{2,8}){1,4}(?![\w-])"),
    ("id", r"(?<![\w.])v?\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[\w.]{1,40})?(?!\w)"),
    ("pair", r"(?<![\w/.:])[\w.-]+/[\w.-]+(?![\w/])(?<![.])"),
    (
        "path",
        r"(?<![\w/.:])(?:~|\.{1,2})?/?(?:[\w.-]+/)+[\w.-]*[\w/]|(?<!\w)(?:~|\.{1,2})?/[\w.-]+[\w]",
    ),
    (
        "id",
        r"(?<![\w/.-])(?=[\w-]{0,80}\d)(?=[\w-]{0,80}[A-Za-z])[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*(?![\w/]|\.\d)",
    ),
    ("id", r"(?<![\w/.-])[A-Za-z0-9]+_\w*[A-Za-z0-9](?!\w)"),
    (
        "number",
        r"(?<![\w.,])-?\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,9})?(?!\d)|(?<![\w.])-?\d{1,18}(?:\.\d{1,9})?(?!\d)",
    ),
)
"""The earlier a kind stands here, the more it wins. Words are ASCII: a Korean particle may follow a value."""
_COMPILED = tuple((kind, re.compile(pattern, re.ASCII)) for kind, pattern in _PATTERNS)
_NOT_PAIRS = "and/or he/she she/he his/her read/write on/off yes/no either/or w/o n/a".split()
_MASK = re.compile(f"[{chr(_MASK_FIRST)}-{chr(_MASK_FIRST + MAX_LITERALS)}]")


@dataclass(frozen=True, slots=True)
class Found:
    """One value in a text."""

    kind: LiteralKind
    text: str
    """As it stands, quotes taken off."""
    written: str
    """As it stands, quotes and all."""
    mask: str
    """The one character that stands in its place."""


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text with its values masked."""

    text: str
    found: tuple[Found, ...]
    """In the order of the text."""

    def shown(self, part: str) -> str:
        """A part of the masked text with its values put back, quotes off."""
        return _MASK.sub(lambda match: self._by_mask(match.group()).text, part)

    def written(self, part: str) -> str:
        """A part of the masked text as it was written."""
        return _MASK.sub(lambda match: self._by_mask(match.group()).written, part)

    def inside(self, part: str) -> tuple[Found, ...]:
        """The values of a part of the masked text."""
        return tuple(self._by_mask(match.group()) for match in _MASK.finditer(part))

    def _by_mask(self, mask: str) -> Found:
        return next(found for found in self.found if found.mask == mask)


def masked(text: str) -> MaskedText:
    """Find the values of a text; the earlier a kind stands in the list of kinds, the more it wins."""
    text = _without_masks(text)[:MAX_TEXT_CHARS]
    taken: list[tuple[int, int, LiteralKind, str]] = [
        (start, end, "tool", text[start:end].strip("`"))
        for start, end in list(dict.fromkeys(named_tools(text)))[:MAX_LITERALS]
    ]
    for kind, pattern in _COMPILED:
        for match in pattern.finditer(text):
            free = all(match.end() <= start or match.start() >= end for start, end, _, _ in taken)
            if free and match.group().lower() not in _NOT_PAIRS and len(taken) < MAX_LITERALS:
                value = next((group for group in match.groups() if group), match.group()).strip()
                taken.append((match.start(), match.end(), kind, value))
    pieces: list[str] = []
    found: list[Found] = []
    at = 0
    for start, end, kind, value in sorted(taken):
        mask = chr(_MASK_FIRST + len(found))
        found.append(Found(kind, value, text[start:end], mask))
        pieces += [text[at:start], mask]
        at = end
    return MaskedText("".join(pieces) + text[at:], tuple(found))


def unmasked(text: str) -> str:
    """A masked text without its values."""
    return _MASK.sub(" ", text)


def has_mask(text: str) -> bool:
    """Whether a value stands in this part of a masked text."""
    return _MASK.search(text) is not None


def _without_masks(text: str) -> str:
    return re.sub("[\ue000-\uf8ff]", " ", text)
