"""A workspace holds its own and nobody else's."""

import json
from dataclasses import replace

import pytest

from toolsearch_core.errors import SessionError, SettingsError
from toolsearch_core.events import (
    IndexEvicted,
    IndexReady,
    RequestPrepared,
    ToolsSearched,
)
from toolsearch_core.eviction import EvictionConfig
from toolsearch_core.index import RetrieverStore
from toolsearch_core.providers.scripted import ScriptedProvider, call, text
from toolsearch_core.search_types import ToolSearchRequest
from toolsearch_core.settings import Settings
from toolsearch_core.usage import Usage
from toolsearch_core.workspace import Workspace

SEARCH = "tool_search_tool"


def colours(*names: str) -> bytes:
    return json.dumps(
        {
            "tools": [
                {
                    "name": f"{name}_tool",
                    "description": f"Handle {name} things",
                    "inputSchema": {
                        "type": "object",
                        "properties": {"note": {"type": "string"}},
                    },
                }
                for name in names
            ]
        }
    ).encode()


def workspace(store: RetrieverStore | None = None, *names: str, **settings: object) -> Workspace:
    made = Workspace(
        store or RetrieverStore(),
        settings=Settings(index_kind="keyword", **settings),  # type: ignore[arg-type]
        wall_clock=lambda: 1_000_000.0,
    )
    if names:
        made.shelf.add(colours(*names), "colours.json")
    return made


def ask(space: Workspace, conversation_id: str, *steps: object, words: str = "x") -> list[object]:
    provider = ScriptedProvider(steps)  # type: ignore[arg-type]
    return [entry.event for entry in space.ask(conversation_id, words, provider)]


def only(events: list[object], kind: type) -> list:
    return [event for event in events if isinstance(event, kind)]


def sent(events: list[object]) -> list[str]:
    return [tool.name for tool in only(events, RequestPrepared)[-1].injected]


def test_three_people_on_one_store_never_see_each_others_tools():
    store = RetrieverStore()
    first, second = workspace(store, "red", "blue"), workspace(store, "red", "blue")
    third = workspace(store, "green")
    one, two, three = (space.new_conversation() for space in (first, second, third))
    found = ask(first, one.id, [call(SEARCH, query="red")], [text("ok")])
    hello = ask(second, two.id, [text("hi")])
    foreign = ask(third, three.id, [call(SEARCH, query="red")], [text("ok")])

    assert sent(found) == [SEARCH, "red_tool"]
    assert sent(hello) == [SEARCH]
    assert only(foreign, ToolsSearched)[0].hits == ()
    first.evict(one.id)
    assert sent(ask(second, two.id, [call(SEARCH, query="blue")], [text("ok")])) == [
        SEARCH,
        "blue_tool",
    ]
    assert sent(ask(third, three.id, [call(SEARCH, query="green")], [text("ok")])) == [
        SEARCH,
        "green_tool",
    ]


def test_nobodys_session_limit_evicts_the_sessions_of_others():
    store = RetrieverStore()
    config = EvictionConfig(strategy="lru", max_sessions=1)
    first = workspace(store, "red", eviction=config)
    second = workspace(store, "red", eviction=config)
    one, two = first.new_conversation(), second.new_conversation()
    ask(first, one.id, [text("hi")])
    ask(second, two.id, [text("hi")])

    assert first.idle_s(one.id) == 0
    assert only([entry.event for entry in one.entries], IndexEvicted) == []


def test_an_access_that_evicts_another_conversation_stands_in_the_others_trace():
    space = workspace(None, "red", eviction=EvictionConfig(strategy="lru", max_sessions=1))
    one, two = space.new_conversation(), space.new_conversation()
    ask(space, one.id, [call(SEARCH, query="red")], [text("ok")])
    ask(space, two.id, [text("ok")])

    assert only([entry.event for entry in two.entries], IndexEvicted) == []
    (evicted,) = only([entry.event for entry in one.entries], IndexEvicted)
    assert (evicted.reason, evicted.released) == ("lru", ("red_tool",))
    assert [entry.seq for entry in one.entries] == list(range(len(one.entries)))


def test_evicting_on_demand_is_recorded_once_and_the_next_turn_indexes_again():
    space = workspace(None, "red")
    talk = space.new_conversation()
    ask(space, talk.id, [text("ok")])

    assert space.evict(talk.id)
    assert not space.evict(talk.id)
    assert [
        entry.event.reason for entry in talk.entries if isinstance(entry.event, IndexEvicted)
    ] == ["explicit"]
    assert only(ask(space, talk.id, [text("ok")]), IndexReady)[0].reindexed


