"""The starter questions end well: the right tools called, what was said in their arguments."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema
import pytest

from tests.project_files import ROOT
from toolsearch_core.events import ToolCalled, TurnEnded
from toolsearch_core.index import RetrieverStore
from toolsearch_core.providers.rehearsal import RehearsalProvider
from toolsearch_core.settings import Settings
from toolsearch_core.workspace import Workspace

FOLDER = ROOT / "sample_catalogs"
LEAST_SHARE = 0.9

Expected = dict[str, dict[str, Any]]
"""Each tool that has to be called, with the arguments that the question says."""

EVERYDAY: list[tuple[Expected, Expected]] = [
    (
        {
            "get_current_weather": {"location": "Amsterdam"},
            "find_clothing_shops": {"location": "Amsterdam"},
        },
        {
            "get_current_weather": {"location": "암스테르담"},
            "find_clothing_shops": {"location": "암스테르담"},
        },
    ),
    (
        {"convert_currency": {"amount": 250, "from_currency": "EUR", "to_currency": "JPY"}},
        {"convert_currency": {"amount": 250, "from_currency": "EUR", "to_currency": "JPY"}},
    ),
    (
        {"search_recipes": {"ingredients": ["leeks", "potatoes"], "max_minutes": 30}},
        {"search_recipes": {"ingredients": ["대파", "감자"], "max_minutes": 30}},
    ),
    (
        {"plan_transit_trip": {"origin": "Central Station", "destination": "art museum"}},
        {"plan_transit_trip": {"origin": "중앙역", "destination": "미술관"}},
    ),
    ({}, {}),
]
WORKPLACE: list[tuple[Expected, Expected]] = [
    ({"get_on_call": {"service": "payments"}}, {"get_on_call": {"service": "결제 서비스"}}),
    (
        {
            "find_meeting_times": {"attendees": ["Mina", "Jonas"]},
            "send_message": {"channel": "#launch"},
        },
        {
            "find_meeting_times": {"attendees": ["미나", "요나스"]},
            "send_message": {"channel": "#launch"},
        },
    ),
    (
        {"create_incident": {"title": "The checkout page returns errors for customers"}},
        {"create_incident": {"title": "고객에게 결제 페이지 오류가 나고 있어"}},
    ),
    (
        {"get_leave_balance": {"leave_types": ["vacation"]}},
        {"get_leave_balance": {"leave_types": ["vacation"]}},
    ),
    ({}, {}),
]
KOREAN: list[tuple[Expected, Expected]] = [
    (
        {
            "get_weather_forecast": {"region": "Mapo-gu, Seoul"},
            "get_fine_dust": {"region": "Mapo-gu, Seoul"},
        },
        {
            "get_weather_forecast": {"region": "서울 마포구"},
            "get_fine_dust": {"region": "서울 마포구"},
        },
    ),
    (
        {
            "find_subway_route": {
                "from_station": "Gangnam",
                "to_station": "Incheon Airport Terminal 1",
            }
        },
        {"find_subway_route": {"from_station": "강남", "to_station": "인천공항1터미널"}},
    ),
    (
        {"track_parcel": {"tracking_number": "6412-3345-9087"}},
        {"track_parcel": {"tracking_number": "6412-3345-9087"}},
    ),
    (
        {"get_leave_balance": {}, "get_public_holidays": {"year": 2027}},
        {"get_leave_balance": {}, "get_public_holidays": {"year": 2027}},
    ),
    ({}, {}),
]
EXPECTED = {"everyday.json": EVERYDAY, "workplace.json": WORKPLACE, "korean.json": KOREAN}
"""By sample, in the order of its questions: what the English and what the Korean one ask for."""
ON_THE_WAY = {"get_current_time"}
"""What is open now depends on the time, so this may be called as well."""


@cache
def store() -> RetrieverStore:
    return RetrieverStore()


def starters() -> Iterator[tuple[str, str, Expected]]:
    """File, question, and what it asks for."""
    for sample in json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))["samples"]:
        for place, language in enumerate(("en", "ko")):
            questions = sample["questions"][language]
            for question, expected in zip(questions, EXPECTED[sample["file"]], strict=True):
                yield sample["file"], question, expected[place]


def asked(file: str, question: str) -> tuple[list[ToolCalled], TurnEnded]:
    """Ask as a person does; every call has to be valid by its schema and carried out."""
    space = Workspace(store(), settings=Settings())
    space.shelf.add((FOLDER / file).read_bytes(), file)
    events = [
        entry.event
        for entry in space.ask(space.new_conversation().id, question, RehearsalProvider())
    ]
    calls = [event for event in events if isinstance(event, ToolCalled)]
    for call in calls:
        schema = dict(space.shelf.catalog.by_wire_name[call.name].input_schema)
        jsonschema.Draft202012Validator(schema).validate(json.loads(json.dumps(call.arguments)))
        assert call.outcome == "executed", question
    ended = events[-1]
    assert isinstance(ended, TurnEnded)
    return calls, ended


def problem(calls: list[ToolCalled], expected: Expected) -> str:
    """What is wrong with the calls; empty when nothing is."""
    names = {call.name for call in calls}
    if not set(expected) <= names or names - set(expected) - ON_THE_WAY:
        return f"called {sorted(names)}"
    for call in calls:
        for name, value in expected.get(call.name, {}).items():
            if call.arguments.get(name) != value:
                return f"{call.name}.{name} is {call.arguments.get(name)!r}"
    return ""


@pytest.fixture(scope="module")
def conversations() -> dict[tuple[str, str], tuple[list[ToolCalled], TurnEnded]]:
    return {(file, question): asked(file, question) for file, question, _ in starters()}


def test_starters_call_the_tools_they_ask_for_with_what_they_say(
    conversations: dict[tuple[str, str], tuple[list[ToolCalled], TurnEnded]],
) -> None:
    wrong = [
        (question, told)
        for file, question, expected in starters()
        if (told := problem(conversations[file, question][0], expected))
    ]

    assert len(wrong) <= (1 - LEAST_SHARE) * len(conversations), wrong


def test_each_starter_is_answered_in_plain_sentences(
    conversations: dict[tuple[str, str], tuple[list[ToolCalled], TurnEnded]],
) -> None:
    for (_, question), (calls, ended) in conversations.items():
        assert ended.status == "answered", question
        assert all(call.name in ended.answer for call in calls), ended.answer
        if calls:
            assert ended.answer.endswith("."), ended.answer
        else:
            assert "no tool" in ended.answer or "찾지 못했습니다" in ended.answer
