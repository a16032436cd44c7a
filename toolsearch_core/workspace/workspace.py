"""The workspace: everything of one browser session, and of nobody else.

Retrievers are shared by all workspaces of a process; catalogs, conversations, discovered tools,
settings, eviction and the clock are private to one.
"""

import secrets
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing

from toolsearch_core.advisor import ToolSearchAdvisor
from toolsearch_core.chat import CONVERSATION_ID, ChatClient, MessageMemoryAdvisor
from toolsearch_core.errors import SessionError
from toolsearch_core.events import IndexEvicted, TraceEntry
from toolsearch_core.eviction import make_strategy
from toolsearch_core.execution import SimulatedExecutor
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.messages import Message
from toolsearch_core.protocols import Clock, ModelProvider, ToolExecutor
from toolsearch_core.search_types import IndexKind
from toolsearch_core.session import EvictedIndex, SessionRegistry
from toolsearch_core.settings import Settings
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.tools import Catalog
from toolsearch_core.trace.ledger import ledger
from toolsearch_core.workspace.catalogs import CatalogShelf
from toolsearch_core.workspace.clock import DemoClock
from toolsearch_core.workspace.conversation import Conversation, NewId


class _Conversations:
    """Chat memory over the conversations of a workspace, which hold their messages themselves."""

    def __init__(self, conversations: Mapping[str, Conversation]) -> None:
        self._conversations = conversations

    def get(self, conversation_id: str) -> Sequence[Message]:
        return self._conversations[conversation_id].messages

    def add(self, conversation_id: str, messages: Sequence[Message]) -> None:
        self._conversations[conversation_id].commit(messages)


class Workspace:
    """Catalogs, conversations and sessions under one roof. Safe to use from several threads."""

    def __init__(
        self,
        store: RetrieverStore,
        *,
        settings: Settings | None = None,
        wall_clock: Clock = time.time,
        elapsed: Clock = time.monotonic,
        new_id: NewId = lambda: secrets.token_urlsafe(12),
        executor: ToolExecutor | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.shelf = CatalogShelf()
        self.clock = DemoClock(wall_clock)
        self._store = store
        self._elapsed = elapsed
        self._new_id = new_id
        self._executor = executor or SimulatedExecutor()
        self._sessions = SessionRegistry(
            make_strategy(self.settings.eviction, self.clock), self.clock
        )
        self._indexes: dict[tuple[IndexKind, str, float | None], CatalogToolIndex] = {}
        self._conversations: dict[str, Conversation] = {}
        self._counters: dict[str, TokenEstimator] = {}
        self._lock = threading.RLock()

    @property
    def catalog(self) -> Catalog:
        """All tools that are loaded."""
        return self.shelf.catalog

    @property
    def conversations(self) -> tuple[Conversation, ...]:
        """Newest first."""
        return tuple(reversed(self._conversations.values()))

    def conversation(self, conversation_id: str) -> Conversation:
        """One of mine.

        Raises:
            SessionError: there is no such conversation here.
        """
        try:
            return self._conversations[conversation_id]
        except KeyError:
            raise SessionError(
                "session.unknown_conversation", conversation_id=conversation_id
            ) from None

    def new_conversation(self) -> Conversation:
        """An empty one, with a session of its own."""
        with self._lock:
            conversation = Conversation(self._new_id(), self.clock)
            self._conversations[conversation.id] = conversation
        return conversation

    def use(self, settings: Settings) -> None:
        """Take over new settings; they hold from the next turn on. Eviction keeps its memory."""
        with self._lock:
            if settings.eviction != self.settings.eviction:
                self._sessions.use_strategy(
                    lambda accessed: make_strategy(settings.eviction, self.clock, accessed)
                )
            self.settings = settings

    def index(self) -> CatalogToolIndex:
        """The index of the current settings."""
        settings = self.settings
        min_score = settings.keyword_min_score if settings.index_kind == "keyword" else None
        key = (settings.index_kind, settings.encoder, min_score)
        with self._lock:
            if key not in self._indexes:
                self._indexes[key] = CatalogToolIndex(
                    self._store,
                    settings.index_kind,
                    settings.encoder,
                    keyword_min_score=min_score,
                )
            return self._indexes[key]

    def evict(self, conversation_id: str) -> bool:
        """Release the session index of a conversation now; false when it has none."""
        evicted = self._sessions.evict(self.conversation(conversation_id).id)
        if evicted is not None:
            self._record(evicted)
        return evicted is not None

    def sweep(self) -> tuple[EvictedIndex, ...]:
        """Release what has been idle for too long, as seen by the clock now."""
        swept = self._sessions.sweep()
        for evicted in swept:
            self._record(evicted)
        return swept

    def idle_s(self, conversation_id: str) -> float | None:
        """Seconds since its session was used; `None` when it has no index."""
        return self._sessions.idle_s(conversation_id)

    def ask(
        self,
        conversation_id: str,
        text: str,
        provider: ModelProvider,
        *,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Generator[TraceEntry, None, None]:
        """One turn with the current settings; every entry is on the record before it is yielded.

        Raises:
            SessionError: there is no such conversation, or the message is blank.
        """
        conversation = self.conversation(conversation_id)
        settings = self.settings
        client = ChatClient(
            provider,
            tools=self.catalog,
            advisors=[
                MessageMemoryAdvisor(_Conversations(self._conversations)),
                ToolSearchAdvisor(self.index(), sessions=self._sessions, clock=self._elapsed),
            ],
            options=settings.options,
            context={CONVERSATION_ID: conversation.id},
            executor=self._executor,
            counter=self._counter(provider.model),
            clock=self._elapsed,
        )
        with closing(client.prompt(text).stream(stopped=stopped)) as events:
            for event in events:
                yield self._owner(event, conversation).record(event)
        self._learn(provider.model, conversation)

    def _counter(self, model: str) -> TokenEstimator:
        with self._lock:
            return self._counters.setdefault(model, TokenEstimator(model))

    def _learn(self, model: str, conversation: Conversation) -> None:
        """Correct the estimate by what the provider reported in the latest turn."""
        for call in ledger(conversation.entries).calls:
            if call.turn == conversation.turn and call.usage and call.usage.source == "reported":
                with self._lock:
                    self._counters[model] = self._counters[model].calibrated_by(
                        reported=call.usage.input_tokens, estimated=call.tokens.total
                    )
                return

    def _owner(self, event: object, asking: Conversation) -> Conversation:
        """An access of one session can evict another's index; that belongs to the other's trace."""
        if isinstance(event, IndexEvicted):
            return self._conversations.get(event.session_id, asking)
        return asking

    def _record(self, evicted: EvictedIndex) -> None:
        conversation = self._conversations.get(evicted.session_id)
        if conversation is not None:
            conversation.record(
                IndexEvicted(
                    session_id=evicted.session_id,
                    reason=evicted.reason,
                    idle_s=evicted.idle_s,
                    released=evicted.released,
                )
            )

    def close(self) -> None:
        """Give back everything that is shared: the retrievers nobody else uses are released."""
        self._sessions.close()
