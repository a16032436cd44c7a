"""The validator: JSON Schema by `jsonschema`, with the rules that a hostile schema could abuse replaced.

References are followed within the schema only and a limited number of times; patterns run in an engine
whose time is linear in the text.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator, ValidationError, validators

from toolsearch_core.execution.schema import Schema, matcher, resolve

MAX_FOUND = 50
"""The check ends after so many errors."""
MAX_REFERENCES = 5_000
"""How many references one check follows; what lies behind more is not checked."""

Rule = Callable[[Any, Any, Any, Any], Iterable[ValidationError]]
"""(validator, value of the keyword, instance, schema) -> errors, as `jsonschema` calls it."""


class _TooManyReferences(Exception):
    pass


def errors_of(root: Schema, instance: object) -> list[ValidationError]:
    """What a checkable schema refuses in a value of plain dicts and lists, in the schema's order.

    A missing property and an unexpected one are an error each, with the property as its place.
    """
    extend: Callable[..., Any] = validators.extend
    rules: Mapping[str, Rule] = {
        "$ref": _reference_within(root),
        "required": _required,
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    }
    # No registry of schemas: a reference never reaches the library, which would fetch a remote one.
    validator = extend(Draft202012Validator, rules)(root)
    found: list[ValidationError] = []
    try:
        for error in islice(validator.iter_errors(instance), MAX_FOUND):
            found.append(error)
    except (_TooManyReferences, RecursionError):
        pass  # the schema runs in circles; what was found until here counts
    return found


def _reference_within(root: Schema) -> Rule:
    followed = 0

    def reference(
        validator: Any, value: str, instance: Any, schema: Any
    ) -> Iterator[ValidationError]:
        nonlocal followed
        followed += 1
        if followed > MAX_REFERENCES:
            raise _TooManyReferences
        yield from validator.descend(instance, resolve(root, value))

    return reference


def _required(
    validator: Any, names: Sequence[str], instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for name in dict.fromkeys(names):
            if name not in instance:
                yield ValidationError("missing", path=[name])


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not _matches(pattern, instance):
        yield ValidationError("no match")


def _pattern_properties(
    validator: Any, patterns: Mapping[str, Any], instance: Any, schema: Any
) -> Iterator[ValidationError]:
    for name, value in instance.items() if isinstance(instance, dict) else ():
        for pattern, part in patterns.items():
            if _matches(pattern, name):
                yield from validator.descend(value, part, path=name, schema_path=pattern)


def _additional_properties(
    validator: Any, allowed: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    for name, value in instance.items() if isinstance(instance, dict) else ():
        if name in schema.get("properties", {}):
            continue
        if any(_matches(pattern, name) for pattern in schema.get("patternProperties", {})):
            continue
        if allowed is False:
            yield ValidationError("unexpected", path=[name], instance=value)
        else:
            yield from validator.descend(value, allowed, path=name)


def _matches(pattern: str, text: str) -> bool:
    compiled = matcher(pattern)
    return compiled is None or compiled.search(text.encode("utf-8", "replace")) is not None
