import pytest

from toolsearch_core.tokens import text_counts
from toolsearch_core.tokens.text_counts import MAX_COUNTED_CHARS, TextCounts, shared_text_counts


def test_latin_and_other_scripts_are_told_apart() -> None:
    counts = TextCounts()

    assert counts.count("a plain sentence about a cat")[1] == 0
    assert counts.count("고양이 세 마리")[0] <= 1
    latin, other = counts.count("feed 고양이")
    assert latin > 0
    assert other > 0


def test_a_known_text_is_not_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = TextCounts()
    before = counts.count("one cat")
    monkeypatch.setattr(text_counts, "_counted", lambda text: pytest.fail("counted again"))

    assert counts.count("one cat") == before


def test_the_memory_is_bounded_and_forgets_what_was_not_asked_for_longest() -> None:
    counts = TextCounts(max_texts=3)
    for text in ("a", "b", "c", "a", "d"):
        counts.count(text)

    assert len(counts) == 3
    assert [key in counts for key in ("a", "b", "c", "d")] == [True, False, True, True]


def test_a_very_long_text_is_scaled_from_its_beginning() -> None:
    counts = TextCounts()
    sentence = "The cat sat on the mat and looked out. "
    long = sentence * (3 * MAX_COUNTED_CHARS // len(sentence))

    per_character = sum(counts.count(sentence * 100)) / len(sentence * 100)

    assert sum(counts.count(long)) / len(long) == pytest.approx(per_character, rel=0.02)


def test_a_text_given_in_pieces_is_the_sum_of_its_pieces() -> None:
    counts = TextCounts()

    whole = counts.count("feed the cat", pieces=lambda: ["feed the", " cat"])

    assert whole == (sum(TextCounts().count(piece)[0] for piece in ("feed the", " cat")), 0)
    assert " cat" in counts


def test_half_a_character_can_be_counted() -> None:
    assert sum(TextCounts().count("\ud83d")) >= 1


def test_one_process_has_one_memory() -> None:
    assert shared_text_counts() is shared_text_counts()
