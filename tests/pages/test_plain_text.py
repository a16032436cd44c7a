"""Texts from strangers come out as they went in, whatever a reader of Markdown would make of them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages._shared.plain_text import JOINER, code_span, escaped, one_line, plain

HOSTILE = [
    "![x](https://example.invalid/q.png)",
    "[link](javascript:alert(1))",
    "<img src='https://example.invalid/p.png'><script>alert(1)</script>",
    "Costs $5 and then $7, $$x^2$$",
    ":smile: :material/home: :red[loud] :shimmer[wave] :streamlit:",
    "**bold** _soft_ ~~gone~~ `code` # not a heading",
    "| a | b |\n|---|---|",
    "https://example.invalid www.example.invalid mail@example.invalid",
    "a -> b <- c -- d >= e <= f ~= g",
    "&lt;b&gt; &amp; \\* \\",
]


def shown(markdown: str) -> str:
    """What a reader of Markdown shows for text that is made of escapes only."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown).replace(JOINER, "")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_sign_of_markdown_stands_without_its_backslash(text: str) -> None:
    assert (
        re.findall(r"(?<!\\)[!-/:-@\[-`{-~]", re.sub(r"\\[!-/:-@\[-`{-~]", "", escaped(text))) == []
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_the_text_is_shown_as_it_is(text: str) -> None:
    assert shown(escaped(text)) == one_line(text)


@given(st.text(max_size=200))
def test_any_text_is_shown_as_it_is(text: str) -> None:
    assert shown(escaped(text, limit=500)) == one_line(text, limit=500).replace(JOINER, "")


@pytest.mark.parametrize(
    ("text", "late"),
    [
        (":smile:", r":[\w+-]+:"),
        (":material/home:", r":material/\w+:"),
        (":red[x]", r":\w+\\?\["),
        ("https://a.b", r"https?:\\?/"),
        ("www.a.b", r"www\\?\."),
        ("a@b.c", r"@\w"),
        ("a--b", r"-\\?-"),
        ("a->b", r"-\\?>"),
        ("a<-b", r"<\\?-"),
        ("a>=b", r">\\?="),
        ("a~=b", r"~\\?="),
    ],
)
def test_what_is_read_after_the_escapes_is_parted(text: str, late: str) -> None:
    assert re.search(late, text)
    assert not re.search(late, escaped(text))


def test_a_long_text_is_clipped_to_one_line() -> None:
    line = one_line("word\n\n word\t" * 100, limit=40)

    assert len(line) <= 40
    assert line.endswith("…")
    assert "\n" not in line


def test_direction_marks_and_control_characters_are_left_out() -> None:
    assert plain("abc \u202egnp.exe\u202c def\x00\x1b[31m\r\nnext") == "abc gnp.exe def[31m\nnext"


def test_half_a_character_is_left_out() -> None:
    assert plain("a\ud83dz") == "az"


@given(st.text(alphabet="a`$: *", max_size=30))
def test_code_in_a_line_ends_where_it_should(text: str) -> None:
    span = code_span(text)
    fence = re.match(r"`+", span)[0]

    assert span.endswith(fence)
    assert fence not in re.findall(r"`+", span[len(fence) : -len(fence)])
