"""The search tool: its definition, what the model may ask of it, and what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolsearch_core.advisor.prompts import prompt
from toolsearch_core.jsonvalues import JsonObject, JsonValue, compact_json
from toolsearch_core.notices import Notice, notice
from toolsearch_core.options import RESULTS_HINT, AdvisorOptions, is_share
from toolsearch_core.search_types import ToolReference, ToolSearchResponse
from toolsearch_core.tools import SEARCH_TOOL_NAME, Catalog, ToolDefinition


def search_tool(index_kind: str, options: AdvisorOptions) -> ToolDefinition:
    """The definition that is sent; it depends on the settings alone, so it is constant over turns."""
    own_text = index_kind in ("regex", "vector")
    return ToolDefinition(
        name=SEARCH_TOOL_NAME,
        wire_name=SEARCH_TOOL_NAME,
        description=prompt(f"search_tool_{index_kind}" if own_text else "search_tool"),
        input_schema={
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "max_results": _max_results_schema(options),
            },
            "required": ["query"],
            "additionalProperties": False,
        },
    )


def _max_results_schema(options: AdvisorOptions) -> JsonObject:
    told: JsonObject = {"default": options.max_results}
    if options.max_results is None:
        # A hint and no default: the number is the model's to choose.
        told = {"description": f"{default_results(options)} when left out"}
    return {"type": "integer", "minimum": 1, "maximum": options.max_results_cap, **told}


def default_results(options: AdvisorOptions) -> int:
    """Hits per search when the model names no number."""
    if options.max_results is not None:
        return options.max_results
    return min(RESULTS_HINT, options.max_results_cap)


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchArguments:
    """What the model asked, after the configuration has bounded it."""

    query: str
    asked_results: int | None
    max_results: int


def read_arguments(arguments: JsonObject, options: AdvisorOptions) -> SearchArguments | Notice:
    """The bounded arguments, or the reason why they cannot be used.

    `max_results` is clamped to 1..cap; a whole number written as text or as 5.0 counts as a number,
    anything else falls back to the default: a search is worth more than a complaint.
    """
    query = arguments.get("query")
    if not isinstance(query, str):
        return notice("advisor.query_missing", value=type(query).__name__)
    asked = _whole_number(arguments.get("max_results"))
    wanted = default_results(options) if asked is None else asked
    return SearchArguments(
        query=query,
        asked_results=asked,
        max_results=max(1, min(wanted, options.max_results_cap)),
    )


def _whole_number(value: JsonValue) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.strip().lstrip("+-").isdecimal() and len(value) < 10:
        return int(value)
    return None


def bounded(
    response: ToolSearchResponse, most: int, catalog: Catalog, pinned: Sequence[str]
) -> ToolSearchResponse:
    """What counts of an answer, as an index of one's own may know tools that are gone, or no bounds."""
    hits: dict[str, ToolReference] = {}
    listed = {hit.tool_name: hit for hit in response.excluded}
    for hit in response.references:
        if hit.tool_name in catalog.by_wire_name:
            sound = hit if is_share(hit.score) else replace(hit, score=0.0)
            (listed if hit.tool_name in pinned else hits).setdefault(hit.tool_name, sound)
    return replace(
        response, references=tuple(hits.values())[:most], excluded=tuple(listed.values())
    )


def result_text(response: ToolSearchResponse) -> str:
    """What goes back to the model: names only, since the definitions are injected next.

    Pinned tools take no place among the finds, but a model that looks for one is told that it has it.
    """
    found = [reference.tool_name for reference in response.references]
    listed = [reference.tool_name for reference in response.excluded]
    answer: dict[str, JsonValue] = {"found": found}
    if listed:
        answer["already_listed"] = listed
    if not found and not listed:
        answer["hint"] = prompt("nothing_found")
    return compact_json(answer)


def refusal_text(reason: Notice) -> str:
    """What goes back to the model when its search could not be answered."""
    return compact_json({"found": [], "error": reason.text})
