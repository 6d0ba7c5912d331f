"""Draws of the rechecks' own: their seed is a digest, and their roots are the same everywhere."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from bounds.arrays import FloatArray
from proofs_check.recheck.problem import axes_of, is_list
from proofs_check.recheck.times import exact_instants

PADDING = 1e-6
"""By this share a claim is written above what the recheck draws: another processor rounds
otherwise, and sums that agree to eight digits here may agree to seven there."""


def own_generator(what: str, problem: Mapping[str, Any], *data: Any) -> np.random.Generator:
    """A stream whose seed is the SHA-256 of what its draws depend on, and of nothing else.

    The value of a claim is no part of that, nor a level, nor the spelling of a number: whoever may
    vary the last digit of a value, or write 1 for 1.0, until the draws are kind would choose them
    after all. Of the problem the distances of the instants count, the kernels, the noise and the
    domain.
    """
    instants = exact_instants(problem)
    law = {
        "instants": [str(instant - instants[0]) for instant in instants],
        "domain": problem["domain"]["rows"] if is_list(problem) else axes_of(problem),
        **{name: problem[name] for name in ("time_kernel", "space_kernel", "noise_variance")},
    }
    text = json.dumps([what, _in_doubles([law, *data])], sort_keys=True, separators=(",", ":"))
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big"))


def _in_doubles(value: Any) -> Any:
    """What is read from a file with every number as a double, 0 without a sign."""
    if isinstance(value, Mapping):
        return {name: _in_doubles(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_in_doubles(item) for item in value]
    return value if isinstance(value, str) else float(value) + 0.0


def symmetric_root(gram: FloatArray) -> FloatArray:
    """The positive semidefinite R with R² = gram.

    Eigenvectors are free in their signs, and further where eigenvalues meet; this root is not, so
    that the same normals give the same paths on every machine.
    """
    values, vectors = np.linalg.eigh(gram)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)
