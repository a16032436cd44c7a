"""One conversation: its messages, its trace, and the session of the same id."""

import threading
from collections.abc import Callable, Sequence

from toolsearch_core.events import Event, TraceEntry, TurnStarted
from toolsearch_core.messages import Message
from toolsearch_core.protocols import Clock

MAX_TITLE_CHARS = 48


class Conversation:
    """Grows at its end only; what was read from it stays true while a turn goes on."""

    def __init__(self, conversation_id: str, clock: Clock) -> None:
        self.id = conversation_id
        self.created_s = clock()
        self._clock = clock
        self._lock = threading.Lock()
        self._entries: list[TraceEntry] = []
        self._messages: list[Message] = []
        self._turn = 0

    @property
    def entries(self) -> tuple[TraceEntry, ...]:
        """The trace so far."""
        return tuple(self._entries)

    @property
    def messages(self) -> tuple[Message, ...]:
        """The committed messages."""
        return tuple(self._messages)

    @property
    def turn(self) -> int:
        """The latest turn; 0 before the first."""
        return self._turn

    @property
    def title(self) -> str:
        """The first question, clipped; empty before there is one."""
        for entry in self._entries:
            if isinstance(entry.event, TurnStarted):
                text = " ".join(entry.event.text.split())
                return text if len(text) <= MAX_TITLE_CHARS else text[: MAX_TITLE_CHARS - 1] + "…"
        return ""

    def record(self, event: Event) -> TraceEntry:
        """Give the event its place and its time, and keep it."""
        with self._lock:
            if isinstance(event, TurnStarted):
                self._turn = event.turn
            entry = TraceEntry(
                seq=len(self._entries), turn=self._turn, at_s=self._clock(), event=event
            )
            self._entries.append(entry)
        return entry

    def commit(self, messages: Sequence[Message]) -> None:
        """Append whole messages."""
        with self._lock:
            self._messages.extend(messages)


NewId = Callable[[], str]
"""Makes an id that is not used yet and cannot be guessed."""
