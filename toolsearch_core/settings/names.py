"""A name that is none of ours, and the one that was probably meant."""

import difflib
import re
from collections.abc import Callable, Sequence
from functools import cache

from toolsearch_core.errors import SettingsError
from toolsearch_core.settings.spring import SPRING_PREFIX, SPRING_PROPERTIES, SPRING_VALUES
from toolsearch_core.settings.table import GROUPS, OPTIONS, Group, Option, options_by_argument

MAX_COMPARED_CHARS = 120
NEAR = 0.6
"""The share of letters in common from which a name is offered."""


def unknown_name(
    name: str, origin: str, written: Callable[[Option], str] = lambda option: option.full_name
) -> SettingsError:
    """The error for a name that is no option.

    Args:
        name: as it was given.
        origin: where it stands.
        written: how an option is named there.
    """
    meant = _spring_names().get(_plain(name)) if "-" in name or "." in name else None
    if meant is not None:
        return SettingsError(
            "settings.spring_name", name=name, origin=origin, nearest=written(meant)
        )
    group, rest = _group_of(_plain(name))
    found = difflib.get_close_matches(rest, _names(whole=not group), n=1, cutoff=NEAR)
    if found:
        meant = _names(whole=not group)[found[0]]
        return SettingsError(
            "settings.unknown_option", name=name, origin=origin, nearest=written(meant)
        )
    known = [written(option) for option in OPTIONS if option.group == group] or list(GROUPS)
    code = "settings.unlike_any_option" if group else "settings.unlike_any_group"
    return SettingsError(code, name=name, origin=origin, known=", ".join(known))


def near_value(value: str, allowed: Sequence[str]) -> str | None:
    """The allowed value that was probably meant."""
    plain = value.strip().lower()[:MAX_COMPARED_CHARS]
    other = SPRING_VALUES.get(plain)
    if other in allowed:
        return other
    found = difflib.get_close_matches(plain, allowed, n=1, cutoff=NEAR)
    return found[0] if found else None


def _plain(name: str) -> str:
    """`search_max_results` for `search.maxResults`, `search.max-results` and `SEARCH_MAX_RESULTS`."""
    clipped = name[:MAX_COMPARED_CHARS]
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", clipped).lower())


@cache
def _spring_names() -> dict[str, Option]:
    """Names that stand in Spring's documentation and are no names of ours, with and without prefix."""
    names = {}
    for property_ in SPRING_PROPERTIES:
        option = options_by_argument()[property_.option]
        names[_plain(SPRING_PREFIX + property_.name)] = option
        if "-" in property_.name:
            names[_plain(property_.name)] = option
    return names


def _group_of(plain: str) -> tuple[Group | None, str]:
    """The group that a name begins with, and the rest; a common beginning makes no names alike."""
    for group in GROUPS:
        if plain.startswith(f"{group}_"):
            return group, plain.removeprefix(f"{group}_")
    return None, plain


@cache
def _names(*, whole: bool) -> dict[str, Option]:
    """The names to compare with: those within a group, and if asked for also the whole ones."""
    names = {name: option for option in OPTIONS for name in (option.field, option.name)}
    if whole:
        names |= {option.argument: option for option in OPTIONS} | _spring_names()
    return names
