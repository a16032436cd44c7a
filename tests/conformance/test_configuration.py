"""3.9: from settings to a client; the counterpart of what is configured automatically elsewhere."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.talk import (
    SEARCH,
    TOOLS,
    WEATHER,
    Recording,
    find,
    found,
    names,
    of_kind,
    results,
)
from toolsearch_core.advisor import ToolCallingAdvisor, ToolSearchAdvisor
from toolsearch_core.chat import (
    ChatClient,
    InMemoryChatMemory,
    MessageMemoryAdvisor,
    TurnFailedError,
)
from toolsearch_core.chat_types import Advisor
from toolsearch_core.errors import SettingsError
from toolsearch_core.events import Event, IndexReady, ToolCalled, ToolsSearched
from toolsearch_core.jsonvalues import JsonObject
from toolsearch_core.protocols import ExecutionResult
from toolsearch_core.providers.scripted import ScriptedProvider, call, text
from toolsearch_core.settings import Settings, chat_client, load_settings, tool_advisor
from toolsearch_core.tools import ToolDefinition


@pytest.fixture(autouse=True)
def _no_file_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def configured(**variables: str) -> Settings:
    """What the environment says, and nothing else: `ADVISOR_ORDER="42"`."""
    return load_settings(
        environ={f"TOOLSEARCH_{name}": value for name, value in variables.items()}
    ).settings


class Asked:
    """One question to the configured client."""

    def __init__(self, settings: Settings, *steps: Any, **more: Any) -> None:
        context = more.pop("context", {settings.session_id_key: "s"})
        self.model = ScriptedProvider([*steps, [text("Done.")]])
        client = chat_client(settings, self.model, tools=TOOLS, **more)
        answer = client.prompt("Go on", context=context).call()
        self.events: list[Event] = [entry.event for entry in answer.entries]

    @property
    def first(self) -> dict[str, Any]:
        """The body of the first request."""
        return self.model.requests[0]  # type: ignore[return-value]

    @property
    def kind(self) -> str:
        """The kind of index that was made ready."""
        return str(of_kind(self.events, IndexReady)[0].index_kind)


@pytest.mark.promise("3.9.1")
def test_with_nothing_configured_search_is_on() -> None:
    asked = Asked(configured())

    assert isinstance(tool_advisor(configured()), ToolSearchAdvisor)
    assert names(asked.first) == [SEARCH]


@pytest.mark.promise("3.9.2")
def test_switched_on_with_no_kind_named_the_index_is_hybrid() -> None:
    assert Asked(configured(ADVISOR_ENABLED="true")).kind == "hybrid"


@pytest.mark.promise("3.9.3")
def test_the_regex_index_is_one_word_away_and_matches_patterns() -> None:
    asked = Asked(configured(INDEX_TYPE="regex"), [call(SEARCH, query="^read_.*k$")])

    assert asked.kind == "regex"
    assert found(results(asked.model.requests[1])[0]) == ["read_clock"]  # type: ignore[arg-type]


@pytest.mark.promise("3.9.4")
def test_the_keyword_index_is_one_word_away() -> None:
    asked = Asked(configured(INDEX_TYPE="keyword"), [call(SEARCH, query="parcel")])

    assert asked.kind == "keyword"
    assert found(results(asked.model.requests[1])[0]) == ["track_parcel"]  # type: ignore[arg-type]


@pytest.mark.promise("3.9.5")
def test_the_vector_index_stands_on_the_configured_encoder() -> None:
    settings = configured(INDEX_TYPE="vector", INDEX_ENCODER="multilingual")
    asked = Asked(settings, [call(SEARCH, query="will it rain tomorrow", max_results=1)])

    [search] = of_kind(asked.events, ToolsSearched)
    assert asked.kind == "vector"
    assert [hit.tool_name for hit in search.hits] == ["weather_report"]
    assert [reason.signal for reason in search.hits[0].reasons] == ["meaning"]


@pytest.mark.promise("3.9.6")
def test_a_vector_index_without_its_encoder_says_what_is_missing_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)  # as if not installed
    settings = configured(INDEX_TYPE="vector", INDEX_ENCODER="nobodys-encoder")

    with pytest.raises(TurnFailedError, match="nobodys-encoder") as failed:
        Asked(settings)

    problem = failed.value.answer.problem
    assert problem is not None
    assert problem.code == "search.encoder_missing"
    assert "pip install sentence-transformers" in problem.text
    assert "`multilingual`" in problem.text


@pytest.mark.promise("3.9.7")
def test_a_kind_of_index_that_does_not_exist_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(SettingsError) as refused:
        configured(INDEX_TYPE="keywords")

    told = str(refused.value)
    assert "TOOLSEARCH_INDEX_TYPE" in told
    assert '"keywords"' in told
    assert refused.value.notice.params["nearest"] == "keyword"
    assert refused.value.notice.params["allowed"] == "hybrid or keyword or regex or vector"


@pytest.mark.promise("3.9.8", "A12")
def test_an_index_of_ones_own_wins_over_the_configured_kind() -> None:
    own = Recording()

    asked = Asked(configured(INDEX_TYPE="regex"), find(WEATHER), index=own)

    assert asked.kind == own.kind == "keyword"
    assert [request.query for request in own.searches] == ["weather city"]


@pytest.mark.promise("3.9.9")
def test_configuration_gives_the_search_advisor_where_a_tool_advisor_is_asked_for() -> None:
    advisor = tool_advisor(configured(INDEX_TYPE="keyword"))
    model = ScriptedProvider([find(WEATHER), [text("Done.")]])
    client = ChatClient(model, tools=TOOLS, advisors=[advisor])

    client.prompt("Go on", context={"conversation_id": "s"}).call()

    assert isinstance(advisor, ToolSearchAdvisor)
    assert names(model.requests[1]) == [SEARCH, "weather_report"]


@pytest.mark.promise("3.9.10")
def test_the_order_of_the_advisor_can_be_set() -> None:
    assert tool_advisor(configured(ADVISOR_ORDER="42")).order == 42
    assert tool_advisor(configured(ADVISOR_ORDER="42", ADVISOR_ENABLED="false")).order == 42


@pytest.mark.promise("3.9.11")
def test_the_number_of_results_can_be_set() -> None:
    own = Recording()

    Asked(configured(SEARCH_MAX_RESULTS="2"), [call(SEARCH, query="tell")], index=own)

    assert [request.max_results for request in own.searches] == [2]


@pytest.mark.promise("3.9.12")
def test_the_key_of_the_session_id_can_be_set() -> None:
    own = Recording()

    Asked(configured(ADVISOR_SESSION_ID_KEY="tenant_id"), context={"tenant_id": "t"}, index=own)

    assert [session for session, _ in own.indexed] == ["t"]


class Locked:
    """An executor that lets nobody use a tool."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def execute(self, tool: ToolDefinition, arguments: JsonObject) -> ExecutionResult:
        self.asked.append(tool.wire_name)
        return ExecutionResult(content="Not for you.", outcome="failed", simulated=False)


