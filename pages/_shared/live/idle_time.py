"""How long an index has been idle: counted on by the browser, so that an idle page stays silent."""

import streamlit as st

from pages._shared.language import t
from toolsearch_core.jsonvalues import digest

_HTML = '<span class="idle"></span>'
_CSS = """
.idle {
  color: color-mix(in srgb, var(--st-text-color) 66%, var(--st-background-color));
  font-family: var(--st-font);
  font-size: 0.875rem;
  white-space: nowrap;
}
"""
_JS = """
export default function ({ data, parentElement }) {
  const node = parentElement.querySelector(".idle")
  const began = performance.now() - data.idle_s * 1000
  const words = (seconds) => {
    const minutes = Math.floor(seconds / 60)
    const fill = (text, values) => text.replace(/{(\\w)}/g, (_, name) => values[name])
    if (minutes < 1) return fill(data.seconds, { n: Math.floor(seconds) })
    if (minutes < 60) return fill(data.minutes, { n: minutes })
    return fill(data.hours, { h: Math.floor(minutes / 60), m: minutes % 60 })
  }
  const show = () => {
    const text = data.text.replace("{idle}", words((performance.now() - began) / 1000))
    if (node.textContent !== text) node.textContent = text
  }
  clearInterval(node.timer)
  node.timer = setInterval(show, 1000)
  show()
  return () => clearInterval(node.timer)
}
"""
_component = st.components.v2.component("idle_time", html=_HTML, css=_CSS, js=_JS)


def draw(conversation_id: str, idle_s: float) -> None:
    """Draw it, and let it run on.

    Args:
        conversation_id: whose index it is.
        idle_s: seconds without use up to now.
    """
    # Streamlit refuses a component whose key holds two underscores in a row.
    _component(
        key=f"idle_{digest(conversation_id)[:16]}",
        data={
            "idle_s": idle_s,
            "text": t("live.index.ready", idle="{idle}"),
            "seconds": t("live.duration.seconds", n="{n}"),
            "minutes": t("live.duration.minutes", n="{n}"),
            "hours": t("live.duration.hours", h="{h}", m="{m}"),
        },
        height="content",
    )
