"""Discovery as explicit state: which tools a session has found, how, and in which order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from toolsearch_core.events import InjectedTool
from toolsearch_core.html_tables import html_table
from toolsearch_core.tools import Catalog


@dataclass(frozen=True, kw_only=True, slots=True)
class Discovery:
    """How a tool was found."""

    name: str
    """The wire name."""
    query: str
    """The words of the search; empty when the model called the tool without a search."""
    score: float
    """0..1, as in the search result; 0 without a search."""
    turn: int
    """The turn of the search."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """What a search changed. All are wire names."""

    discovered: tuple[str, ...]
    """Not known before, in the order of the result."""
    dropped: tuple[str, ...]
    """Left behind because accumulation is off, in first-discovery order."""


class Session:
    """One conversation's state. One turn writes; others may read at any time, from any thread.

    Every property is a value that stays as it is; a change puts a new one in its place.
    """

    def __init__(self, session_id: str, catalog: Catalog | None = None) -> None:
        self.id = session_id
        self.sent: Mapping[str, InjectedTool] = {}
        """Wire name -> the definition as the latest request carried it; kept by the advisor."""
        self.turn = 0
        """The latest turn; kept by the advisor."""
        self._catalog = catalog or Catalog()
        self._discovered: Mapping[str, Discovery] = {}
        self._batch: str | None = None
        self._latest: tuple[str, ...] = ()

    @property
    def catalog(self) -> Catalog:
        """The catalog that the index of this session is over."""
        return self._catalog

    @property
    def discovered(self) -> Mapping[str, Discovery]:
        """Wire name -> its latest discovery, in first-discovery order; all are in the catalog."""
        return MappingProxyType(self._discovered)

    @property
    def latest(self) -> tuple[str, ...]:
        """What the latest search turn found, all its parallel searches together."""
        return self._latest

    def record(self, batch: str, finds: Sequence[Discovery], *, accumulate: bool) -> Recorded:
        """Take in the result of one search, also an empty one.

        A tool that is found again keeps its place. Without accumulation only the latest search turn
        counts, so the first search of a new batch drops what it does not name.

        Args:
            batch: names the assistant message; its parallel searches are one search turn.
            finds: best first; names that the catalog does not have are passed over.
            accumulate: whether earlier finds stay.
        """
        known = self._discovered
        found = {find.name: find for find in finds if find.name in self._catalog.by_wire_name}
        before = self._latest if batch == self._batch else ()
        self._batch = batch
        self._latest = tuple(dict.fromkeys((*before, *found)))
        self._discovered = {**known, **found}
        return Recorded(
            discovered=tuple(name for name in found if name not in known),
            dropped=self.keep_accumulation(accumulate),
        )

    def admit(self, find: Discovery) -> None:
        """Take in a tool that was called without a search: it stays as long as the latest finds do."""
        if find.name in self._catalog.by_wire_name:
            self._latest = tuple(dict.fromkeys((*self._latest, find.name)))
            self._discovered = {**self._discovered, find.name: find}

    def keep_accumulation(self, accumulate: bool) -> tuple[str, ...]:
        """Apply the setting; off drops all but the latest search turn. Answers what was dropped."""
        if accumulate:
            return ()
        known, latest = self._discovered, self._latest
        self._discovered = {name: find for name, find in known.items() if name in latest}
        return tuple(name for name in known if name not in latest)

    def change_catalog(self, catalog: Catalog) -> tuple[str, ...]:
        """Go on with another catalog; discovered tools of the same wire name stay, as they are there.

        Returns:
            The discovered tools that the new catalog does not have.
        """
        known = catalog.by_wire_name
        pruned = tuple(name for name in self._discovered if name not in known)
        self._discovered = {name: find for name, find in self._discovered.items() if name in known}
        self._latest = tuple(name for name in self._latest if name in known)
        self._catalog = catalog
        return pruned

    def forget(self) -> tuple[str, ...]:
        """Everything goes back to deferred, as when the index is evicted. Answers what was discovered."""
        released = tuple(self._discovered)
        self._discovered, self._batch, self._latest = {}, None, ()
        self.sent = {name: tool for name, tool in self.sent.items() if name not in released}
        return released

    def _repr_html_(self) -> str:
        rows = [
            (find.name, find.query, find.score, find.turn) for find in self._discovered.values()
        ]
        caption = f"Session {self.id}: {len(rows)} of {len(self._catalog):,} tools discovered"
        return html_table(caption, ("tool", "query", "score", "turn"), rows)
