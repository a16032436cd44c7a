"""All of one tool: what it says it does, what it takes, and the exact text that is sent."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Literal

import streamlit as st

from pages._shared.language import t
from pages._shared.numbers import whole
from pages._shared.plain_text import code_span, escaped, one_line, plain
from toolsearch_core.jsonvalues import JsonValue
from toolsearch_core.tools import ToolDefinition

View = Literal["parameters", "schema", "original", "definition", "annotations"]
VIEWS: Mapping[View, str] = {
    "parameters": "catalogs.view.parameters",
    "schema": "catalogs.view.schema",
    "original": "catalogs.view.original",
    "definition": "catalogs.view.definition",
    "annotations": "catalogs.view.annotations",
}
FIRST_CHARS = 700
"""Of a longer description; the rest comes on request."""
CODE_HEIGHT = 380
_TURNS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that turn the direction of writing, so that a text reads as another one."""


def parameter_names(tool: ToolDefinition) -> tuple[str, ...]:
    """The names of its arguments, in the order of the schema."""
    return tuple(_properties(tool))


def draw_tool(tool: ToolDefinition, tokens: int) -> None:
    """Draw one tool. Its texts are a stranger's and shown as they are, never as markup."""
    with st.container(border=True, key="catalog_tool_details"):
        st.markdown(f"##### {code_span(tool.name)}")
        st.caption(" · ".join(_facts(tool, tokens)))
        _description(tool)
        views = [view for view in VIEWS if _has(tool, view)]
        view: View = st.segmented_control(
            t("catalogs.view"),
            views,
            format_func=lambda item: t(VIEWS[item]),
            default="parameters",
            required=True,
            key="catalog_tool_view",
            label_visibility="collapsed",
        )
        _view(tool, view if view in views else "parameters")


def _facts(tool: ToolDefinition, tokens: int) -> list[str]:
    facts = [t("catalogs.tokens", tokens=whole(tokens))]
    if tool.server:
        facts.append(f"{t('catalogs.column.server')}: {escaped(tool.server)}")
    if tool.title:
        facts.append(f"{t('catalogs.column.title')}: {escaped(tool.title)}")
    if tool.wire_name != tool.name:
        facts.append(f"{t('catalogs.column.wire_name')}: {code_span(tool.wire_name)}")
    if tool.pinned:
        facts.append(t("catalogs.column.pinned"))
    return facts


def _description(tool: ToolDefinition) -> None:
    text = plain(tool.description)
    if not text.strip():
        st.caption(t("catalogs.no_description"))
    elif len(text) <= FIRST_CHARS:
        st.text(text)
    elif st.toggle(
        t("catalogs.show_more", n=whole(len(text))), key=f"catalog_more_{tool.digest[:16]}"
    ):
        with st.container(height=CODE_HEIGHT):
            st.text(text)
    else:
        st.text(text[:FIRST_CHARS].rstrip() + "…")


def _has(tool: ToolDefinition, view: View) -> bool:
    if view == "original":
        return tool.original_schema is not None
    return view != "annotations" or bool(tool.annotations)


def _view(tool: ToolDefinition, view: View) -> None:
    match view:
        case "parameters":
            _parameters(tool)
        case "schema":
            _json(tool.input_schema)
        case "original":
            st.caption(t("catalogs.original.meaning"))
            _json(tool.original_schema)
        case "definition":
            st.caption(t("catalogs.definition.meaning"))
            _code(tool.definition_json)
        case "annotations":
            st.caption(t("catalogs.annotations.meaning"))
            _json(tool.annotations)


def _json(value: JsonValue) -> None:
    _code(json.dumps(value, ensure_ascii=False, indent=2, default=dict))


def _code(text: str) -> None:
    """Long text scrolls in a box, and colours are left off where they would take long.

    What turns the direction of writing is shown by its escape, which means the same in JSON.
    """
    text = _TURNS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    lines = text.count("\n") + len(text) // 100
    st.code(
        text,
        language="json" if len(text) < 20_000 else None,
        wrap_lines=True,
        height=CODE_HEIGHT if lines > 16 else "content",
    )


def _parameters(tool: ToolDefinition) -> None:
    rows = [
        {
            t("catalogs.parameter.name"): one_line(name),
            t("catalogs.parameter.required"): name in _required(tool),
            t("catalogs.parameter.type"): _type(schema),
            t("catalogs.column.description"): one_line(_text(schema, "description"), 400),
        }
        for name, schema in _properties(tool).items()
    ]
    if not rows:
        st.caption(t("catalogs.no_parameters"))
        return
    st.dataframe(
        rows,
        hide_index=True,
        alt=t("catalogs.parameters_alt", n=len(rows)),
        column_config={
            t("catalogs.column.description"): st.column_config.TextColumn(width="large")
        },
    )


def _properties(tool: ToolDefinition) -> Mapping[str, JsonValue]:
    properties = tool.input_schema.get("properties")
    return properties if isinstance(properties, Mapping) else {}


def _required(tool: ToolDefinition) -> Sequence[JsonValue]:
    required = tool.input_schema.get("required")
    return required if isinstance(required, list | tuple) else ()


def _type(schema: JsonValue) -> str:
    """The type as the schema gives it, with the items of a list; its choices when it names some."""
    if not isinstance(schema, Mapping):
        return ""
    kind = schema.get("type")
    kinds = [str(item) for item in kind] if isinstance(kind, list | tuple) else [str(kind or "")]
    said = " | ".join(kinds)
    items = schema.get("items")
    if said == "array" and isinstance(items, Mapping):
        said = f"array of {items.get('type', '?')}"
    choices = schema.get("enum")
    if isinstance(choices, list | tuple):
        said = f"{said}: {', '.join(str(choice) for choice in choices)}"
    return one_line(said.removeprefix(": "), 120)


def _text(schema: JsonValue, key: str) -> str:
    value = schema.get(key) if isinstance(schema, Mapping) else None
    return value if isinstance(value, str) else ""
