"""Which definitions a request carries: a pure function, ordered and byte-stable."""

from collections.abc import Mapping

from toolsearch_core.chat_types import Disclosed
from toolsearch_core.events import InjectionReason
from toolsearch_core.options import AdvisorOptions
from toolsearch_core.tools import Catalog, ToolDefinition


def pinned_names(catalog: Catalog, options: AdvisorOptions) -> tuple[str, ...]:
    """Pinned by their definition or by the options, in catalog order."""
    wanted = frozenset(options.pinned)
    return tuple(
        tool.wire_name for tool in catalog.tools if tool.pinned or tool.wire_name in wanted
    )


def disclose(
    catalog: Catalog,
    discovered: Mapping[str, int],
    search_tool: ToolDefinition,
    options: AdvisorOptions,
    turn: int,
) -> tuple[Disclosed, ...]:
    """The definitions of the next request, in the order they are sent.

    Search tool first, pinned tools in catalog order, then discovered tools in first-discovery order,
    so that the list only grows at its end while tools accumulate. Everything up front needs no search
    tool; neither does a catalog that is pinned whole.

    Args:
        catalog: all tools; discovered names that it does not have are skipped.
        discovered: wire name to the turn of its latest discovery, in first-discovery order.
        search_tool: the definition of the search tool.
        options: the policy.
        turn: the current turn; what was discovered in it is new, the rest is accumulated.
    """
    if options.disclosure == "all_up_front":
        return tuple(Disclosed(tool, "all_up_front") for tool in catalog.tools)
    pinned = pinned_names(catalog, options)
    sent = [Disclosed(catalog.by_wire_name[name], "pinned") for name in pinned]
    if len(pinned) < len(catalog):
        sent.insert(0, Disclosed(search_tool, "search_tool"))
    skip = frozenset(pinned)
    for name, found_in in discovered.items():
        if name in catalog.by_wire_name and name not in skip:
            reason: InjectionReason = "discovered" if found_in >= turn else "accumulated"
            sent.append(Disclosed(catalog.by_wire_name[name], reason))
    return tuple(sent)
