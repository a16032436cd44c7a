"""A short account of what a tool answered, in facts out of the answer."""

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from toolsearch_core.jsonvalues import JsonValue
from toolsearch_core.providers.rehearsal.lexicon import Language, phrase
from toolsearch_core.providers.rehearsal.results import MAX_PAIRS, pairs, parsed
from toolsearch_core.text.tokens import name_words

MAX_FACTS = 4
MAX_ITEMS = 3
MAX_NAME_CHARS = 40
MAX_VALUE_CHARS = 80
MAX_TEXT_CHARS = 200

_TELLING = (
    "title name subject summary headline number key id state status result answer message text content body "
    "temperature condition weather time date start end amount total balance price currency email user author "
    "assignee owner url link count value description"
).split()
"""Names of fields that say most, the most telling first."""
_SILENT = frozenset(
    "simulated meta etag cursor page size type kind object node self links ok note".split()
)


def facts(result: str, language: Language) -> str:
    """One line about a result: how many there are, and the most telling fields of the first ones."""
    return account(parsed(result), language)


def account(value: JsonValue, language: Language) -> str:
    """The same for a result that is read already."""
    if isinstance(value, str):
        return _clipped(value, MAX_TEXT_CHARS) or phrase(language, "nothing")
    items = _items(value)
    if items is None:
        return _fields(value) or phrase(language, "done")
    if not items:
        return phrase(language, "nothing")
    shown = [_fields(item, 2) for item in items[:MAX_ITEMS]]
    line = f"{phrase(language, 'count').format(count=len(items))} – " + "; ".join(
        filter(None, shown)
    )
    if len(items) > MAX_ITEMS:
        line += f" ({phrase(language, 'more').format(count=len(items) - MAX_ITEMS)})"
    return line


def _items(value: JsonValue) -> Sequence[JsonValue] | None:
    """The list that a result is about: itself, or its longest list of objects; `None` for a single thing."""
    if isinstance(value, list | tuple):
        return value
    lists: list[Sequence[JsonValue]] = []
    if isinstance(value, Mapping):
        for item in value.values():
            if isinstance(item, list | tuple):
                lists.append(item)
            elif isinstance(item, Mapping):
                lists.extend(inner for inner in item.values() if isinstance(inner, list | tuple))
    objects = [items for items in lists if all(isinstance(item, Mapping) for item in items)]
    own = value if isinstance(value, Mapping) else {}
    # A title of its own says that the thing is one, and its lists are parts of it.
    if objects and not any(name_words(name)[-1:] == ["title"] for name in own):
        return max(objects, key=len)
    return None


def _fields(value: JsonValue, most: int = MAX_FACTS) -> str:
    if not isinstance(value, Mapping | list | tuple):
        return _clipped(str(value), MAX_VALUE_CHARS)
    found = _plain_fields(value)
    found.sort(key=lambda pair: _weight(pair[0]))
    return ", ".join(
        f"{_clipped(name, MAX_NAME_CHARS)}: {_clipped(str(item), MAX_VALUE_CHARS)}"
        for name, item in found[:most]
    )


def _plain_fields(value: JsonValue) -> list[tuple[str, JsonValue]]:
    kept: dict[str, JsonValue] = {}
    for name, item in islice(pairs(value), MAX_PAIRS):
        silent = item is None or item == "" or _SILENT & set(name_words(name)[-1:])
        if not silent and name not in kept:
            kept[name] = item
    return list(kept.items())


def _weight(name: str) -> int:
    parts = name_words(name)
    return min((_TELLING.index(part) for part in parts if part in _TELLING), default=len(_TELLING))


def _clipped(text: str, limit: int) -> str:
    text = re.sub(r"\s+", " ", text).strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
