"""What the real service refuses is refused offline too, and what it takes is taken."""

import contextlib
import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolsearch_core.providers.wire_rules import Refused, check_body

CALL = {"type": "tool_use", "id": "c1", "name": "look", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "c1", "content": "seen"}
USER = {"role": "user", "content": [{"type": "text", "text": "hello"}]}
GOOD: dict[str, Any] = {
    "model": "m",
    "max_tokens": 10,
    "system": "Be brief.",
    "tools": [
        {
            "name": "look",
            "description": "Look somewhere",
            "input_schema": {"type": "object", "properties": {"where": {"type": "string"}}},
        }
    ],
    "messages": [
        USER,
        {"role": "assistant", "content": [{"type": "text", "text": "Looking."}, CALL]},
        {"role": "user", "content": [RESULT, {"type": "text", "text": "and?"}]},
    ],
}


def changed(**parts: Any) -> dict[str, Any]:
    return {**copy.deepcopy(GOOD), **parts}


def with_messages(*messages: Any) -> dict[str, Any]:
    return changed(messages=list(messages))


def with_tool(**parts: Any) -> dict[str, Any]:
    return changed(tools=[{**GOOD["tools"][0], **parts}])


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


TEXT = {"type": "text", "text": "x"}
REFUSED = {
    "no model": changed(model=""),
    "no output limit": changed(max_tokens=0),
    "output limit as text": changed(max_tokens="10"),
    "output limit as truth": changed(max_tokens=True),
    "an unknown key": changed(temperature_of_the_sea=3),
    "system is a number": changed(system=3),
    "an empty system block": changed(system=[{"type": "text", "text": " "}]),
    "no messages": with_messages(),
    "messages are no list": changed(messages="hello"),
    "a message is no object": with_messages("hello"),
    "the first message is the model's": with_messages(assistant(TEXT), USER),
    "the last message is the model's": with_messages(USER, assistant(TEXT)),
    "an unknown role": with_messages(USER, {"role": "system", "content": "x"}, USER),
    "an empty message": with_messages(user()),
    "a blank message": with_messages({"role": "user", "content": "  \n"}),
    "a blank text block": with_messages(user({"type": "text", "text": ""})),
    "a text that is none": with_messages(user({"type": "text", "text": 3})),
    "an unknown block": with_messages(user({"type": "smell"})),
    "a call by the person": with_messages(user(CALL)),
    "a result by the model": with_messages(USER, assistant(RESULT), USER),
    "a call without a result": with_messages(USER, assistant(CALL), USER),
    "a call at the end": with_messages(USER, assistant(CALL)),
    "a result without a call": with_messages(user(RESULT)),
    "a result of an older call": with_messages(
        USER, assistant(CALL), user(RESULT), assistant(TEXT), user(RESULT)
    ),
    "two results for a call": with_messages(USER, assistant(CALL), user(RESULT, RESULT)),
    "a result behind a text": with_messages(USER, assistant(CALL), user(TEXT, RESULT)),
    "an id used twice": with_messages(
        USER, assistant(CALL), user(RESULT), assistant(CALL), user(RESULT)
    ),
    "an id used twice at once": with_messages(USER, assistant(CALL, CALL), user(RESULT)),
    "a strange id": with_messages(USER, assistant({**CALL, "id": "c 1"}), user(RESULT)),
    "a call without arguments": with_messages(
        USER, assistant({**CALL, "input": None}), user(RESULT)
    ),
    "a call of a strange name": with_messages(
        USER, assistant({**CALL, "name": "look here"}), user(RESULT)
    ),
    "a result with a blank text": with_messages(
        USER, assistant(CALL), user({**RESULT, "content": [{"type": "text", "text": ""}]})
    ),
    "a tool without a name": with_tool(name=""),
    "a name with a space": with_tool(name="look here"),
    "a name with a line break": with_tool(name="look\n"),
    "a long name": with_tool(name="x" * 65),
    "two tools of one name": changed(tools=GOOD["tools"] * 2),
    "a description that is none": with_tool(description=3),
    "a tool without a schema": changed(tools=[{"name": "look"}]),
    "a schema of another type": with_tool(input_schema={"type": "string"}),
    "a schema without a type": with_tool(input_schema={"properties": {}}),
    "oneOf at the root": with_tool(input_schema={"type": "object", "oneOf": [{}]}),
    "allOf at the root": with_tool(input_schema={"type": "object", "allOf": [{}]}),
    "anyOf at the root": with_tool(input_schema={"type": "object", "anyOf": [{}]}),
    "a property with a strange name": with_tool(
        input_schema={"type": "object", "properties": {"$a b": {}}}
    ),
    "a schema that is none": with_tool(
        input_schema={"type": "object", "properties": {"a": {"type": "strnig"}}}
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses(name: str) -> None:
    with pytest.raises(Refused) as caught:
        check_body(REFUSED[name])

    assert str(caught.value)


ACCEPTED = {
    "the usual": GOOD,
    "no tools": {key: value for key, value in GOOD.items() if key != "tools"},
    "plain text as content": with_messages({"role": "user", "content": "hello"}),
    "two messages of one role": with_messages(USER, USER),
    "an empty result": with_messages(
        USER, assistant(CALL), user({"type": "tool_result", "tool_use_id": "c1"})
    ),
    "thinking": with_messages(
        USER, assistant({"type": "thinking", "thinking": "hm", "signature": "s"}, TEXT), USER
    ),
    "a combinator below the root": with_tool(
        input_schema={"type": "object", "properties": {"a": {"oneOf": [{"type": "string"}]}}}
    ),
    "a pattern of another dialect": with_tool(
        input_schema={"type": "object", "properties": {"a": {"pattern": r"^\p{L}+$"}}}
    ),
    "a tool of the service": changed(tools=[{"type": "web_search_20250305", "name": "web_search"}]),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepts(name: str) -> None:
    check_body(ACCEPTED[name])


def test_counting_needs_no_output_limit() -> None:
    body = {key: value for key, value in GOOD.items() if key != "max_tokens"}

    check_body(body, counting=True)
    with pytest.raises(Refused):
        check_body(body)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(st.sampled_from(sorted(GOOD)), JSON)
def test_any_json_is_accepted_or_refused(key: str, value: Any) -> None:
    with contextlib.suppress(Refused):
        check_body(changed(**{key: value}))
