"""Simulated tools: an answer that fits the tool and the arguments, made up and marked as such.

What is covered: lists, single things, counts, calculations, and confirmations of what was created,
changed, deleted or sent, in English and Korean, from general vocabulary and the arguments. The same call
always gets the same answer. What is not covered: truth, memory (what was created is not found
afterwards), images and other binary content, failures of a server.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from toolsearch_core.execution.arguments import check_arguments, refusal
from toolsearch_core.execution.bounds import bounds_of
from toolsearch_core.execution.echo import MARK, Echo
from toolsearch_core.execution.reckoning import exchange, reckon
from toolsearch_core.execution.understanding import Understanding, understand
from toolsearch_core.execution.values import Values
from toolsearch_core.execution.vocabulary import (
    Action,
    Language,
    has_hangul,
    participle,
    plural,
    singular,
    word_list,
)
from toolsearch_core.jsonvalues import JsonObject, JsonValue, compact_json, digest
from toolsearch_core.protocols import ExecutionResult
from toolsearch_core.tools import ToolDefinition

MAX_CHARS = 600
"""The length of an answer."""
MAX_ITEMS = 3

STAMPS: Mapping[Action, str] = {
    "create": "created_at",
    "send": "sent_at",
    "update": "updated_at",
    "delete": "deleted_at",
    "act": "finished_at",
}
"""When it was done, by what was done."""


class SimulatedExecutor:
    """Checks the arguments, then makes an answer up; nothing is reached and nothing is changed."""

    def execute(self, tool: ToolDefinition, arguments: JsonObject) -> ExecutionResult:
        """Answer a call; bad arguments are refused with the place and the rule of each problem."""
        checked = check_arguments(tool.input_schema, arguments)
        if checked.problems:
            return refusal(checked.problems, simulated=True)
        made_up = _Answer.of(tool, checked.arguments).made_up()
        answer = {MARK: True, **made_up}
        return ExecutionResult(content=compact_json(_fitted(answer)), outcome="executed")


@dataclass(frozen=True, slots=True)
class _Answer:
    seems: Understanding
    echo: Echo
    values: Values
    chance: Random
    language: Language

    @classmethod
    def of(cls, tool: ToolDefinition, arguments: JsonObject) -> "_Answer":
        canonical = json.dumps(arguments, sort_keys=True, ensure_ascii=False)
        chance = Random(int(digest(tool.wire_name, canonical)[:16], 16))
        seems, echo = understand(tool), Echo(arguments)
        language: Language = "ko" if has_hangul(canonical + tool.description) else "en"
        noun, things = seems.noun.capitalize(), " ".join(seems.nouns)
        if language == "ko" and seems.korean_noun:
            noun = things = seems.korean_noun
        about = echo.subject or things
        kinds = (seems.noun, *map(singular, seems.nouns))
        values = Values(
            chance, language, about=about, things=kinds, noun=noun, bounds=bounds_of(arguments)
        )
        return cls(seems, echo, values, chance, language)

    def made_up(self) -> Mapping[str, JsonValue]:
        """The answer, without the mark."""
        action, said = self.seems.action, self.echo.all
        if self.seems.several:
            return self._list()
        if action == "count":
            return {**said, "count": self.chance.randint(1, 240)}
        reckoned: Mapping[str, JsonValue] = {}
        if action == "convert" or (self.seems.verb == "add" and not self.echo.texts):
            reckoned = reckon(self.seems.verb, self.echo, self.chance, self.language)
        if reckoned:
            return {**said, **reckoned}
        return self._confirmation() if action in STAMPS else {**self._thing(), **said}

    def _confirmation(self) -> Mapping[str, JsonValue]:
        action = self.seems.action
        done: dict[str, JsonValue] = {}
        if not self.echo.filtered("status"):
            done["status"] = participle(self.seems.verb, action)
        if action in ("create", "send"):
            done["id"] = self.values.of("id")
        stamp = STAMPS[action]
        return {**self.echo.all, **done, stamp: self.values.of(stamp)}

    def _thing(self) -> Mapping[str, JsonValue]:
        # The argument that names the thing stands for the thing's own name.
        named = (self.seems.noun, "name", "title", "path")
        skipped = word_list("naming") if any(name in self.echo.all for name in named) else ()
        left = [
            name
            for name in self.seems.fields
            if name not in skipped and not self.echo.filtered(name)
        ]
        made = self.values.record(left)
        return (
            {**made, **exchange(self.echo, self.chance, self.language)} if "rate" in made else made
        )

    def _list(self) -> Mapping[str, JsonValue]:
        """Two or three things, all as the filters ask, and how many there are in all."""
        seems, said, limit = self.seems, self.echo.all, self.echo.limit
        length = min(self.chance.randint(2, MAX_ITEMS), limit or MAX_ITEMS)
        shared = [name for name in seems.fields if name not in word_list("naming")]
        common = {**{name: said[name] for name in shared if name in said}, **self.echo.filters}
        fields = [name for name in seems.fields if name in common or not self.echo.filtered(name)]
        items = [{**self.values.record(fields, number), **common} for number in range(length)]
        about = {name: value for name, value in said.items() if name not in common}
        total = length + self.chance.randint(0, 9) if length == limit else length
        name = "_".join((*seems.nouns[:-1], plural(seems.nouns[-1])))
        return {**about, "total": total, name: items}


def _fitted(answer: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Shorten until it fits: fewer items first, then fewer fields from the end."""
    while len(compact_json(answer)) > MAX_CHARS:
        last = next(reversed(answer))
        value = answer[last]
        if isinstance(value, list) and len(value) > 1:
            answer = {**answer, last: value[:-1]}
        else:
            answer = {name: kept for name, kept in answer.items() if name != last}
    return answer
