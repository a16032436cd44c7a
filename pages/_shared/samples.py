"""The sample catalogs that come with the explorer, with questions to start with."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pages._shared.state import Language

FOLDER = Path(__file__).parent.parent.parent / "sample_catalogs"


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """One sample catalog."""

    file: str
    """The name of its file in `FOLDER`."""
    key: str
    """Digest of the bytes, as on the shelf of a workspace."""
    title: Mapping[Language, str]
    description: Mapping[Language, str]
    questions: Mapping[Language, list[str]]

    @property
    def data(self) -> bytes:
        """The bytes of the catalog."""
        return (FOLDER / self.file).read_bytes()


@cache
def samples() -> tuple[Sample, ...]:
    """All samples, in the order they are shown."""
    index = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))
    return tuple(
        Sample(
            file=item["file"],
            key=hashlib.sha256((FOLDER / item["file"]).read_bytes()).hexdigest(),
            title=item["title"],
            description=item["description"],
            questions=item["questions"],
        )
        for item in index["samples"]
    )
