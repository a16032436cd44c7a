"""How well a tool fits a need: shared words, kind of action, closeness of meaning, and the search's order."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from toolsearch_core.providers.rehearsal.lexicon import (
    ActionKind,
    asks_in_korean,
    gloss,
    is_verb,
    korean_actions,
    language_of,
    stems,
    synonyms,
    verbs,
    word_set,
)
from toolsearch_core.providers.rehearsal.needs import Need
from toolsearch_core.providers.rehearsal.queries import (
    container_words,
    core_words,
    is_plural,
    said_in_korean,
)
from toolsearch_core.providers.rehearsal.schemas import properties_of
from toolsearch_core.text.tokens import name_words, neighbours
from toolsearch_core.text.tool_text import tool_text
from toolsearch_core.tools import ToolDefinition

SYNONYM = 0.7
"""What a synonym is worth beside the word itself."""
NEAR = 0.8
"""What a word of the same family is worth: `healthy`, `health`."""
COMMON = 0.2
"""What a word that every other tool uses is worth beside a telling one."""
ASIDE = 0.6
"""What a word behind the first preposition is worth: of `commits on the main branch`, branch."""
FOREIGN = 0.4
"""What a word is worth that none of the tools uses."""
BACKGROUND = 0.3
"""What a word is worth that only a pronoun or another sentence brings in."""
Wanted = tuple[tuple[str, float], ...]
"""Stems with what each is worth."""
FAMILY = 5
"""Shortest beginning that two words of one family share."""
SHORT_FAMILY = 4
"""Shortest word that is the beginning of its relatives: `fail`, `failure`."""
_COMMON_STEMS = frozenset(
    stems(
        "get list show find search all new information data details given name specific current item user id"
    )
)
_LISTING = frozenset(stems("list search find query"))
_BATCH = frozenset(stems("batch bulk multiple"))
_MANY = frozenset("list all every search find".split())
_WRITES: tuple[ActionKind, ...] = ("create", "update", "delete")
_STARTS = re.compile(
    r"\b(?:re-?run|restart|re-?try|trigger|start|deploy|launch|invoke)\b|재실행|재시작|재시도|배포",
    re.IGNORECASE,
)
"""Verbs of a need that set something going, which no tool that reads does."""
_OWN_SAID = re.compile(
    r"\b(?:my|mine|our|(?:am|do|did|have|was) i|(?:to|by|for) me)\b"
    r"|(?<!\S)(?:내|나의|제|저의|내가|제가|우리|나한테)(?=\s)",
    re.IGNORECASE,
)
_OWN_WORDS = frozenset("my me mine myself".split())
_METHODS = ("method", "action", "operation")
MAX_OPTIONS = 30
_NO_NOUNS = frozenset("a an the api".split())
_NOUNS_LAST = frozenset("log comment message note label record file order".split())
_KOREAN_ASKS_FOR = frozenset(
    "show list get find search create make update delete send run add".split()
)
_HINTED = frozenset(stems("issue channel file cells url repository repo"))
"""Words that a value brings in, or a place: `the history of #general`."""
_ANY_WRITE = frozenset(stems("write manage handle edit"))
"""Actions in names that create as well as change, and often delete."""


@dataclass(frozen=True, slots=True)
class ToolWords:
    """The words of a tool, stemmed."""

    name: tuple[str, ...]
    summary: tuple[str, ...]
    """The first sentence of the description."""
    rest: tuple[str, ...]
    """The rest of the description, and the parameters."""
    actions: tuple[ActionKind, ...]
    lists: bool
    """Its name says that it lists or searches."""
    batch: bool
    """Its name says that it does many at once."""

    @property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """All its words."""
        return (self.name, self.summary, self.rest)


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for a tool; each 0..1 but `action`."""

    in_name: float
    """Share of the need's words that stand in the tool's name."""
    in_summary: float
    """The same for name, title and the first sentence."""
    in_all: float
    """The same for everything searchable."""
    name_told: float
    """Share of the name's words that the need says."""
    action: float
    """1 when both want the same kind of action, -1 when they differ, 0 when one does not say."""
    several: float
    """1 when the need asks for several things and the tool lists or searches; -1 when it asks for one and the
    tool is made for many at once; else 0."""
    own: float
    """1 when the need and the tool's name speak of whoever asks, -1 when only the tool's does; else 0."""
    meaning: float
    """Cosine of the vectors; 0 without an encoder."""
    exact: bool
    """Its name says what the need is about, no more and no less: for `show the pods`, `pods_list`."""
    found: float
    """1 for the best hit of a search for this need, less down the list, 0 for what it did not find."""
    thing: bool
    """The tool has a word for what the need is about; true as well when the need names no thing."""


