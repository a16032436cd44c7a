"""How a value is written: in TOML and as a keyword argument, and as the text of a variable."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from toolsearch_core.settings.durations import (
    MAX_DURATION_S,
    MIN_DURATION_S,
    format_duration,
    parse_duration,
)

MAX_WHOLE = 10**12
"""Whole numbers beyond are mistakes in every option; Python cannot even write out the largest."""


class NotAllowedError(ValueError):
    """A value cannot be what it is given for; the text names the type, where the option does not."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """How the values of an option are written. Functions raise `NotAllowedError`."""

    take: Callable[[object], object]
    """From what TOML or Python has to what the settings hold; ranges are checked by the settings."""
    untext: Callable[[str], object]
    """From a text to what `take` takes."""
    write: Callable[[object], object] = lambda value: value
    """From what the settings hold to what `take` takes, as JSON can hold it."""


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise NotAllowedError("a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise NotAllowedError("a text of whole characters") from None
    return value


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MAX_WHOLE:
        raise NotAllowedError("a whole number")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotAllowedError("a number")
    return value


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise NotAllowedError
    return value


def _duration(value: object) -> float:
    if isinstance(value, str):
        seconds = parse_duration(value)
    else:
        seconds = value if isinstance(value, int | float) and value is not True else None
    if seconds is None or not MIN_DURATION_S <= seconds <= MAX_DURATION_S:
        raise NotAllowedError
    return float(seconds)


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise NotAllowedError
    names = tuple(_text(name) for name in value)
    if not all(name.strip() for name in names):
        raise NotAllowedError
    return names


def _number_in(text: str) -> object:
    stripped = text.strip()
    if re.fullmatch(r"[+-]?\d{1,20}", stripped, re.ASCII):
        return int(stripped)
    if re.fullmatch(r"[+-]?(\d{1,20}(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", stripped, re.ASCII):
        return float(stripped)
    return text


def _switch_in(text: str) -> object:
    words = {"true": True, "yes": True, "on": True, "1": True} | {
        "false": False,
        "no": False,
        "off": False,
        "0": False,
    }
    return words.get(text.strip().lower(), text)


def _names_in(text: str) -> object:
    return [name.strip() for name in text.split(",") if name.strip()]


def _enabled(value: object) -> str:
    return "search_and_inject" if _switch(value) else "all_up_front"


TEXT = Kind(take=_text, untext=lambda text: text)
CHOICE = Kind(take=_text, untext=str.strip)
WHOLE = Kind(take=_whole, untext=_number_in)
SHARE = Kind(take=_number, untext=_number_in)
SWITCH = Kind(take=_switch, untext=_switch_in)
DURATION = Kind(
    take=_duration,
    untext=lambda text: text,
    write=lambda value: format_duration(float(str(value))),
)
"""In the settings: seconds."""
NAMES = Kind(
    take=_names,
    untext=_names_in,
    write=lambda value: list(value) if isinstance(value, tuple) else [],
)
DISCLOSURE = Kind(
    take=_enabled, untext=_switch_in, write=lambda value: value == "search_and_inject"
)
"""A switch; in the settings: the disclosure that it means."""
