"""The advisor chain: advisors in their order around the calls to the model."""

from collections.abc import Generator, Sequence

from toolsearch_core.chat.model_calls import ModelCalls
from toolsearch_core.chat_types import Advisor, ChatRequest, ChatResponse
from toolsearch_core.errors import SettingsError
from toolsearch_core.events import Event
from toolsearch_core.protocols import TokenCounter


class Chain:
    """The advisors that are left, outermost first, and the model at their end."""

    def __init__(self, advisors: Sequence[Advisor], end: ModelCalls) -> None:
        self._advisors = tuple(advisors)
        self._end = end

    @property
    def model(self) -> str:
        """The name of the model at the end."""
        return self._end.provider.model

    @property
    def simulated(self) -> bool:
        """Whether the model's words are simulated."""
        return self._end.provider.simulated

    @property
    def counter(self) -> TokenCounter:
        """Estimates the tokens of that model."""
        return self._end.counter

    def next(self, request: ChatRequest) -> Generator[Event, None, ChatResponse]:
        """Hand the request to the next advisor, or at the end to the model."""
        if not self._advisors:
            return self._end.ask(request)
        first, *rest = self._advisors
        events = first.advise(request, Chain(rest, self._end))
        if isinstance(
            events, ChatResponse
        ):  # it answers by itself, and has nothing to tell meanwhile
            return _answered(events)
        if not isinstance(events, Generator):
            raise SettingsError("chat.no_generator", name=first.name, value=type(events).__name__)
        return _checked(first, events)


def _checked(
    advisor: Advisor, events: Generator[Event, None, ChatResponse]
) -> Generator[Event, None, ChatResponse]:
    response = yield from events
    if not isinstance(response, ChatResponse):
        raise SettingsError("chat.no_response", name=advisor.name, value=type(response).__name__)
    return response


def _answered(response: ChatResponse) -> Generator[Event, None, ChatResponse]:
    yield from ()
    return response
