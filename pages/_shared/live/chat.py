"""The chat: questions, what happened on the way to the answers, and the answers."""

import re
from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages._shared import panes, state
from pages._shared.language import label, notice_label, t
from pages._shared.live import asking, steps
from pages._shared.live.turns import TurnView, first_question, turn_views
from pages._shared.numbers import change, seconds, short, whole
from pages._shared.plain_text import escaped, plain
from pages._shared.runs import Run
from pages._shared.state import Visit
from pages._shared.visual_language import LOOKS, reason_word
from toolsearch_core.events import RequestPrepared, ToolCalled, TurnEnded
from toolsearch_core.providers import REHEARSAL_MODEL
from toolsearch_core.trace.board import index_state
from toolsearch_core.trace.jsonl import to_lines
from toolsearch_core.trace.ledger import saved_share

POLL_S = 0.4
"""Seconds between two looks while a run is on; an idle page never looks."""
MAX_FILE_CHARS = 40
TITLE_CHARS = 30
"""Of letters; wider characters fill the line with half as many."""
PERSON, MODEL = ":material/person:", ":material/smart_toy:"

STATUS_TEXT = {
    "answered": "live.status.answered",
    "stopped": "live.status.stopped",
    "iteration_limit": "live.status.iteration_limit",
    "call_limit": "live.status.call_limit",
    "output_limit": "live.status.output_limit",
    "refused": "live.status.refused",
    "failed": "live.status.failed",
}
SOURCE_TEXT = {"reported": "live.turn.reported", "mixed": "live.turn.partly_reported"}


def draw(visit: Visit) -> None:
    """Draw the pane: finished turns once, the latest one as often as a run needs it."""
    run = state.run_now()
    live = run is not None and run.live
    _draw_title(visit, run)
    with st.container(key=panes.CHAT, height=panes.HEIGHT_PX, border=False, autoscroll=True):
        drawn = max(0, len(turn_views(visit.conversation.entries)) - 1)
        for view in turn_views(visit.conversation.entries)[:drawn]:
            draw_turn(visit, view, running=False)
        latest = partial(_latest, drawn, polled=live)
        st.fragment(latest, run_every=POLL_S if live else None)()


def question(visit: Visit) -> str:
    """Names the latest question of the conversation, from the moment it was sent."""
    mine = _run_of(visit, state.run_now())
    return f"{visit.conversation.id}/{mine.id if mine else ''}"


def live(visit: Visit) -> bool:
    """Whether a run of this conversation is on."""
    mine = _run_of(visit, state.run_now())
    return mine is not None and mine.live


def _run_of(visit: Visit, run: Run | None) -> Run | None:
    """The latest run of the workspace, if it is one of this conversation."""
    return run if run is not None and run.conversation_id == visit.conversation.id else None


def _draw_title(visit: Visit, run: Run | None) -> None:
    conversation = visit.conversation
    mine = _run_of(visit, run)
    begun = mine.text if mine else ""
    with st.container(horizontal=True, vertical_alignment="center", wrap=False):
        title = conversation.title or begun or t("live.untitled")
        limit = TITLE_CHARS if title.rstrip("…").isascii() else TITLE_CHARS // 2
        asked = first_question(conversation.entries) or title
        in_full = escaped(asked, limit=600) if len(asked) > limit else None
        st.markdown(f"**{escaped(title, limit)}**", width="stretch", help=in_full)
        if state.projector():
            return
        st.button(
            "",
            key="live_raw_latest",
            icon=":material/data_object:",
            help=t("live.raw_request.latest"),
            type="tertiary",
            on_click=_show_latest_request,
            disabled=not conversation.entries,
        )
        st.download_button(
            t("live.download"),
            lambda: "".join(f"{line}\n" for line in to_lines(conversation.entries)),
            file_name=f"trace-{_file_part(conversation.title)}-{conversation.id[:6]}.jsonl",
            mime="application/x-ndjson",
            key="live_download",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
            disabled=not conversation.entries,
        )


def _show_latest_request() -> None:
    for entry in reversed(state.here().conversation.entries):
        if isinstance(entry.event, RequestPrepared):
            state.show("request", entry.seq)
            return


def _file_part(title: str) -> str:
    """The title as a part of a file name, on every system; never empty."""
    words = re.findall(r"\w+", title.lower())
    return "-".join(words)[:MAX_FILE_CHARS].strip("-") or "conversation"


def _latest(drawn: int, *, polled: bool) -> None:
    """The latest turn, what is asked, and what can be asked; runs again and again while a run is on."""
    visit = state.here()
    run = state.run_now()
    views = turn_views(visit.conversation.entries)
    mine = _run_of(visit, run)
    for view in views[drawn:]:
        latest = view is views[-1]
        draw_turn(visit, view, running=bool(latest and mine and mine.live))
    if mine is not None:
        _draw_waiting(mine, views)
    _draw_evicted(visit)
    live = run is not None and run.live
    if not live:
        asking.draw_again(visit, _unanswered(views, mine))
        asking.draw_starters(visit, views)
    if live != polled:
        st.rerun()  # the whole page once, which switches looking on or off


