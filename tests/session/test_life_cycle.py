"""Sessions that are indexed anew, evicted and forgotten while others search."""

import itertools
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

import pytest

from tests.contracts.eviction import TurnedClock
from tests.contracts.tool_index import OFFICE, names, search, tool
from tests.index.test_store import WatchedEncoder
from tests.session.recording_index import RecordingIndex, catalog_of
from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.eviction import Always, Composite, Lru, Never, Ttl
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.protocols import EvictionStrategy
from toolsearch_core.search_types import IndexKind
from toolsearch_core.session import Discovery, SessionRegistry
from toolsearch_core.session.registry import MAX_RESTING
from toolsearch_core.tools import Catalog

RED = catalog_of("red_tool", "blue_tool")
OLD = Catalog(tuple(tool(f"old_letter_{n}", "Write a letter") for n in range(3)))
NEW = Catalog(tuple(tool(f"new_letter_{n}", "Write a letter") for n in range(4)))
VERSIONS = [{each.wire_name for each in catalog.tools} for catalog in (OLD, NEW)]
ROUNDS = 400
ENOUGH = 50

Found = TypeVar("Found")


@contextmanager
def switching_often() -> Iterator[None]:
    """Threads take turns so often that one is stopped in the middle of nearly everything."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def found_meanwhile(find: Callable[[], Found], change: Callable[[int], object]) -> list[Found]:
    """What two threads find while this one changes something again and again."""
    found: list[Found] = []
    problems: list[Exception] = []
    enough, ready = threading.Event(), threading.Barrier(3)

    def keep_finding() -> None:
        ready.wait()
        try:
            while not enough.is_set():
                found.append(find())
        except IndexUnavailableError as error:
            problems.append(error)

    searching = [threading.Thread(target=keep_finding) for _ in range(2)]
    with switching_often():
        for thread in searching:
            thread.start()
        ready.wait()
        for number in itertools.count():
            change(number)
            if number >= ROUNDS and (len(found) >= ENOUGH or problems):
                break
        enough.set()
        for thread in searching:
            thread.join()
    assert problems == []
    return found


@pytest.mark.parametrize(
    "strategy", [Always(), Lru(1), Composite([Always(), Lru(1)])], ids=["always", "lru", "both"]
)
def test_searches_while_a_session_is_opened_anew_find_the_old_tools_or_the_new(
    strategy: EvictionStrategy,
) -> None:
    index = CatalogToolIndex(RetrieverStore(), "keyword")
    registry = SessionRegistry(strategy)
    registry.open("A", OLD, index)

    found = found_meanwhile(
        lambda: {*names(search(index, "letter", "A", max_results=50))},
        lambda number: registry.open("A", (NEW, OLD)[number % 2], index),
    )

    assert [each for each in found if each not in VERSIONS] == []


def test_turns_that_meet_evictions_by_hand_always_find_their_tools() -> None:
    index = CatalogToolIndex(RetrieverStore(), "keyword")
    registry = SessionRegistry(Never())

    def turn() -> list[set[str]]:
        with registry.in_flight("A"):
            registry.open("A", OLD, index)
            return [{*names(search(index, "letter", "A", max_results=50))} for _ in range(8)]

    def evict_and_open_anew(number: int) -> None:
        registry.evict("A")
        with registry.in_flight("A"):
            registry.open("A", NEW, index)
        registry.sweep()

    found = found_meanwhile(turn, evict_and_open_anew)

    assert [each for turn_found in found for each in turn_found if each not in VERSIONS] == []


@pytest.mark.parametrize("kind", ["vector", "hybrid"])
def test_only_schemas_changed_and_nothing_is_read_for_meaning_again(kind: IndexKind) -> None:
    encoder = WatchedEncoder()
    index = CatalogToolIndex(RetrieverStore(encoders=lambda name: encoder), kind, patience_s=None)
    registry = SessionRegistry(Never())
    registry.open("A", Catalog(OFFICE), index)
    before = len(encoder.texts)
    changed = (
        tool("pay_invoice", "Settle a bill", amount="how much", currency="which"),
        *OFFICE[1:],
    )
    opening = registry.open("A", Catalog(changed), index)

    assert before == len(OFFICE)
    assert opening.reindexed
    assert len(encoder.texts) == before
    assert "currency" in opening.session.catalog.by_wire_name["pay_invoice"].definition_json
    assert names(search(index, "settle a bill", "A"))[0] == "pay_invoice"


# Failure


def test_a_failed_build_says_why_what_stays_and_what_to_do() -> None:
    index = RecordingIndex()
    registry = SessionRegistry(Never())
    registry.open("A", RED, index)
    index.broken = True
    with pytest.raises(IndexUnavailableError) as failed:
        registry.open("A", catalog_of("green_tool"), index)

    assert failed.value.notice.code == "session.index_stays"
    assert failed.value.notice.params["tools"] == 2
    assert isinstance(failed.value.__cause__, IndexUnavailableError)
    assert str(failed.value.__cause__) in str(failed.value)
    assert index.tools["A"] == RED.tools


def test_a_first_build_that_fails_tells_its_own_cause() -> None:
    index = RecordingIndex()
    index.broken = True
    with pytest.raises(IndexUnavailableError) as failed:
        SessionRegistry(Never()).open("A", RED, index)

    assert failed.value.notice.code == "session.no_tools"


def test_a_session_whose_first_build_fails_leaves_nothing_behind() -> None:
    encoder = WatchedEncoder()
    encoder.broken = True
    index = CatalogToolIndex(RetrieverStore(encoders=lambda name: encoder, spares=0), "vector")
    with pytest.raises(IndexUnavailableError):
        SessionRegistry(Never()).open("A", RED, index)

    assert index._sessions == {}
    assert index._store._shared == {}


@pytest.mark.parametrize("why", ["always", "ttl", "explicit"])
def test_a_session_whose_renewal_fails_is_as_it_was_before(why: str) -> None:
    clock, index = TurnedClock(), RecordingIndex()
    strategies = {"always": Always(), "ttl": Ttl(60.0, clock), "explicit": Never()}
    registry = SessionRegistry(strategies[why], clock)
    session = registry.open("A", RED, index).session
    found = [Discovery(name="red_tool", query="q", score=1.0, turn=1)]
    session.record("1.1", found, accumulate=True)
    clock.now_s += 60.0
    with registry.in_flight("A"):
        if why == "explicit":
            registry.evict("A")
        index.broken = True
        with pytest.raises(IndexUnavailableError, match="over 2 tools"):
            registry.open("A", RED, index)
        index.broken = False

        assert index.tools["A"] == RED.tools
        assert list(session.discovered) == ["red_tool"]
        assert registry.sweep() == ()
        if why != "explicit":
            again = registry.open("A", RED, index)
            assert [each.reason for each in again.evicted] == (
                ["always"] if why == "always" else []
            )

    done = [(each.reason, each.released) for each in registry.sweep()]
    assert done == ([("explicit", ("red_tool",))] if why == "explicit" else [])


# What is left of sessions


def test_sessions_that_nobody_uses_are_forgotten_in_the_end() -> None:
    index = RecordingIndex()
    registry = SessionRegistry(Lru(3))
    for number in range(MAX_RESTING + 50):
        registry.open(f"session {number}", RED, index)
    with registry.in_flight("only looked at"):
        pass

    assert len(registry._entries) == 3
    assert len(registry._resting) == MAX_RESTING
    assert registry.open(f"session {MAX_RESTING + 40}", RED, index).reindexed
    assert not registry.open("session 0", RED, index).reindexed


def test_a_session_at_rest_keeps_no_catalog_and_comes_back_with_what_it_had() -> None:
    index = RecordingIndex()
    registry = SessionRegistry(Never())
    session = registry.open("A", RED, index).session
    registry.evict("A")

    assert session.catalog == Catalog()
    back = registry.open("A", RED, index)
    assert back.session is session
    assert back.session.catalog is RED
    assert back.reindexed


def test_sessions_over_equal_tools_share_a_catalog_and_those_with_other_pins_do_not() -> None:
    index = RecordingIndex()
    registry = SessionRegistry(Never())
    pinned = Catalog(tuple(replace(each, pinned=True) for each in RED.tools))
    sessions = [
        registry.open(f"session {number}", catalog, index).session
        for number, catalog in enumerate((RED, catalog_of("red_tool", "blue_tool"), pinned))
    ]

    assert [each.catalog is RED for each in sessions] == [True, True, False]
    assert sessions[2].catalog is pinned


def test_a_session_is_not_put_aside_while_somebody_waits_to_open_it() -> None:
    index = RecordingIndex()
    registry = SessionRegistry(Never())
    registry.open("A", RED, index)
    building, may_go_on = threading.Event(), threading.Event()

    def build(session_id: str) -> None:
        building.set()
        assert may_go_on.wait(10)

    index.while_building = build
    sessions = []
    opening = [
        threading.Thread(
            target=lambda: sessions.append(
                registry.open("A", catalog_of("green_tool"), index).session
            )
        )
        for _ in range(2)
    ]
    for thread in opening:
        thread.start()
    assert building.wait(10)
    while registry._entries["A"].openings < 2:
        pass
    registry.evict("A")
    may_go_on.set()
    for thread in opening:
        thread.join()

    assert sessions[0] is sessions[1]
    assert [each.session_id for each in registry.live()] == ["A"]
    assert registry._resting == {}


def test_a_registry_needs_no_clock_of_its_own() -> None:
    registry = SessionRegistry(Lru(1000))
    registry.open("A", RED, RecordingIndex())

    assert registry.live()[0].idle_s >= 0
