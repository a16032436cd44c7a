"""Single cases, among them every one of the reference's tests."""

import math

import pytest

from tests.contracts.eviction import TurnedClock
from toolsearch_core.errors import SettingsError
from toolsearch_core.eviction import (
    Always,
    Composite,
    EvictionConfig,
    Lru,
    Never,
    Ttl,
    make_strategy,
)
from toolsearch_core.protocols import EvictionStrategy


def answers(strategy: EvictionStrategy, *accesses: str) -> list[tuple[str, ...]]:
    return [strategy.on_access(session_id) for session_id in accesses]


# Always and never


def test_always_names_the_accessed_session_each_time() -> None:
    assert answers(Always(), "a", "b", "a") == [("a",), ("b",), ("a",)]


def test_always_goes_on_after_a_removal() -> None:
    strategy = Always()
    strategy.on_removed("a")

    assert strategy.on_access("a") == ("a",)


def test_always_beside_a_roomy_lru_still_names_the_accessed_session() -> None:
    assert answers(Composite([Always(), Lru(10)]), "a", "b") == [("a",), ("b",)]


def test_lru_beside_always_keeps_seeing_the_sessions_that_are_indexed_again() -> None:
    assert answers(Composite([Always(), Lru(1)]), "a", "b", "c") == [("a",), ("a", "b"), ("b", "c")]


def test_never_names_nothing_also_after_a_removal() -> None:
    strategy = Never()

    assert answers(strategy, "a", "b", "a") == [(), (), ()]
    strategy.on_removed("a")
    assert strategy.on_access("a") == ()
    assert strategy.expired() == ()


def test_never_has_no_reason_to_give() -> None:
    with pytest.raises(LookupError):
        Never().reason("a")


# LRU


def test_lru_names_nothing_below_its_limit() -> None:
    assert answers(Lru(3), "a", "b", "c") == [(), (), ()]


def test_lru_names_the_session_that_was_not_used_for_longest() -> None:
    assert answers(Lru(2), "a", "b", "c")[-1] == ("a",)


def test_lru_counts_every_access_as_use() -> None:
    assert answers(Lru(2), "a", "b", "a", "c")[-1] == ("b",)


def test_lru_of_one_keeps_the_same_session() -> None:
    assert answers(Lru(1), "a", "a") == [(), ()]


def test_lru_gives_the_place_of_a_removed_session_free() -> None:
    strategy = Lru(2)
    answers(strategy, "a", "b")
    strategy.on_removed("a")

    assert strategy.on_access("c") == ()


def test_lru_with_a_lower_limit_than_the_sessions_it_starts_with_names_all_that_are_too_many() -> (
    None
):
    strategy = Lru(2, {"late": 30.0, "early": 10.0, "middle": 20.0})

    assert strategy.on_access("new") == ("early", "middle")


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "2", None])
def test_lru_refuses_a_limit_that_is_none(limit: object) -> None:
    with pytest.raises(SettingsError, match=r"max_sessions.*whole number from 1"):
        Lru(limit)  # type: ignore[arg-type]


# TTL


def test_ttl_keeps_a_fresh_session() -> None:
    clock = TurnedClock()
    strategy = Ttl(10.0, clock)
    strategy.on_access("a")
    clock.now_s += 9.999

    assert strategy.on_access("b") == ()
    assert strategy.expired() == ()


def test_ttl_names_an_idle_session_when_another_is_accessed() -> None:
    clock = TurnedClock()
    strategy = Ttl(10.0, clock)
    strategy.on_access("a")
    clock.now_s += 10.0

    assert strategy.on_access("b") == ("a",)


def test_ttl_never_names_the_accessed_session_however_idle_it_was() -> None:
    clock = TurnedClock()
    strategy = Ttl(10.0, clock)
    strategy.on_access("a")
    clock.now_s += 1000.0

    assert strategy.on_access("a") == ()
    assert strategy.expired() == ()


def test_ttl_names_the_only_session_without_an_access() -> None:
    clock = TurnedClock()
    strategy = Ttl(10.0, clock)
    strategy.on_access("a")
    clock.now_s += 10.0

    assert strategy.expired() == ("a",)
    assert strategy.expired() == ()


def test_ttl_never_names_a_removed_session() -> None:
    clock = TurnedClock()
    strategy = Ttl(10.0, clock)
    strategy.on_access("a")
    strategy.on_removed("a")
    clock.now_s += 1000.0

    assert strategy.expired() == ()
    assert strategy.on_access("b") == ()


def test_ttl_keeps_sessions_when_the_clock_is_set_back() -> None:
    clock = TurnedClock()
    strategy = Ttl(10.0, clock)
    strategy.on_access("a")
    clock.now_s -= 500.0

    assert strategy.on_access("b") == ()
    assert strategy.expired() == ()


@pytest.mark.parametrize("ttl_s", [0, -1.0, math.nan, math.inf, True, "10", None])
def test_ttl_refuses_a_time_that_is_none(ttl_s: object) -> None:
    with pytest.raises(SettingsError, match=r"ttl_s.*above 0"):
        Ttl(ttl_s, TurnedClock())  # type: ignore[arg-type]


# Composite


def test_composite_of_lru_and_a_long_ttl_names_what_lru_names() -> None:
    strategy = Composite([Lru(1), Ttl(600.0, TurnedClock())])

    assert answers(strategy, "a", "b") == [(), ("a",)]
    assert strategy.reason("a") == "lru"


def test_composite_tells_each_part_of_a_removal() -> None:
    clock = TurnedClock()
    strategy = Composite([Lru(2), Ttl(10.0, clock)])
    answers(strategy, "a", "b")
    strategy.on_removed("a")
    clock.now_s += 5.0

    assert strategy.on_access("c") == ()
    clock.now_s += 5.0
    assert strategy.expired() == ("b",)


def test_composite_tells_the_other_parts_what_one_part_released() -> None:
    clock = TurnedClock()
    strategy = Composite([Lru(2), Ttl(10.0, clock)])
    answers(strategy, "a", "b")
    clock.now_s += 10.0

    assert strategy.on_access("c") == ("a", "b")
    assert strategy.reason("a") == "lru"
    assert strategy.reason("b") == "ttl"
    assert answers(strategy, "d", "e") == [(), ("c",)]


def test_composite_of_one_part_is_that_part() -> None:
    assert answers(Composite([Lru(2)]), "a", "b", "c") == answers(Lru(2), "a", "b", "c")


def test_composite_without_parts_is_refused() -> None:
    with pytest.raises(SettingsError, match="one strategy or more"):
        Composite([])


# Configuration


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"strategy": "fifo"}, r"strategy.*fifo.*lru or ttl or composite or never or always"),
        ({"max_sessions": 0}, r"max_sessions.*0.*whole number"),
        ({"strategy": "never", "ttl_s": -5.0}, r"ttl_s.*-5\.0.*above 0"),
    ],
)
def test_a_wrong_configuration_names_option_value_and_what_is_allowed(
    wrong: dict[str, object], said: str
) -> None:
    with pytest.raises(SettingsError, match=said):
        EvictionConfig(**wrong)  # type: ignore[arg-type]


def test_the_default_keeps_the_last_thousand_sessions() -> None:
    strategy = make_strategy(EvictionConfig(), TurnedClock())
    for n in range(1000):
        assert strategy.on_access(f"s{n}") == ()

    assert strategy.on_access("one more") == ("s0",)
