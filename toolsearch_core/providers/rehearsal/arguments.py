"""The arguments of a call: what the question says, then what the conversation knows, then placeholders."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from toolsearch_core.jsonvalues import JsonObject, JsonValue
from toolsearch_core.providers.rehearsal.checking import Problem, problems
from toolsearch_core.providers.rehearsal.facts import account
from toolsearch_core.providers.rehearsal.forms import accepted, forms_of, is_end, start_of
from toolsearch_core.providers.rehearsal.lexicon import stems, verbs
from toolsearch_core.providers.rehearsal.memory import Memory
from toolsearch_core.providers.rehearsal.moments import later, precedes
from toolsearch_core.providers.rehearsal.needs import Need
from toolsearch_core.providers.rehearsal.options import (
    mentioned,
    named_option,
    reached_option,
    scattered_option,
)
from toolsearch_core.providers.rehearsal.roles import FREE_TEXT, KINDS, roles_of
from toolsearch_core.providers.rehearsal.said import Said
from toolsearch_core.providers.rehearsal.samples import number, placeholder
from toolsearch_core.providers.rehearsal.schemas import (
    MAX_DEPTH,
    Schemas,
    fits_type,
    properties_of,
    required_of,
    told_values,
    type_of,
)
from toolsearch_core.text.tokens import name_words
from toolsearch_core.tools import ToolDefinition

MAX_REPAIRS = 6
MAX_CHOICES = 8
MAX_SUMMARY_CHARS = 200
MAX_FORM_CHARS = 40
"""The form of a value stands at the beginning of its description."""
_ROLE_ORDER = ("title", "query", "body")
_SEARCHES = frozenset(("search", "find", "query"))
_NEEDED = re.compile(r"\brequired (?:for|when|if)\b|\brequired\.", re.IGNORECASE)
_JSON = re.compile(r"\bJSON (?:string|object|array)|\bas JSON\b|\bin JSON\b", re.IGNORECASE)
_EXPIRES = re.compile(r"expir|만료", re.IGNORECASE)
"""When something ends to be valid is said as such; a plain date is for something else."""
_TIMED_WORDS = frozenset("time date datetime timestamp day zone timezone".split())
_MISSING = object()
_PLAIN_ROLES = frozenset(("place", "person", "channel", "project"))
"""Roles whose values may be any words."""
_KINDS_OF_THINGS = (["type"], ["types"], ["kind"], ["format"], ["mode"])
_CODES = (
    ["id"],
    ["ids"],
    ["uid"],
    ["key"],
    ["number"],
    ["token"],
    ["code"],
    ["currency"],
    ["email"],
    ["url"],
    ["language"],
)


@dataclass(frozen=True, slots=True)
class Filled:
    """Arguments with what was made up in them."""

    arguments: JsonObject
    invented: tuple[str, ...]
    """Required properties that neither question nor conversation said."""
    used: tuple[str, ...] = ()
    """Masks of the need's values that went into them."""
    added: tuple[int, ...] = ()
    """Which of the clauses that add to the need gave a value."""


def fill(tool: ToolDefinition, need: Need, memory: Memory, also: Sequence[Need] = ()) -> Filled:
    """Arguments that are valid by the tool's schema, if anything is.

    Required properties always have a value; others only where the question says one.

    Args:
        tool: what is called.
        need: what is asked.
        memory: what the conversation knows.
        also: clauses behind it that may add to it: `assign it to jane`, behind `create an issue`.
    """
    return _Filler(tool, need, memory, also).filled()


