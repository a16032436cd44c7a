"""Whether searching is worth its rounds on a catalog: advice to a person, never a rule."""

from toolsearch_core.advisor.disclosure import pinned_names
from toolsearch_core.notices import Notice, notice
from toolsearch_core.options import AdvisorOptions
from toolsearch_core.protocols import TokenCounter
from toolsearch_core.tools import Catalog

WORTH_TOOLS, WORTH_TOKENS = 10, 10_000
"""From about so many tools, or so many tokens of definitions, on, searching is worth its rounds: the
guidance of Spring AI's documentation for its tool search advisor."""


def guidance(catalog: Catalog, counter: TokenCounter, options: AdvisorOptions) -> Notice | None:
    """What would likely cost less than the way these tools are sent now; `None` when nothing would.

    Args:
        catalog: the tools.
        counter: the local estimate of tokens.
        options: how they are sent.
    """
    tokens = sum(counter.count_tool(tool) for tool in catalog.tools)
    small = len(catalog) < WORTH_TOOLS and tokens < WORTH_TOKENS
    if small == _sends_all(catalog, options):
        return None
    if small:
        return notice("advisor.small_catalog", **_numbers(catalog, tokens))
    return notice("advisor.large_catalog", **_numbers(catalog, tokens))


def _sends_all(catalog: Catalog, options: AdvisorOptions) -> bool:
    """Whether no request carries a search tool: an empty catalog needs none either."""
    return (
        options.disclosure == "all_up_front"
        or len(catalog) < options.search_from_tools
        or len(pinned_names(catalog, options)) == len(catalog)
    )


def _numbers(catalog: Catalog, tokens: int) -> dict[str, int | str]:
    """Tokens as texts, with the thousands set apart."""
    return {
        "tools": len(catalog),
        "tokens": f"{tokens:,}",
        "worth_tools": WORTH_TOOLS,
        "worth_tokens": f"{WORTH_TOKENS:,}",
    }
