"""How tools are searched, as every verb that searches is told."""

import argparse

from toolsearch_core.index import DEFAULT_ENCODER
from toolsearch_core.search_types import INDEX_KINDS


def add_search_options(
    parser: argparse.ArgumentParser, *, max_results: int | None, meaning: str
) -> None:
    """Add `--index`, `--encoder`, `--max-results` and `--threshold`.

    Args:
        parser: of the verb.
        max_results: the default; `None` leaves all four to the settings.
        meaning: what the number of results bounds, for the help text.
    """
    from_settings = max_results is None
    else_ = "as in the settings" if from_settings else "%(default)s"
    parser.add_argument(
        "--index",
        choices=INDEX_KINDS,
        default=None if from_settings else INDEX_KINDS[0],
        help=f"what searches; {else_} by default",
    )
    parser.add_argument(
        "--encoder",
        default=None if from_settings else DEFAULT_ENCODER,
        help="multilingual, minilm, or a sentence-transformers model on this machine;"
        f" {else_} by default",
    )
    parser.add_argument(
        "--max-results",
        type=int,
        default=max_results,
        metavar="K",
        help=f"{meaning}; {else_} by default",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        metavar="T",
        help="least score of a hit, 0 to 1;"
        f" {'as in the settings' if from_settings else 'off'} by default",
    )
