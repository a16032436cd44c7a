"""What a need says about one property of a tool: the value meant for it, found by name and by kind."""

import re
from collections.abc import Sequence

from toolsearch_core.providers.rehearsal.currencies import currencies_of
from toolsearch_core.providers.rehearsal.forms import is_end
from toolsearch_core.providers.rehearsal.headings import ABOUT, heading, told_heading
from toolsearch_core.providers.rehearsal.leftover import leftover
from toolsearch_core.providers.rehearsal.lexicon import (
    bare_korean,
    is_verb,
    korean_actions,
    word_set,
)
from toolsearch_core.providers.rehearsal.listing import listed
from toolsearch_core.providers.rehearsal.naming import MASK, as_value, is_mask, named_value
from toolsearch_core.providers.rehearsal.needs import Need
from toolsearch_core.providers.rehearsal.options import words_of
from toolsearch_core.providers.rehearsal.phrasing import phrased
from toolsearch_core.providers.rehearsal.places import place_in
from toolsearch_core.providers.rehearsal.queries import is_empty_word
from toolsearch_core.providers.rehearsal.roles import FREE_TEXT, KINDS, nouns_of, roles_of
from toolsearch_core.providers.rehearsal.spans import TARGETS, end_for
from toolsearch_core.providers.rehearsal.values import Values
from toolsearch_core.text.tokens import name_words

_CALLED = re.compile(r"\b(?:titled|entitled|called|named|known as)\s+(\S+(?:\s[A-Z][\w'-]*)*)")
_SAYING = re.compile(
    r"\b(?:saying|says|asking|telling \w+|that reads|with the text|with text"
    r"|remind (?:me|us|\w+) (?:to|of|about))\s+(?:that\s+)?(.+?)(?:\s+(?:at|on|in)\s+[\ue000-\ue0ff])?$",
    re.IGNORECASE,
)
_KOREAN_TITLE = re.compile(
    rf"({MASK})(?:이?라는|이?란)?\s*(?:제목|이름)|(?:제목|이름)(?:은|이|을|를)?\s*({MASK})"
)
_KOREAN_BODY = re.compile(
    rf"({MASK})\s*(?:이?라고|이?라는\s*(?:내용|댓글|메시지))|(?:내용|본문)(?:은|이|을|를)?\s*({MASK})"
)
_PRONOUNS = frozenset("it them this that these those him her me us".split())
_OBJECT = re.compile(
    r"^\w+\s+(?:the\s+(?:text|word|sentence)\s+)?(.+?)\s+(?:in|into|to|from|for)\s"
)
_KOREAN_ABOUT = re.compile(
    r"(?<!\S)((?:[가-힣A-Za-z][\w-]*\s){0,2}[가-힣A-Za-z][\w-]*?)(?:에|을|를)\s(?:대해서?|대한|관해서?|관한)"
)
_SEARCH_FOR = re.compile(r"^(?:search|look|browse|query)\b.*?\bfor\s+(.+)$", re.IGNORECASE)
_UNITS = re.compile(rf"{MASK}\s*([A-Za-z°]+)\s+(?:to|in|into)\s+([A-Za-z°]+)")
_LANGUAGE = re.compile(r"\b(?:in|into|to)\s+([A-Z][a-z]+)\b|([가-힣]+어)(?:로|를)")
_HEAD_ENDS = re.compile(r"\b(?:of|in|for|to|that|which|from|on|with|by|where|when)\b|[.(;:]")
MAX_HEAD_CHARS = 80
MAX_NAMES = 100
_TIMED = frozenset(("datetime", "time"))
_WORDLESS = (["id"], ["uid"], ["key"], ["iid"], ["uuid"])
"""Last words of names whose values are no phrases."""
_MOMENTS = ("datetime", "date", "time")


