"""Where the tokens of a catalog lie: by server, and within it by tool."""

import html
import re
import statistics
from collections.abc import Mapping, Sequence

import pandas as pd  # noqa: F401 - Plotly looks for it and takes it half imported by another thread
import plotly.graph_objects as go
import streamlit as st

from pages._shared import state
from pages._shared.catalog.tool_table import tokens_by_tool
from pages._shared.language import t
from pages._shared.numbers import short
from pages._shared.plain_text import one_line
from pages._shared.state import Visit
from pages._shared.visual_language import AMOUNT_COLORS
from toolsearch_core.tools import Catalog

CONFIG = {
    "displaylogo": False,
    "modeBarButtons": [["toImage"]],
    "toImageButtonOptions": {"filename": "catalog-tokens", "scale": 3},
}
LINE_CHARS = 12
NAME_CHARS = 60


def draw(visit: Visit) -> None:
    """Draw the map and its table."""
    catalog = visit.workspace.catalog
    tokens = tokens_by_tool(catalog)
    st.plotly_chart(
        tokens_figure(catalog, tokens, projector=state.projector()),
        key="catalog_tokens",
        config=CONFIG,
        alt=tokens_alt(catalog, tokens),
    )
    with st.expander(t("catalogs.tokens.table"), icon=":material/table:"):
        st.dataframe(tokens_rows(catalog, tokens), hide_index=True, alt=tokens_alt(catalog, tokens))


def tokens_figure(
    catalog: Catalog, tokens: Mapping[str, int], *, projector: bool = False
) -> go.Figure:
    """A map of the catalog: a field for each server, in it one for each tool, as large as its tokens."""
    size = 20 if projector else 14
    figure = go.Figure(_fields(catalog, tokens, size))
    figure.update_layout(
        title={
            "text": t("catalogs.tokens.title"),
            "font": {"size": size + 2},
            "subtitle": {"text": t("ledger.estimated"), "font": {"size": size - 1}},
        },
        height=560,
        margin={"l": 0, "r": 0, "t": 5 * size, "b": 0},
        paper_bgcolor="rgba(0,0,0,0)",
        font={"size": size},
        uniformtext={"minsize": size - 3, "mode": "hide"},  # a name too small to read is in the tip
    )
    return figure


def _fields(catalog: Catalog, tokens: Mapping[str, int], size: int) -> go.Treemap:
    servers = _servers(catalog, tokens)
    tools = catalog.tools
    outer, middle, inner = AMOUNT_COLORS
    return go.Treemap(
        ids=["all", *(f"s:{name}" for name in servers), *(f"t:{tool.wire_name}" for tool in tools)],
        labels=[
            t("catalogs.tokens.all"),
            *(_label(name or t("catalogs.no_server")) for name in servers),
            *(_label(tool.name) for tool in tools),
        ],
        parents=["", *("all" for _ in servers), *(f"s:{tool.server}" for tool in tools)],
        values=[
            sum(tokens.values()),
            *servers.values(),
            *(tokens[tool.wire_name] for tool in tools),
        ],
        branchvalues="total",
        texttemplate="%{label}<br>%{value:,}",
        hovertemplate="%{label}<br>%{value:,}<extra></extra>",
        textfont={"size": size, "color": "white"},
        marker={
            "colors": [outer, *(middle for _ in servers), *(inner for _ in tools)],
            "line": {"width": 1.5, "color": "rgba(255,255,255,.5)"},
            "pad": {"t": size + 12, "l": 3, "r": 3, "b": 3},
        },
        tiling={"pad": 1},
        pathbar={"visible": True, "textfont": {"size": size}},
        maxdepth=3,
    )


def _label(name: str) -> str:
    """In lines that a narrow field has room for. Plotly reads tags in it; a stranger's name has none."""
    lines = [""]
    for part in re.findall(r"[^_\-. ]+[_\-. ]?|[_\-. ]", one_line(name, NAME_CHARS)):
        if lines[-1] and len(lines[-1] + part) > LINE_CHARS:
            lines.append("")
        lines[-1] += part
    return "<br>".join(html.escape(line, quote=False) for line in lines)


def _servers(catalog: Catalog, tokens: Mapping[str, int]) -> dict[str, int]:
    """Server -> tokens, the heaviest first."""
    sums: dict[str, int] = dict.fromkeys(catalog.servers, 0)
    for tool in catalog.tools:
        sums[tool.server] += tokens[tool.wire_name]
    return dict(sorted(sums.items(), key=lambda item: -item[1]))


def tokens_alt(catalog: Catalog, tokens: Mapping[str, int]) -> str:
    """What the map shows, in one sentence with numbers."""
    servers = _servers(catalog, tokens)
    heaviest = next(iter(servers))
    return t(
        "catalogs.tokens.alt",
        tools=len(catalog),
        servers=len(servers),
        tokens=short(sum(tokens.values())),
        heaviest=one_line(heaviest or t("catalogs.no_server")),
        most=short(servers[heaviest]),
    )


def tokens_rows(catalog: Catalog, tokens: Mapping[str, int]) -> list[dict[str, object]]:
    """The same numbers by server."""
    whole = sum(tokens.values()) or 1
    return [
        _row(name or t("catalogs.no_server"), _tokens_of(catalog, name, tokens), sum_, whole)
        for name, sum_ in _servers(catalog, tokens).items()
    ]


def _tokens_of(catalog: Catalog, server: str, tokens: Mapping[str, int]) -> list[int]:
    return [tokens[tool.wire_name] for tool in catalog.tools if tool.server == server]


def _row(name: str, each: Sequence[int], sum_: int, whole: int) -> dict[str, object]:
    return {
        t("catalogs.column.server"): one_line(name),
        t("catalogs.total.tools"): len(each),
        t("catalogs.column.tokens"): sum_,
        t("catalogs.tokens.share"): f"{100 * sum_ / whole:.1f} %",
        t("catalogs.total.median"): round(statistics.median(each)),
        t("catalogs.tokens.largest"): max(each),
    }
