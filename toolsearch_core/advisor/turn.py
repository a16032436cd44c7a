"""One turn in progress: opens the session, asks the model, answers its calls, until there is an end.

Each iteration (an assistant message and the results of all its calls) is committed whole, so that a
turn that is stopped, fails or is abandoned at any event leaves a valid conversation.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing

from toolsearch_core.advisor.accounting import Price, injected_tools, price
from toolsearch_core.advisor.calls import CallResolver
from toolsearch_core.advisor.disclosure import Disclosed, definitions, disclose, pinned_names
from toolsearch_core.advisor.listening import Listening
from toolsearch_core.advisor.parts import Commit, Parts, Question
from toolsearch_core.advisor.prompts import prompt
from toolsearch_core.advisor.search_tool import search_tool
from toolsearch_core.advisor.tally import Tally
from toolsearch_core.errors import ToolSearchError
from toolsearch_core.events import (
    DropReason,
    Event,
    HistoryRepaired,
    IndexEvicted,
    IndexReady,
    InjectedTool,
    RequestedCall,
    RequestPrepared,
    ResponseReceived,
    TextDelta,
    ToolsDropped,
    TurnEnded,
    TurnStarted,
    TurnStatus,
)
from toolsearch_core.history import sendable
from toolsearch_core.messages import (
    Block,
    Message,
    ModelRequest,
    ModelResponse,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    tool_results,
    user_text,
)
from toolsearch_core.notices import Notice, notice
from toolsearch_core.options import AdvisorOptions
from toolsearch_core.session import Discovery, Session
from toolsearch_core.tools import SEARCH_TOOL_NAME
from toolsearch_core.wire import request_body


class Turn:
    """One turn in progress."""

    def __init__(
        self,
        parts: Parts,
        question: Question,
        options: AdvisorOptions,
        commit: Commit,
        stopped: Callable[[], bool],
    ) -> None:
        self._parts = parts
        self._question = question
        self._options = options
        self._commit = commit
        self._stopped = stopped
        self._search_tool = search_tool(parts.index.kind, options)
        self._pinned = pinned_names(question.catalog, options)
        self._messages = list(question.history)
        self._session: Session | None = None
        self._tally = Tally()
        self._started_s = parts.clock()
        self._partial = ""
        self._repairs: tuple[Notice, ...] = ()

    def events(self) -> Generator[Event, None, None]:
        """All events of the turn; faults after the first event end in a `TurnEnded`."""
        question, options = self._question, self._options
        self._keep([user_text(question.text)])
        yield TurnStarted(
            turn=question.turn,
            text=question.text,
            disclosure=options.disclosure,
            model=self._parts.provider.model,
            simulated=self._parts.provider.simulated,
            catalog_fingerprint=question.catalog.fingerprint,
            tool_count=len(question.catalog),
            accumulate=options.accumulate,
        )
        try:
            with self._parts.sessions.in_flight(question.session_id):
                if options.disclosure == "search_and_inject" and question.catalog.tools:
                    yield from self._open()
                yield from self._iterate()
        except GeneratorExit:
            self._keep_partial()
            raise
        except ToolSearchError as error:
            yield self._failed(error.notice)
        except Exception as fault:  # noqa: BLE001 - the loop turns every fault into an event
            yield self._failed(notice("advisor.broken", detail=f"{type(fault).__name__}: {fault}"))

    def _open(self) -> Generator[Event, None, None]:
        question = self._question
        opening = self._parts.sessions.open(
            question.session_id, question.catalog, self._parts.index
        )
        self._session = opening.session
        for evicted in opening.evicted:
            yield IndexEvicted(
                session_id=evicted.session_id,
                reason=evicted.reason,
                idle_s=evicted.idle_s,
                released=evicted.released,
            )
        if opening.indexed:
            yield IndexReady(
                index_kind=self._parts.index.kind,
                tool_count=len(question.catalog),
                duration_s=opening.duration_s,
                reused=opening.reused,
                reindexed=opening.reindexed,
                notices=opening.notices,
            )
        self._session.keep_accumulation(self._options.accumulate)

    def _iterate(self) -> Generator[Event, None, None]:
        for call in range(1, self._options.iteration_limit + 1):
            if self._stopped():
                yield self._ended("stopped", problem=notice("advisor.stopped"))
                return
            disclosed = self._disclose()
            yield from self._report_dropped(disclosed)
            request, cost = yield from self._prepare(call, disclosed)
            started = self._parts.clock()
            response = yield from self._ask(request)
            if response is None:
                self._tally.cut_off()
                self._keep_partial()
                yield self._ended("stopped", problem=notice("advisor.stopped"))
                return
            yield self._received(call, response, cost, self._parts.clock() - started)
            ended = yield from self._take(call, response, disclosed)
            if ended is not None:
                yield ended
                return
        limit = self._options.iteration_limit
        yield self._ended("iteration_limit", problem=notice("advisor.iteration_limit", limit=limit))

    def _disclose(self) -> tuple[Disclosed, ...]:
        found = self._session.discovered if self._session else {}
        return disclose(
            self._question.catalog,
            {name: discovery.turn for name, discovery in found.items()},
            self._search_tool,
            self._options,
            self._question.turn,
        )

    def _report_dropped(self, disclosed: Sequence[Disclosed]) -> Generator[Event, None, None]:
        """What the request before carried and this one does not, told apart by its reason."""
        session = self._session
        if session is None:
            return
        now = {tool.name: tool for tool in injected_tools(self._parts.counter, disclosed)}
        gone: dict[DropReason, list[InjectedTool]] = {}
        for name, tool in session.sent.items():
            if name not in now:
                gone.setdefault(self._drop_reason(name, tool.reason), []).append(tool)
        for why, tools in gone.items():
            yield ToolsDropped(
                names=tuple(tool.name for tool in tools),
                reason=why,
                tokens=sum(tool.tokens for tool in tools),
            )
        session.sent = now

    def _drop_reason(self, name: str, sent_as: str) -> DropReason:
        if name not in self._question.catalog.by_wire_name:
            return "catalog_changed"
        return "unpinned" if sent_as == "pinned" else "accumulation_off"

    def _prepare(
        self, call: int, disclosed: tuple[Disclosed, ...]
    ) -> Generator[Event, None, tuple[ModelRequest, Price]]:
        history = sendable(self._messages)
        if history.repairs and history.repairs != self._repairs:
            self._repairs = history.repairs
            yield HistoryRepaired(repairs=history.repairs)
        searches = any(item.reason == "search_tool" for item in disclosed)
        bare_system = self._options.system
        suffix = prompt("system_suffix") if searches else ""
        system = "\n\n".join(part for part in (bare_system, suffix) if part)
        request = ModelRequest(
            model=self._parts.provider.model,
            system=system,
            tools=definitions(disclosed),
            messages=history.messages,
            max_tokens=self._options.max_tokens,
        )
        cost = price(
            self._parts.counter,
            self._question.catalog,
            disclosed,
            system=system,
            bare_system=bare_system,
            messages=history.messages,
        )
        self._tally.sent(cost)
        yield RequestPrepared(
            call=call,
            injected=cost.injected,
            tokens=cost.tokens,
            baseline=cost.baseline,
            conversation_baseline=cost.conversation_baseline,
            body=request_body(request),
        )
        return request, cost

    def _ask(self, request: ModelRequest) -> Generator[Event, None, ModelResponse | None]:
        """Stream one answer; `None` when the turn was stopped meanwhile."""
        self._partial = ""
        answer = Listening(self._parts.provider.stream(request), self._stopped)
        with closing(answer.pieces()) as pieces:
            for piece in pieces:
                self._partial += piece
                yield TextDelta(text=piece)
        return answer.response

    def _received(
        self, call: int, response: ModelResponse, cost: Price, duration_s: float
    ) -> ResponseReceived:
        calls = Message("assistant", response.content).tool_uses
        search_round = bool(calls) and all(item.name == SEARCH_TOOL_NAME for item in calls)
        self._tally.answered(cost, response, search_round)
        return ResponseReceived(
            call=call,
            text=Message("assistant", response.content).text,
            calls=tuple(
                RequestedCall(call_id=item.id, name=item.name, arguments=item.input)
                for item in calls
            ),
            stop_reason=response.stop_reason,
            usage=response.usage,
            duration_s=duration_s,
            search_round=search_round,
        )

    def _take(
        self, call: int, response: ModelResponse, disclosed: Sequence[Disclosed]
    ) -> Generator[Event, None, TurnEnded | None]:
        """Commit what the model answered, with the results of its calls; the end, if it is one."""
        cut_off = response.stop_reason == "max_tokens"
        content = _worth_keeping(response.content, with_calls=not cut_off)
        answer = Message("assistant", content)
        if not answer.tool_uses:
            self._keep([answer] if content else [])
            return None if response.stop_reason == "pause_turn" else self._final(answer, response)
        resolver = self._resolver(call, disclosed)
        results: list[ToolResultBlock] = []
        blind: list[Discovery] = []
        for use in answer.tool_uses:
            answered = resolver.not_run(use) if self._stopped() else resolver.answer(use)
            results.append(answered.block)
            blind += [answered.admit] if answered.admit else []
            yield answered.event
        self._keep([answer, tool_results(results)])
        for find in blind:
            # Last, since without accumulation a search of the same message drops what came before.
            if self._session is not None:
                self._session.admit(find)
        return None

    def _resolver(self, call: int, disclosed: Sequence[Disclosed]) -> CallResolver:
        return CallResolver(
            index=self._parts.index,
            executor=self._parts.executor,
            clock=self._parts.clock,
            catalog=self._question.catalog,
            session=self._session,
            options=self._options,
            turn=self._question.turn,
            batch=f"{self._question.turn}.{call}",
            sent=tuple(item.tool.wire_name for item in disclosed),
            pinned=self._pinned,
        )

    def _final(self, answer: Message, response: ModelResponse) -> TurnEnded:
        match response.stop_reason:
            case "max_tokens":
                limit = notice("advisor.output_limit", max_tokens=self._options.max_tokens)
                return self._ended("output_limit", answer.text, limit)
            case "refusal":
                return self._ended("refused", answer.text, notice("advisor.refused"))
            case _ if not answer.text:
                return self._ended("answered", "", notice("advisor.empty_answer"))
            case _:
                return self._ended("answered", answer.text)

    def _keep(self, messages: Sequence[Message]) -> None:
        self._messages.extend(messages)
        self._commit(messages)
        self._partial = ""

    def _keep_partial(self) -> None:
        """What was said before the turn was stopped is part of the conversation."""
        if self._partial.strip():
            partial = self._partial
            self._keep([Message("assistant", (TextBlock(partial),))])
            self._partial = partial

    def _failed(self, problem: Notice) -> TurnEnded:
        self._keep_partial()
        return self._ended("failed", problem=problem)

    def _ended(
        self, status: TurnStatus, answer: str | None = None, problem: Notice | None = None
    ) -> TurnEnded:
        tally = self._tally
        return TurnEnded(
            turn=self._question.turn,
            status=status,
            answer=self._partial if answer is None else answer,
            model_calls=tally.calls,
            prompt_tokens=tally.prompt_tokens,
            output_tokens=tally.output_tokens,
            baseline_tokens=tally.baseline_tokens or tally.latest_baseline,
            source=tally.source,
            duration_s=self._parts.clock() - self._started_s,
            problem=problem,
        )


def _worth_keeping(content: Sequence[Block], *, with_calls: bool) -> tuple[Block, ...]:
    """No blank text, which the service refuses, and no call that may have been cut off."""
    return tuple(
        block
        for block in content
        if not (isinstance(block, TextBlock) and not block.text.strip())
        and (with_calls or not isinstance(block, ToolUseBlock))
    )