class Said:
    """Reads one need for the arguments of one call."""

    def __init__(self, need: Need, names: Sequence[str] = ()) -> None:
        """Start.

        Args:
            need: what is asked.
            names: the properties of the tool, as what one of them takes is not for another.
        """
        self.need = need
        self.values = Values(need)
        looked_at = names[:MAX_NAMES]
        self._nouns = frozenset(n.rstrip("s") for name in looked_at for n in nouns_of(name))
        self._halves = frozenset(role for name in looked_at for role in roles_of(name)[:1])
        self._timed = any(_TIMED & set(roles_of(name)[:2]) for name in looked_at)
        self._owner = ""
        self.nested = False
        """The property stands in an object of its own."""
        self._titled = False
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
        found = next(iter(self.phrased(name)), None)
        found = found or named_value(self.values, name, roles, self._nouns_told(name, description))
        for role in roles:
            found = found or self._by_role(role, name, description, required)
        found = found or self.values.by_prefix(name, required)
        if found and " " in found and name_words(name)[-1:] in _WORDLESS:
            return None
        return self._marked(found.strip(), description) if found and found.strip() else None

    def phrased(self, name: str) -> list[str]:
        """What a phrase names for a property: `labelled bug and urgent`, `assigned to jane`."""
        found = phrased(self.need.masked, self.need.language, name)
        return [
            as_value(self.values, part, roles_of(name)) or ""
            if is_mask(part)
            else self._shown(part)
            for part in found
        ]

    def _nouns_told(self, name: str, description: str) -> tuple[str, ...]:
        """Nouns of a description that name no other property: `Commit SHA, branch or tag name`."""
        if not FREE_TEXT.isdisjoint(roles_of(name)):
            return ()
        head = re.split(_HEAD_ENDS, description[:MAX_HEAD_CHARS], maxsplit=1)[0].lower()
        nouns = re.findall(r"[a-z]+", head)
        return tuple(n for n in nouns if n in word_set("named_before") and n not in self._nouns)

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
        if named := [text for text in self.phrased(name) if text]:
            return list(dict.fromkeys(named))
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
            if value.mask in self.values.taken or value.kind in ("email", "url", *_MOMENTS):
                text = text.replace(value.mask, " , ")
        found = self._shown(leftover(text, tool, self.need.language)).strip()
        self._rest_taken = bool(found)
        return found or None

    def names(self, name: str) -> bool:
        """Whether the need says a word of the property's name, so that a value may stand beside it."""
        stems = [word.rstrip("s") for word in words_of(self.need)]
        return any(noun.rstrip("s") in stems for noun in nouns_of(name) if " " not in noun)

    def _by_role(self, role: str, name: str, description: str, required: bool) -> str | None:
        match role:
            case "owner" | "repo":
                return self._of_repository(role, name, description)
            case "path" if self._in_repository():
                return self._path()
            case "datetime":
                return self.values.moment(last=is_end(name))
            case "title":
                return self._title(required, required or len(name_words(name)) == 1)
            case "body":
                return self._body(required)
            case "place":
                return place_in(self.need)
            case "query":
                found = self.values.take("quote") or self._topic()
                return found or (self._words_to_look_for() if required else None)
            case "id" if required:
                return self.values.take("id", "key", "hash", "number")
        return self.values.take(*KINDS[role])

    def _of_repository(self, role: str, name: str, description: str) -> str | None:
        pair = self.values.repository()
        if pair is None:
            return None
        owner, _, repository = pair.text.partition("/")
        if role == "owner":
            # The owner is said once: what comes next, such as an organisation to fork to, is not.
            if self._owner not in ("", name):
                return None
            self._owner = name
        self.values.use(pair)
        if role == "owner":
            return owner
        return pair.text if re.search(r"owner/|org/|full name", description) else repository

    def _in_repository(self) -> bool:
        """Whether the tool takes the two halves of `owner/name` apart."""
        return {"owner", "repo"} <= self._halves

    def _path(self) -> str | None:
        """A path beside a repository; what looks like `owner/name` is the repository."""
        repository = self.values.repository()
        free = [value for value in self.values.free(KINDS["path"]) if value != repository]
        return self.values.give(free[0]) if free else None

    def _title(self, required: bool, wanted: bool) -> str | None:
        if self.nested and self._titled:
            return None
        self._titled = self._titled or required
        if self.need.language == "ko" and (value := self._masked_by(_KOREAN_TITLE)):
            return value
        called = _CALLED.search(self.need.masked)
        if called:
            word = called[1].rstrip(",")
            return as_value(self.values, word, ()) if is_mask(word) else self._shown(word)
        if not wanted:
            return None
        value = self.values.take("quote") or self._topic()
        return value or ((told_heading(self.need) or heading(self.values)) if required else None)

    def _body(self, required: bool) -> str | None:
        if self.need.language == "ko" and (value := self._masked_by(_KOREAN_BODY)):
            return value
        saying = _SAYING.search(self.need.masked)
        if saying and (text := self._shown(self._timeless(saying[1])).strip()):
            return text
        found = self.values.take("quote")
        if found or not required:
            return found
        return (
            self._topic()
            or self._about
            or told_heading(self.need)
            or self._object()
            or self.need.text
        )

    def _timeless(self, text: str) -> str:
        """A masked text without the moments in it, where the tool has a property for them."""
        if not self._timed:
            return text
        for value in self.need.source.inside(text):
            if value.kind in _MOMENTS:
                text = re.sub(rf"(?:\b(?:at|on|by|from|until|for)\s+)?{value.mask}", "", text)
        return re.sub(r"\s+", " ", text)

    def _object(self) -> str:
        """The text that a need to read is about: of `translate good night into Korean`, `good night`."""
        match = _OBJECT.match(self.need.masked) if self.need.actions[:1] == ("read",) else None
        return self._shown(match[1]).strip() if match else ""

    def _masked_by(self, pattern: re.Pattern[str]) -> str | None:
        match = pattern.search(self.need.masked)
        return as_value(self.values, match[1] or match[2], ()) if match else None

    def _topic(self) -> str | None:
        pattern = _KOREAN_ABOUT if self.need.language == "ko" else ABOUT
        about = None if self._topic_taken else pattern.search(self.need.masked)
        if about is None:
            return None
        topic = self._shown(self._timeless(about[1])).strip(" ?.!")
        if topic.lower() in _PRONOUNS:
            return None
        self._topic_taken = True
        self._about = topic
        return topic

    def _words_to_look_for(self) -> str:
        """What a search inside of a tool should look for: the need's own words."""
        if sought := _SEARCH_FOR.search(self.need.masked):
            return self._shown(self._timeless(sought[1])).strip(" ?.!")
        text = self._timeless(self.need.masked)
        kept = [
            word
            for word in re.findall(r"[\w'-]+", self._shown(text))
            if not is_empty_word(word) and not is_verb(word) and not korean_actions(word)
        ]
        return " ".join(bare_korean(word) for word in kept)

    def _shown(self, part: str) -> str:
        return self.need.source.shown(part)
