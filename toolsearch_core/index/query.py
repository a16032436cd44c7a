"""A query, prepared once for every retriever: cleaned, clipped, and taken apart into words."""

import re
from dataclasses import dataclass

from toolsearch_core.notices import Notice, notice
from toolsearch_core.text.tokens import Token, is_stop_word, name_words, neighbours, tokenize

MAX_QUERY_CHARS = 2_000
"""The rest of a longer query is not searched; a notice says so."""

_HALF_CHARACTERS = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """What is searched for."""

    text: str
    """As searched: half characters (lone surrogates) replaced, clipped, stripped."""
    words: tuple[Token, ...]
    """The words with content, each term once, in the order of the query."""
    joined: tuple[Token, ...]
    """Whole identifiers and neighbouring words written as one, each once; `to do` gives todo."""
    name_key: str
    """All words written as one, the form in which names are compared."""
    notices: tuple[Notice, ...] = ()


def prepare_query(text: str) -> Query:
    """Prepare any text; a value that is no text gives a blank query with a notice."""
    if not isinstance(text, str):
        kind = type(text).__name__
        refused = notice("search.query_not_text", kind=kind)
        return Query(text="", words=(), joined=(), name_key="", notices=(refused,))
    clipped = _HALF_CHARACTERS.sub("\ufffd", text.strip()[:MAX_QUERY_CHARS])
    tokens = tokenize(clipped)
    words = {token.term: token for token in tokens if not token.joined and not is_stop_word(token)}
    wholes = [token for token in tokens if token.joined]
    joined = {token.term: token for token in wholes + neighbours(clipped)}
    return Query(
        text=clipped,
        words=tuple(words.values()),
        joined=tuple(token for term, token in joined.items() if term not in words),
        name_key=name_key(clipped),
        notices=_notices(len(text.strip())),
    )


def name_key(name: str) -> str:
    """The words of a name written as one: `get_me`, `getMe` and `get me` agree."""
    return "".join(name_words(name))


def without_words(query: Query) -> tuple[Notice, ...]:
    """What a person should know when nothing of the query can be searched for."""
    return (notice("search.query_without_words", query=query.text),) if query.text else ()


def _notices(length: int) -> tuple[Notice, ...]:
    if length == 0:
        return (notice("search.query_blank"),)
    if length > MAX_QUERY_CHARS:
        return (notice("search.query_clipped", length=length, limit=MAX_QUERY_CHARS),)
    return ()
