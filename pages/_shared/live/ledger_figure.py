"""The ledger as a figure: prompt tokens part by part, in front of what every tool up front would cost.

Three views of the same columns: the figure, one sentence that says what it shows, and a table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log10

import pandas as pd  # noqa: F401 - Plotly looks for it and takes it half imported by another thread
import plotly.graph_objects as go

from pages._shared.language import t
from pages._shared.live.ledger_columns import GAP, By, Column, Gap, columns, gaps
from pages._shared.numbers import change, short
from pages._shared.visual_language import (
    LOOKS,
    PART_FILLS,
    PARTS,
    SYSTEM_COLOR,
    Part,
    reason_word,
)
from toolsearch_core.trace.ledger import Ledger, saved_share

PART_KEYS: Mapping[Part, str] = {
    "system": "ledger.system",
    "search_tool": "ledger.search_tool",
    "pinned": "ledger.pinned",
    "accumulated": "ledger.accumulated",
    "injected": "ledger.injected",
    "messages": "ledger.messages",
}
CONFIG = {
    "displaylogo": False,
    "modeBarButtons": [["toImage"]],
    "toImageButtonOptions": {"filename": "ledger", "scale": 3},
}
"""For `st.plotly_chart`: of the mode bar only the download of a picture, to spare tab stops."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Room:
    """How many columns carry type: up to `few` every number, up to `many` every name.

    Beyond that a turn carries one, and of more than `many` turns only every second, third and so on.
    """

    few: int
    many: int


WIDE, NARROW = Room(few=16, many=20), Room(few=8, many=12)
"""Room of the figure on top of the page, and of the one beside the chat."""
FEW_GAPS = 4
BAR, GHOST = 0.6, 0.84
"""Widths, in columns."""
LINE_SHARE = 0.12
"""A line of type as a share of the height of the axis."""
CLEAR = "rgba(0,0,0,0)"


def ledger_figure(
    ledger: Ledger, *, by: By, projector: bool = False, zoom: bool = False, room: Room = WIDE
) -> go.Figure:
    """Stacked bars of what was sent, each in front of what every tool up front would have cost.

    Args:
        ledger: the conversation.
        by: a bar for each model call or for each turn.
        projector: larger type.
        zoom: scale the axis to what was sent; the bars behind run out at the top.
        room: how many columns carry type.
    """
    drawn, parted = columns(ledger, by), gaps(ledger, by)
    size = 20 if projector else 14
    top = _top(drawn, zoom)
    figure = go.Figure()
    figure.add_traces(
        [
            _ghosts(drawn),
            *(_part_bars(drawn, part) for part in PARTS),
            _dropped_bars(drawn),
            _eviction_bands(parted, top, crowded=len(drawn) > room.few),
            *_reported_marks(drawn),
            _totals(drawn, room),
            _ghost_totals(drawn, top, room),
        ]
    )
    _lay_out(figure, drawn, parted, _ticks(drawn, by, room), top, size)
    figure.update_layout(title=_title(drawn, by, size))
    return figure


def _ghosts(drawn: Sequence[Column]) -> go.Bar:
    color = LOOKS["deferred"].color
    return go.Bar(
        x=[column.x for column in drawn],
        y=[column.baseline for column in drawn],
        width=GHOST,
        name=t("ledger.baseline"),
        marker={"color": f"{color}1A", "line": {"color": color, "width": 1.5}},
        hovertemplate="%{y:,}",
    )


def _part_bars(drawn: Sequence[Column], part: Part) -> go.Bar:
    color, pattern = PART_FILLS[part]
    below = PARTS[: PARTS.index(part)]
    return go.Bar(
        x=[column.x for column in drawn],
        y=[column.parts[part] or None for column in drawn],
        base=[sum(column.parts[other] for other in below) for column in drawn],
        width=BAR,
        name=t(PART_KEYS[part]),
        marker={
            "color": color,
            "pattern": {
                "shape": pattern,
                "bgcolor": color,
                "fgcolor": "white",
                "solidity": 0.2,
                "size": 6,
            },
        },
        customdata=[column.parts[part] for column in drawn],
        hovertemplate="%{customdata:,}",
    )


def _dropped_bars(drawn: Sequence[Column]) -> go.Bar:
    look = LOOKS["dropped"]
    return go.Bar(
        x=[column.x for column in drawn],
        y=[column.dropped or None for column in drawn],
        base=[column.total for column in drawn],
        width=BAR,
        name=t("ledger.dropped"),
        marker={
            "color": CLEAR,
            "pattern": {"shape": look.pattern, "fgcolor": look.color, "solidity": 0.35, "size": 9},
            "line": {"color": look.color, "width": 1.5},
        },
        customdata=[column.dropped for column in drawn],
        hovertemplate="−%{customdata:,}",
    )


