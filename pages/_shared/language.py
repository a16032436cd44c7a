"""Every text of the app in the language of the page, and the wording of the core's notices.

`t` gives the text of a key for a plain place. `label` does so for a place that reads Markdown: the text
itself may use it, what fills its places comes out as it is.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from pages._shared import state
from pages._shared.plain_text import escaped
from toolsearch_core.notices import Notice, NoticeParameter, fill

LOCALES = Path(__file__).parent / "locales"


@cache
def texts(file: str) -> Mapping[str, str]:
    """The texts of one file in `locales/`: key -> sentence with places `{name}`."""
    sentences: dict[str, str] = json.loads((LOCALES / f"{file}.json").read_text(encoding="utf-8"))
    return sentences


def t(key: str, /, **params: NoticeParameter) -> str:
    """The text of a key, with its places filled."""
    return fill(texts(state.language())[key], params)


def worded(keys: Mapping[str, str]) -> Callable[[str], str]:
    """For `format_func`: the words of choices, choice -> key; a choice without a key is its own word."""
    words = {choice: t(key) for choice, key in keys.items()}
    return lambda choice: words.get(choice, choice)


def label(key: str, /, **params: NoticeParameter) -> str:
    """The text of a key for a place that reads Markdown; the text may use it, its parameters cannot."""
    safe = {
        name: escaped(value) if isinstance(value, str) else value for name, value in params.items()
    }
    return t(key, **safe)


def notice_text(told: Notice) -> str:
    """The sentence of a notice, for a plain place; English where there is no translation.

    What a JSON reader says is wrong comes in English, in a few fixed phrases, and is translated as well.
    """
    if state.language() == "ko":
        sentence = texts("ko_notices").get(told.code)
        if sentence is not None:
            problems = texts("ko_problems")
            params = {
                name: problems.get(value, value) if name == "problem" else value
                for name, value in told.params.items()
            }
            return fill(sentence, params)
    return told.text


def notice_label(told: Notice) -> str:
    """The sentence of a notice for a place that reads Markdown."""
    return escaped(notice_text(told), limit=600)
