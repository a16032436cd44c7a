"""Numbers as people read them; the same form on every page."""

from pages._shared.language import t
from toolsearch_core.trace.ledger import saved_percent


def short(count: float) -> str:
    """`950`, `2.3k`, `26k`, `1.2M`."""
    for size, mark in ((1_000_000, "M"), (1_000, "k")):
        # A count that would be rounded up to the next size is written in that size.
        if abs(count) >= size * (1 if size == 1_000 else 0.9995):
            value = count / size
            return f"{value:.0f}{mark}" if abs(value) >= 99.95 else f"{value:.1f}{mark}"
    return f"{count:.0f}"


def whole(count: int) -> str:
    """`12,345`."""
    return f"{count:,}"


def change(share: float) -> str:
    """How much was saved, as a change: a saved share of 0.82 is `−82 %`, a loss of 0.1 is `+10 %`."""
    percent = saved_percent(share)
    sign = "" if percent == 0 else "−" if share > 0 else "+"
    return f"{sign}{percent} %"


def seconds(value: float) -> str:
    """`< 1 ms`, `45 ms`, `1.3 s`, `75 s`; the units in the language of the page."""
    if value < 0.001:
        return f"< {t('numbers.ms', n=1)}"
    if value < 0.9995:
        return t("numbers.ms", n=f"{value * 1000:.0f}")
    return t("numbers.s", n=f"{value:.1f}" if value < 59.95 else f"{value:.0f}")
