"""What can be reckoned from the arguments: sums, shares, units, and rates that are at least likely."""

import math
from collections.abc import Mapping
from random import Random

from toolsearch_core.execution.echo import Echo
from toolsearch_core.execution.vocabulary import Language, per_dollar, singular, units
from toolsearch_core.jsonvalues import JsonValue
from toolsearch_core.text.tokens import name_words


def reckon(verb: str, echo: Echo, chance: Random, language: Language) -> Mapping[str, JsonValue]:
    """The result of a calculation or conversion; empty when the arguments do not suffice."""
    if verb == "translate":
        return {"translation": f"[{_target(echo)}] {echo.subject}"}
    if exchanged := exchange(echo, chance, language):
        return exchanged
    if not echo.numbers:
        return {}
    return _measured(echo, chance) if echo.texts else _arithmetic(verb, echo, chance)


def exchange(echo: Echo, chance: Random, language: Language) -> Mapping[str, JsonValue]:
    """The rate between the currencies of the arguments, near what it is, and the amount by it.

    A single currency is exchanged for the money at home. Empty without a known currency.
    """
    codes = [text.upper() for text in echo.texts if text.upper() in per_dollar()]
    if not codes:
        return {}
    home = "KRW" if language == "ko" else "USD"
    other = codes[1] if len(codes) > 1 else home if codes[0] != home else "EUR"
    worth = per_dollar()[other] / per_dollar()[codes[0]] * chance.uniform(0.98, 1.02)
    rate = float(f"{worth:.4g}")
    told: dict[str, JsonValue] = {"rate": rate}
    if len(codes) == 1:
        told["in_currency"] = other
    if echo.numbers:
        told["result"] = _short(echo.numbers[0] * rate)
    return told


def _measured(echo: Echo, chance: Random) -> Mapping[str, JsonValue]:
    """Between two known units of one kind as it is; between others by a factor that is made up."""
    number = echo.numbers[0]
    named = [_unit(text) for text in echo.texts]
    if named[:2] == ["celsius", "fahrenheit"]:
        return {"result": _short(number * 9 / 5 + 32)}
    if named[:2] == ["fahrenheit", "celsius"]:
        return {"result": _short((number - 32) * 5 / 9)}
    sizes = [units()[name] for name in named if name in units()]
    if len(sizes) >= 2 and sizes[0][0] == sizes[1][0]:
        return {"result": _short(number * sizes[0][1] / sizes[1][1])}
    factor = round(chance.uniform(0.2, 4.0), 3)
    return {"factor": factor, "result": _short(number * factor)}


def _unit(text: str) -> str:
    name = "".join(name_words(text)[:2])
    if name in ("c", "f", "celsius", "fahrenheit"):
        return "celsius" if name[0] == "c" else "fahrenheit"
    return name if name in units() else singular(name)


def _arithmetic(verb: str, echo: Echo, chance: Random) -> Mapping[str, JsonValue]:
    """What the verb asks for; without a verb that says how, a likely part of the first number."""
    numbers = list(echo.numbers)
    if verb == "add" and len(numbers) < 2:
        return {}
    match verb if len(numbers) > 1 else "":
        case "sum" | "add":
            return {"result": _short(math.fsum(numbers))}
        case "multiply":
            return {"result": _short(math.prod(numbers))}
        case "subtract":
            return {"result": _short(numbers[0] - numbers[1])}
        case "average":
            return {"result": _short(math.fsum(numbers) / len(numbers))}
        case "split" | "divide" if numbers[1]:
            return {"result": _short(numbers[0] * (1 + echo.percent / 100) / numbers[1])}
    return {"result": _short(numbers[0] * chance.uniform(0.3, 0.95))}


def _target(echo: Echo) -> str:
    """The language to translate into."""
    for name, value in echo.all.items():
        if isinstance(value, str) and {"target", "to", "language", "lang"} & set(name_words(name)):
            return value
    return "translated"


def _short(number: float) -> float:
    """At most four digits behind the point, fewer for large numbers; 0 for what is beyond numbers."""
    if not math.isfinite(number) or abs(number) > 1e15:
        return 0
    if float(number).is_integer():
        return int(number)
    return round(number, 2 if abs(number) >= 1 else 4)
