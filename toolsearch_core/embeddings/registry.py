"""Encoders by name: one instance per name and process, made when it is asked for."""

from functools import cache

from toolsearch_core.embeddings.hashing import HashingEncoder
from toolsearch_core.embeddings.multilingual import PACKAGE as MULTILINGUAL_PACKAGE
from toolsearch_core.embeddings.multilingual import MultilingualEncoder
from toolsearch_core.embeddings.packages import installed_version, missing
from toolsearch_core.embeddings.sentence_transformers import (
    LIBRARY,
    MINILM,
    MINILM_PACKAGE,
    SentenceTransformersEncoder,
)
from toolsearch_core.notices import Notice
from toolsearch_core.protocols import Encoder

ENCODER_NAMES = ("multilingual", MINILM)
"""The encoders with a name of their own, the default first."""


@cache
def encoder_by_name(name: str) -> Encoder:
    """The encoder of that name; it loads its model at the first use, not here.

    Args:
        name: one of `ENCODER_NAMES`, `hashing` (spelling only, for tests), or a sentence-transformers
            model: a folder, or a name in the local model cache.
    """
    if name == "multilingual":
        return MultilingualEncoder()
    if name == "hashing":
        return HashingEncoder()
    return SentenceTransformersEncoder(name)


def encoder_problem(name: str) -> Notice | None:
    """Why an encoder cannot be used here, naming what to install; found out without loading anything."""
    packages = {
        "multilingual": (MULTILINGUAL_PACKAGE,),
        "hashing": (),
        MINILM: (LIBRARY, MINILM_PACKAGE),
    }.get(name, (LIBRARY,))
    for package in packages:
        if installed_version(package) == "missing":
            return missing(name, package).notice
    return None
