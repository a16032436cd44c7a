"""From settings to a client: which advisor runs the tools is a matter of configuration alone."""

import time
from collections.abc import Iterable, Sequence

from toolsearch_core.advisor import ToolCallingAdvisor, ToolSearchAdvisor
from toolsearch_core.chat import ChatClient
from toolsearch_core.chat.tools import Tool
from toolsearch_core.chat_types import Advisor
from toolsearch_core.eviction import make_strategy
from toolsearch_core.index import tool_index
from toolsearch_core.protocols import Clock, ModelProvider, ToolExecutor, ToolIndex
from toolsearch_core.session import SessionRegistry
from toolsearch_core.settings.values import Settings
from toolsearch_core.tools import Catalog


def tool_advisor(
    settings: Settings, *, index: ToolIndex | None = None, clock: Clock = time.monotonic
) -> ToolCallingAdvisor:
    """The advisor that runs the tools: the plain one where search is switched off.

    Args:
        settings: what holds.
        index: an index of your own; it wins over the type that the settings name.
        clock: seconds, for idle time and durations.
    """
    if settings.options.disclosure == "all_up_front":
        return ToolCallingAdvisor(order=settings.advisor_order, clock=clock)
    return ToolSearchAdvisor(
        index if index is not None else _index(settings),
        sessions=SessionRegistry(make_strategy(settings.eviction, clock), clock),
        session_id_key=settings.session_id_key,
        order=settings.advisor_order,
        clock=clock,
    )


def _index(settings: Settings) -> ToolIndex:
    return tool_index(
        settings.index_kind,
        encoder=settings.encoder,
        keyword_min_score=settings.keyword_min_score,
    )


def chat_client(
    settings: Settings,
    model: ModelProvider,
    *,
    tools: Catalog | Iterable[Tool | Catalog] = (),
    advisors: Sequence[Advisor] = (),
    index: ToolIndex | None = None,
    executor: ToolExecutor | None = None,
    clock: Clock = time.monotonic,
) -> ChatClient:
    """A client as configured; the code around it is the same with search and without.

    Args:
        settings: what holds.
        model: answers; `provider_for(settings)` makes the configured one.
        tools: a catalog, or functions, function tools and definitions.
        advisors: further ones, such as `MessageMemoryAdvisor()`.
        index: an index of your own; it wins over the type that the settings name.
        executor: runs tools that are no functions; simulates them when left out.
        clock: seconds, for idle time and durations.

    Raises:
        SettingsError: a tool cannot be used, two have one name, or another advisor runs tools too.
    """
    return ChatClient(
        model,
        tools=tools,
        advisors=[*advisors, tool_advisor(settings, index=index, clock=clock)],
        options=settings.options,
        executor=executor,
        clock=clock,
    )
