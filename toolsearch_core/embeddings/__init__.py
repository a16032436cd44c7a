"""Encoders: texts to vectors, without a network. Each is made by name and loads at its first use."""

from toolsearch_core.embeddings.cache import VectorCache
from toolsearch_core.embeddings.hashing import HashingEncoder
from toolsearch_core.embeddings.registry import ENCODER_NAMES, encoder_by_name, encoder_problem

__all__ = ["ENCODER_NAMES", "HashingEncoder", "VectorCache", "encoder_by_name", "encoder_problem"]
