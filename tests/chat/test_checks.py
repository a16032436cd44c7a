"""What is given to a client is refused where it is given, with what is allowed."""

import pytest

from toolsearch_core.advisor import ToolCallingAdvisor, ToolSearchAdvisor
from toolsearch_core.chat import ChatClient
from toolsearch_core.errors import SettingsError
from toolsearch_core.eviction import Lru
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.providers.scripted import ScriptedProvider
from toolsearch_core.session import SessionRegistry


def weather(city: str) -> str:
    """Tell the weather of a city."""
    return f"Rain in {city}"


@pytest.mark.parametrize(
    ("option", "given"),
    [
        ("options", {"options": {"max_results": 3}}),
        ("context", {"context": "chat-1"}),
        ("context", {"context": ["chat-1"]}),
        ("tools", {"tools": weather}),
        ("tools", {"tools": "weather"}),
        ("tools", {"tools": 5}),
        ("advisors", {"advisors": ToolCallingAdvisor()}),
        ("advisors", {"advisors": "search"}),
        ("advisors", {"advisors": [ToolCallingAdvisor]}),
        ("advisors", {"advisors": [None]}),
    ],
)
def test_what_is_of_a_wrong_type_is_refused_where_it_is_given(option, given):
    for build in (lambda: ChatClient(ScriptedProvider(), **given), lambda: asked(**given)):
        with pytest.raises(SettingsError) as caught:
            build()
        assert caught.value.notice.params["option"] == option


def asked(**given):
    return ChatClient(ScriptedProvider()).prompt("x", **given)


@pytest.mark.parametrize(
    ("option", "given"), [("history", ["hi"]), ("history", "hi"), ("history", 5)]
)
def test_a_history_is_a_list_of_messages(option, given):
    with pytest.raises(SettingsError) as caught:
        asked(history=given)
    assert caught.value.notice.params["option"] == option


@pytest.mark.parametrize("question", [None, 5, b"x", ["x"]])
def test_a_question_is_a_text(question):
    with pytest.raises(SettingsError):
        ChatClient(ScriptedProvider()).prompt(question)


@pytest.mark.parametrize("eviction", ["lru", Lru, None, 3])
def test_a_registry_without_a_strategy_and_an_advisor_without_a_registry_are_refused(eviction):
    with pytest.raises(SettingsError):
        SessionRegistry(eviction)
    with pytest.raises(SettingsError):
        ToolSearchAdvisor(CatalogToolIndex(RetrieverStore(), "regex"), sessions=Lru(3))
