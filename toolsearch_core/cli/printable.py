"""Texts from strangers on a terminal: shown, never obeyed."""

import unicodedata


def printable(text: str) -> str:
    """One line in which control and direction characters are written out as their code."""
    return "".join(
        char if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") else _escaped(char)
        for char in text
    )


def _escaped(char: str) -> str:
    # The joiners make emoji and several scripts what they are, and change nothing else.
    return char if char in "\u200c\u200d" else char.encode("unicode_escape").decode()
