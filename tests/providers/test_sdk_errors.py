"""Whatever the provider's library raises becomes an error of ours, and each class its own kind on purpose."""

from collections.abc import Iterator

import anthropic
import anthropic._error_classes  # noqa: F401 - makes the classes of single error codes known
import httpx2
import pytest

from toolsearch_core.errors import ProviderError, ProviderRateLimitError, ProviderUnavailableError
from toolsearch_core.providers.sdk_errors import BY_CLASS, BY_STATUS, BY_TYPE, translate

REQUEST = httpx2.Request("POST", "http://127.0.0.1/v1/messages", headers={"x-api-key": "sk-secret"})


def subclasses(base: type[Exception]) -> Iterator[type[Exception]]:
    for kind in base.__subclasses__():
        yield kind
        yield from subclasses(kind)


STATUS_ERRORS = sorted(
    {anthropic.APIStatusError, *subclasses(anthropic.APIStatusError)},
    key=lambda kind: kind.__name__,
)
OTHER_ERRORS = sorted(
    {
        kind
        for base in (anthropic.AnthropicError, httpx2.HTTPError, httpx2.StreamError)
        for kind in (base, *subclasses(base))
        if not issubclass(kind, anthropic.APIStatusError)
    }
    | {httpx2.InvalidURL},
    key=lambda kind: kind.__name__,
)


def status_error(
    kind: type[anthropic.APIStatusError], status: int, body: object = None, **headers: str
) -> anthropic.APIStatusError:
    response = httpx2.Response(status, request=REQUEST, headers=headers)
    return kind("message", response=response, body=body)


def translated(error: Exception) -> ProviderError:
    return translate(error, model="m", timeout_s=90, secret="sk-secret")


@pytest.mark.parametrize("kind", STATUS_ERRORS, ids=lambda kind: kind.__name__)
def test_every_status_that_the_library_names_is_mapped_by_number(kind: type[Exception]) -> None:
    status = getattr(kind, "status_code", None)
    if status is not None:
        assert status in BY_STATUS
    error = translated(status_error(kind, status or 500))  # type: ignore[arg-type]

    assert type(error) is not ProviderError
    assert error.notice.text


@pytest.mark.parametrize("kind", OTHER_ERRORS, ids=lambda kind: kind.__name__)
def test_every_other_error_of_the_library_is_mapped_by_class(kind: type[Exception]) -> None:
    assert any(issubclass(kind, known) for known, _ in BY_CLASS)
    error = translated(kind.__new__(kind))

    assert type(error) is not ProviderError
    assert error.notice.text


def test_a_narrower_class_stands_before_a_wider_one() -> None:
    known = [kind for kind, _ in BY_CLASS]
    for place, kind in enumerate(known):
        assert not any(issubclass(kind, earlier) for earlier in known[:place])


@pytest.mark.parametrize("kind", BY_TYPE)
def test_an_error_event_in_a_stream_is_known_by_its_type(kind: str) -> None:
    body = {"type": "error", "error": {"type": kind, "message": "so it is"}}
    error = translated(status_error(anthropic.APIStatusError, 200, body))

    assert (type(error), error.notice.code) == BY_TYPE[kind]


def test_every_type_of_error_that_the_library_knows_has_a_kind() -> None:
    from typing import get_args

    from anthropic.types.shared.error_type import ErrorType

    messages_only = {
        kind for kind in get_args(ErrorType) if not kind.startswith(("memory_", "conflict"))
    }
    assert messages_only <= set(BY_TYPE)


def test_an_unknown_type_in_a_stream_is_a_failed_service() -> None:
    error = translated(status_error(anthropic.APIStatusError, 200, {"error": {"type": "new_one"}}))

    assert type(error) is ProviderUnavailableError


@pytest.mark.parametrize(("value", "seconds"), [("12", 12), ("0.4", 1), ("0", 0)])
def test_a_rate_limit_says_when_to_ask_again(value: str, seconds: int) -> None:
    error = translated(status_error(anthropic.RateLimitError, 429, **{"retry-after": value}))

    assert type(error) is ProviderRateLimitError
    assert error.notice.params == {"seconds": seconds}


@pytest.mark.parametrize("value", ["", "soon", "-3", "9" * 40, "Wed, 21 Oct 2026 07:28:00 GMT"])
def test_a_rate_limit_without_a_number_does_not_make_one_up(value: str) -> None:
    error = translated(status_error(anthropic.RateLimitError, 429, **{"retry-after": value}))

    assert error.notice.code == "provider.rate_limited"


def test_the_services_own_sentence_is_kept_clipped_and_without_the_key() -> None:
    said = "Bad\n request with sk-secret " + "and more " * 100
    body = {"type": "error", "error": {"type": "invalid_request_error", "message": said}}
    message = translated(status_error(anthropic.BadRequestError, 400, body)).notice.params[
        "message"
    ]

    assert str(message).startswith("Bad request with … and more")
    assert len(str(message)) <= 180


@pytest.mark.parametrize("body", [None, "text", [], {"error": "text"}, {"error": {"message": 3}}])
def test_a_strange_error_body_is_no_trouble(body: object) -> None:
    assert translated(status_error(anthropic.BadRequestError, 400, body)).notice.text
