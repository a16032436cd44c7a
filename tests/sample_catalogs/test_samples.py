"""The sample catalogs are complete, correct, and of the sizes the explorer promises."""

import json
import re
import statistics
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.project_files import ROOT
from toolsearch_core.catalog import LoadReport, load_catalog
from toolsearch_core.tokens import TokenEstimator
from toolsearch_core.tools import WIRE_NAME_PATTERN

FOLDER = ROOT / "sample_catalogs"
INDEX = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))["samples"]
SAMPLES = [sample["file"] for sample in INDEX]
LANGUAGES = {"en", "ko"}
SCHEMA_LISTS = ("oneOf", "anyOf", "allOf", "prefixItems")
SCHEMA_MAPS = ("properties", "patternProperties", "$defs")
MOST_EXPENSIVE = "claude-opus-5"
"""A model of the family that makes the most tokens of a text."""
LEAST_EXPENSIVE = "claude-3-5-sonnet"

Tool = dict[str, Any]

each_sample = pytest.mark.parametrize("file", SAMPLES)


def servers(file: str) -> dict[str, list[Tool]]:
    document = json.loads((FOLDER / file).read_text(encoding="utf-8"))
    if "tools" in document:
        return {"": document["tools"]}
    listed = {entry["server"]: entry["tools"] for entry in document["servers"]}
    assert len(listed) == len(document["servers"]), "a server stands twice"
    return listed


def tools(file: str) -> list[Tool]:
    return [tool for listed in servers(file).values() for tool in listed]


def loaded(file: str) -> LoadReport:
    return load_catalog((FOLDER / file).read_bytes(), source=file)


def tokens(file: str, model: str) -> list[int]:
    """Of each definition as it is sent."""
    counter = TokenEstimator(model)
    return [counter.count_tool(tool) for tool in loaded(file).tools]


def subschemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schema and every schema inside it."""
    yield schema
    inner = [schema[key] for key in ("items", "additionalProperties") if key in schema]
    inner += [branch for key in SCHEMA_LISTS for branch in schema.get(key, ())]
    inner += [value for key in SCHEMA_MAPS for value in schema.get(key, {}).values()]
    for value in inner:
        if isinstance(value, dict):
            yield from subschemas(value)


def parameters(tool: Tool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every parameter at any depth, by name."""
    for schema in subschemas(tool["inputSchema"]):
        yield from schema.get("properties", {}).items()


