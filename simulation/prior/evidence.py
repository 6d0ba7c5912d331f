"""The evidence of a log under a candidate prior, m and s integrated: many at once, or with slopes.

A candidate has the covariance s²·A of y, A = (K_space + c)∘J + σ²N: a kernel of the inputs with one
lengthscale each, a level of variance c common to all points, J a kernel in real time, forgetting
unless the candidate says otherwise (`simulation.prior.memory`), N the identity unless the log does
(`bounds.noise`). Of y itself, or of T(y) where the candidate has a scale of y
(`simulation.prior.warp`); densities are always those of y.
The points count as if they had been fixed in advance, whatever chose them
(docs/theory.md#theorem-h).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log, log1p, sqrt

import numpy as np
from scipy.linalg import lapack

from bounds.arrays import BoolArray, FloatArray
from bounds.errors import NumericalFailure
from bounds.noise import NoiseOfRows, noise_of_rows
from simulation.prior.conjugate import MeanAndScale, Posterior
from simulation.prior.memory import FORGETTING, MEMORIES
from simulation.prior.nonstationary import STATIONARY, Nonstationarity
from simulation.prior.shapes import SHAPES, TWO_SCALES, apart
from simulation.prior.warp import Warp

_BATCH_BYTES = 2**22
_BENDINGS = 16
"""Bendings of the inputs of which distances are kept."""

WILD = 10.0
"""Deviations of a wild error in those of the others."""
WILD_SHARE = 0.02
"""Probability beforehand that an error is wild, where such are sought."""


@dataclass(frozen=True)
class Member:
    """One prior but for m and s.

    kernel : name of a shape
    rate : θ ≥ 0, log 2 over the half-life, per unit of time; 0 is no drift
    lengthscales : (d,) ℓ_i in shares of the axes
    noise_variance : σ² in units of s²
    level : c ≥ 0 in units of s²
    memory : the name of J; forgetting is exp(−θ|τ−τ'|)
    warp : T; None where f is Gaussian in y itself
    outliers : rows, from 0, whose errors have `WILD` times the deviation of the others
    nonstationary : a change point, bent inputs, errors that differ
    unordered : the axes of which any two different places are at distance 1 (Hamming)
    optional : the axes that only some points have, see `simulation.prior.shapes.apart`
    """

    kernel: str
    rate: float
    lengthscales: tuple[float, ...]
    noise_variance: float
    level: float = 0.0
    memory: str = FORGETTING
    warp: Warp | None = None
    outliers: tuple[int, ...] = ()
    nonstationary: Nonstationarity = STATIONARY
    unordered: tuple[int, ...] = ()
    optional: tuple[int, ...] = ()

    @property
    def still(self) -> bool:
        """Whether f is the same at all times."""
        return not self.rate and self.nonstationary.change is None

    @property
    def markov(self) -> bool:
        """Whether f later, given f now, needs nothing of the past, whenever that is."""
        return self.nonstationary.change is None and (not self.rate or self.memory == FORGETTING)

    def without_drift(self) -> Member:
        """The same with f as it is at all times."""
        return replace(self, rate=0.0, nonstationary=self.nonstationary.of_another_log())

    @property
    def plain(self) -> bool:
        """Whether it is of the family of the theory: y itself, a forgetting drift or none."""
        usual = self.warp is None and self.markov and self.kernel != TWO_SCALES
        return usual and not self.nonstationary.unlike and not self.unordered and not self.optional

    def decay(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """J between instants, whose shapes are brought together."""
        gaps = np.abs(left - right)
        if not self.rate or self.memory == FORGETTING:
            correlations = np.exp(-self.rate * gaps)
        else:
            correlations = MEMORIES[self.memory].value(self.rate / log(2.0) * gaps)
        return np.asarray(correlations * self.nonstationary.together(left, right))

    def over_time(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """(m, n) J between instants (m,) and (n,)."""
        return self.decay(left[:, None], right[None, :])

    @property
    def half_life(self) -> float:
        """Time after which J is ½; infinite without drift."""
        return log(2.0) / self.rate if self.rate > 0 else float("inf")

    def between(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """(m, n) k(x, x') between points (m, d) and (n, d), drift and level apart."""
        squared = np.zeros((len(left), len(right)))
        left, right = self.nonstationary.moved(left), self.nonstationary.moved(right)
        for axis, scale in enumerate(self.lengthscales):
            words, optional = axis in self.unordered, axis in self.optional
            if words or optional:
                here, there = left[:, None, axis], right[None, :, axis]
                squared += apart(here, there, words=words, optional=optional) / scale**2
            else:
                squared += np.subtract.outer(left[:, axis] / scale, right[:, axis] / scale) ** 2
        return SHAPES[self.kernel].value(squared)

    def deviations(self, points: FloatArray) -> FloatArray:
        """(n,) of the errors of rows at points (n, d), in units of σ."""
        deviations = self.nonstationary.deviations(points)
        deviations[list(self.outliers)] *= WILD
        return deviations

    def log_chance(self, n: int) -> float:
        """log of the probability that these of n rows are the outliers; 0 where none is sought."""
        if not self.outliers:
            return 0.0
        wild = len(self.outliers)
        return wild * log(WILD_SHARE) + (n - wild) * log1p(-WILD_SHARE)

    def observed(
        self, points: FloatArray, times: FloatArray, noise: FloatArray | None = None
    ) -> FloatArray:
        """(n, n) A of observations at these points and times; `noise` (n, n) is N."""
        gram = (self.between(points, points) + self.level) * self.over_time(times, times)
        self.add_noise(gram, points, noise)
        return np.asarray(gram)

    def add_noise(self, gram: FloatArray, points: FloatArray, noise: FloatArray | None) -> None:
        """The covariance of the errors at points added to (n, n) that of f, in place."""
        size = self.deviations(points)
        if noise is None:
            gram[np.diag_indices(len(gram))] += self.noise_variance * size**2
        else:
            gram += self.noise_variance * noise * np.multiply.outer(size, size)


@dataclass(frozen=True, eq=False)
class Batch:
    """What the Cholesky factors of many candidates say of the data.

    diagonal : (B, n) of L; ones, whitened : (B, n) L⁻¹1 and L⁻¹(y − m_0)
    """

    diagonal: FloatArray
    ones: FloatArray
    whitened: FloatArray


@dataclass(frozen=True, eq=False)
class Data:
    """Points (n, d) in the unit cube, times (n,) and values (n,); N where it is no identity.

    unordered : axes whose places have no order
    optional : axes that only some points have, the others being at `ABSENT` there
    """

    points: FloatArray
    times: FloatArray
    values: FloatArray
    noise: NoiseOfRows | None = None
    unordered: tuple[int, ...] = ()
    optional: tuple[int, ...] = ()

    @property
    def n(self) -> int:
        return len(self.values)

    def thinned(self, every: int) -> Data:
        """Every so many rows, and the last."""
        kept = np.union1d(np.arange(0, self.n, every), [self.n - 1])
        noise = None
        if self.noise is not None:
            noise = noise_of_rows(self.noise.matrix[np.ix_(kept, kept)])
        own = (self.points[kept], self.times[kept], self.values[kept])
        return Data(*own, noise, self.unordered, self.optional)

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns of the pairs i > j."""
        return np.tril_indices(self.n, -1)

    @cached_property
    def squares(self) -> FloatArray:
        """(d, pairs) (x_i − x_j)² along each axis, or what `apart` has in its place."""
        rows, columns = self.pairs
        squares = np.ascontiguousarray((self.points[rows] - self.points[columns]).T ** 2)
        for axis in {*self.unordered, *self.optional}:
            places = self.points[:, axis]
            words = axis in self.unordered
            squares[axis] = apart(places[rows], places[columns], words=words, optional=not words)
        return squares

    def squares_of(self, nonstationary: Nonstationarity) -> FloatArray:
        """(d, pairs) the same where inputs are bent; those of one bending are kept."""
        if not nonstationary.bends:
            return self.squares
        kept = self._bent.get(nonstationary.bends)
        if kept is None:
            if len(self._bent) >= _BENDINGS:
                self._bent.clear()
            moved = replace(self, points=nonstationary.moved(self.points))
            kept = self._bent[nonstationary.bends] = moved.squares
        return kept

    @cached_property
    def _bent(self) -> dict[tuple[float, ...], FloatArray]:
        """What `squares_of` keeps."""
        return {}

    def together(self, nonstationary: Nonstationarity) -> BoolArray | float:
        """(pairs,) whether both rows are on one side of the change."""
        rows, columns = self.pairs
        return nonstationary.together(self.times[rows], self.times[columns])

    @cached_property
    def gaps(self) -> FloatArray:
        """(pairs,) |τ_i − τ_j|."""
        rows, columns = self.pairs
        return np.asarray(np.abs(self.times[rows] - self.times[columns]))

    def on_scale_of(self, member: Member) -> FloatArray:
        """(n,) T(y) of a member; y itself where it has none."""
        return self.values if member.warp is None else member.warp.forward(self.values)

    def _noise(self, member: Member) -> tuple[FloatArray, FloatArray | float, float]:
        """The diagonal of N, its pairs, and its least eigenvalue, or less; with wild errors."""
        size = member.deviations(self.points)
        least = float(np.min(size)) ** 2
        if self.noise is None:
            return size**2, 0.0, least
        matrix = self.noise.matrix
        rows, columns = self.pairs
        shared = matrix[rows, columns] * size[rows] * size[columns]
        return np.diagonal(matrix) * size**2, shared, self.noise.least * least

    def factored(self, members: Sequence[Member], center: float) -> Batch:
        """Cholesky factors for members of any kernels. O(B n³), in batches of bounded memory.

        Raises NumericalFailure where a covariance is singular in floating point.
        """
        n = self.n
        diagonal, ones, whitened = (np.empty((len(members), n)) for _ in range(3))
        most = max(1, _BATCH_BYTES // (8 * (n + 2) ** 2))
        kinds: dict[tuple[object, ...], list[int]] = {}
        for i, member in enumerate(members):
            kind = (
                member.kernel,
                member.memory,
                member.warp,
                member.outliers,
                member.nonstationary,
            )
            kinds.setdefault(kind, []).append(i)
        for chosen in kinds.values():
            for start in range(0, len(chosen), most):
                part = chosen[start : start + most]
                rows = self._factored([members[i] for i in part], center)
                diagonal[part], ones[part], whitened[part] = rows
        return Batch(diagonal, ones, whitened)

    def _factored(
        self, members: Sequence[Member], center: float
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The same for members that differ in numbers alone."""
        n, count, first = self.n, len(members), members[0]
        level = np.array([member.level for member in members])[:, None]
        noise = np.array([member.noise_variance for member in members])[:, None]
        rate = np.array([member.rate for member in members])
        inverse = np.array([member.lengthscales for member in members]) ** -2.0
        values = SHAPES[first.kernel].value(inverse @ self.squares_of(first.nonstationary))
        values += level
        if first.nonstationary.change is not None:
            values *= self.together(first.nonstationary)
        drifting = np.flatnonzero(rate)
        if len(drifting):
            if first.memory == FORGETTING:
                values[drifting] *= np.exp(np.multiply.outer(-rate[drifting], self.gaps))
            else:
                u = np.multiply.outer(rate[drifting] / log(2.0), self.gaps)
                values[drifting] *= MEMORIES[first.memory].value(u)
        own, shared, least = self._noise(first)
        if self.noise is not None:
            values += noise * shared
        # Two more rows, 1 and y, become L⁻¹1 and L⁻¹y: corners above xᵀA⁻¹x ≤ |x|²/(σ²·least)
        # keep it positive definite.
        residual = self.on_scale_of(first) - center
        gram = np.zeros((count, n + 2, n + 2))
        rows, columns = self.pairs
        gram[:, rows, columns] = values
        every = np.arange(n)
        gram[:, every, every] = 1.0 + level + noise * own
        gram[:, n, :n] = 1.0
        gram[:, n + 1, :n] = residual
        total = float(residual @ residual)
        gram[:, n, n] = 2.0 * n / (least * noise[:, 0]) + 1.0
        gram[:, n + 1, n + 1] = 2.0 * total / (least * noise[:, 0]) + 1.0
        try:
            lower = np.linalg.cholesky(gram)
        except np.linalg.LinAlgError:
            raise NumericalFailure(
                "the covariance of a candidate is singular to working precision: "
                "give a hyperprior with more noise"
            ) from None
        factor = np.asarray(lower, dtype=np.float64)
        return factor[:, every, every], factor[:, n, :n], factor[:, n + 1, :n]

    def log_evidence(self, members: Sequence[Member], prior: MeanAndScale) -> FloatArray:
        """(B,) log p(y | member), m and s integrated under `prior`."""
        return self.judged(members, prior)[0]

    def judged(
        self, members: Sequence[Member], prior: MeanAndScale
    ) -> tuple[FloatArray, Posterior]:
        """That, and the law of m and s given the data and each member.

        Many small factorisations: callers hold BLAS to one thread, which is up to forty times
        faster than several that wait for each other.
        """
        batch = self.factored(members, prior.center)
        evidence = prior.log_evidence(batch.diagonal, batch.ones, batch.whitened)
        constants: dict[tuple[object, ...], float] = {}
        for m in members:
            if (m.warp, m.outliers) not in constants:
                constants[m.warp, m.outliers] = self._constant(m)
        evidence += [constants[m.warp, m.outliers] for m in members]
        return evidence, prior.posterior(batch.ones, batch.whitened)

    def _constant(self, member: Member) -> float:
        """What a member's scale of y and its outliers add to the log density."""
        scaled = 0.0 if member.warp is None else member.warp.log_jacobian(self.values)
        return scaled + member.log_chance(self.n)

    def wild_rows(self, member: Member, prior: MeanAndScale) -> tuple[int, ...]:
        """Rows whose errors are wild by evidence under one member, found one after the other.

        The row farthest from what the others say of it is taken as one while that raises the
        evidence, its chance included; at most a tenth of the rows, and twenty. O(n³) each.
        """
        outliers: tuple[int, ...] = ()
        noise = None if self.noise is None else self.noise.matrix
        best = float(self.judged([member], prior)[0][0])
        while len(outliers) < min(self.n // 10, 20):
            gram = replace(member, outliers=outliers).observed(self.points, self.times, noise)
            inverse = np.linalg.inv(gram + prior.spread)
            left = self.on_scale_of(member) - prior.center
            far = np.abs(inverse @ left) / np.sqrt(np.diagonal(inverse))
            far[list(outliers)] = 0.0
            more = tuple(sorted((*outliers, int(np.argmax(far)))))
            value = float(self.judged([replace(member, outliers=more)], prior)[0][0])
            if not value > best:
                break
            outliers, best = more, value
        return outliers

    def log_evidence_and_slopes(
        self, member: Member, prior: MeanAndScale
    ) -> tuple[float, FloatArray]:
        """log p(y | member) and its slopes in log ℓ_1, …, log ℓ_d, log σ², log half-life, log c.

        −∞ and zeros where the covariance is singular. O(n³).
        """
        n, shape = self.n, SHAPES[member.kernel]
        inverse = np.asarray(member.lengthscales) ** -2.0
        squares = self.squares_of(member.nonstationary)
        space, slope = shape.value_and_slope(inverse @ squares)
        decay, fading = _decay_and_slope(member, self.gaps)
        together = self.together(member.nonstationary)
        decay, fading = np.asarray(decay * together), fading * together
        both = (space + member.level) * decay
        rows, columns = self.pairs
        gram = np.empty((n, n), order="F")
        own, shared, _ = self._noise(member)
        gram[rows, columns] = both + member.noise_variance * shared + prior.spread
        every = np.arange(n)
        gram[every, every] = 1.0 + member.level + member.noise_variance * own + prior.spread
        lower, failed = lapack.dpotrf(gram, lower=1, overwrite_a=1, clean=0)
        if failed:
            return float("-inf"), np.zeros(len(member.lengthscales) + 3)
        residual = self.on_scale_of(member) - prior.center
        alpha, _ = lapack.dpotrs(lower, residual, lower=1)
        square = float(residual @ alpha)
        # With the mean inside the covariance, the plain Student density of zero mean.
        flat = MeanAndScale(0.0, 0.0, prior.shape, prior.scale)
        diagonal = np.ascontiguousarray(lower[every, every])
        rest = np.zeros(n)
        rest[0] = sqrt(square)
        value = float(flat.log_evidence(diagonal, np.zeros(n), rest))
        value += self._constant(member)
        turned, _ = lapack.dpotri(lower, lower=1, overwrite_c=1)
        tilt = (prior.shape + 0.5 * n) / (prior.scale + 0.5 * square)
        weights = tilt * alpha[rows] * alpha[columns] - turned[rows, columns]
        diagonal_weights = 0.5 * (tilt * alpha**2 - np.diagonal(turned))
        on_diagonal = float(np.sum(diagonal_weights))
        weighted = weights * decay
        by_length = inverse * (squares @ (weighted * slope))
        by_noise = member.noise_variance * float(diagonal_weights @ own + np.sum(weights * shared))
        by_half_life = float(weights @ ((space + member.level) * fading))
        by_level = member.level * (on_diagonal + float(np.sum(weighted)))
        return value, np.array([*by_length, by_noise, by_half_life, by_level])


def _decay_and_slope(member: Member, gaps: FloatArray) -> tuple[FloatArray | float, FloatArray]:
    """J of the gaps and ∂J/∂log half-life; 1 and zeros without drift."""
    if not member.rate:
        return 1.0, np.zeros(len(gaps))
    return MEMORIES[member.memory].value_and_slope(member.rate / log(2.0) * gaps)
