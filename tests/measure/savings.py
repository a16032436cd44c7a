"""`make savings`: prompt tokens of a conversation against the same with every tool up front."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.generated_catalog import generated_catalog
from toolsearch_core.index import RetrieverStore
from toolsearch_core.settings import Settings
from toolsearch_core.workspace.models import provider_for
from toolsearch_core.workspace.savings import Savings, measure_savings


@dataclass(frozen=True, kw_only=True)
class Promise:
    """A conversation of three questions over one catalog, and what it may cost."""

    catalog: str
    """A file of the outside data's `catalogs/`, or `generated`."""
    questions: tuple[str, ...]
    share: float
    """At most this part of the prompt tokens of the same conversation with every tool up front."""


PROMISES = (
    Promise(
        catalog="github",
        questions=(
            "Which issues are open in octocat/hello-world?",
            "Create a branch named fix-login in octocat/hello-world",
            "Show me the latest release of octocat/hello-world",
        ),
        share=0.20,
    ),
    Promise(
        catalog="gitlab",
        questions=(
            "List the open merge requests of project 42",
            "Which pipelines ran in project 42?",
            'Create an issue in project 42 with the title "Login fails"',
        ),
        share=0.08,
    ),
    Promise(
        catalog="generated",
        questions=(
            "Which invoices are open?",
            'Create a ticket with the title "The printer is out of paper"',
            "Search the recipes for pumpkin soup",
        ),
        share=0.08,
    ),
)


def measured(promise: Promise, store: RetrieverStore, outside: Path | None) -> Savings | None:
    """Hold the conversation both ways; `None` when the catalog is not at hand."""
    if promise.catalog == "generated":
        data = generated_catalog(200)
    elif outside is None:
        return None
    else:
        data = (outside / "catalogs" / f"{promise.catalog}.json").read_bytes()
    settings = Settings()
    return measure_savings(
        data,
        promise.catalog,
        promise.questions,
        lambda: provider_for(settings),
        settings,
        store,
    )


def main() -> int:
    """Print the table; 1 when a promise is broken."""
    folder = os.environ.get("TOOLSEARCH_TEST_DATA")
    store = RetrieverStore()
    broken = False
    print("Prompt tokens of three questions (estimated; simulated model)")
    print(f"{'catalog':<12}{'tools':>6}{'calls':>7}{'search':>10}{'up front':>10}{'share':>8}")
    for promise in PROMISES:
        found = measured(promise, store, Path(folder) if folder else None)
        if found is None:
            print(f"{promise.catalog:<12} needs the folder named by TOOLSEARCH_TEST_DATA")
            continue
        kept = found.share <= promise.share
        broken = broken or not kept
        print(
            f"{promise.catalog:<12}{found.tool_count:>6}{found.searched.model_calls:>7}"
            f"{found.searched.prompt_tokens:>10,}{found.up_front.prompt_tokens:>10,}{found.share:>8.1%}"
            f"  {'within' if kept else 'ABOVE'} {promise.share:.0%}"
        )
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
