"""Makes a parsed value safe to keep, to show and to send; says what had to be changed.

Half characters (lone surrogates) and NUL fail when a text is encoded or stored, NaN and infinity
fail when a value is written as JSON: both would fail much later, in the middle of a chat.
"""

import math
import re
from collections.abc import Mapping

from toolsearch_core.catalog.limits import MAX_DEPTH
from toolsearch_core.catalog.parse import TOO_DEEP, ObjectWithDoubledKey
from toolsearch_core.jsonvalues import JsonValue, whole_characters
from toolsearch_core.notices import Notice, notice

_UNSAFE = re.compile("[\ud800-\udfff\0]")


def safe_text(text: str) -> str:
    """The text with a replacement character for each half character and each NUL."""
    return whole_characters(text).replace("\0", "\ufffd")


class TooDeepError(ValueError):
    """The value is nested deeper than `MAX_DEPTH`."""


class Cleaner:
    """Cleans values one after another and remembers what it changed, one notice for each kind."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}
        self._path: list[str] = []

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What was changed: the first place of each kind, and how many there are."""
        return tuple(
            notice(code, place=place, count=count) for code, (count, place) in self._found.items()
        )

    def cleaned(self, value: JsonValue) -> JsonValue:
        """The value with texts that can be encoded and numbers that can be written.

        Raises:
            TooDeepError: it is nested deeper than `MAX_DEPTH`.
        """
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping | list):
            if len(self._path) >= MAX_DEPTH:
                raise TooDeepError
            return self._object(value) if isinstance(value, Mapping) else self._array(value)
        return value

    def _text(self, text: str) -> str:
        if text == TOO_DEEP:
            raise TooDeepError
        if _UNSAFE.search(text) is None:
            return text
        self._note("catalog.half_character")
        return safe_text(text)

    def _object(self, value: Mapping[str, JsonValue]) -> JsonValue:
        if isinstance(value, ObjectWithDoubledKey):
            self._note("catalog.doubled_key", value.doubled)
        kept: dict[str, JsonValue] = {}
        for key, item in value.items():
            self._path.append(key)
            if self._is_writable(item):
                kept[self._text(key)] = self.cleaned(item)
            self._path.pop()
        return kept

    def _array(self, value: list[JsonValue]) -> JsonValue:
        kept: list[JsonValue] = []
        for position, item in enumerate(value):
            self._path.append(str(position))
            if self._is_writable(item):
                kept.append(self.cleaned(item))
            self._path.pop()
        return kept

    def _is_writable(self, value: JsonValue) -> bool:
        if isinstance(value, float) and not math.isfinite(value):
            self._note("catalog.not_a_number")
            return False
        return True

    def _note(self, code: str, key: str = "") -> None:
        count, place = self._found.get(code, (0, ""))
        if not count:
            place = safe_text(".".join([*self._path, key] if key else self._path))
        self._found[code] = (count + 1, place)
