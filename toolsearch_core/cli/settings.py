"""`settings`: every option, its effective value, and where that comes from."""

import argparse
import json
import unicodedata
from collections.abc import Sequence

from toolsearch_core.cli.printable import printable
from toolsearch_core.settings import (
    GROUPS,
    OPTIONS,
    LoadedSettings,
    Option,
    Settings,
    load_settings,
)
from toolsearch_core.settings.given import without_secrets
from toolsearch_core.settings.spring import SPRING_PREFIX, SPRING_PROPERTIES
from toolsearch_core.settings.table import options_by_argument

VALUE_COLUMN = 24
"""Shorter values are filled up to this, so that what follows them is aligned; or longer as needed."""
WIDEST_COLUMN = 48


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the verb."""
    parser = subparsers.add_parser(
        "settings",
        help="print every option, its value, and where that comes from",
        description="Print the settings as a turn would use them, in TOML, each with its origin. Options"
        " come from TOOLSEARCH_… variables, then from a TOML file, then from the defaults.",
        epilog="Exit code: 0, or 2 when a source of settings is refused.",
    )
    add_config_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--spring", action="store_true", help="print what the properties of Spring are called here"
    )
    parser.set_defaults(run=run)


def add_config_option(parser: argparse.ArgumentParser) -> None:
    """Add `--config`, for every verb that reads settings."""
    parser.add_argument(
        "--config",
        metavar="FILE.toml",
        help="settings; else the file that TOOLSEARCH_CONFIG names, else toolsearch.toml here",
    )


def run(args: argparse.Namespace) -> int:
    """Print; always 0."""
    if args.spring:
        _print_spring(as_json=args.json)
        return 0
    loaded = load_settings(file=args.config)
    if args.json:
        print(_one_line(_as_json(loaded)))
    else:
        print("\n".join(map(printable, _as_toml(loaded))))
    return 0


def _as_json(loaded: LoadedSettings) -> dict[str, object]:
    return {
        "file": None if loaded.file is None else str(loaded.file),
        "settings": {
            group: {option.name: written(option, loaded.settings) for option in _of(group)}
            for group in GROUPS
        },
        "origins": {
            group: {option.name: str(loaded.origins[option.full_name]) for option in _of(group)}
            for group in GROUPS
        },
    }


def _as_toml(loaded: LoadedSettings) -> list[str]:
    values = [toml(written(option, loaded.settings)) for option in OPTIONS]
    width = max([VALUE_COLUMN, *(len(value) for value in values if len(value) <= WIDEST_COLUMN)])
    name_width = max(len(option.name) for option in OPTIONS)
    lines = [f"# file: {loaded.file}" if loaded.file else "# no file of settings"]
    for group in GROUPS:
        lines += ["", f"[{group}]"]
        for option in _of(group):
            value = toml(written(option, loaded.settings))
            origin = loaded.origins[option.full_name]
            lines.append(f"{option.name:<{name_width}} = {value:<{width}}  # {origin}")
    return lines


def _of(group: str) -> list[Option]:
    return [option for option in OPTIONS if option.group == group]


def written(option: Option, settings: Settings) -> object:
    """The value as the sources take it, without what looks like a password or a key."""
    value = option.written(settings)
    return without_secrets(value) if isinstance(value, str) else value


def toml(value: object) -> str:
    """A value in TOML on one line, with the codes of control and direction characters; `"none"` for none."""
    match value:
        case None:
            return '"none"'
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{"".join(map(_escaped, value))}"'
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case _:
            return str(value)


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if _is_shown(char):
        return char
    return f"\\u{ord(char):04X}" if ord(char) < 0x10000 else f"\\U{ord(char):08X}"


def _is_shown(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _one_line(value: object) -> str:
    """JSON in which only what shows stands as it is."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return "".join(char if _is_shown(char) else json.dumps(char)[1:-1] for char in text)


def spring_rows() -> list[tuple[str, str, str, str, str]]:
    """Property without prefix, default there, option here, default here, what differs."""
    defaults = Settings()
    rows = []
    for found in SPRING_PROPERTIES:
        option = options_by_argument()[found.option]
        default = toml(option.written(defaults)).replace('"', "")
        rows.append((found.name, found.default, option.full_name, default, found.differs))
    return rows


def _print_spring(*, as_json: bool) -> None:
    head = ("property in Spring", "default there", "option here", "default here", "what differs")
    rows = spring_rows()
    if as_json:
        keys = ("property", "default", "option", "option_default", "differs")
        found = [dict(zip(keys, (SPRING_PREFIX + row[0], *row[1:]), strict=True)) for row in rows]
        print(_one_line(found))
        return
    print(f"{SPRING_PREFIX}…")
    for line in _aligned([head, *rows]):
        print(line)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
