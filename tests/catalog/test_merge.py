import json

import pytest

from tests.catalog.samples import codes, entry, listed
from toolsearch_core.catalog import LoadReport, load_catalog, merge, settle
from toolsearch_core.catalog.limits import MAX_TOOLS
from toolsearch_core.errors import CatalogError


def report(source: str, *names: str) -> LoadReport:
    return load_catalog(listed(*map(entry, names)), source=source)


def by_server(catalog_names: list[LoadReport]) -> dict[str, str]:
    return {tool.server: tool.wire_name for tool in merge(catalog_names).tools}


def test_tools_stand_in_the_order_of_the_files() -> None:
    catalog = merge([report("home.json", "feed", "brush"), report("shop.json", "buy")])

    assert [tool.name for tool in catalog.tools] == ["feed", "brush", "buy"]
    assert catalog.servers == ("home", "shop")


def test_equal_names_of_two_servers_are_both_kept_and_routed_by_server() -> None:
    catalog = merge([report("home.json", "send"), report("shop.json", "send")])

    tool = catalog.by_wire_name["shop__send"]

    assert (len(catalog), tool.server, tool.name) == (2, "shop", "send")
    assert "send" not in catalog.by_wire_name


def test_wire_names_do_not_depend_on_the_order_of_the_files() -> None:
    home, shop = report("home.json", "send", "feed"), report("shop.json", "send")

    assert by_server([home, shop]) == by_server([shop, home])


def test_taking_a_file_away_gives_back_the_names_and_the_status_from_before() -> None:
    home, shop = report("home.json", "send"), report("shop.json", "send")

    settled_home, _ = settle([home, shop])

    assert settled_home.entries[0].status == "repaired"
    assert codes(settled_home.entries[0]) == ["wire_name_shared"]
    assert settle([settled_home]) == settle([home]) == (home,)
    assert merge([settled_home]).fingerprint == merge([home]).fingerprint


def test_settling_twice_changes_nothing() -> None:
    settled = settle([report("home.json", "send", "a.b"), report("shop.json", "send", "send")])

    assert settle(settled) == settled


def test_inside_one_server_the_first_is_kept_and_the_second_is_rejected() -> None:
    servers = [
        {"server": "home", "tools": [entry("find", title="cats"), entry("find", title="rooms")]}
    ]

    loaded = load_catalog(json.dumps({"servers": servers}))

    assert [tool.title for tool in loaded.tools] == ["cats"]
    assert [item.status for item in loaded.entries] == ["loaded", "rejected"]
    assert codes(loaded.entries[1]) == ["duplicate_name"]


def test_the_same_server_in_two_files_offers_a_name_once() -> None:
    first, second = settle([report("home.json", "feed"), report("old/home.json", "feed", "brush")])

    assert (first.loaded, second.loaded, second.rejected) == (1, 1, 1)
    assert settle([second])[0].loaded == 2


def test_the_same_report_twice_gives_each_tool_once() -> None:
    home = report("home.json", "feed")

    assert len(merge([home, home])) == 1


def test_too_many_tools_together_are_a_stated_error() -> None:
    half = MAX_TOOLS // 2 + 1
    reports = [report(f"{name}.json", *(f"t{n}" for n in range(half))) for name in ("a", "b")]

    with pytest.raises(CatalogError, match=f"{MAX_TOOLS}"):
        merge(reports)


def test_no_reports_make_an_empty_catalog() -> None:
    assert len(merge([])) == 0
