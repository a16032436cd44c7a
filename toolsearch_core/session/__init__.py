"""What a session knows, and the registry that opens sessions and applies eviction."""

from toolsearch_core.session.registry import SessionRegistry
from toolsearch_core.session.reports import EvictedIndex, LiveIndex, Opening
from toolsearch_core.session.state import Discovery, Recorded, Session

__all__ = [
    "Discovery",
    "EvictedIndex",
    "LiveIndex",
    "Opening",
    "Recorded",
    "Session",
    "SessionRegistry",
]
