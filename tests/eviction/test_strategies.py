"""Single cases beside those of `tests/conformance/test_eviction.py`."""

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


def test_lru_beside_always_keeps_seeing_the_sessions_that_are_indexed_again() -> None:
    assert answers(Composite([Always(), Lru(1)]), "a", "b", "c") == [("a",), ("a", "b"), ("b", "c")]


def test_never_has_no_reason_to_give() -> None:
    with pytest.raises(LookupError):
        Never().reason("a")


# LRU


def test_lru_with_a_lower_limit_than_the_sessions_it_starts_with_names_all_that_are_too_many() -> (
    None
):
    strategy = Lru(2, {"late": 30.0, "early": 10.0, "middle": 20.0})

    assert strategy.on_access("new") == ("early", "middle")


# TTL


def test_ttl_names_the_only_session_without_an_access() -> None:
    clock = TurnedClock()
    strategy = Ttl(10.0, clock)
    strategy.on_access("a")
    clock.now_s += 10.0

    assert strategy.expired() == ("a",)
    assert strategy.expired() == ()


def test_ttl_keeps_sessions_when_the_clock_is_set_back() -> None:
    clock = TurnedClock()
    strategy = Ttl(10.0, clock)
    strategy.on_access("a")
    clock.now_s -= 500.0

    assert strategy.on_access("b") == ()
    assert strategy.expired() == ()


# Composite


def test_composite_tells_the_other_parts_what_one_part_released() -> None:
    clock = TurnedClock()
    strategy = Composite([Lru(2), Ttl(10.0, clock)])
    answers(strategy, "a", "b")
    clock.now_s += 10.0

    assert strategy.on_access("c") == ("a", "b")
    assert strategy.reason("a") == "lru"
    assert strategy.reason("b") == "ttl"
    assert answers(strategy, "d", "e") == [(), ("c",)]


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
