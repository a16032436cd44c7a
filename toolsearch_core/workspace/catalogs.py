"""The shelf: catalog files that are loaded at the same time, and the one catalog they make."""

import threading
from dataclasses import dataclass

from toolsearch_core.catalog import LoadReport, load_catalog, merge
from toolsearch_core.errors import CatalogError
from toolsearch_core.jsonvalues import digest
from toolsearch_core.tools import Catalog


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadedCatalog:
    """One file on the shelf."""

    key: str
    """Digest of the bytes; the same file is never on the shelf twice."""
    source: str
    """The file's name, or what the person called the text."""
    report: LoadReport


class CatalogShelf:
    """Files in the order they were added. A file that cannot be used changes nothing."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: tuple[LoadedCatalog, ...] = ()
        self._catalog = Catalog()

    @property
    def loaded(self) -> tuple[LoadedCatalog, ...]:
        """What is on the shelf, oldest first."""
        return self._loaded

    @property
    def catalog(self) -> Catalog:
        """All tools of the shelf, with unique wire names."""
        return self._catalog

    def add(self, data: bytes, source: str) -> LoadedCatalog:
        """Load a file beside what is there; the same bytes again change nothing.

        Raises:
            CatalogError: the file cannot be read, or none of its entries is a usable tool.
        """
        key = digest(data.decode("utf-8", "surrogateescape"))
        for known in self._loaded:
            if known.key == key:
                return known
        report = load_catalog(data, source=source)
        if not report.tools:
            raise CatalogError("catalog.no_tools", source=source, rejected=report.rejected)
        loaded = LoadedCatalog(key=key, source=source, report=report)
        with self._lock:
            self._put((*self._loaded, loaded))
        return loaded

    def remove(self, key: str) -> None:
        """Take a file off the shelf; an unknown key changes nothing."""
        with self._lock:
            self._put(tuple(item for item in self._loaded if item.key != key))

    def _put(self, loaded: tuple[LoadedCatalog, ...]) -> None:
        self._catalog = merge([item.report for item in loaded])
        self._loaded = loaded
