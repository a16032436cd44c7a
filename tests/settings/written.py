"""Values of every option, right and wrong, and the three sources that they can stand in."""

import datetime
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from toolsearch_core.cli.settings import toml
from toolsearch_core.settings import OPTIONS, LoadedSettings, Option, load_settings


class Right(NamedTuple):
    """A value that differs from the default."""

    value: object
    """In TOML and as a keyword argument."""
    text: str
    """In a variable."""
    held: object
    """In the settings."""


RIGHT: Mapping[str, Right] = {
    "model.kind": Right("claude", " claude ", "claude"),
    "model.claude_model": Right("claude-x", "claude-x", "claude-x"),
    "model.base_url": Right("https://host:8080/v1", "https://host:8080/v1", "https://host:8080/v1"),
    "model.max_tokens": Right(99, "99", 99),
    "model.system": Right(
        'Be "brief".\n한국어 🙂', 'Be "brief".\n한국어 🙂', 'Be "brief".\n한국어 🙂'
    ),
    "advisor.enabled": Right(False, "off", "all_up_front"),
    "advisor.order": Right(-42, "-42", -42),
    "advisor.session_id_key": Right("tenant_id", "tenant_id", "tenant_id"),
    "advisor.system_suffix": Right("Search first.", "Search first.", "Search first."),
    "advisor.iteration_limit": Right(7, " 7 ", 7),
    "advisor.calls_per_tool": Right(8, "8", 8),
    "advisor.calls_per_turn": Right(9, "+9", 9),
    "advisor.at_call_limit": Right("answer", "answer", "answer"),
    "index.type": Right("regex", "regex", "regex"),
    "index.encoder": Right("minilm", "minilm", "minilm"),
    "index.keyword_min_score": Right(0.5, ".5", 0.5),
    "search.max_results": Right(5, "5", 5),
    "search.max_results_cap": Right(20, "20", 20),
    "search.threshold": Right(1, "1", 1),
    "disclosure.accumulate": Right(False, "FALSE", False),
    "disclosure.pinned": Right(["a", "b-c"], "a, b-c,", ("a", "b-c")),
    "disclosure.search_from_tools": Right(10, "10", 10),
    "eviction.strategy": Right("always", "always", "always"),
    "eviction.lru_max_sessions": Right(2, "2", 2),
    "eviction.ttl": Right("1h30m", "PT1H30M", 5400.0),
}

RANGES: Mapping[str, tuple[int, int]] = {
    "model.max_tokens": (1, 128_000),
    "advisor.order": (-1_000_000, 1_000_000),
    "advisor.iteration_limit": (1, 100),
    "advisor.calls_per_tool": (1, 10_000),
    "advisor.calls_per_turn": (1, 10_000),
    "index.keyword_min_score": (0, 1),
    "search.max_results": (1, 50),
    "search.max_results_cap": (1, 50),
    "search.threshold": (0, 1),
    "disclosure.search_from_tools": (0, 10_000),
}
"""Both ends are allowed, and nothing beyond."""

NOT_TEXT = (True, 5, 0.5, ["a"], {"a": 1}, datetime.date(2026, 1, 2))
NOT_NUMBER = (True, "5", ["5"], {"a": 5}, float("nan"), float("inf"), 10**30, "", "lots")
WRONG: Mapping[str, tuple[object, ...]] = {
    "model.kind": (*NOT_TEXT, "", "gpt", "Claude"),
    "model.claude_model": (*NOT_TEXT, "", "  ", "a\nb", "x" * 501),
    "model.base_url": (*NOT_TEXT, "host", "ftp://host", "https://", "https://a b"),
    "model.max_tokens": (*NOT_NUMBER, 2.5),
    "model.system": NOT_TEXT,
    "advisor.enabled": ("true", "yes", 1, 0, [], {"a": True}, "search_and_inject"),
    "advisor.order": (*NOT_NUMBER, 2.5),
    "advisor.session_id_key": (*NOT_TEXT, "", "  ", "a\tb"),
    "advisor.system_suffix": (*NOT_TEXT, "", " \n "),
    "advisor.iteration_limit": (*NOT_NUMBER, 2.5),
    "advisor.calls_per_tool": (*NOT_NUMBER, 2.5),
    "advisor.calls_per_turn": (*NOT_NUMBER, 2.5),
    "advisor.at_call_limit": (*NOT_TEXT, "", "throw"),
    "index.type": (*NOT_TEXT, "", "lucene", "HYBRID"),
    "index.encoder": (*NOT_TEXT, "", " ", "a\x00b"),
    "index.keyword_min_score": (*NOT_NUMBER, 1.01),
    "search.max_results": (*NOT_NUMBER, 2.5),
    "search.max_results_cap": (*NOT_NUMBER, 2.5),
    "search.threshold": (*NOT_NUMBER, -0.01),
    "disclosure.accumulate": ("true", 1, [], {"a": True}),
    "disclosure.pinned": ("get_weather", 5, True, {"a": 1}, [5], ["a", ""], ["a", ["b"]]),
    "disclosure.search_from_tools": (*NOT_NUMBER, 2.5),
    "eviction.strategy": (*NOT_TEXT, "", "fifo", "LRU"),
    "eviction.lru_max_sessions": (*NOT_NUMBER, 2.5, 0, -1),
    "eviction.ttl": (
        True,
        "",
        "soon",
        "30 minutes",
        "0s",
        "0.1ms",
        0.0001,
        0,
        -5,
        "-5s",
        ["30m"],
        float("nan"),
        1e300,
    ),
}
"""What a keyword argument must not be; in TOML all of it can be written, too."""

WRONG_TEXTS: Mapping[str, tuple[str, ...]] = {
    option.full_name: (" ", "٣", "1_0", "0x10", "1e999", "--1", "9" * 5000)
    for option in OPTIONS
    if option.full_name in RANGES
} | {
    "model.kind": (" ", "claude\0"),
    "model.claude_model": (" ", "a\x1b[2Jb", "a\udcffb"),
    "model.base_url": (" ", "host:80"),
    "model.system": ("half \udcff",),
    "advisor.enabled": (" ", "perhaps", "2"),
    "advisor.session_id_key": (" ", "\u2028"),
    "advisor.system_suffix": (" ", "half \ud800"),
    "advisor.at_call_limit": (" ", "stop"),
    "index.type": (" ", "lucene"),
    "index.encoder": (" ", "half \udcff"),
    "disclosure.accumulate": (" ", "nope"),
    "disclosure.pinned": ("half \udcff",),
    "eviction.strategy": (" ", "fifo"),
    "eviction.lru_max_sessions": (" ", "0", "1.5", "many", "9" * 5000),
    "eviction.ttl": (" ", "0", "30 m", "1m1h", "P1M", "٣m", "9" * 5000 + "s"),
}

Load = Callable[[Mapping[Option, object]], LoadedSettings]


def as_arguments(values: Mapping[Option, object]) -> dict[str, object]:
    return {option.argument: value for option, value in values.items()}


def as_file(path: Path, values: Mapping[Option, object]) -> Path:
    """A TOML file with these values; a table and a date as TOML writes them."""
    lines = [f"{option.group}.{option.name} = {_toml(value)}" for option, value in values.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _toml(value: object) -> str:
    match value:
        case dict():
            return f"{{ {', '.join(f'{key} = {_toml(inner)}' for key, inner in value.items())} }}"
        case list():
            return f"[{', '.join(map(_toml, value))}]"
        case _:
            return toml(value)


def by_argument(**values: object) -> LoadedSettings:
    """From keyword arguments alone."""
    return load_settings(environ={}, **values)
