"""The tools of a client: functions and definitions as one catalog, and who runs which."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from toolsearch_core.catalog.wire_names import ACCEPTED_NAMES, is_accepted
from toolsearch_core.errors import SettingsError
from toolsearch_core.execution import FunctionExecutor, FunctionTool, function_tool
from toolsearch_core.options import require
from toolsearch_core.protocols import ToolExecutor
from toolsearch_core.tools import Catalog, ToolDefinition

Tool = ToolDefinition | FunctionTool | Callable[..., object]
"""A definition, which an executor runs or simulates; or a function, which is called."""


@dataclass(frozen=True, slots=True)
class ClientTools:
    """Tools by their names, in the order they were given."""

    tools: Mapping[str, ToolDefinition | FunctionTool]
    catalog: Catalog

    @classmethod
    def of(cls, given: Catalog | Iterable[Tool | Catalog]) -> "ClientTools":
        """Take in a catalog, or tools of any kind.

        Raises:
            SettingsError: one cannot be used, or two have one name.
        """
        listed = isinstance(given, Iterable) and not isinstance(given, str)
        require(listed, "tools", given, "a catalog, or a list of functions and definitions")
        tools: dict[str, ToolDefinition | FunctionTool] = {}
        for each in _flat(given):
            tool = each if isinstance(each, ToolDefinition | FunctionTool) else function_tool(each)
            name = _definition(tool).wire_name
            if name in tools:
                raise SettingsError("chat.duplicate_tool", name=name)
            if not is_accepted(name):
                raise SettingsError(
                    "settings.out_of_range",
                    option="wire_name",
                    value=name or "blank",
                    allowed=ACCEPTED_NAMES,
                )
            tools[name] = tool
        if isinstance(given, Catalog):
            return cls(tools, given)
        return cls(tools, Catalog(tuple(map(_definition, tools.values()))))

    def with_more(self, more: "ClientTools") -> "ClientTools":
        """Those of both; of one name, the later one in the place of the first."""
        if not more.tools:
            return self
        tools = {**self.tools, **more.tools}
        return ClientTools(tools, Catalog(tuple(map(_definition, tools.values()))))

    def executor(self, otherwise: ToolExecutor) -> ToolExecutor:
        """Who runs these tools: functions are called, the others are left to `otherwise`."""
        functions = {
            name: tool.function
            for name, tool in self.tools.items()
            if isinstance(tool, FunctionTool)
        }
        return FunctionExecutor(functions, otherwise) if functions else otherwise


def _flat(given: Iterable[Tool | Catalog]) -> Iterator[Tool]:
    for each in given:
        if isinstance(each, Catalog):
            yield from each
        else:
            yield each


def _definition(tool: ToolDefinition | FunctionTool) -> ToolDefinition:
    return tool.definition if isinstance(tool, FunctionTool) else tool
