"""The settings in the sidebar: what is chosen, refused, advised and configured."""

from pathlib import Path

import pytest

from tests.pages.explorer import Explorer, one_search, tiny
from toolsearch_core.advisor.prompts import prompt
from toolsearch_core.providers.scripted import ScriptedProvider
from toolsearch_core.settings import Settings

# The panel


def test_a_refused_setting_is_told_at_its_widget_and_changes_nothing() -> None:
    page = Explorer().load()
    page.choose("model_kind", "claude", page.at.get_by_key)
    page.choose("base_url", "http://host:port", page.at.text_input)
    assert "base_url" in page.shown()
    page.choose("base_url", "ftp://example.invalid", page.at.text_input)

    assert page.workspace.settings.base_url == ""
    assert "base_url" in page.shown()
    assert page.at.text_input(key="choice_base_url").value == "ftp://example.invalid"

    page.choose("base_url", "http://localhost:1", page.at.text_input)
    assert page.workspace.settings.base_url == "http://localhost:1"
    assert list(page.at.error) == []


def test_the_number_of_results_is_left_to_the_model_until_somebody_sets_it() -> None:
    page = Explorer().load()
    field = page.at.number_input(key="choice_max_results")
    assert (field.value, field.proto.placeholder) == (None, "The model decides")

    page.choose("max_results", 3, page.at.number_input)
    assert page.workspace.settings.options.max_results == 3
    page.choose("max_results", None, page.at.number_input)
    assert page.workspace.settings.options.max_results is None


@pytest.mark.parametrize(("results", "left"), [(None, None), (1, 1), (4, 2)])
def test_a_lower_cap_takes_a_set_number_of_results_along(
    results: int | None, left: int | None
) -> None:
    page = Explorer().load()
    page.choose("max_results", results, page.at.number_input)
    page.choose("max_results_cap", 2, page.at.number_input)

    options = page.workspace.settings.options
    assert (options.max_results, options.max_results_cap) == (left, 2)
    assert ("Results per search are now 2" in page.shown()) == (results != left)


def test_the_bounds_of_a_turn_are_set_in_the_panel() -> None:
    page = Explorer().load()
    for choice, value in (("search_from_tools", 40), ("calls_per_turn", 9), ("calls_per_tool", 4)):
        page.choose(choice, value, page.at.number_input)
    page.choose("at_call_limit", "answer", page.at.get_by_key)

    options = page.workspace.settings.options
    assert (options.search_from_tools, options.calls_per_turn) == (40, 9)
    assert (options.calls_per_tool, options.at_call_limit) == (4, "answer")


def test_an_own_text_explains_the_search_tool_until_it_is_cleared() -> None:
    page = Explorer().load()
    field = page.at.text_area(key="choice_system_suffix")
    assert field.value == ""
    assert field.proto.placeholder == prompt("system_suffix")

    page.choose("system_suffix", "Search first.", page.at.text_area)
    assert page.workspace.settings.options.system_suffix == "Search first."
    page.choose("system_suffix", " \n ", page.at.text_area)
    assert page.workspace.settings.options.system_suffix is None
    assert page.at.text_area(key="choice_system_suffix").value == ""


def test_the_threshold_is_off_until_somebody_sets_it() -> None:
    page = Explorer().load()
    assert page.workspace.settings.options.threshold is None
    page.at.toggle(key="choice_threshold_on_False").set_value(True)
    page.run()
    assert page.workspace.settings.options.threshold == pytest.approx(0.3)
    page.choose("threshold", 0.55, page.at.slider)
    assert page.workspace.settings.options.threshold == pytest.approx(0.55)
    page.at.toggle(key="choice_threshold_on_True").set_value(False)
    page.run()
    assert page.workspace.settings.options.threshold is None


def test_a_pasted_key_is_in_the_browser_session_and_nowhere_else() -> None:
    key = "sk-secret-0123456789"
    page = Explorer(ScriptedProvider(one_search())).load()
    page.choose("model_kind", "claude", page.at.get_by_key)
    page.at.text_input(key="key_field").set_value(key)
    page.run().ask()

    assert not page.at.warning
    assert key not in str(page.address)
    assert key not in repr(page.workspace.settings)
    assert key not in repr(page.conversation.entries)
    assert key not in page.shown()


# Advice

ADVICE = "about 10 tools or 10,000 tokens"


def test_a_small_catalog_has_the_advice_to_send_it_whole() -> None:
    page = tiny()
    (advice,) = [element.value for element in page.at.sidebar.caption if "small" in element.value]
    assert "tools: 1" in advice.replace("\\", "")
    assert ADVICE in page.shown()

    page.choose("disclosure", "all_up_front", page.at.get_by_key)
    assert ADVICE not in page.shown()


def test_a_larger_catalog_has_the_advice_to_search_it() -> None:
    page = Explorer().load("everyday.json")
    assert ADVICE not in page.shown()

    page.choose("disclosure", "all_up_front", page.at.get_by_key)
    assert ADVICE in page.shown()
    assert "tools: 28" in page.shown()


# Configured settings


def test_a_new_workspace_begins_with_the_configured_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOOLSEARCH_SEARCH_MAX_RESULTS", "4")
    monkeypatch.setenv("TOOLSEARCH_EVICTION_TTL", "2s")
    monkeypatch.setenv("TOOLSEARCH_EVICTION_LRU_MAX_SESSIONS", "5000000")
    page = Explorer().load()

    assert page.at.number_input(key="choice_max_results").value == 4
    assert page.at.number_input(key="choice_ttl_minutes").value == pytest.approx(2 / 60)
    assert page.at.number_input(key="choice_max_sessions").value == 5_000_000
    page.choose("max_results", None, page.at.number_input)
    page.click("frame_reset")
    assert page.workspace.settings.options.max_results == 4


@pytest.mark.parametrize(
    ("language", "defaults"), [("en", "the defaults hold"), ("ko", "기본값으로 시작합니다")]
)
def test_a_configuration_that_is_refused_is_told_once_and_the_defaults_hold(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str, defaults: str
) -> None:
    file = tmp_path / "toolsearch.toml"
    file.write_text("[search]\nmax_results = 900\n", encoding="utf-8")
    monkeypatch.setenv("TOOLSEARCH_CONFIG", str(file))

    page = Explorer(lang=language)

    (told,) = page.at.error
    assert defaults in told.value
    for part in ("search.max_results", "900", "toolsearch.toml"):
        assert part in page.shown().replace("\u2060", "")
    assert page.workspace.settings == Settings()
    assert not page.load().at.error


@pytest.mark.parametrize(
    ("choice", "value"), [("max_tokens", 4096), ("iteration_limit", 50), ("max_results_cap", 10)]
)
def test_a_number_that_is_emptied_goes_back_to_what_it_was(choice: str, value: int) -> None:
    page = Explorer().load()
    page.choose(choice, None, page.at.number_input)

    assert getattr(page.workspace.settings.options, choice) == value
    assert page.at.number_input(key=f"choice_{choice}").value == value
    assert list(page.at.error) == []
