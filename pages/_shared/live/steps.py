"""One step of a turn in the chat: a search, a request, a call, what was dropped, built or evicted."""

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager

import streamlit as st

from pages._shared import state
from pages._shared.language import label, notice_label, t
from pages._shared.live.options_panel import INDEX_TEXT
from pages._shared.live.turns import ModelCall, Step
from pages._shared.numbers import seconds, short, whole
from pages._shared.plain_text import code_span, escaped, plain
from pages._shared.visual_language import badge, reason_word
from toolsearch_core.events import (
    HistoryRepaired,
    IndexEvicted,
    IndexReady,
    ToolCalled,
    ToolsDropped,
    ToolsSearched,
    TraceEntry,
)
from toolsearch_core.search_types import ToolReference

MAX_SHOWN_CHARS = 3000
"""Of a result; the whole text is in the request that follows."""
MAX_SHOWN_NAMES = 30

OUTCOME_TEXT = {
    "executed": "live.outcome.executed",
    "invalid_arguments": "live.outcome.invalid_arguments",
    "failed": "live.outcome.failed",
    "not_injected": "live.outcome.not_injected",
    "unknown_tool": "live.outcome.unknown_tool",
    "not_run": "live.outcome.not_run",
    "over_limit": "live.outcome.over_limit",
}
SIGNAL_TEXT = {
    "exact_name": "live.signal.exact_name",
    "name": "live.signal.name",
    "description": "live.signal.description",
    "parameter": "live.signal.parameter",
    "title": "live.signal.title",
    "server": "live.signal.server",
    "pattern": "live.signal.pattern",
    "meaning": "live.signal.meaning",
}


def draw(step: Step, *, running: bool) -> None:
    """Draw one step; `running` for the one that is going on now."""
    if isinstance(step, ModelCall):
        _model_call(step, running=running)
        return
    seq = step.seq
    match step.event:
        case ToolsSearched() as search:
            _search(search, seq)
        case ToolCalled() as call:
            _call(call, seq)
        case ToolsDropped() as dropped:
            _dropped(dropped, seq)
        case IndexReady() as ready:
            _index_ready(ready, seq)
        case IndexEvicted() as evicted:
            _evicted(evicted, seq)
        case HistoryRepaired() as repaired:
            with _step(t("live.step.repaired"), seq):
                for repair in repaired.repairs:
                    st.markdown(notice_label(repair))
        case _:
            pass


def _step(
    text: str, seq: int, *, running: bool = False, failed: bool = False, expanded: bool = False
) -> AbstractContextManager[object]:
    """One step of the timeline. `st.status` waits 50 ms each time, so it is for what goes on alone.

    A key, and that the app is told, keep it open or closed as somebody left it while a turn goes on.
    """
    if running:
        return st.status(text, type="step", state="running")
    icon = ":material/error:" if failed else ":material/check_circle:"
    key = f"step_{seq}"
    return st.expander(text, type="step", icon=icon, expanded=expanded, key=key, on_change="rerun")


def _more(text: str, key: str) -> AbstractContextManager[object]:
    """What can be opened within a step."""
    return st.expander(text, type="compact", key=key, on_change="rerun")


def draw_between(entry: TraceEntry) -> None:
    """What happened after a turn had ended."""
    if isinstance(entry.event, IndexEvicted):
        _evicted(entry.event, entry.seq)


def _model_call(call: ModelCall, *, running: bool) -> None:
    request, answer = call.request, call.answer
    text = label(
        "live.step.request",
        call=request.call,
        tokens=short(request.tokens.total),
        up_front=short(request.baseline.total),
    )
    if call.added:
        text += " · " + label("live.step.added", n=call.added, tokens=short(call.added_tokens))
    mark = f"{badge('injected')} " if call.added else ""
    with _step(mark + text, call.seq, running=running and answer is None):
        _names([tool.name for tool in request.injected])
        if answer is not None:
            if answer.calls and answer.text.strip():
                st.text(plain(answer.text))
            reported = answer.usage.source == "reported"
            output = whole(answer.usage.output_tokens)
            if reported:
                sent = whole(answer.usage.input_tokens)
                numbers = label("live.step.reported", input=sent, output=output)
            else:
                numbers = label("live.step.estimated", output=output)
            st.caption(f"{numbers} · {seconds(answer.duration_s)}")
        if st.button(
            t("live.raw_request"),
            key=f"raw_{call.seq}",
            icon=":material/data_object:",
            type="tertiary",
        ):
            state.show("request", call.seq)
            st.rerun()  # a dialog is drawn by the page, not by the part that runs again and again


