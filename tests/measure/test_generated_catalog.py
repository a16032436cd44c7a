"""The stand-in for a large catalog is what it says."""

import json

from tests.generated_catalog import generated_catalog
from toolsearch_core.catalog import load_catalog


def test_it_loads_whole_at_any_size() -> None:
    for tools in (1, 200, 450):
        report = load_catalog(generated_catalog(tools), source="generated")

        assert len(report.tools) == tools
        assert report.rejected == 0


def test_its_first_two_hundred_tools_differ_in_what_they_say() -> None:
    entries = json.loads(generated_catalog(200))["tools"]

    assert len({entry["description"] for entry in entries}) == 200
