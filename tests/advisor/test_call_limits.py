"""Limits of calls per tool and per turn, and tools whose result is the answer."""

from dataclasses import replace

import pytest

from tests.advisor.stage import CLOCK, PARCELS, SEARCH, TRACK, Stage, kinds, only
from toolsearch_core.advisor import AdvisorOptions
from toolsearch_core.events import ToolCalled, TurnStarted
from toolsearch_core.history import problems
from toolsearch_core.providers.scripted import call, text
from toolsearch_core.tools import Catalog

PINNED = ("track_parcel", "read_clock")


def outcomes(events):
    return [event.outcome for event in only(events, ToolCalled)]


def test_a_call_past_the_limit_of_its_tool_is_not_run_and_the_turn_ends():
    stage = Stage(options=AdvisorOptions(pinned=PINNED, calls_per_tool=2))
    three = [call("track_parcel", number=str(n)) for n in range(3)]
    events = stage.ask("x", [three])

    assert outcomes(events) == ["executed", "executed", "over_limit"]
    assert (events[-1].status, events[-1].problem.code) == ("call_limit", "advisor.tool_call_limit")
    assert events[-1].problem.params == {"name": "track_parcel", "limit": 2}
    assert problems(stage.messages) == ()
    assert stage.ask("go on", [[text("ok")]])[-1].status == "answered"


def test_told_of_the_limit_the_model_goes_on():
    options = AdvisorOptions(pinned=PINNED, calls_per_tool=1, at_call_limit="answer")
    stage = Stage(options=options)
    events = stage.ask(
        "x",
        [
            [
                call("track_parcel", number="1"),
                call("track_parcel", number="2"),
                call("read_clock"),
            ],
            [call("track_parcel", number="3")],
            [text("That is all.")],
        ],
    )

    assert outcomes(events) == ["executed", "over_limit", "executed", "over_limit"]
    assert (events[-1].status, events[-1].answer) == ("answered", "That is all.")
    assert "limit" in only(events, ToolCalled)[1].result


def test_all_calls_count_for_the_limit_of_the_turn_searches_too():
    options = AdvisorOptions(pinned=PINNED, calls_per_turn=2, at_call_limit="answer")
    stage = Stage(options=options)
    events = stage.ask(
        "x",
        [
            [call(SEARCH, query="money"), call("read_clock"), call(SEARCH, query="parcel")],
            [text("x")],
        ],
    )

    assert kinds(events).count("ToolsSearched") == 1
    assert outcomes(events) == ["executed", "over_limit"]
    assert "track_parcel" in PINNED
    assert stage.sent_names() == [SEARCH, *PINNED, "exchange_money"]


def test_the_limits_begin_anew_with_each_turn():
    stage = Stage(options=AdvisorOptions(pinned=PINNED, calls_per_tool=1))
    for _ in range(2):
        events = stage.ask("x", [[call("read_clock")], [text("ok")]])
        assert (outcomes(events), events[-1].status) == (["executed"], "answered")


DIRECT = Catalog(
    (
        replace(CLOCK, return_direct=True, pinned=True),
        replace(TRACK, pinned=True, return_direct=True),
    )
)
MIXED = Catalog((replace(CLOCK, return_direct=True, pinned=True), replace(TRACK, pinned=True)))


def test_the_result_of_a_direct_tool_is_the_answer_and_no_model_is_asked_again():
    stage = Stage(catalog=DIRECT)
    events = stage.ask("time?", [[call("read_clock")]])
    result = only(events, ToolCalled)[0].result

    assert (events[-1].status, events[-1].answer, events[-1].model_calls) == ("answered", result, 1)
    assert stage.messages[-1].text == result
    assert problems(stage.messages) == ()
    stage.ask("and now?", [[text("as before")]])
    assert stage.provider.requests[-1]["messages"][-2]["content"][0]["text"] == result


def test_two_direct_tools_of_one_message_answer_together_in_order():
    stage = Stage(catalog=DIRECT)
    events = stage.ask("x", [[call("track_parcel", number="1"), call("read_clock")]])
    assert events[-1].answer == "\n".join(each.result for each in only(events, ToolCalled))


@pytest.mark.parametrize(
    "beside",
    [
        call("track_parcel", number="1"),
        call(SEARCH, query="money"),
        call("no_such_tool"),
        call("read_clock", unknown=1) | {"input": {"x": "y"}},
    ],
    ids=["a tool that is not direct", "a search", "an unknown tool", "another direct one"],
)
def test_beside_anything_else_the_model_has_the_last_word(beside):
    stage = Stage(catalog=Catalog((*MIXED.tools, *PARCELS.tools[1:2], *PARCELS.tools[3:])))
    stage.provider.add([call("read_clock"), beside], [text("Both told.")])
    events = list(stage.run("x"))
    only_direct = [each.name for each in only(events, ToolCalled)] == ["read_clock"] * 2

    assert events[-1].status == "answered"
    assert (events[-1].answer == "Both told.") is not only_direct


def test_a_direct_tool_that_was_refused_is_told_to_the_model():
    stage = Stage(catalog=DIRECT)
    events = stage.ask("x", [[call("track_parcel")], [text("Which number?")]])
    assert (outcomes(events), events[-1].answer) == (["invalid_arguments"], "Which number?")


def test_a_catalog_below_the_size_from_which_search_begins_is_sent_whole():
    stage = Stage(options=AdvisorOptions(search_from_tools=5))
    events = stage.ask("x", [[call("read_clock")], [text("ok")]])
    started = only(events, TurnStarted)[0]

    assert stage.sent_names() == [tool.wire_name for tool in PARCELS.tools]
    assert started.disclosure == "all_up_front"
    assert [each.code for each in started.notices] == ["advisor.all_sent"]
    assert started.notices[0].params["tools"] == 4
    assert outcomes(events) == ["executed"]
    assert stage.sessions.live() == ()

    stage.options = AdvisorOptions(search_from_tools=4)
    assert only(stage.ask("x", [[text("ok")]]), TurnStarted)[0].notices == ()
    assert stage.sent_names() == [SEARCH]


def test_search_is_switched_off_for_one_question_and_on_again():
    stage = Stage()
    stage.ask("x", [[call(SEARCH, query="time of day")], [text("ok")]])
    stage.options = AdvisorOptions(disclosure="all_up_front")
    stage.ask("x", [[text("ok")]])
    whole = stage.sent_names()
    stage.options = AdvisorOptions()
    stage.ask("x", [[text("ok")]])

    assert whole == [tool.wire_name for tool in PARCELS.tools]
    assert stage.sent_names()[:2] == [SEARCH, "read_clock"]


def test_an_own_explanation_of_the_search_tool_takes_the_place_of_the_built_in_one():
    stage = Stage(options=AdvisorOptions(system="Be brief.", system_suffix="Search first."))
    stage.ask("x", [[text("ok")]])
    assert stage.provider.requests[0]["system"] == "Be brief.\n\nSearch first."


def test_a_search_for_a_pinned_tool_says_that_it_is_listed():
    stage = Stage(options=AdvisorOptions(pinned=("track_parcel",), max_results=1))
    stage.ask("x", [[call(SEARCH, query="tell where a parcel is")], [text("ok")]])
    result = stage.messages[2].content[0].content

    assert '"already_listed":["track_parcel"]' in result
    assert "track_parcel" not in result.split("already_listed")[0]
    assert stage.sent_names().count("track_parcel") == 1
