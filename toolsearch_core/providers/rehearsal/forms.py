"""A said value in the form that a property wants, and whether the property takes it."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from toolsearch_core.providers.rehearsal.checking import matches, problems
from toolsearch_core.providers.rehearsal.lexicon import table
from toolsearch_core.providers.rehearsal.moments import iso_date, iso_time, short_duration
from toolsearch_core.providers.rehearsal.roles import roles_of
from toolsearch_core.text.tokens import name_words

_MOMENT = re.compile(r"date|rfc ?3339|iso ?8601", re.IGNORECASE)
_CLOCK = re.compile(r"(?:^|T)(\d\d:\d\d)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_CLOCK_TOLD = re.compile(
    r"(?<![DT])(?<!DD )\bHH:MM\b|\b24-hour\b|24시간제|\btime of (?:the )?day\b", re.IGNORECASE
)
_END_WORDS = frozenset(("end", "max", "until"))


def forms_of(plain: Mapping[str, Any], name: str, text: str) -> Sequence[str]:
    """A text in the forms that a property may want, the likeliest first.

    Args:
        plain: the property's subschema.
        name: its name.
        text: the value as it was said.
    """
    roles = roles_of(name)[:1]
    if name_words(name)[-1:] in (["zone"], ["timezone"]):
        return [_zone(text)]
    if _wants_clock(plain):
        clock = _CLOCK.search(text)
        return [clock[1]] if clock else [] if _DAY.fullmatch(text) else [text]
    told = f"{plain.get('format')} {name} {plain.get('description')}"
    timed = roles == ("datetime",) or (roles == ("time",) and plain.get("format") == "date-time")
    if timed and re.fullmatch(r"\d\d:\d\d", text) and _MOMENT.search(told):
        # A time of day needs a date where a moment is meant; which one, nobody said.
        text = f"{table('placeholders')['formats']['date']}T{text}:00"
    forms = [text]
    match plain.get("format"):
        case "date":
            forms.insert(0, iso_date(text)[:10])
        case "date-time":
            forms.insert(0, _with_zone(iso_date(text)))
        case "time":
            forms.insert(0, f"{iso_time(text)}Z")
        case _ if roles == ("duration",):
            forms.insert(0, short_duration(text))
    if isinstance(plain.get("pattern"), str):
        forms += [text.upper(), text.lower(), text.split("-")[0]]
    return forms


def _zone(text: str) -> str:
    """The time zone named after a city, as `Asia/Seoul`; the text itself for none."""
    ending = f"/{text.strip().replace(' ', '_').lower()}"
    return next((zone for zone in _zones() if zone.lower().endswith(ending)), text)


@cache
def _zones() -> tuple[str, ...]:
    return tuple(
        sorted(zone for zone in available_timezones() if zone[0].isupper() and "/" in zone)
    )


def _wants_clock(plain: Mapping[str, Any]) -> bool:
    """Whether a property is a time of day, which no date is."""
    description = str(plain.get("description", ""))
    told = _CLOCK_TOLD.search(description) is not None and "YYYY" not in description
    return told and plain.get("format") in (None, "time")


def accepted(plain: Mapping[str, Any], value: Any) -> bool:
    """Whether a value keeps the rules of its own subschema, as far as they stand in it."""
    if isinstance(value, str):
        pattern, least, most = plain.get("pattern"), plain.get("minLength"), plain.get("maxLength")
        fits = not isinstance(pattern, str) or matches(pattern, value)
        long_enough = not isinstance(least, int) or len(value) >= least
        short_enough = not isinstance(most, int) or len(value) <= most
        return fits and long_enough and short_enough
    return "$ref" in str(plain) or not problems(plain, value)


def is_end(name: str) -> bool:
    """Whether a property ends a span that another one begins."""
    return not _END_WORDS.isdisjoint(name_words(name))


def start_of(name: str) -> str:
    """The property that begins what this one ends: `start_time` for `end_time`."""
    return name.replace("end", "start").replace("max", "min").replace("until", "since")


def _with_zone(moment: str) -> str:
    if re.search(r"T.*(?:Z|[+-]\d\d:?\d\d)$", moment):
        return moment
    return f"{moment[:19]}Z" if "T" in moment else f"{moment}T00:00:00Z"
