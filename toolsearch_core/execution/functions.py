"""Python functions as tools: the definition read off the signature, the call checked, then made."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, cast

from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ArgsKwargs, PydanticSerializationError, to_json

from toolsearch_core.catalog.findings import Findings, RejectedError
from toolsearch_core.catalog.schemas import accepted_schema
from toolsearch_core.catalog.wire_names import (
    ACCEPTED_NAMES,
    is_accepted,
    is_accepted_argument,
)
from toolsearch_core.errors import SettingsError, fault_text
from toolsearch_core.execution.arguments import check_arguments, refusal
from toolsearch_core.jsonvalues import JsonObject, compact_json, whole_characters
from toolsearch_core.protocols import ExecutionOutcome, ExecutionResult, ToolExecutor
from toolsearch_core.tools import ToolDefinition

MAX_RESULT_CHARS = 100_000
"""A longer result is cut, and says so."""
MAX_YIELDED = 1000
"""Of a function that yields its result, so many items count."""
NO_OUTPUT = "The tool ran and gave no output."

Function = Callable[..., object]


class _Untitled(GenerateJsonSchema):
    """Without the titles that repeat the names of the parameters, as each would be paid for."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False


@dataclass(frozen=True, kw_only=True, slots=True)
class FunctionTool:
    """A function and the definition that a model reads."""

    definition: ToolDefinition
    function: Function = field(hash=False)


def function_tool(
    function: Function,
    *,
    name: str = "",
    description: str = "",
    pinned: bool = False,
    return_direct: bool = False,
) -> FunctionTool:
    """Make a tool of a function.

    Args:
        function: its parameters become the schema, by their types (`Annotated[str, Field(description=…)]`
            describes one), its docstring the description. Not a coroutine.
        name: what the model calls it; the function's name when left out.
        description: what it does; the docstring when left out.
        pinned: always injected, never searched for, never dropped.
        return_direct: its result is the answer of the turn.

    Raises:
        SettingsError: it is no function that can be called with a JSON object, or its name is none
            that the Messages API takes.
    """
    plain = callable(function) and not inspect.isclass(function)
    if not plain or any(map(_is_async, (function, getattr(function, "__call__", None)))):  # noqa: B004
        raise _refused(function, "a function, and neither a class nor a coroutine")
    called = name or getattr(function, "__name__", type(function).__name__)
    if not isinstance(called, str) or not isinstance(description, str):
        raise _refused(function, "a name and a description that are texts")
    if not is_accepted(called):
        raise _refused(called, f"a name of {ACCEPTED_NAMES}")
    return FunctionTool(
        definition=ToolDefinition(
            name=called,
            wire_name=called,
            description=whole_characters(description or inspect.getdoc(function) or ""),
            input_schema=_schema(function, called),
            pinned=pinned,
            return_direct=return_direct,
        ),
        function=function,
    )


def _schema(function: Function, called: str) -> JsonObject:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError as fault:
        raise _refused(called, "a function that shows its parameters") from fault
    if any(each.kind in (each.POSITIONAL_ONLY, each.VAR_POSITIONAL) for each in parameters):
        raise _refused(called, "a function whose parameters can all be given by name")
    strange = [each.name for each in parameters if not is_accepted_argument(each.name)]
    if strange:
        raise _refused(
            f"{called}({strange[0]})", "parameters named by letters a to z, digits and _"
        )
    try:
        schema = _adapter(function).json_schema(schema_generator=_Untitled)
        compact_json(schema).encode()
        return accepted_schema(schema, Findings()).sent
    except (PydanticUserError, NameError, TypeError, ValueError, RejectedError) as fault:
        why = (fault_text(fault).splitlines() or [""])[0]
        raise _refused(called, f"a function whose parameters have JSON types; {why}") from fault


def _is_async(function: object) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


def _adapter(function: Function) -> TypeAdapter[object]:
    return TypeAdapter(cast(Any, function))  # Pydantic's own types know no functions


def _refused(value: object, allowed: str) -> SettingsError:
    return SettingsError("settings.out_of_range", option="tool", value=str(value), allowed=allowed)


class FunctionExecutor:
    """Runs functions; tools that are none are run by somebody else."""

    def __init__(self, functions: Mapping[str, Function], otherwise: ToolExecutor) -> None:
        """Set up.

        Args:
            functions: wire name -> function.
            otherwise: runs all other tools.
        """
        self._functions = dict(functions)
        self._otherwise = otherwise

    def execute(self, tool: ToolDefinition, arguments: JsonObject) -> ExecutionResult:
        """Check the arguments by the schema, then call; what the function raises is its result."""
        function = self._functions.get(tool.wire_name)
        if function is None:
            return self._otherwise.execute(tool, arguments)
        checked = check_arguments(tool.input_schema, arguments)
        if checked.problems:
            return refusal(checked.problems, simulated=False)
        outcome: ExecutionOutcome = "executed"
        try:
            given = ArgsKwargs((), dict(checked.arguments))
            content = _text(_adapter(function).validate_python(given))
        except KeyboardInterrupt:
            raise
        except BaseException as fault:  # noqa: BLE001 - a function may raise anything, to leave too
            outcome, content = "failed", fault_text(fault)
        return ExecutionResult(content=_fitting(content), outcome=outcome, simulated=False)


def _text(result: object) -> str:
    """A text as it is, all else as JSON; what JSON has no word for as Python words it."""
    if isinstance(result, str):
        return result
    if result is None:
        return ""
    if isinstance(result, Iterator):
        result = list(islice(result, MAX_YIELDED))
    try:
        return to_json(result, fallback=str).decode()
    except (PydanticSerializationError, ValueError, RecursionError):
        return str(result)


def _fitting(content: str) -> str:
    text = whole_characters(content) if content.strip() else NO_OUTPUT
    if len(text) <= MAX_RESULT_CHARS:
        return text
    return f"{text[:MAX_RESULT_CHARS]}… (cut; {len(text)} characters in all)"
