"""The names of a catalog, and the queries that are one of them."""

from collections.abc import Iterable, Mapping

from toolsearch_core.index.query import Query, name_key
from toolsearch_core.tools import Catalog

SAME_NAME = 1.0
"""Score of the tool whose name is the query, letter by letter."""
SAME_WORDS = 0.99
"""Score of a tool whose name has exactly the words of the query: `get me` for `getMe`."""


class ToolNames:
    """The names of the tools of a catalog, in catalog order."""

    def __init__(self, catalog: Catalog) -> None:
        self.wire_names = tuple(tool.wire_name for tool in catalog.tools)
        self._positions = {name: position for position, name in enumerate(self.wire_names)}
        self._by_name: dict[str, list[int]] = {}
        self._by_words: dict[str, list[int]] = {}
        for position, tool in enumerate(catalog.tools):
            for name in dict.fromkeys((tool.name, tool.wire_name)):
                self._by_name.setdefault(name, []).append(position)
                self._by_words.setdefault(name_key(name), []).append(position)

    def __len__(self) -> int:
        return len(self.wire_names)

    def positions_of(self, wire_names: Iterable[str]) -> list[int]:
        """Where these tools stand; unknown names are left out."""
        return [self._positions[name] for name in wire_names if name in self._positions]

    def asked_for(self, query: Query) -> Mapping[int, float]:
        """The tools whose name the query is: position -> score."""
        if not query.text:
            return {}
        same_words = self._by_words.get(query.name_key, []) if query.name_key else []
        return {
            **dict.fromkeys(same_words, SAME_WORDS),
            **dict.fromkeys(self._by_name.get(query.text, []), SAME_NAME),
        }
