"""The app under test, as one browser session sees it."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from pages._shared import state
from pages._shared.samples import samples
from toolsearch_core.events import Event
from toolsearch_core.protocols import ModelProvider
from toolsearch_core.providers.scripted import ScriptedProvider, Step, call, text
from toolsearch_core.workspace import Conversation, Workspace

APP = Path(__file__).parent.parent.parent / "app.py"
WAIT_S = 30.0

QUESTION = "Who is on call for payments right now?"


def one_search(
    query: str = "who is on call", tool: str = "", answer: str = "Mina is."
) -> list[Step]:
    """A turn that searches, calls the first tool it was given, unless named, and answers."""

    def calls(body: Any) -> Sequence[Any]:
        given = [item["name"] for item in body["tools"] if item["name"] != "tool_search_tool"]
        return [call(tool or given[0], service="payments")]

    return [[call("tool_search_tool", query=query)], calls, [text(answer)]]


class Gate:
    """Holds a scripted model up between two pieces of its text."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.open = threading.Event()

    def sleep(self, seconds: float) -> None:
        self.reached.set()
        assert self.open.wait(WAIT_S)


class Explorer:
    """One browser session."""

    def __init__(self, provider: ModelProvider | None = None, **address: str) -> None:
        self.at = AppTest.from_file(str(APP), default_timeout=60)
        self.at.session_state[state.PROVIDER] = provider or ScriptedProvider()
        for name, value in address.items():
            self.at.query_params[name] = value
        self.run()

    def run(self) -> "Explorer":
        self.at.run()
        assert list(self.at.exception) == []
        return self

    # What the session has

    @property
    def address(self) -> dict[str, str]:
        return {
            name: values[0] if isinstance(values, list) else values
            for name, values in self.at.query_params.items()
        }

    @property
    def workspace(self) -> Workspace:
        found = state.process().workspaces.find(self.address["w"])
        assert found is not None
        return found

    @property
    def conversation(self) -> Conversation:
        return self.workspace.conversation(self.address["c"])

    def events(self, *kinds: type[Event]) -> list[Any]:
        return [
            entry.event
            for entry in self.conversation.entries
            if not kinds or isinstance(entry.event, kinds)
        ]

    # What the page shows

    def shown(self) -> str:
        """All that can be read on the page."""
        parts: list[str] = []
        for kind in ("title", "subheader", "markdown", "caption", "text", "code", "warning"):
            parts += [str(element.value) for element in self.at.get(kind)]
        for kind in ("error", "info", "toast"):
            parts += [str(element.value) for element in self.at.get(kind)]
        parts += [element.label for kind in ("expander", "status") for element in self.at.get(kind)]
        parts += [button.label for button in self.at.button]
        return "\n".join(parts).replace("\\", "").replace("\u2060", "").replace("**", "")

    def has_button(self, key: str) -> bool:
        return key in [button.key for button in self.at.button]

    # What the person does

    def click(self, key: str) -> "Explorer":
        self.at.button(key=key).click()
        return self.run()

    def load(self, file: str = "workplace.json") -> "Explorer":
        """Load a sample, and search it by words, which needs no model of vectors."""
        sample = next(sample for sample in samples() if sample.file == file)
        return self.put(sample.data, sample.file)

    def put(self, data: bytes, source: str) -> "Explorer":
        """Put a catalog file on the shelf, as the Catalog page does."""
        self.workspace.shelf.add(data, source)
        self.workspace.use(replace(self.workspace.settings, index_kind="keyword"))
        return self.run()

    def choose(self, choice: str, value: object, widgets: Callable[..., Any]) -> "Explorer":
        """Set the widget of a setting."""
        widgets(key=f"choice_{choice}").set_value(value)
        return self.run()

    def send(self, message: str = QUESTION) -> "Explorer":
        """Send a message, and look at the page while the model answers."""
        self.at.chat_input[0].set_value(message)
        return self.run()

    def wait(self) -> "Explorer":
        """Wait until the run is over, and look at the page."""
        run = state.process().runs.look(self.address["w"])
        assert run is not None
        assert run.over.wait(WAIT_S)
        return self.run()

    def ask(self, message: str = QUESTION) -> "Explorer":
        """Send a message, and wait for its answer."""
        return self.send(message).wait()


TINY = b"""
{"tools": [{"name": "tiny_tool", "description": "A tiny tool", "inputSchema": {"type": "object"}}]}
"""


def tiny() -> Explorer:
    return Explorer(ScriptedProvider(one_search("tiny", tool="tiny_tool"))).put(TINY, "tiny.json")
