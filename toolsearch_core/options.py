"""The bounds of a turn: set by the configuration, out of the model's reach."""

from dataclasses import dataclass
from typing import Literal

from toolsearch_core.errors import SettingsError
from toolsearch_core.events import DISCLOSURES, Disclosure

AtCallLimit = Literal["end", "answer"]
AT_CALL_LIMIT: tuple[AtCallLimit, ...] = ("end", "answer")

RESULTS_HINT = 5
"""Hits per search when neither the model nor the configuration names a number; told to the model."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AdvisorOptions:
    """The options of one turn.

    Raises:
        SettingsError: a value is of a wrong type or out of its range; the message names option, value
            and range.
    """

    disclosure: Disclosure = "search_and_inject"
    search_from_tools: int = 0
    """Catalogs with fewer tools are sent whole, without a search tool; 0 for off."""
    max_results: int | None = None
    """Hits per search when the model does not say; 1 to the cap. `None` leaves it to the model."""
    max_results_cap: int = 10
    """The most hits per search, whatever the model asks; 1 to 50."""
    threshold: float | None = None
    """Hits below this score are left out; 0 to 1, `None` for off."""
    accumulate: bool = True
    """Keep what earlier searches found; off: only the most recent search turn's finds."""
    pinned: tuple[str, ...] = ()
    """Wire names that are always injected, or a list of them; unknown names are passed over, and told."""
    iteration_limit: int = 50
    """Model calls per turn, 1 to 100."""
    calls_per_tool: int = 40
    """Calls of one tool per turn, searches too; 1 to 10,000."""
    calls_per_turn: int = 150
    """Calls of all tools per turn together, searches too; 1 to 10,000."""
    at_call_limit: AtCallLimit = "end"
    """Past a limit of calls, `end` ends the turn, `answer` tells the model and goes on."""
    max_tokens: int = 4096
    """Output limit per model call, in tokens; 1 to 128,000."""
    system: str = ""
    """The system prompt of the caller; the explanation of the search tool is added to it."""
    system_suffix: str | None = None
    """What explains the search tool to the model, instead of the built-in text; not blank."""

    def __post_init__(self) -> None:
        one_of("disclosure", self.disclosure, DISCLOSURES)
        one_of("at_call_limit", self.at_call_limit, AT_CALL_LIMIT)
        whole_number("search_from_tools", self.search_from_tools, 0, 10_000)
        whole_number("max_results_cap", self.max_results_cap, 1, 50)
        if self.max_results is not None:
            cap = self.max_results_cap
            whole_number(
                "max_results", self.max_results, 1, cap, f"1 to {cap}, the max_results_cap"
            )
        whole_number("iteration_limit", self.iteration_limit, 1, 100)
        whole_number("calls_per_tool", self.calls_per_tool, 1, 10_000)
        whole_number("calls_per_turn", self.calls_per_turn, 1, 10_000)
        whole_number("max_tokens", self.max_tokens, 1, 128_000)
        if self.threshold is not None:
            share("threshold", self.threshold, "0 to 1, or none")
        names = isinstance(self.pinned, tuple | list) and all(
            isinstance(name, str) for name in self.pinned
        )
        require(names, "pinned", self.pinned, "a list of wire names")
        object.__setattr__(self, "pinned", tuple(self.pinned))
        require(isinstance(self.accumulate, bool), "accumulate", self.accumulate, "true or false")
        require(isinstance(self.system, str), "system", self.system, "a text")
        if self.system_suffix is not None:
            text = isinstance(self.system_suffix, str) and bool(self.system_suffix.strip())
            require(text, "system_suffix", self.system_suffix, "a text that is not blank, or none")


def require(holds: bool, option: str, value: object, allowed: str) -> None:
    """Refuse a value.

    Raises:
        SettingsError: it does not hold; the message names option, value and what is allowed.
    """
    if not holds:
        raise SettingsError(
            "settings.out_of_range", option=option, value=_shown(value), allowed=allowed
        )


def _shown(value: object) -> str:
    if isinstance(value, str) and not value.strip():
        return repr(value)
    try:
        return str(value)
    except ValueError:  # Python does not write out the longest numbers
        return "a number of too many digits"


def one_of(option: str, value: object, allowed: tuple[str, ...]) -> None:
    """Refuse what is not in the list, as `require` does."""
    require(isinstance(value, str) and value in allowed, option, value, " or ".join(allowed))


def whole_number(option: str, value: object, low: int, high: int, allowed: str = "") -> None:
    """Refuse what is no whole number of the range, as `require` does; `True` is none."""
    holds = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
    require(holds, option, _quoted(value), allowed or f"{low} to {high}")


def share(option: str, value: object, allowed: str = "0 to 1") -> None:
    """Refuse what is no number of 0 to 1, as `require` does; `True` is none."""
    require(is_share(value), option, _quoted(value), allowed)


def is_share(value: object) -> bool:
    """Whether this is a number of 0 to 1; `True` is none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _quoted(value: object) -> object:
    """A text in its quotes, where a number is wanted: `'5'` is not 5."""
    return repr(value) if isinstance(value, str) else value
