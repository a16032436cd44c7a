"""Greetings and thanks, which need no tool."""

import re
from functools import cache

from toolsearch_core.providers.rehearsal.lexicon import table

MAX_CHARS = 60
_AGAIN = re.compile(
    r"(?:(?:please|ok|okay|yes|now|no|and) )*(?:(?:can|could|would) you (?:please )?)?"
    r"(?:(?:once )?again|once more|one more time|do (?:it|that|this)(?: now)?"
    r"|(?:(?:do|run|try|repeat) )(?:(?:it|that|this|the same) )?(?:again|once more|one more time)"
    r"|retry|redo|repeat|(?:retry|redo|repeat) (?:it|that|this)|continue|go on|carry on)(?: please)?"
    r"|(?:(?:그거|그걸|이거|아까 거) )?(?:다시|한 번 더|한번 더|계속)"
    r"(?: (?:한 ?번|시도|실행|진행))?(?: ?(?:해|해 ?줘|해 ?주세요|해 ?봐|해 ?봐 ?줘|해 ?줄래))?"
    r"|(?:그거|그걸|그대로|그럼)(?: 그대로)? ?(?:해|해 ?줘|해 ?주세요|진행해 ?줘)"
)
"""All of a text that refers to the request before it."""


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


def means_again(text: str) -> bool:
    """Whether a text asks for nothing but what was asked for before: `do it again`, `다시 해 줘`."""
    return len(text) <= MAX_CHARS and _AGAIN.fullmatch(_plain(text)) is not None


@cache
def _known() -> dict[str, str]:
    return {
        _plain(saying): name for name, sayings in table("small_talk").items() for saying in sayings
    }


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s']", " ", text.casefold()).split())
