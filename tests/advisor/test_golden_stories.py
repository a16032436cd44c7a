"""Golden event lists: what a turn reports, story by story."""

from dataclasses import replace

from tests.advisor.stage import CLOCK, PARCELS, SEARCH, TRACK, Stage, kinds, only
from toolsearch_core.advisor import AdvisorOptions
from toolsearch_core.events import (
    IndexEvicted,
    IndexReady,
    RequestPrepared,
    ResponseReceived,
    ToolCalled,
    ToolsDropped,
    ToolsSearched,
    TurnEnded,
)
from toolsearch_core.providers.scripted import Reply, call, text
from toolsearch_core.tools import Catalog

OPENING = ["TurnStarted", "IndexReady"]
ROUND = ["RequestPrepared", "ResponseReceived"]


def test_an_answer_at_once_needs_one_request():
    stage = Stage()
    events = stage.ask("hello", [[text("Hi.")]])

    assert kinds(events) == [*OPENING, *ROUND, "TurnEnded"]
    assert events[-1].status == "answered"
    assert events[-1].answer == "Hi."
    assert stage.sent_names() == [SEARCH]


def test_search_then_call_then_answer():
    stage = Stage()
    events = stage.ask(
        "where is parcel 77?",
        [
            [call(SEARCH, query="where is a parcel")],
            [call("track_parcel", number="77")],
            [text("In the depot.")],
        ],
    )

    assert kinds(events) == [
        *OPENING,
        *ROUND,
        "ToolsSearched",
        *ROUND,
        "ToolCalled",
        *ROUND,
        "TurnEnded",
    ]
    search = only(events, ToolsSearched)[0]
    assert search.hits[0].tool_name == "track_parcel"
    assert "track_parcel" in search.discovered
    called = only(events, ToolCalled)[0]
    assert (called.outcome, called.simulated) == ("executed", True)
    assert [item.name for item in only(events, RequestPrepared)[0].injected] == [SEARCH]
    assert [item.reason for item in only(events, RequestPrepared)[1].injected][:2] == [
        "search_tool",
        "discovered",
    ]
    assert [item.search_round for item in only(events, ResponseReceived)] == [True, False, False]


def test_parallel_searches_are_one_search_turn_and_answered_in_order():
    stage = Stage(options=AdvisorOptions(accumulate=False))
    events = stage.ask(
        "time, and parcel 77",
        [
            [call(SEARCH, query="time of day"), call(SEARCH, query="where is a parcel")],
            [text("Both found.")],
        ],
    )

    assert kinds(events).count("ToolsSearched") == 2
    assert {"read_clock", "track_parcel"} <= set(stage.sent_names())
    results = stage.provider.requests[-1]["messages"][-1]["content"]
    assert [block["tool_use_id"] for block in results] == ["call_1", "call_2"]


def test_unknown_tool_gets_near_names_and_the_turn_goes_on():
    stage = Stage()
    events = stage.ask("x", [[call("track_parcels", number="1")], [text("Sorry.")]])

    called = only(events, ToolCalled)[0]
    assert called.outcome == "unknown_tool"
    assert "track_parcel" in called.result
    assert events[-1].status == "answered"


def test_a_registered_tool_that_was_not_injected_is_not_run_but_injected():
    stage = Stage()
    events = stage.ask(
        "where is parcel 77?",
        [
            [call("track_parcel", number="77")],
            [call("track_parcel", number="77")],
            [text("In the depot.")],
        ],
    )

    assert [item.outcome for item in only(events, ToolCalled)] == ["not_injected", "executed"]
    assert stage.sent_names(1) == [SEARCH, "track_parcel"]


def test_a_blind_call_before_a_search_is_injected_without_accumulation_too():
    stage = Stage(options=AdvisorOptions(accumulate=False))
    stage.ask(
        "x",
        [
            [call("read_clock"), call(SEARCH, query="where is parcel")],
            [call("read_clock")],
            [text("ok")],
        ],
    )

    assert stage.sent_names(1) == [SEARCH, "track_parcel", "return_parcel", "read_clock"]


def test_one_message_with_a_search_a_blind_call_and_a_pinned_call():
    stage = Stage(options=AdvisorOptions(pinned=("read_clock",)))
    events = stage.ask(
        "time, and convert 5",
        [
            [
                call(SEARCH, query="convert money"),
                call("exchange_money", value=5),
                call("read_clock"),
            ],
            [call("exchange_money", amount=5)],
            [text("ok")],
        ],
    )

    assert [item.outcome for item in only(events, ToolCalled)] == [
        "not_injected",
        "executed",
        "executed",
    ]
    results = stage.provider.requests[1]["messages"][-1]["content"]
    assert [block["tool_use_id"] for block in results] == ["call_1", "call_2", "call_3"]
    assert stage.sent_names(0) == [SEARCH, "read_clock"]


