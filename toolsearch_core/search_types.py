"""The search call as values: request, hit, and response."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from toolsearch_core.notices import Notice

IndexKind = Literal["vector", "keyword", "regex", "hybrid"]
INDEX_KINDS: tuple[IndexKind, ...] = ("hybrid", "keyword", "regex", "vector")


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolSearchRequest:
    """One search within one session."""

    session_id: str
    query: str
    """Words, or a pattern for the regex index; any text is safe."""
    max_results: int = 5
    """How many hits at the most; at least 1."""
    threshold: float | None = None
    """Hits below this score (0..1) are left out; `None` keeps all."""
    exclude: frozenset[str] = frozenset()
    """Wire names that may not take a place in the result, such as the pinned tools."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchReason:
    """One cause of a hit, for people to read."""

    signal: Literal[
        "exact_name", "name", "title", "description", "parameter", "server", "pattern", "meaning"
    ]
    """Which part of the tool matched; `meaning` is closeness of vectors."""
    matched: tuple[str, ...] = ()
    """The words of the query that matched there, in the query's order."""
    share: float = 0.0
    """Part of the score that this cause gave, 0..1; the shares of a hit add up to 1 or less."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolReference:
    """One hit."""

    tool_name: str
    """The wire name."""
    score: float
    """0..1, never rising down the list; see `SearchMetadata.calibrated`."""
    raw_score: float = 0.0
    """The retriever's own number: BM25 sum, cosine, pattern points, or the fused score; 0 for none."""
    reasons: tuple[MatchReason, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchMetadata:
    """How the answer came about."""

    index_kind: str
    """`vector`, `keyword`, `regex`, `hybrid`, or the name of a custom index."""
    query: str
    """The query as searched; clipped when it was too long."""
    duration_s: float = 0.0
    """Elapsed seconds, monotonic clock."""
    calibrated: bool = False
    """Whether one threshold means the same on every catalog; `False` until calibration exists."""
    notices: tuple[Notice, ...] = ()
    """What a person should know: a blank query, a clipped one, a part of the index not ready."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolSearchResponse:
    """The answer to one search."""

    references: tuple[ToolReference, ...]
    """Best first; ties in catalog order."""
    total_matches: int
    """Counted before `max_results` and after the threshold."""
    near_misses: tuple[ToolReference, ...] = ()
    """The next ones: below the threshold or past `max_results`; at most 5."""
    excluded: tuple[ToolReference, ...] = ()
    """Of `exclude`, the tools that would stand among the best `max_results`; best first."""
    metadata: SearchMetadata

    @classmethod
    def of(
        cls, request: ToolSearchRequest, found: Iterable[ToolReference], *, index_kind: str
    ) -> "ToolSearchResponse":
        """The answer of an index of your own: what it found, best first, within what was asked.

        Args:
            request: the search.
            found: all hits, best first; cut to the threshold and the number of results here, and those
                that the request excludes are set apart.
            index_kind: the name of your index.
        """
        hits = [hit for hit in found if request.threshold is None or hit.score >= request.threshold]
        allowed = [hit for hit in hits if hit.tool_name not in request.exclude]
        best = hits[: request.max_results]
        return cls(
            references=tuple(allowed[: request.max_results]),
            total_matches=len(allowed),
            excluded=tuple(hit for hit in best if hit.tool_name in request.exclude),
            metadata=SearchMetadata(index_kind=index_kind, query=request.query),
        )
