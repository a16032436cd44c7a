"""A server with the network switched off, and a browser that tells on whoever leaves this machine."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

START_S = 60.0
PATIENCE_MS = 60_000
"""Far longer than anything takes; a busy machine is no failure."""
LOCAL = {"localhost", "127.0.0.1", ""}


@dataclass(frozen=True)
class Server:
    """A running explorer."""

    url: str
    report: Path
    """Attempts of the server to leave this machine, one a line."""
    log: Path
    up_s: float
    """When it first said that it was well, by the monotonic clock."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, project_root: Path) -> Iterator[Server]:
    """One server for all browser tests."""
    folder = tmp_path_factory.mktemp("server")
    report, log = folder / "outside.txt", folder / "log.txt"
    port = free_port()
    arguments = ["run", "app.py", "--server.port", str(port), "--server.address", "localhost"]
    with log.open("w", encoding="utf-8") as sink:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.network_guard", str(report), *arguments],
            cwd=project_root,
            stdout=sink,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    try:
        up_s = wait_until_well(f"http://localhost:{port}/_stcore/health", process, log)
        yield Server(f"http://localhost:{port}", report, log, up_s)
    finally:
        process.terminate()
        process.wait(timeout=20)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_well(health: str, process: subprocess.Popen[bytes], log: Path) -> float:
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(health, timeout=1):
                return time.monotonic()
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    pytest.fail(f"The server did not start:\n{log.read_text(encoding='utf-8')}", pytrace=False)


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=chromium_path,
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        )
        yield started
        started.close()


@dataclass
class Watch:
    """What went wrong in a browser window without anybody asking."""

    outside: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def on(self, page: Page) -> None:
        page.on("request", lambda request: self._requested(request.url))
        page.on("websocket", lambda websocket: self._requested(websocket.url))
        page.on("pageerror", lambda error: self.errors.append(f"page error: {error}"))
        page.on("console", lambda said: self._said(said.type, said.text, said.location["url"]))

    def _requested(self, url: str) -> None:
        address = urlsplit(url)
        if address.scheme in ("http", "https", "ws", "wss") and address.hostname not in LOCAL:
            self.outside.append(url)

    def _said(self, kind: str, text: str, url: str) -> None:
        # On the address of a page, Streamlit first looks for its server below that address.
        probed = "404" in text and "/_stcore/" in urlsplit(url).path
        if kind == "error" and not probed:
            self.errors.append(f"console: {text} {url}")


OpenPage = Callable[..., Page]


def faults(log: str) -> list[str]:
    """The tracebacks in the log of a server, each from its first line to the one that names the fault.

    A browser that leaves while it is being told something is no fault of the app: Streamlit's server says
    so with a traceback of its own.
    """
    found = re.findall(
        r"^\s*Traceback \(most recent call last\):\n(?:[ \t|+].*\n|\n)*\S.*", log, re.M
    )
    return [each for each in found if "WebSocketDisconnect" not in each.splitlines()[-1]]


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[OpenPage]:
    """Opens windows; afterwards nothing may have left this machine, and nothing may have broken."""
    watch = Watch()
    contexts = []

    def open_page(
        path: str = "/", *, width: int = 1280, height: int = 720, dark: bool = False
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            locale="en-US",
            accept_downloads=True,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        watch.on(page)
        page.goto(server.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert watch.outside == []
    assert watch.errors == []
    assert not server.report.exists() or server.report.read_text(encoding="utf-8") == ""
    assert faults(server.log.read_text(encoding="utf-8")) == []
