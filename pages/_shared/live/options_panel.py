"""The settings in the sidebar; what is changed during a turn holds from the next turn on."""

import streamlit as st

from pages._shared.language import notice_label, t, worded
from pages._shared.live import model_panel
from pages._shared.live.choices import choose, prepare, say_refused, take
from pages._shared.state import Visit
from toolsearch_core.advisor.guidance import guidance
from toolsearch_core.advisor.prompts import prompt
from toolsearch_core.embeddings import encoder_problem
from toolsearch_core.events import DISCLOSURES
from toolsearch_core.eviction import STRATEGY_KINDS
from toolsearch_core.options import AT_CALL_LIMIT
from toolsearch_core.search_types import INDEX_KINDS
from toolsearch_core.tokens import TokenEstimator

DISCLOSURE_TEXT = {
    "search_and_inject": "options.disclosure.search_and_inject",
    "all_up_front": "options.disclosure.all_up_front",
}
INDEX_TEXT = {
    "hybrid": "options.index.hybrid",
    "keyword": "options.index.keyword",
    "regex": "options.index.regex",
    "vector": "options.index.vector",
}
ENCODER_TEXT = {
    "multilingual": "options.encoder.multilingual",
    "minilm": "options.encoder.minilm",
}
STRATEGY_TEXT = {
    "never": "options.strategy.never",
    "always": "options.strategy.always",
    "lru": "options.strategy.lru",
    "ttl": "options.strategy.ttl",
    "composite": "options.strategy.composite",
}
AT_CALL_LIMIT_TEXT = {
    "end": "options.at_call_limit.end",
    "answer": "options.at_call_limit.answer",
}
FIRST_THRESHOLD = 0.3
MOST_SESSIONS = 1_000_000
LEAST_MINUTES, MOST_MINUTES = 0.1, 100_000.0
"""What can be entered here; the configuration may go further."""


def draw(visit: Visit) -> None:
    """Draw all of them, the ones that matter most first."""
    st.subheader(t("options.title"), anchor=False)
    _disclosure(visit)
    model_panel.draw(visit)
    with st.expander(t("options.search"), key="options_search", on_change="rerun"):
        _index(visit)
        _results(visit)
        _tools(visit)
    with st.expander(t("options.limits"), key="options_limits", on_change="rerun"):
        _limits()
    with st.expander(t("options.eviction"), key="options_eviction", on_change="rerun"):
        _eviction(visit)


def _disclosure(visit: Visit) -> None:
    st.segmented_control(
        t("options.disclosure"),
        DISCLOSURES,
        format_func=worded(DISCLOSURE_TEXT),
        required=True,
        help=t("options.disclosure.help"),
        key=prepare("disclosure"),
        width="stretch",
        on_change=take,
        args=("disclosure",),
    )
    workspace = visit.workspace
    advice = guidance(workspace.catalog, TokenEstimator(), workspace.settings.options)
    if advice is not None:
        st.caption(notice_label(advice))
    st.toggle(
        t("options.accumulate"),
        help=t("options.accumulate.help"),
        key=prepare("accumulate"),
        on_change=take,
        args=("accumulate",),
    )


def _index(visit: Visit) -> None:
    settings = visit.workspace.settings
    st.selectbox(
        t("options.index"),
        INDEX_KINDS,
        format_func=worded(INDEX_TEXT),
        help=t("options.index.help"),
        key=prepare("index_kind"),
        on_change=take,
        args=("index_kind",),
    )
    if settings.index_kind in ("hybrid", "vector"):
        st.selectbox(
            t("options.encoder"),
            list(ENCODER_TEXT),
            format_func=worded(ENCODER_TEXT),
            accept_new_options=True,
            help=t("options.encoder.help"),
            key=prepare("encoder"),
            on_change=take,
            args=("encoder",),
        )
        say_refused("encoder")
        problem = encoder_problem(settings.encoder)
        if problem is not None:
            st.warning(notice_label(problem))


def _results(visit: Visit) -> None:
    settings = visit.workspace.settings
    _number(
        "max_results",
        t("options.max_results"),
        1,
        settings.options.max_results_cap,
        left_open=t("options.max_results.model"),
        hint=t("options.max_results.help"),
    )
    _number("max_results_cap", t("options.max_results_cap"), 1, 50)
    _threshold(visit)


