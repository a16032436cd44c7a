"""A short text that a regular expression accepts, for required values that a question does not say."""

import re
from dataclasses import dataclass

MAX_PATTERN_CHARS = 400
MAX_DEPTH = 8
MAX_SAMPLE_CHARS = 200

_CLASS_SAMPLES = {"d": "1", "w": "a", "s": " ", "D": "a", "W": "-", "S": "a"}
_QUANTIFIER = re.compile(r"\{(\d{1,4})(?:,(\d{0,4}))?\}\??|[*+?][?+]?")
_PREFERRED = "a1A0-_. /:#@"


def sample(pattern: str, many: int = 1) -> str | None:
    """A text for a simple pattern: literals, classes, groups, choices, counts.

    Args:
        pattern: the regular expression.
        many: how often to repeat what `+` and `*` allow to be repeated.

    Returns:
        The text, which the caller checks; `None` for a pattern with anything else, such as look-ahead.
    """
    if len(pattern) > MAX_PATTERN_CHARS:
        return None
    try:
        return _Reader(pattern, min(many, MAX_SAMPLE_CHARS)).read()[:MAX_SAMPLE_CHARS]
    except (_UnknownError, IndexError, ValueError, re.error):
        return None


class _UnknownError(Exception):
    pass


@dataclass(slots=True)
class _Reader:
    pattern: str
    many: int
    at: int = 0
    depth: int = 0

    def read(self) -> str:
        """The first alternative up to the end of this group."""
        chosen: str | None = None
        text = ""
        while self.at < len(self.pattern) and self.pattern[self.at] != ")":
            if self.pattern[self.at] == "|":
                chosen = text if chosen is None else chosen
                text = ""
                self.at += 1
                continue
            text += self._repeated(self._atom())
            if len(text) > MAX_SAMPLE_CHARS:
                raise _UnknownError
        return text if chosen is None else chosen

    def _atom(self) -> str:
        character = self.pattern[self.at]
        self.at += 1
        match character:
            case "^" | "$":
                return ""
            case ".":
                return "a"
            case "(":
                return self._group()
            case "[":
                return self._class()
            case "\\":
                return self._escape()
        return character

    def _group(self) -> str:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _UnknownError
        if self.pattern.startswith("?", self.at):
            start = re.compile(r"\?(?::|P?<\w+>)").match(self.pattern, self.at)
            if start is None:
                raise _UnknownError
            self.at = start.end()
        text = self.read()
        if self.pattern[self.at] != ")":
            raise _UnknownError
        self.at += 1
        self.depth -= 1
        return text

    def _escape(self) -> str:
        character = self.pattern[self.at]
        self.at += 1
        if character in _CLASS_SAMPLES:
            return _CLASS_SAMPLES[character]
        if character in "bBAZz":
            return ""
        if character in "nrtfv":
            return {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v"}[character]
        if character.isalnum():
            raise _UnknownError
        return character

    def _class(self) -> str:
        end = self.at + 1 if self.pattern[self.at] == "]" else self.at
        while self.pattern[end] != "]":
            end += 2 if self.pattern[end] == "\\" else 1
        inside = self.pattern[self.at : end]
        self.at = end + 1
        if not inside.startswith("^"):
            first = re.match(r"\\?(.)", inside)
            if first and len(inside) <= 2:
                letter: str = first[1]
                return _CLASS_SAMPLES.get(letter, letter) if "\\" in inside else letter
        single = re.compile(f"[{inside}]")
        likely: list[str] = [*_PREFERRED, *map(chr, range(33, 127)), "가"]
        for character in likely:
            if single.fullmatch(character):
                return character
        raise _UnknownError

    def _repeated(self, atom: str) -> str:
        match = _QUANTIFIER.match(self.pattern, self.at)
        if match is None:
            return atom
        self.at = match.end()
        if match[1] is not None:
            most = int(match[2]) if match[2] else max(self.many, int(match[1]))
            wanted = int(match[1]) if match[2] is None else min(most, max(self.many, int(match[1])))
            return atom * min(wanted, MAX_SAMPLE_CHARS)
        quantifier = match.group()[0]
        if quantifier == "?" or (quantifier == "*" and self.many == 1):
            return ""
        return atom * self.many
