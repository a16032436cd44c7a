"""From settings to a model that can be asked."""

from collections.abc import Callable

from toolsearch_core.protocols import ModelProvider
from toolsearch_core.settings import Settings


def provider_for(
    settings: Settings, api_key: str = "", *, sleep: Callable[[float], None] | None = None
) -> ModelProvider:
    """The model that the settings choose. Its library is imported here, not before.

    Args:
        settings: which model.
        api_key: the key of the service; never kept in settings, traces or messages.
        sleep: paces the words of the rehearsal model, so that they are seen to come; `None` for none.

    Raises:
        ProviderAuthError: Claude is chosen and the key is blank, or holds what no key holds.
        ProviderResponseError: Claude is chosen and the base URL is none.
    """
    if settings.model_kind == "claude":
        from toolsearch_core.providers.anthropic import claude

        return claude(api_key, settings.claude_model, settings.base_url or None)
    from toolsearch_core.providers.rehearsal import RehearsalProvider

    return RehearsalProvider(sleep=sleep)
