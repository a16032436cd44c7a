"""The offline, deterministic, simulated language model. It sees the body of a request and nothing else."""

from toolsearch_core.providers.rehearsal.provider import RehearsalProvider

__all__ = ["RehearsalProvider"]
