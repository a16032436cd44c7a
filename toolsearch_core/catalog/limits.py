"""How much a catalog may hold; all limits in one place."""

MAX_BYTES = 20_000_000
"""A file, as UTF-8."""
MAX_TOOLS = 10_000
"""Entries of one file, and tools of a catalog made of several."""
MAX_DEPTH = 100
"""Levels of brackets within one entry; real servers reach 22."""
LONG_DESCRIPTION_CHARS = 10_000
"""A longer description is sent as it is, but a person should know."""
