"""Durations as people write them, in seconds."""

import re
from decimal import Decimal
from fractions import Fraction

MIN_DURATION_S = 0.001
MAX_DURATION_S = 36_500 * 86_400
"""A hundred years: more is a mistake."""

_MAX_CHARS = 60
_NUMBER = r"\d+(?:\.\d+)?"
_UNIT_S = {
    "d": Fraction(86_400),
    "h": Fraction(3_600),
    "m": Fraction(60),
    "s": Fraction(1),
    "ms": Fraction(1, 1000),
}
_SHORT = re.compile(
    rf"(?:({_NUMBER})d)?(?:({_NUMBER})h)?(?:({_NUMBER})m)?(?:({_NUMBER})s)?(?:({_NUMBER})ms)?",
    re.ASCII,
)
_ISO = re.compile(rf"P(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:({_NUMBER})S)?)?", re.ASCII)
_SECONDS = re.compile(rf"()()()({_NUMBER})", re.ASCII)


def parse_duration(text: str) -> float | None:
    """Seconds of `30m`, `1h30m`, `2d`, `500ms`, `PT30M`, `P1DT2H`, or of a plain number of seconds.

    Units stand from the largest to the smallest, each at most once. ISO 8601 is read as far as its units
    have a fixed length: days, hours, minutes, seconds. Zero is read; whether it is allowed is for others.

    Returns:
        The seconds, at most those of a hundred years; `None` when the text is no such duration.
    """
    if len(text) > _MAX_CHARS:
        return None
    stripped = text.strip(" ")
    for form in (_SHORT, _ISO, _SECONDS):
        found = form.fullmatch(stripped)
        if found and any(found.groups()):
            parts = zip(found.groups(), _UNIT_S.values(), strict=False)
            total = sum(Fraction(number) * unit for number, unit in parts if number)
            return float(total) if total <= MAX_DURATION_S else None
    return None


def format_duration(seconds: float) -> str:
    """The shortest of these forms that reads as exactly these seconds, such as `1h30m`.

    Args:
        seconds: 0 or more, and finite.
    """
    exact = Fraction(Decimal(repr(seconds)))
    left_ms = round(exact * 1000)
    if not left_ms or Fraction(left_ms, 1000) != exact:
        return format(Decimal(repr(seconds)), "f")
    parts = []
    for unit, unit_s in _UNIT_S.items():
        number, left_ms = divmod(left_ms, int(unit_s * 1000))
        if number:
            parts.append(f"{number}{unit}")
    return "".join(parts)
