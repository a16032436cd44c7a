"""Every error the library raises on purpose.

    ToolSearchError
    ├── CatalogError            a catalog file or text cannot be used
    ├── SearchError             a search cannot be answered
    │   ├── SearchRequestError      `max_results` or `threshold` is out of range (a `ValueError` too)
    │   ├── InvalidPatternError     the pattern does not compile, or is too long
    │   └── IndexUnavailableError   the index is not built, or its encoder is not installed
    ├── SessionError            a session id is missing, blank or unknown
    ├── SettingsError           an option has a wrong name, type or range
    └── ProviderError           the model did not answer
        ├── ProviderAuthError       the key is missing or refused
        ├── ProviderRateLimitError  too many requests for now
        ├── ProviderUnavailableError  no connection, a time-out, an overloaded service
        └── ProviderResponseError   an answer that cannot be understood, or a refused request

Each carries a `Notice`: a code and parameters, so that a page can word it in its own language.
"""

from toolsearch_core.notices import Notice, NoticeParameter


class ToolSearchError(Exception):
    """Base of all; `str(error)` is the English sentence of its notice."""

    def __init__(self, code: str, **params: NoticeParameter) -> None:
        self.notice = Notice(code, params)
        super().__init__(self.notice.text)


def fault_text(fault: BaseException) -> str:
    """What a fault of somebody else's code says, with its kind; also when it cannot say anything."""
    try:
        return f"{type(fault).__name__}: {fault}"
    except Exception:  # noqa: BLE001 - its own words may break as well
        return type(fault).__name__


class CatalogError(ToolSearchError):
    """A catalog file or text cannot be used."""


class SearchError(ToolSearchError):
    """A search cannot be answered."""


class SearchRequestError(SearchError, ValueError):
    """`max_results` or `threshold` is out of range."""


class InvalidPatternError(SearchError):
    """The pattern does not compile, or is too long."""


class IndexUnavailableError(SearchError):
    """The index is not built, or its encoder is not installed."""


class SessionError(ToolSearchError):
    """A session id is missing, blank or unknown."""


class SettingsError(ToolSearchError):
    """An option has a wrong name, type or range."""


class ProviderError(ToolSearchError):
    """The model did not answer."""


class ProviderAuthError(ProviderError):
    """The key is missing or refused."""


class ProviderRateLimitError(ProviderError):
    """Too many requests for now."""


class ProviderUnavailableError(ProviderError):
    """No connection, a time-out, or an overloaded service."""


class ProviderResponseError(ProviderError):
    """An answer that cannot be understood, or a request that was refused."""
