"""Addresses of services."""

from urllib.parse import urlsplit

MAX_CHARS = 2_000


def is_web_address(url: str) -> bool:
    """Whether a text is `http://host…` or `https://host…`, with nothing in it that a request cannot carry.

    The names of hosts are ASCII here: the library of the service refuses some others, and a direction
    mark in a name would show another host than the one that is asked.
    """
    if len(url) > MAX_CHARS or not url.isascii() or not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    host = parts.hostname or ""
    labels = all(0 < len(label) <= 63 for label in host.rstrip(".").split("."))
    return parts.scheme in ("http", "https") and labels and port != 0
