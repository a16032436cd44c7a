"""The table of all options, which every source, the printing and the README go by."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from toolsearch_core.chat_types import MAX_ORDER
from toolsearch_core.eviction import STRATEGY_KINDS
from toolsearch_core.options import AT_CALL_LIMIT
from toolsearch_core.search_types import INDEX_KINDS
from toolsearch_core.settings.kinds import (
    CHOICE,
    DISCLOSURE,
    DURATION,
    NAMES,
    SHARE,
    SWITCH,
    TEXT,
    WHOLE,
    Kind,
)
from toolsearch_core.settings.values import MODEL_KINDS, Settings

Group = Literal["model", "advisor", "index", "search", "disclosure", "eviction"]
GROUPS: tuple[Group, ...] = get_args(Group)

Part = Literal["settings", "options", "eviction"]
"""Where a value is kept: in `Settings` itself, or in one of its two parts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Option:
    """One thing that can be set."""

    group: Group
    name: str
    kind: Kind
    part: Part
    field: str
    """Its name in that part."""
    allowed: str
    """In words; ranges are checked where the value is kept."""
    means: str
    can_be_none: bool = False
    none: object = None
    """What the settings hold for `none`."""

    @property
    def full_name(self) -> str:
        """`search.max_results`, as sentences and tables name it."""
        return f"{self.group}.{self.name}"

    @property
    def argument(self) -> str:
        """`search_max_results`, as a keyword argument."""
        return f"{self.group}_{self.name}"

    @property
    def variable(self) -> str:
        """`TOOLSEARCH_SEARCH_MAX_RESULTS`, in the environment."""
        return f"{VARIABLE_PREFIX}{self.argument.upper()}"

    def held(self, settings: Settings) -> object:
        """The value as the settings hold it."""
        part = settings if self.part == "settings" else getattr(settings, self.part)
        held: object = getattr(part, self.field)
        return held

    def written(self, settings: Settings) -> object:
        """The value as each source takes it; `None` for none."""
        held = self.held(settings)
        return None if held is None else self.kind.write(held)


VARIABLE_PREFIX = "TOOLSEARCH_"

