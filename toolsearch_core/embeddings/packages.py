"""What is installed, and the error for what is not."""

from functools import cache
from importlib import metadata

from toolsearch_core.errors import IndexUnavailableError


@cache
def installed_version(package: str) -> str:
    """The version of a package; `missing` when it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "missing"


def missing(encoder: str, package: str) -> IndexUnavailableError:
    """The error for an encoder whose package is not installed; it names what to install."""
    return IndexUnavailableError("search.encoder_missing", encoder=encoder, package=package)
