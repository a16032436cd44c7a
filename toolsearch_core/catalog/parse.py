"""From text to JSON values, lenient: doubled keys and odd numbers pass, to be cleaned later.

A document is read whole. One that is not a single value, but has an object on most of its lines, is
read as JSON lines, where a bad line costs that line only.
"""

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TypeAlias

from toolsearch_core.catalog.limits import MAX_DEPTH
from toolsearch_core.errors import CatalogError
from toolsearch_core.jsonvalues import JsonValue
from toolsearch_core.notices import Notice, notice

TOO_DEEP = "\ufdd0 nested too deeply"
"""Stands in the value for what the parser cannot reach; it begins with a noncharacter, as no text does."""

_MAX_WHOLE_NUMBER_DIGITS = 300
_CUT_DEPTH = MAX_DEPTH + 10  # an envelope may hold an entry a few levels down
_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)


class ObjectWithDoubledKey(dict[str, JsonValue]):
    """A JSON object in which a key stands more than once; the last value counts."""

    __slots__ = ("doubled",)

    def __init__(self, pairs: list[tuple[str, JsonValue]]) -> None:
        super().__init__(pairs)
        self.doubled = Counter(key for key, _ in pairs).most_common(1)[0][0]


RawValue: TypeAlias = "JsonValue | BadLine"
"""What stands at the place of an entry."""
Document: TypeAlias = "JsonValue | Lines"
"""What a file holds."""


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line of JSON lines that is no JSON."""

    problem: Notice


@dataclass(frozen=True, slots=True)
class Lines:
    """The values of a text in JSON lines, in order."""

    values: tuple[RawValue, ...]


def parsed(text: str) -> Document:
    """The value of a text, or the values of its lines.

    Raises:
        CatalogError: the text is not JSON, with line and column.
    """
    try:
        return _value(text)
    except (json.JSONDecodeError, CatalogError) as problem:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if not _looks_like_lines([line for _, line in lines]):
            raise _error(problem, text) from None
    return Lines(tuple(_line_value(number, line) for number, line in lines))


def _looks_like_lines(lines: list[str]) -> bool:
    objects = sum(line.strip()[0] == "{" and line.strip()[-1] == "}" for line in lines)
    return len(lines) > 1 and objects * 2 >= len(lines)


def _line_value(number: int, line: str) -> RawValue:
    try:
        return _value(line)
    except json.JSONDecodeError as problem:
        return BadLine(
            notice("catalog.bad_line", line=number, column=problem.colno, problem=problem.msg)
        )
    except CatalogError as problem:
        return BadLine(problem.notice)


def _value(text: str) -> JsonValue:
    try:
        return _load(text)
    except RecursionError:
        pass
    shallow, where = _without_depths(text)
    try:
        return _load(shallow)
    except (json.JSONDecodeError, RecursionError):
        line, column = text.count("\n", 0, where) + 1, where - text.rfind("\n", 0, where)
        raise CatalogError(
            "catalog.too_deep", line=line, column=column, allowed=MAX_DEPTH
        ) from None


def _load(text: str) -> JsonValue:
    value: JsonValue = json.loads(text, object_pairs_hook=_object, parse_int=_whole_number)
    return value


def _object(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    value = dict(pairs)
    return value if len(value) == len(pairs) else ObjectWithDoubledKey(pairs)


def _whole_number(digits: str) -> int | float:
    # Python refuses to convert, and to write, numbers of more than 4300 digits.
    return int(digits) if len(digits) <= _MAX_WHOLE_NUMBER_DIGITS else math.inf


def _without_depths(text: str) -> tuple[str, int]:
    """The text with everything deeper than `_CUT_DEPTH` replaced by a mark, and where the first was."""
    kept: list[str] = []
    kept_to, depth, first = 0, 0, len(text)
    for match in _BRACKETS.finditer(text):
        if match[0] in "[{":
            depth += 1
            if depth == _CUT_DEPTH:
                kept += text[kept_to : match.start()], json.dumps(TOO_DEEP)
                first = min(first, match.start())
                kept_to = len(text)
        elif match[0] in "]}":
            if depth == _CUT_DEPTH:
                kept_to = match.end()
            depth -= 1
    kept.append(text[kept_to:])
    return "".join(kept), first


def _error(problem: json.JSONDecodeError | CatalogError, text: str) -> CatalogError:
    if isinstance(problem, CatalogError):
        return problem
    code = "catalog.not_json" if problem.pos < len(text.rstrip()) else "catalog.json_cut_off"
    return CatalogError(code, line=problem.lineno, column=problem.colno, problem=problem.msg)
