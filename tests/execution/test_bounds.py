"""Values of an answer agree with the arguments and with each other."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolsearch_core.execution import SimulatedExecutor
from toolsearch_core.execution.bounds import bounds_of, offset_of, zone_of
from toolsearch_core.tools import ToolDefinition


def answer(name: str, **arguments: Any) -> Mapping[str, Any]:
    schema = {"type": "object", "properties": {key: {} for key in arguments}}
    tool = ToolDefinition(name=name, wire_name=name, input_schema=schema)
    return json.loads(SimulatedExecutor().execute(tool, arguments).content)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "place", ["Amsterdam", "암스테르담", "Asia/Seoul", "New York", "서울 마포구"]
)
def test_a_clock_tells_the_offset_of_the_zone_at_that_moment(place: str) -> None:
    told = answer("get_current_time", place=place)
    moment = datetime.fromisoformat(f"{told['date']}T{told['time']}{told['utc_offset']}")

    assert told["timezone"] == zone_of(place) != ""
    assert moment.replace(tzinfo=ZoneInfo(told["timezone"])).utcoffset() == moment.utcoffset()


def test_times_of_one_answer_are_in_one_zone() -> None:
    for n in range(20):
        times = answer("find_meeting_times", attendees=[f"person {n}"])["meeting_times"]

        assert len({each["timezone"] for each in times}) == 1
        assert all(9 <= int(each["time"][:2]) < 18 for each in times)


@pytest.mark.parametrize("year", [1999, 2027])
def test_dates_are_of_the_year_that_was_asked_for(year: int) -> None:
    holidays = answer("get_public_holidays", year=year)["public_holidays"]

    assert [each["date"][:4] for each in holidays] == [str(year)] * len(holidays)


def test_dates_lie_in_the_period_that_was_asked_for() -> None:
    for n in range(20):
        told = answer("list_events", query=f"q{n}", start="2027-03-01", end="2027-03-02")

        assert {each["start"][:10] for each in told["events"]} <= {"2027-03-01", "2027-03-02"}


def test_numbers_keep_to_what_was_asked_at_the_most() -> None:
    for n in range(20):
        told = answer("search_recipes", ingredients=[f"leek {n}"], max_minutes=30)

        assert all(1 <= each["minutes"] <= 30 for each in told["recipes"])


def test_what_has_to_be_open_is_open() -> None:
    for n in range(20):
        told = answer("find_clothing_shops", location=f"Oslo {n}", open_at="2026-03-02T12:00:00Z")

        assert all(each["open_now"] for each in told["clothing_shops"])


def test_the_offset_of_an_unknown_zone_is_none() -> None:
    assert offset_of("Nowhere/At_All", datetime(2026, 1, 1)) == "+00:00"
    assert zone_of("nowhere at all") == ""


NAMES = st.sampled_from("year start end date open_at max_minutes min_price radius_m city".split())
VALUES = (
    st.integers()
    | st.floats()
    | st.booleans()
    | st.text(max_size=20)
    | st.sampled_from(["2026-02-30", "0000-01-01", "9999-12-31T23:59", "2026-01-01"])
)


@given(st.dictionaries(NAMES, VALUES, max_size=5))
def test_any_arguments_have_bounds_and_get_an_answer(arguments: dict[str, Any]) -> None:
    bounds_of(arguments)
    tool = ToolDefinition(name="list_events", wire_name="list_events", input_schema={})

    assert SimulatedExecutor().execute(tool, arguments).content
