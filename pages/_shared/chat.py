"""The chat: questions, what happened on the way to the answers, and the answers."""

from functools import partial

import streamlit as st

from pages._shared import asking, panes, state, steps
from pages._shared.language import label, notice_label, t
from pages._shared.numbers import change, seconds, short, whole
from pages._shared.plain_text import escaped, plain
from pages._shared.runs import Run
from pages._shared.state import Visit
from pages._shared.turns import TurnView, latest_eviction, turn_views
from pages._shared.visual_language import LOOKS, reason_word
from toolsearch_core.events import TurnEnded
from toolsearch_core.trace.ledger import saved_share

POLL_S = 0.4
"""Seconds between two looks while a run is on; an idle page never looks."""
PERSON, MODEL = ":material/person:", ":material/smart_toy:"

STATUS_TEXT = {
    "answered": "live.status.answered",
    "stopped": "live.status.stopped",
    "iteration_limit": "live.status.iteration_limit",
    "output_limit": "live.status.output_limit",
    "refused": "live.status.refused",
    "failed": "live.status.failed",
}
SOURCE_TEXT = {
    "estimated": "live.estimated",
    "reported": "live.reported",
    "mixed": "live.mixed",
}


def draw(visit: Visit) -> None:
    """Draw the pane: finished turns once, the latest one as often as a run needs it."""
    run = state.run_now()
    live = run is not None and run.live
    with st.container(key=panes.CHAT, height=panes.HEIGHT_PX, border=False, autoscroll=True):
        drawn = max(0, len(turn_views(visit.conversation.entries)) - 1)
        for view in turn_views(visit.conversation.entries)[:drawn]:
            draw_turn(visit, view, running=False)
        latest = partial(_latest, drawn, polled=live)
        st.fragment(latest, run_every=POLL_S if live else None)()


def _latest(drawn: int, *, polled: bool) -> None:
    """The latest turn, what is asked, and what can be asked; runs again and again while a run is on."""
    visit = state.here()
    run = state.run_now()
    views = turn_views(visit.conversation.entries)
    mine = run if run is not None and run.conversation_id == visit.conversation.id else None
    for view in views[drawn:]:
        latest = view is views[-1]
        draw_turn(visit, view, running=bool(latest and mine and mine.live))
    if mine is not None:
        _draw_waiting(mine, views)
    _draw_evicted(visit)
    if run is None or not run.live:
        asking.draw_starters(visit, views)
        if polled:
            st.rerun()  # the whole page once, which switches looking off


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
        st.error(notice_label(run.problem), icon=":material/error:")


def draw_turn(visit: Visit, view: TurnView, *, running: bool) -> None:
    """One turn."""
    st.chat_message("user", avatar=PERSON).text(plain(view.started.text))
    with st.chat_message("assistant", avatar=MODEL):
        timeline = st.expander(
            _headline(view, running=running),
            expanded=True,
            type="compact",
            key=f"turn_{visit.conversation.id}_{view.started.turn}",
            on_change="rerun",
        )
        if timeline.open and view.steps:
            with timeline:
                for step in view.steps:
                    steps.draw(step, running=running and step is view.steps[-1])
        answer = view.ended.answer if view.ended else view.words
        if answer.strip():
            st.text(plain(answer))
        _draw_end(view, running=running)
    for entry in view.after:
        steps.draw_between(entry)


def _headline(view: TurnView, *, running: bool) -> str:
    found = len({name for search in view.searches for name in search.discovered})
    parts = [
        t("live.turn.searches", n=len(view.searches)),
        t("live.turn.discovered", n=found),
        t("live.turn.called", n=len(view.calls)),
    ]
    if running:
        return f":shimmer[{escaped(t('live.working'))}] · " + " · ".join(parts)
    if view.ended and view.ended.baseline_tokens:
        share = saved_share(view.ended.prompt_tokens, view.ended.baseline_tokens)
        parts.append(label("live.turn.saved", change=f"**{change(share)}**"))
    return " · ".join(parts)


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
    parts = [
        label(
            "live.turn.tokens",
            sent=whole(ended.prompt_tokens),
            up_front=short(ended.baseline_tokens),
            output=whole(ended.output_tokens),
        ),
        f":gray-badge[{t(SOURCE_TEXT[ended.source])}]",
        label("live.turn.calls", n=ended.model_calls),
        seconds(ended.duration_s),
    ]
    model = escaped(view.started.model)
    if view.started.simulated:
        model += f" :gray-badge[{t('live.simulated')}]"
    return " · ".join([*parts, model])


def _draw_evicted(visit: Visit) -> None:
    """The banner of a conversation whose index is gone."""
    eviction = latest_eviction(visit.conversation.entries)
    if eviction is not None:
        st.warning(
            label("live.evicted", n=len(eviction.released), reason=reason_word(eviction.reason)),
            icon=LOOKS["index_evicted"].icon,
        )
