"""From bytes to text: size, byte-order mark, encoding, and what is no text at all."""

import json
from math import ceil

from toolsearch_core.catalog.limits import MAX_BYTES
from toolsearch_core.errors import CatalogError


def decoded(data: bytes | str) -> str:
    """The text of a file without its byte-order mark. UTF-8, UTF-16 and UTF-32 are told apart.

    Raises:
        CatalogError: the file is empty, too large, or not a text.
    """
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise CatalogError(
            "catalog.too_large", megabytes=ceil(size / 1e5) / 10, allowed=MAX_BYTES // 1_000_000
        )
    text = data if isinstance(data, str) else _text_of(data)
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise CatalogError("catalog.empty")
    if "\0" in text:
        raise CatalogError("catalog.binary", position=text.index("\0") + 1)
    return text


def _text_of(data: bytes) -> str:
    encoding = json.detect_encoding(data)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as problem:
        raise CatalogError(
            "catalog.wrong_encoding",
            encoding=encoding.removesuffix("-sig").upper(),
            position=problem.start + 1,
            value=f"0x{data[problem.start]:02X}",
        ) from None
