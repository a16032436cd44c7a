"""Scripts that broke other products: the model says what it is told to, and the loop holds.

Each kind of fault has its test without the outside data too; here the very inputs are played.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.advisor.stage import SEARCH, Stage, only
from toolsearch_core.advisor import AdvisorOptions
from toolsearch_core.catalog import load_catalog
from toolsearch_core.events import (
    IndexEvicted,
    RequestPrepared,
    ToolCalled,
    ToolsDropped,
    ToolsSearched,
    TurnStarted,
)
from toolsearch_core.eviction import EvictionConfig
from toolsearch_core.history import problems
from toolsearch_core.protocols import ExecutionResult
from toolsearch_core.providers.scripted import text
from toolsearch_core.tools import Catalog

pytestmark = pytest.mark.outside_data


class Play:
    """A script on a stage: every list of the model is one answer."""

    def __init__(self, folder: Path, name: str, **more: Any) -> None:
        self.script = json.loads((folder / "troubles" / f"{name}.json").read_text("utf-8"))
        tools = load_catalog(json.dumps(self.script["tools"]).encode(), source="tools").tools
        settings = self.script["settings"]
        options = AdvisorOptions(
            max_results=settings.get("top_k"),
            pinned=tuple(settings.get("pinned", ())),
            accumulate=more.pop("accumulate", True),
        )
        self.stage = Stage(catalog=Catalog(tools), options=options, **more)
        for answer in self.script["model"]:
            self.stage.provider.add([self._block(block) for block in answer])

    def _block(self, block: dict[str, Any]) -> dict[str, Any]:
        if "text" in block:
            return text(block["text"])
        use = block["tool_use"]
        name = SEARCH if use["name"] == "$SEARCH" else use["name"]
        return {"type": "tool_use", "id": use["id"], "name": name, "input": use["input"]}

    def ask(self, turn: int) -> list[Any]:
        return list(self.stage.run(self.script["user"][turn]))

    def sent(self) -> list[list[str]]:
        return [
            [tool["name"] for tool in request.get("tools", ())]
            for request in self.stage.provider.requests
        ]


def test_a_tool_that_failed_once_is_there_for_the_next_try(outside_data: Path) -> None:
    """ADV-01"""
    play = Play(outside_data, "ADV-01", eviction=EvictionConfig(strategy="never"))
    events = play.ask(0)

    assert len(play.sent()) == 4
    assert all("lookup_shipment" in names for names in play.sent()[1:])
    assert len(only(events, ToolsSearched)) == 1
    assert [call.outcome for call in only(events, ToolCalled)] == ["invalid_arguments", "executed"]


@pytest.mark.parametrize("case", range(4))
def test_nothing_is_hidden_that_cannot_be_found(outside_data: Path, case: int) -> None:
    """ADV-02"""
    script = json.loads((outside_data / "troubles" / "ADV-02.json").read_text("utf-8"))
    given = script["cases"][case]
    tools = load_catalog(
        json.dumps(
            [{"name": f"tool_{n}", "description": "x"} for n in range(given["tools"])]
        ).encode(),
        source="tools",
    ).tools
    names = [tool.wire_name for tool in tools]
    options = AdvisorOptions(
        disclosure="search_and_inject" if given["search_enabled"] else "all_up_front",
        pinned=tuple(names[: given["pinned"]]),
        search_from_tools=given.get("threshold", 0),
    )
    stage = Stage(catalog=Catalog(tools), options=options)
    events = stage.ask("hello", [[text("Hi.")]])
    request = stage.provider.requests[0]

    assert events[-1].status == "answered"
    assert [tool["name"] for tool in request.get("tools", ())] == names
    assert ("tools" in request) is bool(names)
    told = [each.code for each in only(events, TurnStarted)[0].notices]
    assert told == (["advisor.all_sent"] if case in (0, 3) else [])


def test_time_runs_out_during_a_call_and_the_index_stays(outside_data: Path) -> None:
    """ADV-07, its first expectation: eviction by time falls between a call and its result."""
    play = Play(outside_data, "ADV-07", eviction=EvictionConfig(strategy="ttl", ttl_s=60))
    stage = play.stage
    simulated = stage.executor

    class Slow:
        def execute(self, tool: Any, arguments: Any) -> ExecutionResult:
            stage.now += 3600
            assert stage.sessions.sweep() == ()
            return simulated.execute(tool, arguments)

    stage.executor = Slow()
    events = play.ask(0)

    assert only(events, IndexEvicted) == []
    assert events[-1].answer == "Depot."
    assert "lookup_shipment" in play.sent()[-1]
    assert [each.reason for each in stage.sessions.sweep()] == ["ttl"]
    again = play.ask(1)  # the index is gone, the history is not
    assert problems(stage.messages) == ()
    assert again[-1].status == "answered"


def test_a_history_with_a_tool_that_is_out_is_valid_and_its_call_brings_it_back(
    outside_data: Path,
) -> None:
    """ADV-07: one search turn is kept, so the second turn's search drops the first one's tool."""
    play = Play(outside_data, "ADV-07", accumulate=False)
    play.stage.options = AdvisorOptions(max_results=1, accumulate=False)
    first, second, third = (play.ask(turn) for turn in range(3))

    assert first[-1].answer == "Depot."
    assert [drop.names for drop in only(second, ToolsDropped)] == [("lookup_shipment",)]
    request = play.stage.provider.requests[6]
    assert "lookup_shipment" not in [tool["name"] for tool in request["tools"]]
    assert '"a2"' in json.dumps(request["messages"])
    call = only(third, ToolCalled)[0]
    assert (call.call_id, call.outcome) == ("c1", "not_injected")
    assert "lookup_shipment" in play.sent()[7]
    assert problems(play.stage.messages) == ()
    assert third[-1].answer == "Still depot."


def test_search_and_calls_in_one_answer_get_one_result_each_in_order(outside_data: Path) -> None:
    """ADV-09"""
    play = Play(outside_data, "ADV-09")
    events = play.ask(0)
    results = play.stage.messages[2]

    assert results.role == "user"
    assert [block.tool_use_id for block in results.content] == ["p1", "p2", "p3"]
    outcomes = {call.call_id: call.outcome for call in only(events, ToolCalled)}
    assert outcomes == {"p2": "not_injected", "p3": "executed", "p4": "executed"}
    assert "convert_money" in play.sent()[1]
    assert events[-1].answer == "ok"


def test_what_is_there_already_is_not_there_twice(outside_data: Path) -> None:
    """ADV-10"""
    play = Play(outside_data, "ADV-10", eviction=EvictionConfig(strategy="lru", max_sessions=1))
    events = play.ask(0)
    searches = only(events, ToolsSearched)

    for names in play.sent():
        assert len(names) == len(set(names))
        assert names[:2] == [SEARCH, "lookup_shipment"]
    assert only(events, ToolsDropped) == []
    found = [hit.tool_name for search in searches for hit in search.hits]
    assert SEARCH not in found
    assert "lookup_shipment" not in found
    assert all('"already_listed":["lookup_shipment"]' in search.result for search in searches)


def test_wrong_arguments_never_reach_a_tool_and_repeats_are_bounded(outside_data: Path) -> None:
    """ADV-13"""
    play = json.loads((outside_data / "troubles" / "ADV-13.json").read_text("utf-8"))
    tools = load_catalog(json.dumps(play["tools"]).encode(), source="tools").tools
    options = AdvisorOptions(pinned=tuple(play["settings"]["pinned"]))
    stage = Stage(catalog=Catalog(tools), options=options)
    calls = [
        {"type": "tool_use", "id": f"x{n}", "name": each["name"], "input": each["input"]}
        for n, each in enumerate(play["calls"])
        if isinstance(
            each["input"], dict
        )  # the wire has no other arguments; the executor's test has
    ]
    events = stage.ask("x", [calls, [text("ok")]])
    called = only(events, ToolCalled)

    assert [call.outcome for call in called] == ["executed"] + ["invalid_arguments"] * 4
    for call in called[1:]:
        assert call.problems
        assert len(call.result) < 1000
    assert [len(each.body["messages"]) for each in only(events, RequestPrepared)] == [1, 3]

    stage.options = AdvisorOptions(pinned=options.pinned, iteration_limit=50, calls_per_tool=3)
    wrong = {"type": "tool_use", "name": "convert_money", "input": {}}
    events = stage.ask("x", [[{**wrong, "id": f"y{n}"}] for n in range(9)])
    assert events[-1].status == "call_limit"
    assert len(only(events, ToolCalled)) == 4
