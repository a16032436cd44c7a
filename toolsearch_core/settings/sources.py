"""The three sources of settings: a TOML file, the environment, keyword arguments."""

import errno
import os
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from toolsearch_core.errors import SettingsError
from toolsearch_core.settings.given import Given, Origin, given, shown
from toolsearch_core.settings.names import unknown_name
from toolsearch_core.settings.table import GROUPS, OPTIONS, VARIABLE_PREFIX, options_by_argument

FILE_VARIABLE = "TOOLSEARCH_CONFIG"
"""Names the file when no other is given."""
DEFAULT_FILE = "toolsearch.toml"
"""Read from the working directory, if it is there and no other file is named."""
OTHER_VARIABLES = (
    FILE_VARIABLE,
    "TOOLSEARCH_HYPOTHESIS",
    "TOOLSEARCH_REQUIRE_BROWSER",
    "TOOLSEARCH_TEST_DATA",
)
"""Variables of ours that are no options: the file, and what the tests look at."""
MAX_FILE_BYTES = 64_000
MAX_DOTS = 2_000
"""On one line: the time to read a name of so many parts grows with the square of their number."""


def find_file(file: Path | str | None, environ: Mapping[str, str]) -> Path | None:
    """The file to read: the one given, else the one of the environment, else that of the directory.

    Raises:
        SettingsError: what is given is no path.
    """
    if file is None and environ.get(FILE_VARIABLE):
        file = environ[FILE_VARIABLE]
    if file is None:
        found = Path(DEFAULT_FILE)
        return found if os.path.lexists(found) else None
    if not isinstance(file, str | Path) or not str(file).strip():
        raise SettingsError(
            "settings.out_of_range",
            option="file",
            value=shown(file),
            allowed="the path of a TOML file",
        )
    return Path(file)


def from_file(path: Path) -> Iterator[Given]:
    """What a TOML file sets.

    Raises:
        SettingsError: it cannot be read, is no TOML, or holds what is no option or cannot be its value.
    """
    known = {option.full_name: option for option in OPTIONS}
    place = str(path)
    for group, entries in _parsed(_text_of(path), place).items():
        if group not in GROUPS:
            raise unknown_name(_dotted(group, entries), place)
        if not isinstance(entries, dict):
            raise SettingsError(
                "settings.group_is_value", group=group, origin=place, value=shown(entries)
            )
        for name, raw in entries.items():
            option = known.get(f"{group}.{name}")
            if option is None:
                raise unknown_name(_dotted(f"{group}.{name}", raw), place)
            yield given(option, Origin(kind="file", place=place), raw)


def from_environment(environ: Mapping[str, str]) -> Iterator[Given]:
    """What the variables that begin with `TOOLSEARCH_` set; an empty one sets nothing.

    Raises:
        SettingsError: one is no option, or its text cannot be its value.
    """
    known = {option.variable: option for option in OPTIONS}
    for name in sorted(environ):
        if not name.upper().startswith(VARIABLE_PREFIX) or name in OTHER_VARIABLES:
            continue
        option = known.get(name)
        if option is None:
            raise unknown_name(name[len(VARIABLE_PREFIX) :], name, lambda option: option.variable)
        if environ[name]:
            yield given(option, Origin(kind="environment", place=name), environ[name], text=True)


def from_arguments(arguments: Mapping[str, object]) -> Iterator[Given]:
    """What keyword arguments set.

    Raises:
        SettingsError: one is no option, or its value cannot be that of the option.
    """
    known = options_by_argument()
    for name, raw in arguments.items():
        option = known.get(name)
        if option is None:
            raise unknown_name(name, "keyword arguments", lambda option: option.argument)
        yield given(option, Origin(kind="argument", place=name), raw)


def _text_of(path: Path) -> str:
    place = str(path)
    try:
        if stat.S_ISFIFO(os.stat(path).st_mode):  # it would be waited for
            raise OSError(errno.EINVAL, "it is a pipe")
        with open(path, "rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise SettingsError("settings.file_missing", path=place) from None
    except (OSError, ValueError) as problem:
        detail = problem.strerror if isinstance(problem, OSError) else None
        raise SettingsError(
            "settings.file_unreadable", path=place, problem=detail or str(problem)
        ) from None
    if len(data) > MAX_FILE_BYTES:
        raise SettingsError("settings.file_too_large", path=place, allowed=MAX_FILE_BYTES // 1000)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise SettingsError("settings.file_wrong_encoding", path=place, line=line) from None


def _parsed(text: str, place: str) -> dict[str, object]:
    try:
        if any(line.count(".") > MAX_DOTS for line in text.split("\n")):
            raise RecursionError
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        detail, _, at = str(fault).rpartition(" (at ")
        found = re.match(r"line (\d+), column (\d+)", at)
        line = int(found[1]) if found else text.count("\n") + 1
        raise SettingsError(
            "settings.file_not_toml", path=place, line=line, problem=detail or str(fault)
        ) from None
    except (ValueError, RecursionError):  # a number, or a nesting, beyond what Python reads
        raise SettingsError("settings.file_beyond_limits", path=place) from None


def _dotted(name: str, value: object) -> str:
    """The whole name of what stands in nested tables, as far as it leads to one value."""
    parts = [name]
    while isinstance(value, dict) and len(value) == 1 and len(parts) < 20:
        (inner, value), *_ = value.items()
        parts.append(str(inner))
    return ".".join(parts)
