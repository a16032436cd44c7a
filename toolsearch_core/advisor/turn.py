"""One turn in progress: opens the session, asks the model, answers its calls, until there is an end.

Each iteration (an assistant message and the results of all its calls) is committed whole, so that a
turn that is stopped, fails or is abandoned at any event leaves a valid conversation.
"""

from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace

from toolsearch_core.advisor.calls import Answered, CallResolver
from toolsearch_core.advisor.disclosure import disclose, pinned_names
from toolsearch_core.advisor.limits import CallLimits
from toolsearch_core.advisor.prompts import prompt
from toolsearch_core.advisor.search_tool import search_tool
from toolsearch_core.advisor.tally import Tally
from toolsearch_core.chat_types import AdvisorChain, ChatRequest, ChatResponse, Commit, Disclosed
from toolsearch_core.errors import SettingsError, ToolSearchError, fault_text
from toolsearch_core.events import (
    DropReason,
    Event,
    IndexEvicted,
    IndexReady,
    InjectedTool,
    RequestPrepared,
    TextDelta,
    ToolCalled,
    ToolsDropped,
    TurnEnded,
    TurnStarted,
    TurnStatus,
)
from toolsearch_core.messages import (
    Block,
    Message,
    ModelResponse,
    TextBlock,
    ToolUseBlock,
    tool_results,
)
from toolsearch_core.notices import Notice, notice
from toolsearch_core.protocols import Clock, ToolIndex
from toolsearch_core.session import Session, SessionRegistry


@dataclass(frozen=True, kw_only=True, slots=True)
class Searching:
    """What a turn searches with; without it every tool is up front."""

    index: ToolIndex
    sessions: SessionRegistry
    session_id: str


