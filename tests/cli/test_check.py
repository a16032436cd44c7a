import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.catalog.samples import entry, listed
from tests.generated_catalog import generated_catalog
from toolsearch_core.cli.main import main


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A catalog of which everything loads."""
    file = tmp_path / "home.json"
    file.write_bytes(listed(entry("feed_cat"), entry("brush_cat")))
    return file


def write(folder: Path, name: str, data: bytes) -> str:
    (folder / name).write_bytes(data)
    return str(folder / name)


def test_the_report_names_counts_and_tokens(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(home)]) == 0

    out = capsys.readouterr().out
    assert "home.json: 2 read, 2 loaded (0 of them repaired), 0 rejected" in out
    assert "2 tools of 1 server:" in out
    assert "median" in out
    assert "estimated" in out


def test_each_repaired_and_rejected_entry_is_listed_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(
        tmp_path, "mixed.json", listed(entry("a.b"), entry(""), entry("c", description=""))
    )

    assert main(["check", file]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("  repaired #1 a.b: ") and "a_b_" in line for line in lines)
    assert any(line.startswith("  rejected #2: ") and "blank" in line for line in lines)
    assert any(line.startswith("  noted    #3 c: ") for line in lines)


def test_nothing_loaded_ends_in_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "bad.json", listed(1, 2))

    assert main(["check", file]) == 1

    captured = capsys.readouterr()
    assert "None of the 2 entries" in captured.out
    assert captured.err == ""


UNREADABLE = {
    "empty": b"",
    "binary": b"\0\1\2",
    "cut off": b'{"tools": [',
    "YAML": b"tools:\n  - name: a\n",
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_cannot_be_read_ends_in_two_with_one_sentence(
    data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "broken.json", data)

    assert main(["check", file]) == 2

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"{file}: ")
    assert captured.err.count("\n") == 1


def test_a_missing_file_and_a_folder_are_stated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(tmp_path / "gone.json"), str(tmp_path)]) == 2

    missing, folder = capsys.readouterr().err.splitlines()
    assert "There is no file" in missing
    assert "is a folder" in folder


def test_a_file_that_may_not_be_read_is_stated(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)  # the tests may run as root, who may read all

    assert main(["check", str(home)]) == 2
    assert "cannot be read: Permission denied" in capsys.readouterr().err


def test_a_bad_file_does_not_cost_the_others(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", write(tmp_path, "no.json", b"nope"), str(home)]) == 2

    captured = capsys.readouterr()
    assert "2 tools of 1 server" in captured.out
    assert "no.json" in captured.err


def test_several_files_are_shown_as_they_are_beside_each_other(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop = write(tmp_path, "shop.json", listed(entry("feed_cat")))

    assert main(["check", str(home), shop]) == 0

    out = capsys.readouterr().out
    assert "home__feed_cat" in out
    assert "shop__feed_cat" in out
    assert "3 tools of 2 servers" in out


def test_json_holds_the_same_report(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mixed = write(tmp_path, "mixed.json", listed(entry("a.b"), 7))

    assert main(["check", str(home), mixed, str(tmp_path / "gone.json"), "--json"]) == 2

    shown = json.loads(capsys.readouterr().out)
    first, second = shown["files"]
    assert [first[key] for key in ("read", "loaded", "repaired", "rejected")] == [2, 2, 0, 0]
    assert [item["status"] for item in second["entries"]] == ["repaired", "rejected"]
    assert second["entries"][0]["reasons"][0]["code"] == "catalog.wire_name_changed"
    assert second["entries"][0]["wire_name"].startswith("a_b_")
    assert [item["code"] for item in shown["errors"]] == ["catalog.file_missing"]
    assert (shown["tools"], shown["servers"]) == (3, ["home", "mixed"])
    assert shown["tokens"]["total"] >= 3 * shown["tokens"]["median"] * 0.5
    assert len(shown["fingerprint"]) == 64


def test_tokens_follow_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "large.json", generated_catalog(50))
    totals = []
    for model in ("claude-3-5-sonnet", "claude-opus-5"):
        assert main(["check", file, "--json", "--model", model]) == 0
        totals.append(json.loads(capsys.readouterr().out)["tokens"]["total"])

    assert totals[1] > 1.3 * totals[0]


def test_control_characters_of_strangers_do_not_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, "rude.json", listed(entry("\x1b[31mred\u202e\n2 tools")))

    assert main(["check", file]) == 0

    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "\\x1b[31mred\\u202e\\n2 tools" in out


def run(*arguments: str, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "toolsearch_core", *arguments],
        capture_output=True,
        check=False,
        text=True,
        env={"PYTHONIOENCODING": encoding, "PYTHONPATH": str(Path(__file__).parents[2])},
    )


def test_a_terminal_without_the_letters_still_gets_the_report(tmp_path: Path) -> None:
    shown = run("check", write(tmp_path, "cats.json", listed(entry("고양이"))), encoding="ascii")

    assert (shown.returncode, shown.stderr) == (0, "")
    assert "\\uace0" in shown.stdout


def test_no_verb_or_an_unknown_option_ends_in_two_with_the_usage(home: Path) -> None:
    for arguments in ([], ["check"], ["check", str(home), "--nope"]):
        shown = run(*arguments)

        assert shown.returncode == 2
        assert shown.stderr.startswith("usage:")
        assert "Traceback" not in shown.stderr


def test_a_reader_that_goes_away_is_no_traceback(tmp_path: Path) -> None:
    file = write(tmp_path, "many.json", listed(*(entry(f"t.{n}") for n in range(3000))))
    program = [sys.executable, "-m", "toolsearch_core", "check", file]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()

        assert process.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_output_that_cannot_be_written_is_one_sentence_and_two(home: Path) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        run = subprocess.run(
            [sys.executable, "-m", "toolsearch_core", "check", str(home)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )

    assert run.returncode == 2
    assert run.stderr.startswith("The output could not be written")
    assert len(run.stderr.splitlines()) == 1


def test_checking_does_not_wait_for_what_only_search_and_chat_need(home: Path) -> None:
    program = (
        "import sys\nfrom toolsearch_core.cli.main import main\n"
        f"main(['check', {str(home)!r}])\n"
        "print([name for name in ('chromadb', 'anthropic', 'numpy') if name in sys.modules])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )

    assert shown.stdout.splitlines()[-1] == "[]"
