"""The project is as its documents say, and its habits hold in every file."""

import ast
import re
import statistics
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

from tests.project_files import ROOT, document, place, python_files, table, tracked, tree

CODE = ("app.py", "pages", "toolsearch_core", "tests")
MAX_LINES = 500
MAX_FUNCTION_LINES = 50
VAGUE_FILES = {"utils", "util", "common", "helpers", "helper", "misc", "manager", "managers"}
VAGUE_CLASSES = ("Manager", "Handler", "Helper", "Util", "Utils")
OTHER_WORDS = {"embedder": "encoder", "toolset": "catalog", "toolbox": "catalog", "purge": "evict"}
TOP_LEVEL = {"app.py", "toolsearch_core", "pages", "sample_catalogs", "tests", "requirements.txt"}
HOUSEKEEPING = {
    ".ci",
    ".gitignore",
    ".streamlit",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "pyproject.toml",
    "quickstart.ipynb",
    "requirements-dev.txt",
    "requirements-light.txt",
}


# Documents


def readme_tree() -> dict[str, str]:
    """Path (a folder ends in `/`, a pattern holds `*`) to its clause, from the tree in the README."""
    block = document("README.md").split("## What is where", 1)[1].split("```")[1]
    clauses: dict[str, str] = {}
    folders: list[str] = []
    for line in block.splitlines()[1:]:
        entry = re.fullmatch(r"((?:  )*)(\S+)(?: {2,}(\S.*))?", line)
        assert entry, f"README's tree: cannot read {line!r}"
        depth = len(entry[1]) // 2
        path = "".join(folders[:depth]) + entry[2]
        assert path not in clauses, f"README's tree has {path} twice"
        clauses[path] = entry[3] or ""
        if path.endswith("/"):
            folders[depth:] = [entry[2]]
    return clauses


def test_the_tree_in_the_readme_is_the_tree_of_files() -> None:
    clauses = readme_tree()
    files = [name for name in tracked() if not name.endswith("__init__.py")]
    folders = {f"{parent.as_posix()}/" for name in files for parent in Path(name).parents[:-1]}

    unlisted = [
        name
        for name in [*files, *sorted(folders)]
        if not any(fnmatch(name, path) and name.count("/") == path.count("/") for path in clauses)
    ]
    gone = [
        path
        for path in clauses
        if not any(
            fnmatch(name, path) and name.count("/") == path.count("/")
            for name in [*files, *folders]
        )
    ]

    assert (unlisted, gone) == ([], [])


def test_each_line_of_the_tree_says_what_it_holds() -> None:
    assert [path for path, clause in readme_tree().items() if not clause] == []


def test_the_top_level_is_the_agreed_one() -> None:
    assert {name.split("/")[0] for name in tracked()} <= TOP_LEVEL | HOUSEKEEPING