@pytest.mark.promise("3.9.13")
def test_who_may_use_tools_is_decided_by_the_executor_of_the_client() -> None:
    locked = Locked()

    asked = Asked(
        configured(INDEX_TYPE="keyword"),
        find(WEATHER),
        [call("weather_report", city="Oslo")],
        executor=locked,
    )

    assert locked.asked == ["weather_report"]
    assert results(asked.model.requests[2]) == ["Not for you."]  # type: ignore[arg-type]
    assert [each.outcome for each in of_kind(asked.events, ToolCalled)] == ["failed"]


@pytest.mark.promise("3.9.14")
@pytest.mark.parametrize(
    ("accumulate", "last"),
    [("true", [SEARCH, "weather_report", "read_clock"]), ("false", [SEARCH, "read_clock"])],
)
def test_accumulation_can_be_switched_off(accumulate: str, last: list[str]) -> None:
    settings = configured(DISCLOSURE_ACCUMULATE=accumulate, INDEX_TYPE="keyword")

    asked = Asked(settings, find(WEATHER), find(TOOLS[1]))

    assert names(asked.model.requests[-1]) == last


@pytest.mark.promise("3.9.15")
def test_the_suffix_can_be_set() -> None:
    settings = configured(ADVISOR_SYSTEM_SUFFIX="Search first.", MODEL_SYSTEM="Be brief.")

    assert Asked(settings).first["system"] == "Be brief.\n\nSearch first."


