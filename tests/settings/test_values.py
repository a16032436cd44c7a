"""What the settings may be when they are made directly, and that their defaults are the promised ones."""

from collections.abc import Callable

import pytest

from tests.settings.written import RANGES, RIGHT
from toolsearch_core.advisor import AdvisorOptions
from toolsearch_core.errors import SettingsError
from toolsearch_core.eviction import EvictionConfig
from toolsearch_core.settings import OPTIONS, Option, Settings

MAKE: dict[str, Callable[..., object]] = {
    "settings": Settings,
    "options": AdvisorOptions,
    "eviction": EvictionConfig,
}
REFERENCE = {
    "advisor.order": 300,
    "advisor.session_id_key": "conversation_id",
    "advisor.system_suffix": None,
    "advisor.calls_per_tool": 40,
    "advisor.calls_per_turn": 150,
    "advisor.at_call_limit": "end",
    "search.max_results": None,
    "disclosure.accumulate": True,
    "eviction.strategy": "lru",
    "eviction.lru_max_sessions": 1000,
    "eviction.ttl": None,
}
"""What the reference documents and has as well."""
DEVIATIONS = {
    "advisor.enabled": (False, True),
    "index.type": ("regex", "hybrid"),
    "index.keyword_min_score": (0.25, 0.0),
}
"""There, and here: the search is on, the index is hybrid, and a score is of another scale."""
OWN = {
    "model.kind": "rehearsal",
    "model.claude_model": "claude-sonnet-5-5",
    "model.base_url": "",
    "model.max_tokens": 4096,
    "model.system": "",
    "advisor.iteration_limit": 50,
    "index.encoder": "multilingual",
    "search.max_results_cap": 10,
    "search.threshold": None,
    "disclosure.pinned": [],
    "disclosure.search_from_tools": 0,
}
"""What the reference does not have."""


def test_the_defaults_are_those_of_the_reference_but_for_three() -> None:
    settings = Settings()
    here = {option.full_name: option.written(settings) for option in OPTIONS}

    assert here == REFERENCE | {name: ours for name, (_, ours) in DEVIATIONS.items()} | OWN
    assert all(there != ours for there, ours in DEVIATIONS.values())


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.full_name)
def test_a_value_of_the_wrong_type_is_refused_where_it_is_kept(option: Option) -> None:
    wrong: list[object] = [{"a": 1}, object(), b"x", ("a", 1)]
    if not isinstance(option.held(Settings()), bool):
        wrong += [True]
    if option.full_name in RANGES:
        low, high = RANGES[option.full_name]
        wrong += [low - 1, high + 1, str(low), 10**6_000, -(10**6_000), float("nan")]
    for value in wrong:
        with pytest.raises(SettingsError) as refused:
            MAKE[option.part](**{option.field: value})
        assert refused.value.notice.params["option"] == option.field
        assert refused.value.notice.params["allowed"]


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.full_name)
def test_each_option_is_kept_where_the_table_says(option: Option) -> None:
    held = RIGHT[option.full_name].held
    part = MAKE[option.part](**{option.field: held})
    settings = part if isinstance(part, Settings) else Settings(**{option.part: part})

    assert option.held(settings) == held
    assert option.kind.take(option.written(settings)) == held


def test_names_in_the_table_are_there_once() -> None:
    for name in ("full_name", "argument", "variable", "field", "name"):
        assert len({getattr(option, name) for option in OPTIONS}) == len(OPTIONS)


@pytest.mark.parametrize("part", ["options", "eviction"])
def test_a_part_that_is_none_is_refused(part: str) -> None:
    with pytest.raises(SettingsError, match=part):
        Settings(**{part: {}})


@pytest.mark.parametrize("field", ["ttl_s", "max_sessions"])
def test_numbers_of_eviction_that_are_none_are_refused(field: str) -> None:
    for number in (-(10**6_000), float("nan"), float("inf"), True, "5", 0):
        with pytest.raises(SettingsError, match=field):
            EvictionConfig(**{field: number})  # type: ignore[arg-type]
