"""Every option through every source; which source wins; where each value is said to come from."""

import inspect
import itertools
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.settings.written import RANGES, RIGHT, WRONG, WRONG_TEXTS, as_arguments, as_file
from toolsearch_core.errors import SettingsError
from toolsearch_core.settings import OPTIONS, LoadedSettings, Option, Origin, load_settings

SOURCES = ("file", "environment", "argument")
"""From the one that loses to the one that wins."""

each_option = pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.full_name)


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def load(given: Mapping[str, object], option: Option) -> LoadedSettings:
    """Load with one option set in some sources: source -> value there, for a variable its text."""
    return load_settings(
        file=as_file(Path("set.toml"), {option: given["file"]}) if "file" in given else None,
        environ={option.variable: str(given["environment"])} if "environment" in given else {},
        **as_arguments({option: given["argument"]} if "argument" in given else {}),
    )


def place(option: Option, source: str) -> str:
    return {"file": "set.toml", "environment": option.variable, "argument": option.argument}[source]


def test_the_tables_of_these_tests_have_every_option() -> None:
    names = [option.full_name for option in OPTIONS]

    assert list(RIGHT) == names
    assert list(WRONG) == names
    assert sorted(WRONG_TEXTS) == sorted(names)


def test_without_any_source_everything_is_the_default() -> None:
    loaded = load_settings(environ={})

    assert loaded.settings == type(loaded.settings)()
    assert list(loaded.origins) == [option.full_name for option in OPTIONS]
    assert set(loaded.origins.values()) == {Origin(kind="default")}
    assert loaded.file is None


@each_option
@pytest.mark.parametrize("source", SOURCES)
def test_each_option_is_read_from_each_source(option: Option, source: str) -> None:
    right = RIGHT[option.full_name]
    loaded = load({source: right.text if source == "environment" else right.value}, option)

    assert right.held != option.held(load_settings(environ={}).settings)
    assert option.held(loaded.settings) == right.held
    assert loaded.origins[option.full_name] == Origin(kind=source, place=place(option, source))  # type: ignore[arg-type]
    assert [
        other.full_name
        for other in OPTIONS
        if loaded.origins[other.full_name].kind != "default" and other is not option
    ] == []


@each_option
@pytest.mark.parametrize(("loses", "wins"), list(itertools.combinations(SOURCES, 2)))
def test_of_two_sources_the_nearer_one_wins(option: Option, loses: str, wins: str) -> None:
    default = option.written(load_settings(environ={}).settings)
    default = "none" if default is None else default
    right = RIGHT[option.full_name]
    text = ",".join(default) if isinstance(default, list) else str(default).lower()
    values = {
        "file": {loses: default, wins: right.value},
        "environment": {loses: text or "none", wins: right.text},
        "argument": {loses: default, wins: right.value},
    }
    pair = {source: values[source][role] for source, role in ((loses, loses), (wins, wins))}
    if option.full_name == "model.system":
        pair[loses] = "something else"
    loaded = load(pair, option)

    assert option.held(loaded.settings) == right.held
    assert loaded.origins[option.full_name].kind == wins


@each_option
def test_an_option_that_can_be_none_is_set_to_nothing_in_each_source(option: Option) -> None:
    right = RIGHT[option.full_name]
    for source, nothing in (("argument", None), ("argument", "none"), ("environment", "none")):
        if option.can_be_none:
            loaded = load({"file": right.value, source: nothing}, option)
            assert option.held(loaded.settings) == option.none
            assert loaded.origins[option.full_name].kind == source
        elif nothing is None:
            with pytest.raises(SettingsError, match=rf"{option.full_name}.* is none"):
                load({source: nothing}, option)


def test_an_empty_variable_is_none() -> None:
    given = {option.variable: "" for option in OPTIONS} | {"TOOLSEARCH_CONFIG": ""}

    assert load_settings(environ=given) == load_settings(environ={})


