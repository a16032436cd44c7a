"""The Catalog page through the app: every way in, nothing lost, strangers' texts inert."""

import json
import re

import pandas as pd
import plotly.io
import pytest
from streamlit.testing.v1 import AppTest

from pages._shared.catalog.load_report import reports_json
from pages._shared.catalog.token_map import tokens_alt, tokens_figure, tokens_rows
from pages._shared.catalog.tool_details import parameter_names
from pages._shared.catalog.tool_table import tokens_by_tool
from pages._shared.samples import samples
from tests.project_files import ROOT
from toolsearch_core.catalog import load_catalog, merge
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.tools import Catalog, ToolDefinition
from toolsearch_core.workspace import catalogs

TWO = [
    {
        "name": "read_note",
        "description": "Read a note",
        "inputSchema": {
            "type": "object",
            "properties": {"id": {"type": "string"}, "raw": {"type": "boolean"}},
            "required": ["id"],
        },
    },
    {"name": "write_note", "description": "Write a note", "inputSchema": {"type": "object"}},
]
NOW = {"name": "now", "description": "Tell the time", "inputSchema": {"type": "object"}}
HOSTILE = {
    "html": '<img src="https://example.invalid/p.png"><script>alert(1)</script><b>bold</b>',
    "markdown": "![x](https://example.invalid/q.png) [link](javascript:alert(1)) | a |\n|---|",
    "formula": "Costs $5 and then $7, $$x^2$$",
    "turned": "abc \u202egnp.exe\u202c def",
    "endless": "x" * 5000,
    "shortcode": ":material/home: :red[red] :smile:",
}


def file_of(*tools: dict) -> bytes:
    return json.dumps({"tools": list(tools)}).encode()


def open_page(language: str = "en") -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30).run()
    at.switch_page("pages/catalog.py").run()
    at.query_params["lang"] = language
    at.run()
    assert not at.exception
    return at


def upload(at: AppTest, **files: bytes) -> AppTest:
    for name, data in files.items():
        at.file_uploader[0].upload(f"{name}.json", data)
    at.run()
    assert not at.exception
    return at


def paste(at: AppTest, text: str, name: str = "") -> AppTest:
    at.text_area(key="catalog_text").set_value(text)
    at.text_input(key="catalog_text_name").set_value(name)
    at.button(key="catalog_text_load").click().run()
    assert not at.exception
    return at


def table(at: AppTest) -> list[str]:
    """The names in the table of tools; empty when there is no table."""
    frames = [frame.value for frame in at.dataframe if "wire_name" in frame.value.columns]
    return list(frames[0]["name"]) if frames else []


def entries(at: AppTest) -> pd.DataFrame:
    """The table of entries of a load report."""
    return next(frame.value for frame in at.dataframe if "Why" in frame.value.columns)


def read(markdown: str) -> str:
    """What a person reads where Markdown has escapes."""
    return markdown.replace("\\", "").replace("\u2060", "")


def open_tab(at: AppTest, label: str) -> AppTest:
    at.session_state["catalog_tabs"] = label
    at.run()
    assert not at.exception
    return at


def removers(at: AppTest) -> list:
    return [button for button in at.button if str(button.key).startswith("catalog_remove_")]


@pytest.mark.parametrize(
    ("language", "title", "load"),
    [("en", "Catalog", "Load Everyday"), ("ko", "카탈로그", "일상 불러오기")],
)
def test_an_empty_page_offers_samples_upload_and_text(language, title, load):
    at = open_page(language)

    assert at.title[0].value == title
    assert load in [button.label for button in at.button]
    assert (len(at.file_uploader), len(at.text_area)) == (1, 1)
    assert table(at) == []


def test_a_page_that_is_the_first_address_of_a_process_begins_with_the_app(monkeypatch):
    """Streamlit knows of no navigation then, and runs the page by itself."""
    monkeypatch.undo()
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    at.switch_page("pages/catalog.py").run()

    assert not at.exception
    assert at.title[0].value == "Catalog"
    assert at.get_by_key("frame_language").value == "en"


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.file)
def test_every_sample_loads_by_one_click(sample):
    expected = load_catalog(sample.data, source=sample.file)
    at = open_page()
    at.button(key=f"catalog_sample_{sample.file}").click().run()

    assert not at.exception
    assert table(at) == [tool.name for tool in expected.tools]
    assert at.metric[0].value == str(expected.loaded)
    assert at.button(key=f"catalog_sample_{sample.file}").disabled