class _Filler:
    def __init__(
        self, tool: ToolDefinition, need: Need, memory: Memory, also: Sequence[Need]
    ) -> None:
        self._tool_words = name_words(tool.wire_name)
        summary = tool.description[:MAX_SUMMARY_CHARS].partition(". ")[0]
        self._goes_by = self._tool_words + name_words(tool.title) + name_words(summary)
        self._schema = tool.input_schema
        self._schemas = Schemas(tool.input_schema)
        self._need = need
        self._memory = memory
        names = tuple(properties_of(self._schemas.plain(tool.input_schema)))
        self._said = Said(need, names)
        self._also = [Said(clause, names) for clause in also]
        self._added: list[int] = []
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
        return Filled(
            best,
            tuple(name for name in self._invented if name in best),
            tuple(dict.fromkeys(self._said.values.used)),
            tuple(dict.fromkeys(self._added)),
        )

    # -- by the shape of the schema ------------------------------------------------------------------

    def _object(self, node: Mapping[str, Any], depth: int) -> dict[str, JsonValue]:
        known, required = properties_of(node), required_of(node)
        values: dict[str, JsonValue] = {}
        names = dict.fromkeys([*required, *known])
        ordered = sorted(names, key=lambda name: self._order(name, required))
        # What the thing is called is said before whom it is for, which may have a name of its own.
        ordered.sort(key=lambda name: type_of(self._schemas.plain(known.get(name, {}))) == "object")
        for name in ordered:
            self._said.nested = depth > 0
            value = self._property(known.get(name, {}), name, name in required, depth)
            if value is _MISSING or (name not in required and _is_said(name, value, values)):
                continue
            values[name] = value
            self._values[name] = value
        return {name: values[name] for name in (*known, *required) if name in values}

    def _order(self, name: str, required: Sequence[str]) -> tuple[bool, bool, int, int]:
        """Required ones take their values first; then those that the need names; titles before texts."""
        roles = roles_of(name)[:1]
        place = next((n for n, role in enumerate(_ROLE_ORDER, 1) if role in roles), 0)
        return (name not in required, not self._said.names(name), place, len(name_words(name)))

    def _property(self, node: Any, name: str, required: bool, depth: int) -> Any:
        if depth >= MAX_DEPTH or not self._schemas.spend():
            return placeholder(self._schemas, node, name, depth) if required else _MISSING
        choices = list(islice(self._schemas.choices(node), MAX_CHOICES))
        for plain in choices:
            value = self._from_question(plain, name, required, depth)
            if value is not _MISSING:
                return value
        value = self._from_additions(choices, name)
        if value is not _MISSING or not required:
            return value
        known = self._memory.recall(name, later=self._need.later)
        for plain in choices:
            if known is not None and fits_type(plain, known) and accepted(plain, known):
                return known
        if not any(key in plain for plain in choices for key in ("const", "default", "enum")):
            lone = self._lone_number(choices)
            if lone is not _MISSING:
                return lone
            self._invented.append(name)
        return placeholder(self._schemas, node, name, depth)

    def _from_additions(self, choices: Sequence[Mapping[str, Any]], name: str) -> Any:
        for place, said in enumerate(self._also):
            texts = [text for text in said.phrased(name) if text]
            for plain in choices if texts else ():
                value: Any = texts if type_of(plain) == "array" else texts[0]
                if fits_type(plain, value) and accepted(plain, value):
                    self._added.append(place)
                    return value
        return _MISSING

    def _from_question(
        self, plain: Mapping[str, Any], name: str, required: bool, depth: int
    ) -> Any:
        if "const" in plain:
            return plain["const"] if required else _MISSING
        options = plain.get("enum")
        if isinstance(options, list) and options:
            return self._option(options, required, only=True)
        match type_of(plain):
            case "boolean":
                told = mentioned(self._need, name)
                return _MISSING if told is None else told
            case "integer" | "number":
                return self._number(plain, name)
            case "string":
                return self._string(plain, name, required)
            case "array":
                return self._array(plain, name, required, depth)
            case "object" if required:
                return self._object(plain, depth + 1)
        return _MISSING

    def _option(self, options: Sequence[Any], required: bool, *, only: bool = False) -> Any:
        """The option that is said or meant; `only` where nothing else but one of them will do."""
        # `drive` in a question for a tool about drives says nothing of an option called `drive`.
        own = [] if required else stems(" ".join(self._tool_words))
        texts = [text for text in options if isinstance(text, str)]
        texts = [text for text in texts if not own or not set(stems(text)) <= set(own)]
        named = named_option(self._need, texts)
        if named is None and only:
            named = scattered_option(self._need, texts) or reached_option(self._need, texts)
        if named is not None:
            return named
        wanted = "create" if self._makes_what_it_names() else next(iter(self._need.actions), "")
        for option in texts if required else ():
            if any(wanted in verbs().get(stem, ()) for stem in stems(option)):
                return option
        return _MISSING

    def _makes_what_it_names(self) -> bool:
        """To silence an alert is to create a silence, for a tool that writes silences."""
        said = [stem for stem in stems(self._need.text) if stem in verbs()][:1]
        return (
            "write" in self._tool_words
            and bool(said)
            and said[0] in stems(" ".join(self._tool_words))
        )

    def _number(self, plain: Mapping[str, Any], name: str) -> Any:
        for value in self._said.values.numbers(name):
            if number(plain, value) == value:
                return int(value) if value.is_integer() else value
        return _MISSING

    def _lone_number(self, choices: Sequence[Mapping[str, Any]]) -> Any:
        for plain in choices:
            if type_of(plain) in ("integer", "number"):
                value = self._said.values.lone_number()
                if value is not None and number(plain, value) == value:
                    return int(value) if value.is_integer() else value
        return _MISSING

    def _string(self, plain: Mapping[str, Any], name: str, required: bool) -> Any:
        description = str(plain.get("description", ""))
        if _JSON.search(description[:MAX_FORM_CHARS]) and not required:
            return _MISSING
        if _EXPIRES.search(name) and not _EXPIRES.search(self._need.text):
            return _MISSING
        role = roles_of(name)[:1]
        listed = told_values(plain)
        if listed and not FREE_TEXT & set(role):
            named = self._option(listed, required)
            if named is not _MISSING and accepted(plain, named):
                return named
        # An end of a period is a moment, not a place.
        timed = "format" in plain or not _TIMED_WORDS.isdisjoint(name_words(name))
        text = None if timed else self._said.end(name)
        if text is None or not accepted(plain, text):
            text = self._said.value(name, description, required or self._wanted(name, description))
        if text is not None and role == ("time",) and plain.get("format") == "date-time":
            text = self._said.values.moment(last=is_end(name)) or text
        if text is None and required and self._takes_the_rest(plain, name):
            text = self._said.rest(self._goes_by)
        if text is None:
            return _MISSING
        if (
            role == ("body",)
            and text == self._need.text
            and (self._need.about or self._need.later)
            and self._memory.results
        ):
            text = account(self._memory.results[0], self._need.language).text
        start = self._values.get(start_of(name)) if is_end(name) else None
        form = next((f for f in forms_of(plain, name, text) if accepted(plain, f)), None)
        if form is None:
            return _MISSING
        if isinstance(start, str) and precedes(form, start):
            return later(start) if required else _MISSING
        return later(form) if isinstance(start, str) and form[:16] == start[:16] else form

    def _wanted(self, name: str, description: str) -> bool:
        """Whether a property that the schema calls optional is what this call is about."""
        if _NEEDED.search(description[:200]):
            return True
        role = roles_of(name)[:1] if len(name_words(name)) == 1 and name != "filter" else ()
        if role == ("query",):
            return not _SEARCHES.isdisjoint(self._tool_words)
        return role == ("body",) and self._need.actions[:1] == ("send",)

    def _takes_the_rest(self, plain: Mapping[str, Any], name: str) -> bool:
        """Whether plain words will do: nothing asks for a form, and no other kind of value is meant."""
        if any(key in plain for key in ("format", "pattern", "default", "const", "enum")):
            return False
        if name_words(name)[-1:] in _KINDS_OF_THINGS:
            return False
        return name_words(name)[-1:] not in _CODES and _PLAIN_ROLES.issuperset(roles_of(name)[:1])

    def _array(self, plain: Mapping[str, Any], name: str, required: bool, depth: int) -> Any:
        items = next(self._schemas.choices(plain.get("items", {})), {})
        options = items.get("enum")
        if isinstance(options, list):
            named = self._option(options, required)
            return _MISSING if named is _MISSING else [named]
        match type_of(items):
            case "string":
                texts = self._said.several(name, str(plain.get("description", "")), required)
                if not texts and required and self._takes_the_rest(items, name):
                    rest = self._said.rest(self._goes_by)
                    texts = [rest] if rest else []
                return [text for text in texts if accepted(items, text)] or _MISSING
            case "integer" | "number":
                value = self._number(items, name)
                return _MISSING if value is _MISSING else [value]
            case "object":
                return self._objects(items, required, depth)
        return _MISSING

    def _objects(self, items: Mapping[str, Any], required: bool, depth: int) -> Any:
        """One object for each said value of the one property that it needs; one in any case if required."""
        needed = required_of(items)
        role = roles_of(needed[0])[:1] if len(needed) == 1 else ()
        if role in (("email",), ("url",)):
            values = self._said.values.free(KINDS[role[0]])
            if values:
                return [{needed[0]: self._said.values.give(value)} for value in values]
        return [self._object(items, depth + 1)] if required else _MISSING

    # -- until it is valid ---------------------------------------------------------------------------

    def _repaired(self, arguments: JsonObject, found: Sequence[Problem]) -> dict[str, JsonValue]:
        """Once more without the values that are wrong, and with the properties that are missing."""
        root = self._schemas.plain(self._schema)
        known, required = properties_of(root), required_of(root)
        values = dict(arguments)
        for problem in found:
            if problem.rule == "additionalProperties" and not problem.path:
                values = {name: value for name, value in values.items() if name in known}
            elif problem.path and problem.path[0] not in required:
                values.pop(str(problem.path[0]), None)
            elif problem.path:
                name = str(problem.path[0])
                values[name] = placeholder(self._schemas, known.get(name, {}), name, 1)
            else:
                for name in _missing_names(problem):
                    if name not in values:
                        values[name] = placeholder(self._schemas, known.get(name, {}), name, 1)
        return values


def _missing_names(problem: Problem) -> Sequence[str]:
    told = problem.rule_value
    if problem.rule == "required" and isinstance(told, list):
        return [name for name in told if isinstance(name, str)]
    if problem.rule == "dependentRequired" and isinstance(told, Mapping):
        return [name for names in told.values() if isinstance(names, list) for name in names]
    return ()


def _is_said(name: str, value: Any, values: Mapping[str, JsonValue]) -> bool:
    """Whether another property for the same has this text: a new branch does not come from itself."""
    role = roles_of(name)[:1]
    return isinstance(value, str) and any(
        value == other and role and role == roles_of(known)[:1] for known, other in values.items()
    )
