"""The algorithms beside their textbook forms."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contracts.tool_index import OFFICE, WORDS, tool
from toolsearch_core.embeddings import HashingEncoder, VectorCache
from toolsearch_core.index.hybrid import HybridRetriever, Meaning
from toolsearch_core.index.keyword import FIELDS, JOINED, K1, MAX_REPEATS, KeywordRetriever
from toolsearch_core.index.query import prepare_query
from toolsearch_core.index.vector import COSINE_FLOOR, VectorRetriever
from toolsearch_core.text.tokens import is_stop_word, neighbours, tokenize
from toolsearch_core.text.tool_text import embedded_text
from toolsearch_core.tools import Catalog

B = {field.signal: field.length_share for field in FIELDS}
WEIGHT = {field.signal: field.weight for field in FIELDS}


def textbook_bm25(
    documents: Sequence[Sequence[str]], query: Sequence[str], b: float
) -> list[float]:
    average = sum(map(len, documents)) / len(documents)
    scores = []
    for document in documents:
        score = 0.0
        for word in query:
            having = sum(word in other for other in documents)
            frequency = min(document.count(word), MAX_REPEATS)
            idf = math.log(1 + (len(documents) - having + 0.5) / (having + 0.5))
            length = 1 - b + b * len(document) / average
            score += idf * frequency * (K1 + 1) / (frequency + K1 * length)
        scores.append(score)
    return scores


TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), min_size=2, max_size=8
).filter(lambda texts: any(texts))


@given(texts=TEXTS, query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True))
def test_one_field_scores_as_the_textbook_says(texts: list[list[str]], query: list[str]) -> None:
    """Names that no query asks for leave the description as the only field."""
    catalog = Catalog(tuple(tool(f"q{n}x", " ".join(words)) for n, words in enumerate(texts)))
    terms = [[t.term for t in tokenize(" ".join(words)) if not is_stop_word(t)] for words in texts]
    asked = [token.term for token in prepare_query(" ".join(query)).words]
    if not any(terms):
        return
    expected = textbook_bm25(terms, asked, B["description"])

    raw = KeywordRetriever(catalog).rank(prepare_query(" ".join(query))).raw

    assert raw.tolist() == pytest.approx(expected)


def test_several_fields_score_as_bm25f_says() -> None:
    """Frequencies weighted and normalised by field, summed, and only then saturated."""
    query = prepare_query("pay the label copies in meeting rooms")
    fields = []
    for each in OFFICE:
        (parameter,) = each.input_schema.get("properties", {}).items() or [("", {})]
        described = f"{parameter[0]} {parameter[1].get('description', '')}"
        fields.append(
            {
                "name": tokenize(each.name) + neighbours(each.name),
                "title": tokenize(each.title),
                "description": tokenize(each.description),
                "parameter": tokenize(described),
            }
        )
    expected = []
    for of_tool in fields:
        score = 0.0
        for weight, tokens in ((1.0, query.words), (JOINED, query.joined)):
            for term in (token.term for token in tokens):
                having = sum(any(_count(f, term) for f in other.values()) for other in fields)
                if not having:
                    continue
                frequency = sum(
                    WEIGHT[signal]
                    * _count(field, term)
                    / (1 - B[signal] + B[signal] * _length(field) / _average(fields, signal))
                    for signal, field in of_tool.items()
                    if _average(fields, signal)
                )
                idf = math.log(1 + (len(fields) - having + 0.5) / (having + 0.5))
                score += weight * idf * (K1 + 1) * frequency / (frequency + K1)
        expected.append(score)

    raw = KeywordRetriever(Catalog(OFFICE)).rank(query).raw

    assert sum(score > 0 for score in expected) >= 3
    assert raw.tolist() == pytest.approx(expected)


def _count(field: Sequence[object], term: str) -> int:
    return Counter(t.term for t in field if t.joined or not is_stop_word(t))[term]


def _length(field: Sequence[object]) -> int:
    return sum(not t.joined and not is_stop_word(t) for t in field)


def _average(fields: Sequence[dict[str, Sequence[object]]], signal: str) -> float:
    return sum(_length(of_tool[signal]) for of_tool in fields) / len(fields)


def test_vector_finds_what_comparing_with_every_tool_finds() -> None:
    catalog = Catalog(
        tuple(tool(f"{a}_{b}_{n}", f"{b} {a}") for n in range(6) for a in WORDS for b in WORDS)
    )
    encoder = HashingEncoder(64)
    retriever = VectorRetriever(catalog, encoder, VectorCache())
    every = encoder.encode([embedded_text(each) for each in catalog.tools])
    for text in ("pay the room", "weather issue", "list my labels"):
        query = prepare_query(text)
        cosines = (every @ encoder.encode([query.text])[0]).astype(np.float64)

        ranking = retriever.rank(query)

        assert ranking.raw == pytest.approx(cosines, abs=2e-6)
        assert (ranking.scores > 0).tolist() == (ranking.raw >= COSINE_FLOOR).tolist()
    retriever.close()


@pytest.mark.parametrize(
    ("text", "trusted"), [("pay invoice", True), ("money quux grault waldo fred", False)]
)
def test_hybrid_adds_each_sides_share_of_its_best(text: str, trusted: bool) -> None:
    catalog, encoder, query = Catalog(OFFICE), HashingEncoder(), prepare_query(text)
    words = KeywordRetriever(catalog)
    vector = VectorRetriever(catalog, encoder, VectorCache())
    by_words, cosines = words.rank(query).raw, vector.cosines(query)
    found = words.rank(query).scores.max() * max(3, len(query.words))
    half = 0.5 * min(1.0, found / 1.2)
    assert (half == 0.5) == trusted

    ranking = HybridRetriever(words, lambda: Meaning(vector)).rank(query)

    for position in range(len(OFFICE)):
        share = by_words[position] / by_words.max()
        closeness = max(0.0, cosines[position]) / cosines.max()
        is_hit = by_words[position] > 0 or cosines[position] >= COSINE_FLOOR
        expected = half * share + 0.5 * closeness if is_hit else 0.0
        assert ranking.scores[position] == pytest.approx(expected)
    vector.close()


def test_hybrid_of_two_sides_that_agree_keeps_their_order() -> None:
    words = KeywordRetriever(Catalog(OFFICE))
    query = prepare_query("pay label room weather amount")
    by_words = words.rank(query)

    class Agreeing:
        def cosines(self, asked: object) -> np.ndarray:
            return by_words.raw / 10

    ranking = HybridRetriever(words, lambda: Meaning(Agreeing())).rank(query)

    assert np.argsort(-ranking.scores, kind="stable").tolist() == (
        np.argsort(-by_words.scores, kind="stable").tolist()
    )
