"""Texts from strangers, made safe for a place that reads Markdown.

Prefer `st.text` and `st.code`, which take any text as it is. Labels, captions and badges read Markdown
and nothing else; what goes there passes through `escaped` first.
"""

import re

MAX_LABEL_CHARS = 160
JOINER = "\u2060"
"""Word joiner: no width, no line break. It parts what would be read as a sign of its own."""

_CONTROLS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029"  # control characters and line separators
    r"\u200e\u200f\u202a-\u202e\u2066-\u2069"  # what turns the direction of writing
    r"\ud800-\udfff\ufeff]"  # halves of characters, which no browser can be sent
)
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
# Read after the escapes are resolved, so a backslash does not stop them: shortcodes (`:smile:`,
# `:material/home:`), typographic arrows and dashes, and addresses that become links.
_READ_LATE = re.compile(
    r"(?<=:)(?=\S)|(?<=-)(?=[->])|(?<=[<>~])(?=[-=])|(?<=@)(?=\S)|(?<=[wW]{3})(?=\.)"
)


def plain(text: str) -> str:
    """The text without control characters and direction marks; line breaks and tabs stay."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str, limit: int = MAX_LABEL_CHARS) -> str:
    """The text as one line of at most `limit` characters, `…` included."""
    line = " ".join(plain(text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def escaped(text: str, limit: int = MAX_LABEL_CHARS) -> str:
    """One line of Markdown that shows the text as it is.

    No emphasis, image, link, HTML, formula, shortcode, colour or heading comes out of it.
    """
    parted = _READ_LATE.sub(JOINER, one_line(text, limit))
    return _PUNCTUATION.sub(r"\\\g<0>", parted)


def code_span(text: str, limit: int = MAX_LABEL_CHARS) -> str:
    """One line of Markdown that shows the text in the type of code."""
    line = one_line(text, limit)
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line or ' '}{pad}{fence}"
