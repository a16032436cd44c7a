"""A server on this machine that stands in for the Messages API: it replays, and keeps what it received."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from toolsearch_core.providers.anthropic import AnthropicProvider, claude


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One HTTP answer."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    chunks: Sequence[bytes] = ()
    cut: bool = False
    """Close the connection without the last chunk."""
    waits: bool = False
    """Say nothing until the server is closed."""
    waits_after: bool = False
    """Send the chunks, then say nothing until the server is closed."""


@dataclass
class Received:
    """One request."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Service(ThreadingHTTPServer):
    """Answers from a queue; an empty queue answers with a text."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: list[Answer] = []
        self.received: list[Received] = []
        self.closing = threading.Event()
        self.hung_up = threading.Event()
        self.clients: list[AnthropicProvider] = []

    def connect(self, key: str) -> AnthropicProvider:
        """A provider that talks to this server; it is closed with it."""
        return self.closes(claude(key, "some-model", self.url))

    def closes(self, provider: AnthropicProvider) -> AnthropicProvider:
        """Close a provider with the server."""
        self.clients.append(provider)
        return provider

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Service
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(size))
        self.server.received.append(
            Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        )
        if self.path.endswith("/count_tokens"):
            text = json.dumps({"input_tokens": len(json.dumps(body))}).encode()
            answer = Answer(headers={"content-type": "application/json"}, chunks=[text])
        else:
            answer = self.server.answers.pop(0)
        if answer.waits:
            self.server.closing.wait()
            self.close_connection = True
            return
        self._send(answer)

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        try:
            for chunk in answer.chunks:
                self.wfile.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
                self.wfile.flush()
            if answer.waits_after:
                self._wait_for_hang_up()
            if not (answer.cut or answer.waits_after):
                self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.server.hung_up.set()
        self.close_connection = self.close_connection or answer.cut or answer.waits_after

    def _wait_for_hang_up(self) -> None:
        """The other side closing its end reads as the end of the file."""
        if not self.rfile.read(1):
            self.server.hung_up.set()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on the terminal."""


@contextmanager
def loopback() -> Iterator[Service]:
    """A running server."""
    server = Service()
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
    )
    thread.start()
    try:
        yield server
    finally:
        for client in server.clients:
            client.close()
        server.closing.set()
        server.shutdown()
        server.server_close()


def streamed(events: Sequence[dict[str, Any]], **more: Any) -> Answer:
    """Events as the Messages API streams them."""
    chunks = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events]
    return Answer(headers={"content-type": "text/event-stream"}, chunks=chunks, **more)


def refused(status: int, kind: str, message: str, **headers: str) -> Answer:
    """An error of the Messages API; the library is told not to ask again."""
    error = {"type": "error", "error": {"type": kind, "message": message}}
    return Answer(
        status=status,
        headers={"content-type": "application/json", "x-should-retry": "false", **headers},
        chunks=[json.dumps(error).encode()],
    )
