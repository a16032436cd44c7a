"""The bounds of a turn: set by the configuration, out of the model's reach."""

from dataclasses import dataclass

from toolsearch_core.errors import SettingsError
from toolsearch_core.events import DISCLOSURES, Disclosure


@dataclass(frozen=True, kw_only=True, slots=True)
class AdvisorOptions:
    """The options of one turn.

    Raises:
        SettingsError: a value is out of its range; the message names option, value and range.
    """

    disclosure: Disclosure = "search_and_inject"
    max_results: int = 3
    """Hits per search when the model does not say; 1 to the cap. Few, as each is sent from then on."""
    max_results_cap: int = 10
    """The most hits per search, whatever the model asks; 1 to 50."""
    threshold: float | None = None
    """Hits below this score are left out; 0 to 1, `None` for off."""
    accumulate: bool = True
    """Keep what earlier searches found; off: only the most recent search turn's finds."""
    pinned: tuple[str, ...] = ()
    """Wire names that are always injected; unknown names are ignored."""
    iteration_limit: int = 12
    """Model calls per turn, 1 to 100."""
    max_tokens: int = 4096
    """Output limit per model call, in tokens; 1 to 128,000."""
    system: str = ""
    """The system prompt of the caller; the explanation of the search tool is added to it."""

    def __post_init__(self) -> None:
        _check(
            "disclosure", self.disclosure in DISCLOSURES, self.disclosure, " or ".join(DISCLOSURES)
        )
        _check_int("max_results_cap", self.max_results_cap, 1, 50)
        _check_int("max_results", self.max_results, 1, self.max_results_cap)
        _check_int("iteration_limit", self.iteration_limit, 1, 100)
        _check_int("max_tokens", self.max_tokens, 1, 128_000)
        if self.threshold is not None:
            number = isinstance(self.threshold, int | float)
            holds = number and 0 <= self.threshold <= 1
            _check("threshold", holds, self.threshold, "0 to 1, or none")
        names = isinstance(self.pinned, tuple) and all(
            isinstance(name, str) for name in self.pinned
        )
        _check("pinned", names, self.pinned, "a tuple of wire names")


def _check(option: str, holds: bool, value: object, allowed: str) -> None:
    if not holds:
        raise SettingsError(
            "settings.out_of_range", option=option, value=str(value), allowed=allowed
        )


def _check_int(option: str, value: int, low: int, high: int) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    _check(option, whole and low <= value <= high, value, f"{low} to {high}")
