"""The same conversation with both disclosures: what search and inject saves, measured by running it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from toolsearch_core.events import Disclosure, ToolCalled, TurnEnded
from toolsearch_core.index import RetrieverStore
from toolsearch_core.protocols import ModelProvider
from toolsearch_core.settings import Settings
from toolsearch_core.workspace.workspace import Workspace


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One conversation, summed over its turns."""

    disclosure: Disclosure
    model_calls: int
    prompt_tokens: int
    output_tokens: int
    source: str
    """`estimated`, `reported` or `mixed`."""
    called: tuple[str, ...]
    """Wire names of the tools that ran, in order."""
    statuses: tuple[str, ...]
    """How each turn ended."""

    @property
    def total_tokens(self) -> int:
        """Prompt and output."""
        return self.prompt_tokens + self.output_tokens


@dataclass(frozen=True, kw_only=True, slots=True)
class Savings:
    """Two runs of the same questions over the same catalog."""

    tool_count: int
    searched: Run
    up_front: Run

    @property
    def share(self) -> float:
        """Prompt tokens of search and inject as a share of those of all tools up front."""
        return self.searched.prompt_tokens / self.up_front.prompt_tokens

    @property
    def total_share(self) -> float:
        """The same of all tokens, those of the answers too."""
        return self.searched.total_tokens / self.up_front.total_tokens


def measure_savings(
    data: bytes,
    source: str,
    questions: Sequence[str],
    provider: Callable[[], ModelProvider],
    settings: Settings,
    store: RetrieverStore,
) -> Savings:
    """Hold the conversation twice, each time in a workspace of its own.

    Raises:
        CatalogError: the catalog cannot be used.
    """
    runs: dict[Disclosure, Run] = {}
    tool_count = 0
    for disclosure in ("search_and_inject", "all_up_front"):
        options = replace(settings.options, disclosure=disclosure)
        workspace = Workspace(store, settings=replace(settings, options=options))
        workspace.shelf.add(data, source)
        tool_count = len(workspace.catalog)
        runs[disclosure] = _hold(workspace, questions, provider(), disclosure)
        workspace.close()
    return Savings(
        tool_count=tool_count,
        searched=runs["search_and_inject"],
        up_front=runs["all_up_front"],
    )


def _hold(
    workspace: Workspace, questions: Sequence[str], provider: ModelProvider, disclosure: Disclosure
) -> Run:
    conversation = workspace.new_conversation()
    for question in questions:
        for _ in workspace.ask(conversation.id, question, provider):
            pass
    events = [entry.event for entry in conversation.entries]
    ends = [event for event in events if isinstance(event, TurnEnded)]
    sources = sorted({end.source for end in ends})
    return Run(
        disclosure=disclosure,
        model_calls=sum(end.model_calls for end in ends),
        prompt_tokens=sum(end.prompt_tokens for end in ends),
        output_tokens=sum(end.output_tokens for end in ends),
        source=sources[0] if len(sources) == 1 else "mixed",
        called=tuple(
            event.name
            for event in events
            if isinstance(event, ToolCalled) and event.outcome == "executed"
        ),
        statuses=tuple(end.status for end in ends),
    )
