"""Files that cannot be used: each fault has its own sentence, with the file and the line."""

import os
from pathlib import Path

import pytest

from toolsearch_core.errors import SettingsError
from toolsearch_core.settings import load_settings
from toolsearch_core.settings.sources import MAX_FILE_BYTES


def refused(file: object, data: bytes | None = None) -> SettingsError:
    if data is not None:
        Path(str(file)).write_bytes(data)
    with pytest.raises(SettingsError) as error:
        load_settings(file=file, environ={})  # type: ignore[arg-type]
    return error.value


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[search\n", 1),
        ("[search]\n\nmax_results 5\n", 3),
        ("[search]\nmax_results = 5\nmax_results = 6\n", 3),
        ("[search]\n[search]\n", 2),
        ("[model]\nsystem = 'open", 2),
        ("[model]\nmax_tokens = 01\n", 2),
        ('[model]\nsystem = "\\x"\n', 2),
        ("\0", 1),
    ],
)
def test_a_broken_file_is_told_with_its_line(text: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "set.toml"
    error = refused(path, text.encode())

    assert error.notice.code == "settings.file_not_toml"
    assert error.notice.params["path"] == str(path)
    assert error.notice.params["line"] == line
    assert error.notice.params["problem"]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"[model]\nsystem = '\xff'\n", 2),
        ("[model]\nsystem = 'ä'\n".encode("latin-1"), 2),
        ("[model]\n".encode("utf-16"), 1),
        (b"\n\n\n\x80", 4),
    ],
)
def test_a_wrong_encoding_is_told_with_its_line(data: bytes, line: int, tmp_path: Path) -> None:
    error = refused(tmp_path / "set.toml", data)

    assert error.notice.code == "settings.file_wrong_encoding"
    assert error.notice.params["line"] == line


def test_the_mark_that_editors_put_first_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "set.toml"
    path.write_text("[model]\r\nmax_tokens = 5\r\n", encoding="utf-8-sig")

    assert load_settings(file=path, environ={}).settings.options.max_tokens == 5


def test_an_empty_file_sets_nothing(tmp_path: Path) -> None:
    path = tmp_path / "set.toml"
    path.write_text("# nothing\n[search]\n", encoding="utf-8")

    loaded = load_settings(file=path, environ={})

    assert loaded.file == path
    assert loaded.settings == type(loaded.settings)()


def test_a_missing_file_is_told_also_when_a_variable_names_it(tmp_path: Path) -> None:
    gone = tmp_path / "gone.toml"

    assert refused(gone).notice.code == "settings.file_missing"
    with pytest.raises(SettingsError, match=r"gone\.toml"):
        load_settings(environ={"TOOLSEARCH_CONFIG": str(gone)})


@pytest.mark.parametrize("file", ["a\0b", "x" * 5000, "half \udcff\0"])
def test_a_path_that_is_none_is_told(file: str) -> None:
    assert refused(file).notice.code == "settings.file_unreadable"


def test_a_folder_is_told(tmp_path: Path) -> None:
    assert refused(tmp_path).notice.code == "settings.file_unreadable"


@pytest.mark.parametrize("file", [3, True, b"set.toml", "", "  ", ["set.toml"]])
def test_what_is_no_path_is_refused(file: object) -> None:
    assert refused(file).notice.params["option"] == "file"


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    error = refused(tmp_path / "set.toml", b"#" * (MAX_FILE_BYTES + 1))

    assert error.notice.code == "settings.file_too_large"
    assert refused("/dev/zero").notice.code == "settings.file_too_large"


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 20_000,
        "a = " + "{a = " * 10_000,
        "[model]\nmax_tokens = " + "9" * 20_000,
        "a" + ".a" * 30_000 + " = 1",
        "[a" + ".a" * 30_000 + "]",
    ],
    ids=["lists", "tables", "digits", "dots", "dotted table"],
)
def test_what_is_beyond_the_reader_is_told(text: str, tmp_path: Path) -> None:
    assert (
        refused(tmp_path / "set.toml", text.encode()).notice.code == "settings.file_beyond_limits"
    )


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 1_999 + " = 1",
        "[a" + ".a" * 1_999 + "]",
        "[model]\nmax_tokens = 0x" + "f" * 50_000,
        "model = 1979-05-27",
        "[[model]]\nmax_tokens = 5",
        "[model]\nmax_tokens = 1e999",
        "[model]\n'' = 1",
    ],
    ids=["dots", "dotted table", "hexadecimal", "date", "list of groups", "infinity", "no name"],
)
def test_valid_toml_of_the_strangest_kind_is_refused_in_our_words(
    text: str, tmp_path: Path
) -> None:
    error = refused(tmp_path / "set.toml", text.encode())

    assert error.notice.code.startswith("settings.")
    assert len(str(error)) < 1_500


@pytest.mark.parametrize("kind", ["folder", "dangling", "circle", "pipe"])
def test_a_settings_file_that_is_none_is_refused_and_not_waited_for(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "toolsearch.toml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path if kind == "circle" else tmp_path / "nowhere")
    for file in (None, path):
        with pytest.raises(SettingsError) as caught:
            load_settings(file=file, environ={})
        assert "toolsearch.toml" in str(caught.value)
