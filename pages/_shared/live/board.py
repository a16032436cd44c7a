"""The board: every tool of the catalog in its state, and the latest request beside it.

A small component draws it in the browser; a table below says the same. The component gets texts as
data and shows them as text. Its code and style stand in the two files beside this one.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from pages._shared.language import t
from pages._shared.live.ledger_columns import Column, call_column
from pages._shared.numbers import whole
from pages._shared.plain_text import one_line
from pages._shared.visual_language import (
    LOOKS,
    PART_FILLS,
    PARTS,
    legend,
    marked,
    reason_word,
    state_of,
    word,
)
from toolsearch_core.jsonvalues import digest
from toolsearch_core.trace.board import BoardRow, IndexState
from toolsearch_core.trace.ledger import CallRow

HTML = """
<div class="board">
  <p class="banner" role="status"></p>
  <div class="stage">
    <div>
      <div class="grid" role="group"></div>
      <p class="query"></p>
      <ul class="counts"></ul>
      <p class="hint"></p>
    </div>
    <div class="window">
      <p class="title"></p>
      <p><b class="total"></b><span class="rest"></span></p>
      <div class="gauge" role="img"></div>
      <div class="pile" role="group"></div>
    </div>
  </div>
  <div class="detail" aria-live="polite" hidden></div>
  <div class="tip" hidden></div>
