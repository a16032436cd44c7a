"""Opening sessions: indexing once, replacing on change, and failing without harm."""

from collections.abc import Mapping

import pytest

from tests.contracts.eviction import TurnedClock
from tests.session.recording_index import RecordingIndex, catalog_of
from toolsearch_core.errors import IndexUnavailableError, SessionError
from toolsearch_core.eviction import Always, Composite, Lru, Never, Ttl
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.notices import notice
from toolsearch_core.protocols import EvictionStrategy
from toolsearch_core.session import Discovery, EvictedIndex, SessionRegistry
from toolsearch_core.tools import Catalog, ToolDefinition

RED = catalog_of("red_tool", "blue_tool")
GREEN = catalog_of("green_tool", "blue_tool")


class Setting:
    """A registry with everything it works on."""

    def __init__(
        self, strategy: EvictionStrategy | None = None, ttl_s: float | None = None
    ) -> None:
        self.clock = TurnedClock()
        self.index = RecordingIndex()
        ttl = [Ttl(ttl_s, self.clock)] if ttl_s is not None else []
        parts = [*([strategy] if strategy else []), *ttl]
        self.registry = SessionRegistry(
            Composite(parts) if len(parts) > 1 else parts[0] if parts else Never(), self.clock
        )

    def open(self, session_id: str, catalog: Catalog = RED):
        return self.registry.open(session_id, catalog, self.index)

    def discover(self, session_id: str, *names: str, catalog: Catalog = RED) -> None:
        found = [Discovery(name=name, query="q", score=1.0, turn=1) for name in names]
        self.open(session_id, catalog).session.record("1.1", found, accumulate=True)


# Indexing


def test_the_first_opening_indexes_the_catalog_in_its_order() -> None:
    s = Setting()
    opening = s.open("A")

    assert s.index.log == [("index", "A")]
    assert s.index.tools["A"] == RED.tools
    assert (opening.indexed, opening.reindexed, opening.evicted, opening.pruned) == (
        True,
        False,
        (),
        (),
    )
    assert opening.session.id == "A"
    assert opening.session.catalog is RED
    assert opening.notices == ()
    assert opening.duration_s >= 0


def test_opening_again_with_the_same_tools_indexes_nothing() -> None:
    s = Setting()
    first = s.open("A")
    second = s.open("A", catalog_of("red_tool", "blue_tool"))

    assert s.index.log == [("index", "A")]
    assert (second.indexed, second.reindexed) == (False, False)
    assert second.session is first.session


def test_an_equal_catalog_with_other_pins_is_taken_over_without_indexing() -> None:
    s = Setting()
    s.open("A")
    pinned = Catalog(
        tuple(
            ToolDefinition(name=tool.name, wire_name=tool.wire_name, pinned=True)
            for tool in RED.tools
        )
    )
    opening = s.open("A", pinned)

    assert not opening.indexed
    assert opening.session.catalog is pinned


def test_a_changed_catalog_is_indexed_anew_and_prunes_what_is_gone() -> None:
    s = Setting()
    s.discover("A", "red_tool", "blue_tool")
    opening = s.open("A", GREEN)

    assert s.index.log == [("index", "A"), ("index", "A")]
    assert s.index.tools["A"] == GREEN.tools
    assert (opening.indexed, opening.reindexed) == (True, True)
    assert opening.evicted == (EvictedIndex(session_id="A", reason="catalog_changed"),)
    assert opening.pruned == ("red_tool",)
    assert list(opening.session.discovered) == ["blue_tool"]


def test_another_index_replaces_the_one_before_and_the_discovered_tools_stay() -> None:
    s = Setting()
    s.discover("A", "red_tool")
    other = RecordingIndex()
    opening = s.registry.open("A", RED, other)

    assert s.index.tools == {}
    assert other.tools["A"] == RED.tools
    assert opening.evicted == (EvictedIndex(session_id="A", reason="index_changed"),)
    assert opening.reindexed
    assert list(opening.session.discovered) == ["red_tool"]


def test_the_index_before_is_released_only_when_the_new_one_stands() -> None:
    s = Setting()
    s.open("A")
    other = RecordingIndex()
    other.while_building = lambda session_id: s.index.log.append(("still there", session_id))
    s.registry.open("A", RED, other)

    assert s.index.log == [("index", "A"), ("still there", "A"), ("clear", "A")]


def test_an_empty_catalog_can_be_opened_and_says_so() -> None:
    opening = Setting().open("A", Catalog())

    assert opening.indexed
    assert [each.code for each in opening.notices] == ["session.no_tools"]


def test_an_index_over_a_catalog_that_another_session_has_is_reused() -> None:
    index = CatalogToolIndex(RetrieverStore(), "keyword")
    registry = SessionRegistry(Never(), TurnedClock())
    openings = [registry.open(session_id, RED, index) for session_id in ("A", "B", "B")]

    assert [(each.indexed, each.reused) for each in openings] == [
        (True, False),
        (True, True),
        (False, False),
    ]


