"""The chat client: tools, advisors and a model under one door, and one question at a time through it."""

import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from operator import attrgetter

from toolsearch_core.advisor import ToolCallingAdvisor
from toolsearch_core.chat.answer import Answer, answer_of
from toolsearch_core.chat.chain import Chain
from toolsearch_core.chat.checks import (
    checked_advisors,
    checked_context,
    checked_history,
    checked_options,
    checked_question,
)
from toolsearch_core.chat.model_calls import ModelCalls
from toolsearch_core.chat.tools import ClientTools, Tool
from toolsearch_core.chat_types import Advisor, ChatRequest, ChatResponse, Commit
from toolsearch_core.errors import SettingsError
from toolsearch_core.events import Event, TraceEntry, TurnEnded, TurnStarted
from toolsearch_core.execution import SimulatedExecutor
from toolsearch_core.messages import Message, user_text
from toolsearch_core.options import AdvisorOptions, require
from toolsearch_core.protocols import Clock, ModelProvider, TokenCounter, ToolExecutor
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.tools import Catalog


class ChatClient:
    """Asks a model, with tools and advisors. Holds no conversation; safe to use from several threads."""

    def __init__(
        self,
        model: ModelProvider,
        *,
        tools: Catalog | Iterable[Tool | Catalog] = (),
        advisors: Sequence[Advisor] = (),
        options: AdvisorOptions | None = None,
        context: Mapping[str, object] | None = None,
        executor: ToolExecutor | None = None,
        counter: TokenCounter | None = None,
        clock: Clock = time.monotonic,
        wall_clock: Clock = time.time,
    ) -> None:
        """Set up what holds for every question.

        Args:
            model: answers.
            tools: a catalog, or functions, function tools and definitions.
            advisors: around each turn and each model call, by their order; when none of them runs tools,
                a plain `ToolCallingAdvisor` is added.
            options: the bounds of a turn.
            context: what advisors find in every request.
            executor: runs tools that are no functions; simulates them when left out.
            counter: estimates tokens; by the model's name when left out.
            clock: seconds, for durations.
            wall_clock: seconds since 1970-01-01 UTC, for the entries of an answer.

        Raises:
            SettingsError: a tool cannot be used, two have one name, two advisors run tools, or something
                is of a wrong type.
        """
        self.options = checked_options(options, AdvisorOptions())
        asked = callable(getattr(model, "stream", None)) and not isinstance(model, type)
        require(asked, "model", model, "a ModelProvider, such as RehearsalProvider()")
        self._model = model
        self._tools = ClientTools.of(tools)
        self._advisors = checked_advisors(advisors)
        self._context = dict(checked_context(context))
        self._executor = executor or SimulatedExecutor()
        self._counter = counter or TokenEstimator(model.model)
        self._clock = clock
        self._wall_clock = wall_clock
        self._ordered(())

    @property
    def catalog(self) -> Catalog:
        """The default tools."""
        return self._tools.catalog

    @property
    def advisors(self) -> tuple[Advisor, ...]:
        """The default advisors in their order, the one that runs tools among them."""
        return tuple(self._ordered(()))

    def prompt(
        self,
        text: str,
        *,
        history: Sequence[Message] = (),
        tools: Catalog | Iterable[Tool | Catalog] = (),
        advisors: Sequence[Advisor] = (),
        options: AdvisorOptions | None = None,
        context: Mapping[str, object] | None = None,
    ) -> "Prompt":
        """One question, ready to be asked by `call` or `stream`.

        Args:
            text: the question.
            history: what was said before, where no advisor remembers it.
            tools: beside the default ones; one of the same name takes the place of the default one.
            advisors: beside the default ones.
            options: in the place of the default ones; `replace(client.options, …)` changes some of them.
            context: beside the default one; of the same key, this one counts.

        Raises:
            SessionError: the question is blank.
            SettingsError: a tool cannot be used, two have one name, or two advisors run tools.
        """
        question = user_text(checked_question(text))
        together = self._tools.with_more(ClientTools.of(tools))
        request = ChatRequest(
            messages=(*checked_history(history), question),
            catalog=together.catalog,
            options=checked_options(options, self.options),
            context={**self._context, **checked_context(context)},
            executor=together.executor(self._executor),
        )
        calls = ModelCalls(self._model, self._counter, self._clock)
        return Prompt(
            request, Chain(self._ordered(checked_advisors(advisors)), calls), self._wall_clock
        )

    def _ordered(self, more: Sequence[Advisor]) -> list[Advisor]:
        advisors = [*self._advisors, *more]
        loops = [each for each in advisors if isinstance(each, ToolCallingAdvisor)]
        if len(loops) > 1:
            raise SettingsError(
                "settings.out_of_range",
                option="advisors",
                value=" and ".join(each.name for each in loops),
                allowed="one advisor that runs tools",
            )
        plain = [] if loops else [ToolCallingAdvisor(clock=self._clock)]
        return sorted([*advisors, *plain], key=attrgetter("order"))


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question with all that belongs to it. May be asked more than once."""

    _request: ChatRequest = field(repr=False)
    _chain: Chain = field(repr=False)
    _wall_clock: Clock = field(repr=False)

    def call(self) -> Answer:
        """Ask, and wait for the end.

        Raises:
            SessionError: an advisor needs an id that the context does not have.
            TurnFailedError: the turn failed; it has the answer as far as it came.
        """
        entries: list[TraceEntry] = []
        turn = 0
        events = self._run(lambda messages: None, lambda: False)
        while True:
            try:
                event = next(events)
            except StopIteration as done:
                response: ChatResponse = done.value
                return answer_of(entries, response.fault)
            turn = event.turn if isinstance(event, TurnStarted) else turn
            entries.append(
                TraceEntry(seq=len(entries), turn=turn, at_s=self._wall_clock(), event=event)
            )

    def stream(
        self,
        *,
        commit: Commit = lambda messages: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Generator[Event, None, None]:
        """Ask, and tell everything as it happens; the last event is the `TurnEnded`.

        Args:
            commit: called with whole messages as they become part of the conversation.
            stopped: asked between events and while the model is silent; true ends the turn and keeps the
                partial answer. A function that is running is waited for.

        Raises:
            SessionError: an advisor needs an id that the context does not have.
        """
        yield from self._run(commit, stopped)

    def _run(
        self, commit: Commit, stopped: Callable[[], bool]
    ) -> Generator[Event, None, ChatResponse]:
        request = replace(self._request, commit=commit, stopped=stopped)
        begun = False
        with closing(self._chain.next(request)) as events:
            while True:
                try:
                    event = next(events)
                except StopIteration as done:
                    response: ChatResponse = done.value
                    if not begun:
                        yield from _unasked(request, self._chain, response)
                    return response
                begun = begun or isinstance(event, TurnStarted)
                yield event


def _unasked(
    request: ChatRequest, chain: Chain, response: ChatResponse
) -> Generator[Event, None, None]:
    """The turn that an advisor answered by itself, so that no model was asked."""
    options, text = request.options, ""
    if response.answer is not None:
        text = Message("assistant", response.answer.content).text
    yield TurnStarted(
        turn=1,
        text=request.messages[-1].text,
        disclosure=options.disclosure,
        model=chain.model,
        simulated=chain.simulated,
        catalog_fingerprint=request.catalog.fingerprint,
        tool_count=len(request.catalog),
        accumulate=options.accumulate,
    )
    yield TurnEnded(
        turn=1,
        status="answered",
        answer=text,
        model_calls=0,
        prompt_tokens=0,
        output_tokens=0,
        baseline_tokens=0,
        source="estimated",
        duration_s=0.0,
    )
