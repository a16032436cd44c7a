"""`settings`: every option with its value and its origin, and a chat that takes the same sources."""

import argparse
import json
import re
import tomllib
from pathlib import Path

import pytest

from tests.settings.written import RIGHT, as_arguments, as_file
from toolsearch_core.cli import chat as verb
from toolsearch_core.cli.main import main
from toolsearch_core.cli.settings import spring_rows, toml
from toolsearch_core.settings import GROUPS, OPTIONS, load_settings
from toolsearch_core.settings.spring import SPRING_PREFIX

CATALOG = "sample_catalogs/everyday.json"
QUESTION = "What is the weather in Amsterdam?"


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]):
    def run(*arguments: str) -> str:
        assert main(["settings", *arguments]) == 0
        return capsys.readouterr().out

    return run


def set_everything(folder: Path) -> Path:
    return as_file(folder / "all.toml", {o: RIGHT[o.full_name].value for o in OPTIONS})


def test_every_option_is_printed_with_its_value_and_its_origin(printed, tmp_path, monkeypatch):
    monkeypatch.setenv("TOOLSEARCH_SEARCH_THRESHOLD", "0.25")
    lines = printed("--config", str(set_everything(tmp_path))).splitlines()

    assert [line.strip("[]") for line in lines if line.startswith("[")] == list(GROUPS)
    assert [line.split(" = ")[0].strip() for line in lines if " = " in line] == [
        option.name for option in OPTIONS
    ]
    (threshold,) = [line for line in lines if line.startswith("threshold")]
    assert threshold.split() == [
        *("threshold", "=", "0.25", "#", "environment", "TOOLSEARCH_SEARCH_THRESHOLD")
    ]
    assert sum(f"# file {tmp_path}" in line for line in lines) == len(OPTIONS) - 1
    assert lines[0] == f"# file: {tmp_path / 'all.toml'}"


def test_the_columns_are_aligned(printed):
    lines = [line for line in printed().splitlines() if " = " in line]

    assert len({line.index(" = ") for line in lines}) == 1
    assert len({line.rindex("# ") for line in lines}) == 1


def test_what_is_printed_is_a_file_of_the_same_settings(printed, tmp_path):
    for number, given in enumerate([[], ["--config", str(set_everything(tmp_path))]]):
        path = tmp_path / f"{number}.toml"
        path.write_text(printed(*given), encoding="utf-8")
        before = load_settings(file=given[1] if given else None, environ={}).settings

        assert load_settings(file=path, environ={}).settings == before


def test_json_can_be_loaded_again(printed, tmp_path):
    for given in ([], ["--config", str(set_everything(tmp_path))]):
        found = json.loads(printed(*given, "--json"))
        arguments = {
            f"{group}_{name}": value
            for group, entries in found["settings"].items()
            for name, value in entries.items()
        }
        before = load_settings(file=given[1] if given else None, environ={}).settings

        assert arguments.keys() == as_arguments(dict.fromkeys(OPTIONS)).keys()
        assert load_settings(environ={}, **arguments).settings == before
        assert {group: list(entries) for group, entries in found["origins"].items()} == {
            group: list(entries) for group, entries in found["settings"].items()
        }
        assert found["file"] == (given[1] if given else None)


def test_strange_texts_are_printed_as_one_line_that_can_be_loaded(printed, tmp_path):
    strange = 'a "quote" \\ \x1b[2J\u202e\x7f\u2028 \U000e0001 한국어\n' + "long " * 500
    path = as_file(tmp_path / "strange.toml", {OPTIONS[4]: strange})
    out = printed("--config", str(path))

    assert out.isascii() or all(char.isprintable() or char == "\n" for char in out)
    assert len(out.splitlines()) == len(OPTIONS) + 2 * len(GROUPS) + 1
    assert tomllib.loads(out)["model"]["system"] == strange
    as_json = printed("--config", str(path), "--json")
    assert all(char.isprintable() for char in as_json.rstrip("\n"))
    assert json.loads(as_json)["settings"]["model"]["system"] == strange


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TOOLSEARCH_MODEL_BASE_URL", "https://user:hidden@host/v1"),
        ("TOOLSEARCH_MODEL_BASE_URL", "https://host/v1?api-key=hidden"),
        ("TOOLSEARCH_MODEL_BASE_URL", "htps://user:hidden@host"),
        ("TOOLSEARCH_MODEL_CLAUDE_MODEL", "sk-ant-api03-hidden"),
        ("TOOLSEARCH_INDEX_TYPE", "sk-ant-api03-hidden"),
        ("TOOLSEARCH_API_KEY", "hidden"),
        ("ANTHROPIC_API_KEY", "hidden"),
    ],
)
@pytest.mark.parametrize("flag", [[], ["--json"]])
def test_what_looks_like_a_secret_is_not_printed(variable, value, flag, monkeypatch, capsys):
    monkeypatch.setenv(variable, value)
    main(["settings", *flag])

    said = capsys.readouterr()
    assert "hidden" not in said.out + said.err
    assert said.out + said.err


