"""The tool index: sessions as references to shared retrievers."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from toolsearch_core.index.query import prepare_query
from toolsearch_core.index.ranking import answer
from toolsearch_core.index.store import DEFAULT_ENCODER, Lease, RetrieverStore
from toolsearch_core.notices import Notice, notice
from toolsearch_core.options import share
from toolsearch_core.protocols import Clock
from toolsearch_core.search_types import (
    IndexKind,
    SearchMetadata,
    ToolSearchRequest,
    ToolSearchResponse,
)
from toolsearch_core.tools import Catalog, ToolDefinition

PATIENCE_S = 5.0
"""So long a hybrid waits for its meaning side: enough for the default encoder, not for a large model."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexDescription:
    """What a session has."""

    kind: IndexKind
    tool_count: int
    reused: bool
    """The retriever over this catalog was there already and is shared."""
    fingerprint: str
    """Of the tools that it is over; blank for no session."""
    notices: tuple[Notice, ...] = ()
    """What is missing at present, such as the meaning side of a hybrid."""


@dataclass(slots=True)
class _Session:
    writing: threading.Lock = field(default_factory=threading.Lock)
    """Held while its tools change, so that changes of one session follow each other."""
    catalog: Catalog = field(default_factory=Catalog)
    writers: int = 0
    """Changes that wait or are under way."""
    lease: Lease | None = None
    cleared: bool = False


class CatalogToolIndex:
    """A `ToolIndex` over the retrievers of a store. Safe to use from several threads.

    A session id is any text and only ever a key. While the tools of a session change, a search sees
    what was there before, or what is there then, never a mixture and never nothing.
    """

    def __init__(
        self,
        store: RetrieverStore,
        kind: IndexKind,
        encoder: str = DEFAULT_ENCODER,
        *,
        keyword_min_score: float | None = None,
        patience_s: float | None = PATIENCE_S,
        clock: Clock = time.perf_counter,
    ) -> None:
        """An index without sessions.

        Args:
            store: shared by the process.
            kind: what its retrievers are.
            encoder: name of the encoder, for vector and hybrid.
            keyword_min_score: the least score of a hit (0..1) when the kind is keyword; lower ones are
                near misses. The other kinds, a hybrid's keyword side included, know no such limit.
            patience_s: how long a hybrid waits for its meaning side; `None` waits to the end.
            clock: seconds, for the duration of a search.

        Raises:
            SettingsError: `keyword_min_score` is not within 0..1.
        """
        if keyword_min_score is not None:
            share("keyword_min_score", keyword_min_score, "a number from 0 to 1, or None")
        self._store = store
        self._kind = kind
        self._encoder = encoder
        self._min_score = (keyword_min_score or 0.0) if kind == "keyword" else 0.0
        self._patience_s = patience_s
        self._clock = clock
        self._sessions: dict[str, _Session] = {}
        self._catalogs: WeakValueDictionary[int, Catalog] = WeakValueDictionary()
        """By the identity of their tools; sessions that are given the same tuple share a catalog."""
        self._lock = threading.Lock()

    @property
    def kind(self) -> IndexKind:
        """The kind of index."""
        return self._kind

    def index_tool(self, session_id: str, tool: ToolDefinition) -> None:
        """Add one tool at the end, or replace the one of the same wire name where it stands.

        Raises:
            IndexUnavailableError: the index cannot be built; what was there before stays.
        """
        with self._writing(session_id) as session:
            self._change(session, [*session.catalog.tools, tool])

    def index_tools(self, session_id: str, tools: Sequence[ToolDefinition]) -> None:
        """Make these the tools of the session; of the same wire name the last one counts.

        Raises:
            IndexUnavailableError: the index cannot be built; what was there before stays.
        """
        with self._writing(session_id) as session:
            self._change(session, tools)

    def search(self, request: ToolSearchRequest) -> ToolSearchResponse:
        """Answer a search; an unknown session has no tools and finds nothing.

        Raises:
            SearchRequestError: `max_results` is below 1, or the threshold is not within 0..1.
            InvalidPatternError: the query is a pattern that cannot be used.
            IndexUnavailableError: the index cannot answer now.
        """
        with self._lock:
            session = self._sessions.get(request.session_id)
            lease = session.lease if session else None
            if lease is not None:
                lease.retain()
        if lease is None:
            return self._no_tools(request)
        try:
            return answer(lease.retriever, request, self._clock, self._min_score)
        finally:
            lease.release()

    def clear_index(self, session_id: str) -> None:
        """Forget the session at once, also while its tools are being indexed."""
        with self._lock:
            session = self._sessions.pop(session_id, None)
            if session is None:
                return
            session.cleared = True
            lease, session.lease = session.lease, None
        if lease is not None:
            lease.release()

    def describe(self, session_id: str) -> IndexDescription:
        """What the session has; nothing when it is unknown."""
        with self._lock:
            session = self._sessions.get(session_id)
            lease = session.lease if session else None
            catalog = session.catalog if session else None
        return IndexDescription(
            kind=self._kind,
            tool_count=len(catalog) if catalog else 0,
            reused=lease is not None and lease.reused,
            fingerprint=catalog.fingerprint if lease and catalog else "",
            notices=lease.notices if lease else (),
        )

    @contextmanager
    def _writing(self, session_id: str) -> Iterator[_Session]:
        """The session, its tools being changed; one whose first tools failed to come leaves no trace."""
        with self._lock:
            session = self._sessions.setdefault(session_id, _Session())
            session.writers += 1
        try:
            with session.writing:
                yield session
        finally:
            with self._lock:
                session.writers -= 1
                nothing = session.lease is None and not session.writers
                if nothing and self._sessions.get(session_id) is session:
                    del self._sessions[session_id]

    def _change(self, session: _Session, tools: Sequence[ToolDefinition]) -> None:
        """Build, then swap; a session that was cleared meanwhile stays cleared."""
        catalog = self._catalog(tools)
        lease = self._store.lease(self._kind, catalog, self._encoder, patience_s=self._patience_s)
        with self._lock:
            if session.cleared:
                superseded: Lease | None = lease
            else:
                superseded = session.lease
                session.catalog, session.lease = catalog, lease
        if superseded is not None:
            superseded.release()

    def _catalog(self, tools: Sequence[ToolDefinition]) -> Catalog:
        known = self._catalogs.get(id(tools))
        if known is not None and known.tools is tools:
            return known
        unique = tuple({tool.wire_name: tool for tool in tools}.values())
        as_given = isinstance(tools, tuple) and len(unique) == len(tools)
        catalog = Catalog(tuple(tools) if as_given else unique)
        self._catalogs[id(catalog.tools)] = catalog
        return catalog

    def _no_tools(self, request: ToolSearchRequest) -> ToolSearchResponse:
        started_s = self._clock()
        return ToolSearchResponse(
            references=(),
            total_matches=0,
            metadata=SearchMetadata(
                index_kind=self._kind,
                query=prepare_query(request.query).text,
                duration_s=self._clock() - started_s,
                notices=(notice("search.no_tools"),),
            ),
        )