@pytest.mark.promise("3.9.16", "A8")
@pytest.mark.parametrize(
    ("least", "hits"),
    [
        (None, ["find_shops", "weather_report", "track_parcel", "read_clock"]),
        ("0.25", ["find_shops"]),
        ("0.2", ["find_shops", "weather_report"]),
        ("0.99", []),
    ],
)
def test_the_least_score_of_the_keyword_index_can_be_set_and_is_off(
    least: str | None, hits: list[str]
) -> None:
    more = {} if least is None else {"INDEX_KEYWORD_MIN_SCORE": least}
    settings = configured(INDEX_TYPE="keyword", **more)
    query = "tell the weather of a city and list clothing shops"

    [search] = of_kind(Asked(settings, [call(SEARCH, query=query)]).events, ToolsSearched)

    assert settings.keyword_min_score == float(least or 0)
    assert [hit.tool_name for hit in search.hits] == hits
    assert all(hit.score >= settings.keyword_min_score for hit in search.hits)
    assert all(hit.score < settings.keyword_min_score for hit in search.near_misses)
    assert len(search.hits) + len(search.near_misses) == 4


@pytest.mark.promise("3.9.17", "A10")
def test_with_nothing_said_eviction_is_lru_over_a_thousand_sessions() -> None:
    eviction = configured().eviction

    assert (eviction.strategy, eviction.max_sessions, eviction.ttl_s) == ("lru", 1000, None)


@pytest.mark.promise("3.9.18", "A11")
def test_with_a_time_to_live_eviction_is_lru_and_ttl_together() -> None:
    now = 0.0
    settings = configured(EVICTION_TTL="30m", EVICTION_LRU_MAX_SESSIONS="2", INDEX_TYPE="keyword")
    own = Recording()
    advisor = tool_advisor(settings, index=own, clock=lambda: now)
    client = ChatClient(
        ScriptedProvider([[text("Done.")]] * 5), tools=TOOLS, advisors=[advisor], clock=lambda: now
    )

    def ask(session: str) -> list[str]:
        client.prompt("Go on", context={"conversation_id": session}).call()
        return own.cleared

    assert settings.eviction.strategy == "composite"
    assert ask("a") == ask("b") == []
    assert ask("c") == ["a"]
    now = 1799.0
    assert ask("b") == ["a"]
    now = 1800.0
    assert ask("b") == ["a", "c"]


@pytest.mark.promise("3.9.19", "A7")
def test_beside_everything_else_search_takes_the_place_of_plain_tool_calling() -> None:
    seen: list[str] = []

    class Watching:
        """An advisor of somebody's own, inside the loop."""

        name, order = "Watching", 500

        def advise(self, request, chain):  # type: ignore[no-untyped-def]
            seen.append(request.context["conversation_id"])
            return chain.next(request)

    kept = InMemoryChatMemory()
    advisors: list[Advisor] = [Watching(), MessageMemoryAdvisor(kept)]
    settings = configured(INDEX_TYPE="keyword", EVICTION_TTL="1h", MODEL_SYSTEM="Be brief.")

    asked = Asked(settings, find(WEATHER), advisors=advisors)

    assert [names(body) for body in asked.model.requests] == [[SEARCH], [SEARCH, "weather_report"]]
    assert seen == ["s", "s"]
    assert len(kept.get("s")) == 4


@pytest.mark.promise("3.9.20", "A12")
def test_switched_off_plain_tool_calling_is_there() -> None:
    settings = configured(ADVISOR_ENABLED="false")
    own = Recording()

    asked = Asked(settings, context={}, index=own)

    assert type(tool_advisor(settings)) is ToolCallingAdvisor
    assert names(asked.first) == [tool.wire_name for tool in TOOLS]
    assert "system" not in asked.first
    assert own.indexed == []