def test_what_an_index_says_about_itself_is_passed_on() -> None:
    class Incomplete(RecordingIndex):
        reused = False
        notices = (notice("session.no_tools"),)

        def describe(self, session_id: str) -> "Incomplete":
            return self

    assert SessionRegistry(Never(), TurnedClock()).open("A", RED, Incomplete()).notices == (
        notice("session.no_tools"),
    )


def test_durations_are_measured_by_the_timer_and_not_by_the_clock() -> None:
    ticks = iter([10.0, 10.25])
    clock = TurnedClock()
    registry = SessionRegistry(Never(), clock, timer=lambda: next(ticks))
    index = RecordingIndex()

    def jump(session_id: str) -> None:
        clock.now_s += 1800.0

    index.while_building = jump

    assert registry.open("A", RED, index).duration_s == 0.25


@pytest.mark.parametrize("missing", ["", "   ", "\n\t", None])
def test_a_missing_session_id_is_refused_before_anything_happens(missing: object) -> None:
    s = Setting(Lru(1))
    s.open("A")
    with pytest.raises(SessionError, match="session id is missing"):
        s.open(missing)  # type: ignore[arg-type]
    with pytest.raises(SessionError, match="session id is missing"), s.registry.in_flight(missing):  # type: ignore[arg-type]
        pass

    assert s.index.log == [("index", "A")]


# Failure


def test_a_first_index_that_cannot_be_built_is_tried_again_at_the_next_opening() -> None:
    s = Setting()
    s.index.broken = True
    with pytest.raises(IndexUnavailableError):
        s.open("A")
    assert s.registry.live() == ()
    s.index.broken = False
    opening = s.open("A")

    assert (opening.indexed, opening.reindexed) == (True, False)


def test_a_changed_catalog_that_cannot_be_indexed_leaves_the_session_as_it_was() -> None:
    s = Setting()
    s.discover("A", "red_tool")
    s.index.broken = True
    with pytest.raises(IndexUnavailableError):
        s.open("A", GREEN)
    again = s.open("A", RED)

    assert s.index.tools["A"] == RED.tools
    assert not again.indexed
    assert list(again.session.discovered) == ["red_tool"]
    assert again.session.catalog is RED


def test_a_session_that_could_not_be_indexed_takes_no_place_in_the_strategy() -> None:
    s = Setting(Lru(2))
    s.open("A")
    s.index.broken = True
    with pytest.raises(IndexUnavailableError):
        s.open("B")
    s.index.broken = False

    assert s.open("C").evicted == ()
    assert [live.session_id for live in s.registry.live()] == ["A", "C"]


def test_what_was_evicted_before_the_index_failed_is_reported_later() -> None:
    s = Setting(Lru(1))
    s.discover("A", "red_tool")
    s.index.broken = True
    with pytest.raises(IndexUnavailableError):
        s.open("B")

    assert s.registry.sweep() == (
        EvictedIndex(session_id="A", reason="lru", idle_s=0.0, released=("red_tool",)),
    )
    assert s.registry.sweep() == ()


# Eviction


def test_the_session_that_was_not_used_for_longest_is_evicted_and_reindexed_when_it_returns() -> (
    None
):
    s = Setting(Lru(1))
    s.discover("A", "red_tool")
    s.clock.now_s += 7.0
    opening = s.open("B")
    back = s.open("A")

    assert opening.evicted == (
        EvictedIndex(session_id="A", reason="lru", idle_s=7.0, released=("red_tool",)),
    )
    assert (back.indexed, back.reindexed) == (True, True)
    assert dict(back.session.discovered) == {}
    assert s.index.log == [
        ("index", "A"),
        ("clear", "A"),
        ("index", "B"),
        ("clear", "B"),
        ("index", "A"),
    ]


def test_an_explicit_eviction_releases_at_once_and_the_next_opening_reindexes() -> None:
    s = Setting(Lru(5))
    s.discover("A", "blue_tool")
    s.clock.now_s += 3.0

    assert s.registry.evict("A") == EvictedIndex(
        session_id="A", reason="explicit", idle_s=3.0, released=("blue_tool",)
    )
    assert s.index.tools == {}
    assert s.registry.evict("A") is None
    assert s.registry.evict("unknown") is None
    assert s.open("A").reindexed


def test_an_explicit_eviction_gives_the_place_in_the_strategy_free() -> None:
    s = Setting(Lru(2))
    s.open("A")
    s.open("B")
    s.registry.evict("B")

    assert s.open("C").evicted == ()


