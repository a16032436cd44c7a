"""Token counts as values: where the tokens of a request go, and who said so."""

from dataclasses import dataclass
from typing import Literal

UsageSource = Literal["estimated", "reported"]
"""`reported` comes from the provider; `estimated` from a local counter. They are never mixed up."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestTokens:
    """One request, taken apart. All numbers are tokens."""

    system: int = 0
    """The system prompt with the suffix that explains the search tool, and what the service adds to
    every request with tools."""
    search_tool: int = 0
    """The definition of the search tool; 0 when it is not sent."""
    definitions: int = 0
    """The definitions of all other tools in the request."""
    messages: int = 0
    """The conversation so far, search rounds included."""

    @property
    def total(self) -> int:
        """All prompt tokens of the request."""
        return self.system + self.search_tool + self.definitions + self.messages


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """What one model call used. All numbers are tokens; `None` means unknown, never zero."""

    input_tokens: int
    """Prompt tokens, cache reads and writes included."""
    output_tokens: int
    cache_read_tokens: int | None = None
    """The part of the prompt read from the provider's cache."""
    cache_write_tokens: int | None = None
    """The part of the prompt written to the provider's cache."""
    source: UsageSource = "estimated"
