"""The store of retrievers: each is built once per process and shared by all sessions of its catalog."""

import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field

from toolsearch_core.embeddings import VectorCache, encoder_by_name
from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.index.build import BuildJob, BuildStatus
from toolsearch_core.index.hybrid import HybridRetriever, Meaning
from toolsearch_core.index.keyword import KeywordRetriever
from toolsearch_core.index.ranking import Retriever
from toolsearch_core.index.regex import RegexRetriever
from toolsearch_core.index.vector import VectorRetriever
from toolsearch_core.notices import Notice, notice
from toolsearch_core.protocols import Encoder
from toolsearch_core.search_types import IndexKind
from toolsearch_core.tools import Catalog

DEFAULT_ENCODER = "multilingual"

Key = tuple[str, IndexKind, str]
"""Fingerprint, kind, encoder id (blank where no encoder is used)."""
Progress = Callable[[int, int], None]
"""Told how many tools are done, of how many."""


@dataclass(slots=True, eq=False)
class _Shared:
    """A place for one retriever, which its users build together once."""

    key: Key
    building: threading.Lock = field(default_factory=threading.Lock)
    retriever: Retriever | None = None
    status: BuildStatus = field(default_factory=BuildStatus)
    users: int = 0
    job: BuildJob | None = None

    def meaning(self) -> Meaning:
        """As the dense side of a hybrid: the retriever, or why there is none."""
        if isinstance(self.retriever, VectorRetriever):
            return Meaning(self.retriever)
        status = self.status
        if status.state == "building":
            building = notice("search.meaning_building", done=status.done, total=status.total)
            return Meaning(absent=(building,))
        why = (status.notice,) if status.notice else ()
        return Meaning(absent=(notice("search.meaning_absent"), *why))