def test_an_address_without_secrets_is_printed_whole(printed, monkeypatch):
    monkeypatch.setenv("TOOLSEARCH_MODEL_BASE_URL", "http://host:8080/path")
    monkeypatch.setenv(
        "TOOLSEARCH_MODEL_SYSTEM", "Really? Yes, me@home. Ask task-force-seven-eight."
    )

    out = printed()
    assert '"http://host:8080/path"' in out
    assert "Really? Yes, me@home. Ask task-force-seven-eight." in out


def test_the_names_in_spring_are_printed(printed):
    lines = printed("--spring").splitlines()

    assert lines[0].startswith(SPRING_PREFIX)
    rows = spring_rows()
    assert len(lines) == len(rows) + 2
    assert [re.split(r" {2,}", line) for line in lines[2:]] == [
        [cell for cell in row if cell] for row in rows
    ]
    found = json.loads(printed("--spring", "--json"))
    assert [entry["property"] for entry in found] == [SPRING_PREFIX + row[0] for row in rows]
    assert [entry["option"] for entry in found] == [row[2] for row in rows]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[search]\nmax_result = 5\n", "search.max_results"),
        ("[search\n", "line 1"),
        ("[search]\nmax_results = 0\n", "max_results"),
    ],
)
@pytest.mark.parametrize("command", [["settings"], ["chat", CATALOG, "hi"]])
def test_a_source_that_is_refused_is_one_sentence_and_two(command, text, told, tmp_path, capsys):
    path = tmp_path / "wrong.toml"
    path.write_text(text, encoding="utf-8")
    assert main([*command, "--config", str(path)]) == 2

    said = capsys.readouterr()
    assert said.out == ""
    assert told in said.err
    assert "wrong.toml" in said.err
    assert len(said.err.splitlines()) == 1


def test_toml_of_each_kind_of_value():
    assert [toml(value) for value in (None, True, 5, 0.25, "a", ["a", "b"], [])] == [
        *('"none"', "true", "5", "0.25", '"a"', '["a", "b"]', "[]")
    ]


# A chat


def chat(catalog: Path, *flags: str) -> int:
    return main(["chat", str(catalog), QUESTION, *flags])


def test_a_chat_takes_the_file_and_the_environment(project_root, monkeypatch, capsys, tmp_path):
    """The plain advisor by the file, then search again by the environment, then by the flag not."""
    catalog = project_root / CATALOG
    Path("toolsearch.toml").write_text(
        '[advisor]\nenabled = false\n\n[index]\ntype = "keyword"\n', encoding="utf-8"
    )
    assert chat(catalog) == 0
    assert "search “" not in capsys.readouterr().out

    monkeypatch.setenv("TOOLSEARCH_ADVISOR_ENABLED", "true")
    assert chat(catalog) == 0
    assert "search “" in capsys.readouterr().out

    assert chat(catalog, "--disclosure", "all_up_front") == 0
    assert "search “" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "held"),
    [
        ([], {}),
        (["--model", "claude"], {"model_kind": "claude"}),
        (["--disclosure", "search_and_inject"], {"advisor_enabled": True}),
        (["--disclosure", "all_up_front"], {"advisor_enabled": False}),
        (["--index", "vector"], {"index_type": "vector"}),
        (["--encoder", "hashing"], {"index_encoder": "hashing"}),
        (["--max-results", "3"], {"search_max_results": 3}),
        (["--max-results", "30"], {"search_max_results": 30}),
        (["--threshold", "0.5"], {"search_threshold": 0.5}),
        (["--accumulate"], {"disclosure_accumulate": True}),
        (["--no-accumulate"], {"disclosure_accumulate": False}),
        (["--pin", "a", "--pin", "b"], {"disclosure_pinned": ["a", "b"]}),
    ],
)
def test_each_flag_of_a_chat_is_a_keyword_argument(flags, held, monkeypatch):
    """So it wins over a variable that says something else, and leaves the rest as it is."""
    monkeypatch.setenv("TOOLSEARCH_DISCLOSURE_PINNED", "other")
    monkeypatch.setenv("TOOLSEARCH_DISCLOSURE_ACCUMULATE", "false")
    monkeypatch.setenv("TOOLSEARCH_INDEX_TYPE", "regex")
    monkeypatch.setenv("TOOLSEARCH_ADVISOR_ENABLED", "false")
    parser = argparse.ArgumentParser()
    verb.add_parser(parser.add_subparsers())
    args = parser.parse_args(["chat", "file", "hi", *flags])

    assert verb.settings_of(args) == load_settings(**held).settings
