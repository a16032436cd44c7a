"""Made-up values: a name of a field says what kind of value fits, chance says which."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from random import Random

from toolsearch_core.execution.bounds import Bounds, offset_of
from toolsearch_core.execution.vocabulary import Language, choices, kinds, word_list
from toolsearch_core.jsonvalues import JsonValue
from toolsearch_core.text.tokens import name_words

FIRST_MOMENT = datetime(2026, 1, 5, 8, 0)
DAYS = 10
"""Moments lie within so many days from the first one; results have to be the same on every day."""


class Values:
    """Values of one result, in its language and about its subject."""

    def __init__(
        self,
        chance: Random,
        language: Language,
        *,
        about: str,
        things: Sequence[str],
        noun: str,
        bounds: Bounds | None = None,
    ) -> None:
        """Start.

        Args:
            chance: decides everything.
            language: of names and texts.
            about: what the call asks for, as a phrase.
            things: English words for what is answered, the most telling first.
            noun: one such word in the language, as a name has it.
            bounds: what the arguments fix.
        """
        self._chance = chance
        self._language = language
        self._about = about
        self._things = things
        self._noun = noun
        self._currency = "KRW" if language == "ko" else chance.choice(["EUR", "USD", "GBP"])
        minutes = chance.randrange(DAYS * 24 * 4) * 15
        self._moment = FIRST_MOMENT + timedelta(minutes=minutes)
        self._bounds = bounds or Bounds()
        self._zone = self._bounds.zone or chance.choice(choices(language, "timezone"))
        self._low = 0.0
        self._coolest: float | None = None
        self._shown: list[datetime] = []
        self._picked: dict[str, list[str]] = {}

    def record(self, fields: Iterable[str], number: int = 0) -> dict[str, JsonValue]:
        """One thing with these fields; each next one is later: minutes in a timetable, else a day."""
        wanted = tuple(fields)
        moment = self._moment
        self._moment = self._begin() + number * self._step(wanted)
        self._moment += timedelta(minutes=5 * self._chance.randrange(3))
        last = self._bounds.ends
        if last is not None and self._bounds.begins is not None:
            self._moment = min(self._moment, max(last, self._bounds.begins))
        made = {field: self.of(field) for field in wanted}
        if "email" in made and "name" in made:  # a person
            made["name"] = self._pick("person")
        self._moment, self._shown = moment, []
        return made

    def _begin(self) -> datetime:
        """The moment of the first thing: what is asked for, else one by chance, in the year asked for."""
        moment = self._bounds.first_moment or self._moment
        if self._bounds.first_moment is None and self._bounds.year is not None:
            early = self._moment - FIRST_MOMENT
            moment = datetime(self._bounds.year, 1, 1, 9) + early % timedelta(days=60)
        if not set(self._things).isdisjoint(word_list("daytime")) and not 9 <= moment.hour < 17:
            moment = moment.replace(hour=9 + moment.hour % 8)
        return moment

    def _step(self, wanted: Sequence[str]) -> timedelta:
        if {"departure_at", "time"} & set(wanted):
            return timedelta(minutes=15)
        return timedelta(days=45 if self._bounds.year is not None else 1)

    def of(self, field: str) -> JsonValue:
        """A value that fits the name of a field."""
        kind, *rest = self._kind(field).split()
        match kind:
            case "number":
                return self._number(field, float(rest[0]), float(rest[1]), int(rest[2]))
            case "integer" if field == "duration_minutes" and len(self._shown) > 1:
                return (self._shown[-1] - self._shown[0]).seconds // 60
            case "integer":
                made = self._chance.randint(int(rest[0]), int(rest[1]))
                return int(self._varied(field, made))
            case "pick" if field in ("timezone", "utc_offset"):
                return self._zone if field == "timezone" else offset_of(self._zone, self._moment)
            case "money":
                won = self._currency == "KRW"
                cents = self._chance.randint(180, 24_000)
                return cents * 10 if won else cents / 100
            case "pick":
                own = (f"{rest[0]}_{thing}" for thing in self._things)
                known = (name for name in own if choices(self._language, name))
                return self._pick(next(known, rest[0]))
            case "about":
                return self._pick(rest[0]).format_map({"about": self._about})
            case "yes":
                asked = self._bounds.true.isdisjoint(name_words(field))
                return self._chance.random() < 0.75 or not asked
            case "date" | "time" | "moment":
                return self._moment_as(kind)
        return self._text(kind)

    def _kind(self, field: str) -> str:
        for word in (field, *reversed(name_words(field))):
            if word in kinds():
                return kinds()[word]
        return "about text"

    def _number(self, field: str, low: float, high: float, digits: int) -> float:
        """A number in the range; lows of several things lie close together, a high above its low."""
        if "high" in field:
            return round(self._low + self._chance.uniform(3, 9), digits)
        number = self._chance.uniform(low, high)
        if "low" in field:
            self._coolest = number if self._coolest is None else self._coolest
            number = self._low = self._coolest + self._chance.uniform(0, 3)
        return round(self._bounds.within(field, number), digits) + 0.0

    def _varied(self, field: str, value: int) -> float:
        """A value within its bounds; where it was cut to one, somewhat off it, as things differ."""
        cut = self._bounds.within(field, value)
        if cut < value:
            cut = self._bounds.within(field, round(cut * self._chance.uniform(0.5, 1.0)))
        return cut

    def _pick(self, name: str) -> str:
        """One of the choices; all of them come up before one comes again."""
        left = self._picked.get(name) or list(choices(self._language, name))
        self._picked[name] = left
        return left.pop(self._chance.randrange(len(left)))

    def _moment_as(self, kind: str) -> str:
        """The moment of this thing; each further moment of it is later."""
        moment = self._moment
        if kind == "date":
            return moment.strftime("%Y-%m-%d")
        self._shown.append(moment)
        self._moment += timedelta(minutes=self._chance.choice([15, 30, 45, 60, 90]))
        return moment.strftime("%H:%M" if kind == "time" else "%Y-%m-%dT%H:%M:%SZ")

    def _text(self, kind: str) -> str:
        match kind:
            case "id":
                return f"{self._things[0][:3]}_{self._hex(6)}"
            case "hex":
                return self._hex(7)
            case "key":
                return f"{self._things[0][:3].upper()}-{self._chance.randint(11, 980)}"
            case "code":
                return f"{self._chance.randint(10_000, 99_999)}"
            case "currency":
                return self._currency
            case "person":
                return self._pick("person")
            case "email":
                return f"user{self._chance.randint(10, 99)}@example.com"
            case "url":
                return f"https://example.com/{self._hex(6)}"
            case "address":
                return f"{self._pick('street')} {self._chance.randint(1, 120)}"
            case "filename":
                return self._pick("filename")
        return f"{self._pick('proper')} {self._noun}"

    def _hex(self, digits: int) -> str:
        return f"{self._chance.getrandbits(4 * digits):0{digits}x}"
