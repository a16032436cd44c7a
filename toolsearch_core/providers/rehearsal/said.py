"""What a need says about one property of a tool: the value meant for it, found by name and by kind."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from toolsearch_core.providers.rehearsal.lexicon import (
    bare_korean,
    gloss,
    is_verb,
    korean_actions,
    korean_words,
    table,
)
from toolsearch_core.providers.rehearsal.literals import Found, LiteralKind
from toolsearch_core.providers.rehearsal.needs import Need
from toolsearch_core.providers.rehearsal.queries import is_empty_word
from toolsearch_core.text.tokens import name_words

_KINDS: dict[str, tuple[LiteralKind, ...]] = {
    "email": ("email",),
    "url": ("url",),
    "path": ("path", "pair"),
    "datetime": ("datetime", "date"),
    "duration": ("duration",),
    "key": ("key",),
    "owner": ("pair",),
    "repo": ("pair",),
    "project": ("pair", "number", "id"),
    "branch": (),
    "channel": ("channel",),
    "person": ("mention", "email"),
    "range": ("range",),
    "query": ("quote",),
    "title": (),
    "body": (),
    "place": (),
    "money": ("money",),
    "percent": ("percent",),
    "time": ("time",),
    "id": ("id", "key", "hash"),
}
"""Role of a property -> the kinds of value that are meant for it without being named."""
_SHARED: tuple[LiteralKind, ...] = ("pair", "key", "path", "channel", "url", "date", "datetime")
"""Kinds that one clause of a question may say for the others."""
_GENERIC = frozenset(
    "id ids key name number uid uuid iid slug value string text list the of".split()
)
_BEFORE = frozenset(
    "branch label channel space board team environment namespace project folder calendar collection database table "
    "bucket cluster queue topic tag column status priority severity unit currency category genre list".split()
)
"""Things whose name may stand before them: `the main branch`."""
_NOT_NAMES = frozenset(
    "new current latest last first next open closed all every my our your other same private public main-name entire "
    "whole big small old recent default own favourite favorite specific given certain".split()
)
_PLACE = re.compile(
    r"\b(?:in|at|near|around|for|of|to|from)\s+(?:the\s+)?([A-Z][\w'-]*(?:\.\w+)*(?:,?\s[A-Z][\w'-]*(?:\.\w+)*)*)"
)
_KOREAN_PLACE = re.compile(
    r"([가-힣]{2,}?)(?:에서|의|에)(?=\s)|([가-힣]{2,})\s+(?=날씨|기온|미세먼지|맛집|호텔|옷|지도|지역)"
)
_CALLED = re.compile(r"\b(?:titled|entitled|called|named|known as)\s+(\S+(?:\s[A-Z][\w'-]*)*)")
_SAYING = re.compile(
    r"\b(?:saying|says|asking|telling \w+|that reads|with the text|with text)\s+(?:that\s+)?(.+)$"
)
_ABOUT = re.compile(
    r"\b(?:about|regarding|concerning|containing|mentioning|matching|on the topic of)\s+(.+)$"
)
_KOREAN_TITLE = re.compile(
    r"([\ue000-\ue0ff])(?:이?라는|이?란)?\s*(?:제목|이름)|(?:제목|이름)(?:은|이|을|를)?\s*([\ue000-\ue0ff])"
)
_KOREAN_BODY = re.compile(
    r"([\ue000-\ue0ff])\s*(?:이?라고|이?라는\s*(?:내용|댓글|메시지))|(?:내용|본문)(?:은|이|을|를)?\s*([\ue000-\ue0ff])"
)


@dataclass(slots=True)
class Said:
    """Reads one need for the arguments of one call; a value is given away once where that matters."""

    need: Need
    taken: list[str] = field(default_factory=list)
    """Masks of values that found their property."""
    topic_taken: bool = False

    def value(self, name: str, description: str, required: bool) -> str | None:
        """The text meant for a property; `None` when the need does not say one.

        Args:
            name: the property's name.
            description: what its schema says about it.
            required: the call needs a value, so a weaker sign is enough.
        """
        roles = roles_of(name)
        found = (
            self._named(name, roles)
            or self._by_role(name, roles, description, required)
            or self._by_prefix(name, required)
        )
        return found.strip() if found and found.strip() else None

    def values(self, name: str, description: str, required: bool) -> list[str]:
        """The texts meant for a property that takes several."""
        roles = roles_of(name)
        kinds = [kind for role in roles for kind in _KINDS[role]]
        several = [found.text for found in self._literals(kinds) if found.kind in kinds]
        if several:
            return list(dict.fromkeys(several))
        one = self.value(name, description, required)
        return (
            [part.strip() for part in re.split(r",\s*|\s+and\s+", one) if part.strip()]
            if one
            else []
        )

    def numbers(self, name: str) -> Iterator[float]:
        """Numbers meant for a property, the surest first."""
        nouns = [word for word in name_words(name) if word not in _GENERIC]
        roles = roles_of(name)
        for found in self._literals(("number", "hash")):
            if found.mask not in self.taken and self._stands_by(found, nouns):
                yield from self._number(found, name)
        kinds: list[LiteralKind] = ["hash"] if {"id", "key"} & set(roles) else []
        kinds += [
            kind
            for role in roles
            for kind in _KINDS[role]
            if kind in ("money", "percent", "duration")
        ]
        if set(nouns) & {"minutes", "hours", "seconds", "days"}:
            kinds.append("duration")
        for found in self._literals(kinds):
            if found.mask not in self.taken:
                yield from self._number(found, name)

    def lone_number(self) -> float | None:
        """The only number of the need that nobody took."""
        free = [
            found for found in self._literals(("hash", "number")) if found.mask not in self.taken
        ]
        if len(free) != 1:
            return None
        self.taken.append(free[0].mask)
        return _parsed(free[0].text)

    def names(self, name: str) -> bool:
        """Whether the need says a word of the property's name, so that a value may stand beside it."""
        nouns = self._nouns(name, roles_of(name))
        said = name_words(self.need.masked)
        said += name_words(gloss(self.need.masked)) if self.need.language == "ko" else []
        stems = [word.rstrip("s") for word in said]
        return any(noun.rstrip("s") in stems for noun in nouns if " " not in noun)

    def choice(self, options: Sequence[str]) -> str | None:
        """The option that the need names, in English or by its Korean word; the longest of several."""
        clause = self.need.masked.lower()
        if self.need.language == "ko":
            clause = f"{clause} {gloss(self.need.masked)}"
        said = " ".join(name_words(clause))
        quoted = [found.text.lower() for found in self.need.source.inside(self.need.masked)]
        named = [
            option
            for option in options
            if option.lower() in quoted
            or (
                len(option) > 2
                and re.search(rf"\b{re.escape(' '.join(name_words(option)))}\b", said)
            )
        ]
        return max(named, key=len, default=None)

    def mentions(self, name: str) -> bool | None:
        """Whether the need says a yes-or-no property: `private`, `draft`, `without comments`."""
        telling = [word for word in name_words(name) if word not in _NOT_TELLING]
        clause = self.need.masked.lower()
        if self.need.language == "ko":
            clause = f"{clause} {gloss(self.need.masked)}"
        said = name_words(clause)
        if not telling or not all(word in said for word in telling):
            return None
        place = said.index(telling[0])
        return not any(
            word in ("without", "no", "not", "non", "exclude")
            for word in said[max(0, place - 3) : place]
        )

    def words_for_search(self) -> str:
        """What a search inside of a tool should look for: the topic, else the need's own words."""
        if topic := self._topic():
            return topic
        kept = [
            word
            for word in re.findall(r"[\w'-]+", self._shown(self.need.masked))
            if not is_empty_word(word) and not is_verb(word) and not korean_actions(word)
        ]
        return " ".join(bare_korean(word) for word in kept)

    def clause(self) -> str:
        """The need in its own words, as a last resort for a text somebody will read."""
        return self.need.text

    # -- by the name of the property ---------------------------------------------------------------

    def _named(self, name: str, roles: Sequence[str]) -> str | None:
        """`branch fix/login`, `branch: x`, `the main branch`, `subject "Lunch"`, `42번 이슈`."""
        if self.need.language == "ko" and (value := self._named_in_korean(name, roles)):
            return value
        for noun in self._nouns(name, roles):
            after = re.search(
                rf"\b{re.escape(noun)}s?\b\s*(?:is|are|=|:|named|called|titled|id|key|number|#)?\s*"
                r"([\ue000-\ue0ff]|[A-Za-z0-9][\w./-]*)",
                self.need.masked,
                re.IGNORECASE,
            )
            if after and (value := self._as_value(after[1], roles)):
                return value
            before = re.search(
                rf"([\ue000-\ue0ff]|[A-Za-z][\w.-]*)\s+{re.escape(noun)}\b", self.need.masked
            )
            if (
                before
                and (noun in _BEFORE or _is_mask(before[1]))
                and (value := self._as_value(before[1], roles, True))
            ):
                return value
        return None

    def _named_in_korean(self, name: str, roles: Sequence[str]) -> str | None:
        nouns = [word for word in self._nouns(name, roles) if " " not in word]
        for korean in korean_words(nouns):
            for pattern in (
                rf"([\ue000-\ue0ff]|[A-Za-z][\w.-]*)\s*번?\s*{re.escape(korean)}",
                rf"{re.escape(korean)}(?:은|는|이|가|:)?\s*([\ue000-\ue0ff]|[A-Z][\w.-]*)",
            ):
                match = re.search(pattern, self.need.masked)
                if match and (value := self._as_value(match[1], roles, before=True)):
                    return value
        return None

    def _nouns(self, name: str, roles: Sequence[str]) -> list[str]:
        parts = name_words(name)
        telling = [word for word in parts if word not in _GENERIC and len(word) > 2]
        joined = [" ".join(parts)] if len(parts) > 1 else []
        also = ["branch"] if roles[:1] == ("branch",) else []
        return list(dict.fromkeys([*joined, *reversed(telling), *also]))

    def _as_value(self, word: str, roles: Sequence[str], before: bool = False) -> str | None:
        """A masked value of a fitting kind, or a word that can be a name."""
        if _is_mask(word):
            found = self.need.source.inside(word)[0]
            if found.mask in self.taken or (
                found.kind in ("email", "url") and found.kind not in roles
            ):
                return None
            if found.kind in ("pair",) and ("owner" in roles or "repo" in roles):
                return None
            self.taken.append(found.mask)
            return (
                found.text.lstrip("#@")
                if found.kind in ("channel", "mention", "hash")
                else found.text
            )
        lower = word.lower()
        if is_empty_word(lower) or lower in _NOT_NAMES or lower in _LINKS:
            return None
        if before:
            return None if is_verb(lower) else word
        distinct = any(mark.isdigit() or mark in "-_/." for mark in word) or word[0].isupper()
        return word if distinct else None

    # -- by the kind of value ------------------------------------------------------------------------

    def _by_role(
        self, name: str, roles: Sequence[str], description: str, required: bool
    ) -> str | None:
        for role in roles:
            value = self._role_value(role, name, description, required)
            if value:
                return value
        return None

    def _role_value(self, role: str, name: str, description: str, required: bool) -> str | None:
        match role:
            case "owner":
                pair = self._repository()
                return pair.text.split("/")[0] if pair else None
            case "repo":
                pair = self._repository()
                if pair is None:
                    return None
                whole = re.search(r"owner/|org/|full name", description)
                return pair.text if whole else pair.text.split("/")[1]
            case "datetime":
                return self._moment()
            case "title":
                return self._title(required, required or len(name_words(name)) == 1)
            case "body":
                return self._body(required)
            case "place":
                return self._place()
            case "query":
                return (
                    self._quote()
                    or self._topic()
                    or (self.words_for_search() if required else None)
                )
            case "id":
                return self._take(
                    ("id", "key", "hash", "number") if required else ("id", "key", "hash")
                )
        return self._take(_KINDS[role])

    def _by_prefix(self, name: str, required: bool) -> str | None:
        """`cus_77` is for `customer`, `pi_3N` for `payment_intent`; a lone id is for what must have one."""
        parts = [word for word in name_words(name) if word not in _GENERIC]
        initials = "".join(word[0] for word in parts)
        free = [found for found in self._literals(("id",)) if found.mask not in self.taken]
        for found in free:
            prefix = re.split(r"[_-]", found.text)[0].lower()
            if len(prefix) > 1 and (
                prefix == initials or any(word.startswith(prefix) for word in parts)
            ):
                self.taken.append(found.mask)
                return found.text
        if required and len(free) == 1 and not roles_of(name):
            self.taken.append(free[0].mask)
            return free[0].text
        return None

    def _title(self, required: bool, wanted: bool) -> str | None:
        if self.need.language == "ko":
            named = _KOREAN_TITLE.search(self.need.masked)
            if named and (value := self._as_value(named[1] or named[2], ())):
                return value
        called = _CALLED.search(self.need.masked)
        if called:
            word = called[1].rstrip(",")
            return self._as_value(word, ()) if _is_mask(word) else self._shown(word)
        if not wanted:
            return None
        value = self._quote() or self._topic()
        return value or (self._heading() if required else None)

    def _heading(self) -> str:
        """The need without its verb, as a heading."""
        first, _, rest = self._shown(_ABOUT.sub("", self.need.masked)).strip().partition(" ")
        rest = re.sub(r"\s(?:from|for|of|to|with|on|in)\s(?:it|them|this|that|there)\b", "", rest)
        heading = re.sub(
            r"^(?:an?|the|new)\s+", "", rest if is_verb(first) and rest else f"{first} {rest}"
        )
        return heading[:1].upper() + heading[1:80].rstrip(" .,")

    def _body(self, required: bool) -> str | None:
        if self.need.language == "ko":
            said = _KOREAN_BODY.search(self.need.masked)
            if said and (value := self._as_value(said[1] or said[2], ())):
                return value
        saying = _SAYING.search(self.need.masked)
        if saying:
            return self._shown(saying[1])
        return self._quote() or ((self._topic() or self.clause()) if required else None)

    def _place(self) -> str | None:
        if self.need.language == "ko":
            for match in _KOREAN_PLACE.finditer(f"{self.need.masked} {self.need.source.text}"):
                word = match[1] or match[2]
                if not gloss(word):
                    return str(word)
        # Where the person is goes for all that is asked: `in Oslo` in another sentence counts too.
        for text in (self.need.masked, self.need.source.text):
            if place := _PLACE.search(text):
                return self._shown(place[1]).strip(" ,.")
        return None

    def _moment(self) -> str | None:
        date, clock = self._first(("datetime", "date")), self._first(("time",))
        if date is None:
            return iso_time(clock.text)[:5] if clock else None
        if date.kind == "datetime" or clock is None:
            return iso_date(date.text)
        return f"{iso_date(date.text)}T{iso_time(clock.text)}"

    def _repository(self) -> Found | None:
        """The `owner/name` of the question, which is not the branch or the file of the same shape."""
        for found in self._literals(("pair",)):
            before = self.need.source.text.partition(found.mask)[0].split()[-1:]
            if found.mask not in self.taken and before not in _NOT_A_REPOSITORY:
                return found
        return None

    def _quote(self) -> str | None:
        return self._take(("quote",))

    def _topic(self) -> str | None:
        about = None if self.topic_taken else _ABOUT.search(self.need.masked)
        if about is None:
            return None
        self.topic_taken = True
        return self._shown(about[1]).strip(" ?.!")

    def _take(self, kinds: Sequence[LiteralKind]) -> str | None:
        for kind in kinds:
            for found in self._literals((kind,)):
                if found.mask not in self.taken:
                    self.taken.append(found.mask)
                    return (
                        found.text.lstrip("#!@")
                        if kind in ("channel", "mention", "hash")
                        else found.text
                    )
        return None

    def _first(self, kinds: Sequence[LiteralKind]) -> Found | None:
        return next(iter(self._literals(kinds)), None)

    def _literals(self, kinds: Sequence[LiteralKind]) -> list[Found]:
        """Values of the need in the order of the text; then those of the whole question that it shares."""
        mine = self.need.source.inside(self.need.masked)
        others = [
            found for found in self.need.source.found if found not in mine and found.kind in _SHARED
        ]
        return [found for found in (*mine, *others) if found.kind in kinds]

    def _stands_by(self, found: Found, nouns: Sequence[str]) -> bool:
        """Whether a value stands next to one of the words: `pipeline 8812`, `top 5`, `20 percent`."""
        clause = self.need.masked
        place = clause.find(found.mask)
        if place < 0:
            return False
        near = name_words(clause[:place])[-2:] + name_words(clause[place + 1 :])[:1]
        near += name_words(gloss(clause[max(0, place - 8) : place + 8]))
        stems = [word.rstrip("s") for word in near]
        if any(noun.rstrip("s") in stems for noun in nouns):
            return True
        return bool(set(nouns) & _HOW_MANY) and bool(set(stems) & _HOW_MANY_SAID)

    def _number(self, found: Found, name: str) -> Iterator[float]:
        value = (
            in_unit(found.text, name_words(name))
            if found.kind == "duration"
            else _parsed(found.text)
        )
        if value is not None:
            self.taken.append(found.mask)
            yield value

    def _shown(self, part: str) -> str:
        return self.need.source.shown(part)


