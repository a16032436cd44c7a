"""Section W, as far as the advisor goes: what is weak there is not weak here."""

import json
from itertools import pairwise

import pytest

from tests.conformance.talk import (
    CLOCK,
    PARCEL,
    SEARCH,
    SHOPS,
    TOOLS,
    WEATHER,
    Talk,
    find,
    found,
    of_kind,
    results,
    tool,
)
from toolsearch_core.advisor import AdvisorOptions, ToolSearchAdvisor
from toolsearch_core.chat import (
    ChatClient,
    InMemoryChatMemory,
    MessageMemoryAdvisor,
)
from toolsearch_core.events import (
    ResponseReceived,
    ToolCalled,
)
from toolsearch_core.execution import function_tool
from toolsearch_core.jsonvalues import JsonObject
from toolsearch_core.messages import (
    Message,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    tool_results,
    user_text,
)
from toolsearch_core.providers.scripted import Reply, ScriptedProvider, call, text


def sent_bytes(talk: Talk) -> list[list[str]]:
    """The definitions of each request, as text."""
    return [[json.dumps(each) for each in body["tools"]] for body in talk.requests]


@pytest.mark.promise("W1")
def test_the_list_of_tools_only_grows_at_its_end_over_a_whole_conversation() -> None:
    talk = Talk()

    talk.ask(find(PARCEL), find(SHOPS, WEATHER))
    talk.ask(find(WEATHER), [call("weather_report", city="Oslo")], find(CLOCK))
    talk.ask(find(CLOCK, PARCEL))

    sent = sent_bytes(talk)
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(sent))
    assert talk.sent() == [SEARCH, "track_parcel", "find_shops", "weather_report", "read_clock"]
    assert len({body["system"] for body in talk.requests}) == 1


@pytest.mark.promise("W1")
def test_two_hundred_equal_requests_send_the_same_bytes() -> None:
    talk = Talk()
    talk.ask(find(PARCEL, CLOCK, WEATHER))
    model = ScriptedProvider([[text("Done.")]] * 200)

    for _ in range(200):  # each with a client and an advisor of its own
        advisor = ToolSearchAdvisor(talk.index, sessions=talk.sessions)
        client = ChatClient(model, tools=TOOLS, advisors=[advisor])
        client.prompt("Go on", context={"conversation_id": "s"}).call()

    [body] = {json.dumps(body) for body in model.requests}
    assert len(model.requests) == 200
    assert [each["name"] for each in json.loads(body)["tools"]] == [
        SEARCH,
        "track_parcel",
        "read_clock",
        "weather_report",
    ]


@pytest.mark.promise("W1")
def test_what_the_service_read_from_its_cache_is_reported() -> None:
    talk = Talk()
    usage: JsonObject = {
        "input_tokens": 10,
        "output_tokens": 3,
        "cache_read_input_tokens": 700,
        "cache_creation_input_tokens": 40,
    }

    events = talk.ask(Reply(find(WEATHER), usage=usage))

    first, *_ = of_kind(events, ResponseReceived)
    assert (first.usage.cache_read_tokens, first.usage.cache_write_tokens) == (700, 40)
    assert first.usage.input_tokens == 750


@pytest.mark.promise("W3")
@pytest.mark.parametrize("order", [200, 1000], ids=["memory outside", "memory inside"])
def test_wherever_memory_stands_a_found_tool_stays_for_the_iterations_and_turns_that_follow(
    order: int,
) -> None:
    talk = Talk(advisors=[MessageMemoryAdvisor(InMemoryChatMemory(), order=order)])

    talk.ask(find(WEATHER), [call("weather_report", city="Oslo")], find(CLOCK))
    talk.ask([call("weather_report", city="Bergen")])

    assert talk.declared()[1:3] == [[SEARCH, "weather_report"]] * 2
    assert talk.declared()[3:] == [[SEARCH, "weather_report", "read_clock"]] * 3


@pytest.mark.promise("W3")
def test_a_conversation_that_was_cut_keeps_what_was_found() -> None:
    talk = Talk()
    talk.ask(find(WEATHER))

    talk.ask(history=[])

    assert talk.sent() == [SEARCH, "weather_report"]
    assert len(talk.requests[-1]["messages"]) == 1


@pytest.mark.promise("W3")
@pytest.mark.parametrize(
    "result", ["", "Connection reset", "[", '{"found":7}', '["weather_report"]']
)
def test_no_text_of_a_search_result_breaks_or_poisons_a_session(result: str) -> None:
    talk = Talk()
    history = [
        user_text("Before"),
        Message("assistant", (ToolUseBlock("old", SEARCH, {"query": "x"}),)),
        tool_results([ToolResultBlock("old", result)]),
        Message("assistant", (TextBlock("Sorry."),)),
    ]

    talk.ask(find(CLOCK), history=history)
    talk.ask(history=history)

    assert talk.declared() == [[SEARCH], [SEARCH, "read_clock"], [SEARCH, "read_clock"]]


