import json

import pytest

from tests.catalog.samples import codes, entry, listed
from toolsearch_core.catalog import load_catalog
from toolsearch_core.errors import CatalogError


def names(data: bytes | str, source: str = "") -> list[str]:
    return [tool.name for tool in load_catalog(data, source=source).tools]


def test_the_answer_to_tools_list_is_read() -> None:
    assert names(listed(entry("feed_cat"), entry("brush_cat"))) == ["feed_cat", "brush_cat"]


def test_the_answer_may_stand_inside_its_json_rpc_envelope() -> None:
    envelope = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [entry()]}}

    assert names(json.dumps(envelope)) == ["feed_cat"]


def test_a_bare_list_is_read() -> None:
    assert names(json.dumps([entry("a"), entry("b")])) == ["a", "b"]


def test_a_single_tool_is_read() -> None:
    assert names(json.dumps(entry())) == ["feed_cat"]


def test_json_lines_hold_tools_or_whole_answers() -> None:
    lines = [json.dumps(entry("a")), "", json.dumps({"tools": [entry("b"), entry("c")]})]

    assert names("\n".join(lines)) == ["a", "b", "c"]


def test_a_bad_line_costs_that_line_only() -> None:
    report = load_catalog(
        "\r\n".join([json.dumps(entry("a")), '{"name": oops}', json.dumps(entry("b"))])
    )

    assert [item.status for item in report.entries] == ["loaded", "rejected", "loaded"]
    assert report.entries[1].reasons[0].params["line"] == 2
    assert report.entries[1].reasons[0].params["column"] == 10


def test_a_line_separator_inside_a_text_does_not_end_a_line() -> None:
    tools = [entry("a", description="one\u2028two"), entry("b")]

    assert names("\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools)) == ["a", "b"]


def test_anthropic_tools_are_read() -> None:
    tool = entry(inputSchema=..., input_schema={"type": "object", "properties": {"id": {}}})

    (read,) = load_catalog(json.dumps([tool])).tools

    assert read.input_schema == tool["input_schema"]


@pytest.mark.parametrize("wrapped", [True, False])
def test_openai_tools_are_read(wrapped: bool) -> None:
    function = entry(inputSchema=..., parameters={"type": "object", "properties": {"id": {}}})
    tool = (
        {"type": "function", "function": function} if wrapped else {"type": "function", **function}
    )

    (read,) = load_catalog(json.dumps([tool])).tools

    assert (read.name, read.input_schema) == ("feed_cat", function["parameters"])


def test_several_servers_are_read_with_their_names() -> None:
    servers = [{"server": "home", "tools": [entry("a")]}, {"name": "shop", "tools": [entry("b")]}]

    tools = load_catalog(json.dumps({"servers": servers})).tools

    assert [(tool.server, tool.name) for tool in tools] == [("home", "a"), ("shop", "b")]


def test_servers_may_be_an_object_by_name() -> None:
    report = load_catalog(json.dumps({"servers": {"home": {"tools": [entry("a")]}}}))

    assert [tool.server for tool in report.tools] == ["home"]


def test_a_server_without_tools_costs_that_server_only() -> None:
    servers = [{"server": "mute"}, "shop", {"server": "home", "tools": [entry("a")]}]

    report = load_catalog(json.dumps({"servers": servers}))

    assert [item.status for item in report.entries] == ["rejected", "rejected", "loaded"]
    assert report.entries[0].reasons[0].params["server"] == "mute"


def test_the_file_name_names_the_server_when_the_file_does_not() -> None:
    assert [
        tool.server for tool in load_catalog(listed(entry()), source="cat-care.json").tools
    ] == ["cat-care"]
    assert [tool.server for tool in load_catalog(listed(entry()), source="pasted text").tools] == [
        ""
    ]


def test_a_further_page_that_was_not_saved_is_told() -> None:
    assert codes(load_catalog(listed(entry(), nextCursor="p2"))) == ["more_pages"]


def test_an_empty_list_is_a_report_in_an_error_state() -> None:
    report = load_catalog(listed())

    assert report.failed
    assert (report.read, codes(report)) == (0, ["no_entries"])


def test_nothing_loaded_is_a_report_in_an_error_state() -> None:
    report = load_catalog(listed(3, {"name": ""}, entry(inputSchema={"type": "string"})))

    assert report.failed
    assert (report.read, report.loaded, report.repaired, report.rejected) == (3, 0, 0, 3)
    assert codes(report) == ["nothing_loaded"]
    assert all(item.reasons for item in report.entries)


def test_counts_add_up_and_loaded_includes_repaired() -> None:
    report = load_catalog(listed(entry("a"), entry("b.c"), entry(inputSchema=...), 7))

    assert (report.read, report.loaded, report.repaired, report.rejected) == (4, 3, 2, 1)
    assert [item.position for item in report.entries] == [1, 2, 3, 4]


OPENAPI = {"openapi": "3.1.0", "paths": {"/cats": {"get": {}}}}
UNREADABLE = {
    "empty": (b"", "empty"),
    "only a byte-order mark": (b"\xef\xbb\xbf \n", "empty"),
    "binary": (b"\x7fELF\x02\x01\x01\0\0\0", "binary"),
    "no UTF-8": (b'{"tools": "\xff"}', "wrong_encoding"),
    "too large": (b" " * 20_000_001, "too_large"),
    "a number": (b"17", "wrong_top"),
    "a text": (b'"tools"', "wrong_top"),
    "nothing": (b"null", "wrong_top"),
    "no tools": (b'{"colour": "red"}', "no_tools_key"),
    "tools by name": (b'{"tools": {"a": {}}}', "tools_not_array"),
    "an OpenAPI document": (json.dumps(OPENAPI).encode(), "openapi"),
    "an OpenAPI document in YAML": (b"# cats\nopenapi: 3.1.0\npaths: {}\n", "openapi"),
    "YAML": (b"---\ntools:\n  - name: feed_cat\n", "yaml"),
    "YAML without a marker": (b"tools:\n- name: feed_cat\n", "yaml"),
    "YAML far down": (b"\n" * 30_000 + b"tools: []", "yaml"),
    "a page": (b"<!DOCTYPE html><title>502</title>", "markup"),
    "settings of a client": (b'{"mcpServers": {"cats": {"command": "cats"}}}', "server_settings"),
    "an error of a server": (b'{"error": {"code": -32601, "message": "unknown"}}', "server_error"),
    "cut off": (b'{"tools": [{"name": "a"', "json_cut_off"),
    "too many": (b"[" + b",".join([b"1"] * 10_001) + b"]", "too_many_tools"),
}


@pytest.mark.parametrize(("data", "code"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_catalog_ends_in_its_own_error(data: bytes, code: str) -> None:
    with pytest.raises(CatalogError) as raised:
        load_catalog(data)

    assert raised.value.notice.code == f"catalog.{code}"
    assert "{" not in str(raised.value)


def test_broken_json_names_line_and_column() -> None:
    with pytest.raises(CatalogError) as raised:
        load_catalog('{"tools": [\n  {"name": "a" "description": "b"}\n]}')

    assert raised.value.notice.code == "catalog.not_json"
    assert (raised.value.notice.params["line"], raised.value.notice.params["column"]) == (2, 16)


def test_the_keys_of_an_object_without_tools_are_shown() -> None:
    with pytest.raises(CatalogError, match="`colour`"):
        load_catalog('{"colour": "red"}')


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_every_unicode_encoding_is_read(encoding: str) -> None:
    text = json.dumps([entry(description="Füttere die Katze 고양이")], ensure_ascii=False)

    assert load_catalog(text.encode(encoding)).tools == load_catalog(text).tools
