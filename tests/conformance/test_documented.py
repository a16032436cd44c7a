"""Section A: what the documentation promises, shown on whole conversations."""

import json
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conformance.talk import (
    CLOCK,
    PARCEL,
    SEARCH,
    SHOPS,
    TOOLS,
    WEATHER,
    Recording,
    Talk,
    find,
    found,
    names,
    of_kind,
    results,
    tool,
)
from tests.project_files import ROOT, document
from toolsearch_core.advisor import AdvisorOptions, ToolSearchAdvisor
from toolsearch_core.advisor.guidance import guidance
from toolsearch_core.advisor.prompts import prompt
from toolsearch_core.chat import CONVERSATION_ID, ChatClient, MessageMemoryAdvisor
from toolsearch_core.events import RequestPrepared, ToolsSearched
from toolsearch_core.eviction import EvictionConfig
from toolsearch_core.eviction.config import StrategyKind
from toolsearch_core.index import RetrieverStore, tool_index
from toolsearch_core.providers.rehearsal import RehearsalProvider
from toolsearch_core.providers.scripted import ScriptedProvider, call, text
from toolsearch_core.search_types import INDEX_KINDS, IndexKind
from toolsearch_core.settings import Settings, chat_client, load_settings, tool_advisor
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.tools import Catalog
from toolsearch_core.workspace.savings import Savings, measure_savings

MANY = tuple(tool(f"tool_{number}", f"Do the thing number {number}") for number in range(25))


@pytest.mark.promise("A1", "A2")
@pytest.mark.parametrize("streamed", [False, True], ids=["called", "streamed"])
def test_all_tools_are_indexed_once_and_the_first_request_has_the_search_tool_alone(
    streamed: bool,
) -> None:
    talk = Talk(tools=(*MANY, *TOOLS), streamed=streamed)

    talk.ask()
    talk.ask(find(WEATHER))

    assert talk.index.indexed == [("s", tuple(each.wire_name for each in (*MANY, *TOOLS)))]
    assert talk.declared()[:2] == [[SEARCH], [SEARCH]]
    first = json.dumps(talk.requests[0])
    assert not any(each.description in first or each.wire_name in first for each in MANY)


@pytest.mark.promise("A3")
@pytest.mark.parametrize("kind", INDEX_KINDS)
def test_the_model_searches_in_plain_language_and_the_index_gets_its_very_words(
    kind: IndexKind,
) -> None:
    talk = Talk(inner=tool_index(kind))
    words = "I need to know where my parcel is"

    talk.ask([call(SEARCH, query=words)])

    assert [request.query for request in talk.index.searches] == [words]
    assert found(results(talk.requests[1])[0])[0] == "track_parcel"


@pytest.mark.promise("A4")
def test_what_a_search_finds_is_in_the_next_request_with_its_whole_definition() -> None:
    talk = Talk()

    talk.ask(find(WEATHER, SHOPS))

    assert talk.requests[1]["tools"][1:] == [
        {
            "name": each.wire_name,
            "description": each.description,
            "input_schema": each.input_schema,
        }
        for each in (WEATHER, SHOPS)
    ]


@pytest.mark.promise("A5")
def test_a_found_tool_is_called_with_its_arguments_and_its_result_goes_back() -> None:
    asked: list[str] = []

    def weather_report(city: str) -> str:
        """Tell the weather of a city."""
        asked.append(city)
        return f"Rain in {city}"

    talk = Talk(tools=[weather_report, CLOCK])

    def answer(body: Mapping[str, object]) -> list[dict[str, str]]:
        return [{"type": "text", "text": f"I read: {results(body)[0]}"}]

    talk.model.add([call(SEARCH, query="weather")], [call("weather_report", city="Bergen")], answer)
    told = talk.client.prompt("Weather in Bergen?", context={CONVERSATION_ID: "s"}).call()

    assert asked == ["Bergen"]
    assert (told.status, told.text) == ("answered", "I read: Rain in Bergen")


