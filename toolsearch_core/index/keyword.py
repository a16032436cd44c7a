"""The keyword index: BM25 over the fields of a tool.

The formula is BM25F (Robertson, Zaragoza, Taylor, "Simple BM25 extension to multiple weighted fields",
2004) with the idf of Lucene, which is never negative. A tool's fields differ in weight and in how much
their length counts; the frequencies are summed over the fields before they saturate.

The settings were chosen on the development halves of seven English-first retrieval sets (4,558 queries,
10,947 tools): mean recall@5 75.3, nDCG@5 68.2, against 72.1 and 65.1 for name and description as one
field. The optimum is flat: K1 from 0.6 to 2.5, 1.5 to 2.5 for the name, 0.2 to 0.4 for parameters and
0.25 to 0.75 for joined words all stay within 0.6 of that recall. Words that only begin alike add 0.1.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolsearch_core.index.query import Query, without_words
from toolsearch_core.index.ranking import Ranking, Scores, nothing_found
from toolsearch_core.index.tool_names import ToolNames
from toolsearch_core.search_types import IndexKind, MatchReason
from toolsearch_core.text.tokens import Token, is_stop_word, neighbours, tokenize
from toolsearch_core.text.tool_text import tool_text
from toolsearch_core.tools import Catalog, ToolDefinition


class Field(NamedTuple):
    """How a part of a tool counts."""

    signal: Literal["name", "title", "description", "parameter", "server"]
    weight: float
    """One occurrence here counts as so many in the description."""
    length_share: float
    """The b of BM25: 0 ignores the length of the field, 1 divides by it."""


FIELDS = (
    Field("name", 2.0, 0.5),
    Field("title", 1.0, 0.5),
    Field("description", 1.0, 0.75),
    Field("parameter", 0.3, 0.75),
    Field("server", 0.3, 0.5),
)
K1 = 1.2
"""How soon repetition stops counting."""
MAX_REPEATS = 3
"""A word counts at most so often in one field, whose length counts whole: stuffing a description loses.

On the development halves of eight retrieval sets that changes recall@5 by nothing or a little for the
better.
"""
JOINED = 0.5
"""Weight of a query's joined words beside their parts, which count already."""
BEGINNING = 0.5
"""Weight of a word that no tool has and that is only the beginning of words: `repo` of repository."""
MIN_BEGINNING_CHARS = 4
UBIQUITOUS_SHARE = 0.8
"""A word that more of the tools have says nothing, once another word of the query says something."""
MIN_UBIQUITOUS_TOOLS = 10

Gains = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Posting:
    """The tools that have a term."""

    tools: NDArray[np.intp]
    """Positions in the catalog, rising, shape (m,)."""
    gains: Gains
    """What the term adds to the score of each, shape (m,)."""
    by_field: NDArray[np.float32]
    """Weighted frequencies, shape (m, number of fields)."""


@dataclass(frozen=True, slots=True)
class _Match:
    """One word of a query and the tools it finds."""

    word: str
    """As people read it; `repo*` when it matched as a beginning."""
    weight: float
    posting: _Posting


class KeywordRetriever:
    """BM25 over one catalog. The score is the share of the best that the query's words could reach."""

    kind: IndexKind = "keyword"

    def __init__(self, catalog: Catalog) -> None:
        self.names = ToolNames(catalog)
        self._postings = _postings([_frequencies(tool) for tool in catalog.tools])
        self._vocabulary = sorted(self._postings)

    def rank(self, query: Query) -> Ranking:
        """Score every tool; a query without words in common with any tool finds nothing."""
        matches = list(self._matches(query))
        if not matches:
            notices = () if query.words else without_words(query)
            return nothing_found(len(self.names), notices)
        telling, others = self._added(matches, telling=True), self._added(matches, telling=False)
        raw = telling + others
        if telling.any():
            raw[telling == 0] = 0
        return Ranking(
            scores=raw / self._reachable(query),
            raw=raw,
            explain=lambda position: _reasons(matches, position),
        )

    def close(self) -> None:
        """There is nothing to give back."""

    def _matches(self, query: Query) -> Iterator[_Match]:
        for weight, tokens in ((1.0, query.words), (JOINED, query.joined)):
            for token in tokens:
                if posting := self._postings.get(token.term):
                    yield _Match(token.surface, weight, posting)
                elif not token.joined and (begun := self._begun_by(token.term)):
                    yield _Match(f"{token.surface}*", BEGINNING, begun)

    def _begun_by(self, term: str) -> _Posting | None:
        """The tools with words that begin like this; each counts with its best word."""
        if len(term) < MIN_BEGINNING_CHARS or not (term.isascii() and term.isalpha()):
            return None
        start = bisect_left(self._vocabulary, term)
        terms = takewhile(lambda other: other.startswith(term), self._vocabulary[start:])
        best: dict[int, tuple[float, NDArray[np.float32]]] = {}
        for posting in (self._postings[other] for other in terms):
            for tool, gain, by_field in zip(
                posting.tools.tolist(), posting.gains.tolist(), posting.by_field, strict=True
            ):
                if tool not in best or gain > best[tool][0]:
                    best[tool] = (gain, by_field)
        if not best:
            return None
        tools = sorted(best)
        return _Posting(
            np.array(tools),
            np.array([best[tool][0] for tool in tools]),
            np.stack([best[tool][1] for tool in tools]),
        )

    def _added(self, matches: Sequence[_Match], *, telling: bool) -> Scores:
        total = np.zeros(len(self.names))
        for match in matches:
            if self._tells(match.posting) == telling:
                total[match.posting.tools] += match.weight * match.posting.gains
        return total

    def _tells(self, posting: _Posting) -> bool:
        count = len(self.names)
        return count < MIN_UBIQUITOUS_TOOLS or len(posting.tools) <= UBIQUITOUS_SHARE * count

    def _reachable(self, query: Query) -> float:
        """The score of a tool that is full of every word, those that no tool has included."""
        return sum(
            weight * (K1 + 1) * idf(len(self.names), len(posting.tools) if posting else 0)
            for weight, tokens in ((1.0, query.words), (JOINED, query.joined))
            for token in tokens
            if (posting := self._postings.get(token.term)) or not token.joined
        )


