"""Does the fitted prior describe the log? Checks by what each observation was expected to be.

Each y_i is compared with its law given the rows before it, m and s integrated: under a true prior
the probability integral transforms are independent and uniform. The prior was fitted to the same
rows, so a fit that passes is not proved right; one that fails is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import special

from bounds.arrays import FloatArray
from simulation.prior.candidates import Candidates
from simulation.prior.evidence import Data

_MEMBERS = 50
"""Of largest weight, over which the transforms are averaged."""
_FAR = 1e-4
"""A transform this close to 0 or 1 is an outlier, in a log of a hundred rows."""


@dataclass(frozen=True, eq=False)
class Residuals:
    """One-step-ahead residuals of the rows after the first.

    Attributes
    ----------
    transforms : (n − 1,) P(y_i is below what it was | rows before)
    scores : (n − 1,) their standard normal quantiles
    uniformity : Kolmogorov's p-value of the transforms; small ones speak against the prior
    autocorrelation : of neighbouring scores
    band : beyond ± this an autocorrelation speaks against the prior, at 95 %
    outliers : rows of the log, from 1, that were next to impossible
    """

    transforms: FloatArray
    scores: FloatArray
    uniformity: float
    autocorrelation: float
    band: float
    outliers: tuple[int, ...]

    @property
    def findings(self) -> tuple[str, ...]:
        """What speaks against the fitted prior, in words."""
        findings = []
        if self.uniformity < 0.01:
            findings.append(
                f"the observations do not fit any prior of the set (one-step-ahead p = "
                f"{self.uniformity:.2g}): do not rely on certificates"
            )
        if abs(self.autocorrelation) > 1.5 * self.band:
            findings.append(
                f"neighbouring residuals are correlated ({self.autocorrelation:.2f}): the drift is "
                "none of a forgetting kernel"
            )
        if self.outliers:
            more = " …" if len(self.outliers) > 3 else ""
            shown = ", ".join(map(str, self.outliers[:3])) + more
            findings.append(f"observation {shown} is next to impossible under the fitted priors")
        return tuple(findings)


def residuals(data: Data, candidates: Candidates) -> Residuals:
    """The residuals under the heaviest members, averaged by weight. O(50 n³)."""
    heavy = np.argsort(-candidates.weights, kind="stable")[:_MEMBERS]
    weights = candidates.weights[heavy] / candidates.weights[heavy].sum()
    prior = candidates.mean_and_scale
    batch = data.factored([candidates.members[i] for i in heavy], prior.center)
    errors, degrees = prior.one_step_ahead(batch.ones, batch.whitened)
    transforms = weights @ special.stdtr(degrees, errors)
    transforms = np.clip(transforms[1:], 1e-15, 1.0 - 1e-15)
    scores = special.ndtri(transforms)
    count = len(transforms)
    ordered = np.sort(transforms)
    steps = np.arange(count + 1) / count
    farthest = float(np.max(np.maximum(steps[1:] - ordered, ordered - steps[:-1])))
    centred = scores - scores.mean()
    total = float(centred @ centred)
    neighbours = float(centred[1:] @ centred[:-1]) / total if total > 0 else 0.0
    far = np.minimum(transforms, 1.0 - transforms) < _FAR
    return Residuals(
        transforms=np.asarray(transforms),
        scores=np.asarray(scores),
        uniformity=float(special.kolmogorov(sqrt(count) * farthest)),
        autocorrelation=neighbours,
        band=1.96 / sqrt(count),
        outliers=tuple(int(row) + 2 for row in np.flatnonzero(far)),
    )
