"""Panes as high as the window leaves room for, and large type for a projector.

Streamlit knows fixed heights only. The rules here name nothing but the classes that Streamlit gives
to keys (`.st-key-…`) and the root element; without them the page works with fixed heights.
"""

import streamlit as st

HEIGHT_PX = 480
"""The height of a pane where the rules below do not apply."""
CHAT, INSIGHT = "live_chat", "live_insight"
"""Keys of the two panes of the Live page."""

_TAKEN = "15.75rem"
"""What stands above and below the panes: navigation, title row, input."""

_PANES = f"""
@media (min-width: 641px) {{
  .st-key-{CHAT}, .st-key-{INSIGHT},
  div:has(> .st-key-{CHAT}), div:has(> .st-key-{INSIGHT}) {{
    height: max(20rem, calc(100dvh - {_TAKEN})) !important;
    flex: none !important;
  }}
}}
@media (max-width: 640px) {{
  .st-key-{CHAT}, .st-key-{INSIGHT},
  div:has(> .st-key-{CHAT}), div:has(> .st-key-{INSIGHT}) {{
    height: auto !important;
    flex: none !important;
  }}
}}
"""
_LARGE = ":root { font-size: 19px !important; }"

_panes = st.components.v2.component("panes", css=_PANES, isolate_styles=False)
_large_type = st.components.v2.component("large_type", css=_LARGE, isolate_styles=False)


def fit_panes() -> None:
    """Let both panes of the Live page take the height of the window."""
    _panes(key="panes", height=1)


def large_type() -> None:
    """Let all type be larger."""
    _large_type(key="large_type", height=1)
