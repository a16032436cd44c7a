"""Simulated results fit the tool and the arguments, and say that they are simulated."""

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolsearch_core.catalog import load_catalog
from toolsearch_core.execution import SimulatedExecutor
from toolsearch_core.execution.arguments import MAX_REFUSAL_CHARS
from toolsearch_core.execution.simulated import MAX_CHARS
from toolsearch_core.protocols import ExecutionResult
from toolsearch_core.tools import ToolDefinition

HANGUL = re.compile("[가-힣]")
MOMENT = re.compile(r"2026-\d\d-\d\dT\d\d:\d\d:00Z")


def tool(name: str, description: str = "", *parameters: str) -> ToolDefinition:
    """A tool with these parameters, of any type."""
    schema = {"type": "object", "properties": {each: {} for each in parameters}}
    return ToolDefinition(name=name, wire_name="t", description=description, input_schema=schema)


def run(name: str, description: str = "", **arguments: Any) -> dict[str, Any]:
    """What a tool of this name answers, as an object."""
    result = SimulatedExecutor().execute(tool(name, description, *arguments), arguments)
    assert (result.outcome, result.simulated, result.problems) == ("executed", True, ())
    assert len(result.content) <= MAX_CHARS
    answer = json.loads(result.content)
    assert next(iter(answer.items())) == ("simulated", True)
    return answer


