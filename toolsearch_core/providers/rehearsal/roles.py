"""What a property of a tool is for, by the words of its name."""

import re
from functools import cache, lru_cache

from toolsearch_core.providers.rehearsal.lexicon import table, word_set
from toolsearch_core.providers.rehearsal.literals import LiteralKind
from toolsearch_core.text.tokens import name_words

KINDS: dict[str, tuple[LiteralKind, ...]] = {
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
FREE_TEXT = frozenset(("title", "body", "query"))
"""Roles whose values are words made for one call."""

CACHED_NAMES = 4096
_ENDS = frozenset("start end due begin min max".split())
_DATED = frozenset("date time day datetime at timestamp".split())
_ABOUT_ITS_KIND = frozenset("type types kind kinds format mode sort order direction".split())
_IDENTIFIERS = ("id", "ids", "uid", "iid", "number", "key", "name")
_OWN_ADDRESS = re.compile(r"\b(?:user|my|own|sender|from|account|self)\b.*\b(?:e?mail|address)\b")
"""Properties for the address of whoever asks, which a question about others does not hold."""


@lru_cache(maxsize=CACHED_NAMES)
def roles_of(name: str) -> tuple[str, ...]:
    """What a property is for, the likeliest first; the last word of its name counts most."""
    parts = name_words(name)
    if _OWN_ADDRESS.search(" ".join(parts)) or parts[-1:] in (["zone"], ["timezone"]):
        return ()
    if len(parts) > 1 and parts[-1] in _ABOUT_ITS_KIND:
        # `channel_types` wants no channel.
        return ()
    is_end = len(parts) > 1 and not _ENDS.isdisjoint(parts) and not _DATED.isdisjoint(parts)
    if is_end or {"date", "time"} <= set(parts):
        return ("datetime", "time")
    ordered = [role for part in reversed(parts) for role in _roles().get(part, ())]
    if len(parts) > 1 and parts[-1] in _IDENTIFIERS:
        # `repository_id` is about a repository first; `message_id` is no text for a message.
        about = [role for role in _roles().get(parts[-2], ()) if role not in FREE_TEXT]
        keeps_text = parts[-1] == "name"
        ordered = [*about, *(role for role in ordered if keeps_text or role not in FREE_TEXT)]
    return tuple(dict.fromkeys(ordered))


@lru_cache(maxsize=CACHED_NAMES)
def nouns_of(name: str) -> tuple[str, ...]:
    """The words by which a property may be named in a question, the likeliest first."""
    parts = name_words(name)
    telling = [word for word in parts if word not in word_set("generic_names") and len(word) > 2]
    joined = [" ".join(parts)] if len(parts) > 1 else []
    also = ["branch"] if roles_of(name)[:1] == ("branch",) else []
    return tuple(dict.fromkeys([*joined, *reversed(telling), *also]))


@cache
def _roles() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for role, names in table("roles").items():
        for name in names.split():
            found[name] = (*found.get(name, ()), role)
    return found
