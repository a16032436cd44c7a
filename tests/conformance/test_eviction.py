"""Section 3.5: which session a strategy names, access by access."""

import math

import pytest

from tests.contracts.eviction import TurnedClock
from toolsearch_core.errors import SettingsError
from toolsearch_core.eviction import Always, Composite, Lru, Never, Ttl
from toolsearch_core.protocols import EvictionStrategy


def answers(strategy: EvictionStrategy, *accesses: str) -> list[tuple[str, ...]]:
    return [strategy.on_access(session_id) for session_id in accesses]


@pytest.fixture
def clock() -> TurnedClock:
    return TurnedClock()


# Always and never


@pytest.mark.promise("3.5.1")
def test_always_names_the_accessed_session_each_time() -> None:
    assert answers(Always(), "a", "b", "a") == [("a",), ("b",), ("a",)]


@pytest.mark.promise("3.5.2")
def test_always_goes_on_after_a_removal() -> None:
    strategy = Always()
    strategy.on_removed("a")

    assert strategy.on_access("a") == ("a",)


@pytest.mark.promise("3.5.3")
def test_always_beside_a_roomy_lru_still_names_the_accessed_session() -> None:
    assert answers(Composite([Always(), Lru(10)]), "a", "b") == [("a",), ("b",)]


@pytest.mark.promise("3.5.4")
def test_never_names_nobody() -> None:
    assert answers(Never(), "a", "b", "a") == [(), (), ()]
    assert Never().expired() == ()


@pytest.mark.promise("3.5.5")
def test_never_goes_on_after_a_removal() -> None:
    strategy = Never()
    strategy.on_access("a")
    strategy.on_removed("a")

    assert strategy.on_access("a") == ()


# LRU


@pytest.mark.promise("3.5.6")
def test_lru_names_nobody_below_its_limit() -> None:
    assert answers(Lru(3), "a", "b", "c") == [(), (), ()]


@pytest.mark.promise("3.5.7")
def test_lru_names_the_session_that_was_not_used_for_longest() -> None:
    assert answers(Lru(2), "a", "b", "c") == [(), (), ("a",)]


@pytest.mark.promise("3.5.8")
def test_lru_counts_every_access_as_use() -> None:
    assert answers(Lru(2), "a", "b", "a", "c")[-1] == ("b",)


@pytest.mark.promise("3.5.9")
def test_lru_of_one_keeps_the_same_session() -> None:
    assert answers(Lru(1), "a", "a") == [(), ()]


@pytest.mark.promise("3.5.10")
def test_lru_gives_the_place_of_a_removed_session_free() -> None:
    strategy = Lru(2)
    answers(strategy, "a", "b")
    strategy.on_removed("a")

    assert strategy.on_access("c") == ()


@pytest.mark.promise("3.5.11")
@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "2", None])
def test_lru_refuses_a_limit_that_is_none(limit: object) -> None:
    with pytest.raises(SettingsError, match=r"max_sessions.*whole number from 1"):
        Lru(limit)  # type: ignore[arg-type]


# TTL


@pytest.mark.promise("3.5.12")
def test_ttl_keeps_a_fresh_session(clock: TurnedClock) -> None:
    strategy = Ttl(10.0, clock)
    strategy.on_access("a")
    clock.now_s += 9.999

    assert strategy.on_access("b") == ()
    assert strategy.expired() == ()


@pytest.mark.promise("3.5.13")
def test_ttl_names_an_idle_session_when_another_is_accessed(clock: TurnedClock) -> None:
    strategy = Ttl(0.05, clock)
    strategy.on_access("a")
    clock.now_s += 0.06

    assert strategy.on_access("b") == ("a",)


@pytest.mark.promise("3.5.14")
def test_ttl_never_names_the_accessed_session_however_idle_it_was(clock: TurnedClock) -> None:
    strategy = Ttl(0.05, clock)
    strategy.on_access("a")
    clock.now_s += 1000.0

    assert strategy.on_access("a") == ()
    assert strategy.expired() == ()


@pytest.mark.promise("3.5.15")
def test_ttl_never_names_a_removed_session(clock: TurnedClock) -> None:
    strategy = Ttl(10.0, clock)
    strategy.on_access("a")
    strategy.on_removed("a")
    clock.now_s += 1000.0

    assert strategy.expired() == ()
    assert strategy.on_access("b") == ()


@pytest.mark.promise("3.5.16")
@pytest.mark.parametrize("ttl_s", [0, -1.0, math.nan, math.inf, True, "10", None])
def test_ttl_refuses_a_time_that_is_none(ttl_s: object, clock: TurnedClock) -> None:
    with pytest.raises(SettingsError, match=r"ttl_s.*above 0"):
        Ttl(ttl_s, clock)  # type: ignore[arg-type]


# Composite


@pytest.mark.promise("3.5.17")
def test_composite_of_lru_and_a_long_ttl_names_what_lru_names(clock: TurnedClock) -> None:
    strategy = Composite([Lru(1), Ttl(600.0, clock)])

    assert answers(strategy, "a", "b") == [(), ("a",)]
    assert strategy.reason("a") == "lru"


@pytest.mark.promise("3.5.18")
def test_composite_tells_each_part_of_a_removal(clock: TurnedClock) -> None:
    strategy = Composite([Lru(2), Ttl(10.0, clock)])
    answers(strategy, "a", "b")
    strategy.on_removed("a")
    clock.now_s += 5.0

    assert strategy.on_access("c") == (), "Lru has a free place"
    clock.now_s += 5.0
    assert strategy.expired() == ("b",), "Ttl knows that a is gone"


@pytest.mark.promise("3.5.19")
def test_composite_without_parts_is_refused() -> None:
    with pytest.raises(SettingsError, match="one strategy or more"):
        Composite([])


@pytest.mark.promise("3.5.20")
def test_composite_of_one_part_is_that_part() -> None:
    accesses = ("a", "b", "c", "b", "d")

    assert answers(Composite([Lru(2)]), *accesses) == answers(Lru(2), *accesses)
    assert answers(Composite([Always()]), *accesses) == answers(Always(), *accesses)
