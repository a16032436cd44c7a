"""What is known of how the families of Claude models count, as numbers with their sources.

The vocabulary of the newer families is not published. Their counts are estimated from an older,
published one (`text_counts`) by a factor for each kind of script. Sources:

- Factors: measured 2026-12 against `ctok` 1.3.0, a reconstruction of the service's own counts, over
  1,200 tool definitions of 34 real MCP servers (standard deviation between servers .03 and .06) and
  over Korean, Chinese and Japanese descriptions. The provider's guide gives the same direction: the
  tokenizer of Opus 4.7 and later makes about 30 % more of the same text.
- Frames of a request with one user message (7, 11 and 6 tokens): the same reconstruction. How they
  divide into a part for the request and one for each message is an assumption.
- Tool prompts, `tool_choice` auto: the table "Tool use system prompt token count" in the provider's
  guide to tool use.
"""

import re
from dataclasses import dataclass

MESSAGE_FRAME = 4
"""Tokens around each message, for its role; an assumption."""
BLOCK_FRAME = 10
"""Tokens around a call or a result; no figure is published, so reported usage has to correct it."""
TOOL_FRAME = 10
"""Tokens around a definition; inferred from the example in the provider's guide to token counting."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelFamily:
    """Models that count alike."""

    since: tuple[int, int]
    """The first version of Claude that counts like this."""
    latin: float
    """Tokens for each token of the published vocabulary, in Latin script, digits and punctuation."""
    other: float
    """The same in other scripts; right for Korean and Chinese, up to a third high for Cyrillic and Arabic."""
    request_frame: int
    """Tokens around the whole conversation, added once."""
    tool_prompt: int
    """Tokens of the instructions that the service adds once to a request with tools."""


FAMILIES: tuple[ModelFamily, ...] = (
    ModelFamily(since=(3, 0), latin=1.1, other=1.03, request_frame=3, tool_prompt=313),
    ModelFamily(since=(4, 5), latin=1.1, other=1.03, request_frame=3, tool_prompt=497),
    ModelFamily(since=(4, 7), latin=1.56, other=1.03, request_frame=7, tool_prompt=675),
    ModelFamily(since=(4, 8), latin=1.56, other=1.03, request_frame=2, tool_prompt=290),
    ModelFamily(since=(5, 0), latin=1.56, other=1.03, request_frame=2, tool_prompt=354),
)
"""Oldest first."""

_VERSION = re.compile(r"claude\D*?(?<!\d)(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)")


def family_of(model: str) -> ModelFamily:
    """The family of a model by the version in its name; a name without one counts as the newest.

    `claude-haiku-4-5-20251001`, `claude-3-5-sonnet-20241022` and `anthropic/claude-sonnet-5.5` are
    all understood; a date is never taken for a version.
    """
    found = _VERSION.search(model.lower())
    if found is None:
        return FAMILIES[-1]
    version = (int(found[1]), int(found[2] or 0))
    fitting = [family for family in FAMILIES if family.since <= version]
    return fitting[-1] if fitting else FAMILIES[0]