def repeated(values: Iterator[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


def hangul_share(text: str) -> float:
    letters = re.findall(r"[가-힣]|[A-Za-z]", text)
    return sum("가" <= letter <= "힣" for letter in letters) / len(letters)


@each_sample
def test_it_loads_whole_and_unchanged(file: str) -> None:
    report = loaded(file)

    assert (report.read, report.repaired, report.rejected) == (len(tools(file)), 0, 0)
    assert report.notices == ()
    assert [entry.reasons for entry in report.entries if entry.reasons] == []
    assert [tool.wire_name for tool in report.tools] == [tool["name"] for tool in tools(file)]


@each_sample
def test_each_schema_is_valid_and_an_object_without_a_combinator_at_its_root(file: str) -> None:
    for tool in tools(file):
        Draft202012Validator.check_schema(tool["inputSchema"])
        assert tool["inputSchema"]["type"] == "object", tool["name"]
        assert not {"oneOf", "anyOf", "allOf"} & set(tool["inputSchema"]), tool["name"]


@each_sample
def test_each_name_fits_the_wire_and_is_unique_in_its_server(file: str) -> None:
    for server, listed in servers(file).items():
        names = [tool["name"] for tool in listed]
        assert [name for name in names if not re.match(WIRE_NAME_PATTERN, name)] == []
        assert repeated(iter(names)) == [], server


@each_sample
def test_each_tool_has_a_title_and_a_description_of_its_own(file: str) -> None:
    assert repeated(tool["description"] for tool in tools(file)) == []
    assert [tool["name"] for tool in tools(file) if len(tool["description"]) < 20] == []
    for server, listed in servers(file).items():
        assert [tool["name"] for tool in listed if not tool["title"].strip()] == []
        assert repeated(tool["title"] for tool in listed) == [], server


@each_sample
def test_each_parameter_is_described_and_each_required_one_exists(file: str) -> None:
    for tool in tools(file):
        bare = [name for name, schema in parameters(tool) if not schema.get("description")]
        assert (tool["name"], bare) == (tool["name"], [])
        for schema in subschemas(tool["inputSchema"]):
            assert set(schema.get("required", ())) <= set(schema.get("properties", {}))


@each_sample
def test_each_default_is_valid_by_its_own_schema(file: str) -> None:
    for tool in tools(file):
        for name, schema in parameters(tool):
            if "default" in schema:
                errors = list(Draft202012Validator(schema).iter_errors(schema["default"]))
                assert errors == [], f"{tool['name']}.{name}"


@each_sample
def test_annotations_are_hints_and_nothing_that_only_reads_is_destructive(file: str) -> None:
    hints = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
    for tool in tools(file):
        annotations = tool["annotations"]
        assert set(annotations) <= hints
        assert all(isinstance(value, bool) for value in annotations.values())
        contradiction = annotations["readOnlyHint"] and annotations.get("destructiveHint")
        assert not contradiction, tool["name"]


@each_sample
def test_tools_that_a_description_points_to_exist(file: str) -> None:
    names = {tool["name"] for tool in tools(file)}
    verbs = {name.split("_")[0] for name in names}
    for tool in tools(file):
        texts = [tool["description"], *(schema["description"] for _, schema in parameters(tool))]
        mentioned = re.findall(r"[a-z]+(?:_[a-z]+)+", " ".join(texts))
        pointed = {name for name in mentioned if name.split("_")[0] in verbs}
        assert pointed <= names, tool["name"]


def test_the_everyday_sample_has_the_shape_of_the_demo() -> None:
    listed = tools("everyday.json")

    assert len(listed) == 28
    assert {"get_current_weather", "find_clothing_shops", "get_current_time"} < {
        tool["name"] for tool in listed
    }
    assert statistics.median(tokens("everyday.json", MOST_EXPENSIVE)) <= 130


def test_the_workplace_sample_is_large_and_full_of_look_alikes() -> None:
    """Look-alikes do the same to the same kind of thing in different services."""
    by_server = servers("workplace.json")
    services: dict[tuple[str, str], set[str]] = {}
    searching = set()
    for server, offered in by_server.items():
        for tool in offered:
            verb, *_, thing = tool["name"].split("_")
            services.setdefault((verb, thing), set()).add(server)
            if verb == "search":
                searching.add(server)
    alike = {name for name, offering in services.items() if len(offering) > 1}

    assert len(tools("workplace.json")) >= 80
    assert len(by_server) >= 8
    assert sum(tokens("workplace.json", LEAST_EXPENSIVE)) > 15_000
    assert {("send", "message"), ("create", "issue"), ("add", "comment")} <= alike
    assert len(searching) >= 5


def test_the_workplace_schemas_use_what_real_ones_use() -> None:
    used = Counter(
        key
        for tool in tools("workplace.json")
        for schema in subschemas(tool["inputSchema"])
        for key in schema
    )

    for key in ("oneOf", "enum", "format", "default", "items", "pattern", "$ref", "minimum"):
        assert used[key] >= 3, key
    destructive = [t for t in tools("workplace.json") if t["annotations"].get("destructiveHint")]
    assert len(destructive) >= 5


def test_the_korean_sample_is_described_in_korean() -> None:
    listed = tools("korean.json")

    assert len(listed) >= 24
    for tool in listed:
        texts = [tool["title"], tool["description"]]
        texts += [schema["description"] for _, schema in parameters(tool)]
        assert [text for text in texts if not re.search("[가-힣]", text)] == []
        assert hangul_share(" ".join(texts)) >= 0.75, tool["name"]


def test_the_index_lists_every_sample_once() -> None:
    files = sorted(path.name for path in FOLDER.glob("*.json") if path.name != "index.json")

    assert sorted(SAMPLES) == files


@pytest.mark.parametrize("sample", INDEX, ids=SAMPLES)
def test_each_sample_is_presented_in_both_languages(sample: dict[str, Any]) -> None:
    assert set(sample) == {"file", "title", "description", "questions"}
    for field in ("title", "description", "questions"):
        assert set(sample[field]) == LANGUAGES, field
    for field in ("title", "description"):
        assert hangul_share(sample[field]["ko"]) > 0.8
        assert hangul_share(sample[field]["en"]) == 0
    for language, questions in sample["questions"].items():
        assert len(questions) == len(set(questions)) == 5, language
        for question in questions:
            assert isinstance(question, str)
            assert question.strip() == question
            assert 5 <= len(question) <= 120
            assert bool(re.search("[가-힣]", question)) == (language == "ko"), question
