"""The guard that keeps tests, and servers started by tests, on this machine."""

import json
import subprocess
import sys

import pytest

from tests.project_files import ROOT

PROGRAM = """
import json, socket, sys, threading
from http.server import HTTPServer, BaseHTTPRequestHandler
from tests.network_guard import NetworkRefusedError, refuse_outside

seen = []
refuse_outside(seen.append)
try:
    {attempt}
    outcome = "reached"
except NetworkRefusedError:
    outcome = "refused"
print(json.dumps([outcome, seen]))
"""


def outcome_of(attempt: str) -> tuple[str, list[str]]:
    """What happens to an attempt in a process of its own, since a guard stays for good."""
    shown = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(attempt=attempt)],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    outcome, seen = json.loads(shown)
    return outcome, seen


@pytest.mark.parametrize(
    "attempt",
    [
        'socket.getaddrinfo("example.com", 443)',
        'socket.gethostbyname("example.com")',
        'socket.socket().connect(("192.0.2.1", 80))',
        'socket.socket().connect_ex(("192.0.2.1", 80))',
        'socket.socket(socket.AF_INET6).connect(("2001:db8::1", 80))',
        'socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53))',
        'import urllib.request; urllib.request.urlopen("http://192.0.2.1/")',
    ],
)
def test_what_leaves_this_machine_is_refused_and_remembered(attempt: str) -> None:
    outcome, seen = outcome_of(attempt)

    assert outcome == "refused"
    assert len(seen) == 1


@pytest.mark.parametrize(
    "attempt",
    [
        'HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler).server_close()',
        'socket.getaddrinfo("localhost", 80)',
        's = socket.create_server(("127.0.0.1", 0)); socket.create_connection(s.getsockname())',
    ],
)
def test_what_stays_on_this_machine_is_left_alone(attempt: str) -> None:
    assert outcome_of(attempt) == ("reached", [])
