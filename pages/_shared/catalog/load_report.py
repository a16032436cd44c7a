"""The load report: what became of each entry of each file, worded, filtered, and to take away."""

import json
from collections.abc import Sequence
from typing import Literal

import streamlit as st

from pages._shared.language import notice_label, notice_text, t
from pages._shared.plain_text import code_span, one_line
from pages._shared.state import Visit
from toolsearch_core.catalog import EntryReport, LoadReport
from toolsearch_core.catalog.report_json import report_as_json

Shown = Literal["all", "loaded", "repaired", "rejected", "with_notes"]
SHOWN: dict[Shown, str] = {
    "all": "catalogs.report.all",
    "loaded": "catalogs.report.loaded",
    "repaired": "catalogs.report.repaired",
    "rejected": "catalogs.report.rejected",
    "with_notes": "catalogs.report.with_notes",
}
"""What can be shown of a report; `with_notes` is what was loaded and still deserves a word."""
FEW_ENTRIES = 8
STATUS_GLYPHS = {"loaded": "✓", "repaired": "✎", "rejected": "✗"}


def draw(visit: Visit) -> None:
    """Draw the report of all files on the shelf."""
    reports = [item.report for item in visit.workspace.shelf.loaded]
    with st.grid(4, min_column_width=130):
        st.metric(t("catalogs.report.read"), sum(report.read for report in reports))
        st.metric(t("catalogs.report.loaded"), sum(report.loaded for report in reports))
        st.metric(t("catalogs.report.repaired"), sum(report.repaired for report in reports))
        st.metric(t("catalogs.report.rejected"), sum(report.rejected for report in reports))
    st.caption(t("catalogs.report.meaning"))
    for report in reports:
        for found in report.notices:
            st.warning(f"{code_span(report.source)} {notice_label(found)}", icon=":material/info:")
    draw_entries(reports, key="catalog_report")


def draw_refused(report: LoadReport, *, key: str) -> None:
    """Why nothing of a file could be used: a line for each entry while they are few, else the table."""
    if len(report.entries) > FEW_ENTRIES:
        _table([report], [(report, entry) for entry in report.entries], key)
    else:
        with st.container(gap="xxsmall"):
            for entry in report.entries:
                st.text(f"{entry.position}. {_name(entry)}: {_reasons(entry)}")
    _download([report], key)


def draw_entries(reports: Sequence[LoadReport], *, key: str) -> None:
    """The entries of these reports with their reasons, a filter, and the download."""
    rows = [(report, entry) for report in reports for entry in report.entries]
    shown = _choose(rows, key)
    kept = [(report, entry) for report, entry in rows if _is_shown(entry, shown)]
    if kept:
        _table(reports, kept, key)
    else:
        st.info(t("catalogs.report.none_of_these"), icon=":material/filter_alt:")
    _download(reports, key)


def _table(
    reports: Sequence[LoadReport], kept: Sequence[tuple[LoadReport, EntryReport]], key: str
) -> None:
    st.dataframe(
        [_row(report, entry, several=len(reports) > 1) for report, entry in kept],
        hide_index=True,
        key=f"{key}_entries",
        alt=t("catalogs.report.alt", n=len(kept)),
        column_config={t("catalogs.report.reasons"): st.column_config.TextColumn(width="large")},
    )


def _download(reports: Sequence[LoadReport], key: str) -> None:
    st.download_button(
        t("catalogs.report.download"),
        data=lambda: reports_json(reports),
        file_name="load-report.json",
        mime="application/json",
        key=f"{key}_download",
        icon=":material/download:",
        on_click="ignore",
    )


def _choose(rows: Sequence[tuple[LoadReport, EntryReport]], key: str) -> Shown:
    shown: Shown = st.segmented_control(
        t("catalogs.report.show"),
        list(SHOWN),
        format_func=lambda item: f"{t(SHOWN[item])} ({_count(rows, item)})",
        default="all",
        required=True,
        key=f"{key}_shown",
        label_visibility="collapsed",
    )
    return shown


def _is_shown(entry: EntryReport, shown: Shown) -> bool:
    match shown:
        case "all":
            return True
        case "loaded":
            return entry.tool is not None
        case "with_notes":
            return entry.status == "loaded" and bool(entry.reasons)
        case _:
            return entry.status == shown


def _count(rows: Sequence[tuple[LoadReport, EntryReport]], shown: Shown) -> int:
    return sum(_is_shown(entry, shown) for _, entry in rows)


def _row(report: LoadReport, entry: EntryReport, *, several: bool) -> dict[str, object]:
    row: dict[str, object] = {
        t("catalogs.report.status"): f"{STATUS_GLYPHS[entry.status]} {_status(entry)}",
        t("catalogs.column.name"): _name(entry),
        t("catalogs.report.reasons"): _reasons(entry),
        t("catalogs.column.server"): one_line(entry.server),
        t("catalogs.report.position"): entry.position,
    }
    return row | ({t("catalogs.report.file"): report.source} if several else {})


def _name(entry: EntryReport) -> str:
    return one_line(entry.name) or t("catalogs.report.nameless")


def _reasons(entry: EntryReport) -> str:
    return " ".join(one_line(notice_text(reason), 500) for reason in entry.reasons)


def _status(entry: EntryReport) -> str:
    return t(f"catalogs.report.{entry.status}")


def reports_json(reports: Sequence[LoadReport]) -> str:
    """The reports as JSON, with sentences in the language of the page."""
    files = [report_as_json(report, notice_text) for report in reports]
    return json.dumps({"files": files}, ensure_ascii=False, indent=2)
