"""How tools are searched, as every verb that searches is told; what is not told is in the settings."""

import argparse
from typing import Any

from toolsearch_core.search_types import INDEX_KINDS


def add_search_options(parser: argparse.ArgumentParser, *, results: str) -> None:
    """Add `--index`, `--encoder`, `--max-results` and `--threshold`.

    Args:
        parser: of the verb.
        results: what the number of results bounds, for the help text.
    """
    parser.add_argument(
        "--index", choices=INDEX_KINDS, help="what searches; as in the settings by default"
    )
    parser.add_argument(
        "--encoder",
        help="multilingual, minilm, or a sentence-transformers model on this machine;"
        " as in the settings by default",
    )
    parser.add_argument(
        "--max-results",
        type=int,
        metavar="K",
        help=f"{results}; as in the settings by default",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        metavar="T",
        help="least score of a hit, 0 to 1; as in the settings by default",
    )


def search_flags(args: argparse.Namespace) -> dict[str, Any]:
    """The flags that were given, under their names in the settings, but for the number of results."""
    flags = {
        "index_type": args.index,
        "index_encoder": args.encoder,
        "search_threshold": args.threshold,
    }
    return {name: value for name, value in flags.items() if value is not None}
