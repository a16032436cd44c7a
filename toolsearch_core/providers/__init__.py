"""Language models behind the Messages API: Claude, the rehearsal model, and scripts."""

DEFAULT_MODEL = "claude-sonnet-5-5"
"""The model asked when nobody chose another one."""
REHEARSAL_MODEL = "rehearsal"
"""The name of the offline, simulated model; no service knows it."""