</div>
"""

NAME_PX, STATE_PX, REASON_PX = 130, 110, 190
WRAPPED_ROW_PX = {False: 66, True: 78}
"""Of the table: columns of which the first three are seen at once, and rows in which text wraps, which
Streamlit lets it do in rows higher than 4 rem; by projector mode."""

_HERE = Path(__file__)
_component = st.components.v2.component(
    "toolsearch_board",
    html=HTML,
    css=_HERE.with_name("board_component.css").read_text(encoding="utf-8"),
    js=_HERE.with_name("board_component.js").read_text(encoding="utf-8"),
)


def draw_board(
    rows: Sequence[BoardRow],
    *,
    index_state: IndexState,
    latest: CallRow | None = None,
    query: str = "",
    projector: bool = False,
    key: str = "board",
) -> None:
    """Draw the board and, folded away, what its marks mean and its table.

    Args:
        rows: every tool of the catalog.
        index_state: what became of the session's index.
        latest: the latest request; `None` before the first one.
        query: the latest search.
        projector: larger type and marks.
        key: keeps the same board over reruns, so that tools are seen to move.
    """
    data = board_data(rows, index_state=index_state, latest=latest, query=query)
    # Streamlit refuses a component whose key holds two underscores in a row.
    _component(key=f"board_{digest(key)[:16]}", data={**data, "projector": projector})
    with st.expander(t("board.legend"), icon=":material/info:"):
        legend()
    with st.expander(t("board.table"), icon=":material/table:"):
        st.dataframe(
            board_rows(rows),
            hide_index=True,
            alt=t("board.table_alt", n=len(rows)),
            row_height=WRAPPED_ROW_PX[projector],
            column_config={
                t("board.state"): st.column_config.TextColumn(width=STATE_PX),
                t("board.reason"): st.column_config.TextColumn(width=REASON_PX),
                t("board.query"): st.column_config.TextColumn(width=REASON_PX),
                t("board.score"): st.column_config.NumberColumn(format="%.2f"),
                t("board.tool"): st.column_config.TextColumn(pinned=True, width=NAME_PX),
            },
        )


def board_rows(rows: Sequence[BoardRow]) -> list[dict[str, object]]:
    """The board as a table with worded headings; tools that something happened to come first."""
    ordered = sorted(rows, key=lambda row: row.seq < 0)
    return [
        {
            t("board.tool"): row.name,
            t("board.state"): marked(state_of(row))
            + (f", {t('board.pinned')}" if row.pinned else ""),
            t("board.reason"): reason_word(row.reason),
            t("board.query"): one_line(row.query),
            t("board.score"): row.score,
            t("board.server"): row.server,
            t("board.calls"): row.calls,
            t("board.tokens"): row.tokens or None,
            t("board.turn"): row.turn or None,
        }
        for row in ordered
    ]


def board_data(
    rows: Sequence[BoardRow], *, index_state: IndexState, latest: CallRow | None, query: str
) -> dict[str, object]:
    """What the component draws: all texts worded, all numbers as they are read."""
    servers = list(dict.fromkeys(row.server for row in rows))
    place = {server: number for number, server in enumerate(servers)}
    return {
        "looks": {
            state: {
                "word": word(state),
                "color": look.color,
                "path": look.path,
                "stroke": look.stroke,
            }
            for state, look in LOOKS.items()
        },
        "servers": servers,
        "tools": [
            {
                "name": row.name,
                "server": place[row.server],
                "state": state_of(row),
                **({"pinned": True} if row.pinned else {}),
            }
            for row in rows
        ],
        "details": {row.name: _detail(row) for row in rows if row.seq >= 0 or row.calls},
        "first_reason": reason_word("never_searched"),
        "window": _window(latest),
        "query": t("board.searched", query=one_line(query)) if query else "",
        "banner": _banner(index_state, asked=latest is not None),
        "words": _words(),
    }


def _detail(row: BoardRow) -> dict[str, str]:
    facts = {
        "reason": reason_word(row.reason),
        "query": one_line(row.query),
        "score": "" if row.score is None else f"{row.score:.2f}",
        "tokens": whole(row.tokens) if row.tokens else "",
        "turn": str(row.turn) if row.turn else "",
        "calls": str(row.calls) if row.calls else "",
    }
    return {name: value for name, value in facts.items() if value}


def _banner(index_state: IndexState, *, asked: bool) -> Mapping[str, str]:
    if index_state.state == "none":
        return {"kind": "none", "text": t("board.no_index" if asked else "board.nothing_asked")}
    if index_state.state == "ready" or index_state.reason is None:
        return {"kind": "", "text": t("board.index_ready")}
    reason = reason_word(index_state.reason)
    if index_state.reason == "ttl" and index_state.idle_s:
        reason = t("board.idle", reason=reason, minutes=f"{index_state.idle_s / 60:.0f}")
    return {
        "kind": "evicted",
        "text": t("board.index_evicted", reason=reason, n=index_state.released),
    }


def _window(latest: CallRow | None) -> dict[str, object]:
    if latest is None:
        return {
            "title": t("board.window_empty"),
            "total": "0",
            "rest": t("board.tokens_unit"),
            "alt": "",
            "total_tokens": 0,
            "baseline_tokens": 0,
            "parts": [],
            "bars": [],
        }
    column = call_column(latest)
    total, baseline = whole(column.total), whole(column.baseline)
    return {
        "title": t("board.window", turn=latest.turn, call=latest.call),
        "total": total,
        "rest": t("board.of_baseline", baseline=baseline),
        "alt": t("board.gauge_alt", total=total, baseline=baseline),
        "total_tokens": column.total,
        "baseline_tokens": column.baseline,
        "parts": _gauge_parts(column),
        "bars": [
            {
                "name": tool.name,
                "tokens": tool.tokens,
                "label": whole(tool.tokens),
                "kind": tool.reason,
            }
            for tool in latest.injected
        ],
    }


def _gauge_parts(column: Column) -> list[dict[str, object]]:
    return [
        {"name": part, "tokens": column.parts[part], "color": PART_FILLS[part][0]} for part in PARTS
    ]


def _words() -> Mapping[str, str]:
    return {
        "grid": t("board.grid"),
        "hint": t("board.hint"),
        "close": t("board.close"),
        "evicted": t("board.evicted"),
        "no_server": t("board.no_server"),
        "search_tool": t("board.search_tool"),
        "pinned": t("board.pinned"),
        "state": t("board.state"),
        "server": t("board.server"),
        "reason": t("board.reason"),
        "query": t("board.query"),
        "score": t("board.score"),
        "tokens": t("board.tokens"),
        "turn": t("board.turn"),
        "calls": t("board.calls"),
    }
