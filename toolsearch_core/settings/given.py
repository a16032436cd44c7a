"""A value that somebody gave, with the place where it stands, and how both are shown."""

import json
import re
from dataclasses import dataclass
from typing import Literal

from toolsearch_core.errors import SettingsError
from toolsearch_core.settings.kinds import CHOICE, NotAllowedError
from toolsearch_core.settings.names import near_value
from toolsearch_core.settings.table import Option

MAX_SHOWN = 5
"""Of a longer list only the type is told."""

OriginKind = Literal["default", "file", "environment", "argument"]

_SECRETS = (
    (re.compile(r"(?<=://)[^/?#\s]*@"), "***@"),  # a user and a password in an address
    (re.compile(r"(\w://[^\s?#]*)[?#]\S+"), r"\1?***"),  # its query
    (re.compile(r"\bsk-[\w-]{8,}"), "sk-***"),  # what keys look like
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """Where the value of an option comes from."""

    kind: OriginKind
    place: str = ""
    """The path, the variable or the argument; for a default the option it follows from, if any."""

    def __str__(self) -> str:
        if self.kind == "default":
            return f"default, since {self.place} is set" if self.place else "default"
        return f"{self.kind} {self.place}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """One value from one source."""

    option: Option
    origin: Origin
    raw: object
    """As it was given, of a text what it says."""
    value: object
    """As the settings hold it."""


def given(option: Option, origin: Origin, raw: object, *, text: bool = False) -> Given:
    """A value, read.

    Args:
        option: what it is for.
        origin: where it stands.
        raw: the value.
        text: it stands in the environment, so that numbers, too, are texts.

    Raises:
        SettingsError: it is nothing that the option can be.
    """
    if text and isinstance(raw, str) and not _is_none(option, raw):
        raw = option.kind.untext(raw)
    try:
        return Given(option=option, origin=origin, raw=raw, value=_value(option, raw))
    except NotAllowedError as refused:
        typed = f"{refused}, " if str(refused) not in option.allowed else ""
        allowed = f"{typed}{option.allowed}"
        raise not_allowed(option, origin, raw, allowed) from None


def _value(option: Option, raw: object) -> object:
    return option.none if _is_none(option, raw) else option.kind.take(raw)


def _is_none(option: Option, raw: object) -> bool:
    word = isinstance(raw, str) and raw.strip() == "none"
    return option.can_be_none and (raw is None or word)


def not_allowed(option: Option, origin: Origin, raw: object, allowed: str) -> SettingsError:
    """The error for a value that the option cannot be; with a choice, the one that was meant."""
    choices = allowed.split(" or ") if option.kind is CHOICE else []
    near = near_value(raw, choices) if isinstance(raw, str) else None
    if near is not None:
        return SettingsError(
            "settings.refused_choice",
            option=option.full_name,
            origin=origin.place,
            value=shown(raw),
            allowed=allowed,
            nearest=near,
        )
    return SettingsError(
        "settings.refused",
        option=option.full_name,
        origin=origin.place,
        value=shown(raw),
        allowed=allowed,
    )


def shown(raw: object) -> str:
    """Any value as a sentence can name it: texts in quotes, whatever is no JSON by its type."""
    if isinstance(raw, str):
        return json.dumps(without_secrets(raw), ensure_ascii=False)
    if isinstance(raw, bool) or raw is None:
        return {True: "true", False: "false", None: "none"}[raw]
    if type(raw) is float or (type(raw) is int and raw.bit_length() <= 64):
        return str(raw)
    if type(raw) is int:
        return "a number of too many digits"
    if type(raw) is list and len(raw) <= MAX_SHOWN and not any(type(part) is list for part in raw):
        return f"[{', '.join(map(shown, raw))}]"
    return f"of type {type(raw).__name__}"


def without_secrets(text: str) -> str:
    """The text with `***` for what looks like a password or a key."""
    for pattern, cover in _SECRETS:
        text = pattern.sub(cover, text)
    return text
