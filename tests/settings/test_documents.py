"""The README's tables and examples of settings are true."""

import re
import subprocess
import sys
from pathlib import Path

from tests.project_files import ROOT, document, table
from toolsearch_core.cli.settings import spring_rows, toml
from toolsearch_core.settings import OPTIONS, Settings, load_settings, parse_duration
from toolsearch_core.settings.spring import SPRING_PREFIX


def section() -> str:
    return document("README.md").split("\n## Settings\n", 1)[1].split("\n## ", 1)[0]


def rows(heading: str) -> list[list[str]]:
    return table(section().replace("\n### ", "\n## "), heading)


def code(text: str) -> str:
    return f"`{text}`"


def test_the_table_of_options_is_the_one_of_the_library() -> None:
    defaults = Settings()
    options = [
        [
            code(option.full_name),
            code(toml(option.written(defaults)).replace('"', "")).replace("``", "nothing"),
            option.allowed,
            option.means,
        ]
        for option in OPTIONS
    ]

    assert rows("All options") == options


def test_the_table_of_springs_names_is_the_one_that_is_printed() -> None:
    expected = [[*map(code, row[:4]), row[4]] for row in spring_rows()]

    assert rows("Names in Spring") == expected
    assert code(SPRING_PREFIX) in section()


def test_each_property_of_spring_has_one_option_of_ours() -> None:
    names = [option.full_name for option in OPTIONS]

    assert [row[2] for row in spring_rows() if row[2] not in names] == []
    assert len({row[2] for row in spring_rows()}) == len(spring_rows()) == 10


def test_the_example_file_can_be_loaded(tmp_path: Path) -> None:
    (example,) = re.findall(r"^```toml\n(.*?)^```", section(), re.MULTILINE | re.DOTALL)
    path = tmp_path / "toolsearch.toml"
    path.write_text(example, encoding="utf-8")

    settings = load_settings(file=path, environ={}).settings
    assert (settings.options.max_results, settings.options.pinned) == (5, ("get_weather",))
    assert (settings.eviction.strategy, settings.eviction.ttl_s) == ("composite", 1800.0)


def test_the_example_program_prints_what_holds() -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```", section(), re.MULTILINE | re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout.splitlines() == [
        "5 EvictionConfig(strategy='composite', max_sessions=1000, ttl_s=1800.0)",
        "argument eviction_ttl; default, since eviction.ttl is set",
    ]


def test_the_three_ways_are_ways() -> None:
    ways = table(document("README.md").split("\n### All options")[0], "Settings")
    argument, variable, _ = (row[1].strip("`") for row in ways)

    assert eval(argument, {"load_settings": load_settings}).settings.options.max_results == 5
    by_variable = load_settings(environ=dict([variable.split("=")]))
    assert by_variable.settings.options.max_results == 5


def test_every_duration_in_the_text_is_one() -> None:
    (listed,) = re.findall(r"Durations are written (.*?); plain", section())
    durations = re.findall(r"`(\w+)`", listed)

    assert len(durations) == 9
    assert [text for text in durations if parse_duration(text) is None] == []
