"""A conversation with the rehearsal model, one answer at a time; a person plays search and tools."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from toolsearch_core.embeddings import VectorCache
from toolsearch_core.jsonvalues import JsonObject
from toolsearch_core.providers.rehearsal.choosing import Chooser
from toolsearch_core.providers.rehearsal.model import next_message
from toolsearch_core.tools import ToolDefinition
from toolsearch_core.wire import tool_to_json

SEARCH = "tool_search_tool"
SEARCH_TOOL = ToolDefinition(
    name=SEARCH,
    wire_name=SEARCH,
    description="Finds tools",
    input_schema={
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "max_results": {"type": "integer", "minimum": 1},
        },
        "required": ["query"],
        "additionalProperties": False,
    },
)
WORDS_ONLY = Chooser(None, VectorCache())


def tool(name: str, description: str, **properties: str | Mapping[str, object]) -> ToolDefinition:
    """A tool whose properties are required; `city="string"` gives one of that type."""
    schema = {
        "type": "object",
        "properties": {
            key: {"type": value} if isinstance(value, str) else dict(value)
            for key, value in properties.items()
        },
        "required": list(properties),
    }
    return ToolDefinition(name=name, wire_name=name, description=description, input_schema=schema)


WEATHER = tool("get_weather", "Tell the current weather in a city", city="string")
CLOCK = tool("get_time", "Tell the current time in a city", city="string")
LIST_ISSUES = tool("list_issues", "List the issues of a repository", owner="string", repo="string")
CREATE_ISSUE = tool(
    "create_issue", "Create an issue in a repository", owner="string", repo="string", title="string"
)
SEND_EMAIL = tool(
    "send_email", "Send an email to somebody", to="string", subject="string", body="string"
)
CATALOG = (WEATHER, CLOCK, LIST_ISSUES, CREATE_ISSUE, SEND_EMAIL)


@dataclass
class Conversation:
    """What has been said, and the tools that the next request carries."""

    tools: Sequence[ToolDefinition] = ()
    can_search: bool = True
    chooser: Chooser = WORDS_ONLY
    messages: list[dict[str, object]] = field(default_factory=list)
    calls: list[Mapping[str, object]] = field(default_factory=list)
    """The calls of the latest answer."""
    text: str = ""
    """The text of the latest answer."""

    def body(self) -> JsonObject:
        sent = [*([SEARCH_TOOL] if self.can_search else []), *self.tools]
        body: dict[str, object] = {
            "model": "rehearsal",
            "max_tokens": 1000,
            "messages": self.messages,
        }
        if sent:
            body["tools"] = [tool_to_json(item) for item in sent]
        return json.loads(json.dumps(body))  # type: ignore[no-any-return]

    def ask(self, text: str) -> "Conversation":
        """The person says something, the model answers."""
        self.messages.append({"role": "user", "content": [{"type": "text", "text": text}]})
        return self._answer()

    def result(self, *results: str | tuple[str, bool]) -> "Conversation":
        """Results of the latest calls in their order; `(text, True)` for an error."""
        blocks = []
        for call, given in zip(self.calls, results, strict=True):
            text, failed = given if isinstance(given, tuple) else (given, False)
            block = {"type": "tool_result", "tool_use_id": call["id"], "content": text}
            blocks.append({**block, "is_error": True} if failed else block)
        self.messages.append({"role": "user", "content": blocks})
        return self._answer()

    def found(self, *tools: ToolDefinition) -> "Conversation":
        """Every search of the latest calls finds these, and they are injected."""
        self.tools = [*self.tools, *(item for item in tools if item not in self.tools)]
        names = [item.wire_name for item in tools]
        return self.result(*[json.dumps({"found": names})] * len(self.calls))

    @property
    def queries(self) -> list[str]:
        """What the latest answer searches for."""
        return [str(call["input"]["query"]) for call in self.calls if call["name"] == SEARCH]  # type: ignore[index]

    @property
    def names(self) -> list[object]:
        """The tools that the latest answer calls."""
        return [call["name"] for call in self.calls]

    @property
    def arguments(self) -> list[object]:
        """The arguments of the latest calls."""
        return [call["input"] for call in self.calls]

    def _answer(self) -> "Conversation":
        message = next_message(self.body(), self.chooser)
        content: list[dict[str, object]] = list(message["content"])  # type: ignore[arg-type]
        self.calls = [block for block in content if block["type"] == "tool_use"]
        self.text = "".join(str(block["text"]) for block in content if block["type"] == "text")
        self.messages.append({"role": "assistant", "content": content})
        return self
