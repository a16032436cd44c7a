"""Live: chat, and watch which tools are discovered, injected, called, dropped and evicted."""

import streamlit as st

from pages._shared import frame, panes, state
from pages._shared.live import empty_state

frame.come_in_by_the_app("pages/live.py")
visit = state.here()
if visit.empty:
    empty_state.draw(visit)
else:
    # They bring the models and the library of the charts, which a first visit need not wait for.
    from pages._shared.live import asking, chat, conversations, insight, options_panel, raw_request

    with st.sidebar:
        conversations.draw(visit)
        options_panel.draw(visit)
    panes.fit_panes(chat.question(visit), len(visit.conversation.entries), live=chat.live(visit))
    with st.container(key=panes.STAGE):
        left, right = st.columns([2, 3] if state.projector() else [10, 11], gap="medium")
    with left:
        chat.draw(visit)
    with right:
        insight.draw(visit)
    asking.draw_input(visit)
    match state.shown():
        case ("request", seq):
            raw_request.draw(visit, seq)
        case ("ledger", _):
            insight.draw_ledger(visit)