@pytest.mark.promise("A6")
def test_conversations_at_once_find_their_own_tools_only() -> None:
    index = tool_index("keyword")
    sent: dict[str, list[list[str]]] = {}

    def converse(session: str) -> None:
        mine = [tool(f"{session}_{number}", "Tell the weather") for number in range(5)]
        search = [call(SEARCH, query="weather", max_results=10)]
        model = ScriptedProvider([search, [text("Done.")]] * 5)
        client = ChatClient(model, tools=mine, advisors=[advisor])
        for _ in range(5):
            client.prompt("Go on", context={CONVERSATION_ID: session}).call()
        sent[session] = [names(body) for body in model.requests]

    advisor = ToolSearchAdvisor(index)
    threads = [threading.Thread(target=converse, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(sent) == [*"abcd"]
    for session, declared in sent.items():
        assert declared[-1] == [SEARCH, *(f"{session}_{number}" for number in range(5))]


@pytest.mark.promise("A7")
def test_who_uses_a_memory_has_the_session_id_and_another_key_can_be_chosen() -> None:
    index = Recording()
    model = ScriptedProvider([[text("Done.")]] * 2)
    by_memory = [ToolSearchAdvisor(index), MessageMemoryAdvisor()]
    by_tenant = [ToolSearchAdvisor(index, session_id_key="tenant_id"), MessageMemoryAdvisor()]
    context = {"conversation_id": "chat", "tenant_id": "tenant"}

    for advisors in (by_memory, by_tenant):
        ChatClient(model, tools=TOOLS, advisors=advisors, context=context).prompt("Go on").call()

    assert CONVERSATION_ID == "conversation_id"
    assert [session for session, _ in index.indexed] == ["chat", "tenant"]


@pytest.mark.promise("A8")
@pytest.mark.parametrize(
    ("kind", "query", "hit"),
    [
        ("vector", "Will it rain tomorrow?", "weather_report"),
        ("keyword", "clothing", "find_shops"),
        ("regex", "read_*", "read_clock"),
        ("hybrid", "Will it rain tomorrow?", "weather_report"),
        ("hybrid", "clothing", "find_shops"),
    ],
)
def test_meaning_keywords_and_patterns_stand_behind_one_seam(
    kind: IndexKind, query: str, hit: str
) -> None:
    talk = Talk(inner=tool_index(kind))

    events = talk.ask([call(SEARCH, query=query, max_results=1)])

    [search] = of_kind(events, ToolsSearched)
    assert search.index_kind == kind
    assert talk.sent() == [SEARCH, hit]
    assert tool_index().kind == Settings().index_kind == "hybrid"


@pytest.mark.promise("A10")
def test_every_documented_option_has_the_documented_default() -> None:
    talk = Talk()
    options = AdvisorOptions()

    talk.ask(find(WEATHER), find(CLOCK))
    talk.ask([call(SEARCH, query="tell")], session="other")

    assert options.max_results is None
    assert talk.index.searches[-1].max_results == 5
    assert options.accumulate
    assert talk.sent(2) == [SEARCH, "weather_report", "read_clock"]
    assert talk.requests[0]["system"] == prompt("system_suffix")
    assert EvictionConfig().strategy == "lru"
    assert EvictionConfig().max_sessions == 1000
    with pytest.raises(TypeError, match="index"):
        ToolSearchAdvisor()  # type: ignore[call-arg]


STRATEGIES: dict[StrategyKind, list[str]] = {
    "lru": ["a"],
    "never": [],
    "always": [],
    "ttl": ["a", "b", "c"],
    "composite": ["a", "b", "c"],
}
"""Strategy -> the sessions cleared after a, b, c, half an hour of silence, and d; two fit."""


def lasting_threads() -> set[str]:
    """All but those that read one answer of a model and end with it."""
    return {each.name for each in threading.enumerate() if each.name != "listening"}


@pytest.mark.promise("A11")
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_five_strategies_are_asked_at_each_request_and_by_no_thread(strategy: StrategyKind) -> None:
    now = 0.0
    own = Recording()
    settings = Settings(
        eviction=EvictionConfig(strategy=strategy, max_sessions=3, ttl_s=1800), index_kind="keyword"
    )
    advisor = tool_advisor(settings, index=own, clock=lambda: now)
    client = ChatClient(ScriptedProvider([[text("Done.")]] * 9), tools=TOOLS, advisors=[advisor])

    def ask(session: str) -> None:
        client.prompt("Go on", context={CONVERSATION_ID: session}).call()

    for session in "abc":
        ask(session)
    threads = lasting_threads()
    now = 1800.0
    assert own.cleared == []
    ask("d")
    assert own.cleared == STRATEGIES[strategy]
    assert lasting_threads() <= threads

    indexed = len(own.indexed)
    ask("d")
    assert len(own.indexed) - indexed == (strategy == "always")


@pytest.mark.promise("A11")
def test_a_session_that_is_evicted_by_hand_is_released_at_once() -> None:
    talk = Talk()
    talk.ask(find(WEATHER), session="a")
    talk.ask(session="b")

    assert talk.advisor.evict_session("a") is not None
    assert talk.advisor.evict_session("nobody") is None

    assert talk.index.cleared == ["a"]
    assert [live.session_id for live in talk.sessions.live()] == ["b"]


def holiday(environ: Mapping[str, str]) -> tuple[str, list[list[str]]]:
    """Somebody's program, which knows nothing of how tools are sent."""
    settings = load_settings(environ=environ).settings
    model = ScriptedProvider([ready_to_call, [text("Take an umbrella.")]])
    client = chat_client(settings, model, tools=TOOLS)

    answer = client.prompt("Weather in Bergen?", context={"conversation_id": "s"}).call()

    return answer.text, [names(body) for body in model.requests]


def ready_to_call(body: Mapping[str, object]) -> list[object]:
    """A call of the tool where it is sent; else a search for it."""
    if "weather_report" in names(body):
        return [call("weather_report", city="Bergen")]
    return [*find(WEATHER)]


@pytest.mark.promise("A12")
def test_one_setting_replaces_plain_tool_calling_without_a_change_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    everything = [each.wire_name for each in TOOLS]

    plain = holiday({"TOOLSEARCH_ADVISOR_ENABLED": "false"})
    searching = holiday({"TOOLSEARCH_INDEX_TYPE": "keyword"})

    assert plain == ("Take an umbrella.", [everything, everything])
    assert searching == ("Take an umbrella.", [[SEARCH], [SEARCH, "weather_report"]])


@pytest.mark.promise("A13")
def test_the_quick_start_works_in_four_steps() -> None:
    def current_weather(city: str) -> str:
        """Tell the current weather of a city."""
        return f"It is 15 degrees in {city}."

    def clothing_shops(city: str) -> str:
        """List the clothing shops of a city."""
        return f"Two shops in {city}."

    index = tool_index("keyword")
    advisor = ToolSearchAdvisor(index)
    client = ChatClient(
        RehearsalProvider(), tools=[current_weather, clothing_shops], advisors=[advisor]
    )
    answer = client.prompt(
        "What is the weather in Amsterdam?", context={CONVERSATION_ID: "chat-1"}
    ).call()

    requests = of_kind([entry.event for entry in answer.entries], RequestPrepared)
    assert answer.status == "answered"
    assert "15" in answer.text
    assert [tool.name for tool in requests[0].injected] == [SEARCH]
    assert "current_weather" in [tool.name for tool in requests[-1].injected]


EVERYDAY: list[str] = next(
    sample["questions"]["en"]
    for sample in json.loads(document("sample_catalogs/index.json"))["samples"]
    if sample["file"] == "everyday.json"
)
"""The questions of the everyday sample, each a task of its own over its 28 tools."""


def everyday(question: str, options: AdvisorOptions | None = None) -> Savings:
    """The task with search and with every tool up front; the model is the same."""
    data = (ROOT / "sample_catalogs" / "everyday.json").read_bytes()
    settings = Settings(options=options or AdvisorOptions())
    return measure_savings(
        data, "everyday", [question], RehearsalProvider, settings, RetrieverStore()
    )


@pytest.mark.promise("A14", "W15")
@pytest.mark.parametrize("question", EVERYDAY)
def test_a_task_over_28_tools_saves_a_third_of_all_tokens_or_more_and_calls_the_same_tools(
    question: str,
) -> None:
    found = everyday(question)

    assert found.tool_count == 28
    assert found.searched.statuses == found.up_front.statuses == ("answered",)
    assert found.searched.called == found.up_front.called
    assert found.total_share <= 2 / 3


@pytest.mark.promise("A14")
def test_the_task_that_is_documented_saves_64_percent_with_one_result_per_search() -> None:
    found = everyday(EVERYDAY[0], AdvisorOptions(max_results=1))

    assert found.searched.called == found.up_front.called
    assert len(found.searched.called) == 3
    assert found.total_share <= 0.36


@pytest.mark.promise("W15")
def test_a_measured_saving_can_be_measured_again() -> None:
    assert everyday(EVERYDAY[1]) == everyday(EVERYDAY[1])


@pytest.mark.promise("A15")
@pytest.mark.parametrize(
    ("tools", "options", "advice"),
    [
        (9, AdvisorOptions(), "advisor.small_catalog"),
        (10, AdvisorOptions(), None),
        (9, AdvisorOptions(disclosure="all_up_front"), None),
        (10, AdvisorOptions(disclosure="all_up_front"), "advisor.large_catalog"),
        (9, AdvisorOptions(search_from_tools=10), None),
    ],
)
def test_guidance_is_given_from_ten_tools_on_and_below_and_is_no_rule(
    tools: int, options: AdvisorOptions, advice: str | None
) -> None:
    catalog = Catalog(MANY[:tools])

    told = guidance(catalog, TokenEstimator(), options)

    assert (told.code if told else None) == advice
    assert AdvisorOptions().search_from_tools == 0


@pytest.mark.promise("A15")
def test_few_tools_with_ten_thousand_tokens_are_worth_a_search() -> None:
    long = tool("long", "word " * 12_000)

    assert guidance(Catalog((long, PARCEL)), TokenEstimator(), AdvisorOptions()) is None