_TEXTS = frozenset(("title", "body", "query"))
_DATED = frozenset("date time day datetime at timestamp".split())
_OWN_ADDRESS = re.compile(r"\b(?:user|my|own|sender|from|account|self)\b.*\b(?:e?mail|address)\b")
"""Properties for the address of whoever asks, which a question about others does not hold."""
_NOT_A_REPOSITORY = (["branch"], ["called"], ["named"], ["file"], ["path"], ["tag"], ["folder"])
_NOT_TELLING = frozenset("is should use enable include with has the a of only allow".split())
_LINKS = frozenset(
    "is are was to in on at of for from by with as and or into via than that called named titled about".split()
)
_HOW_MANY = frozenset("limit max count top size page results number maximum first per".split())
_HOW_MANY_SAID = frozenset("top first last latest result only item recent up".split())
_UNITS = {"second": 1, "sec": 1, "s": 1, "minute": 60, "min": 60, "m": 60, "hour": 3600, "hr": 3600, "h": 3600,
          "day": 86400, "d": 86400, "week": 604800, "초": 1, "분": 60, "시간": 3600, "일": 86400, "주": 604800}  # fmt: skip
_WORD_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "ten": 10,
}


@cache
def _roles() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for role, names in table("roles").items():
        for name in names.split():
            found[name] = (*found.get(name, ()), role)
    return found