def test_the_iteration_limit_ends_the_turn_with_a_reason():
    stage = Stage(options=AdvisorOptions(iteration_limit=2))
    events = stage.ask("x", [[call(SEARCH, query="parcel")], [call(SEARCH, query="time")]])

    assert events[-1].status == "iteration_limit"
    assert events[-1].problem.params == {"limit": 2}
    assert events[-1].model_calls == 2


def test_wrong_arguments_go_back_to_the_model_and_the_tool_stays():
    stage = Stage(options=AdvisorOptions(max_results=1))
    events = stage.ask(
        "Where is parcel 77?",
        [
            [call(SEARCH, query="where is parcel")],
            [call("track_parcel")],
            [call("track_parcel", number="77")],
            [text("It is in the depot.")],
        ],
    )

    assert [item.outcome for item in only(events, ToolCalled)] == ["invalid_arguments", "executed"]
    assert "number" in only(events, ToolCalled)[0].result
    assert all("track_parcel" in stage.sent_names(request) for request in (1, 2, 3))
    assert len(only(events, ToolsSearched)) == 1


def test_a_cut_off_call_is_never_run():
    stage = Stage(options=AdvisorOptions(pinned=("track_parcel",), max_tokens=64))
    events = stage.ask(
        "x", [Reply([text("Writing"), call("track_parcel")], stop_reason="max_tokens")]
    )

    assert only(events, ToolCalled) == []
    assert (events[-1].status, events[-1].answer) == ("output_limit", "Writing")
    assert events[-1].problem.params == {"max_tokens": 64}
    assert stage.messages[-1].tool_uses == ()
    assert stage.ask("again", [[text("ok")]])[-1].status == "answered"


def test_an_empty_answer_adds_no_empty_message():
    stage = Stage()
    events = stage.ask("x", [Reply([], stop_reason="max_tokens")])

    assert events[-1].status == "output_limit"
    assert [message.role for message in stage.messages] == ["user"]
    assert stage.ask("again", [[text("ok")]])[-1].status == "answered"


def test_tools_accumulate_over_turns_and_the_list_only_grows_at_its_end():
    stage = Stage(options=AdvisorOptions(max_results=1))
    stage.ask("a", [[call(SEARCH, query="time of day")], [text("1")]])
    first = stage.sent_names()
    events = stage.ask("b", [[call(SEARCH, query="where is parcel")], [text("2")]])

    assert stage.sent_names()[: len(first)] == first
    assert stage.sent_names() == [SEARCH, "read_clock", "track_parcel"]
    assert [item.reason for item in only(events, RequestPrepared)[-1].injected] == [
        "search_tool",
        "accumulated",
        "discovered",
    ]


def test_accumulation_off_drops_what_the_newest_search_did_not_find():
    stage = Stage(options=AdvisorOptions(max_results=1))
    stage.ask("a", [[call(SEARCH, query="time of day")], [text("1")]])
    stage.options = replace(stage.options, accumulate=False)
    events = stage.ask("b", [[call(SEARCH, query="where is parcel")], [text("2")]])

    dropped = only(events, ToolsDropped)
    assert [(drop.names, drop.reason) for drop in dropped] == [
        (("read_clock",), "accumulation_off")
    ]
    assert dropped[0].tokens > 0
    assert stage.sent_names() == [SEARCH, "track_parcel"]


def test_switching_accumulation_off_keeps_the_latest_search_turn_only():
    stage = Stage(options=AdvisorOptions(max_results=1))
    stage.ask("a", [[call(SEARCH, query="time of day")], [text("1")]])
    stage.ask("b", [[call(SEARCH, query="where is parcel")], [text("2")]])
    stage.options = replace(stage.options, accumulate=False)
    events = stage.ask("c", [[text("3")]])

    assert only(events, ToolsDropped)[0].names == ("read_clock",)
    assert stage.sent_names() == [SEARCH, "track_parcel"]


def test_an_evicted_index_takes_the_discovered_tools_along_and_is_built_again():
    stage = Stage()
    stage.ask("a", [[call(SEARCH, query="time of day")], [text("1")]])
    stage.sessions.evict(stage.session_id)
    events = stage.ask("b", [[text("2")]])

    assert stage.sent_names() == [SEARCH]
    assert only(events, IndexReady)[0].reindexed
    assert only(events, ToolsDropped) == []


