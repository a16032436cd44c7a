"""What the arguments of a call fix for the values of its answer: days, a year, a time zone, limits."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from toolsearch_core.execution.vocabulary import cities, word_list
from toolsearch_core.jsonvalues import JsonObject, JsonValue
from toolsearch_core.text.tokens import name_words

YEARS = range(1900, 2101)
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Bounds:
    """Limits for made-up values; each part is empty where the arguments do not say it."""

    begins: datetime | None = None
    """The first moment that is asked for; local, without a zone."""
    ends: datetime | None = None
    year: int | None = None
    zone: str = ""
    """An IANA name, for the place that is asked about."""
    highest: tuple[tuple[frozenset[str], float], ...] = ()
    """Words of a field's name, and what its value may not exceed."""
    lowest: tuple[tuple[frozenset[str], float], ...] = ()
    true: frozenset[str] = frozenset()
    """Words of names of what the call asks to be so: `open_at`, `available_only`."""

    @property
    def first_moment(self) -> datetime | None:
        """Where the answer begins in time."""
        return self.begins or self.ends

    def within(self, field: str, value: float) -> float:
        """The value, no higher and no lower than the arguments allow for a field of this name."""
        words = frozenset(name_words(field))
        for named, most in self.highest:
            value = most if words & named and value > most else value
        for named, least in self.lowest:
            value = least if words & named and value < least else value
        return value


def bounds_of(arguments: JsonObject) -> Bounds:
    """Read the arguments of a call."""
    begins = ends = None
    year: int | None = None
    zone = ""
    highest: list[tuple[frozenset[str], float]] = []
    lowest: list[tuple[frozenset[str], float]] = []
    true: set[str] = set()
    for name, value in _flat(arguments).items():
        words = frozenset(name_words(name))
        moment = _moment(value)
        if moment is not None and words & set(word_list("ending")):
            ends = ends or moment
        elif moment is not None:
            begins = begins or moment
        elif isinstance(value, str):
            zone = zone or zone_of(value)
        elif isinstance(value, bool):
            pass
        elif isinstance(value, int | float):
            if words == {"year"} and value in YEARS:
                year = int(value)
            about = frozenset(word for word in words - set(word_list("bounding")) if len(word) > 1)
            about |= {"distance"} if "radius" in words else frozenset()
            if words & {"max", "maximum", "radius", "longest", "most", "until"}:
                highest.append((about, float(value)))
            elif words & {"min", "minimum", "least"}:
                lowest.append((about, float(value)))
        if value is not False and words & {"open", "stock", "available", "unread", "enabled"}:
            true |= words & {"open", "stock", "unread", "enabled"}
    return Bounds(
        begins=begins,
        ends=ends if begins is None or ends is None or ends >= begins else None,
        year=year,
        zone=zone,
        highest=tuple(highest),
        lowest=tuple(lowest),
        true=frozenset(true),
    )


def zone_of(place: str) -> str:
    """The time zone of a place: an IANA name itself, or a city that one is named after; else empty."""
    text = place.strip()[:60]
    if text in _zones().values():
        return text
    first = re.split(r"[,(]", text)[0].strip()
    for name in (first, *re.split(r"\s+", first)[:2]):
        found = cities().get(name) or _zones().get(name.lower().replace(" ", "_"))
        if found:
            return found
    return ""


def offset_of(zone: str, moment: datetime) -> str:
    """How far a zone is from UTC at a local moment, as `+09:00`; `+00:00` for one that nobody knows."""
    try:
        offset = moment.replace(tzinfo=ZoneInfo(zone)).utcoffset() or timedelta()
    except (ZoneInfoNotFoundError, ValueError, OSError):
        offset = timedelta()
    minutes = round(offset.total_seconds() / 60)
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


@cache
def _zones() -> Mapping[str, str]:
    """The city of each zone, lower-case -> the zone; empty where the system has no table of zones."""
    return {
        zone.rpartition("/")[2].lower(): zone
        for zone in sorted(available_timezones())
        if "/" in zone and not zone.startswith(("Etc/", "posix/", "right/"))
    }


def _flat(arguments: JsonObject) -> Mapping[str, JsonValue]:
    """The arguments, with those of one level of objects among them: a period as `window.from`."""
    flat: dict[str, JsonValue] = {}
    for name, value in arguments.items():
        if isinstance(value, Mapping):
            flat.update({f"{name}.{inner}": item for inner, item in value.items()})
        else:
            flat[name] = value
    return flat


def _moment(value: JsonValue) -> datetime | None:
    match = _MOMENT.match(value) if isinstance(value, str) else None
    if match is None:
        return None
    try:
        moment = datetime.fromisoformat(f"{match[1]}T{match[2] or '09:00'}")
    except ValueError:
        return None
    return moment if moment.year in YEARS else None