def vocabulary(tools: Sequence[ToolDefinition]) -> frozenset[str]:
    """Every stem that one of the tools uses, and the beginning of each."""
    words = [word for tool in tools for part in tool_words(tool).parts for word in part]
    return frozenset(words) | frozenset(word[:FAMILY] for word in words)


def signals(
    need: Need, tool: ToolDefinition, known: frozenset[str], meaning: float, rank: int | None
) -> Signals:
    """Compare a need and a tool.

    Args:
        need: what is asked.
        tool: a tool of the request.
        known: the `vocabulary` of the request's tools.
        meaning: cosine of the need's and the tool's vectors.
        rank: place in the result of a search for this need, 0 for the best; `None` when it is not there.
    """
    words = tool_words(tool)
    joined = tuple(token.term for token in neighbours(" ".join(core_words(need))))
    wanted = max(
        (_shares(_foreign_less(view, known), words, joined) for view in _views(need)),
        key=lambda shares: (sum(shares), shares),
    )
    return Signals(
        in_name=wanted[0],
        in_summary=wanted[1],
        in_all=wanted[2],
        name_told=wanted[3],
        action=_agreement(need, words.actions),
        several=_several(need, words),
        own=_own(need, tool),
        meaning=max(0.0, meaning),
        exact=_exact(need, tool),
        found=0.0 if rank is None else found_at(rank),
        thing=_has_thing(need, words),
    )


def takes_out(need: Need) -> bool:
    """Whether what is to be deleted is a part of something, so that to change that one may do."""
    return re.search(r"\bfrom\b|에서\s", need.masked) is not None


def found_at(rank: int) -> float:
    """What a place in a search's result is worth; 0 is the first."""
    return 1 / (1 + 0.3 * rank)


@lru_cache(maxsize=4096)
def tool_words(tool: ToolDefinition) -> ToolWords:
    """The stemmed words of a tool."""
    text = tool_text(tool)
    summary, _, rest = text.description.partition(". ")
    name = stems(f"{text.name} {text.title}")
    actions = _actions_of_name(name_words(text.name))
    if any(stem in _ANY_WRITE for stem in name):
        actions = _actions_offered(tool)
    first = stems(summary)
    if not actions:
        korean = korean_actions(summary) if language_of(summary) == "ko" else ()
        actions = korean or next((verbs()[stem] for stem in first[:3] if stem in verbs()), ())
    return ToolWords(
        name=name,
        summary=first,
        rest=stems(f"{rest} {text.parameters}"),
        actions=actions,
        lists=not _LISTING.isdisjoint(name),
        batch=not _BATCH.isdisjoint(name),
    )


