"""A name that is none of ours is refused in every source, with the one that was probably meant."""

import os
import re
from pathlib import Path

import pytest

from tests.project_files import ROOT, tracked
from toolsearch_core.errors import SettingsError
from toolsearch_core.settings import OPTIONS, Option, load_settings
from toolsearch_core.settings.names import near_value
from toolsearch_core.settings.sources import OTHER_VARIABLES
from toolsearch_core.settings.spring import SPRING_PREFIX, SPRING_PROPERTIES

each_option = pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.full_name)


def misspelt(name: str) -> str:
    """The last two letters have changed places."""
    return name[:-2] + name[-1] + name[-2]


def refused(**source: object) -> dict[str, object]:
    with pytest.raises(SettingsError) as error:
        load_settings(**{"environ": {}, **source})  # type: ignore[arg-type]
    return {"code": error.value.notice.code, **error.value.notice.params}


def in_file(folder: Path, text: str) -> dict[str, object]:
    path = folder / "set.toml"
    path.write_text(text, encoding="utf-8")
    found = refused(file=path)
    assert found["origin"] == str(path)
    return found


@each_option
def test_a_misspelt_option_is_refused_with_the_right_spelling(
    option: Option, tmp_path: Path
) -> None:
    wrong = misspelt(option.name)

    assert refused(**{f"{option.group}_{wrong}": 1})["nearest"] == option.argument
    variable = f"TOOLSEARCH_{option.group}_{wrong}".upper()
    found = refused(environ={variable: "1"})
    assert (found["nearest"], found["origin"]) == (option.variable, variable)
    assert in_file(tmp_path, f"[{option.group}]\n{wrong} = 1\n")["nearest"] == option.full_name


@each_option
def test_an_option_without_its_group_or_in_another_one_is_found(
    option: Option, tmp_path: Path
) -> None:
    other = "model" if option.group != "model" else "search"

    assert refused(**{option.name: 1})["nearest"] == option.argument
    assert in_file(tmp_path, f"{option.name} = 1\n")["nearest"] == option.full_name
    assert in_file(tmp_path, f"[{other}]\n{option.name} = 1\n")["nearest"] == option.full_name


@pytest.mark.parametrize("found", SPRING_PROPERTIES, ids=lambda found: found.name)
def test_a_name_of_spring_is_refused_with_its_name_here(found: object, tmp_path: Path) -> None:
    name, argument = found.name, found.option  # type: ignore[attr-defined]
    option = argument.replace("_", ".", 1)

    in_full = refused(**{SPRING_PREFIX + name: 1})
    assert (in_full["code"], in_full["nearest"]) == ("settings.spring_name", argument)
    assert in_file(tmp_path, f"{SPRING_PREFIX}{name} = 1\n")["nearest"] == option
    if "-" in name:
        assert refused(**{name: 1})["nearest"] == argument
    shouted = f"TOOLSEARCH_{SPRING_PREFIX}{name}".upper().replace(".", "_").replace("-", "_")
    assert refused(environ={shouted: "1"})["nearest"] == f"TOOLSEARCH_{argument.upper()}"


def test_maxresults_in_any_of_its_spellings_is_found(tmp_path: Path) -> None:
    for name in ("max-results", "maxResults", "max_results", "MAX_RESULTS", "search.max-results"):
        assert refused(**{name: 1})["nearest"] == "search_max_results"
    assert in_file(tmp_path, "[search]\nmax-results = 1\n")["nearest"] == "search.max_results"
    assert in_file(tmp_path, "[serach]\nmax_results = 1\n")["nearest"] == "search.max_results"


def test_what_is_like_nothing_is_refused_with_what_there_is(tmp_path: Path) -> None:
    assert refused(index_zzz=1)["known"] == "index_type, index_encoder, index_keyword_min_score"
    assert refused(index_foo=1)["code"] == "settings.unlike_any_option"
    assert refused(environ={"TOOLSEARCH_QQ": "1"})["code"] == "settings.unlike_any_group"
    assert in_file(tmp_path, "[qq]\nzz = 1\n")["known"].startswith("model, advisor, ")  # type: ignore[attr-defined]
    assert in_file(tmp_path, "[qq]\n")["name"] == "qq"


def test_an_unknown_name_is_refused_without_its_value() -> None:
    with pytest.raises(SettingsError) as error:
        load_settings(environ={"TOOLSEARCH_API_KEY": "sk-ant-hidden"})

    assert "hidden" not in str(error.value)


def test_a_group_that_is_a_value_is_told(tmp_path: Path) -> None:
    found = in_file(tmp_path, "search = 5\n")

    assert (found["code"], found["group"]) == ("settings.group_is_value", "search")


def test_a_variable_in_small_letters_is_not_overlooked() -> None:
    found = refused(environ={"toolsearch_search_max_results": "3"})

    assert found["nearest"] == "TOOLSEARCH_SEARCH_MAX_RESULTS"


def test_an_empty_variable_with_a_wrong_name_is_refused_as_well() -> None:
    assert refused(environ={"TOOLSEARCH_SERCH_THRESHOLD": ""})["nearest"] == (
        "TOOLSEARCH_SEARCH_THRESHOLD"
    )


def test_variables_of_others_are_not_ours() -> None:
    load_settings(environ={"PATH": "/bin", "XTOOLSEARCH_ANY": "1", "SPRING_PROFILES": "x"})


def test_every_variable_that_the_project_looks_at_is_known() -> None:
    """In code what is read, in scripts and documents what is named."""
    name = r"TOOLSEARCH_[A-Z_]*[A-Z]\b"
    read = re.compile(rf"environ(?:\.get\(|\[)\s*[\"']({name})")
    named = {
        variable
        for file in tracked()
        for text in [(ROOT / file).read_text(encoding="utf-8", errors="replace")]
        for variable in (read if file.endswith(".py") else re.compile(name)).findall(text)
    }

    assert "TOOLSEARCH_TEST_DATA" in named
    assert sorted(named - {option.variable for option in OPTIONS} - {*OTHER_VARIABLES}) == []
    load_settings(environ=dict.fromkeys(OTHER_VARIABLES, "") | {"TOOLSEARCH_TEST_DATA": os.curdir})


@pytest.mark.parametrize(
    ("value", "near"),
    [("lucene", "keyword"), ("Hybrid", "hybrid"), ("vectr", "vector"), ("solr", None), ("", None)],
)
def test_a_choice_that_is_none_gets_the_nearest(value: str, near: str | None) -> None:
    assert near_value(value, ("hybrid", "keyword", "regex", "vector")) == near


def test_lucene_is_refused_with_its_name_here() -> None:
    found = refused(index_type="lucene")

    assert (found["code"], found["nearest"]) == ("settings.refused_choice", "keyword")
