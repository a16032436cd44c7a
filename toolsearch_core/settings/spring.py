"""The properties of Spring AI's tool-search advisor, and what they are called here.

Names and defaults as its documentation and code have them in the 2.1 line, August 2026.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

SPRING_PREFIX = "spring.ai.chat.client.tool-search-advisor."


@dataclass(frozen=True, kw_only=True, slots=True)
class SpringProperty:
    """One property there and its option here."""

    name: str
    """Without the prefix."""
    default: str
    """As a properties file would have it; `none` where nothing is set."""
    option: str
    """Our option, as a keyword argument."""
    differs: str = ""
    """What differs here beyond the name."""


SPRING_PROPERTIES: tuple[SpringProperty, ...] = (
    SpringProperty(
        name="enabled",
        default="false",
        option="advisor_enabled",
        differs="on by default: searching is what this library is for",
    ),
    SpringProperty(
        name="advisor-order",
        default="HIGHEST_PRECEDENCE+300",
        option="advisor_order",
        differs="counted from 0",
    ),
    SpringProperty(
        name="session-id-key-name",
        default="chat_memory_conversation_id",
        option="advisor_session_id_key",
        differs="the key of our own memory, too",
    ),
    SpringProperty(
        name="system-message-suffix",
        default="none",
        option="advisor_system_suffix",
    ),
    SpringProperty(
        name="tool-index-type",
        default="regex",
        option="index_type",
        differs="`lucene` is `keyword`; an unknown type is refused",
    ),
    SpringProperty(
        name="lucene.min-score-threshold",
        default="0.25",
        option="index_keyword_min_score",
        differs="compared with a score from 0 to 1; off, since 0.25 there is of another scale",
    ),
    SpringProperty(
        name="max-results",
        default="none",
        option="search_max_results",
        differs="a fallback there and here; the cap is `search.max_results_cap`",
    ),
    SpringProperty(
        name="reference-tool-name-accumulation",
        default="true",
        option="disclosure_accumulate",
    ),
    SpringProperty(
        name="eviction.lru-max-sessions",
        default="1000",
        option="eviction_lru_max_sessions",
    ),
    SpringProperty(
        name="eviction.ttl",
        default="none",
        option="eviction_ttl",
        differs="makes the strategy composite, unless one is named",
    ),
)

SPRING_VALUES: Mapping[str, str] = MappingProxyType({"lucene": "keyword"})
"""Values that have another name here."""