def _has_thing(need: Need, words: ToolWords) -> bool:
    """Whether a tool has a word for the object of a need: of `start the vacuum in the room`, the vacuum."""
    own = core_words(replace(need, about=()))
    if need.language == "ko":
        named = [word for word in own if not korean_actions(word) and not asks_in_korean(word)]
        named = [word for word in named if gloss(word) not in _KOREAN_ASKS_FOR]
        # `담당자를 kim으로`: a foreign word at the end is often a value.
        named = named[-2:] if named and named[-1].isascii() else named[-1:]
    else:
        ends = (n for n, word in enumerate(own) if n and word in word_set("prepositions"))
        first = own[: next(ends, len(own))]
        named = [word for place, word in enumerate(first) if place or not is_verb(word)]
    wanted = _weighed(stems(" ".join((*named, gloss(" ".join(named))))))
    if need.actions[:1] == ("delete",):
        # What is deleted is gone: a tool that only has a parameter of that name will not do.
        return not wanted or _share(wanted, (*words.name, *words.summary)) > 0
    return not wanted or _share(wanted, (*words.name, *words.summary, *words.rest)) > 0


def _exact(need: Need, tool: ToolDefinition) -> bool:
    """Whether the nouns of a tool's name are those of the need; what a value hints at may be left out."""
    wanted = _noun_stems(need)
    words = [word for word in name_words(tool.name) if word not in _NO_NOUNS]
    if len(words) > 1 and is_verb(words[0]):
        words = words[1:]
    elif len(words) > 1 and is_verb(words[-1]) and words[-1] not in _NOUNS_LAST:
        words = words[:-1]
    own = frozenset(stems(" ".join(words)))
    left = wanted - own
    return bool(own) and own <= wanted and left <= _HINTED


@lru_cache(maxsize=256)
def _noun_stems(need: Need) -> frozenset[str]:
    """The stems of what a need is about, its verb left out; of a Korean need in English."""
    if need.language == "ko":
        latin = re.findall(r"[A-Za-z][\w-]*", " ".join(core_words(need)))
        words = [*gloss(said_in_korean(need)).split(), *latin]
        return frozenset(stems(" ".join(word for word in words if word not in _KOREAN_ASKS_FOR)))
    words = list(core_words(replace(need, about=())))
    words = words[1:] if len(words) > 1 and is_verb(words[0]) else words
    words += container_words(need)
    return frozenset(stems(" ".join(word for word in words if word not in _NO_NOUNS)))


def _several(need: Need, words: ToolWords) -> float:
    if _asks_for_several(need):
        return 1.0 if words.lists else 0.0
    return -1.0 if words.batch else 0.0


def _own(need: Need, tool: ToolDefinition) -> float:
    if _OWN_WORDS.isdisjoint(name_words(tool.name)):
        return 0.0
    return 1.0 if _OWN_SAID.search(need.masked) else -1.0


def _actions_of_name(words: Sequence[str]) -> tuple[ActionKind, ...]:
    """Names begin or end with their verb: `alerting_silences_read` reads; `replies` is none.

    The last word of `pods_log` or `API-retrieve-a-comment` is rather what it reads than that it writes.
    """
    for place, word in enumerate((*words[:1], *words[-1:], *words)):
        kinds = verbs().get((stems(word) or ("",))[0], ()) if is_verb(word) else ()
        if kinds and (not place or word not in word_set("often_nouns") or "read" in kinds):
            return kinds
    return ()


def _actions_offered(tool: ToolDefinition) -> tuple[ActionKind, ...]:
    """What a tool that writes in several ways can do: by the options of its method, else anything."""
    for name, node in properties_of(tool.input_schema).items():
        options = node.get("enum") if isinstance(node, Mapping) and name in _METHODS else None
        if isinstance(options, Sequence) and not isinstance(options, str):
            words = [word for option in options[:MAX_OPTIONS] for word in name_words(str(option))]
            kinds = [kind for word in words for kind in _actions_of_name([word])]
            if kinds:
                return tuple(dict.fromkeys(kinds))
    return _WRITES


def _asks_for_several(need: Need) -> bool:
    if need.language == "ko":
        return re.search(r"목록|모든|모두|전체|들[을은의이]|찾|검색|어떤", need.masked) is not None
    words = core_words(replace(need, about=()))
    return not _MANY.isdisjoint(words) or any(map(is_plural, words))


