"""The tools of the catalog: totals, a table with a filter, and all of one tool."""

import statistics
from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages._shared import state
from pages._shared.catalog.tool_details import draw_tool, parameter_names
from pages._shared.language import t
from pages._shared.numbers import short, whole
from pages._shared.plain_text import one_line
from pages._shared.state import Visit
from toolsearch_core.jsonvalues import digest
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.tools import Catalog, ToolDefinition

CLIPPED = 160
"""Characters of a description in the table; the whole of it stands with the tool."""
_FILTER, _SERVERS, _TOOL = "catalog_filter", "catalog_servers", "catalog_tool"


def draw(visit: Visit) -> None:
    """Draw totals, table and tool; typing in the filter draws nothing else anew."""
    st.fragment(partial(_content, visit.workspace.settings.options.pinned))()


def _content(pinned: tuple[str, ...]) -> None:
    catalog = state.here().workspace.catalog
    tokens = tokens_by_tool(catalog)
    _totals(catalog, list(tokens.values()))
    kept = _filtered(catalog)
    if not kept:
        st.info(t("catalogs.filtered_out", n=len(catalog)), icon=":material/filter_alt:")
        return
    _table(catalog, kept, tokens, pinned)
    chosen = _chosen(kept)
    if chosen is not None:
        draw_tool(chosen, tokens[chosen.wire_name])


def tokens_by_tool(catalog: Catalog) -> dict[str, int]:
    """Wire name -> tokens of the definition, estimated. Counts are remembered by the process."""
    counter = TokenEstimator()
    return {tool.wire_name: counter.count_tool(tool) for tool in catalog.tools}


def _totals(catalog: Catalog, tokens: Sequence[int]) -> None:
    with st.grid(4, min_column_width=130):
        st.metric(t("catalogs.total.tools"), whole(len(catalog)))
        st.metric(t("catalogs.total.servers"), whole(len(catalog.servers)))
        st.metric(
            t("catalogs.total.tokens"), short(sum(tokens)), help=t("catalogs.total.tokens.help")
        )
        st.metric(t("catalogs.total.median"), whole(round(statistics.median(tokens))))


def _filtered(catalog: Catalog) -> list[ToolDefinition]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            t("catalogs.filter"),
            type="search",
            live="300ms",
            key=_FILTER,
            placeholder=t("catalogs.filter.example"),
        )
        servers: list[str] = []
        if len(catalog.servers) > 1:
            servers = st.multiselect(
                t("catalogs.column.server"),
                catalog.servers,
                format_func=lambda server: server or t("catalogs.no_server"),
                placeholder=t("catalogs.all_servers"),
                key=_SERVERS,
            )
    words = (text or "").casefold().split()
    return [
        tool
        for tool in catalog.tools
        if (not servers or tool.server in servers) and _holds(tool, words)
    ]


def _holds(tool: ToolDefinition, words: Sequence[str]) -> bool:
    """Every word stands somewhere in the tool."""
    if not words:
        return True
    everything = " ".join(
        (
            tool.name,
            tool.wire_name,
            tool.title,
            tool.server,
            tool.description,
            *parameter_names(tool),
        )
    ).casefold()
    return all(word in everything for word in words)


def _table(
    catalog: Catalog,
    kept: Sequence[ToolDefinition],
    tokens: dict[str, int],
    pinned: tuple[str, ...],
) -> None:
    names = [tool.wire_name for tool in kept]
    # A row is selected by its place, so another set of rows is another table.
    key = f"catalog_tools_{digest(catalog.fingerprint, *names)[:16]}"
    st.dataframe(
        [_row(tool, tokens[tool.wire_name], tool.wire_name in pinned) for tool in kept],
        hide_index=True,
        height=360 if len(kept) > 8 else "auto",
        key=key,
        on_select=partial(_choose_row, key, names),
        selection_mode="single-row",
        alt=t("catalogs.table_alt", n=len(kept)),
        column_order=_columns(catalog, pinned),
        column_config=_column_config(max(tokens.values())),
    )
    if len(kept) < len(catalog):
        st.caption(t("catalogs.shown", n=len(kept), all=len(catalog)))


def _row(tool: ToolDefinition, tokens: int, pinned: bool) -> dict[str, object]:
    required = tool.input_schema.get("required")
    needed = required if isinstance(required, list | tuple) else ()
    return {
        "server": one_line(tool.server),
        "name": one_line(tool.name),
        "wire_name": tool.wire_name,
        "title": one_line(tool.title),
        "tokens": tokens,
        "description": one_line(tool.description, CLIPPED),
        "parameters": one_line(
            ", ".join(name + ("*" if name in needed else "") for name in parameter_names(tool))
        ),
        "pinned": pinned or tool.pinned,
    }


def _columns(catalog: Catalog, pinned: tuple[str, ...]) -> list[str]:
    """Columns that would say the same in every row are left out."""
    some = {
        "server": len(catalog.servers) > 1,
        "name": True,
        "tokens": True,
        "pinned": bool(pinned) or any(tool.pinned for tool in catalog.tools),
        "description": True,
        "parameters": True,
        "wire_name": any(tool.name != tool.wire_name for tool in catalog.tools),
        "title": any(tool.title for tool in catalog.tools),
    }
    return [name for name, shown in some.items() if shown]


def _column_config(most: int) -> dict[str, object]:
    text = st.column_config.TextColumn
    return {
        "server": text(t("catalogs.column.server")),
        "name": text(t("catalogs.column.name"), pinned=True),
        "wire_name": text(t("catalogs.column.wire_name"), help=t("catalogs.column.wire_name.help")),
        "title": text(t("catalogs.column.title"), width="medium"),
        "tokens": st.column_config.ProgressColumn(
            t("catalogs.column.tokens"),
            help=t("catalogs.total.tokens.help"),
            format="%d",
            min_value=0,
            max_value=max(most, 1),
            width="small",
        ),
        "description": text(t("catalogs.column.description"), width="large"),
        "parameters": text(
            t("catalogs.column.parameters"),
            help=t("catalogs.column.parameters.help"),
            width="medium",
        ),
        "pinned": st.column_config.CheckboxColumn(t("catalogs.column.pinned")),
    }


def _choose_row(key: str, names: Sequence[str]) -> None:
    rows = state.widget_state()[key]["selection"]["rows"]
    state.widget_state()[_TOOL] = names[rows[0]] if rows else None


def _chosen(kept: Sequence[ToolDefinition]) -> ToolDefinition | None:
    """Chosen in the table, or here by name."""
    names = [tool.wire_name for tool in kept]
    widgets = state.widget_state()
    if widgets.get(_TOOL) not in names:
        widgets[_TOOL] = None
    name = st.selectbox(
        t("catalogs.choose"), names, index=None, key=_TOOL, placeholder=t("catalogs.choose.example")
    )
    return next((tool for tool in kept if tool.wire_name == name), None)