def _eviction_bands(parted: Sequence[Gap], top: float, *, crowded: bool) -> go.Bar:
    look = LOOKS["index_evicted"]
    return go.Bar(
        # A trace without a point would have no place in the legend.
        x=[gap.x for gap in parted] or [None],
        y=[top for _ in parted] or [None],
        width=GAP / (2 if crowded else 4),
        name=t("ledger.index_evicted"),
        marker={
            "color": CLEAR,
            "pattern": {"shape": look.pattern, "fgcolor": look.color, "solidity": 0.3, "size": 9},
            "line": {"color": look.color, "width": 1.5},
        },
        text=[_reasons(gap) for gap in parted],
        textposition="none",
        hovertemplate="%{text}",
    )


def _reasons(gap: Gap) -> str:
    return ", ".join(reason_word(reason) for reason in dict.fromkeys(gap.reasons))


def _reported_marks(drawn: Sequence[Column]) -> list[go.Scatter]:
    """Nothing where nothing was reported, so that no one looks for it."""
    shown = [column for column in drawn if column.reported is not None]
    if not shown:
        return []
    return [
        go.Scatter(
            # At the edge of the bar, beside the number above it.
            x=[column.x + BAR / 2 for column in shown],
            y=[column.reported for column in shown],
            mode="markers",
            name=t("ledger.reported"),
            marker={
                "symbol": "diamond",
                "size": 9,
                "color": "white",
                "line": {"width": 2, "color": SYSTEM_COLOR},
            },
            hovertemplate="%{y:,}",
        )
    ]


def _totals(drawn: Sequence[Column], room: Room) -> go.Bar:
    """The number over each bar; over a call that only searched, the mark of a search as well."""
    ring = LOOKS["discovered"].glyph
    lettered = _lettered(drawn, room)
    marks = [ring if column.search_rounds and len(drawn) <= room.few else "" for column in lettered]
    return _numbers(
        lettered,
        [column.total + column.dropped for column in lettered],
        [
            f"{mark}<br>{short(column.total)}" if mark else short(column.total)
            for column, mark in zip(lettered, marks, strict=True)
        ],
        crowded=len(drawn) > room.few,
    )


def _ghost_totals(drawn: Sequence[Column], top: float, room: Room) -> go.Bar:
    """On each bar behind while they are few, else on the last one; at the top where it runs out.

    Where both bars are about equally high, the number of the one in front stands for both.
    """
    lettered = [
        column
        for column in (drawn if len(drawn) <= room.few else drawn[-1:])
        if abs(min(column.baseline, top) - column.total - column.dropped) > LINE_SHARE * top
    ]
    return _numbers(
        lettered,
        [min(column.baseline, top * 0.9) for column in lettered],
        [("↑ " if column.baseline > top else "") + short(column.baseline) for column in lettered],
        crowded=len(drawn) > room.few,
        font={"color": LOOKS["deferred"].color},
    )


def _numbers(
    lettered: Sequence[Column],
    heights: Sequence[float],
    text: Sequence[str],
    *,
    crowded: bool,
    font: Mapping[str, str] | None = None,
) -> go.Bar:
    """Type above bars, carried by bars nobody sees: what does not fit its place is left out."""
    return go.Bar(
        x=[column.x for column in lettered],
        y=[1 for _ in lettered],
        base=heights,
        width=3 if crowded else 1,
        marker={"color": CLEAR},
        text=text,
        textposition="outside",
        textangle=0,
        textfont=font,
        constraintext="both",
        cliponaxis=False,
        showlegend=False,
        hoverinfo="skip",
    )


def _lettered(drawn: Sequence[Column], room: Room) -> list[Column]:
    """The columns that have their number: all, the last one of each turn, or that of some turns."""
    if len(drawn) <= room.few:
        return list(drawn)
    lasts = {column.turn: column for column in drawn}
    return _thinned([lasts[turn] for turn in sorted(lasts)], room)


def _thinned(shown: Sequence[Column], room: Room) -> list[Column]:
    """Every second, third and so on, counted from the latest one, so that they stay apart."""
    step = ceil(len(shown) / room.few)
    return list(reversed(shown[::-1][::step])) if step > 1 else list(shown)


def _top(drawn: Sequence[Column], zoom: bool) -> float:
    """The end of the axis: round, with room for a line of type, steady while little changes."""
    highest = max((column.total + column.dropped for column in drawn), default=0)
    if not zoom:
        highest = max([highest, *(column.baseline for column in drawn)])
    wanted = max(highest, 500) * 1.14
    step = 10 ** ceil(log10(wanted)) / 20
    return ceil(wanted / step) * step


def _ticks(drawn: Sequence[Column], by: By, room: Room) -> tuple[list[float], list[str]]:
    """The names under the bars; of many calls those of the turns, where they begin."""
    if by == "calls" and len(drawn) <= room.many:
        return [column.x for column in drawn], [column.name for column in drawn]
    firsts = {column.turn: column for column in reversed(drawn)}
    turns = [firsts[turn] for turn in sorted(firsts)]
    shown = _thinned(turns, room)
    name = "ledger.turn" if len(turns) <= room.few else "ledger.turn_short"
    return [column.x for column in shown], [t(name, n=column.turn) for column in shown]