def test_several_files_are_uploaded_at_once_and_listed():
    at = upload(open_page(), notes=file_of(*TWO), clock=file_of(NOW))

    assert table(at) == ["read_note", "write_note", "now"]
    assert read(at.success[0].value) == (
        "Loaded: notes.json (2 of 2 tools), clock.json (1 of 1 tools)."
    )
    assert len(removers(at)) == 2


def test_names_in_two_files_are_counted_as_repaired_in_both_everywhere():
    at = upload(open_page(), first=file_of(*TWO), second=file_of(TWO[0]))

    told = next(item.value for item in at.warning if "load report" in item.value)
    assert "Repaired: 2" in read(told)
    listed = [read(item.value) for item in at.markdown if "repaired: 1" in read(item.value)]
    assert len(listed) == 2


def test_after_loading_one_click_leads_to_the_chat(monkeypatch):
    at = open_page()
    assert "catalog_ask" not in [button.key for button in at.button]
    upload(at, notes=file_of(*TWO))
    at.button(key="catalog_ask").click().run()

    assert not at.exception
    assert [item.key for item in at.chat_input] == ["live_input"]


def test_many_files_are_told_in_one_line():
    files = {f"file{n}": file_of({**NOW, "name": f"now_{n}"}) for n in range(7)}
    at = upload(open_page(), **files)

    assert at.success[0].value == "Loaded 7 files with 7 of 7 tools."
    assert len(table(at)) == 7


def test_a_click_elsewhere_reads_no_file_again(monkeypatch):
    """UI-03: a file is read once, whatever is clicked and whichever page is looked at meanwhile."""
    read_files = []

    def counted(data, *, source=""):
        read_files.append(source)
        return load_catalog(data, source=source)

    monkeypatch.setattr(catalogs, "load_catalog", counted)
    at = upload(open_page(), notes=file_of(*TWO))
    at.text_input(key="catalog_filter").set_value("write").run()
    open_tab(at, "Load report")
    at.switch_page("pages/live.py").run()
    at.switch_page("pages/catalog.py").run()
    at.run()

    assert not at.exception
    assert read_files.count("notes.json") == 1
    assert table(at) == ["read_note", "write_note"]


def test_a_broken_file_is_named_with_its_line_and_costs_nothing_that_was_there():
    at = upload(open_page(), notes=file_of(*TWO))
    upload(at, broken=b'{"tools": [\n  {"name": "a",}\n]}')

    assert re.search(r"Not loaded: broken.*line 2, column \d+", read(at.error[0].value))
    assert "What was loaded before is unchanged." in [item.value for item in at.caption]
    assert table(at) == ["read_note", "write_note"]


def test_a_file_of_which_nothing_can_be_used_shows_the_reasons_and_no_empty_table():
    at = upload(open_page(), bad=file_of({"description": "no name"}, {"name": 5}))

    assert "None of the 2 entries" in at.error[0].value
    assert [item.value for item in at.text if item.value[0].isdigit()] == [
        "1. (no name): The entry has no `name`. Every tool needs one.",
        "2. (no name): `name` is of type number. Expected is a text; put it in quotation marks.",
    ]
    assert table(at) == []


def test_what_is_no_catalog_gives_one_precise_error():
    at = open_page()
    odd = (b"", b"\x00\x01", b"<html></html>", b"[]", b"\xff\xfe", b"5", b'{"a": 1}')
    for number, data in enumerate(odd):
        upload(at, **{f"odd{number}": data})

        assert [read(item.value)[:20] for item in at.error] == [f"Not loaded: odd{number}.jso"]
        assert len(at.error[0].value) > 70, data


def test_a_pasted_text_is_loaded_under_its_name_and_its_field_is_free_again():
    at = paste(open_page(), json.dumps(TWO), "notes.json")

    assert table(at) == ["read_note", "write_note"]
    assert at.text_area(key="catalog_text").value == ""
    assert any("notes\\.json" in item.value or "notes.json" in item.value for item in at.markdown)


