"""What a finished run leaves to certify from: where, when, what was observed, and the set D.

D is the grid of the problem and every evaluated point beside it. The posterior is that of the true
prior; certificates are as good as the prior is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg, special

from bounds.arrays import FloatArray, IntArray
from bounds.domain import Domain
from bounds.errors import InvalidInput
from bounds.noise import NoiseOfRows, noise_of_rows
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.model.covariance import singular
from simulation.runs.run import Trajectory

LARGEST_OBSERVATION = 1e8
"""Largest |y| accepted: beside much larger ones f, of variance 1, is lost in rounding, and a
certificate of 0 can come of it."""


@dataclass(frozen=True, eq=False)
class RoundPosterior:
    """f(·, τ_i) given the rounds before i: mean (M,), and rows `explained` (M, i) of K − P."""

    mean: FloatArray
    explained: FloatArray


@dataclass(frozen=True, eq=False)
class Observed:
    """A finished run of n rounds over M sites, the grid's points and then those off the grid.

    Attributes
    ----------
    problem : kernels, noise and grid; its times are the realised ones
    extra : (M − N, d) evaluated points off the grid
    played : (n,) index of x_i among the sites
    observations : (n,) y_i
    noise : N of errors of covariance σ²N; None where they are alike and independent
    """

    problem: Problem
    extra: FloatArray
    played: IntArray
    observations: FloatArray
    noise: NoiseOfRows | None = None

    @classmethod
    def of_run(cls, problem: Problem, run: Trajectory) -> Observed:
        """A simulated run, with its own times for those of the problem."""
        times = EvaluationTimes.from_durations(run.durations, source=f"{run.policy}-{run.seed}")
        nowhere = np.empty((0, problem.domain.dimension))
        return cls(replace(problem, times=times), nowhere, run.points, run.observations)

    @classmethod
    def of_data(
        cls,
        problem: Problem,
        points: ArrayLike,
        observations: ArrayLike,
        noise: ArrayLike | None = None,
    ) -> Observed:
        """Points (n, d) of one's own at the problem's times, with y (n,).

        `noise` is (n,) or (n, n) N of errors of covariance σ²N, σ² the problem's noise variance.

        Raises InvalidInput that names the row for fewer than two rows, shapes that do not match,
        numbers that are not finite, y beyond `LARGEST_OBSERVATION`, and points outside the box.
        """
        x, y = np.asarray(points, dtype=float), np.asarray(observations, dtype=float)
        grid = problem.domain
        if x.ndim != 2 or x.shape[1] != grid.dimension:
            raise InvalidInput("points", f"shape {x.shape}", f"give {grid.dimension} columns")
        if len(x) < 2:
            raise InvalidInput("data", f"{len(x)} rows", "give at least two rows")
        if y.shape != (len(x),) or problem.n != len(x):
            raise InvalidInput("data", f"{len(x)} points", "give one time and one y per point")
        for name, bad in (
            ("x", ~np.all(np.isfinite(x), axis=1)),
            ("y", ~np.isfinite(y)),
        ):
            if np.any(bad):
                row = int(np.argmax(bad)) + 1
                raise InvalidInput(f"{name} in row {row}", "not finite", "give finite numbers")
        large = np.abs(y) > LARGEST_OBSERVATION
        if np.any(large):
            row = int(np.argmax(large)) + 1
            remedy = f"give at most {LARGEST_OBSERVATION:g} in size: scale y to variance 1"
            raise InvalidInput(f"y in row {row}", f"{y[row - 1]:g}", remedy)
        outside = grid.outside(x)
        if np.any(outside):
            row = int(np.argmax(outside)) + 1
            shown = ", ".join(f"{value:g}" for value in x[row - 1])
            raise InvalidInput(f"x in row {row}", shown, grid.where)
        index, extra = _sites(grid, x)
        errors = None if noise is None else noise_of_rows(noise)
        if errors is not None and errors.n != len(x):
            raise InvalidInput("noise", f"{errors.n} rows", f"give {len(x)}: one for each y")
        return cls(problem, extra, index, y, errors)

    @property
    def n(self) -> int:
        """Rounds."""
        return len(self.played)

    @property
    def size(self) -> int:
        """M."""
        return self.problem.domain.size + len(self.extra)

    @cached_property
    def sites(self) -> FloatArray:
        """(M, d)."""
        return np.concatenate([self.problem.domain.points, self.extra])

    @cached_property
    def space_rows(self) -> FloatArray:
        """(n, M) k_space(x_j, site)."""
        kernel, grid = self.problem.space_kernel, self.problem.domain
        if len(self.extra):
            distinct, place = np.unique(self.played, return_inverse=True)
            return kernel.gram(self.sites[distinct], self.sites)[place]
        grid_kernel = grid.restricted(kernel)
        return np.stack([grid_kernel.column(int(x)) for x in self.played])

    @cached_property
    def time_gram(self) -> FloatArray:
        """(n, n) k_time(τ_i, τ_j)."""
        every = slice(None)
        gaps = self.problem.times.distances(every, every)
        return np.asarray(self.problem.time_kernel.at_distance(gaps))

    @cached_property
    def noise_gram(self) -> FloatArray:
        """(n, n) σ²N."""
        matrix = np.eye(self.n) if self.noise is None else self.noise.matrix
        return self.problem.noise_variance * matrix

    @cached_property
    def factor(self) -> FloatArray:
        """(n, n) lower triangular L with LLᵀ = K̃ + σ²N of the rounds.

        Raises NumericalFailure where the noise is too small for that in floating point.
        """
        gram = self.space_rows[:, self.played] * self.time_gram
        gram += self.noise_gram
        try:
            return np.asarray(linalg.cholesky(gram, lower=True))
        except linalg.LinAlgError:
            raise singular(self.problem.noise_variance) from None

    @cached_property
    def whitened(self) -> FloatArray:
        """(n,) L⁻¹y: under the true prior independent standard normals, whatever the policy."""
        return np.asarray(linalg.solve_triangular(self.factor, self.observations, lower=True))

    def posteriors(self) -> Iterator[RoundPosterior]:
        """For each round f(·, τ_i) given the rounds before it, over all sites.

        O(n²M) memory traffic in all for a Markov time kernel, O(n³M) else; one array of (n, M).
        """
        if self.problem.time_kernel.is_markov:
            yield from self._markov_posteriors()
            return
        for i in range(self.n):
            cross = self.space_rows[:i] * self.time_gram[:i, i : i + 1]
            rows = linalg.solve_triangular(self.factor[:i, :i], cross, lower=True) if i else cross
            yield RoundPosterior(self.whitened[:i] @ rows, np.ascontiguousarray(rows.T))

    def _markov_posteriors(self) -> Iterator[RoundPosterior]:
        """L⁻¹k(data, ·) of earlier rounds only shrinks with time, by k_time of the gap."""
        rows = np.empty((self.size, self.n))
        for i in range(self.n):
            if i:
                rows[:, :i] *= self.time_gram[i - 1, i]
            explained = np.ascontiguousarray(rows[:, :i])
            yield RoundPosterior(explained @ self.whitened[:i], explained)
            # The new row of L⁻¹K at τ_i itself.
            column = self.space_rows[i] - explained @ self.factor[i, :i]
            rows[:, i] = column / self.factor[i, i]

    def hindsight(self, rounds: range) -> Iterator[RoundPosterior]:
        """For each of some rounds f(·, τ_i) given all data, later ones too. O(n²M) a round."""
        for i in rounds:
            cross = self.space_rows * self.time_gram[:, i : i + 1]
            rows = linalg.solve_triangular(self.factor, cross, lower=True)
            yield RoundPosterior(self.whitened @ rows, np.ascontiguousarray(rows.T))

    def played_sum(self, rounds: slice = slice(None)) -> tuple[float, float]:
        """Mean and variance of Σ f(x_i, τ_i) over some rounds, given all data."""
        gram = (self.space_rows[:, self.played] * self.time_gram)[rounds]
        cross = linalg.solve_triangular(self.factor, gram.sum(axis=0), lower=True)
        variance = float(gram[:, rounds].sum() - cross @ cross)
        return float(cross @ self.whitened), max(variance, 0.0)

    def prior_fit(self) -> float:
        """P(χ²_n as far out as Σ(L⁻¹y)_i²), two-sided: a small value speaks against the prior.

        Exact under the true prior for every policy, since y_i given the past is normal with mean
        and variance of the posterior.
        """
        total = float(self.whitened @ self.whitened)
        lower = float(special.chdtr(self.n, total))
        return 2.0 * min(lower, float(special.chdtrc(self.n, total)))


def _sites(grid: Domain, points: FloatArray) -> tuple[IntArray, FloatArray]:
    """The index of each point among grid points and, behind them, the distinct other points."""
    index, off = grid.located(points)
    extra, place = np.unique(points[off], axis=0, return_inverse=True)
    index[off] = grid.size + np.ravel(place)
    return index.astype(np.int64), extra
