"""The regex index: patterns over names, titles and descriptions, in linear time, and plain words too.

The engine is RE2, which has no backtracking, so that no pattern a model writes can hang the process. A
pattern that matches the empty text only is no hit. Points are given once per field and not per
occurrence, so that repeating a word in a description gains nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from toolsearch_core.index.patterns import Matcher, Reading, read_pattern
from toolsearch_core.index.query import Query, without_words
from toolsearch_core.index.ranking import Ranking, nothing_found
from toolsearch_core.index.tool_names import ToolNames
from toolsearch_core.notices import notice
from toolsearch_core.search_types import IndexKind, MatchReason
from toolsearch_core.text.tokens import Token, neighbours, tokenize
from toolsearch_core.text.tool_text import tool_text
from toolsearch_core.tools import Catalog, ToolDefinition

PATTERN_IN_NAME = 2.0
"""Points; up to 1 more for how much of the name the match covers."""
PATTERN_IN_TEXT = 1.0
"""Points for a match in title or description."""
MOST_FOR_PATTERN = PATTERN_IN_NAME + 1 + PATTERN_IN_TEXT
WORD_IN_NAME = 2.0
WORD_IN_TEXT = 1.0
"""Points for each word in title or description."""
MOST_FOR_WORD = WORD_IN_NAME + WORD_IN_TEXT
PART_OF_WORD = 0.5
"""A word found only inside another word gets so much of the points of a whole one."""
MIN_PART_CHARS = 3
"""Shorter words are only found whole: `id` is not in `grid`."""

Signal = Literal["name", "title", "description"]


@dataclass(frozen=True, slots=True)
class _Text:
    """One field of one tool."""

    signal: Signal
    encoded: bytes
    """UTF-8, for the engine."""
    folded: str
    """For words inside words."""
    terms: frozenset[str]


class _Hit(NamedTuple):
    """What one tool gets for one query."""

    points: float
    reasons: tuple[MatchReason, ...] = ()


class RegexRetriever:
    """Patterns and plain words over one catalog. The score is the share of the points to be had."""

    kind: IndexKind = "regex"

    def __init__(self, catalog: Catalog) -> None:
        self.names = ToolNames(catalog)
        self._tools = [_texts(tool) for tool in catalog.tools]

    def rank(self, query: Query) -> Ranking:
        """Score every tool.

        Raises:
            InvalidPatternError: the pattern is too long or does not compile.
        """
        reading = read_pattern(query.text)
        if reading.plain_words:
            return self._by_words(query)
        hits = [_match(reading, texts) for texts in self._tools]
        if reading.could_be_words and not any(hit.points for hit in hits):
            by_words = self._by_words(query)
            if by_words.scores.any():
                as_words = notice("search.pattern_as_words", query=query.text)
                return replace(by_words, notices=(as_words,))
        return _ranking(hits, MOST_FOR_PATTERN)

    def close(self) -> None:
        """There is nothing to give back."""

    def _by_words(self, query: Query) -> Ranking:
        if not query.words:
            return nothing_found(len(self.names), without_words(query))
        hits = [_find_words(query.words, texts) for texts in self._tools]
        return _ranking(hits, MOST_FOR_WORD * len(query.words))


def _ranking(hits: Sequence[_Hit], most: float) -> Ranking:
    raw = np.array([hit.points for hit in hits], dtype=np.float64)
    return Ranking(scores=raw / most, raw=raw, explain=lambda position: hits[position].reasons)


def _texts(tool: ToolDefinition) -> tuple[_Text, ...]:
    """Name, title and description; a wire name that differs counts as a name too."""
    text = tool_text(tool)
    fields: tuple[tuple[Signal, str], ...] = (
        *(("name", name) for name in dict.fromkeys((tool.name, tool.wire_name))),
        ("title", text.title),
        ("description", text.description),
    )
    return tuple(
        _Text(
            signal,
            field.encode("utf-8", "replace"),
            field.casefold(),
            frozenset(token.term for token in tokenize(field) + neighbours(field)),
        )
        for signal, field in fields
        if field
    )


def _match(reading: Reading, texts: Sequence[_Text]) -> _Hit:
    in_name, in_text, matched = 0.0, 0.0, []
    for text in texts:
        found = _first(reading.whole_name, text) if text.signal == "name" else b""
        found = found or _first(reading.pattern, text)
        if not found:
            continue
        matched.append(found.decode("utf-8", "replace"))
        if text.signal == "name":
            in_name = max(in_name, PATTERN_IN_NAME + len(found) / len(text.encoded))
        else:
            in_text = PATTERN_IN_TEXT
    if not matched:
        return _Hit(0.0)
    words = tuple(dict.fromkeys(matched))
    return _Hit(in_name + in_text, (MatchReason(signal="pattern", matched=words, share=1.0),))


def _first(pattern: Matcher | None, text: _Text) -> bytes:
    found = pattern.search(text.encoded) if pattern else None
    return found.group() if found else b""


def _find_words(words: Sequence[Token], texts: Sequence[_Text]) -> _Hit:
    points: dict[Signal, float] = {}
    matched: dict[Signal, list[str]] = {}
    for word in words:
        worth = [(_worth(word, text), text.signal) for text in texts]
        for best, signal in (
            max((pair for pair in worth if pair[1] == "name"), default=(0.0, "name")),
            max((pair for pair in worth if pair[1] != "name"), default=(0.0, "description")),
        ):
            if best:
                points[signal] = points.get(signal, 0.0) + best
                matched.setdefault(signal, []).append(word.surface)
    total = sum(points.values())
    order = sorted(points, key=lambda signal: -points[signal])
    return _Hit(
        total,
        tuple(
            MatchReason(signal=signal, matched=tuple(matched[signal]), share=points[signal] / total)
            for signal in order
        ),
    )


def _worth(word: Token, text: _Text) -> float:
    points = WORD_IN_NAME if text.signal == "name" else WORD_IN_TEXT
    if word.term in text.terms:
        return points
    folded = word.surface.casefold()
    if len(folded) >= MIN_PART_CHARS and folded in text.folded:
        return points * PART_OF_WORD
    return 0.0
