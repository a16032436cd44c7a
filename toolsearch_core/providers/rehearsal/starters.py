"""Requests to start with, made from the tools of a catalog, worded as somebody who needs the tool would.

The words come from names, titles and required parameters, so that a search for the request finds the tool.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from heapq import nlargest

from toolsearch_core.embeddings import VectorCache
from toolsearch_core.providers.rehearsal.choosing import Chooser
from toolsearch_core.providers.rehearsal.lexicon import (
    ActionKind,
    Language,
    is_verb,
    korean_actions,
    language_of,
    stems,
    table,
    verbs,
    word_set,
)
from toolsearch_core.providers.rehearsal.needs import find_needs
from toolsearch_core.providers.rehearsal.queries import is_plural
from toolsearch_core.providers.rehearsal.roles import roles_of
from toolsearch_core.providers.rehearsal.schemas import properties_of, required_of
from toolsearch_core.text.tokens import name_words
from toolsearch_core.tools import ToolDefinition

MAX_NOUNS = 5
MAX_SAID = 2
MAX_LONGER = 3
CACHED_CATALOGS = 32
MAX_TRIED = 8
"""So many tools of one part of a catalog are tried until one is found that its request leads to."""
MAX_RIVALS = 60
"""So many tools are compared with it, those that share most words of its name."""
_BY_WORDS = Chooser(None, VectorCache())
_LOOKING = frozenset("get fetch retrieve read show view display describe check".split())
_LISTING = frozenset(("list", "browse"))
_SEARCHING = frozenset(("search", "find", "lookup", "query", "look"))
_SEARCH_WORDS = ("search", "query")
_SURE_WORDS: Mapping[str, frozenset[str]] = {
    "key": frozenset(("issue", "ticket")),
    "branch": frozenset(("branch", "ref")),
    "datetime": frozenset(("date", "day")),
    "repo": frozenset(("repo", "repository")),
    "owner": frozenset(("owner",)),
    "title": frozenset(("title", "subject", "name")),
}
"""Roles that other things have as well, and the words that tell."""


def made_starters(
    tools: Sequence[ToolDefinition], language: Language, most: int
) -> tuple[str, ...]:
    """Requests for some of the tools, taken evenly from the whole list, each once.

    Args:
        tools: the catalog, in its order.
        language: of the requests; names that have no Korean word stay English.
        most: how many at the most.
    """
    return _made(tuple(tools), language, most)


@lru_cache(maxsize=CACHED_CATALOGS)
def _made(tools: tuple[ToolDefinition, ...], language: Language, most: int) -> tuple[str, ...]:
    step = max(1, len(tools) // max(1, most))
    groups = [tools[start : start + step] for start in range(0, len(tools), step)][:most]
    made = (_starter_of(group, tools, language) for group in groups)
    return tuple(dict.fromkeys(text for text in made if text))


def _starter_of(
    group: Sequence[ToolDefinition], tools: Sequence[ToolDefinition], language: Language
) -> str:
    """A request for the easiest tool of a group that is taken for no other tool; empty when none is."""
    names = {tool.wire_name: frozenset(stems(" ".join(_own_words(tool)))) for tool in tools}

    def effort(tool: ToolDefinition) -> tuple[int, int]:
        # Where many names hold this one, a search may well prefer another of them.
        thing = frozenset(stems(" ".join(_parts(_own_words(tool))[1])))
        longer = sum(thing <= other for other in names.values()) - 1
        most, least = _effort(tool, language)
        return (most + min(longer, MAX_LONGER) * (3 if language == "ko" else 1), least)

    for tool in sorted(group, key=effort)[:MAX_TRIED]:
        text = starter(tool, language)
        needs = find_needs(text) if text else ()
        if len(needs) == 1:
            own = names[tool.wire_name]
            akin = [other for other in tools if own & names[other.wire_name] or other == tool]
            rivals = nlargest(MAX_RIVALS, akin, key=lambda other: len(own & names[other.wire_name]))
            choice = _BY_WORDS.best(needs[0], rivals, ())
            if choice is not None and choice.tool == tool and choice.enough:
                return text
    return ""


def starter(tool: ToolDefinition, language: Language) -> str:
    """A request that this tool serves; empty for a tool whose name and title say nothing."""
    words = _own_words(tool)
    if not words:
        return ""
    verb, thing = _parts(words)
    return _korean(tool, verb, thing) if language == "ko" else _english(tool, verb, thing)


def _effort(tool: ToolDefinition, language: Language) -> tuple[int, int]:
    """How much a request for this tool would have to say; the least is the best to start with."""
    words, required = _own_words(tool), required_of(tool.input_schema)
    verb, thing = _parts(words)
    unsaid = sum(_role(name) not in table("starters")["en"] for name in required)
    harms = "delete" in _kinds(verb)
    foreign = 0
    if language == "ko" and language_of(tool.title) != "ko" and thing != ["my", "profile"]:
        # A request half in English is no good Korean, and is found worse.
        foreign = 3 * sum(word.isascii() for word in _in_korean(thing))
        foreign += 3 * (not _is_plain(verb) and not _korean_action(verb))
    effort = 2 * unsaid + len(required) + 3 * harms + 2 * (not verb) + 2 * (not thing)
    return (effort + foreign, len(words))


def _is_plain(verb: str) -> bool:
    plain = (*_LISTING, *_SEARCHING, *table("starters")["plain_verbs"].split())
    return not verb or verb in plain


def _own_words(tool: ToolDefinition) -> list[str]:
    """The words of the name without those of the server in front."""
    words = name_words(tool.name)
    server = set(name_words(tool.server)) | {"api"}
    while len(words) > 1 and words[0] in server:
        words = words[1:]
    return words or name_words(tool.title)


def _parts(words: Sequence[str]) -> tuple[str, list[str]]:
    """The verb of a name, and the thing: behind the verb, else before it; either may be empty."""
    plain = (*_LOOKING, *_LISTING, *_SEARCHING)
    at = next(
        (
            place
            for place, word in enumerate(words)
            if is_verb(word) and (not place or word in plain or word not in word_set("often_nouns"))
        ),
        None,
    )
    if at is None:
        return "", list(words[-MAX_NOUNS:])
    thing = [*words[at + 1 :], *([] if words[at + 1 :] else words[:at])][:MAX_NOUNS]
    if thing and thing[0] in ("a", "an", "the"):
        thing = thing[1:]
    return words[at], ["my", "profile"] if thing == ["me"] else thing


def _english(tool: ToolDefinition, verb: str, words: Sequence[str]) -> str:
    said, thing, kinds = _said(tool, "en", verb), " ".join(words), _kinds(verb)
    if not words:
        return f"{verb.capitalize()} something{said}."
    the = "" if words[0] in ("my", "all", *word_set("prepositions")) else "the "
    if verb in _LISTING:
        opening = f"List {the}{thing}"
    elif not verb or verb in _LOOKING:
        opening = f"Show me {the}{thing}"
    elif verb in _SEARCHING:
        opening = f"{'Search for' if verb in _SEARCH_WORDS else 'Find'} {thing}"
    elif kinds[:1] == ("create",) and the and not is_plural(words[-1]):
        opening = f"{verb.capitalize()} {'an' if thing[0] in 'aeiou' else 'a'} {thing}"
    else:
        opening = f"{verb.capitalize()} {the}{thing}"
    return f"{opening}{said}."


def _korean(tool: ToolDefinition, verb: str, words: Sequence[str]) -> str:
    said = _said(tool, "ko", verb)
    if language_of(tool.title) == "ko":
        title = tool.title.strip()
        asks = title.endswith(tuple(table("starters")["ko_actions"].split()))
        return f"{said}{title}{'해 줘' if asks else ' 알려 줘'}."
    named = _in_korean(words)
    if len(named) > 1 and said.endswith(f"{named[0]}의 "):
        named = named[1:]  # acme/shop 저장소의 … needs no second 저장소
    thing = " ".join(named) or verb
    if words == ["my", "profile"]:
        thing = "내 프로필"
    if verb in _LISTING:
        return f"{said}{thing} 목록을 보여 줘."
    if verb in _SEARCHING:
        return f"{said}{thing} 찾아 줘."
    kinds = _kinds(verb) or ("read",)
    if not verb or verb in table("starters")["plain_verbs"].split():
        return f"{said}{thing} {table('starters')['ko_endings'][kinds[0]]}."
    own = _korean_action(verb) or (f"{verb} " if verb != thing else "실행")
    return f"{said}{thing} {own}해 줘."


def _said(tool: ToolDefinition, language: Language, verb: str) -> str:
    """Values for what the tool requires, in words: ` in acme/shop`, `acme/shop 저장소의 `."""
    phrases: Mapping[str, str] = table("starters")[language]
    known = properties_of(tool.input_schema)
    roles = [_role(name) for name in required_of(tool.input_schema) if name in known]
    writes = _kinds(verb)[:1] not in ((), ("read",), ("delete",))
    parts = [
        phrases[role]
        for role in dict.fromkeys(roles)
        if role in phrases and (writes or role not in ("title", "body"))
    ]
    return "".join(parts[:MAX_SAID])


def _role(name: str) -> str:
    """What a property is for, where its name says so beyond doubt; else empty."""
    role, words = (roles_of(name) or ("",))[0], set(name_words(name))
    needs = _SURE_WORDS.get(role)
    if needs is not None and words.isdisjoint(needs):
        return ""
    if role == "title" and "name" in words:
        return "title" if len(words) == 1 else ""
    return "repo" if role == "owner" else role


def _kinds(verb: str) -> tuple[ActionKind, ...]:
    stem = stems(verb) if verb else ()
    return verbs().get(stem[0], ()) if stem else ()


def _in_korean(words: Sequence[str]) -> list[str]:
    """The words in Korean where the table knows them, others as they are."""
    known = _korean_of()
    shown: list[str] = []
    for word in words[:MAX_NOUNS]:
        forms = (word, word[:-1], word[:-2], f"{word[:-3]}y") if is_plural(word) else (word,)
        shown.append(next((known[form] for form in forms if form in known), word))
    return shown


@cache
def _korean_action(verb: str) -> str:
    """The Korean noun of an action, such as 병합 for merge; empty where the table has none."""
    for korean, english in table("korean").items():
        if korean in word_set("korean_action_nouns") and verb in english.split():
            return str(korean)
    return ""


@cache
def _korean_of() -> Mapping[str, str]:
    """English word for a thing -> the first Korean word of the table that means nothing else."""
    entries = [
        (korean, english.split())
        for korean, english in table("korean").items()
        if not (korean_actions(korean) and is_verb(english.split()[0]))
    ]
    return {english[0]: korean for korean, english in reversed(entries) if len(english) == 1}
