"""Chat memory: what was said before, kept by conversation and put before each question."""

import threading
from collections import OrderedDict
from collections.abc import Generator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Protocol

from toolsearch_core.advisor import session_id_of
from toolsearch_core.chat_types import (
    CONVERSATION_ID,
    MEMORY_ORDER,
    AdvisorChain,
    ChatRequest,
    ChatResponse,
    Placed,
)
from toolsearch_core.events import Event
from toolsearch_core.messages import Message
from toolsearch_core.options import whole_number

MAX_CONVERSATIONS = 1000


class ChatMemory(Protocol):
    """Where conversations are kept."""

    def get(self, conversation_id: str) -> Sequence[Message]:
        """What was said, oldest first; nothing for a conversation that is not known."""
        ...

    def add(self, conversation_id: str, messages: Sequence[Message]) -> None:
        """Append whole messages."""
        ...


class InMemoryChatMemory:
    """Keeps conversations until the process ends. Safe to use from several threads."""

    def __init__(self, max_conversations: int = MAX_CONVERSATIONS) -> None:
        """Start empty.

        Args:
            max_conversations: beyond that, the one that was used least recently is forgotten.

        Raises:
            SettingsError: the number is not 1 to 1,000,000.
        """
        whole_number("max_conversations", max_conversations, 1, 1_000_000)
        self._max = max_conversations
        self._messages: OrderedDict[str, tuple[Message, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, conversation_id: str) -> tuple[Message, ...]:
        """What was said, oldest first."""
        known = str(conversation_id)  # a context may hold a number or a UUID
        with self._lock:
            if known in self._messages:
                self._messages.move_to_end(known)
            return self._messages.get(known, ())

    def add(self, conversation_id: str, messages: Sequence[Message]) -> None:
        """Append whole messages."""
        with self._lock:
            before = self._messages.pop(str(conversation_id), ())
            self._messages[str(conversation_id)] = (*before, *messages)
            while len(self._messages) > self._max:
                self._messages.popitem(last=False)

    def clear(self, conversation_id: str) -> None:
        """Forget a conversation; one that is not known is no error."""
        with self._lock:
            self._messages.pop(str(conversation_id), None)


class MessageMemoryAdvisor(Placed):
    """Puts what was said before the question, and keeps what is said.

    Outside the tool loop, its default place, it keeps each message of the turn as it becomes part of the
    conversation, calls and results included. Inside, it does the same, and puts what was said before into
    each model call; the loop's own history need not be switched off.
    """

    def __init__(
        self,
        memory: ChatMemory | None = None,
        *,
        order: int = MEMORY_ORDER,
        conversation_id_key: str = CONVERSATION_ID,
    ) -> None:
        """Set up.

        Args:
            memory: where conversations are kept; in this process when left out.
            order: the place in the chain; below the tool loop's it stands outside of the loop.
            conversation_id_key: where the context of a request has the conversation id.

        Raises:
            SettingsError: the order is no whole number from minus to plus a million.
        """
        super().__init__(order)
        self.memory = memory if memory is not None else InMemoryChatMemory()
        self._key = conversation_id_key

    def advise(
        self, request: ChatRequest, chain: AdvisorChain
    ) -> Generator[Event, None, ChatResponse]:
        """Go on with the whole conversation.

        Raises:
            SessionError: the context has no conversation id; nothing has happened then.
        """
        conversation_id = session_id_of(request.context, self._key)
        if request.call:
            return self._inside(conversation_id, request, chain)
        return self._outside(conversation_id, request, chain)

    def _outside(
        self, conversation_id: str, request: ChatRequest, chain: AdvisorChain
    ) -> Generator[Event, None, ChatResponse]:
        def commit(messages: Sequence[Message]) -> None:
            self.memory.add(conversation_id, messages)
            request.commit(messages)

        whole = (*self.memory.get(conversation_id), *request.messages)
        return (yield from chain.next(replace(request, messages=whole, commit=commit)))

    def _inside(
        self, conversation_id: str, request: ChatRequest, chain: AdvisorChain
    ) -> Generator[Event, None, ChatResponse]:
        def keep(messages: Sequence[Message]) -> None:
            self.memory.add(conversation_id, messages)

        before = tuple(self.memory.get(conversation_id))
        if request.call == 1:
            keep(request.messages[-1:])
            request.listen(keep)
        else:
            # What has been said in this turn was kept as it came.
            before = before[: len(before) - _alike_at_end(before, request.messages)]
        return (yield from chain.next(replace(request, messages=(*before, *request.messages))))


def _alike_at_end(kept: Sequence[Message], given: Sequence[Message]) -> int:
    """How many messages both end with."""
    pairs = zip(reversed(kept), reversed(given), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
