"""Which model answers: the simulated one, or Claude with a key."""

import streamlit as st

from pages._shared import state
from pages._shared.language import t, worded
from pages._shared.live.choices import prepare, say_refused, take
from pages._shared.state import Visit
from toolsearch_core.settings import MODEL_KINDS

KIND_TEXT = {"rehearsal": "options.model.rehearsal", "claude": "options.model.claude"}


def draw(visit: Visit) -> None:
    """Draw the choice, and what Claude needs."""
    st.segmented_control(
        t("options.model"),
        MODEL_KINDS,
        format_func=worded(KIND_TEXT),
        required=True,
        help=t("options.model.help"),
        key=prepare("model_kind"),
        width="stretch",
        on_change=take,
        args=("model_kind",),
    )
    if visit.workspace.settings.model_kind == "rehearsal":
        st.caption(t("options.model.rehearsal.meaning"))
        return
    st.text_input(
        t("options.key"),
        key=state.key_field(),
        type="password",
        autocomplete="off",
        help=t("options.key.help"),
        persist_state="session",
    )
    if not state.api_key():
        st.warning(t("options.key.missing"), icon=":material/key_off:")
    for choice, text in (
        ("claude_model", t("options.claude_model")),
        ("base_url", t("options.base_url")),
    ):
        st.text_input(text, key=prepare(choice), on_change=take, args=(choice,))
        say_refused(choice)
