"""A simulated model that takes its time, so that people can follow what it does."""

import time
from collections.abc import Generator

from toolsearch_core.messages import ModelRequest, ModelResponse
from toolsearch_core.protocols import ModelProvider

THINK_S = 0.6
"""Seconds before each answer; about two looks of the page."""


class Unhurried:
    """A `ModelProvider` that waits before it answers, as a real one would."""

    def __init__(self, model: ModelProvider, think_s: float = THINK_S) -> None:
        self._model = model
        self._think_s = think_s

    @property
    def model(self) -> str:
        """The name of the model behind."""
        return self._model.model

    @property
    def simulated(self) -> bool:
        """As the model behind."""
        return self._model.simulated

    def stream(self, request: ModelRequest) -> Generator[str, None, ModelResponse]:
        """Wait, then answer."""
        time.sleep(self._think_s)
        return (yield from self._model.stream(request))

    def count_tokens(self, request: ModelRequest) -> int:
        """At once."""
        return self._model.count_tokens(request)
