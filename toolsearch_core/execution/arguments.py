"""Arguments of a call, checked by the schema of the tool (JSON Schema, draft 2020-12).

One conversion is made, as models often write numbers as texts: where the schema refuses a text and
would take a number, a text that is a plain decimal number (`"5"`, `"-2.75"`; not `"007"`, `"1e3"` or
`" 5"`) becomes that number.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema import ValidationError

from toolsearch_core.execution.problems import shown, told, wanted_types
from toolsearch_core.execution.rules import errors_of
from toolsearch_core.execution.schema import checkable
from toolsearch_core.jsonvalues import JsonObject, JsonValue
from toolsearch_core.notices import Notice, notice
from toolsearch_core.protocols import ExecutionResult

MAX_PROBLEMS = 5
"""How many problems are told; a further notice gives the number of the rest."""
MAX_ARGUMENT_DEPTH = 64
MAX_REFUSAL_CHARS = 900

_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?")


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedArguments:
    """What the check made of the arguments."""

    arguments: JsonObject
    """A copy for the tool, numbers converted; empty when the arguments were no object."""
    problems: tuple[Notice, ...]
    """Each names the place, the rule, the value and what is allowed; empty when all is well."""


def check_arguments(schema: JsonValue, arguments: JsonValue) -> CheckedArguments:
    """Check the arguments; a bad schema is no error, its bad parts are not checked."""
    if not isinstance(arguments, Mapping):
        problem = notice("execution.not_an_object", value=shown(arguments))
        return CheckedArguments(arguments={}, problems=(problem,))
    if _is_deeper(arguments, MAX_ARGUMENT_DEPTH):
        problem = notice("execution.too_deep", limit=MAX_ARGUMENT_DEPTH)
        return CheckedArguments(arguments={}, problems=(problem,))
    plain: dict[str, Any] = _plain(arguments)
    root = checkable(schema)
    errors = [_specific(error) for error in errors_of(root, plain)]
    converted = [_convert(plain, error) for error in errors]
    if any(converted):
        errors = [_specific(error) for error in errors_of(root, plain)]
    problems = [told(error) for error in errors[:MAX_PROBLEMS]]
    if len(errors) > MAX_PROBLEMS:
        problems.append(notice("execution.more_problems", count=len(errors) - MAX_PROBLEMS))
    return CheckedArguments(arguments=plain, problems=tuple(problems))


def refusal(problems: Sequence[Notice], *, simulated: bool) -> ExecutionResult:
    """What goes back to the model for bad arguments: the place and the rule of each problem."""
    lines = ["The arguments were refused; nothing was run."]
    lines += [f"- {problem.text}" for problem in problems]
    text = "\n".join([*lines, "Correct the arguments and call again."])
    return ExecutionResult(
        content=text if len(text) <= MAX_REFUSAL_CHARS else text[: MAX_REFUSAL_CHARS - 1] + "…",
        outcome="invalid_arguments",
        simulated=simulated,
        problems=tuple(problems),
    )


def _specific(error: ValidationError) -> ValidationError:
    """Where one branch alone fits the kind of the value, the error inside that branch says more."""
    while error.context:
        branches: dict[object, list[ValidationError]] = {}
        for inner in error.context:
            if inner.schema_path:  # a branch that is just `false` has none and never fits
                branches.setdefault(inner.schema_path[0], []).append(inner)
        fitting = [inner for inner in branches.values() if not any(map(_is_of_other_kind, inner))]
        if len(fitting) != 1:
            return error
        error = fitting[0][0]
    return error


def _is_of_other_kind(error: ValidationError) -> bool:
    return error.validator in ("type", "const", "enum") and not error.path


def _convert(arguments: dict[str, Any], error: ValidationError) -> bool:
    """Put the number in the place of a text that spells it; whether that was done."""
    types, text = wanted_types(error), error.instance
    if not isinstance(text, str) or not _PLAIN_NUMBER.fullmatch(text):
        return False
    if "number" not in types and ("integer" not in types or "." in text):
        return False
    *way, last = error.absolute_path
    holder: Any = arguments
    for step in way:
        holder = holder[step]
    holder[last] = float(text) if "." in text else int(text)
    return True


def _is_deeper(value: JsonValue, limit: int) -> bool:
    if limit < 0:
        return True
    inner: Iterable[JsonValue] = ()
    if isinstance(value, Mapping):
        inner = value.values()
    elif isinstance(value, list | tuple):
        inner = value
    return any(_is_deeper(each, limit - 1) for each in inner)


def _plain(value: Any) -> Any:
    """A copy made of dicts and lists."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
