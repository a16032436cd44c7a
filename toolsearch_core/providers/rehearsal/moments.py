"""Dates, times, durations and numbers as people write them, in the form that a tool wants."""

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

_UNITS = {
    **dict.fromkeys(("second", "sec", "s", "초"), 1),
    **dict.fromkeys(("minute", "min", "m", "분"), 60),
    **dict.fromkeys(("hour", "hr", "h", "시간"), 3600),
    **dict.fromkeys(("day", "d", "일"), 86400),
    **dict.fromkeys(("week", "w", "주"), 604800),
}
TODAY = date(2026, 1, 15)
"""The day that "today" and a date without a year are reckoned from, since the model has no clock."""
_MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"
_SHORT = (("w", 604800), ("d", 86400), ("h", 3600), ("m", 60))
_RELATIVE = {
    "today": 0,
    "tomorrow": 1,
    "the day after tomorrow": 2,
    "yesterday": -1,
    "오늘": 0,
    "내일": 1,
    "모레": 2,
    "어제": -1,
    "그저께": -2,
}
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_KOREAN_WEEKDAYS = "월화수목금토일"
_WORTH = {
    "억": 10**8,
    "천만": 10**7,
    "백만": 10**6,
    "십만": 10**5,
    "만": 10**4,
    "천": 1000,
}
_MYRIADS = re.compile(r"(\d[\d,]{0,20})\s?(억|천만|백만|십만|만|천)")
_WORD_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "ten": 10,
}


def iso_date(text: str) -> str:
    """A date as YYYY-MM-DD where it can be read as one; a date with a time keeps it."""
    if (named := _named_day(text.strip().lower())) is not None:
        return named.isoformat()
    digits = re.findall(r"\d+", text)
    if (month := _month_in(text)) and digits:
        year = next((int(part) for part in digits if len(part) == 4), TODAY.year)
        day = int(next((part for part in digits if len(part) < 3), digits[0]))
        return f"{year:04d}-{month:02d}-{day:02d}"
    if "월" in text and len(digits) == 2:
        digits = [str(TODAY.year), *digits]
    if "T" in text or ":" in text or len(digits) < 3:
        return text.replace(" ", "T", 1) if re.match(r"\d{4}-\d{2}-\d{2} \d", text) else text
    return f"{int(digits[0]):04d}-{int(digits[1]):02d}-{int(digits[2]):02d}"


def _named_day(text: str) -> date | None:
    """The day that `tomorrow`, `next Monday` or `다음 주 월요일` means, reckoned from `TODAY`."""
    if text in _RELATIVE:
        return TODAY + timedelta(days=_RELATIVE[text])
    first = TODAY - timedelta(days=TODAY.weekday())
    if korean := re.fullmatch(r"(이번|다음) ?주 ?([월화수목금토일])요일", text):
        weeks = 1 if korean[1] == "다음" else 0
        return first + timedelta(weeks=weeks, days=_KOREAN_WEEKDAYS.index(korean[2]))
    english = re.fullmatch(r"(?:next|this|on) ([a-z]{3})[a-z]*day", text)
    if english is None or english[1] not in _WEEKDAYS:
        return None
    ahead = (_WEEKDAYS.index(english[1]) - TODAY.weekday() - 1) % 7 + 1
    return TODAY + timedelta(days=ahead)


def _month_in(text: str) -> int:
    """The month that an English date names, 1..12; 0 for none."""
    word = re.search(r"[A-Za-z]{3,}", re.sub(r"\bof\b", "", text))
    place = _MONTHS.find(word.group()[:3].lower()) if word else -1
    return place // 3 + 1 if place >= 0 and place % 3 == 0 else 0


def iso_time(text: str) -> str:
    """A time of day as HH:MM:SS."""
    digits = [int(part) for part in re.findall(r"\d+", text)] or [0]
    hour = digits[0] % 24
    if re.search(r"p\.?m|오후", text, re.IGNORECASE) and hour < 12:
        hour += 12
    if re.search(r"a\.?m|오전", text, re.IGNORECASE) and hour == 12:
        hour = 0
    minute = digits[1] % 60 if len(digits) > 1 else 0
    return f"{hour:02d}:{minute:02d}:00"


def precedes(moment: str, other: str) -> bool:
    """Whether a moment lies before another one; false when they cannot be compared."""
    both = [re.match(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?)?", text) for text in (moment, other)]
    first, second = both
    if first is None or second is None:
        return False
    length = min(len(first.group()), len(second.group()))
    return first.group()[:length] < second.group()[:length]


def later(moment: str) -> str:
    """An hour after a moment, a day after a date; the text itself when it is neither."""
    try:
        start = datetime.fromisoformat(moment)
        if "T" not in moment:
            return (start + timedelta(days=1)).date().isoformat()
        return (start + timedelta(hours=1)).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError):
        return moment


def in_unit(duration: str, unit_words: Sequence[str]) -> float | None:
    """A duration in the unit that one of the words names; in seconds when none does."""
    match = re.match(r"(\d+|[a-z]+)\s*-?\s*([a-z가-힣]+)", duration.lower())
    if match is None:
        return None
    amount = float(match[1]) if match[1].isdecimal() else float(_WORD_NUMBERS.get(match[1], 1))
    written = (match[2], match[2].rstrip("s"), match[2][:2], match[2][:1])
    unit = next((unit for unit in written if unit in _UNITS), None)
    if unit is None:
        return None
    seconds = amount * _UNITS[unit]
    for word in unit_words:
        if len(word) > 2 and word.rstrip("s") in _UNITS:
            return seconds / _UNITS[word.rstrip("s")]
    return seconds


def short_duration(text: str) -> str:
    """A duration as `2h`, `30m`, `1d`; the text itself when it is none."""
    seconds = in_unit(text, ())
    if seconds is None:
        return text
    for unit, size in _SHORT:
        if seconds % size == 0:
            return f"{int(seconds // size)}{unit}"
    return f"{int(seconds)}s"


def number_in(text: str) -> float | None:
    """The first number of a text, thousands separated by commas or not; `1억 5천만` is 150 million."""
    if parts := _MYRIADS.findall(text):
        return float(
            sum(int(digits.replace(",", "") or 1) * _WORTH[word] for digits, word in parts)
        )
    match = re.search(r"-?\d[\d,]{0,20}(?:\.\d{1,9})?", text)
    return float(match.group().replace(",", "")) if match else None
