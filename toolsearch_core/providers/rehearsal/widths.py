"""How many tools a search asks for, where the model is left to say so."""

from collections.abc import Mapping

from toolsearch_core.jsonvalues import JsonObject
from toolsearch_core.providers.rehearsal.needs import Need
from toolsearch_core.tools import ToolDefinition

FEW = 3
"""Each definition that is found is sent from then on, and what fits best comes first."""


def results_asked(search_tool: ToolDefinition | None, need: Need) -> JsonObject:
    """The argument that says how many results are wanted, for the search tool of a request.

    A default in its schema was set by a person and holds: then, or where there is no such argument,
    nothing is said. A tool that is named is one; never more than the schema allows.
    """
    schema = _max_results_schema(search_tool)
    if schema is None or "default" in schema:
        return {}
    wanted, most = 1 if need.tool else FEW, schema.get("maximum")
    if isinstance(most, int) and not isinstance(most, bool):
        wanted = max(1, min(wanted, most))
    return {"max_results": wanted}


def _max_results_schema(search_tool: ToolDefinition | None) -> JsonObject | None:
    properties = search_tool.input_schema.get("properties") if search_tool else None
    schema = properties.get("max_results") if isinstance(properties, Mapping) else None
    return schema if isinstance(schema, Mapping) else None
