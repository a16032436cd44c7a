"""3.2: the advisor, streamed."""

import pytest

from tests.conformance.talk import CLOCK, SEARCH, SHOPS, WEATHER, Talk, find, of_kind
from toolsearch_core.advisor import AdvisorOptions
from toolsearch_core.events import RequestPrepared, TextDelta, TurnEnded
from toolsearch_core.providers.scripted import call, text


def streamed(**more: object) -> Talk:
    return Talk(streamed=True, **more)  # type: ignore[arg-type]


@pytest.mark.promise("3.2.1")
def test_two_tools_are_indexed_in_one_go_when_the_first_event_is_taken_and_not_before() -> None:
    talk = streamed(tools=(SHOPS, CLOCK))
    talk.model.add([text("Done.")])

    events = talk.client.prompt("Go on", context={"conversation_id": "s"}).stream()
    before = [*talk.index.indexed]
    kinds = [type(event) for event in events]

    assert before == []
    assert kinds[-1] is TurnEnded
    assert talk.index.indexed == [("s", ("find_shops", "read_clock"))]


@pytest.mark.promise("3.2.2")
def test_the_suffix_is_a_part_of_its_own_after_the_system_prompt_of_every_request() -> None:
    talk = streamed(options=AdvisorOptions(system="Be brief.", system_suffix="Search first."))

    talk.ask(find(WEATHER))

    assert [body["system"] for body in talk.requests] == ["Be brief.\n\nSearch first."] * 2


@pytest.mark.promise("3.2.3")
def test_the_first_request_indexes_once_and_clears_nothing() -> None:
    talk = streamed()

    talk.ask(find(WEATHER), find(CLOCK))

    assert len(talk.index.indexed) == 1
    assert talk.index.cleared == []


@pytest.mark.promise("3.2.4")
def test_what_was_found_and_is_no_tool_any_more_is_passed_over() -> None:
    talk = streamed(tools=(WEATHER,))
    talk.ask(find(CLOCK), tools=[CLOCK])
    assert talk.sent() == [SEARCH, "read_clock"]

    talk.ask(find(WEATHER))

    assert talk.sent(-2) == [SEARCH]
    assert talk.sent(-1) == [SEARCH, "weather_report"]


@pytest.mark.promise("3.2.5")
def test_the_session_id_comes_from_the_context() -> None:
    talk = streamed()

    talk.ask(find(WEATHER), session="chat-7")

    assert [session for session, _ in talk.index.indexed] == ["chat-7"]
    assert [search.session_id for search in talk.index.searches] == ["chat-7"]


@pytest.mark.promise("3.2.1")
def test_the_words_come_while_the_turn_runs_and_both_ways_tell_the_same() -> None:
    steps = ([text("Let me look. "), *find(WEATHER)], [call("weather_report", city="Oslo")])
    told = streamed().ask(*steps)
    answered = Talk().ask(*steps)

    said = [type(event) for event in told]
    second_request = said.index(RequestPrepared, said.index(RequestPrepared) + 1)
    assert said.index(TextDelta) < second_request
    assert "".join(delta.text for delta in of_kind(told, TextDelta)) == "Let me look. Done."
    assert [each for each in told if not isinstance(each, TextDelta)] == [
        each for each in answered if not isinstance(each, TextDelta)
    ]
    assert isinstance(told[-1], TurnEnded)
