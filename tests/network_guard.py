"""Refuses connections and name look-ups that leave this machine, and remembers who tried.

Tests run under it from their first import on. A server started by a test runs under it too:

    python -m tests.network_guard REPORT run app.py --server.port 8599

starts Streamlit with these arguments and appends one line to the file REPORT for each attempt.
What native code does past Python's `socket` module is not covered.
"""

import ipaddress
import sys
from collections.abc import Callable
from pathlib import Path

LOCAL_NAMES = ("localhost", "", None)


class NetworkRefusedError(RuntimeError):
    """Something wanted to leave this machine.

    Not an OSError, so that nothing takes it for a bad line and tries again.
    """


def refuse_outside(remember: Callable[[str], None]) -> None:
    """From now on, and until the process ends, only loopback is reachable."""

    def hook(event: str, args: tuple[object, ...]) -> None:
        if not event.startswith("socket."):
            return
        host = _host(event, args)
        if not _is_local(host):
            remember(f"{event} {host}")
            raise NetworkRefusedError(f"The network is off: {event} {host}.")

    sys.addaudithook(hook)


def _host(event: str, args: tuple[object, ...]) -> object:
    """Whom the event wants to reach; `None` when it reaches nobody."""
    match event, args:
        case (("socket.connect" | "socket.sendto" | "socket.sendmsg"), (_, (host, *_))):
            return host  # an internet address is a tuple; a path on this machine is a string
        case (("socket.getaddrinfo" | "socket.gethostbyname" | "socket.gethostbyaddr"), (host, *_)):
            return host
        case "socket.getnameinfo", ((host, *_),):
            return host
    return None


def _is_local(host: object) -> bool:
    name = host.decode(errors="replace") if isinstance(host, bytes) else host
    if name in LOCAL_NAMES:
        return True
    try:
        address = ipaddress.ip_address(str(name).partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _serve(report: Path, arguments: list[str]) -> None:
    def remember(attempt: str) -> None:
        with report.open("a", encoding="utf-8") as file:
            file.write(attempt + "\n")

    refuse_outside(remember)
    from streamlit.web.cli import main

    main(arguments)


if __name__ == "__main__":
    _serve(Path(sys.argv[1]), sys.argv[2:])
