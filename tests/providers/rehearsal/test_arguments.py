"""Arguments are what the question says, where it says it; then what is known; then made up."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.providers.rehearsal.stage import tool
from toolsearch_core.providers.rehearsal.arguments import Filled, fill
from toolsearch_core.providers.rehearsal.memory import Memory
from toolsearch_core.providers.rehearsal.needs import find_needs
from toolsearch_core.tools import ToolDefinition


def filled(question: str, made: ToolDefinition, memory: Memory | None = None) -> Filled:
    return fill(made, find_needs(question)[-1], memory or Memory())


def optional(**properties: Mapping[str, Any]) -> ToolDefinition:
    """A tool whose properties may all be left out."""
    schema = {"type": "object", "properties": dict(properties)}
    return ToolDefinition(name="do_it", wire_name="do_it", input_schema=schema)


STRING = {"type": "string"}
INTEGER = {"type": "integer"}
SAID: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ('Create an issue titled "It is broken"', {"title": STRING}, {"title": "It is broken"}),
    ("Create a page called 'Plan'", {"title": STRING}, {"title": "Plan"}),
    ("Comment on it saying all is well", {"body": STRING}, {"body": "all is well"}),
    (
        "List the issues of acme/shop",
        {"owner": STRING, "repo": STRING},
        {"owner": "acme", "repo": "shop"},
    ),
    ("Close issue #12", {"issue_number": INTEGER}, {"issue_number": 12}),
    ("Retry pipeline 8812", {"pipeline_id": STRING}, {"pipeline_id": "8812"}),
    ("Show OPS-7", {"issue_key": STRING}, {"issue_key": "OPS-7"}),
    (
        "Invite kim@example.com and lee@example.com",
        {"attendees": {"type": "array", "items": STRING}},
        {"attendees": ["kim@example.com", "lee@example.com"]},
    ),
    ("Fetch https://example.com/a", {"url": STRING}, {"url": "https://example.com/a"}),
    ("Read /etc/hosts", {"path": STRING}, {"path": "/etc/hosts"}),
    (
        "Show the README.md on the main branch",
        {"path": STRING, "ref": STRING},
        {"path": "README.md", "ref": "main"},
    ),
    (
        "Make a branch called fix/login in acme/web",
        {"branch": STRING, "owner": STRING, "repo": STRING},
        {"branch": "fix/login", "owner": "acme", "repo": "web"},
    ),
    (
        "List events on 2026-03-02",
        {"date": {"type": "string", "format": "date"}},
        {"date": "2026-03-02"},
    ),
    (
        "Meet on 2026-03-02 at 3pm",
        {
            "start_time": {"type": "string", "format": "date-time"},
            "end_time": {"type": "string", "format": "date-time"},
        },
        {"start_time": "2026-03-02T15:00:00Z", "end_time": "2026-03-02T16:00:00Z"},
    ),
    (
        "2026년 3월 2일 오후 3시에 회의를 잡아 줘",
        {"start_time": STRING},
        {"start_time": "2026-03-02T15:00:00"},
    ),
    ("Mute it for two hours", {"minutes": INTEGER}, {"minutes": 120}),
    ("Log 2h of work", {"time_spent": STRING}, {"time_spent": "2h"}),
    ("Charge $25.50", {"amount": {"type": "number"}}, {"amount": 25.5}),
    ("Make a coupon of 20 percent off", {"percent_off": INTEGER}, {"percent_off": 20}),
    ("Show the top 5 posts", {"limit": INTEGER}, {"limit": 5}),
    ("List the open issues", {"state": {"enum": ["open", "closed", "all"]}}, {"state": "open"}),
    ("열린 이슈를 보여 줘", {"state": {"enum": ["OPEN", "CLOSED"]}}, {"state": "OPEN"}),
    ("Create a private repository", {"private": {"type": "boolean"}}, {"private": True}),
    ("Show it without comments", {"comments": {"type": "boolean"}}, {"comments": False}),
    ("What is the weather in Oslo, Norway?", {"location": STRING}, {"location": "Oslo, Norway"}),
    ("서울 날씨를 알려 줘", {"city": STRING}, {"city": "서울"}),
    ("Find pages about onboarding", {"query": STRING}, {"query": "onboarding"}),
    ("Post it to #general", {"channel": STRING}, {"channel": "general"}),
    ("Read A1:B2", {"range": STRING}, {"range": "A1:B2"}),
    ("Refund pi_3N", {"payment_intent": STRING, "customer": STRING}, {"payment_intent": "pi_3N"}),
    (
        "How do I get from Central Station to the art museum by tram?",
        {"origin": STRING, "destination": STRING},
        {"origin": "Central Station", "destination": "art museum"},
    ),
    (
        "강남에서 인천공항1터미널까지 어떻게 가?",
        {"from_station": STRING, "to_station": STRING},
        {"from_station": "강남", "to_station": "인천공항1터미널"},
    ),
    (
        "Open a pull request from branch fix/login to main in acme/shop",
        {"owner": STRING, "repo": STRING, "head": STRING, "base": STRING},
        {"owner": "acme", "repo": "shop", "head": "fix/login", "base": "main"},
    ),
    (
        "How much is 250 euros in Japanese yen?",
        {"amount": {"type": "number"}, "from_currency": STRING, "to_currency": STRING},
        {"amount": 250, "from_currency": "EUR", "to_currency": "JPY"},
    ),
    (
        "250유로는 일본 엔으로 얼마야?",
        {"amount": {"type": "number"}, "from_currency": STRING, "to_currency": STRING},
        {"amount": 250, "from_currency": "EUR", "to_currency": "JPY"},
    ),
    (
        "What can I cook with leeks, onions and potatoes in 30 minutes?",
        {"ingredients": {"type": "array", "items": STRING}, "max_minutes": INTEGER},
        {"ingredients": ["leeks", "onions", "potatoes"], "max_minutes": 30},
    ),
    (
        "미나와 요나스가 모두 비는 시간을 찾아 줘",
        {"attendees": {"type": "array", "items": STRING}},
        {"attendees": ["미나", "요나스"]},
    ),
    ("서울 마포구 날씨 어때?", {"region": STRING}, {"region": "서울 마포구"}),
    (
        "The checkout is broken. Declare an incident.",
        {"title": STRING},
        {"title": "The checkout is broken"},
    ),
    (
        "Convert 5 miles to km",
        {"value": {"type": "number"}, "from_unit": STRING, "to_unit": STRING},
        {"value": 5, "from_unit": "miles", "to_unit": "km"},
    ),
    (
        "Translate good morning into Korean",
        {"text": STRING, "target_language": STRING},
        {"text": "good morning", "target_language": "Korean"},
    ),
    (
        "Book it on March 2",
        {"date": {"type": "string", "format": "date"}},
        {"date": "2026-03-02"},
    ),
    (
        "List issues in acme/shop labelled bug and urgent",
        {"labels": {"type": "array", "items": STRING}},
        {"labels": ["bug", "urgent"]},
    ),
    ("Find issues assigned to jane in acme/shop", {"assignee": STRING}, {"assignee": "jane"}),
    (
        "Create a ticket about the login, assigned to jane",
        {"assignees": {"type": "array", "items": STRING}},
        {"assignees": ["jane"]},
    ),
    ("Open a ticket with priority high", {"priority": STRING}, {"priority": "high"}),
    ("Show commits written by Jane Doe", {"author": STRING}, {"author": "Jane Doe"}),
    (
        "List commits on branch develop of acme/shop",
        {"sha": {"type": "string", "description": "Commit SHA, branch or tag name to list"}},
        {"sha": "develop"},
    ),
    (
        "acme/shop의 develop 브랜치 커밋을 보여 줘",
        {"sha": {"type": "string", "description": "Commit SHA, branch or tag name to list"}},
        {"sha": "develop"},
    ),
    (
        "bug 라벨이 붙은 이슈를 보여 줘",
        {"labels": {"type": "array", "items": STRING}},
        {"labels": ["bug"]},
    ),
    ("jane에게 배정된 이슈를 보여 줘", {"assignee": STRING}, {"assignee": "jane"}),
    (
        "Remind me to water the plants tomorrow at 8 am",
        {"text": STRING, "remind_at": {"type": "string", "format": "date-time"}},
        {"text": "water the plants", "remind_at": "2026-01-16T08:00:00Z"},
    ),
    (
        "Close issue #12",
        {"state": {"enum": ["open", "closed"]}, "number": INTEGER},
        {"state": "closed", "number": 12},
    ),
    (
        "Rerun the failed jobs of workflow run 77",
        {"method": {"enum": ["run_workflow", "rerun_workflow_run", "rerun_failed_jobs"]}},
        {"method": "rerun_failed_jobs"},
    ),
    (
        "연봉 5000만원이면 실수령액이 얼마야?",
        {"gross_amount": INTEGER},
        {"gross_amount": 50_000_000},
    ),
    ("1억 5천만 원을 송금해 줘", {"amount": INTEGER}, {"amount": 150_000_000}),
    ("42번 이슈를 닫아 줘", {"issue_iid": STRING}, {"issue_iid": "42"}),
    ("PROJ 프로젝트를 보여 줘", {"project_key": STRING}, {"project_key": "PROJ"}),
    ('"안녕"이라는 제목으로 글을 써 줘', {"title": STRING}, {"title": "안녕"}),
]


@pytest.mark.parametrize(
    ("question", "properties", "expected"), SAID, ids=[case[0] for case in SAID]
)
def test_a_property_gets_what_the_question_says(
    question: str, properties: dict[str, Any], expected: dict[str, Any]
) -> None:
    schema = {"type": "object", "properties": properties, "required": list(expected)}
    made = ToolDefinition(name="do_it", wire_name="do_it", input_schema=schema)

    assert filled(question, made).arguments == expected
    assert filled(question, made).invented == ()


def test_an_optional_property_stays_out_when_the_question_does_not_say_it() -> None:
    made = optional(
        state={"enum": ["open", "closed"]},
        limit=INTEGER,
        title=STRING,
        dry_run={"type": "boolean"},
        since={"type": "string", "format": "date"},
        labels={"type": "array", "items": STRING},
        filter={"type": "object", "properties": {"by": STRING}, "required": ["by"]},
    )

    assert filled("List the issues", made).arguments == {}


def test_what_is_said_for_one_property_goes_to_no_other() -> None:
    repository = {"owner": STRING, "repo": STRING}

    assert filled("Fork the repository acme/shop", optional(**repository, organization=STRING)) == (
        Filled({"owner": "acme", "repo": "shop"}, (), ("\ue000",))
    )
    assert filled("List commits of acme/shop", optional(**repository, path=STRING)).arguments == {
        "owner": "acme",
        "repo": "shop",
    }
    assert filled(
        "List commits of docs/intro.md in acme/shop", optional(**repository, path=STRING)
    ).arguments == {
        "owner": "acme",
        "repo": "shop",
        "path": "docs/intro.md",
    }


def test_a_new_branch_does_not_come_from_itself() -> None:
    schema = {
        "type": "object",
        "properties": {"branch": STRING, "from_branch": STRING},
        "required": ["branch"],
    }
    made = ToolDefinition(name="create_branch", wire_name="create_branch", input_schema=schema)

    assert filled("Create a branch called fix-login", made).arguments == {"branch": "fix-login"}


def test_a_date_is_no_time_of_day() -> None:
    clock = {"type": "string", "description": "Earliest departure, HH:MM"}

    assert filled("Trains next Monday", optional(depart_after=clock)).arguments == {}
    assert filled("Trains next Monday at 9:30", optional(depart_after=clock)).arguments == {
        "depart_after": "09:30"
    }


def test_an_end_never_lies_before_its_start() -> None:
    moment = {"type": "string", "format": "date-time"}
    made = optional(start_time=moment, end_time=moment)

    assert filled("Events from 2026-03-02 to 2026-03-05", made).arguments == {
        "start_time": "2026-03-02T00:00:00Z",
        "end_time": "2026-03-05T00:00:00Z",
    }
    assert filled("Events from 2026-03-05 to 2026-03-02", made).arguments == {
        "start_time": "2026-03-05T00:00:00Z"
    }
    assert filled("Meet tomorrow from 9:00 to 10:30", made).arguments == {
        "start_time": "2026-01-16T09:00:00Z",
        "end_time": "2026-01-16T10:30:00Z",
    }


@pytest.mark.parametrize(
    ("question", "name", "schema"),
    [
        ("Find issues assigned to jane", "assignee_id", STRING),
        ('Create a page titled "Weekly notes"', "page_id", STRING),
        ("Post to #general", "channel_types", STRING),
        ("내일 일정을 보여 줘", "calendar_id", STRING),
        ("Meet tomorrow", "expiry_date_time", {"type": "string", "format": "date-time"}),
        (
            "Open a ticket with priority high",
            "additional_fields",
            {"type": "string", "description": "JSON string with fields like 'priority'"},
        ),
    ],
)
def test_a_value_of_another_kind_is_not_taken(
    question: str, name: str, schema: Mapping[str, Any]
) -> None:
    assert filled(question, optional(**{name: schema})).arguments == {}


def test_a_city_names_its_time_zone() -> None:
    made = tool("get_time", "Tell the time in a zone", timezone="string")

    assert filled("What time is it in Oslo?", made).arguments == {"timezone": "Europe/Oslo"}


def test_a_common_noun_of_the_tool_is_no_city() -> None:
    made = tool("get_showtimes", "Which films run in the cinemas of a city", city="string")

    assert filled("What's on in the cinema on Friday?", made).invented == ("city",)


def test_a_required_property_that_nobody_said_is_made_up_and_named() -> None:
    made = filled(
        "List the issues", tool("list_issues", "List issues", owner="string", page="integer")
    )

    assert isinstance(made.arguments["owner"], str)
    assert isinstance(made.arguments["page"], int)
    assert made.invented == ("owner", "page")


def test_a_default_a_constant_and_an_option_are_not_made_up() -> None:
    made = tool(
        "x",
        "",
        a={"type": "string", "default": "d"},
        b={"const": 3},
        c={"enum": ["first", "second"]},
    )

    assert filled("Do it", made) == Filled({"a": "d", "b": 3, "c": "first"}, ())


def test_an_option_is_chosen_by_the_kind_of_action() -> None:
    made = tool("issue_write", "", method={"enum": ["create", "update", "delete"]})

    assert filled("Delete the issue", made).arguments == {"method": "delete"}
    assert filled("이슈를 만들어 줘", made).arguments == {"method": "create"}


def test_options_in_a_description_are_options() -> None:
    made = tool(
        "x", "", kind={"type": "string", "description": "Issue type, e.g. 'Task', 'Bug', 'Epic'"}
    )

    assert filled("File a bug", made).arguments == {"kind": "Bug"}
    assert filled("Do it", made).arguments == {"kind": "Task"}


def test_the_address_of_the_person_is_not_that_of_the_recipient() -> None:
    made = tool("send", "", user_google_email="string", to="string")

    assert filled("Email kim@example.com", made).arguments["to"] == "kim@example.com"
    assert filled("Email kim@example.com", made).arguments["user_google_email"] != "kim@example.com"


def test_a_value_is_given_to_one_property_only() -> None:
    made = tool("x", "", title="string", body="string")
    arguments = filled('Write "Hello" saying all is well', made).arguments

    assert arguments == {"title": "Hello", "body": "all is well"}


def test_what_an_earlier_call_had_is_taken_over_but_not_its_words() -> None:
    memory = Memory(calls=({"owner": "acme", "title": "Old"}, {"owner": "older", "repo": "shop"}))
    made = filled(
        "Create an issue there",
        tool("x", "", owner="string", repo="string", title="string"),
        memory,
    )

    assert made.arguments["owner"] == "acme"
    assert made.arguments["repo"] == "shop"
    assert made.arguments["title"] != "Old"


def test_what_is_left_beside_the_words_of_the_tool_is_for_what_nothing_else_fits() -> None:
    made = tool("get_on_call", "Tell who is on call", service="string")

    assert filled("Who is on call for payments right now?", made).arguments == {
        "service": "payments"
    }


def test_a_channel_keeps_its_mark_where_the_description_has_it() -> None:
    made = tool("x", "", channel={"type": "string", "description": "A channel name with #"})

    assert filled("Post it to #general", made).arguments == {"channel": "#general"}


def test_now_is_what_a_clock_has_just_told() -> None:
    clock = {"date": "2026-03-30", "time": "14:30", "utc_offset": "+02:00"}
    made = tool("find_shops", "", open_at={"type": "string", "format": "date-time"})

    assert filled("Which shops are open now?", made, Memory(results=(clock,))) == Filled(
        {"open_at": "2026-03-30T14:30:00+02:00"}, ()
    )


def test_what_an_earlier_result_names_is_used() -> None:
    memory = Memory(results=({"file": {"id": "f_1", "name": "Plan"}}, {"sheetId": 7}))
    made = tool("copy_file", "", file_id="string", sheet_id="integer")

    assert filled("Find the file and copy it", made, memory).arguments == {
        "file_id": "f_1",
        "sheet_id": 7,
    }
