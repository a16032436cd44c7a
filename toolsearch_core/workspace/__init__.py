"""What one browser session or one command owns: catalogs, conversations, sessions, a clock."""

from toolsearch_core.workspace.catalogs import CatalogShelf, LoadedCatalog
from toolsearch_core.workspace.clock import DemoClock
from toolsearch_core.workspace.conversation import Conversation
from toolsearch_core.workspace.workspace import Workspace

__all__ = ["CatalogShelf", "Conversation", "DemoClock", "LoadedCatalog", "Workspace"]
