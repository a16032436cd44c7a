"""The choice of an eviction strategy as a value, and the strategy that it means."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

from toolsearch_core.eviction.always import Always
from toolsearch_core.eviction.composite import Composite
from toolsearch_core.eviction.lru import Lru
from toolsearch_core.eviction.never import Never
from toolsearch_core.eviction.ttl import Ttl
from toolsearch_core.options import one_of
from toolsearch_core.protocols import Clock, EvictionStrategy

StrategyKind = Literal["lru", "ttl", "composite", "never", "always"]
STRATEGY_KINDS: tuple[StrategyKind, ...] = get_args(StrategyKind)

WITH_TTL: tuple[StrategyKind, ...] = ("ttl", "composite")
DEFAULT_TTL_S = 1800.0
"""For these, when nobody sets a time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EvictionConfig:
    """Which strategy, with which numbers.

    Raises:
        SettingsError: a value is not allowed, also one that the chosen strategy does not use.
    """

    strategy: StrategyKind | None = None
    """`composite` is LRU and TTL together. Named by nobody, it is `composite` when `ttl_s` is set, and
    `lru` otherwise; never `None` once the configuration is made."""
    max_sessions: int = 1000
    """For `lru` and `composite`: how many sessions keep an index; at least 1."""
    ttl_s: float | None = None
    """For `ttl` and `composite`: the idle time that is too long, in seconds; above 0. Those two set it
    to half an hour when it is `None`."""

    def __post_init__(self) -> None:
        strategy = self.strategy
        if strategy is None:
            strategy = "lru" if self.ttl_s is None else "composite"
        one_of("strategy", strategy, STRATEGY_KINDS)
        ttl_s = self.ttl_s
        if ttl_s is None and strategy in WITH_TTL:
            ttl_s = DEFAULT_TTL_S
        Lru(self.max_sessions)
        Ttl(DEFAULT_TTL_S if ttl_s is None else ttl_s, lambda: 0.0)
        object.__setattr__(self, "strategy", strategy)
        object.__setattr__(self, "ttl_s", ttl_s)


def make_strategy(
    config: EvictionConfig, clock: Clock, accessed: Mapping[str, float] = MappingProxyType({})
) -> EvictionStrategy:
    """The strategy of a configuration.

    Args:
        config: which one, with which numbers.
        clock: the time now, in seconds.
        accessed: sessions that have an index already, id -> time of the last access by that clock,
            in any order; with them, a strategy can be exchanged while sessions are open.
    """
    lru = Lru(config.max_sessions, accessed)
    ttl = Ttl(config.ttl_s or DEFAULT_TTL_S, clock, accessed)
    match config.strategy or "lru":
        case "lru":
            return lru
        case "ttl":
            return ttl
        case "composite":
            return Composite((lru, ttl))
        case "never":
            return Never()
        case "always":
            return Always()
