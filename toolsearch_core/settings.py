"""The settings of a turn: model, index, bounds, eviction; each checked where it is defined."""

from dataclasses import dataclass, field
from typing import Literal

from toolsearch_core.advisor import AdvisorOptions
from toolsearch_core.errors import SettingsError
from toolsearch_core.eviction import EvictionConfig
from toolsearch_core.providers import DEFAULT_MODEL
from toolsearch_core.providers.addresses import is_web_address
from toolsearch_core.search_types import INDEX_KINDS, IndexKind

ModelKind = Literal["rehearsal", "claude"]
MODEL_KINDS: tuple[ModelKind, ...] = ("rehearsal", "claude")


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Everything that can be set for a turn, but for the key, which is never kept with the rest.

    Raises:
        SettingsError: a value is out of its range; the message names option, value and range.
    """

    model_kind: ModelKind = "rehearsal"
    claude_model: str = DEFAULT_MODEL
    """The name sent to the service when `model_kind` is `claude`."""
    base_url: str = ""
    """Where the service answers; empty for the SDK's own default."""
    index_kind: IndexKind = "hybrid"
    encoder: str = "multilingual"
    """`multilingual`, `minilm`, or the name or path of a sentence-transformers model."""
    options: AdvisorOptions = field(default_factory=AdvisorOptions)
    eviction: EvictionConfig = field(default_factory=EvictionConfig)

    def __post_init__(self) -> None:
        _one_of("model_kind", self.model_kind, MODEL_KINDS)
        _one_of("index_kind", self.index_kind, INDEX_KINDS)
        text = isinstance(self.base_url, str)
        if not text or (self.base_url and not is_web_address(self.base_url)):
            raise SettingsError(
                "settings.out_of_range",
                option="base_url",
                value=str(self.base_url),
                allowed="an address such as https://host or http://host:8080/path, or nothing",
            )
        if not isinstance(self.claude_model, str) or not self.claude_model.strip():
            raise SettingsError(
                "settings.out_of_range",
                option="claude_model",
                value="blank",
                allowed=f"a model name such as {DEFAULT_MODEL}",
            )


def _one_of(option: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise SettingsError(
            "settings.out_of_range", option=option, value=value, allowed=" or ".join(allowed)
        )