def _lay_out(
    figure: go.Figure,
    drawn: Sequence[Column],
    parted: Sequence[Gap],
    ticks: tuple[list[float], list[str]],
    top: float,
    size: int,
) -> None:
    places, names = ticks
    last = max((place.x for place in (*drawn, *parted)), default=0)
    small = {"size": size - 1}
    figure.update_layout(
        barmode="overlay",
        height=27 * size + 42,
        margin={"l": 8, "r": 8, "t": (6 + 1.3 * _note_lines(parted)) * size, "b": 8},
        font={"size": size},
        uniformtext={"minsize": size - 2, "mode": "hide"},
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
        hovermode="x unified",
        legend=_legend(size),
        xaxis={
            "tickvals": places,
            "ticktext": names,
            "tickangle": 0,
            "range": [-0.6, max(last, 4) + 0.6],
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
            "tickfont": small,
        },
        yaxis={
            "title": {"text": t("ledger.tokens"), "font": {"size": size}},
            "range": [0, top],
            "tickformat": "~s",
            "fixedrange": True,
            "tickfont": small,
        },
        annotations=_eviction_notes(parted, max(last, 4), top, size),
    )


def _legend(size: int) -> dict[str, object]:
    return {
        "orientation": "h",
        "xref": "container",
        "x": 0,
        "yref": "container",
        "y": 0,
        "yanchor": "bottom",
        "entrywidth": 6.6 * size,
        "font": {"size": size - 1},
        "traceorder": "normal",
        "itemclick": False,
        "itemdoubleclick": False,
    }


def _title(drawn: Sequence[Column], by: By, size: int) -> dict[str, object]:
    title, behind = {
        "calls": (t("ledger.title_calls"), t("ledger.behind_call")),
        "turns": (t("ledger.title_turns"), t("ledger.behind_turn")),
    }[by]
    return {
        "text": title,
        "yref": "container",
        "y": 1,
        "yanchor": "top",
        "pad": {"t": 4},
        "font": {"size": size + 2},
        "subtitle": {"text": f"{behind}<br>{_honesty(drawn)}", "font": {"size": size - 1}},
    }


def _note_lines(parted: Sequence[Gap]) -> int:
    """One line for each note, so that they do not run into each other."""
    return len(parted) if len(parted) <= FEW_GAPS else 0


def _eviction_notes(
    parted: Sequence[Gap], last: float, top: float, size: int
) -> list[dict[str, object]]:
    """Why the index went, over the gap; left to the table where many gaps stand close."""
    if len(parted) > FEW_GAPS:
        return []
    return [
        {
            "x": gap.x,
            "y": top,
            "text": f"{LOOKS['index_evicted'].glyph} {_reasons(gap)}",
            "yanchor": "bottom",
            # Towards the middle, so that neither edge cuts it.
            "xanchor": "left"
            if gap.x < last / 3
            else "right"
            if gap.x > 2 * last / 3
            else "center",
            "yshift": number * 1.3 * size,
            "showarrow": False,
            "font": {"size": size - 1},
        }
        for number, gap in enumerate(parted)
    ]


def _honesty(drawn: Sequence[Column]) -> str:
    """What the numbers are, said on the figure itself, so that a picture of it says it too."""
    said = [t("ledger.estimated")]
    if any(column.simulated for column in drawn):
        whole = all(column.simulated for column in drawn)
        said.append(t("ledger.simulated") if whole else t("ledger.simulated_in_part"))
    return " · ".join(said)


def ledger_alt(ledger: Ledger, *, by: By) -> str:
    """What the figure shows, in one or two sentences with numbers."""
    drawn = columns(ledger, by)
    if not drawn:
        return t("ledger.alt_empty")
    last = drawn[-1]
    key = "ledger.alt_calls" if by == "calls" else "ledger.alt_turns"
    sentences = [
        t(
            key,
            n=len(drawn),
            least=short(min(column.total for column in drawn)),
            most=short(max(column.total for column in drawn)),
            last=short(last.total),
            baseline=short(last.baseline),
            change=change(saved_share(last.total, last.baseline)),
        ),
        _honesty(drawn),
    ]
    return " ".join(sentences)


def ledger_rows(ledger: Ledger, *, by: By) -> list[dict[str, object]]:
    """The same numbers as a table with worded headings; an eviction has a row of its own."""
    drawn = columns(ledger, by)
    reports = any(column.reported is not None for column in drawn)
    rows = [(column.x, _row(column, reports)) for column in drawn]
    rows += [
        (gap.x, {t("ledger.column_name"): f"{t('ledger.index_evicted')}: {_reasons(gap)}"})
        for gap in gaps(ledger, by)
    ]
    return [row for _, row in sorted(rows, key=lambda item: item[0])]


def _row(column: Column, reports: bool) -> dict[str, object]:
    row: dict[str, object] = {t("ledger.column_name"): column.name}
    row |= {t(key): column.parts[part] for part, key in PART_KEYS.items()}
    row |= {
        t("ledger.total"): column.total,
        t("ledger.baseline"): column.baseline,
        t("ledger.saved"): change(saved_share(column.total, column.baseline)),
        t("ledger.dropped"): column.dropped,
        t("ledger.search_rounds"): column.search_rounds,
    }
    if reports:
        row[t("ledger.reported")] = column.reported
    return row