def test_the_floors_of_the_document_are_the_ones_that_are_checked() -> None:
    floor_of = {
        module: int(floor)
        for floor, modules, _ in table(document("ARCHITECTURE.md"), "Floors")
        for module in re.findall(r"`(\w+)`", modules)
    }
    contracts = tomllib.loads(document("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    listed = [re.findall(r"\w+", layer) for layer in layers]
    in_order = [floor_of[module] for layer in listed for module in layer]

    assert sorted(module for layer in listed for module in layer) == sorted(floor_of)
    assert in_order == sorted(in_order, reverse=True)


def test_every_name_in_the_table_of_words_exists_in_the_core() -> None:
    words = table(document("ARCHITECTURE.md"), "Words")
    names = {name for row in words for cell in row for name in re.findall(r"`([A-Za-z_]+)`", cell)}
    core = "\n".join(path.read_text(encoding="utf-8") for path in python_files("toolsearch_core"))

    assert len(names) >= 8
    assert sorted(name for name in names if not re.search(rf"\b{name}\b", core)) == []


def test_the_table_of_commands_lists_the_verbs_of_make_and_of_the_command_line() -> None:
    rows = table(document("ARCHITECTURE.md"), "Commands")
    listed = [re.match(r"`([^`]+)`", row[0])[1] for row in rows]
    targets = re.findall(r"^([a-z-]+):.*## ", document("Makefile"), re.MULTILINE)
    shown = subprocess.run(
        [sys.executable, "-m", "toolsearch_core", "--help"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    verbs = re.search(r"\{([\w,]+)\}", shown)[1].split(",")

    made = {command.removeprefix("make ") for command in listed if command.startswith("make ")}
    typed = {
        command.split()[3] for command in listed if command.startswith("python -m toolsearch_core ")
    }

    assert made == set(targets)
    assert typed == set(verbs)
    assert len(made) + len(typed) == len(listed)


def test_every_dependency_is_bounded_and_has_its_reason_in_the_readme() -> None:
    lines = [
        line
        for name in ("requirements-light.txt", "requirements.txt", "requirements-dev.txt")
        for line in document(name).splitlines()
        if line and not line.startswith(("#", "-r "))
    ]
    listed = [re.split(r"[=<>~!;\s]", line)[0] for line in lines]
    reasons = {
        re.match(r"`([^`]+)`", row[0])[1]: row[1]
        for row in table(document("README.md"), "Dependencies")
    }

    assert [line for line in lines if "==" not in line and not re.search(r">=.+,<", line)] == []
    assert sorted(reasons) == sorted({*listed})
    assert [name for name in listed if listed.count(name) > 1] == ["torch", "torch"]
    assert all(reasons.values())


# Files and their shape


def test_no_file_is_long_and_half_of_them_are_short() -> None:
    lengths = {
        place(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in python_files(*CODE)
    }
    core = [n for name, n in lengths.items() if name.startswith("toolsearch_core/")]

    assert {name: n for name, n in lengths.items() if n > MAX_LINES} == {}
    assert statistics.median(core) <= 150


def test_no_function_is_long() -> None:
    long = [
        f"{place(path)}: {node.name} has {node.end_lineno - node.lineno + 1} lines"
        for path in python_files("app.py", "pages", "toolsearch_core")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= MAX_FUNCTION_LINES
    ]

    assert long == []


def test_names_say_what_a_thing_is() -> None:
    files = [place(path) for path in python_files(*CODE) if path.stem.strip("_") in VAGUE_FILES]
    classes = [
        f"{place(path)}: {node.name}"
        for path in python_files(*CODE)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef) and vague_ending(node)
    ]

    assert (files, classes) == ([], [])


def vague_ending(definition: ast.ClassDef) -> bool:
    """A word that a base from elsewhere brought along is not ours to choose."""
    return any(
        definition.name.endswith(word)
        and not any(ast.unparse(base).endswith(word) for base in definition.bases)
        for word in VAGUE_CLASSES
    )


def test_one_thing_has_one_word() -> None:
    other = [
        f"{place(path)}: {node.name}, say {word}"
        for path in python_files("pages", "toolsearch_core")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
        for synonym, word in OTHER_WORDS.items()
        if synonym in node.name.lower()
    ]

    assert other == []


def test_no_function_of_the_core_passes_unnamed_options_on() -> None:
    found = [
        f"{place(path)}: {function.name}"
        for path in python_files("toolsearch_core")
        for function in ast.walk(tree(path))
        if isinstance(function, ast.FunctionDef) and function.args.kwarg
        for call in ast.walk(function)
        if isinstance(call, ast.Call)
        for keyword in call.keywords
        if keyword.arg is None and ast.unparse(keyword.value) == function.args.kwarg.arg
    ]

    assert found == []


def test_no_test_sleeps() -> None:
    sleeping = [
        place(path)
        for path in python_files("tests")
        if not place(path).startswith("tests/browser/")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"time.sleep", "sleep"}
    ]

    assert sleeping == []


def test_no_file_names_a_place_outside_the_project() -> None:
    own = "tests/test_architecture.py"
    outside = re.compile(r"\.\./shared|/root/|index-url\W+http|pypi\.org|pythonhosted")
    texts = {
        name: (ROOT / name).read_text(encoding="utf-8", errors="replace")
        for name in tracked()
        if name not in (own, ".ci/run")
    }

    assert {
        name: outside.findall(text) for name, text in texts.items() if outside.search(text)
    } == {}


# The core and the app


def test_importing_the_core_loads_no_app_and_no_heavy_library() -> None:
    modules = [
        place(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for path in python_files("toolsearch_core")
        if path.stem != "__main__"
    ]
    program = (
        "import importlib, sys\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "heavy = ('streamlit', 'plotly', 'torch', 'transformers', 'sentence_transformers')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout

    assert loaded.strip() == "[]"


def test_the_parts_of_a_page_import_what_is_shared_and_not_those_of_another_page() -> None:
    folders = {"live", "catalog"}
    astray = [
        f"{place(path)} imports {of[1]}"
        for path in python_files("pages/_shared")
        for of in re.finditer(
            r"^ *from pages\._shared(?:\.(\w+))?[.\w]* import",
            path.read_text("utf-8"),
            re.MULTILINE,
        )
        if of[1] in folders - {path.parent.name}
    ]

    assert astray == []


def test_state_colours_stand_in_one_file() -> None:
    elsewhere = [
        name
        for name in tracked()
        if (name == "app.py" or name.startswith("pages/"))
        and not name.endswith("_shared/visual_language.py")
        and re.search(r"#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b", document(name))
    ]

    assert elsewhere == []


def test_session_state_and_caches_are_named_in_one_file() -> None:
    elsewhere = [
        place(path)
        for path in python_files("app.py", "pages")
        if place(path) != "pages/_shared/state.py"
        and re.search(r"session_state|cache_resource|cache_data", path.read_text(encoding="utf-8"))
    ]

    assert elsewhere == []


def test_nothing_is_rendered_as_markup() -> None:
    doors = re.compile(r"unsafe_allow_html|innerHTML|st\.html\(|components\.v1\.html")
    found = [
        name
        for name in tracked()
        if (name == "app.py" or name.startswith("pages/")) and doors.search(document(name))
    ]

    assert found == []


def test_page_scripts_define_no_types() -> None:
    defined = [
        f"{place(path)}: {node.name}"
        for path in python_files("pages")
        if path.parent.name == "pages"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef)
    ]

    assert defined == [], (
        "a type defined in a page is another type after each run; it belongs lower"
    )


def test_each_page_is_a_file_of_the_navigation() -> None:
    pages = [path.name for path in python_files("pages") if path.parent.name == "pages"]
    navigation = document("app.py")

    assert len(pages) >= 2
    assert [name for name in pages if f"pages/{name}" not in navigation] == []
