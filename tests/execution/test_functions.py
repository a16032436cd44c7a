"""Python functions as tools: definition from the signature, arguments checked, results as text."""

import asyncio
import datetime
import itertools
import threading
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from toolsearch_core.errors import SettingsError
from toolsearch_core.execution import FunctionExecutor, SimulatedExecutor, function_tool
from toolsearch_core.execution.functions import MAX_RESULT_CHARS, NO_OUTPUT
from toolsearch_core.tools import ToolDefinition


class Tree(BaseModel):
    name: str
    inner: "list[Tree]" = []


def plant(tree: Tree) -> str:
    """Plant a tree."""
    return tree.name


async def many() -> object:
    yield 1


class Later:
    async def __call__(self) -> int:
        return 1


class Color(Enum):
    RED = "red"


class Point(BaseModel):
    x: float
    y: float = 0


def book(
    room: Annotated[str, Field(description="Which room")],
    day: datetime.date,
    title: str = "Meeting",
    people: list[str] | None = None,
    kind: Literal["short", "long"] = "short",
) -> dict[str, object]:
    """Book a meeting room.

    Only free rooms.
    """
    return {"room": room, "day": day, "title": title, "people": people, "kind": kind}


def run(function, arguments, **more):
    tool = function_tool(function, **more)
    executor = FunctionExecutor({tool.definition.wire_name: function}, SimulatedExecutor())
    return executor.execute(tool.definition, arguments)


def test_the_signature_becomes_the_definition():
    tool = function_tool(book, return_direct=True, pinned=True).definition

    assert (tool.name, tool.wire_name, tool.return_direct, tool.pinned) == (
        "book",
        "book",
        True,
        True,
    )
    assert tool.description == "Book a meeting room.\n\nOnly free rooms."
    assert tool.input_schema["required"] == ["room", "day"]
    assert tool.input_schema["additionalProperties"] is False
    properties = tool.input_schema["properties"]
    assert list(properties) == ["room", "day", "title", "people", "kind"]
    assert properties["room"] == {"description": "Which room", "type": "string"}
    assert properties["title"] == {"default": "Meeting", "type": "string"}
    assert properties["day"] == {"format": "date", "type": "string"}
    assert properties["kind"]["enum"] == ["short", "long"]


def test_a_name_and_a_description_of_ones_own_win():
    tool = function_tool(book, name="reserve", description="Reserve").definition
    assert (tool.wire_name, tool.description) == ("reserve", "Reserve")


def test_arguments_arrive_as_the_types_of_the_signature():
    result = run(book, {"room": "A", "day": "2026-03-01", "people": ["x"]})

    assert result.outcome == "executed"
    assert not result.simulated
    assert result.content == (
        '{"room":"A","day":"2026-03-01","title":"Meeting","people":["x"],"kind":"short"}'
    )

    def move(to: Point, color: Color) -> str:
        return f"{to.x:.0f} {to.y:.0f} {color.name}"

    assert run(move, {"to": {"x": 1}, "color": "red"}).content == "1 0 RED"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"day": "2026-03-01"}, "room"),
        ({"room": "A", "day": "2026-03-01", "kind": "endless"}, "kind"),
        ({"room": 5, "day": "2026-03-01"}, "room"),
        ({"room": "A", "day": "2026-03-01", "more": 1}, "more"),
        (None, "object"),
    ],
)
def test_arguments_that_do_not_fit_never_reach_the_function(arguments, told):
    called = []

    def counting(room: str, day: datetime.date, kind: Literal["short", "long"] = "short") -> None:
        called.append(room)

    result = run(counting, arguments)
    assert (result.outcome, called) == ("invalid_arguments", [])
    assert told in result.content
    assert result.problems
    assert not result.simulated


def test_what_only_the_type_refuses_is_told_too():
    result = run(book, {"room": "A", "day": "never"})
    assert result.outcome in ("failed", "invalid_arguments")
    assert "day" in result.content


def test_what_a_function_raises_is_its_result():
    def broken(x: int) -> None:
        raise ValueError("no such room")

    result = run(broken, {"x": 1})
    assert (result.outcome, result.content) == ("failed", "ValueError: no such room")


@dataclass
class Room:
    name: str


