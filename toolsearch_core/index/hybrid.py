"""The hybrid index, the default: words and meaning together.

Both sides are put on one scale, each score as a share of the best score its side gave to this query,
which is min-max with the minimum at zero, and added half and half. Chosen on the development halves of
seven English-first sets (4,558 queries), mean recall@5 / nDCG@5 with the default encoder: words alone
75.2 / 68.1, meaning alone 67.9 / 60.6, together 80.0 / 72.9; with all-MiniLM-L6-v2 80.8 / 74.4. On a
Chinese set 99.3 and 96.5, where 0.3 for the words gives 95.6 and 62.1. Min-max over the whole catalog
is half a point better and makes a score depend on the worst tool; fusing ranks (k = 10) is one to two
points worse.
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
"""Weight of the keyword side."""
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
        return _together(by_words, cosines)

    def close(self) -> None:
        """The two sides belong to whoever made them."""


def _together(by_words: Ranking, cosines: Scores) -> Ranking:
    if not len(cosines):
        return by_words
    # A tool that is no candidate is at best as close as the farthest candidate.
    cosines = np.where(np.isnan(cosines), np.nanmin(cosines), cosines)
    found_by_words = by_words.scores > 0
    floor = COSINE_FLOOR if found_by_words.any() else FLOOR_WITHOUT_WORDS
    words = WORDS_SHARE * _share_of_best(by_words.raw)
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
