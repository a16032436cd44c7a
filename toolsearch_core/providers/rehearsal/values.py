"""The values of one need, given away to the arguments of one call."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from toolsearch_core.providers.rehearsal.lexicon import gloss, word_set
from toolsearch_core.providers.rehearsal.literals import Found, LiteralKind
from toolsearch_core.providers.rehearsal.moments import in_unit, iso_date, iso_time, number_in
from toolsearch_core.providers.rehearsal.needs import Need
from toolsearch_core.providers.rehearsal.roles import KINDS, roles_of
from toolsearch_core.providers.rehearsal.spans import ends_of
from toolsearch_core.text.tokens import name_words

_SHARED: tuple[LiteralKind, ...] = ("pair", "key", "path", "channel", "url", "date", "datetime")
"""Kinds that one clause of a question may say for the others."""
_MARKED: tuple[LiteralKind, ...] = ("channel", "mention", "hash")
"""Kinds written with a mark that is no part of the value."""
_MEASURES: tuple[LiteralKind, ...] = ("money", "percent", "duration")
_NOT_A_REPOSITORY = ("branch", "called", "named", "file", "path", "tag", "folder")
_HOW_MANY = frozenset("limit max count top size page results number maximum first per".split())
_HOW_MANY_SAID = frozenset("top first last latest result only item recent up".split())
_SPELLED = "one two three four five six seven eight nine ten".split()
_FOR_SO_MANY = re.compile(rf"\b(?:for|of)\s+({'|'.join(_SPELLED)})\b", re.IGNORECASE)
"""`a table for four`."""
_TIME_UNITS = frozenset("minutes hours seconds days".split())


@dataclass(slots=True)
class Values:
    """What a need names literally; a value that was given away is not given to another property."""

    need: Need
    taken: list[str] = field(default_factory=list)
    """Masks of the values that found their property."""
    used: list[str] = field(default_factory=list)
    """Masks of all that went into arguments, also of those that more than one property may have."""

    def free(self, kinds: Sequence[LiteralKind]) -> list[Found]:
        """Values that are still to be had: those of the need, then those of its question that it shares."""
        mine = self.need.source.inside(self.need.masked)
        others = [
            found for found in self.need.source.found if found not in mine and found.kind in _SHARED
        ]
        return [
            found
            for found in (*mine, *others)
            if found.kind in kinds and found.mask not in self.taken
        ]

    def take(self, *kinds: LiteralKind) -> str | None:
        """The first value of the first kind that has one."""
        for kind in kinds:
            for found in self.free((kind,)):
                return self.give(found)
        return None

    def give(self, found: Found) -> str:
        """The text of a value, without its mark; it is gone then."""
        self.taken.append(found.mask)
        self.use(found)
        return found.text.lstrip("#!@") if found.kind in _MARKED else found.text

    def use(self, found: Found) -> None:
        """Note that a value went into an argument."""
        self.used.append(found.mask)

    def first(self, *kinds: LiteralKind) -> Found | None:
        """The first value of these kinds; it stays."""
        return next(iter(self.free(kinds)), None)

    def repository(self) -> Found | None:
        """The `owner/name` of the question, which is not the branch or the file of the same shape."""
        ends = ends_of(self.need)
        for found in self.free(("pair",)):
            if None not in ends and found.text in ends:
                continue
            before = self.need.source.text.partition(found.mask)[0].split()[-1:]
            if not before or before[0] not in _NOT_A_REPOSITORY:
                return found
        return None

    def moment(self, *, last: bool = False) -> str | None:
        """The date, with the time when there is one; the time alone when there is no date.

        Args:
            last: of several the last one, as for an end.
        """
        place = -1 if last else 0
        dates, clocks = self.free(("datetime", "date")), self.free(("time",))
        date, clock = dates[place] if dates else None, clocks[place] if clocks else None
        for said in (date, clock):
            if said is not None:
                self.use(said)
        if date is None:
            return iso_time(clock.text)[:5] if clock else None
        if date.kind == "datetime" or clock is None:
            return iso_date(date.text)
        return f"{iso_date(date.text)}T{iso_time(clock.text)}"

    def numbers(self, name: str) -> Iterator[float]:
        """Numbers meant for a property, the surest first."""
        nouns = [word for word in name_words(name) if word not in word_set("generic_names")]
        roles = roles_of(name)
        for found in self.free(("number", "hash")):
            if self._stands_by(found, nouns):
                yield from self._number(found, name)
        kinds: list[LiteralKind] = ["hash"] if {"id", "key"} & set(roles) else []
        kinds += [kind for role in roles for kind in KINDS[role] if kind in _MEASURES]
        if not _TIME_UNITS.isdisjoint(nouns):
            kinds.append("duration")
        for found in self.free(kinds):
            yield from self._number(found, name)

    def lone_number(self) -> float | None:
        """The only number of the need that nobody took."""
        free = self.free(("hash", "number"))
        if not free and (word := _FOR_SO_MANY.search(self.need.masked)):
            return float(_SPELLED.index(word[1].lower()) + 1)
        return number_in(self.give(free[0])) if len(free) == 1 else None

    def by_prefix(self, name: str, required: bool) -> str | None:
        """`cus_77` is for `customer`, `pi_3N` for `payment_intent`; a lone id is for what must have one."""
        parts = [word for word in name_words(name) if word not in word_set("generic_names")]
        initials = "".join(word[0] for word in parts)
        free = self.free(("id",))
        for found in free:
            prefix = re.split(r"[_-]", found.text)[0].lower()
            if len(prefix) > 1 and (
                prefix == initials or any(word.startswith(prefix) for word in parts)
            ):
                return self.give(found)
        if required and len(free) == 1 and not roles_of(name):
            return self.give(free[0])
        return None

    def _stands_by(self, found: Found, nouns: Sequence[str]) -> bool:
        """Whether a value stands next to one of the words: `pipeline 8812`, `top 5`, `5 results`."""
        clause = self.need.masked
        place = clause.find(found.mask)
        if place < 0:
            return False
        near = name_words(clause[:place])[-2:] + name_words(clause[place + 1 :])[:1]
        near += name_words(gloss(clause[max(0, place - 8) : place + 8]))
        stems = [word.rstrip("s") for word in near]
        if any(noun.rstrip("s") in stems for noun in nouns):
            return True
        return not _HOW_MANY.isdisjoint(nouns) and not _HOW_MANY_SAID.isdisjoint(stems)

    def _number(self, found: Found, name: str) -> Iterator[float]:
        if found.kind == "duration":
            value = in_unit(found.text, name_words(name))
        else:
            value = number_in(found.text)
        if value is not None:
            self.give(found)
            yield value
