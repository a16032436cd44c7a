"""The texts that the model reads. Each promise in them is held by a test."""

from functools import cache
from importlib import resources


@cache
def prompt(name: str) -> str:
    """The text of `<name>.md`, without surrounding blank lines."""
    return resources.files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()
