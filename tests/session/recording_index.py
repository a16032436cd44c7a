"""A tool index that keeps the tools of each session and writes down what it is asked to do."""

from collections.abc import Callable, Sequence

from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.search_types import (
    SearchMetadata,
    ToolReference,
    ToolSearchRequest,
    ToolSearchResponse,
)
from toolsearch_core.tools import Catalog, ToolDefinition


class RecordingIndex:
    """Finds the tools whose wire name holds the query."""

    kind = "recording"

    def __init__(self) -> None:
        self.tools: dict[str, tuple[ToolDefinition, ...]] = {}
        self.log: list[tuple[str, str]] = []
        self.broken = False
        self.while_building: Callable[[str], None] = lambda session_id: None

    def index_tool(self, session_id: str, tool: ToolDefinition) -> None:
        kept = [
            known for known in self.tools.get(session_id, ()) if known.wire_name != tool.wire_name
        ]
        self.tools[session_id] = (*kept, tool)

    def index_tools(self, session_id: str, tools: Sequence[ToolDefinition]) -> None:
        self.log.append(("index", session_id))
        self.while_building(session_id)
        if self.broken:
            raise IndexUnavailableError("session.no_tools")
        self.tools[session_id] = tuple(tools)

    def search(self, request: ToolSearchRequest) -> ToolSearchResponse:
        hits = tuple(
            ToolReference(tool_name=tool.wire_name, score=1.0, raw_score=1.0)
            for tool in self.tools.get(request.session_id, ())
            if request.query in tool.wire_name
        )
        return ToolSearchResponse(
            references=hits[: request.max_results],
            total_matches=len(hits),
            metadata=SearchMetadata(index_kind=self.kind, query=request.query),
        )

    def clear_index(self, session_id: str) -> None:
        self.log.append(("clear", session_id))
        self.tools.pop(session_id, None)


def catalog_of(*names: str, description: str = "") -> Catalog:
    return Catalog(
        tuple(ToolDefinition(name=name, wire_name=name, description=description) for name in names)
    )
