"""Small HTML tables, so that values show themselves in a notebook. All text is escaped."""

from collections.abc import Iterable, Sequence
from html import escape

MAX_CELL_CHARS = 120


def html_table(
    caption: str, header: Sequence[str], rows: Iterable[Sequence[object]], *, more: int = 0
) -> str:
    """A table; numbers stand to the right, long texts are cut.

    Args:
        caption: one line above it.
        header: the names of the columns.
        rows: one value per column.
        more: how many rows are left out, told below.
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    rest = f"<p>and {more:,} more</p>" if more else ""
    return (
        f"<table><caption>{escape(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"
    )


def _cell(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        text = f"{value:,}" if isinstance(value, int) else f"{value:.2f}"
        return f'<td style="text-align:right">{text}</td>'
    text = " ".join(str(value).split())
    if len(text) > MAX_CELL_CHARS:
        text = text[: MAX_CELL_CHARS - 1] + "…"
    return f'<td style="text-align:left">{escape(text)}</td>'
