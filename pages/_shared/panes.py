"""Panes as high as the window leaves room for, the end of the chat in view, large type for a projector.

Streamlit knows fixed heights only, and follows the end of a pane only as long as nothing above it
folds. The rules here name nothing but the classes that Streamlit gives to keys (`.st-key-…`) and the
root element; without them the page works with fixed heights.
"""

import streamlit as st

HEIGHT_PX = 480
"""The height of a pane where the rules below do not apply."""
CHAT, INSIGHT = "live_chat", "live_insight"
"""Keys of the panes of the Live page."""
FRAME, STAGE, BOTTOM = "frame", "live_stage", "live_bottom"
"""Keys of what reaches from edge to edge there: the title row, both panes, the input."""

_TAKEN = {CHAT: "18.5rem", INSIGHT: "15.5rem"}
"""What stands above and below a pane: navigation, title rows, the input."""
_MARGIN = "3.5rem"
"""How far the panes reach into the margins of the page, left and right."""


def _rules(pane: str, height: str) -> str:
    return f"""
    .st-key-{pane}, div:has(> .st-key-{pane}) {{ height: {height} !important; flex: none !important; }}
    """


_PANES = f"""
@media (min-width: 641px) {{
  .st-key-{FRAME}, .st-key-{STAGE}, .st-key-{BOTTOM} {{
    margin: 0 -{_MARGIN}; width: calc(100% + 2 * {_MARGIN}); max-width: none;
  }}
  {"".join(_rules(pane, f"max(20rem, calc(100dvh - {taken}))") for pane, taken in _TAKEN.items())}
}}
@media (max-width: 640px) {{
  {"".join(_rules(pane, "auto") for pane in _TAKEN)}
  /* The chat comes last, next to the input. */
  .st-key-{STAGE} div:has(.st-key-{INSIGHT}):not(:has(.st-key-{CHAT})) {{ order: -1; }}
}}
"""
_LARGE = ":root { font-size: 19px !important; }"

_FOLLOW = f"""
export default function ({{ data, parentElement }}) {{
  if (parentElement.latest === data.latest) return
  parentElement.latest = data.latest
  const chat = document.querySelector(".st-key-{CHAT}")
  if (!chat) return
  const narrow = window.matchMedia("(max-width: 640px)").matches
  setTimeout(() => {{
    if (narrow) chat.scrollIntoView({{ block: "end" }})
    else chat.scrollTop = chat.scrollHeight
  }}, 300)
}}
"""
_panes = st.components.v2.component("panes", css=_PANES, js=_FOLLOW, isolate_styles=False)
_large_type = st.components.v2.component("large_type", css=_LARGE, isolate_styles=False)


def fit_panes(latest: str) -> None:
    """Let both panes of the Live page take the height of the window.

    Args:
        latest: names the latest thing in the chat; whenever it is another one, its end comes into view.
    """
    _panes(key="panes", height=1, data={"latest": latest})


def large_type() -> None:
    """Let all type be larger."""
    _large_type(key="large_type", width=1, height=1)
