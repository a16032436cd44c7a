"""What of the arguments comes back in an answer."""

import math
from collections.abc import Iterator, Mapping, Sequence

from toolsearch_core.execution.vocabulary import synonymous, word_list
from toolsearch_core.jsonvalues import JsonObject, JsonValue
from toolsearch_core.text.tokens import name_words

MARK = "simulated"
"""The first field of an answer; an argument of this name does not come back."""

MAX_ECHOED = 5
MAX_NAME_CHARS = 40
MAX_TEXT_CHARS = 60
MAX_LISTED = 3


class Echo:
    """The arguments of one call, as far as an answer repeats them.

    Not repeated: what only pages or shapes the answer, anything that sounds like a secret, and nested
    objects.
    """

    def __init__(self, arguments: JsonObject) -> None:
        self.all: Mapping[str, JsonValue] = dict(_repeatable(arguments))
        self.filters: Mapping[str, JsonValue] = {
            name: value
            for name, value in self.all.items()
            if isinstance(value, str)
            and name.lower() in word_list("filters")
            and value.lower() not in word_list("unfiltered")
        }
        self.numbers: Sequence[float] = _numbers(arguments)
        self.texts: Sequence[str] = [text for text in self.all.values() if isinstance(text, str)]
        self.limit = _limit(arguments)

    @property
    def percent(self) -> float:
        """The first number that is called a percentage; 0 without one."""
        for name, value in self.all.items():
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if number and {"percent", "percentage"} & set(name_words(name)):
                return float(str(value))
        return 0.0

    def filtered(self, field: str) -> bool:
        """Whether an argument says what a field would hold, under its own name or another: state, status."""
        alike = next((group for group in synonymous() if field in group), (field,))
        return any(name.lower() in alike for name in self.filters)

    @property
    def subject(self) -> str:
        """What the call is about: its search words or title, its place, or its first plain text."""
        texts = {name: text for name, value in self.all.items() if (text := _first_text(value))}
        lowered = {name.lower(): text for name, text in texts.items()}
        for name in (*word_list("lead_topics"), *word_list("place_topics")):
            if name in lowered:
                return lowered[name]
        for name, text in texts.items():
            if not any(word in word_list("labels") for word in name_words(name)):
                return text
        return ""


def _first_text(value: JsonValue) -> str:
    first = value[0] if isinstance(value, list) and value else value
    return first if isinstance(first, str) else ""


def _repeatable(arguments: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    count = 0
    for name, value in arguments.items():
        plain = _plain(value)
        shaping = name == MARK or name.lower() in word_list("paging")
        if plain is None or shaping or _is_secret(name):
            continue
        yield name[:MAX_NAME_CHARS], plain
        count += 1
        if count == MAX_ECHOED:
            return


def _plain(value: JsonValue) -> JsonValue:
    """A short form; `None` for what is not repeated."""
    if isinstance(value, str):
        text = " ".join(value.split())
        text = text if len(text) <= MAX_TEXT_CHARS else text[: MAX_TEXT_CHARS - 1] + "…"
        return text or None
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value if math.isfinite(value) and abs(value) < 1e15 else None
    if isinstance(value, list | tuple):
        listed = [_plain(each) for each in value[:MAX_LISTED] if not isinstance(each, list | tuple)]
        return [each for each in listed if each is not None] or None
    return None


def _is_secret(name: str) -> bool:
    words = set(name_words(name))
    if words & set(word_list("hidden")):
        return True
    return "key" in words and bool(words & set(word_list("secret_keys")))


def _numbers(arguments: JsonObject) -> list[float]:
    """The numbers of the arguments, those in lists too."""
    found: list[float] = []
    for value in arguments.values():
        for each in value if isinstance(value, list | tuple) else (value,):
            number = isinstance(each, int | float) and not isinstance(each, bool)
            if number and math.isfinite(each) and abs(each) < 1e15:
                found.append(each)
    return found[:100]


def _limit(arguments: JsonObject) -> int | None:
    """How many things the call asks for at the most."""
    for name in word_list("limits"):
        value = arguments.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
            return value
    return None