def items(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """The list of an answer."""
    (found,) = [value for value in answer.values() if isinstance(value, list)]
    return found


# Lists


@pytest.mark.parametrize(
    "name",
    [
        "list_repairs",
        "searchRepairs",
        "repairs_list",
        "find-open-repairs",
        "query_all_repairs",
        "get_repairs",
    ],
)
def test_a_tool_that_lists_gives_two_or_three_things_and_their_number(name: str) -> None:
    answer = run(name)

    assert 2 <= len(items(answer)) <= 3
    assert answer["total"] == len(items(answer))
    assert len({json.dumps(each) for each in items(answer)}) == len(items(answer))
    assert next(reversed(answer)).endswith("repairs")


def test_a_list_is_no_longer_than_was_asked_for() -> None:
    answer = run("list_repairs", limit=1)

    assert len(items(answer)) == 1
    assert answer["total"] >= 1
    assert "limit" not in answer


def test_the_things_of_a_list_are_as_the_filters_ask() -> None:
    answer = run("list_work_orders", status="waiting for parts", priority="high")

    assert [(each["status"], each["priority"]) for each in items(answer)] == [
        ("waiting for parts", "high")
    ] * len(items(answer))


def test_search_words_show_in_the_titles_that_are_found() -> None:
    answer = run("search_manuals", query="brake pads")

    assert all("brake pads" in each["title"] for each in items(answer))
    assert answer["query"] == "brake pads"


def test_a_plural_with_the_one_thing_named_is_one_thing() -> None:
    assert "total" not in run("get_contents", path="a.txt")
    assert "total" not in run("pumps_get", pump_id="7")
    assert len(items(run("get_channel_history", channel="#launch"))) >= 2


# Single things and confirmations


def test_one_thing_repeats_what_it_was_asked_by() -> None:
    answer = run("get_repair", repair_id="R-77")

    assert answer["repair_id"] == "R-77"
    assert "total" not in answer


@pytest.mark.parametrize(
    ("name", "status", "stamp"),
    [
        ("create_repair", "created", "created_at"),
        ("book_slot", "booked", "created_at"),
        ("schedule_visit", "scheduled", "created_at"),
        ("send_postcard", "sent", "sent_at"),
        ("slack_post_message", "posted", "sent_at"),
        ("update_repair", "updated", "updated_at"),
        ("merge_pull_request", "merged", "updated_at"),
        ("set_volume", "set", "updated_at"),
        ("repair_delete", "deleted", "deleted_at"),
        ("cancelRepair", "cancelled", "deleted_at"),
        ("drop_table", "dropped", "deleted_at"),
        ("start_pump", "started", "finished_at"),
        ("click", "clicked", "finished_at"),
    ],
)
def test_what_was_done_is_confirmed_with_the_arguments_and_a_time(
    name: str, status: str, stamp: str
) -> None:
    answer = run(name, item="left pump", urgent=True)

    assert answer["status"] == status
    assert (answer["item"], answer["urgent"]) == ("left pump", True)
    assert MOMENT.fullmatch(answer[stamp])


def test_what_was_created_or_sent_has_an_id() -> None:
    assert re.fullmatch(r"rep_[0-9a-f]{6}", run("create_repair", title="Leak")["id"])
    assert re.fullmatch(r"pos_[0-9a-f]{6}", run("send_postcard", to="Ana")["id"])


def test_the_answer_overrides_no_argument_but_what_it_has_to_say() -> None:
    answer = run("create_repair", id="mine", status="x", simulated=False)

    assert answer["simulated"] is True
    assert answer["id"] != "mine"
    assert answer["status"] == "x"


@pytest.mark.parametrize(
    ("name", "arguments", "values"),
    [
        ("list_issues", {"state": "OPEN"}, {"OPEN"}),
        ("list_issues", {"status": "waiting"}, {"waiting"}),
        ("list_incidents", {"priority": "high"}, {"high"}),
    ],
)
def test_things_are_as_the_filter_asks_under_any_name_of_the_field(
    name: str, arguments: dict[str, Any], values: set[str]
) -> None:
    answer = run(name, **arguments)
    items = next(value for value in answer.values() if isinstance(value, list))
    told = [
        item[field] for item in items for field in ("state", "status", *arguments) if field in item
    ]

    assert items
    assert set(told) & values == values
    assert all("state" not in item or "status" not in item for item in items)


def test_a_filter_that_takes_everything_fixes_nothing() -> None:
    answer = run("list_issues", state="all")

    assert all(item["status"] != "all" and "state" not in item for item in answer["issues"])


def test_what_was_changed_is_in_the_state_that_was_asked_for() -> None:
    answer = run("update_issue", state="closed")

    assert answer["state"] == "closed"
    assert "status" not in answer


def test_a_count_is_a_number() -> None:
    assert isinstance(run("count_repairs", state="open")["count"], int)


@pytest.mark.parametrize(
    ("description", "key"),
    [
        ("Deletes a repair for good.", "deleted_at"),
        ("Send the report to the owner", "sent_at"),
        ("Searches all repairs.", "total"),
        ("수리 접수를 취소합니다. 되돌릴 수 없습니다.", "deleted_at"),
        ("수리 내역을 검색합니다.", "total"),
        ("부품을 주문합니다.", "created_at"),
    ],
)
def test_a_name_without_a_verb_is_read_by_its_description(description: str, key: str) -> None:
    assert key in run("repair_v2", description)


# Words for things


def test_a_tool_about_the_weather_tells_likely_weather() -> None:
    for place in ("Oslo", "Lima", "Pune", "Quito"):
        answer = run("read_outdoor_temperature", place=place)
        assert -10 <= answer["temperature_c"] <= 40
        assert 0 <= answer["humidity_percent"] <= 100
        assert answer["place"] == place


def test_days_of_a_forecast_follow_each_other_and_are_warmer_than_their_nights() -> None:
    days = items(run("list_forecasts", town="Oslo"))

    assert [each["date"] for each in days] == sorted({each["date"] for each in days})
    assert all(each["low_c"] < each["high_c"] for each in days)
    assert max(each["low_c"] for each in days) - min(each["low_c"] for each in days) < 5


def test_a_timetable_arrives_after_it_departs_and_adds_up() -> None:
    for each in items(run("find_ferry_connections", origin="A", destination="B")):
        hours, minutes = (
            int(each["arrival_at"][11:13]) - int(each["departure_at"][11:13]),
            int(each["arrival_at"][14:16]) - int(each["departure_at"][14:16]),
        )
        assert (60 * hours + minutes) % (24 * 60) == each["duration_minutes"] > 0


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("clock_now", {"date", "time", "timezone"}),
        ("get_share_price", {"price", "currency"}),
        ("list_teammates_and_users", {"name", "email", "role"}),
        ("find_bakery_shop", {"name", "address", "rating"}),
        ("get_error_log", {"timestamp", "level", "message"}),
        ("list_invoices", {"amount", "currency", "status"}),
        ("track_shipment", {"shipment_status", "location"}),
        ("read_wiki_page", {"content", "title"}),
        ("list_gizmos", {"id", "title", "status"}),
    ],
)
def test_things_have_what_such_things_have(name: str, fields: set[str]) -> None:
    answer = run(name)

    assert (
        fields <= {*answer, *(key for each in items(answer) for key in each)}
        if "total" in answer
        else fields <= answer.keys()
    )


