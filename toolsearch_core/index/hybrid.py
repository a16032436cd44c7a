"""The hybrid index, the default: words and meaning together.

Each side's scores become shares of the best score it gave to this query (min-max with the minimum at
zero) and are added half and half. Where a query's words found little, their half shrinks: of "open a bug
report" a catalog may know no word but open, which must not decide alone.

Chosen on the development halves of seven English-first sets (4,558 queries), mean recall@5 / nDCG@5 with
the default encoder: words alone 75.3 / 68.2, meaning alone 67.9 / 60.6, added 80.1 / 73.0, with the
shrinking half 80.4 / 73.5; with all-MiniLM-L6-v2 81.9 / 75.5. A Chinese set has recall@5 99.3 and 96.5,
against 95.6 and 62.1 with 0.3 for the words. Fusing ranks (k = 10) is two to four points worse.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.index.query import Query
from toolsearch_core.index.ranking import Ranking, Retriever, Scores
from toolsearch_core.index.tool_names import ToolNames
from toolsearch_core.index.vector import COSINE_FLOOR, VectorRetriever
from toolsearch_core.notices import Notice
from toolsearch_core.search_types import IndexKind, MatchReason

WORDS_SHARE = 0.5
"""Weight of the keyword side when its words found enough."""
ENOUGH_WORDS = 1.2
"""So many words have to be found in one tool, counted by how much of each was found, to be enough."""
FEWEST_WORDS = 3
"""A shorter query is taken to have so many words, so that one rare word in full is enough."""
FLOOR_WITHOUT_WORDS = 0.2
"""Cosine below which a tool is no hit when not one word of the query was found anywhere.

Only 25 of 4,825 development queries are of that kind; of random letters it leaves nothing three times
in four.
"""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The dense side as it stands now."""

    retriever: VectorRetriever | None = None
    absent: tuple[Notice, ...] = ()
    """Why there is none: it is being built, or it failed."""


class HybridRetriever:
    """Keyword and vector over one catalog; the keyword side alone while the other is not ready."""

    __slots__ = ("_meaning", "_words")
    kind: IndexKind = "hybrid"

    def __init__(self, words: Retriever, meaning: Callable[[], Meaning]) -> None:
        """Put the two together.

        Args:
            words: the keyword side.
            meaning: asked at each search, as the dense side may become ready later.
        """
        self._words = words
        self._meaning = meaning

    @property
    def names(self) -> ToolNames:
        """The names of the tools it searches."""
        return self._words.names

    def rank(self, query: Query) -> Ranking:
        """Score every tool; by words alone, with a notice, when meaning is not at hand."""
        by_words = self._words.rank(query)
        if not query.words:
            return by_words
        meaning = self._meaning()
        if meaning.retriever is None:
            return replace(by_words, notices=meaning.absent)
        try:
            cosines = meaning.retriever.cosines(query)
        except IndexUnavailableError as error:
            return replace(by_words, notices=(error.notice,))
        return _together(by_words, cosines, len(query.words))

    def close(self) -> None:
        """The two sides belong to whoever made them."""


def _together(by_words: Ranking, cosines: Scores, word_count: int) -> Ranking:
    if not len(cosines):
        return by_words
    # A tool that is no candidate is at best as close as the farthest candidate.
    cosines = np.where(np.isnan(cosines), np.nanmin(cosines), cosines)
    found_by_words = by_words.scores > 0
    floor = COSINE_FLOOR if found_by_words.any() else FLOOR_WITHOUT_WORDS
    found_words = float(by_words.scores.max()) * max(FEWEST_WORDS, word_count)
    trust = min(1.0, found_words / ENOUGH_WORDS)
    words = WORDS_SHARE * trust * _share_of_best(by_words.raw)
    meaning = (1 - WORDS_SHARE) * _share_of_best(np.maximum(cosines, 0.0))
    raw = np.where(found_by_words | (cosines >= floor), words + meaning, 0.0)

    def explain(position: int) -> tuple[MatchReason, ...]:
        part_of_words = float(words[position] / raw[position])
        reasons = [
            replace(reason, share=reason.share * part_of_words)
            for reason in (by_words.explain(position) if found_by_words[position] else ())
        ]
        if cosines[position] >= COSINE_FLOOR:
            share = float(meaning[position] / raw[position])
            reasons.append(MatchReason(signal="meaning", share=share))
        return tuple(sorted(reasons, key=lambda reason: -reason.share))

    return Ranking(scores=raw, raw=raw, explain=explain)


def _share_of_best(scores: Scores) -> Scores:
    best = scores.max()
    return scores / best if best > 0 else scores
