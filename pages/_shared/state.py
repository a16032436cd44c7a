"""Where the app keeps things: the only file that names session-state keys and caches.

Three places. The process keeps workspaces, runs and retrievers. The address of the page keeps what
finds them again (`?w=` workspace, `?c=` conversation, `?lang=`, `?proj=`). The state of the browser
session keeps what may be lost with it: the key of the service, which is kept nowhere else, what is
on top of the page, and values of the settings that were refused.
"""

import os
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages._shared.runs import Run, Runs
from pages._shared.workspaces import Workspaces
from toolsearch_core.errors import SessionError, SettingsError
from toolsearch_core.index import RetrieverStore
from toolsearch_core.notices import Notice
from toolsearch_core.protocols import ModelProvider
from toolsearch_core.settings import Settings, load_settings
from toolsearch_core.workspace import Conversation, Workspace

Language = Literal["en", "ko"]
LANGUAGES: tuple[Language, ...] = ("en", "ko")

_WORKSPACE, _CONVERSATION, _LANGUAGE, _PROJECTOR = "w", "c", "lang", "proj"
"""Names in the address; the state of the browser session keeps them under the same names."""
_KEY_FIELD = "key_field"
_REFUSED = "refused"
_SHOWN = "shown"
_LOST = "lost"
_NEW = "new_workspace"
_ARRIVED = "arrived"
_TOLD = "told"
_SEEN_UPLOADS, _OUTCOMES, _TEXT_TAKEN = "seen_uploads", "outcomes", "text_taken"
PROVIDER = "provider"
"""A test puts a `ModelProvider` here, to be asked in place of the one that the settings choose."""


@dataclass(frozen=True)
class Process:
    """What all browser sessions of the process share."""

    store: RetrieverStore
    workspaces: Workspaces
    runs: Runs
    refused: Notice | None
    """Why the configuration was refused, so that workspaces begin with the defaults."""


@st.cache_resource(show_spinner=False)
def process() -> Process:
    """Made once, by whoever comes first."""
    store = RetrieverStore()
    runs = Runs()
    settings, refused = _configured()
    workspaces = Workspaces(
        partial(Workspace, store, settings=settings), busy=runs.busy, closing=runs.forget
    )
    return Process(store=store, workspaces=workspaces, runs=runs, refused=refused)


def _configured() -> tuple[Settings, Notice | None]:
    """The settings that a new workspace begins with: those of the environment and `toolsearch.toml`."""
    try:
        return load_settings().settings, None
    except SettingsError as error:
        return Settings(), error.notice


@st.cache_resource(show_spinner=False)
def once(name: str, _what: Callable[[RetrieverStore], None]) -> None:
    """Do this once in a process, whoever asks; `name` tells one thing from another."""
    _what(process().store)


@dataclass(frozen=True)
class Visit:
    """Who is here, and what they look at."""

    workspace_id: str
    workspace: Workspace
    conversation: Conversation

    @property
    def empty(self) -> bool:
        """Nothing is loaded, and nothing was asked in this conversation."""
        return not self.workspace.catalog.tools and not self.conversation.entries


def settle_view() -> None:
    """Settle language and projector mode, by the address first; the very first step of a run."""
    asked = _asked(_LANGUAGE)
    if asked not in LANGUAGES:
        asked = "ko" if (st.context.locale or "").lower().startswith("ko") else "en"
    _keep(_LANGUAGE, asked)
    _keep(_PROJECTOR, "1" if _asked(_PROJECTOR) == "1" else "")


def arrive() -> Visit:
    """Settle who is here, by the address first; called once in each run of the app."""
    workspace_id = _settle_workspace()
    visit = here()
    _keep(_CONVERSATION, visit.conversation.id)
    visit.workspace.sweep()
    process().runs.look(workspace_id)
    st.session_state[_ARRIVED] = True
    return visit


def came_by_the_app() -> bool:
    """Whether this run has passed `arrive`; asked once in a run, by the page."""
    return bool(st.session_state.pop(_ARRIVED, False))


def here() -> Visit:
    """The visit as settled by `arrive`; also for fragments, which run without the rest of the app."""
    workspace_id = str(st.session_state[_WORKSPACE])
    workspace = process().workspaces.find(workspace_id)
    if workspace is None:  # closed since: after hours without use, or by a reset in another window
        st.session_state[_LOST] = True
        workspace_id = _new_workspace()
        workspace = _found(workspace_id)
    return Visit(workspace_id, workspace, _conversation(workspace))


def _settle_workspace() -> str:
    asked = st.query_params.get(_WORKSPACE, "")
    known = str(st.session_state.get(_WORKSPACE, ""))
    for workspace_id in (asked, known):
        if workspace_id and process().workspaces.find(workspace_id):
            _keep(_WORKSPACE, workspace_id)
            return workspace_id
    st.session_state[_LOST] = bool(asked or known)
    return _new_workspace()


def _new_workspace() -> str:
    workspace_id = process().workspaces.open()
    _keep(_WORKSPACE, workspace_id)
    st.session_state[_NEW] = True
    return workspace_id


def _found(workspace_id: str) -> Workspace:
    workspace = process().workspaces.find(workspace_id)
    if workspace is None:
        raise SessionError("session.id_missing")
    return workspace


def _conversation(workspace: Workspace) -> Conversation:
    """The one that is asked for, else the newest, else a new one."""
    asked = _asked(_CONVERSATION)
    for conversation in workspace.conversations:
        if conversation.id == asked:
            return conversation
    newest = workspace.conversations[:1]
    return newest[0] if newest else workspace.new_conversation()


