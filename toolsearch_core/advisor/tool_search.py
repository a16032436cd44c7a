"""The tool-search advisor: the tool loop that sends a search tool and injects what it finds."""

import time
from collections.abc import Generator, Mapping
from uuid import UUID

from toolsearch_core.advisor.tool_calling import ToolCallingAdvisor, require_question
from toolsearch_core.advisor.turn import Searching, Turn
from toolsearch_core.chat_types import (
    CONVERSATION_ID,
    TOOL_ADVISOR_ORDER,
    AdvisorChain,
    ChatRequest,
    ChatResponse,
)
from toolsearch_core.errors import SessionError
from toolsearch_core.events import Event
from toolsearch_core.eviction import Lru
from toolsearch_core.options import require
from toolsearch_core.protocols import Clock, ToolIndex
from toolsearch_core.session import EvictedIndex, SessionRegistry

DEFAULT_MAX_SESSIONS = 1000
SEAM = ("kind", "index_tool", "index_tools", "search", "clear_index")
"""What makes a tool index."""


class ToolSearchAdvisor(ToolCallingAdvisor):
    """Progressive disclosure; it takes the place of the plain advisor without a change around it.

    Its index and its sessions may be shared with other advisors. Where the options of a request say
    `all_up_front`, or the catalog is smaller than `search_from_tools`, it does what the plain one does,
    and needs no session.
    """

    def __init__(
        self,
        index: ToolIndex,
        *,
        sessions: SessionRegistry | None = None,
        session_id_key: str = CONVERSATION_ID,
        order: int = TOOL_ADVISOR_ORDER,
        clock: Clock = time.monotonic,
    ) -> None:
        """Set up.

        Args:
            index: what searches.
            sessions: which tools a session has discovered, and when its index is evicted; by default
                the least recently used beyond 1,000 sessions.
            session_id_key: where the context of a request has the session id; by default the
                conversation id, so that who uses memory has it already.
            order: the place in the chain.
            clock: seconds, for durations.

        Raises:
            SettingsError: there is no index, or the key or the order cannot be used.
        """
        super().__init__(order=order, clock=clock)
        missing = [name for name in SEAM if not hasattr(index, name)]
        without = f"{type(index).__name__} without {', '.join(missing)}"
        require(not missing, "index", without, "a ToolIndex, such as tool_index('hybrid')")
        key = isinstance(session_id_key, str) and bool(session_id_key.strip())
        require(key, "session_id_key", session_id_key, "a text that is not blank")
        self._index = index
        registry = sessions is None or isinstance(sessions, SessionRegistry)
        require(
            registry, "sessions", sessions, "a SessionRegistry, such as SessionRegistry(Lru(1000))"
        )
        self._session_id_key = session_id_key
        self.sessions = sessions or SessionRegistry(Lru(DEFAULT_MAX_SESSIONS), clock)

    def advise(
        self, request: ChatRequest, chain: AdvisorChain
    ) -> Generator[Event, None, ChatResponse]:
        """One turn.

        Raises:
            SessionError: the context has no session id; nothing has happened then.
        """
        few = len(request.catalog) < request.options.search_from_tools
        if few or request.options.disclosure == "all_up_front":
            return super().advise(request, chain)
        require_question(request.messages)
        session_id = session_id_of(request.context, self._session_id_key)
        searching = Searching(index=self._index, sessions=self.sessions, session_id=session_id)
        return Turn(request, chain, self._clock, searching).events()

    def evict_session(self, session_id: str | int | UUID) -> EvictedIndex | None:
        """Release the index of a session now; `None` when it has none, or a turn is still running.

        Raises:
            SessionError: that is none that a context may hold.
        """
        key = self._session_id_key
        return self.sessions.evict(session_id_of({key: session_id}, key))


def session_id_of(context: Mapping[str, object], key: str) -> str:
    """The session id that a context holds; a whole number or a UUID is taken as its text.

    Raises:
        SessionError: there is none, it is blank, or it is something else.
    """
    value = context.get(key)
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int | UUID) and not isinstance(value, bool):
        return str(value)
    shown = "nothing" if value is None else repr(value)
    raise SessionError("session.key_missing", key=key, value=shown)
