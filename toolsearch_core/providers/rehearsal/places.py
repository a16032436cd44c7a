"""Where something is meant to be: `in Oslo, Norway`, `서울 마포구 날씨`."""

import re
from collections.abc import Iterator

from toolsearch_core.providers.rehearsal.lexicon import gloss
from toolsearch_core.providers.rehearsal.needs import Need

_MASK = r"[\ue000-\ue0ff]"
_NAME = r"[A-Z][\w'-]*(?:\.\w+)*"
_PLACE = re.compile(
    rf"\b(?:in|at|near|around|for|of|to|from)\s+(?:the\s+)?((?:{_MASK}\s)?{_NAME}(?:,?\s{_NAME})*)"
)
_KOREAN_PLACE = re.compile(
    r"([가-힣]{2,}?)(?:에서|의|에)(?=\s)|([가-힣]{2,})\s+(?=날씨|기온|미세먼지|맛집|호텔|옷|지도|지역|근처|부근|주변|인근)"
)
_KOREAN_WIDER = re.compile(r"([가-힣]{2,}(?:시|도)?)\s+$")


def place_in(need: Need) -> str | None:
    """The place that a need names, or its question for all that it asks; `None` for none."""
    for text in (need.masked, need.source.text):
        found = next(_korean_places(text), None)
        if found:
            return found
        if place := _PLACE.search(text):
            return need.source.shown(place[1]).strip(" ,.")
    return None


def _korean_places(text: str) -> Iterator[str]:
    for match in _KOREAN_PLACE.finditer(text):
        word = str(match[1] or match[2])
        if not gloss(word):
            before = _KOREAN_WIDER.search(text[: match.start()])
            wider = before[1] if before and not gloss(before[1]) else ""
            yield f"{wider} {word}".strip()
