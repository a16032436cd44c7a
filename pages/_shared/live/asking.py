"""Asking: from a message to a run, the input at the bottom of the page, and questions to start with."""

import time
from collections.abc import Callable, Iterable

import streamlit as st

from pages._shared import panes, samples, state
from pages._shared.language import notice_text, t
from pages._shared.live.pacing import Unhurried
from pages._shared.live.turns import TurnView
from pages._shared.plain_text import escaped
from pages._shared.state import Visit
from toolsearch_core.errors import SessionError
from toolsearch_core.protocols import ModelProvider
from toolsearch_core.providers.rehearsal.starters import made_starters
from toolsearch_core.workspace.models import provider_for

MAX_MESSAGE_CHARS = 8000
MAX_STARTERS = 5
MAX_FOLLOW_UPS = 2
_INPUT_KEY, _STARTERS_KEY = "live_input", "live_starters"


def ask(text: str, after: int | None = None) -> None:
    """Start a turn in the conversation that is looked at; a blank message starts nothing.

    Args:
        text: the message.
        after: the turn that this was offered after; when the conversation has gone on since, the
            click was told twice, or comes from a page that is out of date, and starts nothing.
    """
    visit = state.here()
    conversation_id, workspace = visit.conversation.id, visit.workspace
    before = visit.conversation.turn
    if not text.strip() or after not in (None, before):
        return
    model = _model(visit)

    def work(stopped: Callable[[], bool]) -> Iterable[object]:
        return workspace.ask(conversation_id, text, model(), stopped=stopped)

    try:
        state.process().runs.start(visit.workspace_id, conversation_id, text, work)
    except SessionError as error:
        state.tell(notice_text(error.notice))
        return
    state.fold(conversation_id, before)


def _model(visit: Visit) -> Callable[[], ModelProvider]:
    """Makes the model; called by the run, because making one may take seconds or fail."""
    given, settings, api_key = state.given_provider(), visit.workspace.settings, state.api_key()
    if given is not None:
        return lambda: given
    if settings.model_kind == "rehearsal":
        return lambda: Unhurried(provider_for(settings, sleep=time.sleep))
    return lambda: provider_for(settings, api_key)


def draw_input(visit: Visit) -> None:
    """The input, and beside it the stop button while a run is on."""
    run = state.run_now()
    live = run is not None and run.live
    elsewhere = run is not None and live and run.conversation_id != visit.conversation.id
    hint = "live.ask"
    if live:
        hint = "live.ask.elsewhere" if elsewhere else "live.ask.wait"
    widgets = state.widget_state()
    row = st.bottom.container(horizontal=True, vertical_alignment="center", key=panes.BOTTOM)
    with row:
        st.chat_input(
            t(hint),
            key=_INPUT_KEY,
            max_chars=MAX_MESSAGE_CHARS,
            disabled=live,
            on_submit=lambda: ask(str(widgets[_INPUT_KEY] or "")),
        )
        if run is not None and live:
            stopping = run.stop.is_set()  # a model that is far away may take a moment to let go
            st.button(
                t("live.stopping") if stopping else t("live.stop"),
                key="live_stop",
                icon=":material/stop_circle:",
                disabled=stopping,
                on_click=lambda: state.process().runs.stop(visit.workspace_id),
            )


def draw_again(visit: Visit, text: str) -> None:
    """The way to ask once more what got no answer; nothing for an empty text."""
    turn = visit.conversation.turn
    if text:
        st.button(
            t("live.again"),
            key=f"live_again_{visit.conversation.id}_{turn}",
            icon=":material/replay:",
            on_click=lambda: ask(text, after=turn),
        )


def draw_starters(visit: Visit, views: tuple[TurnView, ...]) -> None:
    """Questions that were not asked yet: some to start with, fewer to go on with."""
    asked = {view.started.text for view in views}
    open_questions = [text for text in starters(visit) if text not in asked]
    shown = open_questions[: MAX_FOLLOW_UPS if views else MAX_STARTERS]
    if not shown:
        return
    turn = visit.conversation.turn
    st.caption(t("live.follow_ups") if views else t("live.starters"))
    # Buttons, since of two quick clicks on a choice the second would take the first one back.
    with st.container(horizontal=True, gap="small", key=_STARTERS_KEY):
        for place, text in enumerate(shown):
            st.button(
                escaped(text),
                key=f"{_STARTERS_KEY}_{visit.conversation.id}_{turn}_{place}",
                on_click=ask,
                args=(text, turn),
            )


def starters(visit: Visit) -> list[str]:
    """Questions for what is loaded: those of the samples, and some made from tools of other files."""
    language = state.language()
    known = {sample.key: sample for sample in samples.samples()}
    questions: list[str] = []
    for loaded in visit.workspace.shelf.loaded:
        sample = known.get(loaded.key)
        if sample is not None:
            questions += sample.questions[language]
        else:
            questions += made_starters(loaded.report.tools, language, MAX_STARTERS)
    return list(dict.fromkeys(questions))
