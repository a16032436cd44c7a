"""Which request is meant and which tool is right for it, where others look alike."""

import pytest

from tests.providers.rehearsal.stage import (
    CREATE_ISSUE,
    LIST_ISSUES,
    SEARCH,
    WEATHER,
    Conversation,
    tool,
)
from toolsearch_core.tools import ToolDefinition


@pytest.mark.parametrize("cut_off_after", ["the question", "the search"])
def test_a_request_left_unfinished_is_not_taken_up_by_the_next_question(cut_off_after: str) -> None:
    talk = Conversation()
    first = {"type": "text", "text": 'Create an issue titled "Old" in acme/shop'}
    if cut_off_after == "the search":
        talk.ask(first["text"])
        call = talk.calls[0]["id"]
        block = {
            "type": "tool_result",
            "tool_use_id": call,
            "content": '{"found": ["create_issue"]}',
        }
        talk.tools = [CREATE_ISSUE]
        talk.messages.append({"role": "user", "content": [block]})
    else:
        talk.messages.append({"role": "user", "content": [first]})
    second = {"type": "text", "text": "What's the weather in Oslo?"}
    talk.messages[-1]["content"] = [*talk.messages[-1]["content"], second]  # type: ignore[misc]
    talk._answer()
    assert len(talk.queries) == 1
    assert "weather" in talk.queries[0]

    talk.found(WEATHER, CREATE_ISSUE)
    assert (talk.names, talk.arguments) == (["get_weather"], [{"city": "Oslo"}])


@pytest.mark.parametrize(
    "again", ["Do it again.", "try again please", "다시 해 줘", "again", "다시"]
)
def test_again_means_the_request_before(again: str) -> None:
    talk = Conversation(tools=[WEATHER]).ask("What's the weather in Oslo?")
    talk = talk.found(WEATHER) if SEARCH in talk.names else talk
    talk.result(("temporarily unavailable", True)) if talk.calls else None
    talk.result(("temporarily unavailable", True)) if talk.calls else None
    assert talk.calls == []

    talk.ask(again)
    assert (talk.names, talk.arguments) == (["get_weather"], [{"city": "Oslo"}])


def test_a_tool_that_is_always_in_the_request_stands_as_if_the_search_had_found_it() -> None:
    me = tool("get_me", "Get details of the authenticated user, the profile of whoever asks")
    users = tool("search_users", "Find users and their profiles by a query", query="string")
    talk = Conversation(tools=[me]).ask("Show me my profile.")
    talk = talk.found(users) if SEARCH in talk.names else talk

    assert talk.names == ["get_me"]


def test_a_tool_that_is_always_in_the_request_does_not_push_a_better_one_aside() -> None:
    me = tool("get_me", "Get details of the authenticated user, the profile of whoever asks")
    talk = Conversation(tools=[me]).ask("List the issues of octocat/hello").found(LIST_ISSUES)

    assert talk.names == ["list_issues"]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("List the pipelines.", "list_pipelines"),
        ("Show me the pipeline schedules.", "list_pipeline_schedules"),
    ],
)
def test_of_names_that_hold_each_other_the_exact_one_is_called(question: str, name: str) -> None:
    tools = [
        tool("list_pipelines", "Browse CI runs", project_id="string"),
        tool("list_pipeline_schedules", "List the pipeline schedules", project_id="string"),
    ]
    talk = Conversation().ask(question).found(*reversed(tools))

    assert talk.names == [name]


def test_what_a_name_reads_is_not_what_it_does() -> None:
    log = tool("pods_log", "Get the logs of a pod")
    comment = tool("API-retrieve-a-comment", "Get the comments of a block")

    assert Conversation().ask("Show me the pods log").found(log).names == ["pods_log"]
    assert Conversation().ask("Show me the comment").found(comment).names == [comment.wire_name]


BRANCH = tool("create_branch", "Create a branch", owner="string", repo="string", branch="string")


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        (
            "Delete the branch old in acme/shop",
            tool("delete_file", "Delete a file from a repository", repo="string", branch="string"),
        ),
        ("Delete the branch old in acme/shop", BRANCH),
        (
            "Delete issue #5 in acme/shop",
            tool(
                "issue_write",
                "Create or update an issue",
                repo="string",
                method={"type": "string", "enum": ["create", "update"]},
            ),
        ),
    ],
    ids=["another thing", "the opposite", "no such method"],
)
def test_nothing_else_is_deleted_or_changed_where_no_tool_deletes_it(
    question: str, offered: ToolDefinition
) -> None:
    talk = Conversation().ask(question).found(offered)
    if SEARCH in talk.names:
        talk.found(offered)

    assert talk.calls == []
    assert "no tool" in talk.text


def test_what_is_made_under_a_name_gets_that_name() -> None:
    talk = Conversation().ask("Create a branch called hotfix in acme/shop").found(BRANCH)

    assert talk.arguments == [{"owner": "acme", "repo": "shop", "branch": "hotfix"}]