def _tools(visit: Visit) -> None:
    st.multiselect(
        t("options.pinned"),
        _pinnable(visit),
        placeholder=t("options.pinned.none"),
        help=t("options.pinned.help"),
        key=prepare("pinned"),
        select_all=False,  # it stands first in the list, where the Enter key would take it
        on_change=take,
        args=("pinned",),
    )
    _number(
        "search_from_tools",
        t("options.search_from_tools"),
        0,
        10_000,
        hint=t("options.search_from_tools.help"),
    )
    st.text_area(
        t("options.system_suffix"),
        placeholder=prompt("system_suffix"),
        help=t("options.system_suffix.help"),
        key=prepare("system_suffix"),
        on_change=take,
        args=("system_suffix",),
    )


def _limits() -> None:
    _number("iteration_limit", t("options.iteration_limit"), 1, 100)
    _number(
        "calls_per_turn",
        t("options.calls_per_turn"),
        1,
        10_000,
        hint=t("options.calls_per_turn.help"),
    )
    _number("calls_per_tool", t("options.calls_per_tool"), 1, 10_000)
    st.segmented_control(
        t("options.at_call_limit"),
        AT_CALL_LIMIT,
        format_func=worded(AT_CALL_LIMIT_TEXT),
        required=True,
        help=t("options.at_call_limit.help"),
        key=prepare("at_call_limit"),
        width="stretch",
        on_change=take,
        args=("at_call_limit",),
    )
    _number("max_tokens", t("options.max_tokens"), 1, 128_000)


def _pinnable(visit: Visit) -> list[str]:
    """All tools, and those that were pinned while another catalog was loaded."""
    known = list(visit.workspace.catalog.by_wire_name)
    pinned = visit.workspace.settings.options.pinned
    return [*known, *(name for name in pinned if name not in known)]


def _threshold(visit: Visit) -> None:
    threshold = visit.workspace.settings.options.threshold
    st.toggle(
        t("options.threshold"),
        value=threshold is not None,
        help=t("options.threshold.help"),
        key=f"choice_threshold_on_{threshold is not None}",
        on_change=lambda: choose("threshold", None if threshold is not None else FIRST_THRESHOLD),
    )
    if threshold is not None:
        st.slider(
            t("options.threshold.value"),
            0.0,
            1.0,
            step=0.05,
            key=prepare("threshold"),
            on_change=take,
            args=("threshold",),
        )


def _eviction(visit: Visit) -> None:
    eviction = visit.workspace.settings.eviction
    strategy = eviction.strategy
    st.selectbox(
        t("options.strategy"),
        STRATEGY_KINDS,
        format_func=worded(STRATEGY_TEXT),
        help=t("options.strategy.help"),
        key=prepare("strategy"),
        on_change=take,
        args=("strategy",),
    )
    if strategy in ("lru", "composite"):
        most = max(MOST_SESSIONS, eviction.max_sessions)
        _number("max_sessions", t("options.max_sessions"), 1, most)
    if strategy in ("ttl", "composite"):
        minutes = (eviction.ttl_s or 0.0) / 60
        st.number_input(
            t("options.ttl_minutes"),
            min_value=min(LEAST_MINUTES, minutes),
            max_value=max(MOST_MINUTES, minutes),
            value=None,  # emptied, it goes back to what it was
            step=5.0,
            format="%.4g",
            key=prepare("ttl_minutes"),
            on_change=take,
            args=("ttl_minutes",),
        )
        say_refused("ttl_minutes")


def _number(
    choice: str, text: str, low: int, high: int, *, left_open: str = "", hint: str | None = None
) -> None:
    """A whole number; with `left_open` it may stay empty, which means what that says.

    Emptied without that, it goes back to what it was: `None` for the value, else it were the minimum.
    """
    st.number_input(
        text,
        min_value=low,
        max_value=high,
        value=None,
        step=1,
        placeholder=left_open or None,
        help=hint,
        key=prepare(choice),
        on_change=take,
        args=(choice,),
    )
    say_refused(choice)
