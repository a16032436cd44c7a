"""Counting tokens without a network: `TokenEstimator` and the model families behind it."""

from toolsearch_core.tokens.estimator import TokenEstimator
from toolsearch_core.tokens.families import FAMILIES, ModelFamily, family_of

__all__ = ["FAMILIES", "ModelFamily", "TokenEstimator", "family_of"]
