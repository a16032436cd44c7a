"""What the project promises to save, it saves."""

import os
from pathlib import Path

import pytest

from tests.measure.savings import PROMISES, Promise, measured, share
from toolsearch_core.index import RetrieverStore


@pytest.fixture(scope="module")
def store() -> RetrieverStore:
    return RetrieverStore()


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.name)
def test_a_conversation_costs_at_most_its_promised_share(
    promise: Promise, store: RetrieverStore
) -> None:
    folder = os.environ.get("TOOLSEARCH_TEST_DATA")
    found = measured(promise, store, Path(folder) if folder else None)
    if found is None:
        pytest.skip("needs the folder named by TOOLSEARCH_TEST_DATA")

    assert found.searched.statuses == found.up_front.statuses
    assert set(found.searched.statuses) == {"answered"}
    assert len(found.searched.called) >= 3
    assert share(promise, found) <= promise.share