def test_the_demo_clock_lets_idle_time_pass():
    space = workspace(None, "red", eviction=EvictionConfig(strategy="ttl", ttl_s=1800.0))
    talk = space.new_conversation()
    ask(space, talk.id, [call(SEARCH, query="red")], [text("ok")])

    assert space.sweep() == ()
    space.clock.advance(1800)
    (swept,) = space.sweep()
    assert (swept.session_id, swept.reason, swept.released) == (talk.id, "ttl", ("red_tool",))
    assert talk.entries[-1].event.reason == "ttl"
    assert talk.entries[-1].at_s == 1_001_800.0


@pytest.mark.parametrize("step", [0, -1, float("nan")])
def test_time_never_runs_back(step):
    with pytest.raises(SettingsError):
        workspace().clock.advance(step)


def test_a_new_eviction_strategy_remembers_who_was_there():
    space = workspace(None, "red")
    old, new = space.new_conversation(), space.new_conversation()
    ask(space, old.id, [text("ok")])
    space.clock.advance(60)
    ask(space, new.id, [text("ok")])
    space.use(Settings(index_kind="keyword", eviction=EvictionConfig(strategy="ttl", ttl_s=60.0)))

    assert [item.session_id for item in space.sweep()] == [old.id]


def test_another_index_kind_is_indexed_and_keeps_what_was_discovered():
    space = workspace(None, "red", "blue")
    talk = space.new_conversation()
    ask(space, talk.id, [call(SEARCH, query="red")], [text("ok")])
    space.use(Settings(index_kind="regex"))
    events = ask(space, talk.id, [text("ok")])

    assert only(events, IndexReady)[0].index_kind == "regex"
    assert sent(events) == [SEARCH, "red_tool"]


def test_an_unknown_conversation_is_an_error_that_names_it():
    with pytest.raises(SessionError) as caught:
        workspace().conversation("elsewhere")

    assert "elsewhere" in str(caught.value)


def test_conversations_are_listed_newest_first_and_titled_by_their_first_question():
    space = workspace(None, "red")
    old, new = space.new_conversation(), space.new_conversation()
    ask(space, old.id, [text("ok")], words="Paint\n  the fence " + "very " * 20)
    ask(space, old.id, [text("ok")], words="And then?")

    assert [talk.id for talk in space.conversations] == [new.id, old.id]
    assert old.title.startswith("Paint the fence very")
    assert len(old.title) <= 48
    assert new.title == ""


def test_estimates_are_corrected_by_what_a_provider_reports():
    space = workspace(None, "red")
    talk = space.new_conversation()

    class Reporting(ScriptedProvider):
        """Reports three halves of what was estimated."""

        def stream(self, request):
            estimate = only([entry.event for entry in talk.entries], RequestPrepared)[-1].tokens
            response = yield from super().stream(request)
            usage = Usage(input_tokens=estimate.total * 3 // 2, output_tokens=1, source="reported")
            return replace(response, usage=usage)

    for _ in range(2):
        for _ in space.ask(talk.id, "x", Reporting([[text("ok")]])):
            pass
    first, second = only([entry.event for entry in talk.entries], RequestPrepared)

    assert second.tokens.search_tool == pytest.approx(first.tokens.search_tool * 1.5, abs=1)


@pytest.mark.parametrize(
    ("kind", "least", "found"),
    [
        ("keyword", 0.0, ["red_tool", "blue_tool"]),
        ("keyword", 0.25, ["red_tool"]),
        ("keyword", 1.0, []),
        ("regex", 1.0, ["red_tool", "blue_tool"]),
    ],
)
def test_the_least_score_of_the_keyword_index_holds_for_that_index_alone(kind, least, found):
    space = workspace(None, "red", "blue")
    space.use(Settings(index_kind=kind, keyword_min_score=least))
    space.index().index_tools("any", space.catalog.tools)
    request = ToolSearchRequest(session_id="any", query="handle red", max_results=5)

    assert [hit.tool_name for hit in space.index().search(request).references] == found


def test_another_least_score_is_another_index_and_the_same_one_is_kept():
    space = workspace(None, "red")
    first = space.index()
    space.use(Settings(index_kind="keyword", keyword_min_score=0.5))

    assert space.index() is not first
    space.use(Settings(index_kind="keyword"))
    assert space.index() is first
