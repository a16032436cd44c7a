"""The answer at the end of a turn, in the language of the question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from toolsearch_core.jsonvalues import JsonObject
from toolsearch_core.providers.rehearsal.facts import facts
from toolsearch_core.providers.rehearsal.lexicon import phrase
from toolsearch_core.providers.rehearsal.needs import Need

MAX_NEED_CHARS = 80
MAX_REASON_CHARS = 160
MAX_NAMES = 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one need."""

    need: Need
    tool: str = ""
    """The tool that was called; empty when none was found."""
    asked: JsonObject = field(default_factory=dict)
    """The arguments of the call."""
    result: str = ""
    failed: bool = False
    invented: tuple[str, ...] = ()
    """Arguments that nobody said, filled with placeholders."""


def sum_up(outcomes: Sequence[Outcome], *, has_tools: bool) -> str:
    """One line per need: a sentence of facts out of the result, or why there is none."""
    return "\n".join(_line(outcome, has_tools) for outcome in outcomes)


def _line(outcome: Outcome, has_tools: bool) -> str:
    language = outcome.need.language
    need = _short(outcome.need.text, MAX_NEED_CHARS)
    if not outcome.tool:
        return phrase(language, "no_tool" if has_tools else "no_tools").format(need=need)
    if outcome.failed:
        reason = _short(outcome.result, MAX_REASON_CHARS)
        return phrase(language, "call_failed").format(tool=outcome.tool, need=need, reason=reason)
    told = facts(outcome.result, language, outcome.asked, changes=_changes(outcome.need))
    line = phrase(language, f"called_{told.kind}").format(tool=outcome.tool, facts=told.text)
    if outcome.invented:
        names = ", ".join(outcome.invented[:MAX_NAMES])
        line += " " + phrase(language, "placeholders").format(names=names)
    return line


def _changes(need: Need) -> bool:
    return bool(need.actions) and need.actions[0] != "read"


def _short(text: str, limit: int) -> str:
    text = re.sub(r"\s+", " ", text).strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
