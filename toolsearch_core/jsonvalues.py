"""JSON values as types, and the two text forms of them that the library relies on."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

JsonValue: TypeAlias = (
    "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
)
JsonObject: TypeAlias = Mapping[str, JsonValue]


def compact_json(value: JsonValue) -> str:
    """One line of JSON in the order of the keys as they stand.

    Equal input gives equal bytes, which a provider's prompt cache depends on.

    Raises:
        ValueError: the value holds NaN or infinity, which JSON has no word for.
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def whole_characters(text: str) -> str:
    """The text with a replacement character for each half of a character pair that stands alone.

    A half (a lone surrogate) cannot be written as UTF-8, so it can be neither stored nor sent. Two
    halves that belong together are one character, however they were written.
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def digest(*parts: str) -> str:
    """SHA-256 over the parts, hexadecimal, 64 characters.

    Each part is preceded by its length, so that no two lists of parts collide by joining.
    """
    hasher = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        hasher.update(f"{len(data)}:".encode())
        hasher.update(data)
    return hasher.hexdigest()
