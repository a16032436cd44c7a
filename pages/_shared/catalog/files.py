"""Catalog files on the shelf of a workspace: take them in by sample, upload or text, list them, remove them.

A file that cannot be used costs nothing that was there before, and says what is wrong with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from pages._shared import state
from pages._shared.catalog import load_report
from pages._shared.language import label, notice_label, t
from pages._shared.numbers import whole
from pages._shared.plain_text import code_span, escaped
from pages._shared.samples import Sample, samples
from pages._shared.state import Visit
from toolsearch_core.catalog import MAX_BYTES
from toolsearch_core.errors import CatalogError
from toolsearch_core.notices import Notice
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.workspace import LoadedCatalog

UPLOAD_TYPES = ["json", "jsonl", "ndjson", "txt"]
FEW_FILES = 4
"""Up to these are named in the line that says what went well."""
MANY_FILES = 6
"""More than these scroll in a box of their own."""
_UPLOAD, _TEXT, _TEXT_NAME = "catalog_upload", "catalog_text", "catalog_text_name"


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What became of one file that was given."""

    source: str
    loaded: LoadedCatalog | None = None
    """`None` when the file as a whole could not be read."""
    known: bool = False
    """The same content was on the shelf already, so nothing changed."""
    problem: Notice | None = None

    @property
    def usable(self) -> bool:
        """Its tools are on the shelf."""
        return self.loaded is not None and not self.loaded.report.failed


def draw(visit: Visit) -> None:
    """Draw the ways to load a file, what became of the latest ones, and what is loaded."""
    shelf = visit.workspace.shelf
    if shelf.loaded:
        with st.expander(t("catalogs.add"), icon=":material/add:", key="catalog_add"):
            _ways(visit)
        _draw_outcomes(state.outcomes())
        _draw_loaded(visit)
    else:
        st.markdown(t("catalogs.empty"))
        _ways(visit)
        _draw_outcomes(state.outcomes())


def _ways(visit: Visit) -> None:
    upload, text = st.tabs([t("catalogs.way.upload"), t("catalogs.way.text")], key="catalog_ways")
    with upload:
        _upload(visit)
    with text:
        _text(visit)
    st.markdown(t("catalogs.way.sample"))
    _samples(visit)


def _samples(visit: Visit) -> None:
    language = state.language()
    loaded = {item.key for item in visit.workspace.shelf.loaded}
    with st.grid(3, min_column_width=260):
        for sample in samples():
            with st.container(border=True, height="stretch"):
                st.markdown(f"**{escaped(sample.title[language])}**")
                st.text(sample.description[language])
                st.caption(f"“{escaped(sample.questions[language][0])}”")
                st.space("stretch")
                _sample_button(visit, sample, sample.key in loaded)


def _sample_button(visit: Visit, sample: Sample, loaded: bool) -> None:
    title = sample.title[state.language()]
    if st.button(
        label("catalogs.loaded" if loaded else "catalogs.load", title=title),
        key=f"catalog_sample_{sample.file}",
        icon=":material/check:" if loaded else ":material/play_arrow:",
        disabled=loaded,
        width="stretch",
    ):
        _take_in(visit, [(sample.file, sample.data)])


