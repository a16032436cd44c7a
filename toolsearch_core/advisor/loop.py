"""The advisor: the door to a turn."""

import time
from collections.abc import Callable, Generator
from contextlib import closing

from toolsearch_core.advisor.parts import Commit, Parts, Question
from toolsearch_core.advisor.turn import Turn
from toolsearch_core.errors import SessionError
from toolsearch_core.events import Event
from toolsearch_core.options import AdvisorOptions
from toolsearch_core.protocols import Clock, ModelProvider, TokenCounter, ToolExecutor, ToolIndex
from toolsearch_core.session import SessionRegistry


class ToolSearchAdvisor:
    """Runs turns for any number of sessions and holds no state of any of them."""

    def __init__(
        self,
        *,
        index: ToolIndex,
        sessions: SessionRegistry,
        provider: ModelProvider,
        executor: ToolExecutor,
        counter: TokenCounter,
        clock: Clock = time.monotonic,
    ) -> None:
        self._parts = Parts(
            index=index,
            sessions=sessions,
            provider=provider,
            executor=executor,
            counter=counter,
            clock=clock,
        )

    def run(
        self,
        question: Question,
        options: AdvisorOptions,
        *,
        commit: Commit,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Generator[Event, None, None]:
        """One turn. Whatever goes wrong after `TurnStarted` ends in a `TurnEnded` that says so.

        Args:
            question: what is asked, of which session, over which catalog.
            options: the bounds of the turn.
            commit: called with whole messages as they become part of the conversation.
            stopped: asked between events; true ends the turn and keeps the partial answer.

        Raises:
            SessionError: the session id or the message is blank; nothing has happened then.
        """
        if not question.session_id.strip():
            raise SessionError("session.id_missing")
        if not question.text.strip():
            raise SessionError("advisor.blank_message")
        with closing(Turn(self._parts, question, options, commit, stopped).events()) as events:
            yield from events
