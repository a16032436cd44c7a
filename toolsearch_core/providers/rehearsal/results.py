"""What a tool answered, read as JSON where it is JSON."""

import json
from collections.abc import Iterator, Mapping
from typing import NoReturn

from toolsearch_core.jsonvalues import JsonValue
from toolsearch_core.text.tokens import name_words

MAX_RESULT_CHARS = 50_000
MAX_PAIRS = 400
MAX_DEPTH = 6


def parsed(text: str) -> JsonValue:
    """The JSON value that a result holds; the text itself when it holds none.

    A line of words before the JSON, as some servers send, is passed over.
    """
    text = text[:MAX_RESULT_CHARS].strip()
    for start in (0, *(place for place in (text.find("{"), text.find("[")) if place > 0)):
        try:
            value: JsonValue = json.JSONDecoder(parse_constant=_refused).raw_decode(text, start)[0]
        except (ValueError, RecursionError):
            continue
        if isinstance(value, Mapping | list):
            return value
    return text


def pairs(value: JsonValue, depth: int = 0) -> Iterator[tuple[str, JsonValue]]:
    """Names with their plain values, the outer ones first; of a list the items in order."""
    if depth > MAX_DEPTH:
        return
    inner: list[JsonValue] = []
    if isinstance(value, Mapping):
        for key, item in value.items():
            if isinstance(item, Mapping | list | tuple):
                inner.append(item)
            else:
                yield str(key), item
    elif isinstance(value, list | tuple):
        inner.extend(value)
    for item in inner:
        yield from pairs(item, depth + 1)


def same_name(first: str, second: str) -> bool:
    """Whether two names are one but for their spelling: `fileId`, `file_id`."""
    return name_words(first) == name_words(second)


def _refused(word: str) -> NoReturn:
    raise ValueError(word)
