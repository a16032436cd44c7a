"""What a retriever answers, and how a ranking becomes a response: the same for every kind of index."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from toolsearch_core.errors import SearchRequestError
from toolsearch_core.index.query import Query, prepare_query
from toolsearch_core.index.tool_names import ToolNames
from toolsearch_core.notices import Notice, notice
from toolsearch_core.protocols import Clock
from toolsearch_core.search_types import (
    IndexKind,
    MatchReason,
    SearchMetadata,
    ToolReference,
    ToolSearchRequest,
    ToolSearchResponse,
)

MAX_NEAR_MISSES = 5
BELOW_EXACT = 0.98
"""Scale of all scores but those of tools whose very name was asked for."""

Scores = NDArray[np.float64]
"""Shape (number of tools,), in catalog order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranking:
    """How well each tool of a catalog fits a query."""

    scores: Scores
    """0..1; 0 is no hit."""
    raw: Scores
    """The retriever's own numbers."""
    explain: Callable[[int], tuple[MatchReason, ...]]
    """Why the tool at a position of the catalog is a hit; asked for the tools that are shown."""
    notices: tuple[Notice, ...] = ()


class Retriever(Protocol):
    """An immutable search structure over one catalog. Safe to use from several threads."""

    @property
    def kind(self) -> IndexKind:
        """The kind of index it serves."""
        ...

    @property
    def names(self) -> ToolNames:
        """The names of the tools it searches."""
        ...

    def rank(self, query: Query) -> Ranking:
        """Score every tool.

        Raises:
            InvalidPatternError: the query is a pattern that cannot be used.
            IndexUnavailableError: the retriever cannot answer now.
        """
        ...

    def close(self) -> None:
        """Give back what it holds; it is not asked again."""
        ...


def nothing_found(tool_count: int, notices: tuple[Notice, ...] = ()) -> Ranking:
    """The ranking in which no tool is a hit."""
    nothing = np.zeros(tool_count)
    return Ranking(scores=nothing, raw=nothing, explain=lambda position: (), notices=notices)


def answer(
    retriever: Retriever,
    request: ToolSearchRequest,
    clock: Clock = time.perf_counter,
    min_score: float = 0.0,
) -> ToolSearchResponse:
    """Search: exact names first, then by score, ties in catalog order.

    `min_score` is the least score of a hit (0..1), beside the threshold of the request; the higher of
    the two counts.

    Raises:
        SearchRequestError: `max_results` is below 1, or the threshold is not within 0..1.
        InvalidPatternError: the query is a pattern that cannot be used.
        IndexUnavailableError: the retriever cannot answer now.
    """
    started_s = clock()
    _check(request)
    query = prepare_query(request.query)
    ranking = retriever.rank(query)
    exact = retriever.names.asked_for(query)
    scores = ranking.scores * BELOW_EXACT
    scores[list(exact)] = list(exact.values())
    barred = retriever.names.positions_of(request.exclude)
    found = _found(scores, barred, request, min_score)

    def reference(position: int) -> ToolReference:
        return ToolReference(
            tool_name=retriever.names.wire_names[position],
            score=float(scores[position]),
            raw_score=float(ranking.raw[position]),
            reasons=_exact_name(query) if position in exact else ranking.explain(position),
        )

    shown = min(request.max_results, found.hit_count)
    why_nothing = _why_nothing(request, query, retriever.names, found, min_score)
    return ToolSearchResponse(
        references=tuple(map(reference, found.order[:shown])),
        total_matches=found.hit_count,
        near_misses=tuple(map(reference, found.order[shown : shown + MAX_NEAR_MISSES])),
        excluded=tuple(map(reference, found.excluded)),
        metadata=SearchMetadata(
            index_kind=retriever.kind,
            query=query.text,
            duration_s=clock() - started_s,
            notices=query.notices + (ranking.notices or why_nothing),
        ),
    )


def _check(request: ToolSearchRequest) -> None:
    if request.max_results < 1:
        raise SearchRequestError("search.max_results_below_one", max_results=request.max_results)
    if request.threshold is not None and not 0 <= request.threshold <= 1:
        raise SearchRequestError("search.threshold_out_of_range", threshold=request.threshold)


@dataclass(frozen=True, slots=True)
class _Found:
    """Positions in the catalog, best first."""

    order: list[int]
    """The hits, then what is below the least score; without the excluded ones."""
    hit_count: int
    excluded: list[int]
    """Excluded ones that would be among the best."""


def _found(
    scores: Scores, barred: Sequence[int], request: ToolSearchRequest, min_score: float
) -> _Found:
    reached = scores >= max(min_score, request.threshold or 0.0)
    matching = np.flatnonzero(scores > 0)
    order = matching[np.argsort(-scores[matching], kind="stable")]
    best = order[reached[order]][: request.max_results]
    others = order[~np.isin(order, barred)]
    return _Found(
        order=others.tolist(),
        hit_count=int(np.count_nonzero(reached[others])),
        excluded=best[np.isin(best, barred)].tolist(),
    )


def _exact_name(query: Query) -> tuple[MatchReason, ...]:
    return (MatchReason(signal="exact_name", matched=(query.text,), share=1.0),)


def _why_nothing(
    request: ToolSearchRequest, query: Query, names: ToolNames, found: _Found, min_score: float
) -> tuple[Notice, ...]:
    if found.hit_count or not query.text:
        return ()
    if not len(names):
        return (notice("search.no_tools"),)
    if found.excluded:
        tools = ", ".join(names.wire_names[position] for position in found.excluded)
        return (notice("search.only_excluded", query=query.text, tools=tools),)
    if found.order:
        count, threshold = len(found.order), request.threshold or 0.0
        if threshold < min_score:
            return (notice("search.below_min_score", min_score=min_score, count=count),)
        return (notice("search.below_threshold", threshold=threshold, count=count),)
    return (notice("search.no_match", query=query.text),)
