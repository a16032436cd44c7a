"""What goes wrong in the provider's library, in the words of this one.

The library's errors hold the request with its headers, the key among them. So they are read here
and then dropped: a `ProviderError` carries a code, numbers, and the service's own sentence, nothing else.
"""

import math
import re
from collections.abc import Mapping

import anthropic
import httpx2

from toolsearch_core.errors import (
    ProviderAuthError,
    ProviderError,
    ProviderRateLimitError,
    ProviderResponseError,
    ProviderUnavailableError,
)

MAX_MESSAGE_CHARS = 180
"""The service's own sentence is clipped to this, so that it fits a notice."""

Kind = tuple[type[ProviderError], str]

_BUSY: Kind = (ProviderUnavailableError, "provider.overloaded")
_BROKEN: Kind = (ProviderUnavailableError, "provider.service_error")
_SLOW: Kind = (ProviderUnavailableError, "provider.timed_out")
_NO_LINE: Kind = (ProviderUnavailableError, "provider.no_connection")
_CUT: Kind = (ProviderUnavailableError, "provider.connection_lost")
_LIMITED: Kind = (ProviderRateLimitError, "provider.rate_limited")
_REFUSED: Kind = (ProviderResponseError, "provider.request_refused")
_UNKNOWN: Kind = (ProviderResponseError, "provider.not_found")
_TOO_LARGE: Kind = (ProviderResponseError, "provider.request_too_large")
_UNREADABLE: Kind = (ProviderResponseError, "provider.not_understood")
_KEY: Kind = (ProviderAuthError, "provider.key_refused")
_RIGHTS: Kind = (ProviderAuthError, "provider.key_not_allowed")
_MONEY: Kind = (ProviderAuthError, "provider.no_credit")

BY_STATUS: Mapping[int, Kind] = {
    400: _REFUSED,
    401: _KEY,
    402: _MONEY,
    403: _RIGHTS,
    404: _UNKNOWN,
    408: _SLOW,
    409: _BROKEN,
    412: _REFUSED,
    413: _TOO_LARGE,
    422: _REFUSED,
    429: _LIMITED,
    431: _TOO_LARGE,
    499: _CUT,
    501: _BROKEN,
    503: _BUSY,
    504: _SLOW,
    529: _BUSY,
}
"""HTTP status -> our error; any other from 500 on is a service error, any other below a refusal."""

BY_TYPE: Mapping[str, Kind] = {
    "api_error": _BROKEN,
    "authentication_error": _KEY,
    "billing_error": _MONEY,
    "invalid_request_error": _REFUSED,
    "not_found_error": _UNKNOWN,
    "overloaded_error": _BUSY,
    "permission_error": _RIGHTS,
    "rate_limit_error": _LIMITED,
    "request_too_large": _TOO_LARGE,
    "timeout_error": _SLOW,
}
"""The type in an error event in the middle of a stream, where the HTTP status is 200 already."""

BY_CLASS: tuple[tuple[type[Exception], Kind], ...] = (
    (anthropic.APITimeoutError, _SLOW),
    (anthropic.APIConnectionError, _NO_LINE),
    (anthropic.APIResponseValidationError, _UNREADABLE),
    (anthropic.CredentialsError, _KEY),
    (anthropic.RetryableError, _BROKEN),
    (anthropic.AnthropicError, _UNREADABLE),
    (httpx2.TimeoutException, _SLOW),
    (httpx2.DecodingError, _UNREADABLE),
    (httpx2.TooManyRedirects, _UNREADABLE),
    (httpx2.HTTPError, _CUT),
    (httpx2.StreamError, _CUT),
    (httpx2.InvalidURL, (ProviderResponseError, "provider.bad_base_url")),
)
"""Errors without a status, the narrower class first. `httpx2` ones come up while a stream is read."""

SDK_ERRORS = (anthropic.AnthropicError, httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL)
"""Everything that the provider's library raises on purpose."""


def translate(error: Exception, *, model: str, timeout_s: float, secret: str) -> ProviderError:
    """The error in our words.

    Args:
        error: one of `SDK_ERRORS`, or an error of reading what was received.
        model: the model that was asked, to name it.
        timeout_s: how long the library waits for the next byte, in seconds.
        secret: the key; cut out of the service's own sentence should it be repeated there.
    """
    kind, code = _kind(error)
    if code == "provider.timed_out":
        return kind(code, seconds=round(timeout_s))
    if code == "provider.not_found":
        return kind(code, model=model)
    if code == "provider.rate_limited":
        seconds = _retry_seconds(error)
        return kind(code) if seconds is None else kind("provider.rate_limited_for", seconds=seconds)
    if code in ("provider.request_refused", "provider.service_error", "provider.no_credit"):
        return kind(code, status=_status(error), message=_message(error, secret))
    return kind(code)


def _kind(error: Exception) -> Kind:
    if isinstance(error, anthropic.APIStatusError):
        # The type in the body says more than a status of 200, which a stream has long sent by then.
        if error.status_code < 400:
            return BY_TYPE.get(error.type or "", _BROKEN)
        fallback = _BROKEN if error.status_code >= 500 else _REFUSED
        return BY_STATUS.get(error.status_code, fallback)
    for kind_of_error, kind in BY_CLASS:
        if isinstance(error, kind_of_error):
            return kind
    return _UNREADABLE


def _status(error: Exception) -> int:
    return error.status_code if isinstance(error, anthropic.APIStatusError) else 0


def _message(error: Exception, secret: str) -> str:
    text = ""
    if isinstance(error, anthropic.APIStatusError):
        text = error.api_message if isinstance(error.api_message, str) else ""
    text = " ".join(text.split())
    if secret:
        text = text.replace(secret, "…")
    if len(text) > MAX_MESSAGE_CHARS:
        text = text[: MAX_MESSAGE_CHARS - 1] + "…"
    return text or "–"


def _retry_seconds(error: Exception) -> int | None:
    """Seconds to wait by the `retry-after` header; `None` when it holds no number."""
    if not isinstance(error, anthropic.APIStatusError):
        return None
    value = error.response.headers.get("retry-after", "").strip()
    return math.ceil(float(value)) if re.fullmatch(r"\d{1,6}(\.\d+)?", value) else None
