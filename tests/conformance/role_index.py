"""A tool index of one's own; the README shows this file."""

import threading
from collections.abc import Callable, Collection, Mapping, Sequence

from toolsearch_core.protocols import ToolIndex
from toolsearch_core.search_types import ToolSearchRequest, ToolSearchResponse
from toolsearch_core.tools import ToolDefinition


class RoleIndex:
    """Any tool index, in which a session finds only what the roles of its user allow."""

    def __init__(
        self,
        inner: ToolIndex,
        roles_of: Callable[[str], Collection[str]],
        needed: Mapping[str, str],
    ) -> None:
        self._inner = inner
        self._roles_of = roles_of  # session id -> the roles its user has now
        self._needed = needed  # wire name -> the role it takes; other tools are for everybody
        self._sessions: dict[str, tuple[tuple[ToolDefinition, ...], frozenset[str]]] = {}
        self._lock = threading.Lock()

    @property
    def kind(self) -> str:
        return self._inner.kind

    def index_tool(self, session_id: str, tool: ToolDefinition) -> None:
        with self._lock:
            tools, _ = self._sessions.get(session_id, ((), frozenset()))
            known = {each.wire_name: each for each in tools}
            self._index(session_id, tuple({**known, tool.wire_name: tool}.values()))

    def index_tools(self, session_id: str, tools: Sequence[ToolDefinition]) -> None:
        with self._lock:
            self._index(session_id, tuple(tools))

    def search(self, request: ToolSearchRequest) -> ToolSearchResponse:
        with self._lock:  # a role that was given or taken away counts from the next search on
            if request.session_id in self._sessions:
                tools, roles = self._sessions[request.session_id]
                if roles != frozenset(self._roles_of(request.session_id)):
                    self._index(request.session_id, tools)
        return self._inner.search(request)

    def clear_index(self, session_id: str) -> None:
        with self._lock:
            self._sessions.pop(session_id, None)
            self._inner.clear_index(session_id)

    def _index(self, session_id: str, tools: tuple[ToolDefinition, ...]) -> None:
        roles = frozenset(self._roles_of(session_id))
        allowed = [tool for tool in tools if self._needed.get(tool.wire_name) in (None, *roles)]
        self._inner.index_tools(session_id, allowed)
        self._sessions[session_id] = (tools, roles)
