"""A short account of what a tool answered: its most telling fields, as parts of a plain sentence."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from toolsearch_core.jsonvalues import JsonObject, JsonValue
from toolsearch_core.providers.rehearsal.lexicon import Language, phrase, table
from toolsearch_core.providers.rehearsal.results import MAX_PAIRS, pairs, parsed
from toolsearch_core.text.tokens import name_words

MAX_FACTS = 3
MAX_ITEMS = 3
MAX_NAME_CHARS = 40
MAX_VALUE_CHARS = 80
MAX_TEXT_CHARS = 200

AccountKind = Literal["one", "many", "done", "text", "nothing"]

_TELLING = (
    "title name subject summary headline person dish film song line result answer condition weather"
    " temperature grade shipment status state remaining price amount total balance time date start departure"
    " location message text content body number key id end user author assignee owner duration minutes"
    " currency email url link count value description address"
).split()
"""Names of fields that say most, the most telling first."""
_SILENT = frozenset(
    "simulated meta etag cursor page size type kind object node self links ok note".split()
)
_NAMING = 10
"""So many of the telling names are what a thing is called by."""
_LONG_TEXTS = frozenset("text body content message description".split())
_MOMENT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
)
_MONTHS = (
    "January February March April May June July August September October November December".split()
)


@dataclass(frozen=True, slots=True)
class Account:
    """What a result says."""

    kind: AccountKind
    text: str
    """Without a full stop at its end."""


def facts(
    result: str, language: Language, asked: JsonObject | None = None, *, changes: bool = False
) -> Account:
    """An account of a result.

    Args:
        result: what the tool answered.
        language: of the account.
        asked: the arguments of the call, which are told again only for want of anything else.
        changes: the call was to change something, so its arguments are what was done.
    """
    return account(parsed(result), language, asked, changes=changes)


def account(
    value: JsonValue, language: Language, asked: JsonObject | None = None, *, changes: bool = False
) -> Account:
    """The same for a result that is read already."""
    if isinstance(value, str):
        text = _clipped(value, MAX_TEXT_CHARS)
        return Account("text", text) if text else Account("nothing", phrase(language, "nothing"))
    items = _items(value)
    if items is None:
        return _single(value, language, asked or {}, changes)
    if not items:
        return Account("nothing", phrase(language, "nothing"))
    shown = [told for item in items[:MAX_ITEMS] if (told := _item(item, language))]
    if len(items) > MAX_ITEMS:
        shown.append(phrase(language, "more").format(count=len(items) - MAX_ITEMS))
    count = phrase(language, "count" if len(items) > 1 else "count_one").format(count=len(items))
    return Account("many", f"{count}: {_joined(shown, language)}" if shown else count)


def _single(value: JsonValue, language: Language, asked: JsonObject, changes: bool) -> Account:
    found = _plain_fields(value) if isinstance(value, Mapping) else [("", value)]
    done = changes and any(name in ("status", "state", "ok", "success") for name, _ in found)
    new = [
        (name, item)
        for name, item in found
        if (name not in _LONG_TEXTS if done else asked.get(name) != item)
    ]
    told = sorted(new or found, key=lambda pair: _weight(pair[0]))[:MAX_FACTS]
    parts = [_fact(name, item, language, whole=True) for name, item in told]
    text = _joined(parts, language) or phrase(language, "done")
    return Account("done" if done else "one", text)


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


def _item(value: JsonValue, language: Language) -> str:
    """One thing of a list: what it is called, and one thing more in brackets."""
    if not isinstance(value, Mapping | list | tuple):
        return _spoken(value, language)
    found = sorted(_plain_fields(value), key=lambda pair: _weight(pair[0]))
    if not found:
        return ""
    named = any(word in _TELLING[:_NAMING] for word in name_words(found[0][0]))
    head = (
        _spoken(found[0][1], language)
        if named
        else _fact(found[0][0], found[0][1], language, whole=False)
    )
    rest = ", ".join(_fact(name, item, language, whole=False) for name, item in found[1:2])
    space = "" if language == "ko" else " "
    return f"{head}{space}({rest})" if rest else head


def _fact(name: str, value: JsonValue, language: Language, *, whole: bool) -> str:
    """A field with its value: `the temperature is 4.5 °C`, in brackets `temperature 4.5 °C`."""
    words = [word for word in name_words(name) if word != "at"] or name_words(name)
    spoken, number = _spoken(value, language), isinstance(value, int | float)
    if len(words) > 1 and number and not isinstance(value, bool):
        unit = table("fields")["units"].get(words[-1], "")
        unit = table("fields")["ko_units"].get(unit, unit) if language == "ko" else unit
        space = "" if language == "ko" else " "
        spoken, words = (f"{spoken}{space}{unit}", words[:-1]) if unit else (spoken, words)
    if language == "ko":
        known: Mapping[str, str] = table("fields")["ko"]
        label = known.get(" ".join(words)) or " ".join(known.get(word, word) for word in words)
        spoken = table("fields")["ko_values"].get(spoken, spoken)
        if words[-1:] == ["until"]:
            return f"{spoken}{known['until']}"
        return f"{_clipped(label, MAX_NAME_CHARS)} {spoken}".strip()
    label = _clipped(" ".join(words), MAX_NAME_CHARS)
    label = table("fields")["en"].get(label, label)
    if number and words[-1:] and words[-1] in table("fields")["counted"].split():
        return f"there are {spoken} {label}" if whole else f"{spoken} {label}"
    if not label:
        return spoken
    if words[-1] in ("until", "since"):
        return f"{label} {spoken}"
    return f"the {label} is {spoken}" if whole else f"{label} {spoken}"


def _spoken(value: JsonValue, language: Language) -> str:
    """A value as people write it: dates with their month, yes and no in words."""
    if isinstance(value, bool):
        return phrase(language, "yes" if value else "no")
    if isinstance(value, int | float) and abs(value) >= 10_000 and abs(value) < 1e15:
        return f"{value:,}"
    text = str(value)
    match = _MOMENT.fullmatch(text)
    if match is None or not 1 <= int(match[2]) <= 12:
        return _clipped(text, MAX_VALUE_CHARS)
    year, month, day, clock = match.groups()
    if language == "ko":
        shown = f"{int(year)}년 {int(month)}월 {int(day)}일"
        return f"{shown} {clock}" if clock else shown
    shown = f"{int(day)} {_MONTHS[int(month) - 1]} {int(year)}"
    return f"{shown} {clock}" if clock else shown


def _joined(parts: Sequence[str], language: Language) -> str:
    told = [part for part in parts if part]
    if language == "ko" or len(told) < 2:
        return ", ".join(told)
    return f"{', '.join(told[:-1])} and {told[-1]}"


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
