"""Whether arguments are valid by a tool's schema, with an end to it for hostile schemas.

Draft 2020-12. A pattern runs in linear time or on a short text only, nothing is fetched, and a schema
whose references multiply is given up on.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from threading import local
from typing import Any

import jsonschema
import jsonschema.exceptions
import re2
import referencing
import referencing.exceptions

from toolsearch_core.jsonvalues import JsonObject, JsonValue

MAX_STEPS = 5_000
"""References and combinators followed in one check."""
MAX_BACKTRACKED_CHARS = 16
"""A pattern that only a backtracking engine takes is tried on texts up to this length."""

_Base = jsonschema.Draft202012Validator
_counted = local()
_QUIET = re2.Options()
_QUIET.log_errors = False


@dataclass(frozen=True, slots=True)
class Problem:
    """One place where arguments break the schema."""

    path: tuple[str | int, ...]
    """The way to the value that is wrong."""
    rule: str
    """The keyword that is broken, such as `required`."""
    rule_value: Any
    """What stands in the schema at that keyword."""


def problems(schema: JsonObject, value: JsonValue) -> tuple[Problem, ...]:
    """What is wrong with a value, in the order of the schema; empty when it is valid.

    A schema that cannot be followed to its end says nothing.
    """
    _counted.steps = 0
    validator = _Validator(schema, registry=referencing.Registry())
    found: list[Problem] = []
    try:
        for error in validator.iter_errors(value):
            found.extend(_leaves(error))
    except (_TooManyStepsError, RecursionError, referencing.exceptions.Unresolvable):
        return ()
    except (jsonschema.exceptions.UnknownType, TypeError, ValueError, AttributeError):
        return ()  # the schema itself is none
    return tuple(found)


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern of a schema occurs in a text; a pattern that nobody understands occurs in all."""
    try:
        return re2.compile(pattern, _QUIET).search(text) is not None
    except re2.error:
        pass
    if len(text) > MAX_BACKTRACKED_CHARS:
        return False
    try:
        return re.search(pattern, text) is not None
    except (re.error, RecursionError, OverflowError):
        return True


class _TooManyStepsError(Exception):
    pass


def _leaves(error: jsonschema.exceptions.ValidationError) -> Iterator[Problem]:
    yield Problem(tuple(error.absolute_path), str(error.validator), error.validator_value)


def _counting(name: str) -> Any:
    check = _Base.VALIDATORS[name]

    def counted(validator: Any, rule: Any, instance: Any, schema: Any) -> Iterator[Any]:
        _counted.steps += 1
        if _counted.steps > MAX_STEPS:
            raise _TooManyStepsError
        yield from check(validator, rule, instance, schema) or ()

    return counted


def _pattern(validator: Any, rule: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if isinstance(instance, str) and isinstance(rule, str) and not matches(rule, instance):
        yield jsonschema.ValidationError(f"{instance!r} does not match {rule!r}")


def _pattern_properties(validator: Any, rule: Any, instance: Any, schema: Any) -> Iterator[Any]:
    if not isinstance(instance, Mapping):
        return
    for pattern, subschema in rule.items():
        for key, value in instance.items():
            if matches(pattern, key):
                yield from validator.descend(value, subschema, path=key, schema_path=pattern)


def _without_patterns(name: str) -> Any:
    """The library's own check of further properties runs patterns on names, in its own engine."""
    check = _Base.VALIDATORS[name]

    def checked(validator: Any, rule: Any, instance: Any, schema: Any) -> Iterator[Any]:
        if "patternProperties" not in schema:
            yield from check(validator, rule, instance, schema) or ()

    return checked


_Validator = jsonschema.validators.extend(  # type: ignore[no-untyped-call]  # ships untyped
    _Base,
    {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _without_patterns("additionalProperties"),
        "unevaluatedProperties": _without_patterns("unevaluatedProperties"),
        **{name: _counting(name) for name in ("$ref", "$dynamicRef", "allOf", "anyOf", "oneOf")},
    },
)