def test_idle_time_evicts_the_only_session_too():
    stage = Stage()
    stage.eviction = replace(stage.eviction, strategy="ttl", ttl_s=60.0)
    stage.__post_init__()
    stage.ask("a", [[call(SEARCH, query="time of day")], [text("1")]])
    stage.now += 61
    events = stage.ask("b", [[text("2")]])

    assert kinds(events)[:3] == ["TurnStarted", "IndexEvicted", "IndexReady"]
    evicted = only(events, IndexEvicted)[0]
    assert (evicted.reason, evicted.idle_s) == ("ttl", 61)
    assert "read_clock" in evicted.released


def test_a_changed_catalog_drops_what_is_gone_and_sends_the_new_definition():
    stage = Stage(options=AdvisorOptions(max_results=2))
    stage.ask(
        "a",
        [
            [call(SEARCH, query="time of day"), call(SEARCH, query="track parcel")],
            [text("1")],
        ],
    )
    changed = replace(TRACK, description="Tell where a parcel is, by its barcode")
    events = stage.ask("b", [[text("2")]], catalog=Catalog((changed, *PARCELS.tools[1:2])))

    dropped = {name: drop.reason for drop in only(events, ToolsDropped) for name in drop.names}
    assert dropped["read_clock"] == "catalog_changed"
    assert all(drop.tokens > 0 for drop in only(events, ToolsDropped))
    sent = {item["name"]: item for item in stage.provider.requests[-1]["tools"]}
    assert sent["track_parcel"]["description"].endswith("by its barcode")


def test_an_unpinned_tool_is_dropped():
    stage = Stage(options=AdvisorOptions(pinned=("read_clock",)))
    stage.ask("a", [[text("1")]])
    stage.options = AdvisorOptions()
    events = stage.ask("b", [[text("2")]])

    assert [(drop.names, drop.reason) for drop in only(events, ToolsDropped)] == [
        (("read_clock",), "unpinned")
    ]


def test_a_pinned_tool_takes_no_place_among_the_hits():
    stage = Stage(options=AdvisorOptions(pinned=("track_parcel",)))
    events = stage.ask("x", [[call(SEARCH, query="parcel")], [text("ok")]])

    assert [hit.tool_name for hit in only(events, ToolsSearched)[0].hits] == ["return_parcel"]
    assert stage.sent_names() == [SEARCH, "track_parcel", "return_parcel"]


def test_all_up_front_sends_everything_and_no_search_tool():
    stage = Stage(options=AdvisorOptions(disclosure="all_up_front"))
    events = stage.ask("x", [[call("read_clock")], [text("noon")]])

    assert stage.sent_names() == [tool.wire_name for tool in PARCELS.tools]
    assert kinds(events) == ["TurnStarted", *ROUND, "ToolCalled", *ROUND, "TurnEnded"]
    request = only(events, RequestPrepared)[0]
    assert request.tokens == request.baseline == request.conversation_baseline
    assert "system" not in stage.provider.requests[0]


def test_a_turn_that_sends_everything_is_its_own_baseline_also_after_searches():
    stage = Stage()
    stage.ask("where is parcel 7", [[call(SEARCH, query="parcel")], [text("found")]])
    stage.options = AdvisorOptions(disclosure="all_up_front")
    events = stage.ask("what time is it", [[text("noon")]])

    request = only(events, RequestPrepared)[0]
    assert any("tool_search_tool" in str(message) for message in request.body["messages"])
    assert request.tokens == request.conversation_baseline


def test_a_catalog_that_is_pinned_whole_needs_no_search_tool():
    stage = Stage(options=AdvisorOptions(pinned=tuple(tool.wire_name for tool in PARCELS.tools)))
    stage.ask("x", [[text("ok")]])

    assert stage.sent_names() == [tool.wire_name for tool in PARCELS.tools]
    assert "system" not in stage.provider.requests[0]


def test_without_tools_the_chat_works_and_no_tools_key_is_sent():
    stage = Stage(catalog=Catalog())
    events = stage.ask("hello", [[text("Hi.")]])

    assert "tools" not in stage.provider.requests[0]
    assert kinds(events) == ["TurnStarted", *ROUND, "TurnEnded"]


def test_only_one_tool_is_found_when_it_is_the_only_one():
    stage = Stage(catalog=Catalog((CLOCK,)))
    events = stage.ask("x", [[call(SEARCH, query="time")], [call("read_clock")], [text("noon")]])

    assert only(events, TurnEnded)[0].status == "answered"
    assert stage.sent_names() == [SEARCH, "read_clock"]