OPTIONS: tuple[Option, ...] = (
    Option(
        group="model",
        name="kind",
        kind=CHOICE,
        part="settings",
        field="model_kind",
        allowed=" or ".join(MODEL_KINDS),
        means="who answers",
    ),
    Option(
        group="model",
        name="claude_model",
        kind=TEXT,
        part="settings",
        field="claude_model",
        allowed="the name of a model",
        means="which Claude is asked",
    ),
    Option(
        group="model",
        name="base_url",
        kind=TEXT,
        part="settings",
        field="base_url",
        allowed="an address with http or https, or none",
        means="where the service answers, if not at its usual address",
        can_be_none=True,
        none="",
    ),
    Option(
        group="model",
        name="max_tokens",
        kind=WHOLE,
        part="options",
        field="max_tokens",
        allowed="1 to 128000",
        means="output limit of one model call, in tokens",
    ),
    Option(
        group="model",
        name="system",
        kind=TEXT,
        part="options",
        field="system",
        allowed="a text",
        means="the system prompt",
    ),
    Option(
        group="advisor",
        name="enabled",
        kind=DISCLOSURE,
        part="options",
        field="disclosure",
        allowed="true or false",
        means="search for tools; off: the plain advisor, which sends every tool",
    ),
    Option(
        group="advisor",
        name="order",
        kind=WHOLE,
        part="settings",
        field="advisor_order",
        allowed=f"{-MAX_ORDER} to {MAX_ORDER}",
        means="the advisor's place in a chain; lower is further outside",
    ),
    Option(
        group="advisor",
        name="session_id_key",
        kind=TEXT,
        part="settings",
        field="session_id_key",
        allowed="a name that is not blank",
        means="where the context of a request holds its session id",
    ),
    Option(
        group="advisor",
        name="system_suffix",
        kind=TEXT,
        part="options",
        field="system_suffix",
        allowed="a text that is not blank, or none",
        means="explains the search tool to the model, instead of the built-in text",
        can_be_none=True,
    ),
    Option(
        group="advisor",
        name="iteration_limit",
        kind=WHOLE,
        part="options",
        field="iteration_limit",
        allowed="1 to 100",
        means="model calls per turn",
    ),
    Option(
        group="advisor",
        name="calls_per_tool",
        kind=WHOLE,
        part="options",
        field="calls_per_tool",
        allowed="1 to 10000",
        means="calls of one tool per turn",
    ),
    Option(
        group="advisor",
        name="calls_per_turn",
        kind=WHOLE,
        part="options",
        field="calls_per_turn",
        allowed="1 to 10000",
        means="calls of all tools per turn",
    ),
    Option(
        group="advisor",
        name="at_call_limit",
        kind=CHOICE,
        part="options",
        field="at_call_limit",
        allowed=" or ".join(AT_CALL_LIMIT),
        means="past a limit of calls: end the turn, or tell the model and go on",
    ),
    Option(
        group="index",
        name="type",
        kind=CHOICE,
        part="settings",
        field="index_kind",
        allowed=" or ".join(INDEX_KINDS),
        means="what searches",
    ),
    Option(
        group="index",
        name="encoder",
        kind=TEXT,
        part="settings",
        field="encoder",
        allowed="multilingual, minilm, or the name or path of a model",
        means="turns texts into vectors, for the hybrid and the vector index",
    ),
    Option(
        group="index",
        name="keyword_min_score",
        kind=SHARE,
        part="settings",
        field="keyword_min_score",
        allowed="0 to 1",
        means="least score of a hit of the keyword index, and of that index alone",
    ),
    Option(
        group="search",
        name="max_results",
        kind=WHOLE,
        part="options",
        field="max_results",
        allowed="1 to the cap, or none",
        means="hits per search when the model names no number; none leaves it to the model",
        can_be_none=True,
    ),
    Option(
        group="search",
        name="max_results_cap",
        kind=WHOLE,
        part="options",
        field="max_results_cap",
        allowed="1 to 50",
        means="most hits per search, whatever the model asks",
    ),
    Option(
        group="search",
        name="threshold",
        kind=SHARE,
        part="options",
        field="threshold",
        allowed="0 to 1, or none",
        means="hits below this score are left out",
        can_be_none=True,
    ),
    Option(
        group="disclosure",
        name="accumulate",
        kind=SWITCH,
        part="options",
        field="accumulate",
        allowed="true or false",
        means="keep what earlier searches found; off: only what the newest search turn found",
    ),
    Option(
        group="disclosure",
        name="pinned",
        kind=NAMES,
        part="options",
        field="pinned",
        allowed="a list of wire names, none of them blank, or none",
        means="tools that are always sent",
        can_be_none=True,
        none=(),
    ),
    Option(
        group="disclosure",
        name="search_from_tools",
        kind=WHOLE,
        part="options",
        field="search_from_tools",
        allowed="0 to 10000",
        means="smaller catalogs are sent whole, without a search tool",
    ),
    Option(
        group="eviction",
        name="strategy",
        kind=CHOICE,
        part="eviction",
        field="strategy",
        allowed=" or ".join(STRATEGY_KINDS),
        means="when a session index is released; composite where a ttl is set and no strategy",
    ),
    Option(
        group="eviction",
        name="lru_max_sessions",
        kind=WHOLE,
        part="eviction",
        field="max_sessions",
        allowed="a whole number from 1 on",
        means="for lru and composite: so many sessions keep an index",
    ),
    Option(
        group="eviction",
        name="ttl",
        kind=DURATION,
        part="eviction",
        field="ttl_s",
        allowed="a duration from 1ms on, such as 30m, 1h30m, 2d, PT1H30M, or seconds; or none",
        means="for ttl and composite: the idle time that is too long",
        can_be_none=True,
    ),
)


@cache
def options_by_argument() -> Mapping[str, Option]:
    """Keyword argument, such as `search_max_results`, to option, in the order of the table."""
    return {option.argument: option for option in OPTIONS}
