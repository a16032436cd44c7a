"""Turns in flight, and several threads at once."""

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.contracts.eviction import TurnedClock
from tests.session.recording_index import RecordingIndex, catalog_of
from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.eviction import Lru, Never, Ttl
from toolsearch_core.protocols import EvictionStrategy
from toolsearch_core.search_types import ToolSearchRequest
from toolsearch_core.session import Discovery, EvictedIndex, SessionRegistry

CATALOG = catalog_of("red_tool", "blue_tool")


@pytest.fixture
def clock() -> TurnedClock:
    return TurnedClock()


@pytest.fixture
def index() -> RecordingIndex:
    return RecordingIndex()


def discovered(registry: SessionRegistry, index: RecordingIndex, session_id: str) -> None:
    session = registry.open(session_id, CATALOG, index).session
    session.record("1.1", [Discovery(name="red_tool", query="", score=1, turn=1)], accumulate=True)


@pytest.mark.parametrize("asks", ["lru", "ttl", "explicit", "close"])
def test_an_eviction_that_is_asked_for_during_a_turn_is_done_and_reported_at_its_end(
    clock: TurnedClock, index: RecordingIndex, asks: str
) -> None:
    strategies: dict[str, EvictionStrategy] = {"lru": Lru(1), "ttl": Ttl(60.0, clock)}
    registry = SessionRegistry(strategies.get(asks, Never()), clock)
    with registry.in_flight("A"):
        discovered(registry, index, "A")
        clock.now_s += 60.0
        if asks == "explicit":
            assert registry.evict("A") is None
        elif asks == "close":
            registry.close()
        else:
            assert registry.open("B", CATALOG, index).evicted == ()
        assert registry.sweep() == ()
        assert index.tools["A"] == CATALOG.tools
        clock.now_s += 5.0

    reason = "explicit" if asks == "close" else asks
    assert registry.sweep() == (
        EvictedIndex(session_id="A", reason=reason, idle_s=65.0, released=("red_tool",)),
    )
    assert "A" not in index.tools


def test_a_postponed_eviction_is_reported_by_the_next_opening_of_any_session(
    clock: TurnedClock, index: RecordingIndex
) -> None:
    registry = SessionRegistry(Never(), clock)
    with registry.in_flight("A"):
        registry.open("A", CATALOG, index)
        registry.evict("A")

    assert [each.session_id for each in registry.open("B", CATALOG, index).evicted] == ["A"]
    assert registry.open("A", CATALOG, index).reindexed


def test_the_first_reason_of_a_postponed_eviction_is_told(
    clock: TurnedClock, index: RecordingIndex
) -> None:
    registry = SessionRegistry(Ttl(60.0, clock), clock)
    with registry.in_flight("A"):
        registry.open("A", CATALOG, index)
        clock.now_s += 60.0
        registry.sweep()
        registry.evict("A")

    assert [each.reason for each in registry.sweep()] == ["ttl"]


def test_only_the_end_of_the_last_of_two_turns_releases(
    clock: TurnedClock, index: RecordingIndex
) -> None:
    registry = SessionRegistry(Never(), clock)
    with registry.in_flight("A"):
        with registry.in_flight("A"):
            registry.open("A", CATALOG, index)
            registry.evict("A")
        assert "A" in index.tools

    assert "A" not in index.tools


def test_a_turn_that_fails_lets_go_of_its_session(
    clock: TurnedClock, index: RecordingIndex
) -> None:
    registry = SessionRegistry(Never(), clock)
    index.broken = True
    with pytest.raises(IndexUnavailableError), registry.in_flight("A"):
        registry.open("A", CATALOG, index)
    index.broken = False
    registry.open("A", CATALOG, index)

    assert registry.evict("A") is not None


def test_a_turn_without_an_index_has_nothing_to_evict(
    clock: TurnedClock, index: RecordingIndex
) -> None:
    registry = SessionRegistry(Never(), clock)
    with registry.in_flight("A"):
        assert registry.evict("A") is None

    assert registry.sweep() == ()
    assert registry.open("A", CATALOG, index).evicted == ()
    assert registry.evict("A") is not None


