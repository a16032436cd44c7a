"""A notice is one thing to tell a person: a code and its parameters, worded here in English.

The pages translate by the code; nothing outside `wording/` holds an English sentence for a person.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

NoticeParameter = str | int | float
"""What a notice may carry; text from strangers is allowed and is only ever shown as plain text."""

MAX_PARAMETER_CHARS = 200


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to tell a person."""

    code: str
    """`area.what`, for instance `catalog.not_json`; a key of `wording/<area>.json`."""
    params: Mapping[str, NoticeParameter] = field(default_factory=dict)
    """Values for the places in the sentence; long text is clipped when worded."""

    @property
    def text(self) -> str:
        """The English sentence."""
        return fill(english_wording()[self.code], self.params)


def notice(code: str, **params: NoticeParameter) -> Notice:
    """Shorthand for `Notice(code, params)`."""
    return Notice(code, params)


def notice_as_json(found: Notice, sentence: str = "") -> dict[str, object]:
    """Code, parameters and sentence of a notice, for an export; English unless a sentence is given."""
    return {"code": found.code, "params": dict(found.params), "text": sentence or found.text}


def fill(template: str, params: Mapping[str, NoticeParameter]) -> str:
    """Put the parameters into the places `{name}` of a sentence, each clipped to 200 characters."""
    return template.format_map({key: _clip(value) for key, value in params.items()})


def _clip(value: NoticeParameter) -> NoticeParameter:
    if isinstance(value, str) and len(value) > MAX_PARAMETER_CHARS:
        return value[: MAX_PARAMETER_CHARS - 1] + "…"
    return value


@cache
def english_wording() -> Mapping[str, str]:
    """Every code with its English sentence, from the files in `wording/`."""
    sentences: dict[str, str] = {}
    for file in sorted(resources.files("toolsearch_core").joinpath("wording").iterdir(), key=str):
        if file.name.endswith(".json"):
            area: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
            sentences.update(area)
    return sentences
