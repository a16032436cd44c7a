"""Reading a catalog file from the disk, with every way it can fail as one sentence."""

from pathlib import Path

from toolsearch_core.catalog.limits import MAX_BYTES
from toolsearch_core.errors import CatalogError


def read_catalog_file(path: str | Path) -> bytes:
    """The bytes of a file, never more than one beyond `MAX_BYTES`.

    Raises:
        CatalogError: there is no such file, it is a folder, or it may not be read.
    """
    shown = str(path)
    try:
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise CatalogError("catalog.file_missing", path=shown) from None
    except IsADirectoryError:
        raise CatalogError("catalog.file_is_folder", path=shown) from None
    except (OSError, ValueError) as problem:
        detail = problem.strerror if isinstance(problem, OSError) else None
        raise CatalogError(
            "catalog.file_unreadable", path=shown, problem=detail or str(problem)
        ) from None
