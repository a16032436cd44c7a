"""The four indexes as they are used: with the multilingual encoder."""

import pytest

from tests.contracts.tool_index import names, search, tool
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.search_types import INDEX_KINDS, IndexKind

STORE = RetrieverStore()
TOOLS = (
    tool("get_weather_forecast", "Tell the weather of the coming days in a city"),
    tool("create_calendar_event", "Put an appointment into the calendar"),
    tool("send_email", "Send a message to an e-mail address"),
    tool("convert_currency", "Change an amount of money into another currency"),
    tool("search_flights", "Find flights between two airports on a day"),
    tool("translate_text", "Translate a text into another language"),
    tool("resize_image", "Make a picture smaller or larger"),
    tool("track_parcel", "Tell where a parcel is"),
)


def index_of(kind: IndexKind) -> CatalogToolIndex:
    index = CatalogToolIndex(STORE, kind, patience_s=None)
    index.index_tools("s", TOOLS)
    return index


@pytest.mark.parametrize("kind", ["vector", "hybrid"])
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("내일 서울 날씨가 어때?", "get_weather_forecast"),
        ("이메일 보내 줘", "send_email"),
        ("부산에서 제주로 가는 비행기", "search_flights"),
        ("달러를 원화로 바꿔 줘", "convert_currency"),
        ("翻译这段文字", "translate_text"),
        ("will it rain on Sunday", "get_weather_forecast"),
        ("how many euros are 20 dollars", "convert_currency"),
        ("where is my package", "track_parcel"),
        ("shrink a photo", "resize_image"),
    ],
)
def test_meaning_is_found_without_a_word_in_common(kind: IndexKind, query: str, first: str) -> None:
    assert names(search(index_of(kind), query))[0] == first


def test_a_hit_by_meaning_says_so() -> None:
    hit = search(index_of("hybrid"), "내일 비가 올까?").references[0]

    assert [(reason.signal, reason.share) for reason in hit.reasons] == [("meaning", 1.0)]


@pytest.mark.parametrize("kind", INDEX_KINDS)
def test_random_letters_find_nothing(kind: IndexKind) -> None:
    for query in ("qwpoeiruty zmxncb", "xkcdvv", "blorfq snarkw"):
        assert search(index_of(kind), query).references == (), query
