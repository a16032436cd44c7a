"""Picks the verb and turns every stated error into one sentence and a number."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from toolsearch_core.cli.printable import printable
from toolsearch_core.errors import ToolSearchError

VERBS = ("check", "search", "chat", "settings")
"""Each is a module of this package with `add_parser(subparsers)` and `run(args) -> int`."""

STATED_ERROR = 2
INTERRUPTED = 130
READER_GONE = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb.

    Args:
        arguments: without the program's name; by default those of the process.

    Returns:
        What the verb says: 0 or 1; 2 for an error stated on stderr; 130 when interrupted, 141 when
        nobody reads the output any more.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal may lack the letters
    try:
        args = _parser(given).parse_args(given)
        code: int = import_module(f"toolsearch_core.cli.{args.verb}").run(args)
        if sys.stdout is not None:  # a shell can close it before the start
            sys.stdout.flush()
        return code
    except ToolSearchError as stated:
        print(printable(str(stated)), file=sys.stderr)
        return STATED_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _let_go_of_stdout()
        return READER_GONE
    except OSError as fault:
        _let_go_of_stdout()
        print(
            printable(f"The output could not be written: {fault.strerror or fault}."),
            file=sys.stderr,
        )
        return STATED_ERROR


def _let_go_of_stdout() -> None:
    # Python flushes stdout once more at its end, which would complain again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m toolsearch_core",
        description="Progressive tool disclosure: check a catalog, search it, chat over it.",
    )
    subparsers = parser.add_subparsers(dest="verb", required=True, metavar=f"{{{','.join(VERBS)}}}")
    # The verb that is asked for is imported alone: checking a file need not wait for the search.
    asked = [verb for verb in VERBS if given and verb == given[0]]
    for verb in asked or VERBS:
        import_module(f"toolsearch_core.cli.{verb}").add_parser(subparsers)
    return parser
