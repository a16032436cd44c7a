"""Numbers have one form everywhere."""

import pytest

from pages._shared.numbers import change, seconds, short, whole


@pytest.mark.parametrize(
    ("count", "form"),
    [
        (0, "0"),
        (999, "999"),
        (1_000, "1.0k"),
        (2_345, "2.3k"),
        (26_082, "26.1k"),
        (99_940, "99.9k"),
        (99_960, "100k"),
        (999_400, "999k"),
        (999_600, "1.0M"),
        (12_345_678, "12.3M"),
    ],
)
def test_counts_are_short(count: int, form: str) -> None:
    assert short(count) == form


@pytest.mark.parametrize(
    ("share", "form"),
    [
        (0.824, "−82 %"),
        (-0.1, "+10 %"),
        (0.0, "0 %"),
        (0.001, "0 %"),
        (0.9968, "−99.6 %"),
        (1.0, "−100 %"),
        (-1.0, "+100 %"),
    ],
)
def test_a_saved_share_is_a_change(share: float, form: str) -> None:
    assert change(share) == form


@pytest.mark.parametrize(
    ("value", "form"),
    [(0.0, "< 1 ms"), (0.0451, "45 ms"), (0.9999, "1.0 s"), (1.26, "1.3 s"), (75.2, "75 s")],
)
def test_times_have_their_unit(value: float, form: str) -> None:
    assert seconds(value) == form


def test_whole_counts_are_grouped() -> None:
    assert whole(1_234_567) == "1,234,567"
