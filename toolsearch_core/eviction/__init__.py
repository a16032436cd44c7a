"""When a session index is released: one strategy a file, and the choice of one by configuration."""

from toolsearch_core.eviction.always import Always
from toolsearch_core.eviction.composite import Composite
from toolsearch_core.eviction.config import (
    STRATEGY_KINDS,
    EvictionConfig,
    StrategyKind,
    make_strategy,
)
from toolsearch_core.eviction.lru import Lru
from toolsearch_core.eviction.never import Never
from toolsearch_core.eviction.ttl import Ttl

__all__ = [
    "STRATEGY_KINDS",
    "Always",
    "Composite",
    "EvictionConfig",
    "Lru",
    "Never",
    "StrategyKind",
    "Ttl",
    "make_strategy",
]
