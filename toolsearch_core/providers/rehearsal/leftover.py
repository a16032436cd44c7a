"""What a need says beside the words of a tool: `payments`, of `who is on call for payments right now`."""

import re
from collections.abc import Sequence

from toolsearch_core.providers.rehearsal.lexicon import (
    Language,
    asks_in_korean,
    bare_korean,
    gloss,
    is_particle,
    is_verb,
    korean_actions,
    stems,
    synonyms,
    word_set,
)
from toolsearch_core.providers.rehearsal.queries import is_empty_word

_PIECE = re.compile(r"[\ue000-\ue0ff]|,|[^\W_](?:[\w'’-]*\w)?")
_PASSING = frozenset(
    "now right currently today tonight tomorrow again soon please next last latest recent first new mean"
    " means near one two three four five six seven eight nine ten".split()
)
KOREAN_PASSING = frozenset(
    "지금 현재 오늘 내일 모레 어제 이번 다음 최근 새 새로운 모두 전부 바로 빨리 그리고 거기 여기".split()
)


def leftover(text: str, tool: Sequence[str], language: Language) -> str:
    """The words of a masked text that are neither the tool's own nor empty; empty when none is left.

    Args:
        text: of a need.
        tool: the words by which the tool goes.
        language: of the text.
    """
    own = frozenset(stems(" ".join(tool)))
    return _korean(text, own) if language == "ko" else _english(text, own)


def _english(text: str, own: frozenset[str]) -> str:
    """The longest run of words that are neither the tool's nor empty, best behind `of` or `for`."""
    best: tuple[bool, list[str]] = (False, [])
    run: list[str] = []
    belongs = False
    words = _PIECE.findall(text)
    for place, word in enumerate([*words, ""]):
        lower = word.lower()
        known = not own.isdisjoint(stems(word)) or any(
            other in own for stem in stems(word) for other in synonyms().get(stem, ())
        )
        opens = not place and is_verb(lower)
        passing = (
            word == ","
            or is_empty_word(lower)
            or lower in _PASSING
            or lower in word_set("prepositions")
        )
        if word and not (known or opens or passing):
            run.append(word)
            continue
        if run and (belongs, len(run)) >= (best[0], len(best[1])):
            best = (belongs, run)
        run, belongs = (
            [],
            lower in ("of", "for") or (belongs and lower in ("the", "a", "an", "my", "our")),
        )
    return " ".join(best[1])


def _korean(text: str, own: frozenset[str]) -> str:
    """The first words that are neither the tool's, nor a verb, nor a question."""
    found: list[str] = []
    for word in re.findall(r"\S+", re.sub(r"[.,?!]", " ", text)):
        bare = bare_korean(word)
        if is_particle(word):
            continue
        known = not own.isdisjoint((*stems(gloss(bare)), *stems(bare)))
        passing = bare in word_set("korean_request") or bare in KOREAN_PASSING
        if known or passing or korean_actions(word) or asks_in_korean(word):
            if found:
                break
            continue
        found.append(bare)
        if bare != word:
            break
    return " ".join(found[:3])