def roles_of(name: str) -> tuple[str, ...]:
    """What a property is for, by the words of its name; the last word counts most."""
    parts = name_words(name)
    if _OWN_ADDRESS.search(" ".join(parts)) or parts[-1:] in (["zone"], ["timezone"]):
        return ()
    if (
        len(parts) > 1
        and {"start", "end", "due", "begin", "min", "max"} & set(parts)
        and _DATED & set(parts)
    ):
        return ("datetime", "time")
    ordered = [role for part in reversed(parts) for role in _roles().get(part, ())]
    if (
        parts
        and parts[-1] in ("id", "ids", "uid", "iid", "number", "key", "name")
        and len(parts) > 1
    ):
        # `repository_id` is about a repository first; `message_id` is no text for a message.
        ordered = [role for role in _roles().get(parts[-2], ()) if role not in _TEXTS] + [
            role for role in ordered if parts[-1] == "name" or role not in _TEXTS
        ]
    return tuple(dict.fromkeys(ordered))


def iso_date(text: str) -> str:
    """A date as YYYY-MM-DD where it can be read as one; a date with a time keeps it."""
    digits = re.findall(r"\d+", text)
    if "T" in text or ":" in text or len(digits) < 3:
        return text.replace(" ", "T", 1) if re.match(r"\d{4}-\d{2}-\d{2} \d", text) else text
    return f"{int(digits[0]):04d}-{int(digits[1]):02d}-{int(digits[2]):02d}"