# Reckoning


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("get-sum", {"a": 2, "b": 40}, 42),
        ("sum_numbers", {"a": 2, "b": 40}, 42),
        ("add", {"a": 2, "b": 40.5}, 42.5),
        ("multiply", {"x": 6, "y": 7}, 42),
        ("subtract", {"x": 50, "y": 8}, 42),
        ("average", {"values": [40, 41, 45]}, 42),
        ("split_bill", {"total": 105, "people": 3, "tip_percent": 20}, 42),
        ("convert_length", {"value": 5, "from": "miles", "to": "km"}, 8.05),
        ("convert_weight", {"amount": 2, "from": "kg", "to": "pounds"}, 4.41),
        ("convert_temperature", {"value": 100, "from": "Celsius", "to": "°F"}, 212),
        ("convert_units", {"value": 212, "from_unit": "F", "to_unit": "C"}, 100),
    ],
)
def test_what_can_be_reckoned_is_reckoned(
    name: str, arguments: dict[str, Any], result: float | None
) -> None:
    assert run(name, **arguments).get("result") == result


def test_money_is_exchanged_at_a_likely_rate() -> None:
    answer = run("convert_currency", amount=200, from_currency="EUR", to_currency="JPY")

    assert 100 < answer["rate"] < 250
    assert math.isclose(answer["result"], 200 * answer["rate"], rel_tol=1e-3)


def test_a_single_currency_is_exchanged_for_the_money_at_home() -> None:
    assert run("get_rate", currency="EUR")["in_currency"] == "USD"
    assert run("get_rate", currency="USD")["in_currency"] == "EUR"
    korean = run("get_rate", "외화의 환율을 조회합니다.", currency="usd")
    assert korean["in_currency"] == "KRW"
    assert 1000 < korean["rate"] < 2000


def test_a_translation_is_marked_with_its_language_and_not_pretended() -> None:
    answer = run("translate", text="good morning", target_language="ko")

    assert answer["translation"] == "[ko] good morning"


@pytest.mark.parametrize("verb", ["split", "divide"])
def test_nothing_is_divided_by_zero(verb: str) -> None:
    assert math.isfinite(run(f"{verb}_bill", total=10, people=0)["result"])


# Korean


def test_a_korean_tool_answers_in_korean_with_english_keys() -> None:
    answer = run("search_shops", "가까운 꽃집 가게를 찾아 줍니다.", near="강남역")

    assert all(HANGUL.search(each["name"]) for each in items(answer))
    assert all(each["name"].endswith("가게") for each in items(answer))
    assert all(not HANGUL.search(key) for each in (answer, *items(answer)) for key in each)
    assert answer["near"] == "강남역"


def test_korean_arguments_make_a_korean_answer() -> None:
    answer = run("search_manuals", query="브레이크 패드")

    assert all(
        HANGUL.search(each["title"]) and "브레이크 패드" in each["title"] for each in items(answer)
    )


def test_a_name_in_korean_is_enough() -> None:
    answer = run("날씨_조회", "지역의 날씨를 조회합니다.", 지역="부산")

    assert "temperature_c" in answer
    assert answer["지역"] == "부산"


# Arguments that come back, and those that do not


def test_secrets_do_not_come_back() -> None:
    answer = run(
        "connect_service",
        user="ana",
        password="p1",
        api_key="k2",
        accessToken="t3",
        issue_key="K-4",
    )

    assert not re.search("p1|k2|t3", json.dumps(answer))
    assert (answer["user"], answer["issue_key"]) == ("ana", "K-4")


