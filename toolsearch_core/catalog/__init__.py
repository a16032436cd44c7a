"""Loading catalogs: `load_catalog` reads one file, `merge` makes one catalog of several.

    report = load_catalog(Path("github.json").read_bytes(), source="github.json")
    catalog = merge([report])

Read in this order: `load`, `formats`, `entries`, `schemas`, `wire_names`.
"""

from toolsearch_core.catalog.files import read_catalog_file
from toolsearch_core.catalog.limits import MAX_BYTES, MAX_DEPTH, MAX_TOOLS
from toolsearch_core.catalog.load import load_catalog, merge, settle
from toolsearch_core.catalog.report import EntryReport, EntryStatus, LoadReport

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_TOOLS",
    "EntryReport",
    "EntryStatus",
    "LoadReport",
    "load_catalog",
    "merge",
    "read_catalog_file",
    "settle",
]
