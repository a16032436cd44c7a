"""What a need says about one property of a tool: the value meant for it, found by name and by kind."""

import re
from collections.abc import Sequence

from toolsearch_core.providers.rehearsal.currencies import currencies_of
from toolsearch_core.providers.rehearsal.leftover import KOREAN_PASSING, leftover
from toolsearch_core.providers.rehearsal.lexicon import (
    bare_korean,
    gloss,
    is_verb,
    korean_actions,
    word_set,
)
from toolsearch_core.providers.rehearsal.listing import listed
from toolsearch_core.providers.rehearsal.literals import has_mask
from toolsearch_core.providers.rehearsal.naming import MASK, as_value, is_mask, named_value
from toolsearch_core.providers.rehearsal.needs import Need
from toolsearch_core.providers.rehearsal.queries import is_empty_word
from toolsearch_core.providers.rehearsal.roles import KINDS, nouns_of, roles_of
from toolsearch_core.providers.rehearsal.spans import TARGETS, end_for
from toolsearch_core.providers.rehearsal.values import Values
from toolsearch_core.text.tokens import name_words

MAX_OPTIONS = 200
MAX_HEADING_CHARS = 80
_NAME = r"[A-Z][\w'-]*(?:\.\w+)*"
_PLACE = re.compile(
    rf"\b(?:in|at|near|around|for|of|to|from)\s+(?:the\s+)?((?:{MASK}\s)?{_NAME}(?:,?\s{_NAME})*)"
)
_KOREAN_PLACE = re.compile(
    r"([가-힣]{2,}?)(?:에서|의|에)(?=\s)|([가-힣]{2,})\s+(?=날씨|기온|미세먼지|맛집|호텔|옷|지도|지역|근처|부근|주변|인근)"
)
_CALLED = re.compile(r"\b(?:titled|entitled|called|named|known as)\s+(\S+(?:\s[A-Z][\w'-]*)*)")
_SAYING = re.compile(
    r"\b(?:saying|says|asking|telling \w+|that reads|with the text|with text"
    r"|remind (?:me|us|\w+) (?:to|of|about))\s+(?:that\s+)?(.+?)(?:\s+(?:at|on|in)\s+[\ue000-\ue0ff])?$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(?:about|regarding|concerning|containing|mentioning|matching|on the topic of)\s+(.+)$"
)
_KOREAN_TITLE = re.compile(
    rf"({MASK})(?:이?라는|이?란)?\s*(?:제목|이름)|(?:제목|이름)(?:은|이|을|를)?\s*({MASK})"
)
_KOREAN_BODY = re.compile(
    rf"({MASK})\s*(?:이?라고|이?라는\s*(?:내용|댓글|메시지))|(?:내용|본문)(?:은|이|을|를)?\s*({MASK})"
)
_BACK = re.compile(r"\b(?:(?:from|for|of|to|with|on|in)\s)?(?:it|them|this|that|there)\b\s?")
_KOREAN_WIDER = re.compile(r"([가-힣]{2,}(?:시|도)?)\s+$")
_PRONOUNS = frozenset("it them this that these those him her me us".split())
_ELSEWHERE = ("email", "date", "time", "datetime", "channel", "mention")
"""Kinds of value that have a property of their own, so that no heading repeats them."""
_LOOSE = re.compile(r"\s+(?:to|on|at|for|with|in|by|of|and)\s*$|^(?:to|for|with)\s+", re.IGNORECASE)
_OBJECT = re.compile(
    r"^\w+\s+(?:the\s+(?:text|word|sentence)\s+)?(.+?)\s+(?:in|into|to|from|for)\s"
)
_KOREAN_ABOUT = re.compile(
    r"(?<!\S)((?:[가-힣A-Za-z][\w-]*\s){0,2}[가-힣A-Za-z][\w-]*?)(?:에|을|를)\s(?:대해서?|대한|관해서?|관한)"
)
_SEARCH_FOR = re.compile(r"^(?:search|look|browse|query)\b.*?\bfor\s+(.+)$", re.IGNORECASE)
_UNITS = re.compile(rf"{MASK}\s*([A-Za-z°]+)\s+(?:to|in|into)\s+([A-Za-z°]+)")
_LANGUAGE = re.compile(r"\b(?:in|into|to)\s+([A-Z][a-z]+)\b|([가-힣]+어)(?:로|를)")
_NEGATIONS = ("without", "no", "not", "non", "exclude")