def _search(search: ToolsSearched, seq: int) -> None:
    text = label(
        "live.step.searched", query=search.query, n=len(search.hits), new=len(search.discovered)
    )
    with _step(f"{badge('discovered')} {text}", seq, failed=search.failed, expanded=True):
        if search.hits:
            new = set(search.discovered)
            st.markdown(" · ".join(_hit(hit, hit.tool_name in new) for hit in search.hits))
        elif not search.failed:
            st.markdown(t("live.step.no_hits"))
        for told in search.notices:
            st.markdown(notice_label(told))
        if search.hits or search.near_misses:
            with _more(label("live.step.why", n=len(search.near_misses)), f"why_{seq}"):
                _hits(search)


def _hit(hit: ToolReference, new: bool) -> str:
    name = code_span(hit.tool_name)
    return f"{f'**{name}**' if new else name} {hit.score:.2f}"


def _hits(search: ToolsSearched) -> None:
    """Each hit and near miss on lines of its own, which wrap where a table would cut them."""
    ranked = list(enumerate((*search.hits, *search.near_misses), start=1))
    given = len(search.hits)
    for word, some in (
        (t("live.table.hit"), ranked[:given]),
        (t("live.table.near_miss"), ranked[given:]),
    ):
        if some:
            lines = [f"{place}. {_why(hit)}" for place, hit in some]
            st.markdown("\n".join([f"**{word}**", "", *lines]))
    notes = [
        label(
            "live.step.search_note",
            index=t(INDEX_TEXT[search.index_kind]),
            given=search.max_results,
            total=search.total_matches,
            duration=seconds(search.duration_s),
        )
    ]
    if not search.calibrated:
        notes.append(t("live.uncalibrated"))
    st.caption(" · ".join(notes))


def _why(hit: ToolReference) -> str:
    numbers = label("live.step.scores", score=f"{hit.score:.3f}", raw=f"{hit.raw_score:.3f}")
    return f"{code_span(hit.tool_name)} {numbers}  \n   {escaped(_reasons(hit), limit=600)}"


def _reasons(hit: ToolReference) -> str:
    return ", ".join(
        f"{t(SIGNAL_TEXT[reason.signal])} ({' '.join(reason.matched)})"
        if reason.matched
        else t(SIGNAL_TEXT[reason.signal])
        for reason in hit.reasons
    )


def _call(call: ToolCalled, seq: int) -> None:
    ran = call.outcome == "executed"
    parts = [f"{badge('called')} {code_span(call.name)}"]
    if not ran:
        parts.append(escaped(t(OUTCOME_TEXT[call.outcome])))
    if call.simulated:
        parts.append(f":gray-badge[{t('live.simulated')}]")
    with _step(" ".join(parts), seq, failed=not ran, expanded=True):
        # No language: its colours are too pale to read on a light page.
        st.code(_clipped(_one_line(call.arguments)), language=None, wrap_lines=True)
        with _more(t("live.step.result"), f"result_{seq}"):
            for problem in call.problems:
                st.markdown(notice_label(problem))
            st.code(_clipped(call.result), language=None, wrap_lines=True)


def _dropped(dropped: ToolsDropped, seq: int) -> None:
    text = label("live.step.dropped", n=len(dropped.names), tokens=short(dropped.tokens))
    with _step(f"{badge('dropped')} {text}", seq, expanded=True):
        st.caption(reason_word(dropped.reason))
        _names(dropped.names)


def _index_ready(ready: IndexReady, seq: int) -> None:
    key = "live.step.reindexed" if ready.reindexed else "live.step.indexed"
    text = label(
        key,
        n=ready.tool_count,
        kind=t(INDEX_TEXT[ready.index_kind]),
        duration=seconds(ready.duration_s),
    )
    with _step(text, seq):
        st.caption(t("live.step.shared") if ready.reused else t("live.step.built"))
        for told in ready.notices:
            st.markdown(notice_label(told))


def _evicted(evicted: IndexEvicted, seq: int) -> None:
    replaced = evicted.reason in ("catalog_changed", "index_changed")
    reason = reason_word(evicted.reason)
    if replaced:
        text, meaning = label("live.step.replaced", reason=reason), "live.step.replaced.meaning"
    else:
        text = label("live.step.evicted", reason=reason, n=len(evicted.released))
        meaning = "live.step.evicted.meaning"
    with _step(f"{badge('index_evicted')} {text}", seq):
        st.caption(t(meaning))
        _names(evicted.released)


def _names(names: Sequence[str]) -> None:
    """Wire names in a row; a long list is cut with a count."""
    shown = " ".join(code_span(name) for name in names[:MAX_SHOWN_NAMES])
    if len(names) > MAX_SHOWN_NAMES:
        shown += " " + label("live.step.more", n=len(names) - MAX_SHOWN_NAMES)
    if shown:
        st.markdown(shown)


def _one_line(arguments: object) -> str:
    return json.dumps(arguments, ensure_ascii=False, default=str)


def _clipped(text: str) -> str:
    shown = plain(text)
    if len(shown) <= MAX_SHOWN_CHARS:
        return shown
    return f"{shown[:MAX_SHOWN_CHARS]}\n… {t('live.step.clipped', n=whole(len(shown)))}"
