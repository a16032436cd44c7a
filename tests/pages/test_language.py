"""The language of the page: texts, notices, and strangers' text in them."""

from string import Formatter

import pytest

from pages._shared import state
from pages._shared.language import label, notice_label, notice_text, t, texts, worded
from toolsearch_core.notices import Notice, english_wording, notice


@pytest.fixture
def speak(monkeypatch: pytest.MonkeyPatch):
    def speak(language: str) -> None:
        monkeypatch.setattr(state, "language", lambda: language)

    return speak


@pytest.mark.parametrize(("language", "text"), [("en", "Load Notes"), ("ko", "Notes 불러오기")])
def test_a_text_comes_in_the_language_of_the_page(speak, language: str, text: str) -> None:
    speak(language)

    assert t("live.empty.load", title="Notes") == text


def test_what_fills_a_label_is_no_markup(speak) -> None:
    speak("en")
    filled = label("live.empty.load", title="![x](https://example.invalid) **loud**")

    assert "![" not in filled
    assert "**" not in filled


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_notice_is_worded(speak, language: str) -> None:
    speak(language)

    for code, sentence in english_wording().items():
        places = {name: "X" for _, name, _, _ in Formatter().parse(sentence) if name}
        assert notice_text(Notice(code, places))


def test_a_notice_comes_in_korean(speak) -> None:
    speak("ko")

    assert notice_text(notice("advisor.stopped")) == texts("ko_notices")["advisor.stopped"]


def test_what_fills_a_notice_is_no_markup(speak) -> None:
    speak("ko")

    assert "![" not in notice_label(
        notice("search.no_match", query="![x](https://example.invalid)")
    )


def test_a_choice_without_a_word_is_its_own(speak) -> None:
    speak("en")
    words = worded({"minilm": "options.encoder.minilm"})

    assert words("minilm") == "all-MiniLM-L6-v2 (English)"
    assert words("/models/mine") == "/models/mine"
