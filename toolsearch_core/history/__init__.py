"""What a conversation has to be so that the Messages API takes it, and the copy of it that is."""

from toolsearch_core.history.problems import problems
from toolsearch_core.history.repair import SendableHistory, sendable

__all__ = ["SendableHistory", "problems", "sendable"]
