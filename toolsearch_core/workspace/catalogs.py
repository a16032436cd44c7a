"""The shelf: catalog files that are loaded at the same time, and the one catalog they make."""

import hashlib
import threading
from dataclasses import dataclass, replace

from toolsearch_core.catalog import LoadReport, load_catalog, merge, settle
from toolsearch_core.tools import Catalog


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadedCatalog:
    """One file on the shelf."""

    key: str
    """Digest of the bytes; the same file is never on the shelf twice."""
    source: str
    """The file's name, or what the person called the text; no two on the shelf have the same."""
    report: LoadReport
    replaced: bool = False
    """It took the place of other content of the same name: a new version of the file."""


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

        A file of which nothing could be loaded is answered with its report and not put on the shelf.
        Other content under a name that is on the shelf is a new version and takes its place.

        Raises:
            CatalogError: the file as a whole cannot be read, or there would be too many tools.
        """
        key = hashlib.sha256(data).hexdigest()
        with self._lock:
            for known in self._loaded:
                if known.key == key:
                    return known
            sources = [known.source for known in self._loaded]
            loaded = LoadedCatalog(
                key=key,
                source=source,
                report=load_catalog(data, source=source),
                replaced=source in sources,
            )
            if loaded.report.failed:
                return loaded
            place = sources.index(source) if loaded.replaced else len(sources)
            self._put((*self._loaded[:place], loaded, *self._loaded[place + 1 :]))
            return self._loaded[place]

    def remove(self, key: str) -> None:
        """Take a file off the shelf; an unknown key changes nothing."""
        with self._lock:
            self._put(tuple(item for item in self._loaded if item.key != key))

    def _put(self, loaded: tuple[LoadedCatalog, ...]) -> None:
        """Swap at once, so that a reader sees the shelf before or after, never between."""
        reports = settle([item.report for item in loaded])
        catalog = merge(reports)
        self._loaded = tuple(
            replace(item, report=report) for item, report in zip(loaded, reports, strict=True)
        )
        self._catalog = catalog
