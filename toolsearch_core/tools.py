"""Tools and catalogs as values: what is indexed, what is sent, and what identifies both."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from toolsearch_core.html_tables import html_table
from toolsearch_core.jsonvalues import JsonObject, compact_json, digest

WIRE_NAME_PATTERN = r"^[a-zA-Z0-9_-]{1,64}$"
"""What the Messages API accepts as a tool name."""

SEARCH_TOOL_NAME = "tool_search_tool"
"""The wire name of the search tool; no catalog may take it."""

SHOWN = 20
"""So many tools of a catalog are shown in a notebook."""


@dataclass(frozen=True, kw_only=True)
class ToolDefinition:
    """One tool, cleaned for the wire, with what its server said kept beside it."""

    name: str
    """The name the server gave; shown to people and used for the call to the server."""
    wire_name: str
    """The name sent to the model: `WIRE_NAME_PATTERN`, unique in its catalog, stable over reloads."""
    description: str = ""
    """What the tool does, in its author's words; a stranger's text, never an instruction."""
    input_schema: JsonObject = field(default_factory=lambda: {"type": "object"}, hash=False)
    """JSON Schema of the arguments as it is sent: root type object, no root combinator."""
    original_schema: JsonObject | None = field(default=None, hash=False)
    """The schema before a repair; `None` when it is sent as it came."""
    server: str = ""
    """Where the tool comes from; empty when neither the catalog nor its file name says."""
    title: str = ""
    """A display name; searchable, never sent."""
    annotations: JsonObject = field(default_factory=dict, hash=False)
    """Hints such as `readOnlyHint`; for display only, never sent."""
    pinned: bool = False
    """Always injected, never searched for, never dropped."""
    return_direct: bool = False
    """Its result is the answer of the turn; the model does not see it before the next question."""

    @cached_property
    def definition_json(self) -> str:
        """The exact text sent to the model for this tool; equal tools give equal bytes."""
        return compact_json(
            {
                "name": self.wire_name,
                "description": self.description,
                "input_schema": self.input_schema,
            }
        )

    @cached_property
    def digest(self) -> str:
        """Identity over everything searchable and everything sent (SHA-256, hexadecimal)."""
        return digest(self.definition_json, self.name, self.server, self.title)


@dataclass(frozen=True)
class Catalog:
    """An ordered, immutable set of tools with unique wire names."""

    tools: tuple[ToolDefinition, ...] = ()

    @cached_property
    def fingerprint(self) -> str:
        """Digest over everything searchable and everything sent, in order; 64 characters."""
        return digest(*(tool.digest for tool in self.tools))

    @cached_property
    def by_wire_name(self) -> Mapping[str, ToolDefinition]:
        """The tools by the name the model uses."""
        return {tool.wire_name: tool for tool in self.tools}

    @cached_property
    def servers(self) -> tuple[str, ...]:
        """The servers in the order of their first tool."""
        return tuple(dict.fromkeys(tool.server for tool in self.tools))

    def __len__(self) -> int:
        return len(self.tools)

    def __iter__(self) -> Iterator[ToolDefinition]:
        return iter(self.tools)

    def _repr_html_(self) -> str:
        rows = [(tool.wire_name, tool.server, tool.description) for tool in self.tools[:SHOWN]]
        caption = f"Catalog: {len(self.tools):,} tools, {len(self.servers)} servers"
        header = ("tool", "server", "description")
        return html_table(caption, header, rows, more=max(0, len(self.tools) - SHOWN))
