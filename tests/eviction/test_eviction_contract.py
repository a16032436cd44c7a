"""Every strategy keeps the laws; a new one cannot dodge them."""

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from tests.contracts.eviction import (
    Case,
    Live,
    any_of,
    beyond,
    current_always,
    idle,
    idle_on_access,
    machine_of,
    nothing_expired,
    nothing_on_access,
)
from toolsearch_core.eviction import (
    STRATEGY_KINDS,
    Always,
    Composite,
    EvictionConfig,
    Lru,
    Never,
    Ttl,
    make_strategy,
)
from toolsearch_core.protocols import Clock, EvictionStrategy

MAX = 2
TTL_S = 10.0


def by_configuration(kind: str) -> EvictionStrategy:
    def make(clock: Clock, accessed: Live) -> EvictionStrategy:
        config = EvictionConfig(strategy=kind, max_sessions=MAX, ttl_s=TTL_S)
        return make_strategy(config, clock, accessed)

    return make


CASES = [
    Case(
        name="never",
        make=by_configuration("never"),
        on_access=nothing_on_access,
        expired=nothing_expired,
    ),
    Case(
        name="always",
        make=by_configuration("always"),
        evicts_current=True,
        on_access=current_always,
        expired=nothing_expired,
    ),
    Case(
        name="lru",
        make=by_configuration("lru"),
        bound=MAX,
        on_access=beyond(MAX),
        expired=nothing_expired,
    ),
    Case(
        name="ttl",
        make=by_configuration("ttl"),
        on_access=idle_on_access(TTL_S),
        expired=idle(TTL_S),
    ),
    Case(
        name="composite",
        make=by_configuration("composite"),
        bound=MAX,
        on_access=any_of(beyond(MAX), idle_on_access(TTL_S)),
        expired=idle(TTL_S),
    ),
]

COMPOSED = [
    Case(
        name="always_then_lru",
        make=lambda clock, accessed: Composite([Always(), Lru(MAX, accessed)]),
        evicts_current=True,
        bound=MAX,
        on_access=any_of(current_always, beyond(MAX)),
        expired=nothing_expired,
    ),
    Case(
        name="ttl_always_and_lru_of_one",
        make=lambda clock, accessed: Composite(
            [Ttl(TTL_S, clock, accessed), Always(), Lru(1, accessed)]
        ),
        evicts_current=True,
        bound=1,
        on_access=any_of(idle_on_access(TTL_S), current_always, beyond(1)),
        expired=idle(TTL_S),
    ),
    Case(
        name="single_part",
        make=lambda clock, accessed: Composite([Lru(MAX, accessed)]),
        bound=MAX,
        on_access=beyond(MAX),
        expired=nothing_expired,
    ),
    Case(
        name="composite_in_composite",
        make=lambda clock, accessed: Composite(
            [Never(), Composite([Lru(MAX, accessed), Ttl(TTL_S, clock, accessed)])]
        ),
        bound=MAX,
        on_access=any_of(beyond(MAX), idle_on_access(TTL_S)),
        expired=idle(TTL_S),
    ),
]


@pytest.mark.parametrize("case", [*CASES, *COMPOSED], ids=lambda case: case.name)
def test_the_strategy_keeps_the_laws(case: Case) -> None:
    run_state_machine_as_test(machine_of(case), settings=settings(stateful_step_count=25))


def test_every_strategy_that_can_be_configured_is_under_the_laws() -> None:
    assert sorted(case.name for case in CASES) == sorted(STRATEGY_KINDS)