class Lease:
    """The use of a retriever; it stays until everybody who holds the lease has released it.

    Each session has one, so it is small: the locking is the store's.
    """

    __slots__ = ("_holders", "_parts", "_store", "retriever", "reused")

    def __init__(
        self,
        store: "RetrieverStore",
        retriever: Retriever,
        parts: tuple[_Shared, ...],
        reused: bool,
    ) -> None:
        self.retriever = retriever
        self.reused = reused
        """Nothing had to be built for it."""
        self._store = store
        self._parts = parts
        self._holders = 1

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What is missing at present: the meaning side of a hybrid that is still being built, say."""
        if isinstance(self.retriever, HybridRetriever):
            return self._parts[-1].meaning().absent
        return ()

    def retain(self) -> None:
        """Hold it once more; only for somebody who knows that it is still held."""
        with self._store.counting:
            self._holders += 1

    def release(self) -> None:
        """Hold it once less."""
        with self._store.counting:
            self._holders -= 1
            last = self._holders == 0
        if last:
            self._store.take_back(self._parts)


class RetrieverStore:
    """All retrievers of a process. Safe to use from several threads.

    A retriever that nobody uses stays for a while as a spare, so that a session that comes back after
    its eviction finds it; then its collection is deleted.
    """

    def __init__(
        self,
        *,
        encoders: Callable[[str], Encoder] = encoder_by_name,
        vectors: VectorCache | None = None,
        spares: int = 8,
    ) -> None:
        """Start empty.

        Args:
            encoders: makes an encoder of a name, without loading its model.
            vectors: where vectors are kept; a cache of its own when left out.
            spares: how many unused retrievers are kept.
        """
        self._encoders = encoders
        self._vectors = vectors if vectors is not None else VectorCache()
        self._spares = spares
        self._shared: dict[Key, _Shared] = {}
        self._unused: dict[Key, None] = {}
        self._lock = threading.Lock()
        self.counting = threading.Lock()
        """For the leases: held while one counts its holders."""

    def lease(
        self,
        kind: IndexKind,
        catalog: Catalog,
        encoder: str = DEFAULT_ENCODER,
        *,
        patience_s: float | None = None,
    ) -> Lease:
        """A retriever, built now unless it is there; of several who ask at once, one builds.

        Args:
            kind: the kind of index.
            catalog: the tools.
            encoder: name of the encoder, for vector and hybrid.
            patience_s: how long a hybrid waits for its meaning side before it goes on without; `None`
                waits to the end. That side is then built in the background and used when it is ready.

        Raises:
            IndexUnavailableError: it cannot be built.
        """
        with ExitStack() as on_failure:
            if kind == "hybrid":
                lease = self._lease_hybrid(catalog, encoder, patience_s, on_failure)
            else:
                shared = self._take(kind, catalog, encoder)
                on_failure.callback(self._give_back, shared)
                retriever, reused = self._built(shared, catalog, encoder)
                lease = Lease(self, retriever, (shared,), reused)
            on_failure.pop_all()
        return lease

    def status(
        self, kind: IndexKind, catalog: Catalog, encoder: str = DEFAULT_ENCODER
    ) -> BuildStatus:
        """How far it is; of a hybrid, its meaning side, as the other side is quick."""
        with self._lock:
            shared = self._shared.get(self._key(_slow_side(kind), catalog, encoder))
        return shared.status if shared else BuildStatus()

    @property
    def building(self) -> bool:
        """Whether anything is being built at present, for anybody."""
        with self._lock:
            return any(shared.status.state == "building" for shared in self._shared.values())

    def build_in_background(
        self,
        kind: IndexKind,
        catalog: Catalog,
        encoder: str = DEFAULT_ENCODER,
        on_progress: Progress = lambda done, total: None,
    ) -> BuildJob:
        """Build in a thread of its own; the status tells how it goes and how it went.

        A build that is under way already is joined, and goes on telling whom it told before.
        """
        shared = self._take(_slow_side(kind), catalog, encoder)

        def build(cancelled: threading.Event) -> None:
            try:
                if kind == "hybrid":
                    self._prepare_words(catalog, encoder)
                self._built(shared, catalog, encoder, on_progress, cancelled)
            except IndexUnavailableError:
                pass  # the status has it
            finally:
                self._give_back(shared)

        with self._lock:
            if shared.job is None or not shared.job.running:
                if shared.retriever is None:
                    shared.status = BuildStatus(state="building", total=len(catalog))
                shared.job = BuildJob(build)
                return shared.job
            job = shared.job
        self._give_back(shared)
        return job

    def _prepare_words(self, catalog: Catalog, encoder: str) -> None:
        """Build the quick side of a hybrid, so that the first question need not."""
        words = self._take("keyword", catalog, encoder)
        try:
            self._built(words, catalog, encoder)
        finally:
            self._give_back(words)

    def _lease_hybrid(
        self, catalog: Catalog, encoder: str, patience_s: float | None, on_failure: ExitStack
    ) -> Lease:
        words = self._take("keyword", catalog, encoder)
        on_failure.callback(self._give_back, words)
        keyword, keyword_reused = self._built(words, catalog, encoder)
        dense = self._take("vector", catalog, encoder)
        on_failure.callback(self._give_back, dense)
        dense_reused = dense.retriever is not None
        if not dense_reused:
            self.build_in_background("vector", catalog, encoder).wait(patience_s)

        hybrid = HybridRetriever(keyword, dense.meaning)
        return Lease(self, hybrid, (words, dense), keyword_reused and dense_reused)

    def _built(
        self,
        shared: _Shared,
        catalog: Catalog,
        encoder: str,
        on_progress: Progress = lambda done, total: None,
        cancelled: threading.Event | None = None,
    ) -> tuple[Retriever, bool]:
        """The retriever, and whether it was there already."""
        total = len(catalog)

        def progressed(done: int) -> None:
            shared.status = BuildStatus(state="building", done=done, total=total)
            on_progress(done, total)
            if cancelled is not None and cancelled.is_set():
                raise IndexUnavailableError("search.build_cancelled")

        with shared.building:
            if shared.retriever is not None:
                return shared.retriever, True
            shared.status = BuildStatus(state="building", total=total)
            outcome = BuildStatus(state="failed", notice=notice("search.build_broke"))
            try:
                shared.retriever = self._make(shared.key[1], catalog, encoder, progressed)
                outcome = BuildStatus(state="ready", done=total, total=total)
            except IndexUnavailableError as error:
                stopped = cancelled is not None and cancelled.is_set()
                outcome = (
                    BuildStatus() if stopped else BuildStatus(state="failed", notice=error.notice)
                )
                raise
            finally:
                shared.status = outcome
            return shared.retriever, False

    def _make(
        self, kind: IndexKind, catalog: Catalog, encoder: str, progressed: Callable[[int], None]
    ) -> Retriever:
        if kind == "keyword":
            return KeywordRetriever(catalog)
        if kind == "regex":
            return RegexRetriever(catalog)
        return VectorRetriever(catalog, self._encoders(encoder), self._vectors, progressed)

    def _key(self, kind: IndexKind, catalog: Catalog, encoder: str) -> Key:
        uses_encoder = kind in ("vector", "hybrid")
        return (catalog.fingerprint, kind, self._encoders(encoder).id if uses_encoder else "")

    def _take(self, kind: IndexKind, catalog: Catalog, encoder: str) -> _Shared:
        key = self._key(kind, catalog, encoder)
        with self._lock:
            shared = self._shared.setdefault(key, _Shared(key))
            shared.users += 1
            self._unused.pop(key, None)
        return shared

    def take_back(self, parts: Iterable[_Shared]) -> None:
        """For a lease that nobody holds any more."""
        for shared in parts:
            self._give_back(shared)

    def _give_back(self, shared: _Shared) -> None:
        """One user less; of the unused ones the oldest go when there are too many."""
        gone = []
        with self._lock:
            shared.users -= 1
            if shared.users == 0:
                self._unused[shared.key] = None
            while len(self._unused) > self._spares:
                oldest = next(iter(self._unused))
                del self._unused[oldest]
                gone.append(self._shared.pop(oldest))
        for each in gone:
            if each.retriever is not None:
                each.retriever.close()


def _slow_side(kind: IndexKind) -> IndexKind:
    """A hybrid is as far as its meaning side."""
    return "vector" if kind == "hybrid" else kind