@pytest.mark.parametrize(
    ("result", "content"),
    [
        ("text", "text"),
        (None, NO_OUTPUT),
        ("  ", NO_OUTPUT),
        (3, "3"),
        ([1, "a", None], '[1,"a",null]'),
        (Room("A"), '{"name":"A"}'),
        (Point(x=1), '{"x":1.0,"y":0.0}'),
        ({"at": datetime.date(2026, 3, 1)}, '{"at":"2026-03-01"}'),
        ({1: object}, '{"1":"<class \'object\'>"}'),
        (float("nan"), "NaN"),
        ("half \ud800 character", "half \ufffd character"),
    ],
)
def test_any_result_becomes_text(result, content):
    def giving() -> object:
        return result

    answer = run(giving, {})
    assert answer.outcome == "executed"
    assert answer.content.casefold() == content.casefold()


def test_a_result_in_a_circle_and_an_endless_one_are_bounded():
    circle: list[object] = []
    circle.append(circle)

    assert run(lambda: circle, {}, name="circle").content
    long = run(lambda: "x" * (MAX_RESULT_CHARS + 1), {}, name="long").content
    assert long.endswith(f"(cut; {MAX_RESULT_CHARS + 1} characters in all)")


async def later() -> str:
    return "later"


def positional(x: int, /) -> int:
    return x


def variable(*xs: int) -> int:
    return 0


def foreign(x: threading.Thread) -> int:
    return 0


def korean(도시: str) -> str:
    return 도시


def never_ends(x: float = float("inf")) -> float:
    return x


def unknown(x: "Nowhere") -> None:  # type: ignore[name-defined]  # noqa: F821
    return None


@pytest.mark.parametrize(
    ("function", "more"),
    [
        (never_ends, {}),
        (many, {}),
        (Later(), {}),
        (Point, {}),
        (book, {"name": 5}),
        (book, {"description": 5}),
        (unknown, {}),
        (korean, {}),
        (later, {}),
        (positional, {}),
        (variable, {}),
        (foreign, {}),
        ("text", {}),
        (None, {}),
        (lambda: 1, {}),
        (book, {"name": "two words"}),
        (book, {"name": "tool_search_tool"}),
        (book, {"name": "x" * 65}),
        (len, {}),
        (int, {}),
    ],
)
def test_what_cannot_be_a_tool_is_refused_with_what_is_allowed(function, more):
    with pytest.raises(SettingsError) as caught:
        function_tool(function, **more)
    assert caught.value.notice.params["option"] == "tool"


def test_a_result_without_end_and_an_exit_are_bounded_too():
    def endless() -> object:
        return itertools.count()

    def leaving() -> None:
        raise SystemExit(3)

    assert run(endless, {}).content.startswith("[0,1,2,")
    assert (run(leaving, {}).outcome, run(leaving, {}).content) == ("failed", "SystemExit: 3")


def test_a_type_that_holds_itself_can_be_sent_and_called():
    schema = function_tool(plant).definition.input_schema
    assert schema["type"] == "object"
    assert "combinator" not in schema
    arguments = {"tree": {"name": "oak", "inner": [{"name": "twig"}]}}
    assert run(plant, arguments).content == "oak"


@pytest.mark.parametrize("fault", [GeneratorExit(), asyncio.CancelledError(), Exception("\ud800")])
def test_nothing_that_a_function_raises_leaves_the_executor_but_an_interrupt(fault):
    def broken() -> None:
        raise fault

    assert run(broken, {}).outcome == "failed"

    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(interrupted, {})


def test_half_characters_in_a_description_are_mended():
    assert function_tool(book, description="a\ud800b").definition.description == "a\ufffdb"


def test_a_method_is_a_tool_without_its_self():
    class Desk:
        def __init__(self) -> None:
            self.calls = 0

        def ring(self, times: int = 1) -> int:
            self.calls += times
            return self.calls

    desk = Desk()
    assert list(function_tool(desk.ring).definition.input_schema["properties"]) == ["times"]
    assert run(desk.ring, {"times": 2}).content == "2"


def test_tools_that_are_no_functions_are_left_to_the_other_executor():
    executor = FunctionExecutor({}, SimulatedExecutor())
    result = executor.execute(ToolDefinition(name="x", wire_name="x"), {})
    assert result.simulated


@given(st.dictionaries(st.text(max_size=8), st.none() | st.integers() | st.text(), max_size=4))
def test_no_arguments_break_the_executor(arguments):
    assert run(book, arguments).content
