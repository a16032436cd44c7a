"""Everything that can be set for a turn, as one value that checks itself."""

from dataclasses import dataclass, field
from typing import Literal

from toolsearch_core.chat_types import CONVERSATION_ID, MAX_ORDER, TOOL_ADVISOR_ORDER
from toolsearch_core.eviction import EvictionConfig
from toolsearch_core.options import AdvisorOptions, one_of, require, share, whole_number
from toolsearch_core.providers import DEFAULT_MODEL
from toolsearch_core.providers.addresses import is_web_address
from toolsearch_core.search_types import INDEX_KINDS, IndexKind

ModelKind = Literal["rehearsal", "claude"]
MODEL_KINDS: tuple[ModelKind, ...] = ("rehearsal", "claude")

MAX_NAME_CHARS = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Everything that can be set for a turn, but for the key, which is never kept with the rest.

    Raises:
        SettingsError: a value is of a wrong type or out of its range; the message names option, value
            and what is allowed.
    """

    model_kind: ModelKind = "rehearsal"
    claude_model: str = DEFAULT_MODEL
    """The name sent to the service when `model_kind` is `claude`."""
    base_url: str = ""
    """Where the service answers; empty for the SDK's own default."""
    advisor_order: int = TOOL_ADVISOR_ORDER
    """The place of the tool-search advisor in a chain of advisors: lower is further outside."""
    session_id_key: str = CONVERSATION_ID
    """The name under which the context of a request holds the id of its session."""
    index_kind: IndexKind = "hybrid"
    encoder: str = "multilingual"
    """`multilingual`, `minilm`, or the name or path of a sentence-transformers model."""
    keyword_min_score: float = 0.0
    """The least score of a hit of the keyword index, 0 to 1; the other kinds of index do not have it.

    A quarter, the number that the reference cuts raw scores at, would cost three quarters of the recall
    here: 78 % to 21 % of the right tools among the first five, on the development halves of eight sets.
    """
    options: AdvisorOptions = field(default_factory=AdvisorOptions)
    eviction: EvictionConfig = field(default_factory=EvictionConfig)

    def __post_init__(self) -> None:
        one_of("model_kind", self.model_kind, MODEL_KINDS)
        one_of("index_kind", self.index_kind, INDEX_KINDS)
        whole_number("advisor_order", self.advisor_order, -MAX_ORDER, MAX_ORDER)
        share("keyword_min_score", self.keyword_min_score)
        address = isinstance(self.base_url, str)
        require(
            address and (not self.base_url or is_web_address(self.base_url)),
            "base_url",
            self.base_url,
            "an address such as https://host or http://host:8080/path, or nothing",
        )
        _name("claude_model", self.claude_model, f"a model name such as {DEFAULT_MODEL}")
        _name("session_id_key", self.session_id_key, "a name that is not blank")
        _name("encoder", self.encoder, "multilingual, minilm, or the name or path of a model")
        require(isinstance(self.options, AdvisorOptions), "options", self.options, "AdvisorOptions")
        require(
            isinstance(self.eviction, EvictionConfig), "eviction", self.eviction, "EvictionConfig"
        )


def _name(option: str, value: object, allowed: str) -> None:
    holds = (
        isinstance(value, str)
        and 0 < len(value) <= MAX_NAME_CHARS
        and not value.isspace()
        and value.isprintable()
    )
    require(holds, option, value, allowed)
