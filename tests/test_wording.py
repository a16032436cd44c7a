"""Every sentence for a person exists once in each language, with the same places to fill."""

import ast
import json
import re
import string
from functools import cache
from pathlib import Path

import pytest

from tests.project_files import ROOT, document, place, python_files, tracked, tree
from toolsearch_core.notices import english_wording

AREAS = sorted(path.stem for path in (ROOT / "toolsearch_core" / "wording").glob("*.json"))
CODE_PATTERN = re.compile(rf"(?:{'|'.join(AREAS)})\.[a-z0-9_]+(?:\.[a-z0-9_]+)*")
LOCALES = "pages/_shared/locales"
HANGUL = re.compile(r"[\uac00-\ud7a3]")


@cache
def locale(language: str) -> dict[str, str]:
    return json.loads(document(f"{LOCALES}/{language}.json"))


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def codes_in(path: Path) -> set[str]:
    """Every text in a Python file that has the form of a notice code."""
    return {
        node.value
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and CODE_PATTERN.fullmatch(node.value)
    }


def test_the_code_and_the_wording_have_the_same_codes() -> None:
    used = set().union(*map(codes_in, python_files("toolsearch_core", "pages")))

    assert sorted(used - english_wording().keys()) == []
    assert sorted(english_wording().keys() - used) == []


def test_a_code_begins_with_the_name_of_its_file() -> None:
    astray = [
        f"{area}.json: {code}"
        for area in AREAS
        for code in json.loads(document(f"toolsearch_core/wording/{area}.json"))
        if not re.fullmatch(rf"{area}\.[a-z0-9_.]+", code)
    ]

    assert astray == []


def test_no_code_is_worded_twice() -> None:
    listed = [
        code
        for area in AREAS
        for code in json.loads(document(f"toolsearch_core/wording/{area}.json"))
    ]

    assert sorted(listed) == sorted(english_wording())


def test_each_notice_is_given_what_its_sentence_needs() -> None:
    """Where a notice is made with plain keywords; a notice with collected ones is for its own tests."""
    wrong = [
        f"{place(path)}:{call.lineno} {code} needs {sorted(places(english_wording()[code]))}"
        for path in python_files("toolsearch_core", "pages")
        for call in ast.walk(tree(path))
        if isinstance(call, ast.Call)
        for code, given in [_made_notice(call)]
        if code in english_wording() and given != places(english_wording()[code])
    ]

    assert wrong == []


def _made_notice(call: ast.Call) -> tuple[str | None, set[str]]:
    """The code and the parameters of a call that makes a notice; no code for any other call."""
    makes = ast.unparse(call.func).split(".")[-1]
    if not (makes == "notice" or makes.endswith("Error")) or not call.args:
        return None, set()
    first = call.args[0]
    collected = any(keyword.arg is None for keyword in call.keywords)
    if collected or not isinstance(first, ast.Constant) or not isinstance(first.value, str):
        return None, set()
    return first.value, {keyword.arg for keyword in call.keywords if keyword.arg}


def test_sentences_are_sentences() -> None:
    broken = [
        code
        for code, sentence in english_wording().items()
        if not re.match(r"[A-Z`{\d]", sentence)
        or sentence.rstrip() != sentence
        or len(sentence) > 400
    ]

    assert broken == []


def test_both_languages_have_the_same_keys() -> None:
    english = locale("en").keys() | english_wording().keys()

    assert sorted(english - locale("ko").keys()) == []
    assert sorted(locale("ko").keys() - english) == []


@pytest.mark.parametrize("language", ["en", "ko"])
def test_translated_sentences_have_the_same_places_to_fill(language: str) -> None:
    english = {**locale("en"), **english_wording()}
    differing = {
        key: sorted(places(sentence) ^ places(english[key]))
        for key, sentence in locale(language).items()
        if key in english and places(sentence) != places(english[key])
    }

    assert differing == {}


def test_korean_sentences_are_korean() -> None:
    """A sentence that is the same in both languages is a name or a mark, so it is short."""
    english = {**locale("en"), **english_wording()}
    same = [
        key
        for key, sentence in locale("ko").items()
        if not HANGUL.search(sentence) and len(english[key]) > 30
    ]

    assert same == []


def test_korean_places_take_no_particle() -> None:
    """이/가, 은/는, 을/를 and 와/과 depend on the sound before them, which a place does not know."""
    particle = re.compile(r"\}[`'\"”』」]?(?:이|가|은|는|을|를|와|과|으로)(?=[\s.,!?]|$)")

    assert [key for key, sentence in locale("ko").items() if particle.search(sentence)] == []


def test_every_text_of_the_app_is_used_and_every_used_text_exists() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in python_files("app.py", "pages"))
    keys = locale("en").keys()
    asked = set(re.findall(r"\bt\(\s*\"([a-z0-9_.]+)\"", source))

    assert sorted(asked - keys - english_wording().keys()) == []
    assert sorted(key for key in keys if f'"{key}"' not in source) == []


def test_locales_are_the_two_promised_ones() -> None:
    assert [name for name in tracked() if name.startswith(LOCALES)] == [
        f"{LOCALES}/en.json",
        f"{LOCALES}/ko.json",
    ]
