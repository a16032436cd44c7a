"""What is wrong with arguments, told: the place, the rule, the value, and what is allowed."""

from collections.abc import Iterable, Sequence
from typing import Any

from jsonschema import ValidationError

from toolsearch_core.execution.schema import TYPES
from toolsearch_core.jsonvalues import compact_json
from toolsearch_core.notices import Notice, notice

MAX_SHOWN_CHARS = 80
MAX_CHOICES = 20


def told(error: ValidationError) -> Notice:
    """The notice of one error."""
    path = _place(error.absolute_path)
    value, rule = shown(error.instance), str(error.validator)
    wanted: Any = error.validator_value
    if rule == "required":
        return notice("execution.missing", path=path)
    if rule == "additionalProperties":
        known = list(error.schema.get("properties", {})) if isinstance(error.schema, dict) else []
        return notice("execution.unexpected", path=path, allowed=_choice(known))
    if types := wanted_types(error):
        allowed = " or ".join(types)
        return notice("execution.wrong_type", path=path, value=value, rule=rule, allowed=allowed)
    if rule in ("enum", "const"):
        values = [shown(item) for item in (wanted if rule == "enum" else [wanted])]
        return notice(
            "execution.not_allowed", path=path, value=value, rule=rule, allowed=_choice(values)
        )
    # A schema that is just `false` has no rule of its own.
    rule = "false" if error.validator is None else rule
    return notice("execution.breaks_rule", path=path, value=value, rule=rule, allowed=shown(wanted))


def wanted_types(error: ValidationError) -> tuple[str, ...]:
    """The types that would do, where the type alone is wrong; empty for any other error."""
    wanted: Any = error.validator_value
    if error.validator == "type":
        return (wanted,) if isinstance(wanted, str) else tuple(wanted)
    if error.validator in ("anyOf", "oneOf"):
        types = [branch.get("type") if isinstance(branch, dict) else None for branch in wanted]
        named = [name for name in types if isinstance(name, str) and name in TYPES]
        return tuple(dict.fromkeys(named)) if len(named) == len(types) else ()
    return ()


def shown(value: Any) -> str:
    """Compact JSON, clipped."""
    try:
        return _clip(compact_json(value), MAX_SHOWN_CHARS)
    except (ValueError, TypeError, RecursionError):
        return repr(value) if isinstance(value, float) else type(value).__name__


def _place(steps: Iterable[str | int]) -> str:
    """`items[0].name`; the whole of the arguments is `arguments`."""
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return _clip(place.removeprefix("."), MAX_SHOWN_CHARS) or "arguments"


def _choice(values: Sequence[str]) -> str:
    return _clip(", ".join(values[:MAX_CHOICES]), 2 * MAX_SHOWN_CHARS) or "nothing"


def _clip(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
