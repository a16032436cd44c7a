import pytest

from toolsearch_core.tokens import FAMILIES, family_of

VERSIONS = {
    "claude-3-haiku@20240307": (3, 0),
    "claude-3-5-sonnet-20241022": (3, 0),
    "claude-sonnet-4-20250514": (3, 0),
    "claude-opus-4-1": (3, 0),
    "claude-haiku-4-5-20251001": (4, 5),
    "anthropic.claude-opus-4-6-v1:0": (4, 5),
    "claude-opus-4-7": (4, 7),
    "claude-opus-4-10": (4, 8),
    "claude-opus-5": (5, 0),
    "anthropic/claude-sonnet-5.5": (5, 0),
    "Claude-Fable-5-1": (5, 0),
}


@pytest.mark.parametrize(("model", "since"), VERSIONS.items())
def test_the_version_in_a_name_decides_and_a_date_does_not(
    model: str, since: tuple[int, int]
) -> None:
    assert family_of(model).since == since


@pytest.mark.parametrize("model", ["", "rehearsal", "claude-mythos-preview", "gpt-6"])
def test_a_name_without_a_version_counts_as_the_newest(model: str) -> None:
    assert family_of(model) is FAMILIES[-1]


def test_a_version_before_all_families_counts_as_the_oldest() -> None:
    assert family_of("claude-2.1") is FAMILIES[0]


def test_families_stand_in_order() -> None:
    assert [family.since for family in FAMILIES] == sorted(family.since for family in FAMILIES)
