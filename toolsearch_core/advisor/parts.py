"""What a turn is made of: the question, the parts that answer it, and where its messages go."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from toolsearch_core.messages import Message
from toolsearch_core.protocols import Clock, ModelProvider, TokenCounter, ToolExecutor, ToolIndex
from toolsearch_core.session import SessionRegistry
from toolsearch_core.tools import Catalog

Commit = Callable[[Sequence[Message]], None]
"""Appends whole messages to the conversation."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What starts a turn."""

    session_id: str
    turn: int
    """1 for the first turn of the conversation."""
    text: str
    catalog: Catalog
    history: tuple[Message, ...] = ()
    """The committed messages of the turns before."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """What a turn works with; every one of them can be exchanged."""

    index: ToolIndex
    sessions: SessionRegistry
    provider: ModelProvider
    executor: ToolExecutor
    counter: TokenCounter
    clock: Clock
