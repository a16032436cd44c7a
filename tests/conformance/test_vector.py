"""Section 3.6: the vector index, on an encoder that puts texts where a test wants them, and ChromaDB.

The collections are those of the one in-memory store of the process, by the name that ChromaDB has.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import sqrt

import numpy as np
import pytest

from tests.contracts.tool_index import names, search, tool
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.index import chroma as chroma_module
from toolsearch_core.protocols import Vectors
from toolsearch_core.search_types import ToolSearchRequest

WEATHER = tool("getWeather", "Tells whether it will rain")
STOCKS = tool("stockTool", "Looks up what a share is worth")
PLANTS = tool("waterPlants", "Keeps flowers alive")
THREE = (WEATHER, STOCKS, PLANTS)
NEAR, NEARER = 0.5, 0.92


class PlacedEncoder:
    """A text lies at the cosine it is given to the text `harbour`; at a right angle otherwise."""

    dim = 3

    def __init__(self, cosines: Mapping[str, float] | None = None) -> None:
        self.id = f"placed {id(self)}"  # no two tests share a collection
        self.cosines = {"harbour": 1.0, **(cosines or {})}
        self.calls: list[list[str]] = []

    @property
    def texts(self) -> list[str]:
        return [text for call in self.calls for text in call]

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(list(texts))
        cosines = [self.cosines.get(text, 0.0) for text in texts]
        rows = [(cosine, sqrt(1 - cosine**2), 0.0) for cosine in cosines]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.dim)


class Collections:
    """The collections that have come since, and how often something was written to any."""

    def __init__(self) -> None:
        self._before = set(chroma_module._users)
        self.writes = 0

    def sizes(self) -> list[int]:
        return [self._opened(name).count() for name in self.names()]

    def names(self) -> list[str]:
        return sorted(set(chroma_module._users) - self._before)

    def kept(self) -> list[tuple[object, object]]:
        found = [self._opened(name).get() for name in self.names()]
        return [(each["documents"], each["metadatas"]) for each in found]

    def _opened(self, name: str):  # type: ignore[no-untyped-def]
        return chroma_module._client().get_collection(name, embedding_function=None)


@pytest.fixture
def encoder() -> PlacedEncoder:
    return PlacedEncoder(
        {
            "get Weather. Tells whether it will rain": NEARER,
            "get weather. Tells whether it will rain": NEARER,
            "stock Tool. Looks up what a share is worth": NEAR,
            "stock tool. Looks up what a share is worth": NEAR,
        }
    )


@pytest.fixture
def index(encoder: PlacedEncoder) -> CatalogToolIndex:
    """Over a store that deletes at once what nobody uses."""
    return CatalogToolIndex(RetrieverStore(encoders=lambda name: encoder, spares=0), "vector")


@pytest.fixture
def collections(monkeypatch: pytest.MonkeyPatch) -> Collections:
    watched = Collections()
    write = chroma_module.Collection._write

    def counted(collection: chroma_module.Collection, vectors: Vectors) -> None:
        watched.writes += 1
        write(collection, vectors)

    monkeypatch.setattr(chroma_module.Collection, "_write", counted)
    return watched


@pytest.mark.promise("3.6.1")
def test_the_index_and_its_answers_say_which_kind_it_is(index: CatalogToolIndex) -> None:
    index.index_tools("s", THREE)

    assert index.kind == search(index, "harbour").metadata.index_kind == "vector"


@pytest.mark.promise("3.6.2")
def test_a_tool_that_is_indexed_becomes_one_entry(
    index: CatalogToolIndex, encoder: PlacedEncoder, collections: Collections
) -> None:
    index.index_tool("s", WEATHER)

    assert collections.sizes() == [1]
    assert encoder.texts == ["get weather. Tells whether it will rain"]
    assert index.describe("s").tool_count == 1


@pytest.mark.promise("3.6.3")
def test_tools_indexed_one_by_one_are_gone_after_clearing(
    index: CatalogToolIndex, collections: Collections
) -> None:
    index.index_tool("s", WEATHER)
    index.index_tool("s", STOCKS)
    both = collections.sizes()
    index.clear_index("s")

    assert both == [2]
    assert collections.sizes() == []
    assert names(search(index, "harbour")) == []


@pytest.mark.promise("3.6.4")
def test_three_tools_are_read_and_written_in_one_go(
    index: CatalogToolIndex, encoder: PlacedEncoder, collections: Collections
) -> None:
    index.index_tools("s", THREE)

    assert (collections.writes, collections.sizes()) == (1, [3])
    assert [len(call) for call in encoder.calls] == [3]


@pytest.mark.promise("3.6.5")
def test_name_and_description_are_read_and_no_text_goes_into_the_store(
    index: CatalogToolIndex, encoder: PlacedEncoder, collections: Collections
) -> None:
    index.index_tools("s", [tool("getXMLFeed", "Reads a feed", server="news", url="where it is")])

    assert encoder.texts == ["get xml feed. Reads a feed"]
    assert collections.kept() == [([None], [None])]


@pytest.mark.promise("3.6.6")
def test_tools_indexed_together_are_gone_after_clearing(
    index: CatalogToolIndex, collections: Collections
) -> None:
    index.index_tools("s", THREE)
    index.clear_index("s")

    assert collections.sizes() == []
    assert index.describe("s").tool_count == 0


@pytest.mark.promise("3.6.7")
def test_indexing_no_tools_touches_no_store(
    index: CatalogToolIndex, encoder: PlacedEncoder, collections: Collections
) -> None:
    index.index_tools("s", [])

    assert (collections.writes, collections.sizes(), encoder.calls) == (0, [], [])
    assert names(search(index, "harbour")) == []


@pytest.mark.promise("3.6.8")
def test_clearing_takes_away_all_that_was_ever_indexed(
    index: CatalogToolIndex, collections: Collections
) -> None:
    index.index_tools("s", THREE[:2])
    index.index_tool("s", PLANTS)
    index.index_tools("s", THREE[1:])
    index.clear_index("s")

    assert collections.writes == 3
    assert collections.sizes() == []


@pytest.mark.promise("3.6.9")
def test_clearing_an_unknown_session_touches_no_store(
    index: CatalogToolIndex, collections: Collections
) -> None:
    index.index_tools("s", THREE)
    before = collections.names()
    index.clear_index("nobody")

    assert (collections.names(), collections.writes) == (before, 1)


@pytest.mark.promise("3.6.10")
def test_each_clearing_takes_what_was_indexed_since_the_last(
    index: CatalogToolIndex, collections: Collections
) -> None:
    sizes = []
    for each in (WEATHER, STOCKS):
        index.index_tool("s", each)
        sizes.append(collections.sizes())
        index.clear_index("s")
        sizes.append(collections.sizes())

    assert sizes == [[1], [], [1], []]


@pytest.mark.promise("3.6.11")
def test_a_search_reads_the_query_and_keeps_to_its_number_and_session(
    encoder: PlacedEncoder, index: CatalogToolIndex
) -> None:
    alike = [tool(f"tool{n}", "Alike") for n in range(9)]
    encoder.cosines |= {f"tool {n}. Alike": NEAR for n in range(9)}
    index.index_tools("s", alike)
    index.index_tools("another", [WEATHER])
    response = search(index, "harbour", "s", max_results=5)

    assert encoder.calls[-1] == ["harbour"]
    assert names(response) == [f"tool{n}" for n in range(5)]
    assert response.total_matches == 9


@pytest.mark.promise("3.6.12")
def test_a_hit_carries_the_name_and_the_cosine(index: CatalogToolIndex) -> None:
    index.index_tools("s", THREE)
    (hit, _) = search(index, "harbour").references

    assert hit.tool_name == "getWeather"
    assert hit.raw_score == pytest.approx(NEARER, abs=1e-6)
    assert 0.9 < hit.score <= NEARER
    assert [reason.signal for reason in hit.reasons] == ["meaning"]


@pytest.mark.promise("3.6.13")
def test_nothing_near_gives_no_hits_and_says_so(index: CatalogToolIndex) -> None:
    index.index_tools("s", [PLANTS])
    response = search(index, "harbour")

    assert (response.references, response.total_matches) == ((), 0)
    assert [each.code for each in response.metadata.notices] == ["search.no_match"]


@pytest.mark.promise("3.6.14")
def test_a_search_that_names_no_number_gives_five(
    encoder: PlacedEncoder, index: CatalogToolIndex
) -> None:
    encoder.cosines |= {f"tool {n}. Alike": NEAR for n in range(20)}
    index.index_tools("s", [tool(f"tool{n}", "Alike") for n in range(20)])
    response = index.search(ToolSearchRequest(session_id="s", query="harbour"))

    assert (len(response.references), response.total_matches) == (5, 20)
    assert len(search(index, "harbour", max_results=10).references) == 10


@pytest.mark.promise("3.6.15")
def test_two_hits_stand_nearest_first_and_are_counted(index: CatalogToolIndex) -> None:
    index.index_tools("s", (STOCKS, PLANTS, WEATHER))
    response = search(index, "harbour")

    assert names(response) == ["getWeather", "stockTool"]
    assert response.total_matches == 2
    assert response.metadata.index_kind == "vector"


@pytest.mark.promise("3.6.16")
def test_two_sessions_search_their_own_tools(index: CatalogToolIndex) -> None:
    index.index_tools("a", [WEATHER])
    index.index_tools("b", [STOCKS])

    assert names(search(index, "harbour", "a")) == ["getWeather"]
    assert names(search(index, "harbour", "b")) == ["stockTool"]


@pytest.mark.promise("3.6.17")
def test_clearing_one_session_leaves_the_other_also_over_the_same_tools(
    index: CatalogToolIndex, collections: Collections
) -> None:
    index.index_tools("a", THREE)
    index.index_tools("b", THREE)
    index.index_tools("c", [WEATHER])
    index.clear_index("a")
    shared = sorted(collections.sizes())
    index.clear_index("c")

    assert shared == [1, 3]
    assert collections.sizes() == [3]
    assert names(search(index, "harbour", "b")) == ["getWeather", "stockTool"]


@pytest.mark.promise("3.6.18")
def test_ten_threads_with_twenty_tools_each_lose_none_and_clearing_takes_all(
    index: CatalogToolIndex, encoder: PlacedEncoder, collections: Collections
) -> None:
    def add(thread: int) -> None:
        for number in range(20):
            index.index_tool("s", tool(f"tool_{thread}_{number}", "One of many"))

    with ThreadPoolExecutor(10) as threads:
        list(threads.map(add, range(10)))
    counted = (index.describe("s").tool_count, collections.sizes())
    index.clear_index("s")

    assert counted == (200, [200])
    assert len(encoder.texts) == len(set(encoder.texts)) == 200, "no text is read twice"
    assert collections.sizes() == []
