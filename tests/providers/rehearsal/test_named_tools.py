"""Questions that name a tool: that one is searched for and called, and its name is no argument."""

import json

import pytest

from tests.providers.rehearsal.stage import SEARCH, Conversation, tool
from toolsearch_core.providers.rehearsal.needs import find_needs

HISTORY = tool("get_channel_history", "Read the messages of a channel", channel="string")
SEND = tool("send_message", "Send a message to a channel", channel="string", text="string")
SEARCH_FILES = tool("search_files", "Find files that hold a text", query="string")
BESIDE = (SEND, SEARCH_FILES)


@pytest.mark.parametrize(
    "question",
    [
        "Please run `get_channel_history` now",
        "call get_channel_history",
        "use get_channel_history",
        "Run the tool get_channel_history",
        "get_channel_history",
        "Can you invoke get_channel_history?",
        "I want you to call the get_channel_history tool.",
        "get_channel_history 실행해 줘",
        "get_channel_history를 호출해 줘",
        "`get_channel_history` 도구로 보여 줘",
    ],
)
def test_a_named_tool_is_searched_for_by_its_name_and_called(question: str) -> None:
    talk = Conversation(tools=BESIDE).ask(question)
    assert talk.queries == ["get_channel_history"]

    talk.found(SEND, HISTORY, SEARCH_FILES)
    assert talk.names == ["get_channel_history"]
    assert "get_channel_history" not in json.dumps(talk.arguments)


@pytest.mark.parametrize("name", ["getChannelHistory", "get-channel_history"])
def test_a_name_written_otherwise_is_the_same_tool(name: str) -> None:
    talk = Conversation().ask(f"call {name} for #general")
    assert talk.queries == [name]

    talk.found(SEND, HISTORY)
    assert (talk.names, talk.arguments) == (["get_channel_history"], [{"channel": "general"}])


def test_a_named_tool_of_the_request_is_called_without_a_search() -> None:
    talk = Conversation(tools=[*BESIDE, HISTORY]).ask("use get_channel_history in #general")

    assert (talk.names, talk.arguments) == (["get_channel_history"], [{"channel": "general"}])


def test_no_other_tool_takes_the_place_of_one_that_does_not_exist() -> None:
    talk = Conversation().ask("Please run delete_old_messages").found(*BESIDE)
    assert talk.names == [SEARCH]

    talk.found(HISTORY)
    assert talk.calls == []
    assert "no tool" in talk.text


def test_a_name_in_the_second_clause_is_for_that_clause() -> None:
    needs = find_needs("Show the channels and then call get_channel_history for #random")

    assert [need.tool for need in needs] == ["", "get_channel_history"]


@pytest.mark.parametrize(
    "question",
    [
        "Create a branch from release_2 in acme/shop",
        "Use feature_x as the base of the pull request",
        "Run the nightly_build workflow in acme/shop",
        "Run nightly_build workflow in acme/shop",
        "Call customer_42",
        "Find the code that calls parse_query",
        'Send "call me" to #general',
        "Show how to call parse_query",
    ],
)
def test_values_are_not_taken_for_tools(question: str) -> None:
    assert [need.tool for need in find_needs(question)] == [""]