class Said:
    """Reads one need for the arguments of one call."""

    def __init__(self, need: Need) -> None:
        self.need = need
        self.values = Values(need)
        self._topic_taken = False
        self._about = ""
        self._rest_taken = False

    def value(self, name: str, description: str, required: bool) -> str | None:
        """The text meant for a property; `None` when the need does not say one.

        Args:
            name: the property's name.
            description: what its schema says about it.
            required: the call needs a value, so a weaker sign is enough.
        """
        roles = roles_of(name)
        found = named_value(self.values, name, roles)
        for role in roles:
            found = found or self._by_role(role, name, description, required)
        found = found or self.values.by_prefix(name, required)
        return self._marked(found.strip(), description) if found and found.strip() else None

    def _marked(self, text: str, description: str) -> str:
        """A channel or a person with its mark, where the description has one: `a channel name with #`."""
        for value in self.need.source.found:
            if value.kind in ("channel", "mention") and value.text[1:] == text:
                return value.text if value.text[0] in description else text
        return text

    def end(self, name: str) -> str | None:
        """The place, branch or currency at the end that a property is for: `origin`, `to_currency`."""
        if "unit" in name_words(name) and (units := _UNITS.search(self.need.masked)):
            return units[2 if TARGETS & set(name_words(name)) else 1]
        if name_words(name)[-1:] in (["language"], ["lang"]):
            spoken = _LANGUAGE.search(self.need.masked)
            return (spoken[1] or spoken[2]) if spoken else None
        if "currency" not in name_words(name):
            return end_for(self.need, name)
        codes, target = currencies_of(self.need), not TARGETS.isdisjoint(name_words(name))
        return codes[target] if len(codes) > target else None

    def several(self, name: str, description: str, required: bool) -> list[str]:
        """The texts meant for a property that takes a list."""
        kinds = [kind for role in roles_of(name) for kind in KINDS[role]]
        found = [self.values.give(value) for value in self.values.free(kinds)]
        if not found and required and not self._rest_taken:
            found = listed(self.need)
            self._rest_taken = bool(found)
        if found:
            return list(dict.fromkeys(found))
        one = self.value(name, description, required) or ""
        return [part.strip() for part in re.split(r",\s*|\s+and\s+", one) if part.strip()]

    def rest(self, tool: Sequence[str]) -> str | None:
        """What the need says beside the tool's own words, for a property that nothing else fits; once.

        Args:
            tool: the words by which the tool goes.
        """
        if self._rest_taken:
            return None
        text = self.need.masked
        for value in self.need.source.inside(text):
            if value.mask in self.values.taken or value.kind in ("email", "url"):
                text = text.replace(value.mask, " , ")
        found = self._shown(leftover(text, tool, self.need.language)).strip()
        self._rest_taken = bool(found)
        return found or None

    def names(self, name: str) -> bool:
        """Whether the need says a word of the property's name, so that a value may stand beside it."""
        stems = [word.rstrip("s") for word in self._words()]
        return any(noun.rstrip("s") in stems for noun in nouns_of(name) if " " not in noun)

    def choice(self, options: Sequence[str]) -> str | None:
        """The option that the need names, in English or by its Korean word; the longest of several."""
        said = f" {' '.join(self._words())} "
        quoted = [found.text.lower() for found in self.need.source.inside(self.need.masked)]
        named: list[str] = []
        for option in options[:MAX_OPTIONS]:
            words = " ".join(name_words(option))
            if option.lower() in quoted or (len(words) > 2 and f" {words} " in said):
                named.append(option)
        return max(named, key=len, default=None)

    def mentions(self, name: str) -> bool | None:
        """Whether the need says a yes-or-no property: `private`, `draft`, `without comments`."""
        telling = [word for word in name_words(name) if word not in word_set("not_telling")]
        said = self._words()
        if not telling or not all(word in said for word in telling):
            return None
        place = said.index(telling[0])
        return not any(word in _NEGATIONS for word in said[max(0, place - 3) : place])

    def _words(self) -> list[str]:
        said = name_words(self.need.masked)
        return said + name_words(gloss(self.need.masked)) if self.need.language == "ko" else said

    def _by_role(self, role: str, name: str, description: str, required: bool) -> str | None:
        match role:
            case "owner" | "repo":
                return self._of_repository(role, description)
            case "datetime":
                return self.values.moment()
            case "title":
                return self._title(required, required or len(name_words(name)) == 1)
            case "body":
                return self._body(required)
            case "place":
                return self._place()
            case "query":
                found = self.values.take("quote") or self._topic()
                return found or (self._words_to_look_for() if required else None)
            case "id" if required:
                return self.values.take("id", "key", "hash", "number")
        return self.values.take(*KINDS[role])

    def _of_repository(self, role: str, description: str) -> str | None:
        pair = self.values.repository()
        if pair is None:
            return None
        owner, _, name = pair.text.partition("/")
        if role == "owner":
            return owner
        return pair.text if re.search(r"owner/|org/|full name", description) else name

    def _title(self, required: bool, wanted: bool) -> str | None:
        if self.need.language == "ko" and (value := self._masked_by(_KOREAN_TITLE)):
            return value
        called = _CALLED.search(self.need.masked)
        if called:
            word = called[1].rstrip(",")
            return as_value(self.values, word, ()) if is_mask(word) else self._shown(word)
        if not wanted:
            return None
        value = self.values.take("quote") or self._topic()
        return value or ((self._told() or self._heading()) if required else None)

    def _told(self) -> str:
        """What another sentence tells, as a heading, unless it holds a value of its own."""
        told = "" if has_mask(self.need.told) else self.need.told.strip()
        return told[:1].upper() + told[1:MAX_HEADING_CHARS].rstrip(" .,")

    def _heading(self) -> str:
        """The need without its verb, as a heading; what a pronoun stands for in its place."""
        if self.need.language == "ko" and (heading := self._korean_heading()):
            return heading
        text = _ABOUT.sub("", self.need.masked)
        for value in self.need.source.inside(text):
            if value.kind in _ELSEWHERE or value == self.values.repository():
                text = re.sub(rf"(?:\b(?:to|on|at|for|with|in|by|of)\s+)?{value.mask}", "", text)
        clause = self._shown(text).strip() or self._shown(self.need.masked).strip()
        first, _, rest = clause.partition(" ")
        heading = _BACK.sub("", rest if is_verb(first) and rest else clause)
        heading = _LOOSE.sub("", re.sub(r"\s+", " ", heading).strip())
        if self.need.about and heading != rest:
            heading = f"{' '.join(self.need.about)} {heading}"
        heading = re.sub(r"^(?:an?|the|new)\s+", "", heading.strip()) or clause
        return heading[:1].upper() + heading[1:MAX_HEADING_CHARS].rstrip(" .,")

    def _korean_heading(self) -> str:
        """The nouns of a Korean need, without its values and its verb."""
        words = re.findall(r"\S+", re.sub(r"[.,?!]", " ", self.need.masked))
        kept = [
            word
            for word in words
            if bare_korean(word) not in word_set("korean_request")
            and bare_korean(word) not in KOREAN_PASSING
            and not korean_actions(bare_korean(word))
            and not any(value.kind in _ELSEWHERE for value in self.need.source.inside(word))
        ]
        return self._shown(" ".join([*kept[:-1], *map(bare_korean, kept[-1:])]))[:MAX_HEADING_CHARS]

    def _body(self, required: bool) -> str | None:
        if self.need.language == "ko" and (value := self._masked_by(_KOREAN_BODY)):
            return value
        saying = _SAYING.search(self.need.masked)
        if saying:
            return self._shown(saying[1])
        found = self.values.take("quote")
        if found or not required:
            return found
        return self._topic() or self._about or self._told() or self._object() or self.need.text

    def _object(self) -> str:
        """The text that a need to read is about: of `translate good night into Korean`, `good night`."""
        match = _OBJECT.match(self.need.masked) if self.need.actions[:1] == ("read",) else None
        return self._shown(match[1]).strip() if match else ""

    def _masked_by(self, pattern: re.Pattern[str]) -> str | None:
        match = pattern.search(self.need.masked)
        return as_value(self.values, match[1] or match[2], ()) if match else None

    def _place(self) -> str | None:
        # Where the person is goes for all that is asked: `in Oslo` in another sentence counts too.
        for text in (self.need.masked, self.need.source.text):
            for match in _KOREAN_PLACE.finditer(text):
                word = str(match[1] or match[2])
                if not gloss(word):
                    before = _KOREAN_WIDER.search(text[: match.start()])
                    wider = before[1] if before and not gloss(before[1]) else ""
                    return f"{wider} {word}".strip()
            if place := _PLACE.search(text):
                return self._shown(place[1]).strip(" ,.")
        return None

    def _topic(self) -> str | None:
        pattern = _KOREAN_ABOUT if self.need.language == "ko" else _ABOUT
        about = None if self._topic_taken else pattern.search(self.need.masked)
        if about is None:
            return None
        topic = self._shown(about[1]).strip(" ?.!")
        if topic.lower() in _PRONOUNS:
            return None
        self._topic_taken = True
        self._about = topic
        return topic

    def _words_to_look_for(self) -> str:
        """What a search inside of a tool should look for: the need's own words."""
        if sought := _SEARCH_FOR.search(self.need.masked):
            return self._shown(sought[1]).strip(" ?.!")
        kept = [
            word
            for word in re.findall(r"[\w'-]+", self._shown(self.need.masked))
            if not is_empty_word(word) and not is_verb(word) and not korean_actions(word)
        ]
        return " ".join(bare_korean(word) for word in kept)

    def _shown(self, part: str) -> str:
        return self.need.source.shown(part)