def _upload(visit: Visit) -> None:
    """Each file is read once; what was read is known by its id, so that no click reads it again."""
    files = st.file_uploader(
        t("catalogs.upload", megabytes=MAX_BYTES // 1_000_000),
        type=UPLOAD_TYPES,
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
        # A workspace that begins anew begins without files.
        key=f"{_UPLOAD}_{visit.workspace_id[:8]}",
    )
    seen = state.seen_uploads()
    fresh = [file for file in files if file.file_id not in seen]
    if fresh:
        seen.update(file.file_id for file in fresh)
        _take_in(visit, [(file.name, file.getvalue()) for file in fresh])


def _text(visit: Visit) -> None:
    widgets = state.widget_state()
    if state.text_taken():
        widgets[_TEXT] = ""
    text = st.text_area(
        t("catalogs.text"),
        height=180,
        placeholder='{"tools": [ … ]}',
        key=_TEXT,
        max_chars=MAX_BYTES,
    )
    name = st.text_input(t("catalogs.text_name"), key=_TEXT_NAME, help=t("catalogs.text_name.help"))
    if st.button(t("catalogs.text_load"), key="catalog_text_load", icon=":material/play_arrow:"):
        source = (name or "").strip() or _free_name(visit)
        _take_in(visit, [(source, (text or "").encode("utf-8", "replace"))], from_text=True)


def _free_name(visit: Visit) -> str:
    """A name that no file has, since other content under a known name takes its place."""
    taken = {item.source for item in visit.workspace.shelf.loaded}
    number = 1
    while (name := t("catalogs.text_source", n=number)) in taken:
        number += 1
    return name


def _take_in(visit: Visit, files: Sequence[tuple[str, bytes]], *, from_text: bool = False) -> None:
    """Load the files, remember what became of each, and draw the page anew with it.

    A click meanwhile ends this run at the next thing drawn, so nothing is drawn between the first
    file and the last.
    """
    counter = TokenEstimator()
    with st.spinner(_loading([source for source, _ in files])):
        outcomes = [_add(visit, source, data) for source, data in files]
        for outcome in outcomes:
            # Counted here, where the page says that it is busy; counts are kept by the process.
            for tool in outcome.loaded.report.tools if outcome.loaded else ():
                counter.count_tool(tool)
        taken = from_text and all(outcome.usable for outcome in outcomes)
        state.keep_outcomes(outcomes, text_taken=taken)
    st.rerun()


def _loading(sources: Sequence[str]) -> str:
    if len(sources) == 1:
        return label("catalogs.loading", source=sources[0])
    return label("catalogs.loading.many", files=len(sources))


def _add(visit: Visit, source: str, data: bytes) -> Outcome:
    shelf = visit.workspace.shelf
    before = {item.key for item in shelf.loaded}
    try:
        loaded = shelf.add(data, source)
    except CatalogError as error:
        return Outcome(source=source, problem=error.notice)
    return Outcome(source=source, loaded=loaded, known=loaded.key in before)


# What became of the files


def _draw_outcomes(outcomes: Sequence[Outcome]) -> None:
    usable = [outcome for outcome in outcomes if outcome.usable]
    if usable:
        _draw_usable(usable)
    unusable = [outcome for outcome in outcomes if not outcome.usable]
    for outcome in unusable:
        _draw_unusable(outcome)
    if unusable and state.here().workspace.shelf.loaded:
        st.caption(t("catalogs.nothing_lost"))


def _draw_usable(outcomes: Sequence[Outcome]) -> None:
    """One line for all that went well, with what a person should look at."""
    loaded = {outcome.loaded.key for outcome in outcomes if outcome.loaded}
    # As they are now: a file that came later may have changed names in one that came before.
    reports = [item.report for item in state.here().workspace.shelf.loaded if item.key in loaded]
    if len(outcomes) > FEW_FILES:
        text = t(
            "catalogs.taken_in.many",
            files=len(outcomes),
            loaded=whole(sum(report.loaded for report in reports)),
            read=whole(sum(report.read for report in reports)),
        )
    else:
        text = f"{t('catalogs.taken_in')} {', '.join(map(_file_label, outcomes))}."
    repaired = sum(report.repaired for report in reports)
    rejected = sum(report.rejected for report in reports)
    if repaired or rejected:
        text += " " + label("catalogs.see_report", repaired=repaired, rejected=rejected)
        st.warning(text, icon=":material/fact_check:")
    else:
        st.success(text, icon=":material/check_circle:")
    for report in reports:
        for found in report.notices:
            st.warning(f"{code_span(report.source)} {notice_label(found)}", icon=":material/info:")


def _file_label(outcome: Outcome) -> str:
    if outcome.loaded is None or outcome.known:
        return label("catalogs.known.file", source=outcome.source)
    report = outcome.loaded.report
    key = "catalogs.replaced.file" if outcome.loaded.replaced else "catalogs.taken_in.file"
    return label(key, source=outcome.source, loaded=report.loaded, read=report.read)


def _draw_unusable(outcome: Outcome) -> None:
    """Why nothing of it could be used, entry by entry where it has any."""
    report = outcome.loaded.report if outcome.loaded else None
    why = [outcome.problem] if outcome.problem else []
    why += report.notices if report else []
    sentences = [label("catalogs.refused", source=outcome.source), *map(notice_label, why)]
    st.error(" ".join(sentences), icon=":material/error:")
    if outcome.loaded and outcome.loaded.report.entries:
        key = f"catalog_refused_{outcome.loaded.key[:12]}"
        load_report.draw_refused(outcome.loaded.report, key=key)


# What is loaded


def _draw_loaded(visit: Visit) -> None:
    loaded = visit.workspace.shelf.loaded
    height = 300 if len(loaded) > MANY_FILES else "content"
    with st.container(height=height, gap="xsmall", border=len(loaded) > MANY_FILES):
        for item in loaded:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(_summary(item), width="stretch")
                st.button(
                    t("catalogs.remove"),
                    key=f"catalog_remove_{item.key[:16]}",
                    help=label("catalogs.remove.help", source=item.source),
                    icon=":material/delete:",
                    type="tertiary",
                    on_click=_remove,
                    args=(item.key,),
                )


def _summary(item: LoadedCatalog) -> str:
    report = item.report
    parts = [code_span(item.source), label("catalogs.tools", n=report.loaded)]
    if report.repaired:
        parts.append(label("catalogs.repaired", n=report.repaired))
    if report.rejected:
        parts.append(label("catalogs.rejected", n=report.rejected))
    return " · ".join(parts)


def _remove(key: str) -> None:
    state.here().workspace.shelf.remove(key)
    state.keep_outcomes([])