def _views(need: Need) -> tuple[Wanted, ...]:
    """The words of a need; of a Korean one also the English that it means, for tools described in English."""
    words = core_words(need)
    if need.language == "ko":
        glossed = gloss(said_in_korean(need))
        latin = " ".join(re.findall(r"[A-Za-z][\w-]*", " ".join(words)))
        return _weighed(stems(" ".join(words))), _weighed(stems(f"{glossed} {latin}"))
    own = core_words(replace(need, about=()))
    place = next(
        (n for n, word in enumerate(own) if n and word in word_set("prepositions")), len(own)
    )
    first = stems(" ".join(own[:place]))
    aside = " ".join((*own[place:], *container_words(need)))
    rest = [stem for stem in stems(aside) if stem not in first]
    about = [stem for stem in stems(" ".join(need.about)) if stem not in (*first, *rest)]
    return (_weighed(first) + _weighed(rest, ASIDE) + _weighed(about, BACKGROUND),)


def _foreign_less(wanted: Wanted, known: frozenset[str]) -> Wanted:
    """A word that no tool uses is rather a value than a wish, so it counts less."""
    return tuple(
        (stem, weight if _is_known(stem, known) else weight * FOREIGN) for stem, weight in wanted
    )


def _is_known(stem: str, known: frozenset[str]) -> bool:
    return (
        stem in known
        or stem[:FAMILY] in known
        or any(other in known for other in synonyms().get(stem, ()))
    )


def _weighed(words: Sequence[str], share: float = 1.0) -> Wanted:
    return tuple((stem, share * (COMMON if stem in _COMMON_STEMS else 1.0)) for stem in words)


def _shares(
    wanted: Wanted, words: ToolWords, joined: Sequence[str]
) -> tuple[float, float, float, float]:
    if not wanted:
        return (0.0, 0.0, 0.0, 0.0)
    summary = (*words.name, *words.summary)
    everything = (*summary, *words.rest)
    told = [stem for stem in words.name if stem not in verbs()]
    return (
        _share(wanted, words.name, joined),
        _share(wanted, summary, joined),
        _share(wanted, everything, joined),
        _share(_weighed(told or words.name), [stem for stem, _ in wanted]),
    )


def _share(wanted: Wanted, present: Sequence[str], joined: Sequence[str] = ()) -> float:
    """Weighted share of the wanted stems that are present, themselves or by a synonym.

    Two neighbouring words may stand there as one: `on call`, oncall.
    """
    there = frozenset(present)
    total = hit = 0.0
    for stem, weight in wanted:
        total += weight
        if stem in there:
            hit += weight
        elif _has_relative(stem, present):
            hit += weight * NEAR
        elif any(other in there for other in synonyms().get(stem, ())):
            hit += weight * SYNONYM
    hit += sum(term in there for term in joined)
    return min(1.0, hit / total) if total else 0.0


def _has_relative(stem: str, present: Sequence[str]) -> bool:
    """Whether a word shares all but its ending with one that is there."""
    root = stem[: max(FAMILY, len(stem) - 2)]
    return len(stem) >= SHORT_FAMILY and any(
        other.startswith(root)
        if len(stem) > FAMILY
        else other.startswith(stem) or (len(other) >= FAMILY and stem.startswith(other))
        for other in present
    )


def _agreement(need: Need, offered: Sequence[ActionKind]) -> float:
    wanted = need.actions
    if not wanted or not offered:
        return 0.0
    if wanted[0] in offered:
        return 1.0
    if any(kind in offered for kind in wanted):
        return 0.5
    pair = (wanted[0], offered[0])
    if "read" in pair:
        # To run a query is to read; to start a job is not.
        return -0.3 if "run" in pair and not _STARTS.search(need.masked) else -1.0
    return -0.6 if "delete" in pair or "send" in pair else 0.0