@pytest.mark.parametrize(
    ("option", "value"),
    [(option, value) for option in OPTIONS for value in WRONG[option.full_name]],
    ids=lambda part: part.full_name if isinstance(part, Option) else repr(part)[:20],
)
@pytest.mark.parametrize("source", ["argument", "file"])
def test_a_wrong_value_is_refused_with_option_place_value_and_what_is_allowed(
    option: Option, value: object, source: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        load({source: value}, option)

    params = refused.value.notice.params
    assert refused.value.notice.code in ("settings.refused", "settings.refused_choice")
    assert params["option"] == option.full_name
    assert params["origin"] == place(option, source)
    assert params["allowed"]
    shown = {True: "true", False: "false"}.get(value, value) if isinstance(value, bool) else value
    if isinstance(value, int | float) and len(str(value)) < 15:
        assert params["value"] == str(shown)
    elif isinstance(value, str) and value.isprintable():
        assert params["value"] == f'"{value}"'
    else:
        assert params["value"]


@pytest.mark.parametrize(
    ("option", "text"),
    [(option, text) for option in OPTIONS for text in WRONG_TEXTS[option.full_name]],
    ids=lambda part: part.full_name if isinstance(part, Option) else ascii(part)[:20],
)
def test_a_wrong_text_is_refused_with_its_variable(option: Option, text: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load({"environment": text}, option)

    params = refused.value.notice.params
    assert (params["option"], params["origin"]) == (option.full_name, option.variable)


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("source", SOURCES)
def test_the_ends_of_a_range_are_within_and_nothing_beyond(name: str, source: str) -> None:
    option = next(option for option in OPTIONS if option.full_name == name)
    low, high = RANGES[name]

    for end in (low, high):
        assert option.held(load({source: end}, option).settings) == end
    for beyond in (low - 1, high + 1):
        with pytest.raises(SettingsError) as refused:
            load({source: beyond}, option)
        params = refused.value.notice.params
        assert (params["option"], params["origin"]) == (name, place(option, source))
        assert params["value"] == str(beyond)
        assert params["allowed"].startswith(f"{low} to {high}")


@pytest.mark.parametrize("loses", ["file", "environment"])
def test_a_wrong_value_is_refused_also_where_another_one_wins(loses: str) -> None:
    option = next(option for option in OPTIONS if option.full_name == "model.max_tokens")

    with pytest.raises(SettingsError, match=r"max_tokens.* is 0"):
        load({loses: 0, "argument": 5}, option)


# Values that depend on each other


@pytest.mark.parametrize(
    ("given", "strategy", "ttl_s"),
    [
        ({}, "lru", None),
        ({"eviction_ttl": "30m"}, "composite", 1800.0),
        ({"eviction_ttl": None}, "lru", None),
        ({"eviction_ttl": 90, "eviction_strategy": "lru"}, "lru", 90.0),
        ({"eviction_ttl": 0.5, "eviction_strategy": "ttl"}, "ttl", 0.5),
        ({"eviction_strategy": "ttl"}, "ttl", 1800.0),
        ({"eviction_strategy": "composite", "eviction_ttl": None}, "composite", 1800.0),
        ({"eviction_strategy": "never"}, "never", None),
    ],
)
def test_a_ttl_alone_means_lru_and_ttl_together(
    given: dict[str, object], strategy: str, ttl_s: float | None
) -> None:
    eviction = load_settings(environ={}, **given).settings.eviction

    assert (eviction.strategy, eviction.ttl_s) == (strategy, ttl_s)


def test_a_default_that_follows_from_another_option_says_so() -> None:
    origins = load_settings(
        environ={"TOOLSEARCH_EVICTION_TTL": "1h"}, search_max_results=20
    ).origins

    assert str(origins["eviction.strategy"]) == "default, since eviction.ttl is set"
    assert str(origins["search.max_results_cap"]) == "default, since search.max_results is set"


@pytest.mark.parametrize("given", [{}, {"eviction_ttl": None}])
def test_the_time_that_a_strategy_needs_and_nobody_sets_says_so(given: dict[str, object]) -> None:
    origins = load_settings(environ={}, eviction_strategy="ttl", **given).origins

    assert str(origins["eviction.ttl"]) == "default, since eviction.strategy is set"


def test_a_cap_that_nobody_sets_makes_room_for_the_results() -> None:
    options = load_settings(environ={}, search_max_results=20).settings.options

    assert (options.max_results, options.max_results_cap) == (20, 20)


def test_a_cap_that_is_set_holds_also_against_a_nearer_source() -> None:
    with pytest.raises(
        SettingsError, match=r"set by `search_max_results`, is 8; allowed is 1 to 5"
    ):
        load_settings(environ={"TOOLSEARCH_SEARCH_MAX_RESULTS_CAP": "5"}, search_max_results=8)


# Which file


def test_the_file_is_the_given_one_else_that_of_the_variable_else_that_of_the_folder() -> None:
    for name, tokens in (("given", 1), ("variable", 2), ("toolsearch", 3)):
        Path(f"{name}.toml").write_text(f"[model]\nmax_tokens = {tokens}\n", encoding="utf-8")
    variable = {"TOOLSEARCH_CONFIG": "variable.toml"}

    found = [
        load_settings(file="given.toml", environ=variable),
        load_settings(file=Path("given.toml"), environ={}),
        load_settings(environ=variable),
        load_settings(environ={}),
    ]

    assert [loaded.settings.options.max_tokens for loaded in found] == [1, 1, 2, 3]
    assert [str(loaded.file) for loaded in found] == [
        "given.toml",
        "given.toml",
        "variable.toml",
        "toolsearch.toml",
    ]


def test_the_environment_of_the_process_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLSEARCH_MODEL_MAX_TOKENS", "77")

    assert load_settings().settings.options.max_tokens == 77


def test_no_help_text_prints_the_environment() -> None:
    assert "environ: collections.abc.Mapping[str, str] | None = None" in str(
        inspect.signature(load_settings)
    )