def _asked(name: str) -> str:
    return st.query_params.get(name) or str(st.session_state.get(name, ""))


def _keep(name: str, value: str) -> None:
    """In the address, so that a reload finds it, and in the session, so that another page does."""
    st.session_state[name] = value
    if st.query_params.get(name, "") == value:
        return
    if value:
        st.query_params[name] = value
    else:
        del st.query_params[name]


# Language and projector


def language() -> Language:
    """The language of the page; English where there is no page, as in a notebook."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return "en"
    return "ko" if st.session_state.get(_LANGUAGE) == "ko" else "en"


def choose_language(chosen: str) -> None:
    """Speak this language from now on; any other word than a known one changes nothing."""
    if chosen in LANGUAGES:
        _keep(_LANGUAGE, chosen)


def projector() -> bool:
    """Whether the page is shown on a wall."""
    return st.session_state.get(_PROJECTOR) == "1"


def show_on_projector(shown: bool) -> None:
    """Switch projector mode."""
    _keep(_PROJECTOR, "1" if shown else "")


# Conversations and runs


def select_conversation(conversation_id: str) -> None:
    """Look at this conversation from now on."""
    _keep(_CONVERSATION, conversation_id)
    hide()


def run_now() -> Run | None:
    """The latest run of this workspace; asking counts as looking at it."""
    return process().runs.look(here().workspace_id)


def lost() -> bool:
    """Whether the address named a workspace that is no more; told once."""
    return bool(st.session_state.pop(_LOST, False))


def configuration_refused() -> Notice | None:
    """Why a workspace that is new begins with the defaults, if it does; told once."""
    return process().refused if st.session_state.pop(_NEW, False) else None


def tell(sentence: str) -> None:
    """Have this said at the top of the next run; a callback has no place to say it."""
    st.session_state.setdefault(_TOLD, []).append(sentence)


def told() -> list[str]:
    """What is to be said now; said once."""
    sentences: list[str] = st.session_state.pop(_TOLD, [])
    return sentences


def reset() -> None:
    """Close this workspace, forget the key, and begin anew; language and projector mode stay."""
    process().workspaces.close(here().workspace_id)
    stay = {name: st.session_state.get(name) for name in (_LANGUAGE, _PROJECTOR)}
    for name in list(st.session_state):
        del st.session_state[name]
    st.session_state.update(stay)
    _keep(_CONVERSATION, "")
    _new_workspace()


# Catalog files


def seen_uploads() -> set[str]:
    """Ids of the uploads that were read; kept, so that no click reads one again."""
    seen: set[str] = st.session_state.setdefault(_SEEN_UPLOADS, set())
    return seen


def keep_outcomes(outcomes: Sequence[Any], *, text_taken: bool = False) -> None:
    """What became of the catalog files that were given last, until the next ones."""
    st.session_state[_OUTCOMES] = tuple(outcomes)
    st.session_state[_TEXT_TAKEN] = text_taken


def outcomes() -> tuple[Any, ...]:
    """What `keep_outcomes` was given."""
    kept: tuple[Any, ...] = st.session_state.get(_OUTCOMES, ())
    return kept


def text_taken() -> bool:
    """Whether the pasted text was loaded and can go from its field; told once."""
    return bool(st.session_state.pop(_TEXT_TAKEN, False))


# The model


def key_field() -> str:
    """The name of the password field; its value is kept in this browser session and nowhere else."""
    return _KEY_FIELD


def api_key() -> str:
    """The key of the service: the pasted one, else that of the environment, else nothing."""
    pasted = str(st.session_state.get(_KEY_FIELD) or "").strip()
    return pasted or os.environ.get("ANTHROPIC_API_KEY", "").strip()


def given_provider() -> ModelProvider | None:
    """The model that a test put in place of the chosen one."""
    provider: ModelProvider | None = st.session_state.get(PROVIDER)
    return provider


# Settings


def widget_state() -> MutableMapping[str, Any]:
    """The values of the widgets of the page, by their keys."""
    widgets: MutableMapping[str, Any] = st.session_state
    return widgets


def refused() -> MutableMapping[str, tuple[Any, Notice]]:
    """Settings that were refused: option -> what was entered, and why not."""
    kept: MutableMapping[str, tuple[Any, Notice]] = st.session_state.setdefault(_REFUSED, {})
    return kept


def timeline_key(conversation_id: str, turn: int) -> str:
    """The key under which it is kept whether the steps of a turn are shown."""
    return f"turn_{conversation_id}_{turn}"


def fold(conversation_id: str, turn: int) -> None:
    """Show the steps of this turn no longer, unless somebody opens them."""
    st.session_state[timeline_key(conversation_id, turn)] = False


# What is shown on top of the page

Shown = Literal["request", "ledger"]


def show(what: Shown, seq: int = -1) -> None:
    """Show something of this conversation on top of the page: a request, by its trace entry, or more."""
    st.session_state[_SHOWN] = (what, here().conversation.id, seq)


def shown() -> tuple[Shown, int] | None:
    """What is shown on top of the page now."""
    what, conversation_id, seq = st.session_state.get(_SHOWN) or (None, "", -1)
    return (what, seq) if what and conversation_id == here().conversation.id else None


def hide() -> None:
    """Show the page alone again."""
    st.session_state.pop(_SHOWN, None)
