"""The chat client, the advisor chain, and chat memory."""

from toolsearch_core.chat.answer import Answer, TurnFailedError
from toolsearch_core.chat.client import ChatClient, Prompt
from toolsearch_core.chat.memory import ChatMemory, InMemoryChatMemory, MessageMemoryAdvisor
from toolsearch_core.chat_types import CONVERSATION_ID

__all__ = [
    "CONVERSATION_ID",
    "Answer",
    "ChatClient",
    "ChatMemory",
    "InMemoryChatMemory",
    "MessageMemoryAdvisor",
    "Prompt",
    "TurnFailedError",
]
