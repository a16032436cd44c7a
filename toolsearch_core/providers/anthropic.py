"""A model behind the Messages API, through the `anthropic` library.

The library is imported when a provider is made, not before: importing it takes about two seconds,
which a page that only draws need not pay.
"""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any, cast

from toolsearch_core.errors import ProviderAuthError, ProviderResponseError
from toolsearch_core.messages import ModelRequest, ModelResponse
from toolsearch_core.providers import DEFAULT_MODEL
from toolsearch_core.providers.addresses import is_web_address
from toolsearch_core.providers.streamed import StreamedAnswer
from toolsearch_core.wire import request_body

if TYPE_CHECKING:
    import anthropic

MAX_RETRIES = 2
"""How often the library asks again after a failure that may pass: 408, 409, 429, 5xx, no connection."""
CONNECT_TIMEOUT_S = 10.0
READ_TIMEOUT_S = 90.0
"""Longest silence, in seconds; the service sends a ping now and then while the model thinks."""


class AnthropicProvider:
    """A model of the Messages API as a `ModelProvider`."""

    def __init__(self, client: "anthropic.Anthropic", model: str, simulated: bool = False) -> None:
        self._client = client
        self._model = model
        self._simulated = simulated

    def __repr__(self) -> str:
        return f"AnthropicProvider(model={self._model!r}, simulated={self._simulated})"

    @property
    def model(self) -> str:
        """The model's name, as sent."""
        return self._model

    @property
    def simulated(self) -> bool:
        """True for the rehearsal model and for scripts."""
        return self._simulated

    def close(self) -> None:
        """Give the connections back; the provider is used up then."""
        self._client.close()

    def stream(self, request: ModelRequest) -> Generator[str, None, ModelResponse]:
        """Yield the text as it comes, then return the whole response.

        Closing the generator closes the connection. An answer that the output limit cut inside a call
        comes back with stop reason `max_tokens` and that call without arguments.

        Raises:
            ProviderError: one of its kinds.
        """
        from toolsearch_core.providers.sdk_errors import SDK_ERRORS

        answer = StreamedAnswer()
        try:
            with self._open(request) as events:
                for event in events:
                    if text := answer.take(event.to_dict(warnings=False)):
                        yield text
        except (*SDK_ERRORS, ValueError, AttributeError, RecursionError) as error:
            failure: Exception = error
        else:
            return answer.response("estimated" if self._simulated else "reported")
        # Outside the except clause, so that the library's error with its headers is not chained.
        raise self._translated(failure, request.model)

    def count_tokens(self, request: ModelRequest) -> int:
        """Prompt tokens of the request by the service's own count.

        Raises:
            ProviderError: one of its kinds.
        """
        from toolsearch_core.providers.sdk_errors import SDK_ERRORS

        body = self._checked_body(request)
        del body["max_tokens"]
        try:
            count: object = self._client.messages.count_tokens(**body).input_tokens
        except (*SDK_ERRORS, ValueError, AttributeError, RecursionError) as error:
            failure: Exception = error
        else:
            if isinstance(count, int):
                return count
            raise ProviderResponseError("provider.not_understood")
        raise self._translated(failure, request.model)

    def _open(
        self, request: ModelRequest
    ) -> "anthropic.Stream[anthropic.types.RawMessageStreamEvent]":
        body = self._checked_body(request)
        events: anthropic.Stream[anthropic.types.RawMessageStreamEvent]
        events = self._client.messages.create(**body, stream=True)
        return events

    def _checked_body(self, request: ModelRequest) -> dict[str, Any]:
        client = self._client
        if not (client.api_key or client.auth_token or client.credentials):
            raise ProviderAuthError("provider.no_key")
        # The library's parameter types are unions of typed dictionaries; the body is checked by `wire`.
        return cast(dict[str, Any], dict(request_body(request)))

    def _translated(self, error: Exception, model: str) -> Exception:
        from toolsearch_core.providers.sdk_errors import translate

        secret = self._client.api_key or self._client.auth_token or ""
        return translate(error, model=model, timeout_s=READ_TIMEOUT_S, secret=secret)


def claude(
    api_key: str, model: str = DEFAULT_MODEL, base_url: str | None = None
) -> AnthropicProvider:
    """Claude, asked over the network.

    Args:
        api_key: the key; kept in the provider's client only, and in no text that leaves it.
        model: the model's name.
        base_url: another address of the service; `None` for the library's own choice.

    Raises:
        ProviderAuthError: the key is blank, or holds what no key holds.
        ProviderResponseError: the base URL is none.
    """
    key = api_key.strip()
    if not key:
        raise ProviderAuthError("provider.no_key")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise ProviderAuthError("provider.key_malformed")
    if base_url and not is_web_address(base_url):
        raise ProviderResponseError("provider.bad_base_url")
    import anthropic
    import httpx2

    timeout = httpx2.Timeout(READ_TIMEOUT_S, connect=CONNECT_TIMEOUT_S)
    client = anthropic.Anthropic(
        api_key=key, base_url=base_url or None, timeout=timeout, max_retries=MAX_RETRIES
    )
    return AnthropicProvider(client, model)
