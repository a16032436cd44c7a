"""Which option of a property a need names or means, and whether it says a yes or a no."""

from collections.abc import Sequence

from toolsearch_core.providers.rehearsal.lexicon import gloss, word_set
from toolsearch_core.providers.rehearsal.needs import Need
from toolsearch_core.text.tokens import name_words

MAX_OPTIONS = 200
_NEGATIONS = ("without", "no", "not", "non", "exclude")


def named_option(need: Need, options: Sequence[str]) -> str | None:
    """The option that the need names, in English or by its Korean word; the longest of several."""
    said = f" {' '.join(words_of(need))} "
    quoted = [found.text.lower() for found in need.source.inside(need.masked)]
    named: list[str] = []
    for option in options[:MAX_OPTIONS]:
        words = " ".join(name_words(option))
        if option.lower() in quoted or (len(words) > 2 and f" {words} " in said):
            named.append(option)
    return max(named, key=len, default=None)


def scattered_option(need: Need, options: Sequence[str]) -> str | None:
    """The option whose words the need says with others between: `rerun the failed jobs`."""
    said = words_of(need)
    spans: list[tuple[int, int, str]] = []  # more words first, then closer ones
    for option in options[:MAX_OPTIONS]:
        words = name_words(option)
        if len(words) > 1 and all(word in said for word in words):
            places = [said.index(word) for word in words]
            spans.append((-len(words), max(places) - min(places), option))
    return min(spans)[2] if spans else None


def reached_option(need: Need, options: Sequence[str]) -> str | None:
    """The option that says what is so once the need is served: to close an issue makes it `closed`."""
    if need.actions[:1] != ("update",):
        return None
    verb = words_of(need)[:1] if need.language == "en" else name_words(gloss(need.masked))
    forms = {form for word in verb for form in (f"{word}d", f"{word}ed")}
    forms |= {
        form for word in verb if word.startswith("re") for form in (word[2:], f"{word[2:]}ed")
    }
    return next((option for option in options[:MAX_OPTIONS] if option.lower() in forms), None)


def mentioned(need: Need, name: str) -> bool | None:
    """Whether the need says a yes-or-no property: `private`, `draft`, `without comments`."""
    telling = [word for word in name_words(name) if word not in word_set("not_telling")]
    said = words_of(need)
    if not telling or not all(word in said for word in telling):
        return None
    place = said.index(telling[0])
    return not any(word in _NEGATIONS for word in said[max(0, place - 3) : place])


def words_of(need: Need) -> list[str]:
    """The words of a need; of a Korean one their English ones too."""
    said = name_words(need.masked)
    return said + name_words(gloss(need.masked)) if need.language == "ko" else said
