"""From three sources to one checked value, with the origin of every option."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from toolsearch_core.errors import SettingsError
from toolsearch_core.eviction import EvictionConfig
from toolsearch_core.eviction.config import DEFAULT_TTL_S, WITH_TTL
from toolsearch_core.options import AdvisorOptions
from toolsearch_core.settings.given import Given, Origin, given, not_allowed
from toolsearch_core.settings.sources import find_file, from_arguments, from_environment, from_file
from toolsearch_core.settings.table import OPTIONS, options_by_argument
from toolsearch_core.settings.values import Settings

MAX_CAP = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadedSettings:
    """Settings, and where each of them comes from."""

    settings: Settings
    origins: Mapping[str, Origin]
    """Full name of each option, such as `search.max_results`, in the order of the table."""
    file: Path | None = None
    """The file that was read."""


def load_settings(
    *,
    file: Path | str | None = None,
    environ: Mapping[str, str] | None = None,
    **options: object,
) -> LoadedSettings:
    """The settings of this process.

    What is set in several places counts from the first of these: a keyword argument, a variable of the
    environment, the file, the default. All of them are checked, also where another one wins.

    Args:
        file: a TOML file with one table per group; else the one that `TOOLSEARCH_CONFIG` names; else
            `toolsearch.toml` in the working directory, if there is one.
        environ: variables such as `TOOLSEARCH_SEARCH_MAX_RESULTS`, those of the process when left out; an
            empty one counts as not set.
        **options: group and name, such as `search_max_results=5` or `eviction_ttl="30m"`. `None` is a
            value: none.

    Raises:
        SettingsError: a file that cannot be used, a name that is no option, or a value that is not
            allowed; it names option, place, value and what is allowed.
    """
    # Not as the default value, which help texts print with every secret in it.
    environ = os.environ if environ is None else environ
    path = find_file(file, environ)
    sources = chain(
        from_file(path) if path else (), from_environment(environ), from_arguments(options)
    )
    effective: dict[str, Given] = {}
    for found in sources:
        _settings(_completed({found.option.argument: found}))  # checked, also if another wins
        effective[found.option.argument] = found
    effective = _completed(effective)
    origins = {
        option.full_name: effective[option.argument].origin
        if option.argument in effective
        else Origin(kind="default")
        for option in OPTIONS
    }
    return LoadedSettings(settings=_settings(effective), origins=origins, file=path)


def _completed(explicit: Mapping[str, Given]) -> dict[str, Given]:
    return {**explicit, **dict(_following(explicit))}


def _following(effective: Mapping[str, Given]) -> Iterator[tuple[str, Given]]:
    """The defaults that depend on what is set elsewhere."""
    ttl = effective.get("eviction_ttl")
    if ttl is not None and ttl.value is not None and "eviction_strategy" not in effective:
        yield _default("eviction_strategy", "composite", since="eviction_ttl")
    strategy = effective.get("eviction_strategy")
    if strategy is not None and strategy.value in WITH_TTL and (ttl is None or ttl.value is None):
        yield _default("eviction_ttl", DEFAULT_TTL_S, since="eviction_strategy")
    results = effective.get("search_max_results")
    cap = AdvisorOptions().max_results_cap
    if results is not None and isinstance(results.value, int) and not 1 <= results.value <= cap:
        room = results.value if cap < results.value <= MAX_CAP else MAX_CAP
        if "search_max_results_cap" not in effective:
            yield _default("search_max_results_cap", room, since="search_max_results")


def _default(name: str, value: object, since: str) -> tuple[str, Given]:
    known = options_by_argument()
    origin = Origin(kind="default", place=known[since].full_name)
    return name, given(known[name], origin, value)


def _settings(effective: Mapping[str, Given]) -> Settings:
    parts: dict[str, dict[str, Any]] = {"settings": {}, "options": {}, "eviction": {}}
    for found in effective.values():
        parts[found.option.part][found.option.field] = found.value
    try:
        return Settings(
            **parts["settings"],
            options=AdvisorOptions(**parts["options"]),
            eviction=EvictionConfig(**parts["eviction"]),
        )
    except SettingsError as refused:
        field = refused.notice.params.get("option")
        for found in effective.values():
            if found.option.field == field:
                allowed = str(refused.notice.params["allowed"])
                raise not_allowed(found.option, found.origin, found.raw, allowed) from None
        raise
