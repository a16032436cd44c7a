"""The choice of an eviction strategy as a value, and the strategy that it means."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, assert_never, get_args

from toolsearch_core.errors import SettingsError
from toolsearch_core.eviction.always import Always
from toolsearch_core.eviction.composite import Composite
from toolsearch_core.eviction.lru import Lru
from toolsearch_core.eviction.never import Never
from toolsearch_core.eviction.ttl import Ttl
from toolsearch_core.protocols import Clock, EvictionStrategy

StrategyKind = Literal["lru", "ttl", "composite", "never", "always"]
STRATEGY_KINDS: tuple[StrategyKind, ...] = get_args(StrategyKind)


@dataclass(frozen=True, kw_only=True, slots=True)
class EvictionConfig:
    """Which strategy, with which numbers.

    Raises:
        SettingsError: a value is not allowed, also one that the chosen strategy does not use.
    """

    strategy: StrategyKind = "lru"
    """`composite` is LRU and TTL together."""
    max_sessions: int = 1000
    """For `lru` and `composite`: how many sessions keep an index; at least 1."""
    ttl_s: float = 1800.0
    """For `ttl` and `composite`: the idle time that is too long, in seconds; above 0."""

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGY_KINDS:
            raise SettingsError(
                "settings.out_of_range",
                option="strategy",
                value=str(self.strategy),
                allowed=" or ".join(STRATEGY_KINDS),
            )
        Lru(self.max_sessions)
        Ttl(self.ttl_s, lambda: 0.0)


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
    match config.strategy:
        case "lru":
            return Lru(config.max_sessions, accessed)
        case "ttl":
            return Ttl(config.ttl_s, clock, accessed)
        case "composite":
            return Composite(
                (Lru(config.max_sessions, accessed), Ttl(config.ttl_s, clock, accessed))
            )
        case "never":
            return Never()
        case "always":
            return Always()
    assert_never(config.strategy)