def test_long_and_nested_arguments_come_back_short_or_not_at_all() -> None:
    answer = run(
        "create_report",
        body="word " * 900,
        tags=["a", "b", "c", "d", "e"],
        nested={"deep": {"x": 1}},
        **{f"extra{n}": n for n in range(50)},
    )

    assert len(answer["body"]) <= 60
    assert answer["tags"] == ["a", "b", "c"]
    assert "nested" not in answer
    assert len(answer) < 12


# The same call, the same answer


def test_the_same_call_gets_the_same_answer_and_another_call_another() -> None:
    search = tool("search_manuals")
    first, again, other = (
        SimulatedExecutor().execute(search, arguments).content
        for arguments in ({"query": "a", "n": 1}, {"n": 1, "query": "a"}, {"query": "a", "n": 2})
    )

    assert json.loads(first) == json.loads(again)
    assert first != other


# Bad arguments


def refused(**arguments: Any) -> ExecutionResult:
    schema = {
        "type": "object",
        "properties": {"amount": {"type": "integer"}, "to": {"enum": ["EUR", "USD"]}},
        "required": ["amount"],
    }
    money = ToolDefinition(name="convert", wire_name="convert", input_schema=schema)
    return SimulatedExecutor().execute(money, arguments)


def test_bad_arguments_are_refused_with_the_place_and_the_rule() -> None:
    result = refused(to="GBP")

    assert result.outcome == "invalid_arguments"
    assert result.simulated
    assert [each.code for each in result.problems] == [
        "execution.not_allowed",
        "execution.missing",
    ]
    assert result.content == (
        "The arguments were refused; nothing was run.\n"
        '- `to` is "GBP"; allowed: "EUR", "USD" (rule `enum`).\n'
        "- `amount` is missing, but is needed (rule `required`).\n"
        "Correct the arguments and call again."
    )


def test_a_converted_number_comes_back_as_the_number() -> None:
    assert json.loads(refused(amount="5").content)["amount"] == 5


def test_a_refusal_is_short_whatever_was_sent() -> None:
    schema = {"type": "object", "additionalProperties": False}
    strict = ToolDefinition(name="x", wire_name="x", input_schema=schema)
    content = (
        SimulatedExecutor()
        .execute(strict, {"k" * 500 + str(n): "v" * 500 for n in range(30)})
        .content
    )

    assert len(content) <= MAX_REFUSAL_CHARS
    assert content.startswith("The arguments were refused")


# Anything at all


TEXTS = st.text(max_size=30) | st.sampled_from(
    ["get_users", "list", "x" * 3000, "\ud800", "🛰️", "날씨", "convert", "split", "translate"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
NAMES = TEXTS | st.sampled_from(
    "limit state query password name title value amount from_unit to percent currency".split()
)


@given(TEXTS, TEXTS, TEXTS, st.dictionaries(NAMES, VALUES, max_size=6))
def test_any_tool_answers_any_arguments(
    name: str, description: str, server: str, arguments: dict[str, Any]
) -> None:
    strange = ToolDefinition(
        name=name, wire_name="t", description=description, server=server, input_schema={}
    )
    result = SimulatedExecutor().execute(strange, arguments)

    assert result.outcome == "executed"
    assert len(result.content) <= MAX_CHARS
    assert json.loads(result.content)["simulated"] is True
    assert result == SimulatedExecutor().execute(strange, arguments)


@pytest.mark.outside_data
def test_every_tool_of_the_real_servers_answers_or_refuses(outside_data: Path) -> None:
    outcomes: dict[str, int] = {}
    for file in sorted((outside_data / "catalogs").glob("*.json")):
        for each in load_catalog(file.read_bytes(), source=file.stem).tools[::3]:
            result = SimulatedExecutor().execute(each, {})
            outcomes[result.outcome] = outcomes.get(result.outcome, 0) + 1
            if result.outcome == "executed":
                assert len(json.loads(result.content)) > 2, each.wire_name
            else:
                assert each.input_schema.get("required"), each.wire_name

    assert outcomes["executed"] > 60
    assert outcomes.keys() == {"executed", "invalid_arguments"}
