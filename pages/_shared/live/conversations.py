"""The conversations of a workspace: begin, switch, release an index, turn the clock."""

import streamlit as st

from pages._shared import state
from pages._shared.language import label, t
from pages._shared.live import idle_time
from pages._shared.live.turns import first_question
from pages._shared.plain_text import escaped
from pages._shared.state import Visit
from pages._shared.visual_language import LOOKS, mark
from toolsearch_core.trace.board import index_state
from toolsearch_core.workspace import Conversation, Workspace

SHOWN = 12
"""Conversations in the list; older ones stay reachable by their address."""
CLOCK_STEP_S = 30 * 60.0
MINUTE_S, HOUR_S = 60, 3600


def draw(visit: Visit) -> None:
    """Draw the list and the clock."""
    st.subheader(t("live.conversations"), anchor=False)
    st.button(
        t("live.new"),
        key="live_new",
        icon=":material/add:",
        width="stretch",
        disabled=not _begun(visit),
        on_click=_new,
        args=(visit.workspace,),
    )
    for conversation in _shown(visit):
        _row(visit, conversation)
    _clock(visit.workspace)


def _begun(visit: Visit) -> bool:
    """Whether the conversation that is looked at has a question; if not, it is a new one itself."""
    run = state.run_now()
    asked = run is not None and run.live and run.conversation_id == visit.conversation.id
    return asked or bool(visit.conversation.entries)


def _shown(visit: Visit) -> list[Conversation]:
    newest = list(visit.workspace.conversations[:SHOWN])
    return newest if visit.conversation in newest else [*newest, visit.conversation]


def _new(workspace: Workspace) -> None:
    """Begin another one; an empty one that is there already is as good."""
    for conversation in workspace.conversations:
        if not conversation.entries:
            state.select_conversation(conversation.id)
            return
    state.select_conversation(workspace.new_conversation().id)


def _row(visit: Visit, conversation: Conversation) -> None:
    selected = conversation.id == visit.conversation.id
    idle_s = visit.workspace.idle_s(conversation.id)
    with st.container(gap=None):
        st.button(
            escaped(conversation.title or t("live.not_begun")),
            key=f"live_open_{conversation.id}",
            help=_in_full(conversation),
            type="secondary" if selected else "tertiary",
            icon=":material/chat_bubble:" if selected else ":material/chat_bubble_outline:",
            width="stretch",
            on_click=state.select_conversation,
            args=(conversation.id,),
        )
        with st.container(horizontal=True, vertical_alignment="center", wrap=False):
            if idle_s is None:
                # No caption, which would make the mark paler than it can be seen.
                st.markdown(f":small[{_no_index(conversation)}]", width="stretch")
            else:
                idle_time.draw(conversation.id, idle_s)
                st.button(
                    t("live.evict"),
                    key=f"live_evict_{conversation.id}",
                    icon=LOOKS["index_evicted"].icon,
                    type="tertiary",
                    on_click=visit.workspace.evict,
                    args=(conversation.id,),
                )


def _in_full(conversation: Conversation) -> str | None:
    question = first_question(conversation.entries)
    return escaped(question, limit=600) if conversation.title.endswith("…") else None


def _no_index(conversation: Conversation) -> str:
    if index_state(conversation.entries).state == "evicted":
        return f"{mark('index_evicted')} {t('live.index.evicted')}"
    return t("live.index.none")


def duration(seconds: float) -> str:
    """A time in words, in its largest units."""
    if seconds < MINUTE_S:
        return t("live.duration.seconds", n=int(seconds))
    if seconds < HOUR_S:
        return t("live.duration.minutes", n=int(seconds // MINUTE_S))
    hours, rest = divmod(int(seconds), HOUR_S)
    return t("live.duration.hours", h=hours, m=rest // MINUTE_S)


def _clock(workspace: Workspace) -> None:
    ahead_s = workspace.clock.ahead_s
    st.button(
        t("live.clock.turn"),
        key="live_clock",
        icon=":material/more_time:",
        help=t("live.clock.help"),
        width="stretch",
        on_click=workspace.clock.advance,
        args=(CLOCK_STEP_S,),
    )
    if ahead_s:
        st.caption(label("live.clock.ahead", ahead=duration(ahead_s)))
        if workspace.settings.eviction.strategy not in ("ttl", "composite"):
            st.caption(t("live.clock.timeless"))
