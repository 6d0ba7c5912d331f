"""Draws of the rechecks' own: their seed is a digest, and their roots are the same everywhere."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from bounds.arrays import FloatArray

PADDING = 1e-6
"""By this share a claim is written above what the recheck draws: another processor rounds
otherwise, and sums that agree to eight digits here may agree to seven there."""


def own_generator(*stated: Any) -> np.random.Generator:
    """A stream whose seed is the SHA-256 of what a certificate states.

    The value of a claim is no part of that: whoever may vary the last digit of a value until its
    own draws are kind would choose them after all.
    """
    text = json.dumps(stated, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big"))


def symmetric_root(gram: FloatArray) -> FloatArray:
    """The positive semidefinite R with R² = gram.

    Eigenvectors are free in their signs, and further where eigenvalues meet; this root is not, so
    that the same normals give the same paths on every machine.
    """
    values, vectors = np.linalg.eigh(gram)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)
