"""Laws of the tool loop: whatever the model says, whoever stops it, whatever is changed between turns."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tests.advisor.stage import PARCELS, SEARCH, Stage, only
from toolsearch_core.advisor import AdvisorOptions
from toolsearch_core.events import (
    Event,
    IndexEvicted,
    RequestPrepared,
    ResponseReceived,
    ToolCalled,
    ToolsDropped,
    ToolsSearched,
    TurnEnded,
)
from toolsearch_core.history import problems, sendable
from toolsearch_core.providers.in_process import ServiceError
from toolsearch_core.providers.scripted import call, text
from toolsearch_core.tools import Catalog

NAMES = [tool.wire_name for tool in PARCELS.tools]
QUERIES = st.sampled_from(["parcel", "time", "money", "read_clock", "parcel money time", "zzz", ""])

searches = QUERIES.map(lambda query: call(SEARCH, query=query))
odd_searches = st.sampled_from(
    [call(SEARCH), call(SEARCH, query=5), call(SEARCH, query="x", max_results=-1)]
)
calls = st.sampled_from([*NAMES, "no_such_tool"]).map(
    lambda name: call(name, number="1", amount=1) if "parcel" in name else call(name, amount=1)
)
wrong_calls = st.sampled_from(NAMES).map(lambda name: call(name, number=[], amount={}))
answers = st.lists(searches | odd_searches | calls | wrong_calls, min_size=1, max_size=3)
scripts = st.lists(answers, max_size=3).map(lambda steps: [*steps, [text("Done.")]])
questions = st.sampled_from(["one", "two", "three"])


def names_of(prepared: RequestPrepared) -> list[str]:
    return [tool["name"] for tool in prepared.body.get("tools", ())]  # type: ignore[union-attr, index, call-overload, misc]


class Turns(RuleBasedStateMachine):
    """One conversation; a model of what may be in a request is kept beside it, from the events alone."""

    def __init__(self) -> None:
        super().__init__()
        self.stage = Stage()
        self.may_be_sent: set[str] = set()
        self.newest: set[str] = set()
        """What the most recent search turn found, all its parallel searches together."""
        self.searching = False
        self.latest: list[Any] | None = None
        """The tools of the latest request, as long as nothing happened that may take one out."""

    def pinned(self) -> list[str]:
        wanted = self.stage.options.pinned
        return [tool.wire_name for tool in self.stage.catalog.tools if tool.wire_name in wanted]

    def watch(self, events: Sequence[Event]) -> None:
        self.may_be_sent &= set(self.stage.catalog.by_wire_name)
        admitted: set[str] = set()  # what was called blind comes in after the searches beside it
        for event in events:
            if isinstance(event, IndexEvicted | ToolsDropped):
                self.latest = None
                if isinstance(event, IndexEvicted) and event.reason != "catalog_changed":
                    self.may_be_sent.clear()
            if isinstance(event, ResponseReceived):
                self.searching = False
            if isinstance(event, ToolsSearched) and not event.failed:
                found = {hit.tool_name for hit in event.hits}
                self.newest = (self.newest if self.searching else set()) | found
                self.searching = True
                self.may_be_sent |= found
            if isinstance(event, ToolCalled) and event.outcome == "not_injected":
                self.may_be_sent.add(event.name)
                admitted.add(event.name)
            if isinstance(event, RequestPrepared | TurnEnded):
                self.newest |= admitted
                admitted = set()
            if isinstance(event, RequestPrepared):
                self.check(event)

    def check(self, prepared: RequestPrepared) -> None:
        names = names_of(prepared)
        known = set(self.stage.catalog.by_wire_name)
        assert len(names) == len(set(names))
        everything = len(self.pinned()) == len(known)
        assert names[: 1 + len(self.pinned())] == [
            *([] if everything else [SEARCH]),
            *self.pinned(),
        ] or (everything and names == self.pinned())
        found = self.may_be_sent if self.stage.options.accumulate else self.newest
        assert set(names) <= {SEARCH, *self.pinned()} | (found & known)
        tools = [json.dumps(tool) for tool in prepared.body.get("tools", ())]  # type: ignore[union-attr]
        if self.latest is not None and self.stage.options.accumulate:
            assert tools[: len(self.latest)] == self.latest
        self.latest = tools

    @rule(question=questions, script=scripts)
    def ask(self, question: str, script: list[Any]) -> None:
        events = self.stage.ask(question, script)
        self.watch(events)
        assert isinstance(events[-1], TurnEnded)
        assert events[-1].status == "answered", events[-1].problem

    @rule(question=questions, script=scripts)
    def the_service_fails(self, question: str, script: list[Any]) -> None:
        events = self.stage.ask(question, [*script[:-1], ServiceError("overloaded_error", "busy")])
        self.watch(events)
        assert events[-1].status == "failed"  # type: ignore[union-attr]

    @rule(question=questions, script=scripts, after=st.integers(1, 12))
    def somebody_stops(self, question: str, script: list[Any], after: int) -> None:
        self.stage.provider = type(self.stage.provider)(script)
        seen: list[Event] = []
        for event in self.stage.run(question, stopped=lambda: len(seen) >= after):
            seen.append(event)
        self.watch(seen)
        assert seen[-1].status in ("answered", "stopped")  # type: ignore[union-attr]
        self.stage.provider = type(self.stage.provider)()

    @rule(question=questions, script=scripts, after=st.integers(1, 12))
    def somebody_walks_away(self, question: str, script: list[Any], after: int) -> None:
        self.stage.provider = type(self.stage.provider)(script)
        run = self.stage.run(question)
        seen = [event for _, event in zip(range(after), run, strict=False)]
        run.close()
        # What the loop did after its last event that was seen is not known here.
        self.latest = None
        self.may_be_sent |= {
            hit.tool_name for each in only(seen, ToolsSearched) for hit in each.hits
        }
        self.may_be_sent |= {each.name for each in only(seen, ToolCalled)}
        self.newest |= self.may_be_sent
        self.stage.provider = type(self.stage.provider)()

    @rule(
        accumulate=st.booleans(), pinned=st.lists(st.sampled_from(NAMES), unique=True, max_size=4)
    )
    def settings_change(self, accumulate: bool, pinned: list[str]) -> None:
        self.stage.options = AdvisorOptions(accumulate=accumulate, pinned=tuple(pinned))
        self.latest = None

    @rule(
        kept=st.lists(st.sampled_from(NAMES), unique=True, min_size=1), word=st.sampled_from("ab")
    )
    def the_catalog_changes(self, kept: list[str], word: str) -> None:
        tools = [tool for tool in PARCELS.tools if tool.wire_name in kept]
        schema = {"type": "object", "properties": {"number": {"type": "string", "title": word}}}
        self.stage.catalog = Catalog((replace(tools[0], input_schema=schema), *tools[1:]))
        self.latest = None

    @rule()
    def the_index_is_evicted(self) -> None:
        self.stage.sessions.evict(self.stage.session_id)
        self.latest = None
        self.may_be_sent.clear()

    @invariant()
    def the_conversation_can_go_on(self) -> None:
        assert problems(sendable(self.stage.messages).messages) == ()


TestTurns = Turns.TestCase
TestTurns.settings = settings(max_examples=15, stateful_step_count=12, deadline=None)

conversations = st.lists(st.tuples(questions, scripts), min_size=1, max_size=3)


@given(conversations, conversations, st.randoms(use_true_random=False))
@settings(max_examples=12, deadline=None)
def test_two_sessions_in_turns_equal_the_two_alone(first: Any, second: Any, chance: Any) -> None:
    def held(mine: Sequence[tuple[Stage, str, Any]]) -> None:
        for stage, question, script in mine:
            stage.ask(question, script)

    alone = [Stage(session_id="a"), Stage(session_id="b")]
    held([(alone[0], *turn) for turn in first] + [(alone[1], *turn) for turn in second])
    beside = [Stage(session_id="a"), Stage(session_id="b")]
    beside[1].index, beside[1].sessions = beside[0].index, beside[0].sessions
    order = [0] * len(first) + [1] * len(second)
    chance.shuffle(order)
    turns = [iter(first), iter(second)]
    held([(beside[which], *next(turns[which])) for which in order])

    assert [each.provider.requests for each in beside] == [each.provider.requests for each in alone]
    assert [each.messages for each in beside] == [each.messages for each in alone]