class Turn:
    """One turn in progress."""

    def __init__(
        self, request: ChatRequest, chain: AdvisorChain, clock: Clock, searching: Searching | None
    ) -> None:
        self._request = request
        self._catalog = request.catalog
        self._options = request.options
        self._chain = chain
        self._clock = clock
        self._searching = searching
        self._search_tool = search_tool(searching.index.kind if searching else "", request.options)
        self._pinned = pinned_names(request.catalog, request.options)
        self._messages = list(request.messages[:-1])
        self._turn = 1 + sum(_is_question(message) for message in self._messages)
        self._session: Session | None = None
        self._limits = CallLimits(request.options)
        self._tally = Tally()
        self._started_s = clock()
        self._partial = ""
        self._sent: tuple[str, ...] = ()
        """Wire names of the latest request as it went out; an advisor inside may have changed it."""
        self._listeners: list[Commit] = []
        self._answer: ModelResponse | None = None
        self._fault: Exception | None = None

    def events(self) -> Generator[Event, None, ChatResponse]:
        """All events of the turn; faults after the first event end in a `TurnEnded`."""
        with ExitStack() as held:
            if self._searching is not None:
                session = held.enter_context(
                    self._searching.sessions.in_flight(self._searching.session_id)
                )
                self._turn = session.turn = max(self._turn, session.turn + 1)
            question = self._request.messages[-1]
            self._keep([question])
            yield self._started(question.text)
            try:
                yield from self._open()
                yield from self._iterate()
            except GeneratorExit:
                self._keep_partial()
                raise
            except ToolSearchError as error:
                self._fault = error
                yield self._failed(error.notice)
            except Exception as fault:  # noqa: BLE001 - the loop turns every fault into an event
                self._fault = fault
                yield self._failed(notice("advisor.broken", detail=fault_text(fault)))
        return ChatResponse(answer=self._answer, context=self._request.context, fault=self._fault)

    def _started(self, text: str) -> TurnStarted:
        return TurnStarted(
            turn=self._turn,
            text=text,
            disclosure=self._options.disclosure,
            model=self._chain.model,
            simulated=self._chain.simulated,
            catalog_fingerprint=self._catalog.fingerprint,
            tool_count=len(self._catalog),
            accumulate=self._options.accumulate,
            notices=(*self._all_sent(), *self._pins_unknown()),
        )

    def _pins_unknown(self) -> tuple[Notice, ...]:
        known = self._catalog.by_wire_name
        unknown = [name for name in self._options.pinned if name not in known]
        return (notice("advisor.pins_unknown", names=", ".join(unknown)),) if unknown else ()

    def _all_sent(self) -> tuple[Notice, ...]:
        """Nobody sends every tool unawares."""
        tools = self._catalog.tools
        if self._options.disclosure != "all_up_front" or not tools:
            return ()
        tokens = sum(map(self._chain.counter.count_tool, tools))
        return (notice("advisor.all_sent", tools=len(tools), tokens=f"{tokens:,}"),)

    def _open(self) -> Generator[Event, None, None]:
        searching = self._searching
        if searching is None or not self._catalog.tools:
            return
        opening = searching.sessions.open(searching.session_id, self._catalog, searching.index)
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
                index_kind=searching.index.kind,
                tool_count=len(self._catalog),
                duration_s=opening.duration_s,
                reused=opening.reused,
                reindexed=opening.reindexed,
                notices=opening.notices,
            )
        self._session.keep_accumulation(self._options.accumulate)

    def _iterate(self) -> Generator[Event, None, None]:
        for call in range(1, self._options.iteration_limit + 1):
            if self._request.stopped():
                yield self._ended("stopped", problem=notice("advisor.stopped"))
                return
            disclosed = self._disclose()
            yield from self._report_dropped(disclosed)
            response = yield from self._ask(call, disclosed)
            if response is None:
                self._tally.cut_off()
                self._keep_partial()
                yield self._ended("stopped", problem=notice("advisor.stopped"))
                return
            self._answer = response
            ended = yield from self._take(call, response)
            if ended is not None:
                yield ended
                return
        limit = self._options.iteration_limit
        yield self._ended("iteration_limit", problem=notice("advisor.iteration_limit", limit=limit))

    def _disclose(self) -> tuple[Disclosed, ...]:
        found = self._session.discovered if self._session else {}
        return disclose(
            self._catalog,
            {name: discovery.turn for name, discovery in found.items()},
            self._search_tool,
            self._options,
            self._turn,
        )

    def _report_dropped(self, disclosed: Sequence[Disclosed]) -> Generator[Event, None, None]:
        """What the request before carried and this one does not, told apart by its reason."""
        if self._session is None:
            return
        now = {item.tool.wire_name for item in disclosed}
        gone: dict[DropReason, list[InjectedTool]] = {}
        for name, tool in self._session.sent.items():
            if name not in now:
                gone.setdefault(self._drop_reason(name, tool.reason), []).append(tool)
        for why, tools in gone.items():
            yield ToolsDropped(
                names=tuple(tool.name for tool in tools),
                reason=why,
                tokens=sum(tool.tokens for tool in tools),
            )

    def _drop_reason(self, name: str, sent_as: str) -> DropReason:
        if name not in self._catalog.by_wire_name:
            return "catalog_changed"
        return "unpinned" if sent_as == "pinned" else "accumulation_off"

    def _ask(
        self, call: int, disclosed: tuple[Disclosed, ...]
    ) -> Generator[Event, None, ModelResponse | None]:
        """One model call through the rest of the chain; `None` when the turn was stopped meanwhile."""
        self._partial = ""
        searches = any(item.reason == "search_tool" for item in disclosed)
        suffix = self._options.system_suffix or prompt("system_suffix")
        request = replace(
            self._request,
            messages=tuple(self._messages),
            options=self._options,
            call=call,
            disclosed=disclosed,
            suffix=suffix if searches else "",
            listen=self._listeners.append,
        )
        self._sent = tuple(item.tool.wire_name for item in disclosed)
        with closing(self._chain.next(request)) as events:
            while True:
                try:
                    event = next(events)
                except StopIteration as done:
                    response: ChatResponse = done.value
                    if response.answer is None and not self._request.stopped():
                        raise SettingsError("chat.no_answer") from None
                    return response.answer
                self._note(event)
                yield event

    def _note(self, event: Event) -> None:
        self._tally.note(event)
        if isinstance(event, TextDelta):
            self._partial += event.text
        elif isinstance(event, RequestPrepared):
            self._sent = tuple(tool.name for tool in event.injected)
            if self._session is not None:
                self._session.sent = {tool.name: tool for tool in event.injected}

    def _take(self, call: int, response: ModelResponse) -> Generator[Event, None, TurnEnded | None]:
        """Commit what the model answered, with the results of its calls; the end, if it is one."""
        cut_off = response.stop_reason in ("max_tokens", "refusal")
        content = _worth_keeping(response.content, with_calls=not cut_off)
        answer = Message("assistant", content)
        if not answer.tool_uses:
            self._keep([answer] if content else [])
            return None if response.stop_reason == "pause_turn" else self._final(answer, response)
        resolver = self._resolver(call)
        answered: list[Answered] = []
        for use in answer.tool_uses:
            answered.append(self._resolve(resolver, use))
            yield answered[-1].event
        self._keep([answer, tool_results([each.block for each in answered])])
        for each in answered:
            # Last, since without accumulation a search of the same message drops what came before.
            if each.admit is not None and self._session is not None:
                self._session.admit(each.admit)
        return self._direct(answered) or self._at_call_limit()

    def _resolve(self, resolver: CallResolver, use: ToolUseBlock) -> Answered:
        if self._request.stopped():
            return resolver.not_run(use)
        over = self._limits.count(use.name)
        return resolver.answer(use) if over is None else resolver.over_limit(use, over)

    def _direct(self, answered: Sequence[Answered]) -> TurnEnded | None:
        """The end, when all that was called answers the person directly."""
        results: list[str] = []
        for each in answered:
            event = each.event
            if not isinstance(event, ToolCalled) or event.outcome != "executed":
                return None
            if not self._catalog.by_wire_name[event.name].return_direct:
                return None
            results.append(event.result)
        text = "\n".join(results)
        self._keep([Message("assistant", (TextBlock(text),))])
        return self._ended("answered", text)

    def _at_call_limit(self) -> TurnEnded | None:
        reached = self._limits.reached
        if reached is None or self._options.at_call_limit == "answer":
            return None
        return self._ended("call_limit", problem=reached)

    def _resolver(self, call: int) -> CallResolver:
        return CallResolver(
            index=self._searching.index if self._searching else None,
            executor=self._request.executor,
            clock=self._clock,
            catalog=self._catalog,
            session=self._session,
            options=self._options,
            turn=self._turn,
            batch=f"{self._turn}.{call}",
            sent=self._sent,
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
        self._partial = ""
        for commit in (self._request.commit, *self._listeners):
            commit(messages)

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
            turn=self._turn,
            status=status,
            answer=self._partial if answer is None else answer,
            model_calls=tally.calls,
            prompt_tokens=tally.prompt_tokens,
            output_tokens=tally.output_tokens,
            baseline_tokens=tally.baseline_tokens or tally.latest_baseline,
            source=tally.source,
            duration_s=self._clock() - self._started_s,
            problem=problem,
        )


def _is_question(message: Message) -> bool:
    return message.role == "user" and any(isinstance(each, TextBlock) for each in message.content)


def _worth_keeping(content: Sequence[Block], *, with_calls: bool) -> tuple[Block, ...]:
    """No blank text, which the service refuses, and no call that may have been cut off."""
    return tuple(
        block
        for block in content
        if not (isinstance(block, TextBlock) and not block.text.strip())
        and (with_calls or not isinstance(block, ToolUseBlock))
    )