def test_what_was_asked_before_the_turn_opened_is_done_by_its_opening(
    clock: TurnedClock, index: RecordingIndex
) -> None:
    registry = SessionRegistry(Lru(1), clock)
    discovered(registry, index, "A")
    with registry.in_flight("A"):
        registry.open("B", CATALOG, index)
        opening = registry.open("A", CATALOG, index)

        assert [(each.session_id, each.reason) for each in opening.evicted] == [
            ("A", "lru"),
            ("B", "lru"),
        ]
        assert opening.reindexed
    assert list(index.tools) == ["A"]


def test_a_session_that_is_asked_to_go_while_it_is_indexed_goes_afterwards(
    clock: TurnedClock, index: RecordingIndex
) -> None:
    """The index of another session, opened meanwhile, takes the only place there is."""
    registry = SessionRegistry(Lru(1), clock)

    def open_another(session_id: str) -> None:
        if session_id == "A":
            registry.open("B", CATALOG, index)

    index.while_building = open_another
    registry.open("A", CATALOG, index)

    assert [(each.session_id, each.reason) for each in registry.sweep()] == [("A", "lru")]
    assert list(index.tools) == ["B"]


def test_a_strategy_that_is_exchanged_while_a_session_is_indexed_knows_that_session(
    clock: TurnedClock, index: RecordingIndex
) -> None:
    registry = SessionRegistry(Never(), clock)
    index.while_building = lambda session_id: registry.use_strategy(
        lambda accessed: Lru(1, accessed)
    )
    registry.open("A", CATALOG, index)
    index.while_building = lambda session_id: None
    clock.now_s += 1.0

    assert [each.session_id for each in registry.open("B", CATALOG, index).evicted] == ["A"]


def in_threads(work: Callable[[int], None], threads: int) -> None:
    """Run `work(0)`, `work(1)`… at once; whatever one of them raises is raised here."""
    together = threading.Barrier(threads)

    def start(number: int) -> None:
        together.wait()
        work(number)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(start, range(threads)))


def test_a_session_opened_by_many_threads_at_once_is_indexed_once(
    clock: TurnedClock, index: RecordingIndex
) -> None:
    registry = SessionRegistry(Never(), clock)
    in_threads(lambda number: registry.open("A", CATALOG, index), 8)

    assert index.log == [("index", "A")]


def test_other_sessions_are_opened_while_one_is_being_indexed(
    clock: TurnedClock, index: RecordingIndex
) -> None:
    registry = SessionRegistry(Lru(10), clock)
    slow, other_is_open = threading.Event(), threading.Event()

    def build(session_id: str) -> None:
        if session_id == "slow":
            slow.set()
            assert other_is_open.wait(10)

    index.while_building = build

    def work(number: int) -> None:
        if number == 0:
            registry.open("slow", CATALOG, index)
        else:
            assert slow.wait(10)
            registry.open("other", CATALOG, index)
            assert registry.evict("slow") is None
            assert [each.session_id for each in registry.live()] == ["other"]
            other_is_open.set()

    in_threads(work, 2)

    assert [each.session_id for each in registry.sweep()] == ["slow"]
    assert list(index.tools) == ["other"]


def test_turns_in_eight_threads_over_three_places_always_find_their_own_tools(
    clock: TurnedClock, index: RecordingIndex
) -> None:
    """SES-06: what a turn searches is there until the turn ends, and is its own."""
    registry = SessionRegistry(Lru(3), clock)

    def work(number: int) -> None:
        chance = random.Random(number)
        own = f"tool_{number}"
        catalogs = [catalog_of(own, "shared"), catalog_of("shared", own, "more")]
        for turn in range(20):
            session_id = f"session {number}"
            with registry.in_flight(session_id):
                session = registry.open(session_id, chance.choice(catalogs), index).session
                for _ in range(3):
                    hits = index.search(ToolSearchRequest(session_id=session_id, query="tool"))
                    assert [hit.tool_name for hit in hits.references] == [own]
                    session.record(
                        f"{turn}",
                        [Discovery(name=own, query="tool", score=1.0, turn=turn)],
                        accumulate=True,
                    )
                    registry.evict(f"session {chance.randrange(8)}")
                assert list(session.discovered) == [own]
            registry.sweep()

    in_threads(work, 8)
    registry.sweep()

    assert len(index.tools) <= 3
    assert sorted(index.tools) == sorted(each.session_id for each in registry.live())
    assert not any(each.in_flight or each.postponed for each in registry.live())
