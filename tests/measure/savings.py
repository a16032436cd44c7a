"""`make savings`: tokens of a conversation against the same with every tool up front."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.generated_catalog import generated_catalog
from tests.project_files import ROOT
from toolsearch_core.advisor import AdvisorOptions
from toolsearch_core.index import RetrieverStore
from toolsearch_core.settings import Settings
from toolsearch_core.workspace.models import provider_for
from toolsearch_core.workspace.savings import Savings, measure_savings


@dataclass(frozen=True, kw_only=True)
class Promise:
    """A conversation over one catalog, and what it may cost."""

    catalog: str
    """A file of the outside data's `catalogs/`, `everyday` of the samples, or `generated`."""
    questions: tuple[str, ...]
    share: float
    """At most this part of the tokens of the same conversation with every tool up front."""
    of: Literal["prompt", "total"] = "prompt"
    max_results: int | None = None
    """Results per search; `None` leaves them to the model."""

    @property
    def name(self) -> str:
        """How it is printed."""
        return self.catalog if self.max_results is None else f"{self.catalog}, {self.max_results}"


EVERYDAY = ("What is the weather in Amsterdam and which clothing shops are open there now?",)
"""The task that the reference measures: three of 28 tools are needed."""

PROMISES = (
    Promise(catalog="everyday", questions=EVERYDAY, share=0.36, of="total", max_results=1),
    Promise(catalog="everyday", questions=EVERYDAY, share=0.5, of="total"),
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
    elif promise.catalog == "everyday":
        data = (ROOT / "sample_catalogs" / "everyday.json").read_bytes()
    elif outside is None:
        return None
    else:
        data = (outside / "catalogs" / f"{promise.catalog}.json").read_bytes()
    settings = Settings(options=AdvisorOptions(max_results=promise.max_results))
    return measure_savings(
        data,
        promise.catalog,
        promise.questions,
        lambda: provider_for(settings),
        settings,
        store,
    )


def share(promise: Promise, found: Savings) -> float:
    """The part that is promised about."""
    return found.total_share if promise.of == "total" else found.share


def main() -> int:
    """Print the table; 1 when a promise is broken."""
    folder = os.environ.get("TOOLSEARCH_TEST_DATA")
    store = RetrieverStore()
    broken = False
    print("Tokens of conversations, with search and with every tool up front")
    print("(estimated; simulated model; a number behind a catalog sets the results per search)")
    print(f"{'catalog':<14}{'tools':>6}{'calls':>7}{'search':>10}{'up front':>10}{'share':>8}")
    for promise in PROMISES:
        found = measured(promise, store, Path(folder) if folder else None)
        if found is None:
            print(f"{promise.name:<14} needs the folder named by TOOLSEARCH_TEST_DATA")
            continue
        kept = share(promise, found) <= promise.share
        broken = broken or not kept
        searched, up_front = (
            run.total_tokens if promise.of == "total" else run.prompt_tokens
            for run in (found.searched, found.up_front)
        )
        print(
            f"{promise.name:<14}{found.tool_count:>6}{found.searched.model_calls:>7}"
            f"{searched:>10,}{up_front:>10,}{share(promise, found):>8.1%}"
            f"  {'within' if kept else 'ABOVE'} {promise.share:.0%} of {promise.of} tokens"
        )
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
