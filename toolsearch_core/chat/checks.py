"""What is given to a client is checked where it is given, not where it is used."""

from collections.abc import Iterable, Mapping, Sequence

from toolsearch_core.chat_types import Advisor
from toolsearch_core.errors import SessionError
from toolsearch_core.messages import Message
from toolsearch_core.options import AdvisorOptions, require


def checked_options(options: AdvisorOptions | None, default: AdvisorOptions) -> AdvisorOptions:
    """The options, or the default ones where none are given.

    Raises:
        SettingsError: they are something else.
    """
    if options is None:
        return default
    right = isinstance(options, AdvisorOptions)
    require(right, "options", options, "AdvisorOptions, such as AdvisorOptions(max_results=3)")
    return options


def checked_context(context: Mapping[str, object] | None) -> Mapping[str, object]:
    """The context, empty where none is given.

    Raises:
        SettingsError: it is no mapping.
    """
    right = context is None or isinstance(context, Mapping)
    require(right, "context", context, 'a dictionary, such as {"conversation_id": "chat-1"}')
    return context or {}


def checked_advisors(advisors: Iterable[Advisor]) -> tuple[Advisor, ...]:
    """The advisors.

    Raises:
        SettingsError: it is no list, or one of them cannot advise or has no order.
    """
    right = isinstance(advisors, Iterable) and not isinstance(advisors, str)
    require(right, "advisors", advisors, "a list of advisors")
    found = tuple(advisors)
    for each in found:
        advises = callable(getattr(each, "advise", None)) and not isinstance(each, type)
        placed = isinstance(getattr(each, "order", None), int)
        require(advises and placed, "advisors", each, "objects with name, order and advise")
    return found


def checked_question(text: str) -> str:
    """The question.

    Raises:
        SettingsError: it is no text.
        SessionError: it is blank.
    """
    require(isinstance(text, str), "text", text, "a text")
    if not text.strip():
        raise SessionError("advisor.blank_message")
    return text


def checked_history(history: Sequence[Message]) -> tuple[Message, ...]:
    """The messages before the question.

    Raises:
        SettingsError: it is no list of messages.
    """
    right = isinstance(history, Iterable) and not isinstance(history, str)
    require(right, "history", history, "a list of Message")
    found = tuple(history)
    for each in found:
        require(isinstance(each, Message), "history", each, "a list of Message")
    return found