def iso_time(text: str) -> str:
    """A time of day as HH:MM:SS."""
    digits = [int(part) for part in re.findall(r"\d+", text)] or [0]
    hour = digits[0] % 24
    if re.search(r"p\.?m|오후", text, re.IGNORECASE) and hour < 12:
        hour += 12
    if re.search(r"a\.?m|오전", text, re.IGNORECASE) and hour == 12:
        hour = 0
    minute = digits[1] % 60 if len(digits) > 1 else 0
    return f"{hour:02d}:{minute:02d}:00"


def in_unit(duration: str, unit_words: Sequence[str]) -> float | None:
    """A duration in the unit that the property's name asks for; seconds when it names none."""
    match = re.match(r"(\d+|[a-z]+)\s*-?\s*([a-z가-힣]+)", duration.lower())
    if match is None:
        return None
    amount = float(match[1]) if match[1].isdecimal() else float(_WORD_NUMBERS.get(match[1], 1))
    unit = next(
        (u for u in (match[2], match[2].rstrip("s"), match[2][:2], match[2][:1]) if u in _UNITS),
        None,
    )
    if unit is None:
        return None
    seconds = amount * _UNITS[unit]
    for word in unit_words:
        if word.rstrip("s") in ("minute", "min", "hour", "day", "second", "week"):
            return seconds / _UNITS[word.rstrip("s")]
    return seconds


def short_duration(text: str) -> str:
    """A duration as `2h`, `30m`, `1d`."""
    seconds = in_unit(text, ())
    if seconds is None:
        return text
    for unit, size in (("w", 604800), ("d", 86400), ("h", 3600), ("m", 60)):
        if seconds % size == 0:
            return f"{int(seconds // size)}{unit}"
    return f"{int(seconds)}s"


def _parsed(text: str) -> float | None:
    match = re.search(r"-?\d[\d,]*(?:\.\d+)?", text)
    return float(match.group().replace(",", "")) if match else None


def _is_mask(word: str) -> bool:
    return len(word) == 1 and "\ue000" <= word <= "\ue0ff"
