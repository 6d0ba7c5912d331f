"""Problems whose points have any correlations that are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bounds.domain import Arms, Points
from bounds.kernels.base import Kernel


@dataclass(frozen=True)
class Linear(Kernel):
    """k(r) = 1 − r²/2, which is ⟨x, x'⟩ for points of the unit sphere."""

    is_nonnegative: bool = False

    name = "linear"
    is_nonincreasing = True

    def at_distance(self, distance):
        return 1.0 - 0.5 * np.square(np.asarray(distance, dtype=float))

    def enclosed_at_distance(self, distance):
        return 1 - distance * distance / 2


def correlated(gram) -> dict[str, Any]:
    """The domain and the kernel of points with these correlations, no two of them 1."""
    K = np.asarray(gram, dtype=float)
    if np.array_equal(K, np.eye(len(K))):
        return {"domain": Arms(len(K))}
    values, vectors = np.linalg.eigh(K)
    points = vectors * np.sqrt(np.maximum(values, 0.0))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return {"domain": Points(points), "space_kernel": Linear(bool(K.min() >= 0.0))}
