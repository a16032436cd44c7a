"""How the regex index reads a query: as a pattern, as a name with stars, or as plain words."""

import re
from dataclasses import dataclass
from typing import Protocol, cast

import re2

from toolsearch_core.errors import InvalidPatternError

MAX_PATTERN_CHARS = 200

_PATTERN_SIGNS = frozenset("^$*+?()[]{}|\\")
_SENTENCE_ENDS = re.compile(r"(?<=\w)[.?!,;:]+(?=\s|$)")
_STARRED_NAME = re.compile(r"[\w\-/*]*\*[\w\-/*]*")
_TWO_WORDS = re.compile(r"\w\s+\w")


class Matcher(Protocol):
    """A compiled pattern; it works on UTF-8, in time linear in the text."""

    def search(self, text: bytes) -> "Found | None":
        """The first match anywhere in the text."""
        ...


class Found(Protocol):
    """One match."""

    def group(self) -> bytes:
        """The text that matched; may be empty."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What a query means to the regex index."""

    pattern: Matcher | None = None
    whole_name: Matcher | None = None
    """For a name with stars: the whole name it describes."""
    could_be_words: bool = False
    """The query has blanks, as prose has; when it finds nothing as a pattern, its words may."""

    @property
    def plain_words(self) -> bool:
        """The query is no pattern at all."""
        return self.pattern is None and self.whole_name is None


def read_pattern(text: str) -> Reading:
    """Tell a pattern from plain words.

    Plain words have no sign of a pattern in them (the full stop is none), apart from the punctuation of
    a sentence. In `get_*_data` the star stands for any letters, as in file names, and for a repetition
    too, as in patterns.

    Raises:
        InvalidPatternError: longer than 200 characters, or a pattern that does not compile.
    """
    if len(text) > MAX_PATTERN_CHARS:
        raise InvalidPatternError(
            "search.pattern_too_long", length=len(text), limit=MAX_PATTERN_CHARS
        )
    if not _PATTERN_SIGNS.intersection(_SENTENCE_ENDS.sub("", text)):
        return Reading()
    could_be_words = bool(_TWO_WORDS.search(text))
    if not _STARRED_NAME.fullmatch(text):
        return Reading(pattern=_compiled(text), could_be_words=could_be_words)
    whole_name = _compiled(f"^{_of_stars(text)}$")
    try:
        return Reading(pattern=_compiled(text), whole_name=whole_name)
    except InvalidPatternError:  # `*_issue` is a name with a star and no pattern
        return Reading(whole_name=whole_name)


def _of_stars(name: str) -> str:
    return ".*".join(re.escape(part) for part in name.split("*"))


def _compiled(pattern: str) -> Matcher:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    try:
        return cast(Matcher, re2.compile(pattern.encode("utf-8"), options))
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        said = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise InvalidPatternError("search.pattern_invalid", pattern=pattern, reason=said) from error
