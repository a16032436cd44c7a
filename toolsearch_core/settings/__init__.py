"""The settings of a turn, and where they are read from."""

from toolsearch_core.settings.client import chat_client, tool_advisor
from toolsearch_core.settings.durations import format_duration, parse_duration
from toolsearch_core.settings.given import Origin
from toolsearch_core.settings.load import LoadedSettings, load_settings
from toolsearch_core.settings.table import GROUPS, OPTIONS, Option
from toolsearch_core.settings.values import MODEL_KINDS, ModelKind, Settings

__all__ = [
    "GROUPS",
    "MODEL_KINDS",
    "OPTIONS",
    "LoadedSettings",
    "ModelKind",
    "Option",
    "Origin",
    "Settings",
    "chat_client",
    "format_duration",
    "load_settings",
    "parse_duration",
    "tool_advisor",
]
