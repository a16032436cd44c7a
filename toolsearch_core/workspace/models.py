"""From settings to a model that can be asked."""

from collections.abc import Callable

from toolsearch_core.errors import ProviderAuthError
from toolsearch_core.protocols import ModelProvider
from toolsearch_core.settings import Settings


def provider_for(
    settings: Settings, api_key: str = "", *, sleep: Callable[[float], None] | None = None
) -> ModelProvider:
    """The model that the settings choose.

    Args:
        settings: which model.
        api_key: the key of the service; never kept in settings, traces or messages.
        sleep: paces the words of the rehearsal model, so that they are seen to come; `None` for none.

    Raises:
        ProviderAuthError: Claude is chosen and there is no key.
    """
    if settings.model_kind == "claude":
        if not api_key.strip():
            raise ProviderAuthError("provider.no_key")
        from toolsearch_core.providers.anthropic import claude

        return claude(api_key.strip(), settings.claude_model, settings.base_url or None)
    from toolsearch_core.providers.rehearsal import RehearsalProvider

    return RehearsalProvider(sleep=sleep)
