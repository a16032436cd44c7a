"""One call of the model, answered: a search, a tool that runs, or a reason why it does not."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolsearch_core.advisor.prompts import prompt
from toolsearch_core.advisor.search_tool import (
    bounded,
    default_results,
    read_arguments,
    refusal_text,
    result_text,
)
from toolsearch_core.errors import SearchError, fault_text
from toolsearch_core.events import CallOutcome, ToolCalled, ToolsSearched
from toolsearch_core.messages import ToolResultBlock, ToolUseBlock
from toolsearch_core.notices import Notice, notice
from toolsearch_core.options import AdvisorOptions
from toolsearch_core.protocols import Clock, ToolExecutor, ToolIndex
from toolsearch_core.search_types import ToolSearchRequest
from toolsearch_core.session import Discovery, Session
from toolsearch_core.tools import SEARCH_TOOL_NAME, Catalog

MAX_NEAR_NAMES = 3
MAX_ECHOED_NAME_CHARS = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """A call with its event and the block that goes back to the model."""

    event: ToolsSearched | ToolCalled
    block: ToolResultBlock
    admit: Discovery | None = None
    """A tool called blind, to be injected once all calls of the message are answered."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CallResolver:
    """Answers the calls of one assistant message; every call gets exactly one result."""

    index: ToolIndex | None
    """`None` when every tool is up front: then nothing can be discovered."""
    executor: ToolExecutor
    clock: Clock
    catalog: Catalog
    session: Session | None
    """`None` when there is no index, or nothing to be found in it."""
    options: AdvisorOptions
    turn: int
    batch: str
    """Names the assistant message: parallel searches of one message are one search turn."""
    sent: tuple[str, ...]
    """Wire names of the request that the model answered."""
    pinned: tuple[str, ...]

    def answer(self, call: ToolUseBlock) -> Answered:
        """Search, run, or explain; never raises for what the model did wrong."""
        if call.name == SEARCH_TOOL_NAME and self.index is not None and self.session is not None:
            return self._search(call, self.index, self.session)
        tool = self.catalog.by_wire_name.get(call.name)
        sent = call.name in self.sent
        if tool is None or not (sent or self._can_be_found(call.name)):
            return self._explained(call, "unknown_tool", self._unknown(call.name))
        if not sent:
            text = prompt("not_injected").format(name=call.name)
            find = Discovery(name=call.name, query="", score=0.0, turn=self.turn)
            return replace(self._explained(call, "not_injected", text), admit=find)
        started = self.clock()
        result = self.executor.execute(tool, call.input)
        return self._called(
            call,
            result.outcome,
            result.content,
            simulated=result.simulated,
            duration_s=self.clock() - started,
            problems=result.problems,
        )

    def not_run(self, call: ToolUseBlock) -> Answered:
        """The answer to a call that was still waiting when the turn was stopped."""
        return self._explained(call, "not_run", prompt("not_run"))

    def over_limit(self, call: ToolUseBlock, limit: Notice) -> Answered:
        """The answer to a call that goes past a limit."""
        return self._explained(call, "over_limit", prompt("over_limit").format(reason=limit.text))

    def _search(self, call: ToolUseBlock, index: ToolIndex, session: Session) -> Answered:
        started = self.clock()
        wanted = read_arguments(call.input, self.options)
        if isinstance(wanted, Notice):
            return self._search_failed(call, index, "", wanted, started)
        try:
            response = index.search(
                ToolSearchRequest(
                    session_id=session.id,
                    query=wanted.query,
                    max_results=wanted.max_results,
                    threshold=self.options.threshold,
                    exclude=frozenset(self.pinned),
                )
            )
        except SearchError as error:
            return self._search_failed(call, index, wanted.query, error.notice, started)
        except Exception as fault:  # noqa: BLE001 - an index of one's own may raise anything
            broke = notice("search.index_broke", detail=fault_text(fault))
            return self._search_failed(call, index, wanted.query, broke, started)
        response = bounded(response, wanted.max_results, self.catalog, self.pinned)
        known = tuple(session.discovered)
        finds = [
            Discovery(name=hit.tool_name, query=wanted.query, score=hit.score, turn=self.turn)
            for hit in response.references
        ]
        session.record(self.batch, finds, accumulate=self.options.accumulate)
        text = result_text(response)
        event = ToolsSearched(
            call_id=call.id,
            query=wanted.query,
            index_kind=response.metadata.index_kind,
            asked_results=wanted.asked_results,
            max_results=wanted.max_results,
            threshold=self.options.threshold,
            calibrated=response.metadata.calibrated,
            hits=response.references,
            near_misses=response.near_misses,
            total_matches=response.total_matches,
            discovered=tuple(find.name for find in finds if find.name not in known),
            result=text,
            duration_s=self.clock() - started,
            notices=response.metadata.notices,
        )
        return Answered(event=event, block=ToolResultBlock(call.id, text))

    def _search_failed(
        self, call: ToolUseBlock, index: ToolIndex, query: str, reason: Notice, started: float
    ) -> Answered:
        text = refusal_text(reason)
        event = ToolsSearched(
            call_id=call.id,
            query=query,
            index_kind=index.kind,
            asked_results=None,
            max_results=default_results(self.options),
            threshold=self.options.threshold,
            calibrated=False,
            hits=(),
            near_misses=(),
            total_matches=0,
            discovered=(),
            result=text,
            duration_s=self.clock() - started,
            notices=(reason,),
            failed=True,
        )
        return Answered(event=event, block=ToolResultBlock(call.id, text, is_error=True))

    def _unknown(self, name: str) -> str:
        template = prompt("unknown_tool" if self.session is not None else "unknown_tool_all")
        shown = name[:MAX_ECHOED_NAME_CHARS]
        return template.format(name=shown, near=", ".join(self._near(shown)) or "none")

    def _near(self, name: str) -> Sequence[str]:
        known = list(self.catalog.by_wire_name)
        near = difflib.get_close_matches(name, known, n=MAX_NEAR_NAMES, cutoff=0.5)
        return [each for each in near if each in self.sent or self._can_be_found(each)]

    def _can_be_found(self, name: str) -> bool:
        """Whether the index would show it: one of your own may hide tools from a session."""
        if self.index is None or self.session is None:
            return False
        request = ToolSearchRequest(
            session_id=self.session.id, query=name, max_results=self.options.max_results_cap
        )
        try:
            found = self.index.search(request).references
        except Exception:  # noqa: BLE001 - what the index cannot show is not shown
            return False
        return any(hit.tool_name == name for hit in found)

    def _explained(self, call: ToolUseBlock, outcome: CallOutcome, text: str) -> Answered:
        return self._called(call, outcome, text, simulated=False, duration_s=0.0, problems=())

    def _called(
        self,
        call: ToolUseBlock,
        outcome: CallOutcome,
        text: str,
        *,
        simulated: bool,
        duration_s: float,
        problems: tuple[Notice, ...],
    ) -> Answered:
        event = ToolCalled(
            call_id=call.id,
            name=call.name,
            arguments=call.input,
            outcome=outcome,
            result=text,
            simulated=simulated,
            duration_s=duration_s,
            problems=problems,
        )
        failed = outcome != "executed"
        return Answered(event=event, block=ToolResultBlock(call.id, text, is_error=failed))
