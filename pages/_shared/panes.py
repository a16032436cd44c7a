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
CHART = "live_chart"
"""Key of the chart, which makes room for the board on a wall that is not high."""
FRAME, STAGE, BOTTOM = "frame", "live_stage", "live_bottom"
"""Keys of what reaches from edge to edge there: the title row, both panes, the input."""

_TAKEN = {CHAT: "13.4rem", INSIGHT: "9.9rem"}
"""What stands above and below a pane: the line of the navigation, title rows, the input."""
_OWN_LINE = "7.7rem"
"""What the title row takes where it does not fit beside the navigation; it may need two lines."""
_MARGIN = "3.5rem"
"""How far the panes reach into the margins of the page, left and right."""
_NAVIGATION = "13rem"


def _rules(pane: str, height: str) -> str:
    return f"""
    .st-key-{pane}, div:has(> .st-key-{pane}) {{ height: {height} !important; flex: none !important; }}
    """


def _heights(more: str = "0rem") -> str:
    return "".join(
        _rules(pane, f"max(18rem, calc(100dvh - {taken} - {more}))")
        for pane, taken in _TAKEN.items()
    )


_TITLE_ROW = f"""
.st-key-title_row, .st-key-large_type, .st-key-panes {{ position: absolute; }}
/* Korean breaks between words; a text without any space still breaks where it must. */
.stApp, .stApp :is(p, li, label, h1, h2, h3) {{ word-break: keep-all; overflow-wrap: break-word; }}
/* What is chosen is told by its frame and weight; the main colour is too pale to be its type. */
.stApp [role="radiogroup"] [aria-checked="true"], .stApp [role="tab"][aria-selected="true"] {{
  color: inherit !important; font-weight: 600;
}}
@media (min-width: 641px) {{
  .st-key-{FRAME} {{ margin: 0 -{_MARGIN}; width: calc(100% + 2 * {_MARGIN}); max-width: none; }}
}}
@media (min-width: 1200px) {{
  div:has(> .st-key-{FRAME}) {{ margin-top: -4.1rem; min-height: 2.5rem; }}
  .st-key-{FRAME} {{
    position: relative; z-index: 999991; /* on the line of the navigation, which is 999990 */
    flex-wrap: nowrap; box-sizing: border-box; padding-left: {_NAVIGATION}; pointer-events: none;
  }}
  .st-key-{FRAME} > * {{ pointer-events: auto; }}
}}
"""
_PANES = f"""
/* Type of charts as legible as all other type, light or dark; their own grey is not. */
[class*="st-key-live_ledger"] svg text, .st-key-live_whole_ledger svg text {{
  fill: currentColor !important; fill-opacity: 0.8 !important;
}}
/* A question to start with is read in full. */
[class*="st-key-live_starters_"] button p {{ white-space: normal; text-align: start; }}
@media (min-width: 641px) {{
  .st-key-{STAGE}, .st-key-{BOTTOM} {{
    margin: 0 -{_MARGIN}; width: calc(100% + 2 * {_MARGIN}); max-width: none;
  }}
  div:has(> div > div > .st-key-{BOTTOM}) {{ padding-top: 0.25rem; padding-bottom: 0.75rem; }}
}}
@media (min-width: 641px) and (max-width: 1199px) {{ {_heights(_OWN_LINE)} }}
@media (min-width: 1200px) {{ {_heights()} }}
@media (max-width: 640px) {{
  {"".join(_rules(pane, "auto") for pane in _TAKEN)}
  div:has(> div > div > .st-key-{BOTTOM}) {{ padding-bottom: 0.75rem; }}
  .st-key-live_by {{ display: none; }} /* the large ledger has it as well */
  /* The chat comes last, next to the input. */
  .st-key-{STAGE} div:has(.st-key-{INSIGHT}):not(:has(.st-key-{CHAT})) {{ order: -1; }}
}}
"""
_LARGE = f"""
:root {{ font-size: 19px !important; }}
/* One line of large type is still one line to the input, which grows by itself from the second on. */
.st-key-{BOTTOM} textarea {{ padding-top: 0.1rem; padding-bottom: 0.1rem; }}
@media (max-height: 899px) {{ div:has(> .st-key-{CHART}) {{ order: 1; }} }}
@media (min-width: 1200px) {{ .st-key-{FRAME} {{ padding-left: 14.5rem; }} }}
"""

_FOLLOW = f"""
const NEAR_PX = 400 // so close to the end, what is new comes into view
const UP = ["ArrowUp", "PageUp", "Home"]
const narrow = () => window.matchMedia("(max-width: 640px)").matches

function isNear(chat) {{
  const below = narrow()
    ? chat.getBoundingClientRect().bottom - window.innerHeight
    : chat.scrollHeight - chat.scrollTop - chat.clientHeight
  return below < NEAR_PX
}}

function follow(at) {{
  if (!at.following || !at.chat?.isConnected) return
  if (narrow()) at.chat.scrollIntoView({{ block: "end" }})
  else at.chat.scrollTop = at.chat.scrollHeight
}}

// Whoever turns back is not followed, until they come near the end again or ask.
function attend(at, chat) {{
  at.chat = chat
  // A run draws whenever it likes, and on a busy machine long after it was asked.
  const drawn = new MutationObserver(() => {{ if (at.live) follow(at) }})
  drawn.observe(chat, {{ childList: true, subtree: true, characterData: true }})
  const look = () => {{ at.following = isNear(chat) }}
  const typed = (event) => {{
    if (UP.includes(event.key) && !event.target.matches("input, textarea")) at.following = false
  }}
  const events = {{ wheel: look, touchmove: look, pointerup: look, keydown: typed }}
  for (const [kind, heard] of Object.entries(events))
    document.addEventListener(kind, heard, {{ passive: true }})
  at.forget = () => {{
    drawn.disconnect()
    for (const [kind, heard] of Object.entries(events)) document.removeEventListener(kind, heard)
    at.chat = undefined
  }}
}}

export default function ({{ data, parentElement }}) {{
  const chat = document.querySelector(".st-key-{CHAT}")
  if (!chat) return
  const at = parentElement.at ??= {{ following: false }}
  const arrives = at.question === undefined
  const asked = at.question !== data.question
  const more = at.latest !== data.latest
  Object.assign(at, data)
  if (at.chat !== chat) {{
    at.forget?.()
    attend(at, chat)
  }}
  if (asked) at.following = !(arrives && narrow()) // whoever arrives there begins at the top
  else if (more && isNear(chat)) at.following = true
  if (asked || more) for (const wait of [300, 900, 2000]) setTimeout(() => follow(at), wait)
  return at.forget
}}
"""
_title_row = st.components.v2.component("title_row", css=_TITLE_ROW, isolate_styles=False)
_panes = st.components.v2.component("panes", css=_PANES, js=_FOLLOW, isolate_styles=False)
_large_type = st.components.v2.component("large_type", css=_LARGE, isolate_styles=False)


def fit_title_row() -> None:
    """Let the title row stand beside the navigation where there is room."""
    _title_row(key="title_row", width=1, height=1)


def fit_panes(question: str, latest: int, *, live: bool) -> None:
    """Let both panes of the Live page take the height of the window.

    Args:
        question: names the latest question; whenever it is another one, it comes into view.
        latest: how much the chat holds; its end stays in view for whoever has it in view.
        live: a run is on, and whatever it draws comes into view as well.
    """
    _panes(key="panes", height=1, data={"question": question, "latest": latest, "live": live})


def large_type() -> None:
    """Let all type be larger."""
    _large_type(key="large_type", width=1, height=1)
