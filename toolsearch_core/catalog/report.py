"""The load report: what happened to each entry of a catalog file."""

from dataclasses import dataclass, field
from typing import Literal

from toolsearch_core.notices import Notice
from toolsearch_core.tools import ToolDefinition

EntryStatus = Literal["loaded", "repaired", "rejected"]


@dataclass(frozen=True, kw_only=True, slots=True)
class EntryReport:
    """What happened to one entry."""

    position: int
    """1 for the first entry of the file, counted over all its servers."""
    server: str
    name: str
    """The name the server gave; empty when it gave none that can be used."""
    status: EntryStatus
    """`repaired` is loaded after a change that one of the reasons names."""
    reasons: tuple[Notice, ...] = ()
    """Why it was rejected, what was changed, and what a person should know of a loaded one."""
    tool: ToolDefinition | None = None
    """`None` when it was rejected."""
    alone: "EntryReport | None" = field(default=None, repr=False, compare=False)
    """The entry as it was read, before `settle` looked at what else is loaded."""

    @property
    def wire_name(self) -> str:
        """The name the model sees; empty when it was rejected."""
        return self.tool.wire_name if self.tool else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadReport:
    """What happened to one catalog file. `read` = `loaded` + `rejected`."""

    source: str
    """The file's name, or what its text is called."""
    entries: tuple[EntryReport, ...]
    """In the order of the file."""
    notices: tuple[Notice, ...] = ()
    """What concerns the file as a whole; says so when nothing could be loaded."""

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """What was loaded, in the order of the file."""
        return tuple(entry.tool for entry in self.entries if entry.tool)

    @property
    def read(self) -> int:
        """How many entries the file has."""
        return len(self.entries)

    @property
    def loaded(self) -> int:
        """How many became a tool, the repaired ones included."""
        return self.read - self.rejected

    @property
    def repaired(self) -> int:
        """How many of the loaded ones were changed to be accepted."""
        return self._count("repaired")

    @property
    def rejected(self) -> int:
        """How many did not become a tool."""
        return self._count("rejected")

    @property
    def failed(self) -> bool:
        """Nothing was loaded: an error to show, not an empty table."""
        return self.loaded == 0

    def _count(self, status: EntryStatus) -> int:
        return sum(entry.status == status for entry in self.entries)
