"""What the model saw: the tools of one request, and its exact body."""

import json

import streamlit as st

from pages._shared import state
from pages._shared.language import label, t
from pages._shared.live.turns import ModelCall, called_names, model_call
from pages._shared.numbers import whole
from pages._shared.state import Visit
from pages._shared.visual_language import LOOKS
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.usage import RequestTokens

REASON_TEXT = {
    "search_tool": "live.sent.search_tool",
    "pinned": "live.sent.pinned",
    "discovered": "live.sent.discovered",
    "accumulated": "live.sent.accumulated",
    "all_up_front": "live.sent.all_up_front",
}


def draw(visit: Visit, seq: int) -> None:
    """Draw the request of this trace entry on top of the page."""
    call = model_call(visit.conversation.entries, seq)
    if call is None:
        return
    turn = visit.conversation.entries[seq].turn
    dialog = st.dialog(
        t("live.saw.title", turn=turn, call=call.request.call),
        width="large",
        icon=":material/data_object:",
        on_dismiss=state.hide,
    )
    dialog(_content)(call, turn)


def _content(call: ModelCall, turn: int) -> None:
    st.caption(_parts(call.request.tokens, call.request.baseline))
    hidden = TokenEstimator(str(call.request.body.get("model", ""))).tool_prompt
    if call.request.body.get("tools"):
        st.caption(label("live.saw.hidden", n=whole(hidden)))
    body, tools = st.tabs(
        [t("live.saw.body"), t("live.saw.tools", n=len(call.request.injected))],
    )
    with tools:
        _tools(call)
    with body:
        text = json.dumps(call.request.body, ensure_ascii=False, indent=2)
        st.download_button(
            t("live.saw.download"),
            text,
            file_name=f"request-{turn}-{call.request.call}.json",
            mime="application/json",
            key="live_request_download",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )
        st.json(text, expanded=2)


def _parts(tokens: RequestTokens, baseline: RequestTokens) -> str:
    return label(
        "live.saw.parts",
        system=whole(tokens.system),
        search_tool=whole(tokens.search_tool),
        definitions=whole(tokens.definitions),
        messages=whole(tokens.messages),
        total=whole(tokens.total),
        baseline=whole(baseline.total),
    )


def _tools(call: ModelCall) -> None:
    called = called_names(call)
    star = LOOKS["called"].glyph
    st.dataframe(
        [
            {
                t("live.table.rank"): place,
                t("live.table.tool"): tool.name,
                t("live.table.tokens"): tool.tokens,
                t("live.table.why"): t(REASON_TEXT[tool.reason]),
                t("live.table.called"): star if tool.name in called else "",
            }
            for place, tool in enumerate(call.request.injected, start=1)
        ],
        hide_index=True,
        alt=t("live.saw.alt", n=len(call.request.injected), called=len(called)),
    )
