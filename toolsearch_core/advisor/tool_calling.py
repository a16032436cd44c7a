"""The plain tool-calling advisor: the tool loop with every tool up front."""

import time
from collections.abc import Generator, Sequence
from dataclasses import replace

from toolsearch_core.advisor.turn import Turn
from toolsearch_core.chat_types import (
    TOOL_ADVISOR_ORDER,
    AdvisorChain,
    ChatRequest,
    ChatResponse,
    Placed,
)
from toolsearch_core.errors import SessionError
from toolsearch_core.events import Event
from toolsearch_core.messages import Message
from toolsearch_core.protocols import Clock


class ToolCallingAdvisor(Placed):
    """Calls the model, runs the tools it asks for, and goes on until there is an answer.

    It holds no state of a conversation. At most one advisor of this kind stands in a chain.
    """

    def __init__(self, *, order: int = TOOL_ADVISOR_ORDER, clock: Clock = time.monotonic) -> None:
        """Set up.

        Args:
            order: the place in the chain; advisors of a lower order stand around the whole turn, those
                of a higher one around each model call.
            clock: seconds, for durations.

        Raises:
            SettingsError: the order is no whole number from minus to plus a million.
        """
        super().__init__(order)
        self._clock = clock

    def advise(
        self, request: ChatRequest, chain: AdvisorChain
    ) -> Generator[Event, None, ChatResponse]:
        """One turn. Whatever goes wrong after `TurnStarted` ends in a `TurnEnded` that says so."""
        require_question(request.messages)
        options = replace(request.options, disclosure="all_up_front")
        return Turn(replace(request, options=options), chain, self._clock, None).events()


def require_question(messages: Sequence[Message]) -> None:
    """Refuse a turn without a question, which an advisor outside may have taken away.

    Raises:
        SessionError: the last message is no text of the person; nothing has happened then.
    """
    if not messages or messages[-1].role != "user" or not messages[-1].text.strip():
        raise SessionError("advisor.blank_message")
