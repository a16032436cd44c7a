"""Prices a request: its own parts, and the two baselines beside it (decision 10)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from toolsearch_core.chat_types import Disclosed
from toolsearch_core.events import InjectedTool
from toolsearch_core.messages import Message, ToolResultBlock
from toolsearch_core.protocols import TokenCounter
from toolsearch_core.tools import SEARCH_TOOL_NAME, Catalog
from toolsearch_core.usage import RequestTokens


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    """One request in tokens, estimated."""

    injected: tuple[InjectedTool, ...]
    tokens: RequestTokens
    baseline: RequestTokens
    conversation_baseline: RequestTokens


def price(
    counter: TokenCounter,
    catalog: Catalog,
    disclosed: Sequence[Disclosed],
    *,
    system: str,
    bare_system: str,
    messages: Sequence[Message],
) -> Price:
    """Count one request.

    Args:
        counter: the local estimate of tokens.
        catalog: what the baseline would have sent whole.
        disclosed: what this request sends.
        system: the system prompt as sent.
        bare_system: the system prompt without the explanation of the search tool.
        messages: the conversation as sent.
    """
    injected = injected_tools(counter, disclosed)
    tool_prompt = counter.tool_prompt if catalog.tools else 0
    tokens = RequestTokens(
        system=counter.count_text(system) + tool_prompt,
        search_tool=sum(tool.tokens for tool in injected if tool.reason == "search_tool"),
        definitions=sum(tool.tokens for tool in injected if tool.reason != "search_tool"),
        messages=counter.count_messages(messages),
    )
    everything = sum(counter.count_tool(tool) for tool in catalog.tools)
    baseline = replace(
        tokens,
        system=counter.count_text(bare_system) + tool_prompt,
        search_tool=0,
        definitions=everything,
    )
    return Price(
        injected=injected,
        tokens=tokens,
        baseline=baseline,
        conversation_baseline=_conversation_baseline(counter, injected, baseline, messages),
    )


def injected_tools(
    counter: TokenCounter, disclosed: Sequence[Disclosed]
) -> tuple[InjectedTool, ...]:
    """What a request sends, each with its tokens."""
    return tuple(
        InjectedTool(
            name=item.tool.wire_name, tokens=counter.count_tool(item.tool), reason=item.reason
        )
        for item in disclosed
    )


def _conversation_baseline(
    counter: TokenCounter,
    injected: Sequence[InjectedTool],
    baseline: RequestTokens,
    messages: Sequence[Message],
) -> RequestTokens:
    """A request that does send every tool is its own baseline, whatever was searched before it."""
    if any(tool.reason == "all_up_front" for tool in injected):
        return baseline
    return replace(baseline, messages=counter.count_messages(without_search_rounds(messages)))


def without_search_rounds(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The conversation as it would read had every tool been there: no searches, no search results.

    An assistant message that only searched disappears whole, with what the model said to it.
    """
    kept: list[Message] = []
    searches: set[str] = set()
    for message in messages:
        calls = message.tool_uses
        mine = {call.id for call in calls if call.name == SEARCH_TOOL_NAME}
        searches |= mine
        if calls and len(mine) == len(calls):
            continue
        content = tuple(
            block
            for block in message.content
            if not (isinstance(block, ToolResultBlock) and block.tool_use_id in searches)
            and block not in [call for call in calls if call.id in mine]
        )
        if content:
            kept.append(Message(message.role, content))
    return tuple(kept)
