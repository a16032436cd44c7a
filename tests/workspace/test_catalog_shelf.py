import json

import pytest

from toolsearch_core.errors import CatalogError
from toolsearch_core.workspace import CatalogShelf


def file_of(*names: str, description: str = "Does a thing well") -> bytes:
    tools = [
        {"name": name, "description": description, "inputSchema": {"type": "object"}}
        for name in names
    ]
    return json.dumps({"tools": tools}).encode()


def wire_names(shelf: CatalogShelf) -> list[str]:
    return [tool.wire_name for tool in shelf.catalog.tools]


def test_several_files_make_one_catalog_in_the_order_they_came():
    shelf = CatalogShelf()
    shelf.add(file_of("b_tool"), "one.json")
    shelf.add(file_of("a_tool"), "two.json")

    assert wire_names(shelf) == ["b_tool", "a_tool"]
    assert [item.source for item in shelf.loaded] == ["one.json", "two.json"]


def test_the_same_bytes_again_change_nothing():
    shelf = CatalogShelf()
    first = shelf.add(file_of("a_tool"), "one.json")
    catalog = shelf.catalog

    assert shelf.add(file_of("a_tool"), "one.json") is first
    assert shelf.catalog is catalog


@pytest.mark.parametrize("broken", [b"", b"{", b"\xff\xfe\x00", b'"text"', b"[1"])
def test_a_broken_file_loses_nothing(broken):
    shelf = CatalogShelf()
    shelf.add(file_of("a_tool"), "one.json")
    with pytest.raises(CatalogError):
        shelf.add(broken, "two.json")

    assert wire_names(shelf) == ["a_tool"]


def test_a_file_without_a_usable_tool_is_reported_and_not_put_on_the_shelf():
    shelf = CatalogShelf()
    shelf.add(file_of("a_tool"), "one.json")
    refused = shelf.add(b'{"tools":[null, 5]}', "two.json")

    assert refused.report.failed
    assert refused.report.rejected == 2
    assert [item.source for item in shelf.loaded] == ["one.json"]


def test_a_new_version_of_a_file_takes_its_place():
    shelf = CatalogShelf()
    shelf.add(file_of("a_tool", "old_tool"), "one.json")
    shelf.add(file_of("b_tool"), "two.json")
    newer = shelf.add(file_of("a_tool", "new_tool", description="Now says more"), "one.json")

    assert newer.replaced
    assert wire_names(shelf) == ["a_tool", "new_tool", "b_tool"]
    assert shelf.catalog.by_wire_name["a_tool"].description == "Now says more"


def test_a_broken_new_version_keeps_the_old_one():
    shelf = CatalogShelf()
    shelf.add(file_of("a_tool"), "one.json")
    shelf.add(b'{"tools":[null]}', "one.json")

    assert wire_names(shelf) == ["a_tool"]


def test_names_that_two_files_share_are_told_apart_and_back_again():
    shelf = CatalogShelf()
    shelf.add(file_of("send"), "office.json")
    other = shelf.add(file_of("send", description="Sends by radio"), "field.json")

    assert len(set(wire_names(shelf))) == 2
    assert all(len(item.report.tools) == 1 for item in shelf.loaded)

    shelf.remove(other.key)
    assert wire_names(shelf) == ["send"]


def test_removing_an_unknown_file_changes_nothing():
    shelf = CatalogShelf()
    shelf.add(file_of("a_tool"), "one.json")
    shelf.remove("no such key")

    assert wire_names(shelf) == ["a_tool"]