@pytest.mark.promise("W4")
def test_an_unknown_tool_in_a_batch_costs_none_of_the_other_results() -> None:
    ran: list[str] = []

    def note(word: str) -> str:
        """Write a word down."""
        ran.append(word)
        return word.upper()

    talk = Talk(tools=[function_tool(note, pinned=True), *TOOLS])
    batch = [call("note", word="one"), call("forget"), *find(CLOCK), call("note", word="two")]

    events = talk.ask(batch)

    first, unknown, search, last = results(talk.requests[1])
    assert (first, last, ran) == ("ONE", "TWO", ["one", "two"])
    assert "there is no tool `forget`" in unknown
    assert found(search) == ["read_clock"]
    assert [each.outcome for each in of_kind(events, ToolCalled)] == [
        "executed",
        "unknown_tool",
        "executed",
    ]


@pytest.mark.promise("W4")
def test_a_tool_that_was_never_found_is_brought_into_the_request_instead_of_run_blind() -> None:
    ran: list[str] = []

    def measure(length: float) -> str:
        """Measure a thing."""
        ran.append("measure")
        return f"{length} m"

    talk = Talk(tools=[measure, *TOOLS])

    events = talk.ask([call("measure", length=2)], [call("measure", length=2)])

    assert talk.declared() == [[SEARCH], [SEARCH, "measure"], [SEARCH, "measure"]]
    assert "call it again" in results(talk.requests[1])[0]
    assert results(talk.requests[2]) == ["2.0 m"]
    assert ran == ["measure"]
    assert [each.outcome for each in of_kind(events, ToolCalled)] == ["not_injected", "executed"]


@pytest.mark.promise("W4")
def test_a_tool_that_is_gone_since_it_was_found_is_answered_like_any_unknown_one() -> None:
    talk = Talk(tools=(CLOCK,))
    talk.ask(find(WEATHER), tools=[WEATHER])

    events = talk.ask([call("weather_report", city="Oslo")])

    assert "there is no tool `weather_report`" in results(talk.requests[-1])[0]
    assert events[-1].status == "answered"  # type: ignore[union-attr]


@pytest.mark.promise("W5", "A15")
def test_below_a_size_of_ones_choice_all_tools_are_sent_and_no_session_is_needed() -> None:
    talk = Talk(options=AdvisorOptions(search_from_tools=5))
    talk.model.add([text("Done.")])

    talk.client.prompt("Go on").call()
    talk.ask(tools=[tool("fifth", "One more")])

    assert talk.sent(0) == [each.wire_name for each in TOOLS]
    assert "system" not in talk.requests[0]
    assert talk.sent(1) == [SEARCH]
    assert len(talk.index.indexed) == 1


@pytest.mark.promise("W5", "A12")
def test_one_request_can_do_without_search_and_the_next_goes_on_with_what_was_found() -> None:
    talk = Talk()
    everything = AdvisorOptions(disclosure="all_up_front")

    talk.ask(find(WEATHER))
    talk.ask(options=everything)
    talk.ask()
    talk.model.add([text("Done.")])
    talk.client.prompt("Without a session id", options=everything).call()

    assert talk.declared()[2:] == [
        [each.wire_name for each in TOOLS],
        [SEARCH, "weather_report"],
        [each.wire_name for each in TOOLS],
    ]


@pytest.mark.promise("W5")
def test_pinned_tools_are_sent_from_the_first_request_on_and_take_no_place_in_a_search() -> None:
    talk = Talk(options=AdvisorOptions(pinned=("track_parcel", "weather_report")))

    talk.ask([call(SEARCH, query="tell", max_results=1)])

    assert talk.sent(0) == [SEARCH, "weather_report", "track_parcel"]
    assert talk.index.searches[0].exclude == {"track_parcel", "weather_report"}
    assert talk.sent(1) == [SEARCH, "weather_report", "track_parcel", "read_clock"]


@pytest.mark.promise("W9")
def test_one_number_is_the_default_in_the_words_and_in_the_deed() -> None:
    for options, number in ((AdvisorOptions(), 5), (AdvisorOptions(max_results_cap=4), 4)):
        talk = Talk(options=options)
        talk.ask([call(SEARCH, query="tell")])

        [search_tool] = talk.requests[0]["tools"]
        about = search_tool["input_schema"]["properties"]["max_results"]
        assert f"{number} when left out" in about["description"]
        assert about["maximum"] == options.max_results_cap
        assert [request.max_results for request in talk.index.searches] == [number]
