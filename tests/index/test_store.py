"""The store of retrievers: built once, shared, collected, and never half there."""

import gc
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.contracts.tool_index import OFFICE, names, search, tool
from toolsearch_core.embeddings import HashingEncoder
from toolsearch_core.embeddings.cache import BATCH
from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.index import chroma as chroma_module
from toolsearch_core.protocols import Vectors
from toolsearch_core.search_types import INDEX_KINDS, IndexKind
from toolsearch_core.tools import Catalog

CATALOG = Catalog(OFFICE)
LONG = Catalog(tuple(tool(f"tool_{n:03}", f"Handles case {n}") for n in range(200)))


class WatchedEncoder(HashingEncoder):
    """Counts the texts it reads; may be made to fail, or to wait at a gate."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.broken = False
        self.at_batch: Callable[[], None] = lambda: None

    @property
    def id(self) -> str:
        return f"watched-{id(self)}"  # no two tests share a collection

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.at_batch()
        if self.broken:
            raise RuntimeError("out of order")
        self.texts += texts
        return super().encode(texts)


def collections() -> set[str]:
    return set(chroma_module._users)


@pytest.fixture
def encoder() -> WatchedEncoder:
    return WatchedEncoder()


@pytest.fixture
def store(encoder: WatchedEncoder) -> RetrieverStore:
    return RetrieverStore(encoders=lambda name: encoder, spares=0)


@pytest.mark.parametrize("kind", INDEX_KINDS)
def test_a_known_catalog_is_shared_and_not_built_again(
    store: RetrieverStore, encoder: WatchedEncoder, kind: IndexKind
) -> None:
    index = CatalogToolIndex(store, kind, patience_s=None)
    index.index_tools("a", OFFICE)
    read = list(encoder.texts)
    index.index_tools("b", OFFICE)
    index.index_tools("c", OFFICE[:2])

    assert [index.describe(session).reused for session in "abc"] == [False, True, False]
    assert [index.describe(session).tool_count for session in "abc"] == [6, 6, 2]
    assert encoder.texts == read
    assert index.describe("nobody").tool_count == 0


def test_hybrid_and_vector_share_one_collection(
    store: RetrieverStore, encoder: WatchedEncoder
) -> None:
    before = collections()
    hybrid = CatalogToolIndex(store, "hybrid", patience_s=None)
    vector = CatalogToolIndex(store, "vector")
    hybrid.index_tools("s", OFFICE)
    vector.index_tools("s", OFFICE)

    assert vector.describe("s").reused
    assert len(collections() - before) == 1


def test_sessions_that_come_at_once_build_once(
    store: RetrieverStore, encoder: WatchedEncoder
) -> None:
    index = CatalogToolIndex(store, "vector")
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda n: index.index_tools(f"s{n}", LONG.tools), range(8)))

    assert len(encoder.texts) == len(set(encoder.texts)) == len(LONG)
    assert [index.describe(f"s{n}").reused for n in range(8)].count(False) == 1


def test_an_unchanged_tool_is_not_encoded_again(
    store: RetrieverStore, encoder: WatchedEncoder
) -> None:
    index = CatalogToolIndex(store, "vector")
    index.index_tools("s", OFFICE)
    del encoder.texts[:]
    index.index_tools("s", [*OFFICE, tool("water_plants", "Keep them alive")])

    assert encoder.texts == ["water plants. Keep them alive"]


def test_a_failed_build_leaves_what_was_there(
    store: RetrieverStore, encoder: WatchedEncoder
) -> None:
    index = CatalogToolIndex(store, "vector")
    index.index_tools("s", OFFICE)
    encoder.broken = True
    with pytest.raises(IndexUnavailableError, match="out of order"):
        index.index_tools("s", LONG.tools)

    assert index.describe("s").tool_count == len(OFFICE)
    encoder.broken = False
    assert names(search(index, "invoice"))[0] == "pay_invoice"
    index.index_tools("s", LONG.tools)
    assert index.describe("s").tool_count == len(LONG)


def test_what_nobody_uses_is_deleted(store: RetrieverStore) -> None:
    before = collections()
    first = CatalogToolIndex(store, "vector")
    second = CatalogToolIndex(store, "hybrid", patience_s=None)
    first.index_tools("a", OFFICE)
    first.index_tools("b", OFFICE)
    second.index_tools("a", OFFICE)
    first.clear_index("a")
    second.clear_index("a")

    assert len(collections() - before) == 1
    assert names(search(first, "invoice", "b"))[0] == "pay_invoice"
    first.index_tools("b", OFFICE[:1])
    first.clear_index("b")
    first.clear_index("b")
    assert collections() <= before
    assert store.status("vector", CATALOG).state == "not_built"


def test_spares_are_kept_for_those_who_come_back() -> None:
    store = RetrieverStore(encoders=lambda name: HashingEncoder(), spares=2)
    index = CatalogToolIndex(store, "keyword")
    for count in (1, 2, 3):
        index.index_tools("s", OFFICE[:count])
    index.clear_index("s")

    reused = []
    for count in (3, 2, 1):
        index.index_tools("s", OFFICE[:count])
        reused.append(index.describe("s").reused)
    assert reused == [True, True, False]


def test_a_forgotten_store_leaves_nothing_behind(encoder: WatchedEncoder) -> None:
    before = collections()
    index = CatalogToolIndex(RetrieverStore(encoders=lambda name: encoder), "vector")
    index.index_tools("s", OFFICE)
    held = collections() - before
    del index
    gc.collect()

    assert len(held) == 1
    assert not held & collections()


def test_two_stores_do_not_disturb_each_other() -> None:
    stores = [RetrieverStore(encoders=lambda name: HashingEncoder(), spares=0) for _ in range(2)]
    one, two = (CatalogToolIndex(store, "vector") for store in stores)
    one.index_tools("s", OFFICE)
    two.index_tools("s", OFFICE)
    one.clear_index("s")

    assert names(search(two, "invoice"))[0] == "pay_invoice"
    two.clear_index("s")


def test_a_session_cleared_while_it_is_indexed_stays_cleared(
    store: RetrieverStore, encoder: WatchedEncoder
) -> None:
    before = collections()
    index = CatalogToolIndex(store, "vector")
    encoder.at_batch = lambda: index.clear_index("s")
    index.index_tools("s", OFFICE)

    assert index.describe("s").tool_count == 0
    assert search(index, "invoice").references == ()
    assert collections() <= before


def test_a_search_under_way_keeps_what_it_searches(
    store: RetrieverStore, encoder: WatchedEncoder
) -> None:
    """Its session may be cleared, or get other tools, before it is done."""
    index = CatalogToolIndex(store, "vector")
    index.index_tools("s", OFFICE)
    encoder.at_batch = lambda: index.clear_index("s")
    held = search(index, "an invoice to pay")

    assert names(held)[0] == "pay_invoice"
    assert search(index, "an invoice to pay").references == ()


def test_progress_is_told_batch_by_batch(store: RetrieverStore) -> None:
    told: list[tuple[int, int]] = []
    states = []

    def watch(done: int, total: int) -> None:
        told.append((done, total))
        states.append(store.status("vector", LONG))

    assert store.status("hybrid", LONG).state == "not_built"
    assert store.build_in_background("vector", LONG, on_progress=watch).wait()

    assert told == [(min(done, 200), 200) for done in range(BATCH, 200 + BATCH, BATCH)]
    assert {(each.state, each.total) for each in states} == {("building", 200)}


def test_a_background_build_is_there_for_the_first_session(encoder: WatchedEncoder) -> None:
    store = RetrieverStore(encoders=lambda name: encoder)
    store.build_in_background("hybrid", LONG).wait()

    assert store.status("hybrid", LONG).state == "ready"
    read = len(encoder.texts)
    index = CatalogToolIndex(store, "vector")
    index.index_tools("s", LONG.tools)
    assert index.describe("s").reused
    assert len(encoder.texts) == read == len(LONG)


def test_a_build_that_has_begun_says_how_much_there_is_to_do(
    store: RetrieverStore, encoder: WatchedEncoder
) -> None:
    gate = threading.Event()
    encoder.at_batch = lambda: gate.wait(30) and None
    job = store.build_in_background("hybrid", LONG)
    status, building = store.status("hybrid", LONG), store.building
    gate.set()
    job.wait()

    assert (status.state, status.total) == ("building", len(LONG))
    assert (building, store.building) == (True, False)


def test_a_background_build_of_a_hybrid_leaves_nothing_to_build_for_the_first_session() -> None:
    encoder = WatchedEncoder()
    store = RetrieverStore(encoders=lambda name: encoder)
    store.build_in_background("hybrid", CATALOG).wait()
    lease = store.lease("hybrid", CATALOG)

    assert lease.reused
    lease.release()


def test_a_background_build_is_joined_not_doubled(
    store: RetrieverStore, encoder: WatchedEncoder
) -> None:
    gate = threading.Event()
    encoder.at_batch = lambda: gate.wait() and None
    first = store.build_in_background("vector", LONG)
    second = store.build_in_background("hybrid", LONG)
    gate.set()
    second.wait()

    assert first is second
    assert len(encoder.texts) == len(LONG)


def test_a_cancelled_build_stops_and_can_be_taken_up_again(
    store: RetrieverStore, encoder: WatchedEncoder
) -> None:
    started, gate = threading.Event(), threading.Event()

    def wait_at_first() -> None:
        started.set()
        gate.wait()

    encoder.at_batch = wait_at_first
    job = store.build_in_background("vector", LONG)
    started.wait()
    job.cancel()
    gate.set()

    assert job.wait()
    assert len(encoder.texts) == BATCH
    assert store.status("vector", LONG).state == "not_built"
    index = CatalogToolIndex(store, "vector")
    index.index_tools("s", LONG.tools)
    assert len(encoder.texts) == len(LONG)


def test_a_failed_background_build_says_why() -> None:
    broken = WatchedEncoder()
    broken.broken = True
    store = RetrieverStore(encoders=lambda name: broken)
    store.build_in_background("hybrid", LONG).wait()

    status = store.status("hybrid", LONG)
    assert status.state == "failed"
    assert status.notice is not None
    assert status.notice.code == "search.encoder_failed"


def test_hybrid_answers_by_words_until_meaning_is_ready(encoder: WatchedEncoder) -> None:
    store = RetrieverStore(encoders=lambda name: encoder)
    gate = threading.Event()
    encoder.at_batch = lambda: gate.wait() and None
    index = CatalogToolIndex(store, "hybrid", patience_s=0.0)
    index.index_tools("s", OFFICE)
    early = search(index, "invoice")
    told = index.describe("s").notices
    gate.set()
    store.build_in_background("hybrid", CATALOG).wait()
    late = search(index, "invoice")

    assert names(early)[0] == names(late)[0] == "pay_invoice"
    assert [each.code for each in early.metadata.notices] == ["search.meaning_building"]
    assert [each.code for each in told] == ["search.meaning_building"]
    assert "meaning" not in {reason.signal for reason in early.references[0].reasons}
    assert late.metadata.notices == index.describe("s").notices == ()
    assert "meaning" in {reason.signal for reason in late.references[0].reasons}


def test_hybrid_answers_by_words_when_its_encoder_fails(
    store: RetrieverStore, encoder: WatchedEncoder
) -> None:
    encoder.broken = True
    index = CatalogToolIndex(store, "hybrid", patience_s=None)
    index.index_tools("s", OFFICE)
    without = search(index, "invoice")
    encoder.broken = False
    index.index_tools("s", OFFICE)
    encoder.broken = True
    broken_later = search(index, "bill")

    assert names(without)[0] == "pay_invoice"
    assert [each.code for each in without.metadata.notices] == [
        "search.meaning_absent",
        "search.encoder_failed",
    ]
    assert names(broken_later)[0] == "pay_invoice"
    assert [each.code for each in broken_later.metadata.notices] == ["search.encoder_failed"]


def test_vector_says_that_its_encoder_fails(store: RetrieverStore, encoder: WatchedEncoder) -> None:
    index = CatalogToolIndex(store, "vector")
    index.index_tools("s", OFFICE)
    encoder.broken = True

    with pytest.raises(IndexUnavailableError, match="out of order"):
        search(index, "a query never seen before")


def test_another_encoder_never_meets_the_vectors_of_the_first() -> None:
    """The same catalog under encoders of different length and id."""
    store = RetrieverStore(encoders=lambda name: HashingEncoder(int(name)))
    for dim in ("64", "256"):
        index = CatalogToolIndex(store, "vector", dim)
        index.index_tools("s", OFFICE)
        assert not index.describe("s").reused
        assert names(search(index, "pay an invoice"))[0] == "pay_invoice"


def test_six_thousand_tools_are_indexed_and_searched() -> None:
    tools = [
        tool(f"tool_{n:05d}", f"Handles case number {n} of family {n % 37}") for n in range(6000)
    ]
    store = RetrieverStore(encoders=lambda name: HashingEncoder(32))
    index = CatalogToolIndex(store, "hybrid", patience_s=None)
    index.index_tools("s", tools)

    assert names(search(index, "case number 5999"))[0] == "tool_05999"
    assert names(search(index, "tool_00042"))[0] == "tool_00042"
    assert len(search(index, "case", max_results=10_000).references) == 6000