def test_a_pasted_text_with_a_fault_stays_in_its_field():
    at = paste(open_page(), '[{"name": ')

    assert len(at.error) == 1
    assert at.text_area(key="catalog_text").value == '[{"name": '


def test_pasted_texts_without_a_name_do_not_take_each_others_place():
    at = paste(open_page(), json.dumps(TWO[:1]))
    paste(at, json.dumps(TWO[1:]))

    assert table(at) == ["read_note", "write_note"]


def test_a_file_can_be_removed_and_the_others_stay():
    at = upload(open_page(), notes=file_of(*TWO), clock=file_of(NOW))
    removers(at)[0].click().run()

    assert not at.exception
    assert table(at) == ["now"]
    removers(at)[0].click().run()
    assert table(at) == []
    assert not at.error


def test_the_same_content_again_changes_nothing_and_says_so():
    at = upload(open_page(), notes=file_of(*TWO))
    upload(at, again=file_of(*TWO))

    shown = [item.value for item in (*at.success, *at.warning)]
    assert any("already loaded" in text for text in shown)
    assert table(at) == ["read_note", "write_note"]


def test_new_content_under_a_known_name_is_a_new_version():
    at = upload(open_page(), notes=file_of(*TWO))
    upload(at, notes=file_of(TWO[1]))

    shown = [item.value for item in (*at.success, *at.warning)]
    assert any("a new version" in text for text in shown)
    assert table(at) == ["write_note"]


def test_totals_are_the_estimates_of_the_core():
    at = upload(open_page(), notes=file_of(*TWO))
    tools = load_catalog(file_of(*TWO), source="notes.json").tools
    counts = [TokenEstimator().count_tool(tool) for tool in tools]

    assert [metric.value for metric in at.metric[:4]] == [
        "2",
        "1",
        str(sum(counts)),
        str(round(sum(counts) / 2)),
    ]


def test_the_filter_looks_into_names_descriptions_and_parameters():
    at = upload(open_page(), notes=file_of(*TWO))
    field = at.text_input(key="catalog_filter")

    assert table(field.set_value("READ note").run()) == ["read_note"]
    assert table(field.set_value("raw").run()) == ["read_note"]
    field.set_value("zebra").run()
    assert table(at) == []
    assert "None of the 2 tools" in at.info[0].value


def test_the_filter_by_server_is_there_when_there_are_several():
    at = upload(open_page(), notes=file_of(*TWO))
    assert not at.multiselect
    upload(at, clock=file_of(NOW))
    at.multiselect(key="catalog_servers").set_value(["clock"]).run()

    assert table(at) == ["now"]


def test_a_chosen_tool_shows_what_is_sent_and_what_it_was_before_a_repair():
    either = {
        "name": "either",
        "description": "One or the other",
        "inputSchema": {
            "anyOf": [
                {"type": "object", "properties": {"a": {"type": "string"}}},
                {"type": "object", "properties": {"b": {"type": "integer"}}},
            ]
        },
    }
    at = upload(open_page(), odd=file_of(either))
    at.selectbox(key="catalog_tool").select("either").run()
    view = at.get_by_key("catalog_tool_view")
    tool = load_catalog(file_of(either), source="odd.json").tools[0]

    assert at.text[-1].value == tool.description
    view.set_value("definition").run()
    assert at.code[-1].value == tool.definition_json
    at.get_by_key("catalog_tool_view").set_value("schema").run()
    assert json.loads(at.code[-1].value) == tool.input_schema
    at.get_by_key("catalog_tool_view").set_value("original").run()
    assert json.loads(at.code[-1].value) == either["inputSchema"]


def test_a_strangers_text_is_shown_as_text():
    hostile = [
        {"name": f"{kind} {text[:60]}", "description": text} for kind, text in HOSTILE.items()
    ]
    at = upload(open_page(), odd=file_of(*hostile, TWO[0]))
    doors = re.compile(r"(?<!\\)(!\[|<img|<script|\]\(|\$\$|:red\[|\u202e)")
    at.selectbox(key="catalog_tool").select("read_note").run()
    at.get_by_key("catalog_tool_view").set_value("definition").run()
    for tool in load_catalog(file_of(*hostile), source="odd.json").tools:
        at.selectbox(key="catalog_tool").select(tool.wire_name).run()
        read_as_markdown = [
            re.sub(r"(`+).*?\1", "", item.value)  # what stands in a code span is text
            for item in (*at.markdown, *at.caption, *at.warning, *at.success, *at.error)
        ]

        assert not at.exception
        assert at.code[-1].value.startswith(f'{{"name":"{tool.wire_name}"')
        assert [text for text in read_as_markdown if doors.search(text)] == []
        assert "\u202e" not in "".join(item.value for item in (*at.text, *at.code))


