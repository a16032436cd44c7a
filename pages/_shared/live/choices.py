"""From a widget to the settings of a workspace: one choice at a time, checked by the settings.

The workspace holds the truth. A widget is set to it before it is drawn, and tells what was entered
when it changes; a value that is refused stays in the widget, with the reason below, and changes nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from pages._shared import state
from pages._shared.language import notice_label, t
from toolsearch_core.errors import SettingsError
from toolsearch_core.settings import Settings

Choose = Callable[[Settings, Any], Settings]
"""The settings with one of them changed; raises `SettingsError` when they cannot be so."""


def _option(name: str) -> Choose:
    return lambda settings, value: replace(
        settings, options=replace(settings.options, **{name: value})
    )


def _eviction(name: str) -> Choose:
    return lambda settings, value: replace(
        settings, eviction=replace(settings.eviction, **{name: value})
    )


def _setting(name: str) -> Choose:
    return lambda settings, value: replace(settings, **{name: value})


def _cap(settings: Settings, value: Any) -> Settings:
    """A lower cap takes the number of results along, where one is set."""
    results = settings.options.max_results
    kept = None if results is None else min(results, value)
    options = replace(settings.options, max_results_cap=value, max_results=kept)
    return replace(settings, options=options)


CHOICES: Mapping[str, tuple[Callable[[Settings], Any], Choose]] = {
    "model_kind": (lambda s: s.model_kind, _setting("model_kind")),
    "claude_model": (lambda s: s.claude_model, _setting("claude_model")),
    "base_url": (lambda s: s.base_url, _setting("base_url")),
    "index_kind": (lambda s: s.index_kind, _setting("index_kind")),
    "encoder": (lambda s: s.encoder, _setting("encoder")),
    "disclosure": (lambda s: s.options.disclosure, _option("disclosure")),
    "max_results": (lambda s: s.options.max_results, _option("max_results")),
    "max_results_cap": (lambda s: s.options.max_results_cap, _cap),
    "threshold": (lambda s: s.options.threshold, _option("threshold")),
    "accumulate": (lambda s: s.options.accumulate, _option("accumulate")),
    "pinned": (
        lambda s: list(s.options.pinned),
        lambda settings, value: _option("pinned")(settings, tuple(value)),
    ),
    "search_from_tools": (lambda s: s.options.search_from_tools, _option("search_from_tools")),
    "system_suffix": (
        lambda s: s.options.system_suffix or "",
        lambda settings, value: _option("system_suffix")(
            settings, value if value.strip() else None
        ),
    ),
    "iteration_limit": (lambda s: s.options.iteration_limit, _option("iteration_limit")),
    "calls_per_turn": (lambda s: s.options.calls_per_turn, _option("calls_per_turn")),
    "calls_per_tool": (lambda s: s.options.calls_per_tool, _option("calls_per_tool")),
    "at_call_limit": (lambda s: s.options.at_call_limit, _option("at_call_limit")),
    "max_tokens": (lambda s: s.options.max_tokens, _option("max_tokens")),
    "strategy": (lambda s: s.eviction.strategy, _eviction("strategy")),
    "max_sessions": (lambda s: s.eviction.max_sessions, _eviction("max_sessions")),
    "ttl_minutes": (
        lambda s: (s.eviction.ttl_s or 0.0) / 60,
        lambda settings, value: _eviction("ttl_s")(settings, value * 60),
    ),
}
"""Choice -> how to read it from the settings, and how to change it."""
MAY_BE_LEFT_OPEN = ("max_results", "threshold")
"""Choices for which nothing is a value of its own; for the others it changes nothing."""


def widget_key(choice: str) -> str:
    """The key of the widget of a choice."""
    return f"choice_{choice}"


def prepare(choice: str) -> str:
    """Set the widget of a choice to what holds, or to what was refused; its key, to draw it with."""
    key = widget_key(choice)
    read, _ = CHOICES[choice]
    refused = state.refused().get(choice)
    state.widget_state()[key] = refused[0] if refused else read(state.here().workspace.settings)
    return key


def take(choice: str) -> None:
    """The widget of a choice has changed: use its value from the next turn on, or keep why not."""
    choose(choice, state.widget_state()[widget_key(choice)])


def choose(choice: str, value: Any) -> None:
    """Use this value from the next turn on, or keep why not."""
    workspace = state.here().workspace
    _, change = CHOICES[choice]
    if value is None and choice not in MAY_BE_LEFT_OPEN:
        return
    try:
        before = workspace.settings.options.max_results
        workspace.use(change(workspace.settings, value))
        results = workspace.settings.options.max_results
        if choice == "max_results_cap" and results is not None and results != before:
            state.tell(t("options.max_results.lowered", n=results))
    except SettingsError as error:
        state.refused()[choice] = (value, error.notice)
    else:
        state.refused().pop(choice, None)


def say_refused(choice: str) -> None:
    """Below a widget: why its value was refused."""
    refused = state.refused().get(choice)
    if refused:
        st.error(notice_label(refused[1]))
