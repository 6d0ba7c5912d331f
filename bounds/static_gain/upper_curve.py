"""Upper bounds on γ_m, the maximum gain of m rounds over a grid, for every m = 0..n at once.

The cap (m/2) log(1+1/σ²) and some twenty rank-aware dual certificates, each a straight line in m.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray, IntArray
from bounds.domain import Domain
from bounds.enclosure import UpperArray
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.noise import NoiseLevel, require_variance
from bounds.numerics.threads import one_blas_thread
from bounds.partitions.result import checked_gains
from bounds.static_gain.balanced import balanced_gains, balanced_lines, is_independent
from bounds.static_gain.dual import GainCertificate, certify
from bounds.static_gain.relaxation import nodes, relaxation_path, thinned

_SLACK = 2.0**-51
"""More than the two roundings of a product and a sum, relative to the terms."""

_ROUND_UP = 1.0 + _SLACK

CAP, DUAL, GIVEN, BALANCED = "cap", "rank-aware dual", "given", "balanced looks"

_EXACT = -2
"""The source of a γ_m in closed form."""


@dataclass(frozen=True, eq=False)
class GainCurve:
    """Upper bounds γ̂_0..γ̂_n on the maximum gain of m rounds, in nats.

    Attributes
    ----------
    values : (n+1,) γ̂_m, non-decreasing, γ̂_0 = 0; not necessarily concave; an `UpperArray` where
        certified
    sources : (n+1,) which bound gave γ̂_m: 0 the cap, i ≥ 1 the i-th certificate, −1 given, −2 the
        closed form of independent arms
    certificates : the rank-aware dual certificates used
    lines : (intercept, slope, rank): γ_m ≤ intercept + slope·m for m ≥ max(rank, 1)
    certified : True only for outward rounded arithmetic; floating point is never certified
    """

    values: FloatArray
    sources: IntArray
    certificates: tuple[GainCertificate, ...] = ()
    certified: bool = False
    lines: tuple[tuple[float, float, int], ...] = ()

    @property
    def n(self) -> int:
        """The largest m."""
        return len(self.values) - 1

    def upper_name(self, m: int) -> str:
        """What won at m: "cap", "rank-aware dual", "balanced looks" or "given"."""
        source = int(self.sources[m])
        return {_EXACT: BALANCED, -1: GIVEN, 0: CAP}.get(source, DUAL)

    @classmethod
    def given(cls, values: ArrayLike, n: int) -> GainCurve:
        """A curve that the user vouches for.

        Raises InvalidInput unless it is a non-decreasing list of at least n+1 finite numbers that
        starts with γ_0 = 0.

        >>> GainCurve.given([0.0, 1.0, 1.5, 1.7], 2).values
        array([0. , 1. , 1.5])
        """
        gamma = checked_gains(values, n)[: n + 1]
        return cls(gamma, np.full(n + 1, -1))


def space_gain_upper(
    kernel: Kernel,
    domain: Domain,
    noise_variance: float,
    n: int,
    *,
    at: Sequence[int] | None = None,
) -> GainCurve:
    """Upper bounds on γ_m, m = 0..n: the least of the cap and of the certificates, made monotone.

    Of independent arms γ_m itself, rounded up (`balanced`). For other domains
    γ̂_m = min_{m' ≥ m} min(cap_{m'}, certificates valid at m'); a bound on γ_{m'} is one on γ_m.

    Parameters
    ----------
    kernel : Kernel of unit variance
    domain : Domain
    noise_variance : float > 0, σ²
    n : int ≥ 1
    at : the m ≤ n that are asked about: certificates for these alone, each nearer to what the
        relaxation can give; by default for all m

    Raises InvalidInput for n < 1 or noise that is not positive.

    The number of certificates grows like log n, the cost of one with the number of features that
    matter at its n: O(N P² / |G| + P³ |G|), P the pivots for each of |G| = 2^d parities. No matrix
    over the whole grid is formed.

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import SquaredExponential
    >>> curve = space_gain_upper(SquaredExponential(0.2), Grid(1, 1.0, 10), 0.01, 40)
    >>> curve.upper_name(1), curve.upper_name(40)
    ('cap', 'rank-aware dual')
    """
    if n < 1:
        raise InvalidInput("n", n, "give at least 1 round")
    require_variance(noise_variance)
    if is_independent(kernel, domain):
        return GainCurve(
            balanced_gains(domain.size, noise_variance, n)[1],
            np.full(n + 1, _EXACT),
            certified=True,
            lines=tuple(balanced_lines(domain.size, noise_variance, n)),
        )
    grid_kernel = domain.restricted(kernel)
    # Matrices this small lose more than they gain when BLAS splits them between threads: where
    # another process wants the second core, the threads' waiting costs twenty times the work.
    rounds = nodes(n) if at is None else thinned([*at, n])
    with one_blas_thread():
        certificates = tuple(
            certify(
                grid_kernel,
                grid_kernel.orthant[design.features.pivots],
                design.factors(),
                1.0 + design.threshold,
                noise_variance,
            )
            for design in relaxation_path(grid_kernel, noise_variance, rounds, close=at is not None)
        )
    return combine(certificates, NoiseLevel(noise_variance).gain_cap, n, certified=False)


def combine(
    certificates: tuple[GainCertificate, ...], cap_rate: float, n: int, *, certified: bool
) -> GainCurve:
    """The curve that the cap and the given certificates prove together; O(n · certificates).

    Parameters
    ----------
    cap_rate : an upper bound on ½ log(1+1/σ²)
    certified : whether `cap_rate` and the lines were rounded outward; what is added here is
    """
    m = np.arange(n + 1, dtype=float)
    values = _ROUND_UP * cap_rate * m
    sources = np.zeros(n + 1, dtype=np.int64)
    for i, certificate in enumerate(certificates, start=1):
        line = certificate.intercept + certificate.slope * m
        line += _SLACK * (abs(certificate.intercept) + certificate.slope * m)
        better = (line < values) & (m >= max(certificate.rank, 1))
        values[better] = line[better]
        sources[better] = i
    # A bound on γ of more rounds is one on γ of fewer: the least of all that follow.
    least = np.minimum.accumulate(values[::-1])[::-1]
    position = np.where(values == least, np.arange(n + 1), n)
    position = np.minimum.accumulate(position[::-1])[::-1]
    lines = tuple((line.intercept, line.slope, line.rank) for line in certificates)
    values = np.maximum(least, 0.0)
    values = UpperArray.of(values) if certified else values
    return GainCurve(values, sources[position], certificates, certified, lines)
