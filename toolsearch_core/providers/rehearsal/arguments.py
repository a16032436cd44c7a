"""The arguments of a call: what the question says, then what the conversation knows, then placeholders."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from toolsearch_core.jsonvalues import JsonObject, JsonValue
from toolsearch_core.providers.rehearsal.checking import Problem, matches, problems
from toolsearch_core.providers.rehearsal.lexicon import stems, table, verbs
from toolsearch_core.providers.rehearsal.needs import Need
from toolsearch_core.providers.rehearsal.results import MAX_PAIRS, pairs, same_name
from toolsearch_core.providers.rehearsal.said import (
    Said,
    iso_date,
    iso_time,
    roles_of,
    short_duration,
)
from toolsearch_core.providers.rehearsal.samples import (
    MAX_DEPTH,
    Schemas,
    fits_type,
    number,
    placeholder,
    string,
    told_values,
    type_of,
)
from toolsearch_core.text.tokens import name_words
from toolsearch_core.tools import ToolDefinition

MAX_REPAIRS = 6
_MOMENT = re.compile(r"date|rfc ?3339|iso ?8601", re.IGNORECASE)
_FREE_TEXT = frozenset(("title", "body", "query"))
"""Roles whose values belong to one call alone, so none is taken over from another."""
_ROLE_ORDER = ("title", "query", "body")
_MISSING = object()


@dataclass(frozen=True, slots=True)
class Memory:
    """What the conversation knows beside the question."""

    calls: tuple[JsonObject, ...] = ()
    """Arguments of earlier calls, the latest first."""
    results: tuple[JsonValue, ...] = ()
    """What earlier calls of this turn answered, the latest first."""

    def recall(self, name: str, later: bool) -> JsonValue:
        """The value that a property had before, or that a result names; `None` when unknown.

        Args:
            name: the property.
            later: the need builds on the one before, so a bare `id` of its result will do for `file_id`.
        """
        if _FREE_TEXT & set(roles_of(name)[:1]):
            return None
        for arguments in self.calls:
            for key, value in arguments.items():
                if same_name(key, name):
                    return value
            branch = [value for key, value in arguments.items() if roles_of(key)[:1] == ("branch",)]
            if later and branch and same_name(name, "head"):
                return branch[0]
        for result in self.results:
            found = list(islice(pairs(result), MAX_PAIRS))
            for key, value in found:
                if same_name(key, name) and value is not None:
                    return value
            if later and name_words(name)[-1:] in (["id"], ["uid"], ["key"], ["number"]):
                for key, value in found:
                    if name_words(key) == name_words(name)[-1:] and value is not None:
                        return value
        return None


@dataclass(frozen=True, slots=True)
class Filled:
    """Arguments with what was made up in them."""

    arguments: JsonObject
    invented: tuple[str, ...]
    """Required properties that neither question nor conversation said."""


def fill(tool: ToolDefinition, need: Need, memory: Memory) -> Filled:
    """Arguments that are valid by the tool's schema, if anything is.

    Required properties always have a value; others only where the question says one.
    """
    filler = _Filler(tool, need, memory)
    return filler.filled()


class _Filler:
    def __init__(self, tool: ToolDefinition, need: Need, memory: Memory) -> None:
        self._tool_name = tool.wire_name
        self._schema = tool.input_schema
        self._schemas = Schemas(tool.input_schema)
        self._need = need
        self._memory = memory
        self._said = Said(need)
        self._invented: list[str] = []
        self._values: dict[str, JsonValue] = {}

    def filled(self) -> Filled:
        arguments = self._object(self._schemas.plain(self._schema), 0)
        best, fewest = arguments, problems(self._schema, arguments)
        for _ in range(MAX_REPAIRS):
            if not fewest:
                break
            arguments = self._repaired(arguments, fewest)
            found = problems(self._schema, arguments)
            if len(found) < len(fewest):
                best, fewest = arguments, found
        if fewest:
            plainest = placeholder(Schemas(self._schema), self._schema, "")
            if isinstance(plainest, dict) and len(problems(self._schema, plainest)) < len(fewest):
                best = plainest
        return Filled(best, tuple(name for name in self._invented if name in best))

    def _object(self, node: Mapping[str, Any], depth: int) -> dict[str, JsonValue]:
        properties = node.get("properties")
        known: Mapping[str, Any] = properties if isinstance(properties, Mapping) else {}
        listed = node.get("required")
        required = (
            [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
        )
        values: dict[str, JsonValue] = {}
        for name in sorted(
            dict.fromkeys([*required, *known]), key=lambda name: self._order(name, required)
        ):
            value = self._property(known.get(name, {}), name, name in required, depth)
            if value is not _MISSING:
                values[name] = value
                self._values[name] = value
        ordered = [
            *(name for name in known if name in values),
            *(name for name in values if name not in known),
        ]
        return {name: values[name] for name in ordered}

    def _order(self, name: str, required: Sequence[str]) -> tuple[bool, bool, int, int]:
        """Required ones take their values first; then those that the need names; titles before texts."""
        roles = roles_of(name)
        place = next((n for n, role in enumerate(_ROLE_ORDER, 1) if role in roles[:1]), 0)
        return (name not in required, not self._said.names(name), place, len(name_words(name)))

    def _property(self, node: Any, name: str, required: bool, depth: int) -> Any:
        if depth >= MAX_DEPTH or not self._schemas.spent(1):
            return placeholder(self._schemas, node, name, depth) if required else _MISSING
        choices = list(islice(self._schemas.choices(node), 8))
        for plain in choices:
            value = self._from_question(plain, name, required, depth)
            if value is not _MISSING:
                return value
        if not required:
            return _MISSING
        known = self._memory.recall(name, self._need.later)
        for plain in choices:
            if known is not None and fits_type(plain, known) and _accepted(plain, known):
                return known
        if not any(key in plain for plain in choices for key in ("const", "default", "enum")):
            if (lone := self._lone_number(choices)) is not None:
                return lone
            self._invented.append(name)
        return placeholder(self._schemas, node, name, depth)

    def _from_question(
        self, plain: Mapping[str, Any], name: str, required: bool, depth: int
    ) -> Any:
        if "const" in plain:
            return plain["const"] if required else _MISSING
        options = plain.get("enum")
        if isinstance(options, list) and options:
            return self._option(options, name, required)
        match type_of(plain):
            case "boolean":
                mentioned = self._said.mentions(name)
                return _MISSING if mentioned is None else mentioned
            case "integer" | "number":
                return self._number(plain, name)
            case "string":
                return self._string(plain, name, required)
            case "array":
                return self._array(plain, name, required, depth)
            case "object" if required:
                return self._object(plain, depth + 1)
        return _MISSING

    def _option(self, options: Sequence[Any], name: str, required: bool) -> Any:
        # `drive` in a question for a tool about drives says nothing of an option called `drive`.
        own = [] if required else name_words(self._tool_name)
        texts = [
            option for option in options if isinstance(option, str) and option.lower() not in own
        ]
        named = self._said.choice(texts)
        if named is not None:
            return named
        if required:
            makes = self._makes_what_it_names()
            for option in texts:
                if makes and "creat" in stems(option):
                    return option
            for option in texts:
                kinds = [kind for stem in stems(option) for kind in verbs().get(stem, ())]
                if self._need.actions and self._need.actions[0] in kinds:
                    return option
        return _MISSING

    def _makes_what_it_names(self) -> bool:
        """To silence an alert is to create a silence, for a tool that writes silences."""
        said = [stem for stem in stems(self._need.text) if stem in verbs()][:1]
        return (
            bool(said)
            and said[0] in stems(self._tool_name)
            and "write" in name_words(self._tool_name)
        )

    def _number(self, plain: Mapping[str, Any], name: str) -> Any:
        for value in self._said.numbers(name):
            shaped = number(plain, value)
            if shaped == value:
                return _as_number(plain, value)
        return _MISSING

    def _lone_number(self, choices: Sequence[Mapping[str, Any]]) -> Any:
        for plain in choices:
            if type_of(plain) in ("integer", "number"):
                value = self._said.lone_number()
                if value is not None and number(plain, value) == value:
                    return _as_number(plain, value)
        return None

    def _string(self, plain: Mapping[str, Any], name: str, required: bool) -> Any:
        description = str(plain.get("description", ""))
        listed = told_values(plain)
        if listed and not _FREE_TEXT & set(roles_of(name)[:1]):
            named = self._option(listed, name, required)
            if named is not _MISSING and _accepted(plain, named):
                return named
        text = self._said.value(name, description, required or self._wanted(name, description))
        if text is None:
            return _MISSING
        if _is_end(name) and isinstance(start := self._values.get(_start_of(name)), str):
            text = _after(start) if text[:19] == start[:19] else text
        for candidate in _shaped(plain, name, text):
            if _accepted(plain, candidate):
                return candidate
        return _MISSING

    def _wanted(self, name: str, description: str) -> bool:
        """Whether a property that the schema calls optional is what this call is about."""
        if re.search(
            r"\brequired (?:for|when|if)\b|\brequired\.", description[:200], re.IGNORECASE
        ):
            return True
        looks = bool({"search", "find", "query"} & set(name_words(self._tool_name)))
        sends = self._need.actions[:1] == ("send",)
        role = roles_of(name)[:1] if len(name_words(name)) == 1 and name != "filter" else ()
        return (looks and role == ("query",)) or (sends and role == ("body",))

    def _array(self, plain: Mapping[str, Any], name: str, required: bool, depth: int) -> Any:
        items = next(self._schemas.choices(plain.get("items", {})), {})
        options = items.get("enum")
        if isinstance(options, list):
            named = self._option(options, name, required)
            return _MISSING if named is _MISSING else [named]
        kind = type_of(items)
        if kind == "string":
            texts = self._said.values(name, str(plain.get("description", "")), required)
            kept = [text for text in texts if _accepted(items, text)]
            return kept or _MISSING
        if kind in ("integer", "number"):
            value = self._number(items, name)
            return _MISSING if value is _MISSING else [value]
        if kind == "object" and required:
            return [self._object(items, depth + 1)]
        return _MISSING

    def _repaired(self, arguments: JsonObject, found: Sequence[Problem]) -> dict[str, JsonValue]:
        """Once more without the values that are wrong, and with the properties that are missing."""
        root = self._schemas.plain(self._schema)
        known = root.get("properties")
        properties: Mapping[str, Any] = known if isinstance(known, Mapping) else {}
        listed = root.get("required")
        required = listed if isinstance(listed, list) else []
        values = dict(arguments)
        for problem in found:
            for name in _missing_names(problem) if not problem.path else [problem.path[0]]:
                node = properties.get(str(name), {})
                if problem.path and name not in required:
                    values.pop(str(name), None)
                elif not problem.path and name in values:
                    continue
                else:
                    values[str(name)] = placeholder(self._schemas, node, str(name), 1)
            if problem.rule == "additionalProperties":
                values = {name: value for name, value in values.items() if name in properties}
        return values


def _missing_names(problem: Problem) -> Sequence[str]:
    if problem.rule == "required" and isinstance(problem.rule_value, list):
        return [name for name in problem.rule_value if isinstance(name, str)]
    if problem.rule == "dependentRequired" and isinstance(problem.rule_value, Mapping):
        return [
            name
            for names in problem.rule_value.values()
            if isinstance(names, list)
            for name in names
        ]
    return ()


def _is_end(name: str) -> bool:
    return bool({"end", "max", "until"} & set(name_words(name)))


def _start_of(name: str) -> str:
    """`end_time` ends what `start_time` begins."""
    return name.replace("end", "start").replace("max", "min").replace("until", "since")


def _after(start: str) -> str:
    """An hour after a moment, a day after a date."""
    try:
        moment = datetime.fromisoformat(start)
    except ValueError:
        return start
    if "T" not in start:
        return (moment + timedelta(days=1)).date().isoformat()
    return (moment + timedelta(hours=1)).isoformat()


def _shaped(plain: Mapping[str, Any], name: str, text: str) -> Sequence[str]:
    """A text in the form that the property wants, the likeliest first."""
    form, roles = plain.get("format"), roles_of(name)
    shaped = [text]
    if roles[:1] == ("datetime",) and re.fullmatch(r"\d\d:\d\d", text):
        # A time of day needs a date where a moment is meant; which one the model cannot know.
        day = str(table("placeholders")["formats"]["date"])
        shaped.insert(
            0,
            f"{day}T{text}:00"
            if _MOMENT.search(f"{form} {name} {plain.get('description')}")
            else text,
        )
        text = shaped[0]
    if form == "date":
        shaped.insert(0, iso_date(text)[:10])
    elif form == "date-time":
        date = iso_date(text)
        shaped.insert(
            0,
            date
            if "T" in date and date.endswith("Z")
            else f"{date[:19]}{'' if 'T' in date else 'T00:00:00'}Z",
        )
    elif form == "time":
        shaped.insert(0, f"{iso_time(text)}Z")
    elif roles[:1] == ("duration",):
        shaped.insert(0, short_duration(text))
    if isinstance(plain.get("pattern"), str):
        shaped += [text.upper(), text.lower(), text.split("-")[0]]
    return shaped


def _accepted(plain: Mapping[str, Any], value: Any) -> bool:
    """Whether a value keeps the rules of its own subschema."""
    if isinstance(value, str):
        pattern = plain.get("pattern")
        if isinstance(pattern, str) and not matches(pattern, value):
            return False
        return (
            string({key: plain[key] for key in ("minLength", "maxLength") if key in plain}, [value])
            == value
        )
    return not problems(plain, value) if not _refers(plain) else True


def _refers(plain: Mapping[str, Any]) -> bool:
    return "$ref" in str(plain)


def _as_number(plain: Mapping[str, Any], value: float) -> int | float:
    return int(value) if value.is_integer() else value
