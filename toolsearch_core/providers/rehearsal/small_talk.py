"""Greetings and thanks, which need no tool."""

import re
from functools import cache

from toolsearch_core.providers.rehearsal.lexicon import table

MAX_CHARS = 60


def small_talk(text: str) -> str | None:
    """The name of the phrase that answers a text of small talk alone; `None` for anything else.

    Of `Hi, what can you do?` the last part counts.
    """
    if len(text) > MAX_CHARS:
        return None
    parts = [_plain(part) for part in re.split(r"[,.!?~…\n]+", text)]
    said = [part for part in parts if part]
    known = [_known().get(part) for part in said]
    if said and all(known):
        return known[-1]
    return _known().get(_plain(text))


@cache
def _known() -> dict[str, str]:
    return {
        _plain(saying): name for name, sayings in table("small_talk").items() for saying in sayings
    }


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s']", " ", text.casefold()).split())
