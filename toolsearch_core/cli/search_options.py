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
        max_results: the default; `None` leaves it to the model.
        meaning: what the number of results bounds, for the help text.
    """
    parser.add_argument(
        "--index",
        choices=INDEX_KINDS,
        default=INDEX_KINDS[0],
        help="what searches; %(default)s by default",
    )
    parser.add_argument(
        "--encoder",
        default=DEFAULT_ENCODER,
        help="multilingual, minilm, or a sentence-transformers model on this machine; %(default)s by default",
    )
    parser.add_argument(
        "--max-results",
        type=int,
        default=max_results,
        metavar="K",
        help=f"{meaning}; {'the model decides' if max_results is None else max_results} by default",
    )
    parser.add_argument(
        "--threshold", type=float, metavar="T", help="least score of a hit, 0 to 1; off by default"
    )