def test_a_long_description_is_clipped_until_it_is_asked_for():
    at = upload(open_page(), odd=file_of({"name": "endless", "description": HOSTILE["endless"]}))
    at.selectbox(key="catalog_tool").select("endless").run()

    assert len(at.text[-1].value) < 1000
    more = next(item for item in at.toggle if "5,000" in item.label)
    more.set_value(True).run()
    assert at.text[-1].value == HOSTILE["endless"]


def test_the_report_tells_what_became_of_each_entry_and_can_be_filtered():
    odd = file_of(TWO[0], {"name": "no schema"}, {"name": 5})
    at = open_tab(upload(open_page(), odd=odd), "Load report")

    assert [metric.value for metric in at.metric[:4]] == ["3", "2", "1", "1"]
    assert list(entries(at)["Outcome"]) == ["✓ Loaded", "✎ Repaired", "✗ Rejected"]
    at.get_by_key("catalog_report_shown").set_value("rejected").run()
    assert list(entries(at)["Outcome"]) == ["✗ Rejected"]


def test_the_report_as_json_has_codes_parameters_and_sentences():
    report = load_catalog(file_of(TWO[0], {"name": 5}), source="odd.json")
    file = json.loads(reports_json([report]))["files"][0]

    assert [file[key] for key in ("file", "read", "loaded", "rejected")] == ["odd.json", 2, 1, 1]
    assert file["entries"][0]["wire_name"] == "read_note"
    assert file["entries"][1]["reasons"] == [
        {
            "code": "catalog.name_not_text",
            "params": {"found": "number"},
            "text": "`name` is of type number. Expected is a text; put it in quotation marks.",
        }
    ]


def test_the_map_of_tokens_is_drawn_on_its_tab():
    at = open_tab(upload(open_page(), notes=file_of(*TWO)), "Tokens by server")
    spec = json.loads(at.get("plotly_chart")[0].proto.spec)

    assert spec["data"][0]["type"] == "treemap"
    assert len(spec["data"][0]["ids"]) == 1 + 1 + 2


def test_the_map_adds_up_and_takes_no_tags_from_names():
    catalog = Catalog(
        tuple(
            ToolDefinition(name=name, wire_name=wire, server=server)
            for name, wire, server in (
                ("<a href='x'>a</a>", "a", "s&co"),
                ("b", "b", "s&co"),
                ("c", "c", ""),
            )
        )
    )
    tokens = {"a": 10, "b": 20, "c": 5}
    field = json.loads(plotly.io.to_json(tokens_figure(catalog, tokens)))["data"][0]

    assert field["values"] == [35, 30, 5, 10, 20, 5]
    assert field["parents"] == ["", "all", "all", "s:s&co", "s:s&co", "s:"]
    assert field["labels"][3] == "&lt;a <br>href='x'&gt;a&lt;/a&gt;"
    assert "s&co with 30" in tokens_alt(catalog, tokens)
    assert [(row["Server"], row["Tokens"]) for row in tokens_rows(catalog, tokens)] == [
        ("s&co", 30),
        ("no server", 5),
    ]


def test_odd_schemas_have_parameters_too():
    schemas = [
        {"type": "object", "properties": {"a": True, "b": {"type": ["string", "null"]}}},
        {"type": "object"},
        {"type": "object", "properties": {"a": {"enum": [1, None, "x"]}}, "required": "a"},
    ]
    reports = [
        load_catalog(file_of({"name": f"t{n}", "inputSchema": schema}), source=f"{n}.json")
        for n, schema in enumerate(schemas)
    ]
    catalog = merge(reports)

    assert [parameter_names(tool) for tool in catalog.tools] == [("a", "b"), (), ("a",)]
    assert all(count > 0 for count in tokens_by_tool(catalog).values())