def _draw_waiting(run: Run, views: tuple[TurnView, ...]) -> None:
    """What was asked and is not in the conversation yet, or never got there."""
    begun = bool(views) and views[-1].started.text == run.text and views[-1].ended is None
    if run.status == "queued":
        st.chat_message("user", avatar=PERSON).text(plain(run.text))
        place = state.process().runs.place(run)
        st.markdown(label("live.queued", place=place))
    elif run.status == "running" and not begun:
        st.chat_message("user", avatar=PERSON).text(plain(run.text))
        st.markdown(t("live.starting"))
    elif run.status == "withdrawn":
        st.info(label("live.withdrawn", text=run.text), icon=":material/block:")
    elif run.problem is not None:
        st.chat_message("user", avatar=PERSON).text(plain(run.text))
        st.error(notice_label(run.problem), icon=":material/error:")
    elif run.status == "interrupted" and not begun:
        st.chat_message("user", avatar=PERSON).text(plain(run.text))
        st.warning(t("live.interrupted"), icon=":material/power_off:")


def _unanswered(views: tuple[TurnView, ...], run: Run | None) -> str:
    """The latest question, when it got no answer; else empty."""
    if run is not None and (run.problem or run.status in ("withdrawn", "interrupted")):
        return run.text
    if not views or (views[-1].ended and views[-1].ended.status == "answered"):
        return ""
    return views[-1].started.text


def draw_turn(visit: Visit, view: TurnView, *, running: bool) -> None:
    """One turn."""
    st.chat_message("user", avatar=PERSON).text(plain(view.started.text))
    with st.chat_message("assistant", avatar=MODEL):
        for told in view.started.notices:
            st.caption(notice_label(told))
        timeline = st.expander(
            _headline(view, running=running),
            expanded=True,
            type="compact",
            key=state.timeline_key(visit.conversation.id, view.started.turn),
            on_change="rerun",
        )
        if timeline.open and view.steps:
            with timeline:
                for step in view.steps:
                    steps.draw(step, running=running and step is view.steps[-1])
        answer = view.ended.answer if view.ended else view.words
        if view.direct and answer.lstrip().startswith(("{", "[")):
            st.code(plain(answer), language=None, wrap_lines=True)
        elif answer.strip():
            st.text(plain(answer))
        if view.direct:
            _draw_direct(view.direct)
        _draw_end(view, running=running)
    for entry in view.after:
        if entry is not visit.conversation.entries[-1]:  # the latest one is the banner
            steps.draw_between(entry)


def _draw_direct(calls: Sequence[ToolCalled]) -> None:
    """Whose words the answer is, when the model has not seen it."""
    simulated = any(call.simulated for call in calls)
    mark = f" :gray-badge[{t('live.simulated')}]" if simulated else ""
    st.caption(t("live.direct") + mark)


def _headline(view: TurnView, *, running: bool) -> str:
    found = len({name for search in view.searches for name in search.discovered})
    parts = [
        t("live.turn.searches", n=len(view.searches)),
        t("live.turn.discovered", n=found),
        t("live.turn.called", n=len(view.calls)),
    ]
    if running:
        return f":shimmer[{escaped(t('live.working'))}] · " + " · ".join(parts)
    if view.ended and _compared(view, view.ended):
        share = saved_share(view.prompt_tokens, view.ended.baseline_tokens)
        parts.append(label("live.turn.saved", change=change(share)))
    return " · ".join(parts)


def _compared(view: TurnView, ended: TurnEnded) -> bool:
    """Whether the turn says anything about what searching saves: it searched, and was answered."""
    searched = view.started.disclosure == "search_and_inject"
    return searched and ended.status == "answered" and ended.baseline_tokens > 0


def _draw_end(view: TurnView, *, running: bool) -> None:
    if view.ended is None:
        if not running:
            st.warning(t("live.interrupted"), icon=":material/power_off:")
        return
    if view.ended.status != "answered":
        st.markdown(f":orange-badge[:material/front_hand: {t(STATUS_TEXT[view.ended.status])}]")
    if view.ended.problem is not None:
        st.markdown(notice_label(view.ended.problem))
    st.caption(_numbers(view, view.ended))


def _numbers(view: TurnView, ended: TurnEnded) -> str:
    """The numbers of a turn; like is compared with like, so what was reported stands for itself."""
    sent = whole(view.prompt_tokens)
    if _compared(view, ended):
        parts = [label("live.turn.tokens", sent=sent, up_front=short(ended.baseline_tokens))]
    else:
        parts = [label("live.turn.tokens_alone", sent=sent)]
    parts.append(escaped(t("live.estimated")))
    if ended.source != "estimated":
        parts.append(label(SOURCE_TEXT[ended.source], n=whole(ended.prompt_tokens)))
    parts += [
        label("live.turn.output", n=whole(ended.output_tokens)),
        label("live.turn.calls", n=ended.model_calls),
        seconds(ended.duration_s),
    ]
    known = view.started.model == REHEARSAL_MODEL
    model = t("options.model.rehearsal") if known else escaped(view.started.model)
    if view.started.simulated:
        model += f" ({t('live.simulated')})"
    return " · ".join([*parts, model])


def _draw_evicted(visit: Visit) -> None:
    """The banner of a conversation whose index is gone."""
    index = index_state(visit.conversation.entries)
    if index.state == "evicted" and index.reason is not None:
        st.warning(
            label("live.evicted", n=index.released, reason=reason_word(index.reason)),
            icon=LOOKS["index_evicted"].icon,
        )
