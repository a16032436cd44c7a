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
        if not re.match(r"[A-Z`{\d…]", sentence)
        or sentence.rstrip() != sentence
        or len(sentence) > 400
    ]

    assert broken == []


def test_both_languages_have_the_same_texts() -> None:
    assert sorted(locale("en").keys() ^ locale("ko").keys()) == []


def test_every_notice_of_the_core_is_translated() -> None:
    assert sorted(english_wording().keys() ^ locale("ko_notices").keys()) == []


@pytest.mark.parametrize("file", ["ko", "ko_notices"])
def test_translated_sentences_have_the_same_places_to_fill(file: str) -> None:
    english = {**locale("en"), **english_wording()}
    differing = {
        key: sorted(places(sentence) ^ places(english[key]))
        for key, sentence in locale(file).items()
        if key in english and places(sentence) != places(english[key])
    }

    assert differing == {}


def test_korean_sentences_are_korean() -> None:
    """A sentence that is the same in both languages is a name or a mark, so it is short."""
    korean = {**locale("ko"), **locale("ko_notices")}
    english = {**locale("en"), **english_wording()}

    assert [
        key
        for key, sentence in korean.items()
        if not HANGUL.search(sentence) and len(english[key]) > 30
    ] == []


def test_korean_places_take_no_particle() -> None:
    """이/가, 은/는, 을/를 and 와/과 depend on the sound before them, which a place does not know."""
    particle = re.compile(r"\}[`'\"”』」]?(?:이|가|은|는|을|를|와|과|으로)(?=[\s.,!?]|$)")

    korean = {**locale("ko"), **locale("ko_notices")}

    assert [key for key, sentence in korean.items() if particle.search(sentence)] == []


def test_every_text_of_the_app_is_used_and_every_used_text_exists() -> None:
    keys = locale("en").keys()
    files = python_files("app.py", "pages")
    asked = set().union(*map(asked_texts, files))
    written, patterns = set(), []
    for node in (node for path in files for node in ast.walk(tree(path))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            written.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            patterns.append(key_pattern(node))

    assert sorted(asked - keys) == []
    assert [
        key
        for key in keys
        if key not in written and not any(pattern.fullmatch(key) for pattern in patterns)
    ] == []


def asked_texts(path: Path) -> set[str]:
    """The keys that a file asks for by a plain text in `t(...)` or `label(...)`."""
    return {
        node.args[0].value
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).split(".")[-1] in {"t", "label"}
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }


def key_pattern(made: ast.JoinedStr) -> re.Pattern[str]:
    """What keys a text with places such as `f"state.{name}"` can be; it must name the area at least."""
    parts = [
        re.escape(part.value) if isinstance(part, ast.Constant) else r"\w+" for part in made.values
    ]
    pattern = "".join(parts)
    return re.compile(pattern if re.match(r"\w+\\\.", pattern) else r"(?!)")


def test_the_locales_are_english_and_korean() -> None:
    assert [name for name in tracked() if name.startswith(LOCALES)] == [
        f"{LOCALES}/en.json",
        f"{LOCALES}/ko.json",
        f"{LOCALES}/ko_notices.json",
        f"{LOCALES}/ko_problems.json",
    ]
