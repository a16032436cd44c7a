"""U: what the reference's own suite leaves open."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

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
    of_kind,
    results,
    tool,
)
from tests.index.test_store import WatchedEncoder
from tests.project_files import ROOT
from toolsearch_core.advisor import AdvisorOptions
from toolsearch_core.catalog import load_catalog
from toolsearch_core.chat import (
    ChatClient,
)
from toolsearch_core.errors import IndexUnavailableError, SessionError, SettingsError
from toolsearch_core.events import (
    RequestPrepared,
    ResponseReceived,
    ToolCalled,
    ToolsSearched,
    TurnEnded,
)
from toolsearch_core.execution import function_tool
from toolsearch_core.history import sendable
from toolsearch_core.index import CatalogToolIndex, RetrieverStore, shared_store, tool_index
from toolsearch_core.providers.scripted import ScriptedProvider, call, text
from toolsearch_core.search_types import ToolSearchRequest
from toolsearch_core.tools import Catalog

both_ways = pytest.mark.parametrize("streamed", [False, True], ids=["called", "streamed"])


@pytest.mark.promise("U1", "A7")
@both_ways
def test_without_a_session_id_nothing_happens_and_the_error_names_the_key(streamed: bool) -> None:
    talk = Talk(streamed=streamed)

    with pytest.raises(SessionError, match="`conversation_id`"):
        talk.events(talk.client.prompt("Go on"))

    assert (talk.index.indexed, talk.requests, talk.sessions.live()) == ([], [], ())


@pytest.mark.promise("U6", "W12")
@pytest.mark.parametrize("blank", ["", " ", "\t\n", "\u3000", None, True, 1.5, ["s"]])
def test_a_session_id_that_is_none_is_refused_before_anything_is_indexed(blank: object) -> None:
    talk = Talk()

    with pytest.raises(SessionError, match="conversation_id"):
        talk.ask(context={"conversation_id": blank})

    assert (talk.index.indexed, talk.requests, talk.sessions.live()) == ([], [], ())


@pytest.mark.promise("U2", "W4")
@both_ways
def test_a_call_of_a_tool_that_does_not_exist_is_answered_and_the_turn_goes_on(
    streamed: bool,
) -> None:
    talk = Talk(streamed=streamed)

    events = talk.ask([call("weather_repost", city="Oslo")])

    [told] = results(talk.requests[1])
    assert "`weather_repost`" in told
    assert "weather_report" in told
    assert SEARCH in told
    assert [each.outcome for each in of_kind(events, ToolCalled)] == ["unknown_tool"]
    assert events[-1].status == "answered"  # type: ignore[union-attr]


@pytest.mark.promise("U3", "W10")
def test_a_search_that_finds_nothing_tells_the_model_what_to_do_next() -> None:
    talk = Talk()

    talk.ask([call(SEARCH, query="zzzz"), call(SEARCH, query="")])

    for answer in map(json.loads, results(talk.requests[1])):
        assert answer["found"] == []
        assert "other words" in answer["hint"]
    assert talk.sent() == [SEARCH]


@pytest.mark.promise("U3")
@pytest.mark.parametrize("arguments", [{}, {"query": None}, {"query": 7}, {"words": "weather"}])
def test_a_search_without_a_query_is_answered_and_not_made(arguments: dict[str, Any]) -> None:
    talk = Talk()

    events = talk.ask([call(SEARCH, **arguments)])

    assert "`query`" in json.loads(results(talk.requests[1])[0])["error"]
    assert talk.index.searches == []
    assert events[-1].status == "answered"  # type: ignore[union-attr]


@pytest.mark.promise("U3")
def test_an_index_that_cannot_answer_now_is_told_to_the_model_and_the_next_search_works() -> None:
    talk = Talk()
    talk.index.fault = IndexUnavailableError("search.chromadb_missing")

    events = talk.ask(find(WEATHER), lambda body: _mended(talk))

    assert json.loads(results(talk.requests[1])[0])["found"] == []
    assert "chromadb" in json.loads(results(talk.requests[1])[0])["error"]
    assert [each.failed for each in of_kind(events, ToolsSearched)] == [True, False]
    assert talk.sent() == [SEARCH, "weather_report"]


def _mended(talk: Talk) -> Any:
    talk.index.fault = None
    return find(WEATHER)


@pytest.mark.promise("U3")
def test_an_index_that_breaks_is_told_to_the_model_and_the_next_search_works() -> None:
    talk = Talk()
    talk.index.fault = RuntimeError("the database is gone")

    events = talk.ask(find(WEATHER), lambda body: _mended(talk))

    assert "the database is gone" in json.loads(results(talk.requests[1])[0])["error"]
    assert [each.failed for each in of_kind(events, ToolsSearched)] == [True, False]
    assert events[-1].status == "answered"  # type: ignore[union-attr]
    assert talk.sent() == [SEARCH, "weather_report"]


@pytest.mark.promise("U4", "W9")
@pytest.mark.parametrize(
    ("asked", "given"),
    [
        (0, 1),
        (-1, 1),
        (-(10**9), 1),
        (10**9, 10),
        ("4", 4),
        (3.0, 3),
        (2.5, 5),
        (None, 5),
        (True, 5),
    ],
)
def test_whatever_number_the_model_asks_the_search_is_made_within_the_bounds(
    asked: Any, given: int
) -> None:
    talk = Talk()

    events = talk.ask([call(SEARCH, query="tell", max_results=asked)])

    assert [request.max_results for request in talk.index.searches] == [given]
    assert events[-1].status == "answered"  # type: ignore[union-attr]


@pytest.mark.promise("U4", "A10")
@pytest.mark.parametrize("number", [0, -1, 11, 10**9, 2.5, "3", True])
def test_a_number_of_results_out_of_range_is_refused_where_it_is_configured(number: Any) -> None:
    with pytest.raises(SettingsError, match="max_results") as refused:
        AdvisorOptions(max_results=number)

    assert refused.value.notice.params["value"] in (str(number), repr(number))
    assert refused.value.notice.params["allowed"] == "1 to 10, the max_results_cap"


@pytest.mark.promise("U5")
@pytest.mark.parametrize("whole", [tuple, Catalog], ids=["list", "catalog"])
def test_two_tools_of_one_name_are_refused_and_the_name_is_named(whole: Any) -> None:
    twins = (WEATHER, CLOCK, replace(WEATHER, description="Another one"))

    with pytest.raises(SettingsError, match="`weather_report`"):
        ChatClient(ScriptedProvider(), tools=whole(twins))


@pytest.mark.promise("U5")
def test_a_tool_of_the_request_takes_the_place_of_the_default_one_of_its_name() -> None:
    talk = Talk()
    own = replace(WEATHER, description="Weather of a city on Mars")

    talk.ask(find(WEATHER), tools=[own])

    assert talk.index.indexed == [("s", tuple(each.wire_name for each in TOOLS))]
    [_, sent] = talk.requests[1]["tools"]
    assert sent["description"] == "Weather of a city on Mars"


def receipt(number: str) -> str:
    """Print the receipt of a parcel."""
    if number == "0":
        raise LookupError("no such parcel")
    return f"Receipt {number}"


DIRECT = function_tool(receipt, return_direct=True, pinned=True)


@pytest.mark.promise("U7")
@both_ways
def test_results_that_are_the_answer_end_the_turn_without_another_request(streamed: bool) -> None:
    talk = Talk(tools=[DIRECT, WEATHER], streamed=streamed)

    events = talk.ask([call("receipt", number="1"), call("receipt", number="2")])

    assert len(talk.requests) == 1
    [end] = of_kind(events, TurnEnded)
    assert (end.status, end.answer) == ("answered", "Receipt 1\nReceipt 2")


@pytest.mark.promise("U7")
@pytest.mark.parametrize(
    "other",
    [
        call(SEARCH, query="weather"),
        call("weather_report", city="Oslo"),
        call("receipt", number="0"),
        call("receipt"),
        call("nobody"),
    ],
    ids=["a search", "a tool of its own way", "a failure", "bad arguments", "an unknown tool"],
)
def test_beside_anything_else_the_model_answers(other: Any) -> None:
    talk = Talk(tools=[DIRECT, replace(WEATHER, pinned=True), CLOCK])

    events = talk.ask([call("receipt", number="1"), other])

    assert results(talk.requests[1])[0] == "Receipt 1"
    assert len(results(talk.requests[1])) == 2
    assert events[-1].answer == "Done."  # type: ignore[union-attr]


@pytest.mark.promise("U8")
@pytest.mark.parametrize(
    ("options", "code"),
    [
        (AdvisorOptions(calls_per_tool=2), "advisor.tool_call_limit"),
        (AdvisorOptions(calls_per_turn=2), "advisor.turn_call_limit"),
    ],
)
def test_searches_count_and_the_turn_ends_at_the_limit_with_each_call_answered(
    options: AdvisorOptions, code: str
) -> None:
    kept: list[Any] = []
    talk = Talk(options=options)
    talk.model.add(find(WEATHER, CLOCK, PARCEL))
    prompt = talk.client.prompt("Go on", context={"conversation_id": "s"})

    events = [*prompt.stream(commit=kept.extend)]

    [end] = of_kind(events, TurnEnded)
    assert (end.status, end.problem.code) == ("call_limit", code)
    assert len(talk.index.searches) == 2
    assert len(talk.requests) == 1
    assert [block.is_error for block in kept[-1].content] == [False, False, True]
    assert sendable(kept).repairs == ()


@pytest.mark.promise("U8")
def test_past_a_limit_the_model_may_be_told_and_answers() -> None:
    talk = Talk(options=AdvisorOptions(calls_per_tool=1, at_call_limit="answer"))

    events = talk.ask(find(WEATHER, CLOCK), [call("weather_report", city="Oslo")])

    found_first, refused = results(talk.requests[1])
    assert json.loads(found_first)["found"] == ["weather_report"]
    assert SEARCH in refused
    assert "1 times" in refused
    assert talk.sent() == [SEARCH, "weather_report"]
    assert events[-1].status == "answered"  # type: ignore[union-attr]


@pytest.mark.promise("U8")
def test_the_count_begins_anew_with_each_turn() -> None:
    talk = Talk(options=AdvisorOptions(calls_per_tool=1))

    for wanted in (WEATHER, CLOCK, PARCEL):
        assert talk.ask(find(wanted))[-1].status == "answered"  # type: ignore[union-attr]


@pytest.mark.promise("U9", "A2", "A10")
def test_what_was_found_stays_over_requests_in_the_order_it_was_found() -> None:
    talk = Talk()

    talk.ask(find(PARCEL))
    talk.ask(find(WEATHER, CLOCK))
    talk.ask(find(PARCEL))
    events = talk.ask()

    assert talk.sent() == [SEARCH, "track_parcel", "weather_report", "read_clock"]
    [request] = of_kind(events, RequestPrepared)
    assert [each.reason for each in request.injected] == ["search_tool", *["accumulated"] * 3]


@pytest.mark.promise("U9")
def test_without_accumulation_the_next_request_begins_with_the_latest_finds() -> None:
    talk = Talk(options=AdvisorOptions(accumulate=False))

    talk.ask(find(PARCEL), find(WEATHER, CLOCK))
    talk.ask()

    assert talk.sent() == [SEARCH, "weather_report", "read_clock"]


@pytest.mark.promise("U10")
def test_a_change_of_the_schema_alone_is_sent_next_and_nothing_is_encoded_again() -> None:
    encoder = WatchedEncoder()
    store = RetrieverStore(encoders=lambda name: encoder, spares=0)
    talk = Talk(inner=CatalogToolIndex(store, "vector", "watched"))
    talk.ask([call(SEARCH, query="weather city", max_results=1)])
    encoded = [*encoder.texts]
    assert talk.sent() == [SEARCH, "weather_report"]
    changed = tool(WEATHER.wire_name, WEATHER.description, city="string", days="integer")

    talk.ask(tools=[changed])

    assert talk.sent() == [SEARCH, "weather_report"]
    assert [*talk.requests[-1]["tools"][1]["input_schema"]["properties"]] == ["city", "days"]
    assert encoder.texts == encoded


@pytest.mark.promise("U11")
def test_searches_find_the_old_or_the_new_tools_while_the_session_is_indexed_anew() -> None:
    old = tuple(tool(f"old_{number}", "Tell the weather") for number in range(5))
    new = tuple(tool(f"new_{number}", "Tell the weather") for number in range(5))
    index = tool_index("keyword")
    index.index_tools("s", old)
    whole = [{each.wire_name for each in tools} for tools in (old, new)]

    def search(_: int) -> set[str]:
        asked = ToolSearchRequest(session_id="s", query="weather", max_results=10)
        return {hit.tool_name for hit in index.search(asked).references}

    with ThreadPoolExecutor(3) as threads:
        answers = threads.map(search, range(400))
        for turn in range(100):
            index.index_tools("s", (new, old)[turn % 2])
        assert all(answer in whole for answer in answers)


@pytest.mark.promise("U11")
def test_a_session_that_is_being_indexed_anew_answers_from_the_old_tools_until_the_new_stand() -> (
    None
):
    talk = Talk(tools=(WEATHER,))
    talk.ask(find(WEATHER))
    asked = replace(talk.index.searches[0], query="weather shops")
    meanwhile: list[str] = []
    talk.index.while_indexing = lambda: meanwhile.extend(
        hit.tool_name for hit in talk.index.inner.search(asked).references
    )

    talk.ask(tools=[SHOPS])

    assert meanwhile == ["weather_report"]


@pytest.mark.promise("U12", "W11")
def test_the_tokens_of_a_turn_are_counted_by_part_beside_what_all_tools_would_have_cost() -> None:
    many = [tool(f"tool_{number}", "One of very many tools", a="string") for number in range(60)]
    talk = Talk(tools=[*many, WEATHER])
    talk.model.add(find(WEATHER), [call("weather_report", city="Oslo")], [text("Done.")])

    answer = talk.client.prompt("Go on", context={"conversation_id": "s"}).call()

    events = [entry.event for entry in answer.entries]
    requests = of_kind(events, RequestPrepared)
    [end] = of_kind(events, TurnEnded)
    usage = [each.usage for each in of_kind(events, ResponseReceived)]
    assert end.prompt_tokens == sum(each.input_tokens for each in usage)
    assert end.output_tokens == sum(each.output_tokens for each in usage) > 0
    assert answer.ledger.prompt_tokens == sum(each.tokens.total for each in requests)
    assert all(each.baseline.definitions == requests[0].baseline.definitions for each in requests)
    assert 0.5 < answer.ledger.saved < 1


@pytest.mark.promise("U12")
def test_where_searching_costs_more_the_ledger_says_so() -> None:
    talk = Talk(tools=(WEATHER,))
    talk.model.add(find(WEATHER), [call("weather_report", city="Oslo")], [text("Done.")])

    answer = talk.client.prompt("Go on", context={"conversation_id": "s"}).call()

    assert answer.ledger.saved < 0


NEEDS = {
    "who has to answer the pager tonight": "get_on_call",
    "how many days off are left for me": "get_leave_balance",
    "ask for a day off": "request_leave",
    "tell the team something in the channel": "send_message",
    "send a message later, at a set time": "schedule_message",
    "let people vote": "create_poll",
    "where in the code is this function used": "search_code",
    "open a pull request for my branch": "create_pull_request",
    "approve somebody's code change": "review_pull_request",
    "find a free slot for a meeting with two colleagues": "find_meeting_times",
    "book a room for eight people": "find_rooms",
    "call off tomorrow's appointment": "cancel_event",
    "write an e-mail to a customer": "send_email",
    "tell senders that I am on holiday": "set_out_of_office",
    "share a document with a colleague": "share_file",
    "declare an outage": "create_incident",
    "put the previous release back": "roll_back_deployment",
    "why did the build fail, show its output": "get_job_log",
    "unpaid bills of our customers": "list_invoices",
    "hand in the costs of my trip": "submit_expense",
    "who is whose manager": "get_org_chart",
    "run some SQL": "run_query",
}
"""What people at work need -> the tool of the workplace sample that does it."""


@pytest.mark.promise("U13", "W15")
def test_among_a_hundred_look_alikes_four_of_five_paraphrased_needs_have_their_tool_in_five() -> (
    None
):
    sample = (ROOT / "sample_catalogs" / "workplace.json").read_bytes()
    tools = load_catalog(sample, source="workplace").tools
    served = {"hybrid": 0, "keyword": 0}
    for kind in ("hybrid", "keyword"):
        index = CatalogToolIndex(shared_store(), kind, patience_s=None)  # type: ignore[arg-type]
        index.index_tools("s", tools)
        for query, wanted in NEEDS.items():
            asked = ToolSearchRequest(session_id="s", query=query, max_results=5)
            served[kind] += wanted in [hit.tool_name for hit in index.search(asked).references]

    assert len(tools) > 100
    assert served["hybrid"] / len(NEEDS) >= 0.8
    assert served["hybrid"] > served["keyword"]