def test_idle_time_evicts_the_only_session_when_a_page_looks() -> None:
    s = Setting(ttl_s=60.0)
    s.discover("A", "red_tool")
    s.clock.now_s += 59.0
    assert s.registry.sweep() == ()
    s.clock.now_s += 1.0

    assert s.registry.sweep() == (
        EvictedIndex(session_id="A", reason="ttl", idle_s=60.0, released=("red_tool",)),
    )
    assert s.registry.sweep() == ()


def test_a_session_whose_own_time_ran_out_is_evicted_and_reindexed_when_it_is_opened() -> None:
    s = Setting(ttl_s=60.0)
    s.discover("A", "red_tool")
    s.clock.now_s += 60.0
    with s.registry.in_flight("A"):
        opening = s.open("A")

    assert opening.evicted == (
        EvictedIndex(session_id="A", reason="ttl", idle_s=60.0, released=("red_tool",)),
    )
    assert opening.reindexed
    assert s.registry.idle_s("A") == 0.0
    s.clock.now_s += 59.0
    assert s.registry.sweep() == ()


def test_always_starts_each_opening_afresh_and_beside_it_the_limit_still_holds() -> None:
    s = Setting(Composite([Always(), Lru(1)]))
    s.discover("A", "red_tool")
    again = s.open("A")
    other = s.open("B")

    assert [(each.session_id, each.reason) for each in again.evicted] == [("A", "always")]
    assert again.reindexed
    assert dict(again.session.discovered) == {}
    assert [(each.session_id, each.reason) for each in other.evicted] == [("A", "lru")]
    assert list(s.index.tools) == ["B"]


def test_the_reason_of_a_composite_is_that_of_the_part_that_asked() -> None:
    s = Setting(Lru(2), ttl_s=60.0)
    s.open("A")
    s.clock.now_s += 60.0
    by_time = s.open("B").evicted
    s.open("C")
    by_number = s.open("D").evicted

    assert [(each.session_id, each.reason) for each in by_time] == [("A", "ttl")]
    assert [(each.session_id, each.reason) for each in by_number] == [("B", "lru")]


def test_sessions_are_evicted_oldest_first() -> None:
    s = Setting(ttl_s=10.0)
    for session_id in ("B", "A", "C", "B"):
        s.clock.now_s += 1.0
        s.open(session_id)
    s.clock.now_s += 100.0

    assert [each.session_id for each in s.registry.sweep()] == ["A", "C", "B"]


# Exchange of the strategy


def test_a_new_strategy_knows_the_sessions_that_are_open() -> None:
    s = Setting()
    for session_id in ("A", "B", "C"):
        s.clock.now_s += 1.0
        s.open(session_id)
    s.clock.now_s += 1.0
    s.open("A")
    given: list[Mapping[str, float]] = []

    def make(accessed: Mapping[str, float]) -> EvictionStrategy:
        given.append(accessed)
        return Lru(2, accessed)

    s.registry.evict("C")
    s.registry.use_strategy(make)

    assert given == [{"A": 1004.0, "B": 1002.0}]
    assert [each.session_id for each in s.open("D").evicted] == ["B"]


# Looking


def test_live_indexes_are_told_with_their_idle_time() -> None:
    s = Setting()
    s.open("A")
    s.clock.now_s += 5.0
    s.open("B")
    with s.registry.in_flight("B"):
        s.registry.evict("B")
        live = s.registry.live()

    assert [
        (each.session_id, each.index_kind, each.tool_count, each.idle_s, each.in_flight)
        for each in live
    ] == [("A", "recording", 2, 5.0, False), ("B", "recording", 2, 0.0, True)]
    assert [each.postponed for each in live] == [None, "explicit"]


def test_idle_time_is_known_while_there_is_an_index() -> None:
    s = Setting()
    assert s.registry.idle_s("A") is None
    s.open("A")
    s.clock.now_s += 5.0
    assert s.registry.idle_s("A") == 5.0
    s.registry.evict("A")
    assert s.registry.idle_s("A") is None


def test_looking_is_no_use_of_a_session() -> None:
    s = Setting(ttl_s=60.0)
    s.open("A")
    s.clock.now_s += 59.0
    s.registry.sweep(), s.registry.live(), s.registry.idle_s("A")
    s.clock.now_s += 1.0

    assert [each.session_id for each in s.registry.sweep()] == ["A"]


def test_closing_releases_every_index() -> None:
    s = Setting(Lru(5))
    s.open("A")
    s.open("B")
    s.registry.close()
    s.registry.close()

    assert s.index.tools == {}
    assert s.registry.live() == ()
    assert s.registry.sweep() == ()


# Isolation (SES-01)


def test_what_one_session_discovers_belongs_to_it_alone() -> None:
    s = Setting()
    s.discover("A", "red_tool")
    b = s.open("B").session
    c = s.open("C", GREEN).session

    assert dict(b.discovered) == {}
    assert dict(c.discovered) == {}
    s.registry.evict("A")
    assert sorted(s.index.tools) == ["B", "C"]
    assert s.index.tools["C"] == GREEN.tools
