"""Listening to a model that may be silent for long, without being bound to it."""

import threading
from collections.abc import Callable, Generator
from contextlib import closing
from queue import Empty, SimpleQueue

from toolsearch_core.messages import ModelResponse

LOOK_S = 0.1
"""Seconds between two looks at whether to stop."""


class Listening:
    """One answer of a model, read in a thread of its own, so that a stop need not wait for the model.

    A model that is far away can be silent for minutes, and a read that waits cannot be called back.
    """

    def __init__(
        self, stream: Generator[str, None, ModelResponse], stopped: Callable[[], bool]
    ) -> None:
        """Set up; nothing is asked before the first piece is.

        Args:
            stream: the answer, as a provider gives it; closed at the end, or at its next piece after a stop.
            stopped: whether to go on without it.
        """
        self.response: ModelResponse | None = None
        """The whole answer once its last piece is there; `None` when listening was stopped before."""
        self._stream = stream
        self._stopped = stopped
        self._said: SimpleQueue[str | ModelResponse | BaseException] = SimpleQueue()
        self._left = threading.Event()

    def pieces(self) -> Generator[str, None, None]:
        """The text as it comes.

        Raises:
            Exception: what the stream raised.
        """
        threading.Thread(target=self._read, name="listening", daemon=True).start()
        try:
            while not self._stopped():
                try:
                    said = self._said.get(timeout=LOOK_S)
                except Empty:
                    continue
                if isinstance(said, BaseException):
                    raise said
                if isinstance(said, ModelResponse):
                    self.response = said
                    return
                yield said
        finally:
            self._left.set()

    def _read(self) -> None:
        try:
            with closing(self._stream) as stream:
                while not self._left.is_set():
                    try:
                        self._said.put(next(stream))
                    except StopIteration as done:
                        self._said.put(done.value)
                        return
        except BaseException as fault:  # noqa: BLE001 - it is raised where the answer is awaited
            self._said.put(fault)
