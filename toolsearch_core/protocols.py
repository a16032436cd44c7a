"""The seams: what can be exchanged for your own without touching the rest."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from toolsearch_core.events import EvictionReason
from toolsearch_core.jsonvalues import JsonObject
from toolsearch_core.messages import Message, ModelRequest, ModelResponse
from toolsearch_core.notices import Notice
from toolsearch_core.search_types import ToolSearchRequest, ToolSearchResponse
from toolsearch_core.tools import ToolDefinition

Clock = Callable[[], float]
"""Seconds; only differences mean anything. Injected, so that tests and demos can turn it."""

Vectors = NDArray[np.float32]
"""Shape (n, dim), each row of unit length."""


class ToolIndex(Protocol):
    """Finds tools. Every operation is scoped by the session id."""

    @property
    def kind(self) -> str:
        """`vector`, `keyword`, `regex`, `hybrid`, or the name of your own index."""
        ...

    def index_tool(self, session_id: str, tool: ToolDefinition) -> None:
        """Add one tool, or replace the one of the same wire name."""
        ...

    def index_tools(self, session_id: str, tools: Sequence[ToolDefinition]) -> None:
        """Make these the tools of the session, in this order; what was there before is replaced.

        Raises:
            IndexUnavailableError: the index cannot be built; what was there before stays.
        """
        ...

    def search(self, request: ToolSearchRequest) -> ToolSearchResponse:
        """Answer a search; an unknown session has no tools and finds nothing.

        Raises:
            InvalidPatternError: the query is a pattern that cannot be used.
            IndexUnavailableError: the index cannot answer now.
        """
        ...

    def clear_index(self, session_id: str) -> None:
        """Forget the session; unknown sessions are no error."""
        ...


class SessionIndexState(Protocol):
    """What a session's index is like."""

    @property
    def reused(self) -> bool:
        """Nothing had to be built: the retriever over this catalog was there already."""
        ...

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a person should know, such as a part that is not ready yet."""
        ...

    @property
    def fingerprint(self) -> str:
        """Of the tools that it is over; blank for no session."""
        ...


@runtime_checkable
class DescribedToolIndex(Protocol):
    """What a `ToolIndex` may offer besides, so that it can be told how an index came about."""

    def describe(self, session_id: str) -> SessionIndexState:
        """What the session has."""
        ...


class Encoder(Protocol):
    """Turns texts into vectors."""

    @property
    def id(self) -> str:
        """Names the model and its version; vectors of different ids are never compared."""
        ...

    @property
    def dim(self) -> int:
        """The length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dim), float32, rows of unit length; an empty list gives shape (0, dim)."""
        ...


class EvictionStrategy(Protocol):
    """Decides which session indexes to release. Lazy: asked at each access, no thread of its own.

    A session that is answered is forgotten at once, but for the accessed one: its index is built anew
    right away, so it stays known. Calls come one at a time, from under the lock of the registry.
    """

    @property
    def evicts_current(self) -> bool:
        """Whether `on_access` may name the session that is being accessed."""
        ...

    def on_access(self, session_id: str) -> tuple[str, ...]:
        """Note the access and answer the sessions to release now, each once, oldest first."""
        ...

    def expired(self) -> tuple[str, ...]:
        """The sessions whose time has run out, oldest first, without an access."""
        ...

    def on_removed(self, session_id: str) -> None:
        """Forget a session that is gone for another reason; may be called more than once."""
        ...

    def reason(self, session_id: str) -> EvictionReason:
        """Why the latest answer named this session; only asked for sessions that it named."""
        ...


class ModelProvider(Protocol):
    """The language model."""

    @property
    def model(self) -> str:
        """The model's name, as sent."""
        ...

    @property
    def simulated(self) -> bool:
        """True for the rehearsal model and for scripts; shown wherever its words are shown."""
        ...

    def stream(self, request: ModelRequest) -> Generator[str, None, ModelResponse]:
        """Yield the text as it comes, then return the whole response.

        Closing the generator ends the call to the model.

        Raises:
            ProviderError: one of its kinds; nothing of the library of the provider leaks out.
        """
        ...

    def count_tokens(self, request: ModelRequest) -> int:
        """Prompt tokens of the request by the provider's own count.

        Raises:
            ProviderError: the provider cannot count.
        """
        ...


class TokenCounter(Protocol):
    """Estimates tokens without a network."""

    @property
    def tool_prompt(self) -> int:
        """Tokens that the service adds once to a request with tools; part of no count below."""
        ...

    def count_text(self, text: str) -> int:
        """Tokens of a text; 0 for an empty one."""
        ...

    def count_tool(self, tool: ToolDefinition) -> int:
        """Tokens of one tool definition in a request."""
        ...

    def count_messages(self, messages: Sequence[Message]) -> int:
        """Tokens of a conversation in a request."""
        ...


ExecutionOutcome = Literal["executed", "invalid_arguments", "failed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ExecutionResult:
    """What a tool answered."""

    content: str
    """The text that goes back to the model; never empty."""
    outcome: ExecutionOutcome
    simulated: bool = True
    """Made up here, not by a real server."""
    problems: tuple[Notice, ...] = ()
    """Why the arguments were refused; empty unless `outcome` is `invalid_arguments`."""


class ToolExecutor(Protocol):
    """Runs a tool."""

    def execute(self, tool: ToolDefinition, arguments: JsonObject) -> ExecutionResult:
        """Check the arguments by the schema, then run. Never raises for what a tool does wrong."""
        ...