def idf(tool_count: int, having_count: int) -> float:
    """Inverse document frequency as Lucene has it: ln(1 + (N - n + 0.5) / (n + 0.5))."""
    return math.log(1 + (tool_count - having_count + 0.5) / (having_count + 0.5))


def _frequencies(tool: ToolDefinition) -> list[tuple[Counter[str], int]]:
    """Term frequencies and length of each field, in the order of `FIELDS`."""
    text = tool_text(tool)
    fields = (text.name, text.title, text.description, text.parameters, text.server)
    return [
        _counted(tokenize(field) + (neighbours(field) if field is text.name else []))
        for field in fields
    ]


def _counted(tokens: Sequence[Token]) -> tuple[Counter[str], int]:
    """Joined words are found but do not lengthen a field; words without content are left out."""
    kept = [token for token in tokens if token.joined or not is_stop_word(token)]
    return Counter(token.term for token in kept), sum(not token.joined for token in kept)


def _postings(tools: Sequence[Sequence[tuple[Counter[str], int]]]) -> dict[str, _Posting]:
    if not tools:
        return {}
    lengths = np.array([[length for _, length in fields] for fields in tools], dtype=np.float64)
    averages = np.maximum(lengths.mean(axis=0), 1e-9)
    shares = np.array([field.length_share for field in FIELDS])
    weights = np.array([field.weight for field in FIELDS])
    worth = weights / (1 - shares + shares * lengths / averages)  # (n_tools, n_fields)

    cells: dict[str, list[tuple[int, int, int]]] = {}
    for position, fields in enumerate(tools):
        for column, (frequencies, _) in enumerate(fields):
            for term, frequency in frequencies.items():
                cells.setdefault(term, []).append((position, column, frequency))
    return {term: _posting(np.array(of_term), worth, len(tools)) for term, of_term in cells.items()}


def _posting(cells: NDArray[np.intp], worth: Gains, tool_count: int) -> _Posting:
    """From rows (tool, field, frequency)."""
    tools, rows = np.unique(cells[:, 0], return_inverse=True)
    by_field = np.zeros((len(tools), len(FIELDS)))
    repeats = np.minimum(cells[:, 2], MAX_REPEATS)
    by_field[rows, cells[:, 1]] = repeats * worth[cells[:, 0], cells[:, 1]]
    frequencies = by_field.sum(axis=1)
    gains = idf(tool_count, len(tools)) * (K1 + 1) * frequencies / (frequencies + K1)
    return _Posting(tools, gains, by_field.astype(np.float32))


def _reasons(matches: Sequence[_Match], position: int) -> tuple[MatchReason, ...]:
    """Each field that matched, with its words and its part of the score; the largest first."""
    parts = np.zeros(len(FIELDS))
    matched: list[list[str]] = [[] for _ in FIELDS]
    for match in matches:
        row = int(np.searchsorted(match.posting.tools, position))
        if row == len(match.posting.tools) or match.posting.tools[row] != position:
            continue
        by_field = match.posting.by_field[row]
        parts += match.weight * match.posting.gains[row] * by_field / by_field.sum()
        for column in np.flatnonzero(by_field).tolist():
            matched[column].append(match.word)
    order = [column for column in np.argsort(-parts, kind="stable").tolist() if parts[column] > 0]
    return tuple(
        MatchReason(
            signal=FIELDS[column].signal,
            matched=tuple(dict.fromkeys(matched[column])),
            share=float(parts[column] / parts.sum()),
        )
        for column in order
    )
