"""One run: a policy against one objective, and everything worth keeping of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import Kernel
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.model.covariance import Factor, GridCovariance, singular
from simulation.model.posterior import make_posterior
from simulation.policies.base import Point, PolicySetup
from simulation.policies.finite import FiniteSet
from simulation.policies.on_box.policies import BoxSet
from simulation.policies.readings import Readings
from simulation.policies.tuned import make_policy
from simulation.world.environment import Path, Seeds
from simulation.world.evaluation_time import EvaluationTime
from simulation.world.world import draw_world

_LARGEST_DENSE = 1_500
"""Rounds up to which the variances under the true model come from one Cholesky factor."""

_VARIANCE_ERROR = 1e-13
"""What rounding, and the features that the filter leaves out, may take from a variance at most."""

_GAIN_ERROR = 1e-3
"""The largest error of the information gain, as a share of it, that a run may have."""


@dataclass(frozen=True, eq=False)
class Trajectory:
    """What happened in one run; every array has one entry per round, the initial ones first.

    Attributes
    ----------
    policy, seed, initial : name, seed, and number of random rounds at the start
    points : (n,) int, x_i as an index into the domain's points; on the box (n, d) coordinates
    durations, times : (n,) t_i and τ_i in the problem's unit of time
    measured_durations : (n,) what the policy was told that t_i was
    observations : (n,) y_i = f(x_i, τ_i) + noise
    values : (n,) f(x_i, τ_i)
    best_values : (n,) max_x f(x, τ_i) over the domain; on the box the larger of that over the grid
        and of f(x_i, τ_i), at most the maximum over the box
    deviations : (n,) σ_{i−1}(x_i, τ_i) under the true model, given the rounds before
    noise_variance : σ²
    """

    policy: str
    seed: int
    initial: int
    points: NDArray[Any]
    durations: FloatArray
    measured_durations: FloatArray
    times: FloatArray
    observations: FloatArray
    values: FloatArray
    best_values: FloatArray
    deviations: FloatArray
    noise_variance: float

    @property
    def n(self) -> int:
        """Rounds in all."""
        return len(self.points)

    @property
    def regrets(self) -> FloatArray:
        """(n,) r_i = best value − f(x_i, τ_i) ≥ 0."""
        return self.best_values - self.values

    @cached_property
    def cumulative_regret(self) -> FloatArray:
        """(n,) R_i = r_1 + … + r_i."""
        return np.cumsum(self.regrets)

    @property
    def regret_per_round(self) -> float:
        """R_n/n over all rounds."""
        return float(np.mean(self.regrets))

    @property
    def own_regret_per_round(self) -> float:
        """Mean regret of the rounds after the initial ones; NaN if there are none."""
        own = self.regrets[self.initial :]
        return float(np.mean(own)) if len(own) else float("nan")

    @cached_property
    def cumulative_gain(self) -> FloatArray:
        """(n,) ½ log det(I + K̃/σ²) of the first i rounds, Σ ½ log(1 + σ²_{j−1}(x_j,τ_j)/σ²)."""
        return np.cumsum(0.5 * np.log1p(self.deviations**2 / self.noise_variance))


def simulate(
    problem: Problem,
    evaluation_time: EvaluationTime,
    policy: str = "ctv-fixed",
    *,
    seed: int = 0,
    initial: int = 30,
    rounds: int = 100,
    acquisition: str = "ucb",
    exploration: str = "beta",
    model_kernel: Kernel | None = None,
    readings: Readings | None = None,
    factor: Factor | None = None,
    path: Path | None = None,
    box: bool = False,
    starts: int = 8,
) -> Trajectory:
    """Run `policy` for `initial` random rounds and then `rounds` rounds of its own.

    Runs of one seed share the objective, the noise and the initial points, whatever the policy.

    Parameters
    ----------
    problem : kernels, noise, domain and δ; its evaluation times are not used
    evaluation_time : how long a round takes, see `simulation.world.evaluation_time`
    policy : a name of `simulation.policies.registry.policies`
    seed : int ≥ 0, the root of all randomness of the run
    initial, rounds : ints ≥ 0, at least one round in all
    acquisition, exploration : see `simulation.policies.acquisition`
    model_kernel : the space kernel that the policy assumes; by default the objective's
    readings : the choices that the paper leaves open, by default the paper's own
    factor : of the objective's Gram matrix, where it is at hand (it does not change the result)
    path : an objective of one's own, read in place of the one that the seed draws
    box : whether points are anywhere in the box of the problem's grid, by the policies of
        `simulation.policies.on_box`; then `initial` is at least 1
    starts : local searches a round on the box

    Cost: O(n²N) for up to some hundred rounds, linear in n beyond; on the box O(n³) a round and
    `starts` searches. Raises InvalidInput, and NumericalFailure where the noise is so small that
    rounding may change the gain by 0.1 %.

    >>> from bounds.times import EvaluationTimes
    >>> from simulation.world.evaluation_time import constant
    >>> problem = Problem(EvaluationTimes.from_durations([3.0]))
    >>> run = simulate(problem, constant(3.0, 40), initial=30, rounds=10)
    >>> run.n, run.times[-1]
    (40, np.float64(120.0))
    """
    n = _total_rounds(initial, rounds)
    seeds = Seeds.of(seed)
    world = draw_world(problem, evaluation_time, n, seeds, factor=factor, path=path, box=box)
    noise = problem.noise.draw(np.random.default_rng(seeds.noise).standard_normal(n))
    first = world.starts(initial, np.random.default_rng(seeds.initial))
    kernel = problem.space_kernel if model_kernel is None else model_kernel
    choices = Readings() if readings is None else readings
    time_noise = np.random.default_rng(seeds.clock).standard_normal(n)
    with np.errstate(over="ignore"):  # only policies that model log t mind, and refuse it
        measured_over_true = np.exp(np.sqrt(choices.time_noise_variance) * time_noise)
    chooser = make_policy(
        policy,
        PolicySetup(
            problem=problem,
            covariance=GridCovariance(kernel, problem.domain),
            evaluation_time=evaluation_time,
            rounds=n,
            acquisition=acquisition,
            exploration=exploration,
            rng=world.rng,
            readings=choices,
            decisions=(
                BoxSet(problem.domain, evaluation_time.anywhere, starts) if box else FiniteSet()
            ),
        ),
    )
    played: list[Point] = []
    durations, measured, times, values, best_values, variances = np.empty((6, n))
    now = 0.0
    for i in range(n):
        x = first[i] if i < initial else chooser.choose(i)
        durations[i] = world.duration(x, i)
        now += float(durations[i])
        values[i], best_values[i] = world.after(float(durations[i]), x)
        measured[i] = durations[i] * measured_over_true[i]
        variance = chooser.observe(x, float(measured[i]), float(values[i] + noise[i]))
        chooser.reveal(world.objective)
        played.append(x)
        times[i] = now
        variances[i] = np.nan if variance is None else variance
    points = np.array(played)
    true_model = choices.hold_the_truth and kernel == problem.space_kernel
    if not true_model or np.any(np.isnan(variances)):
        variances = true_variances(problem, points, durations)
    if not is_resolved(variances, problem.noise_variance):
        raise NumericalFailure(
            f"noise-variance = {problem.noise_variance:g}: rounding may change the information "
            f"gain of {policy} by more than {100 * _GAIN_ERROR:g} %; give a larger one"
        )
    return Trajectory(
        policy=policy,
        seed=seed,
        initial=initial,
        points=points,
        durations=durations,
        measured_durations=measured,
        times=times,
        observations=values + noise,
        values=values,
        best_values=best_values,
        deviations=np.sqrt(variances),
        noise_variance=problem.noise_variance,
    )


def true_variances(problem: Problem, points: NDArray[Any], durations: FloatArray) -> FloatArray:
    """(n,) σ²_{i−1}(x_i, τ_i) under the true model for points evaluated one after another.

    points : (n,) indices into the domain, or (n, d) coordinates

    Up to 1,500 rounds from the Cholesky factor L of K̃ + σ²I, as K̃_ii − Σ_{j<i} L_ij² (the
    diagonal, L_ii² − σ², would cancel where σ² is large); beyond by the filter of
    `simulation.model.posterior`. Raises NumericalFailure where K̃ + σ²I is singular in doubles.
    """
    n = len(points)
    covariance = GridCovariance(problem.space_kernel, problem.domain)
    anywhere = points.ndim == 2
    if n > _LARGEST_DENSE and not anywhere:
        posterior = make_posterior(covariance, problem.time_kernel, problem.noise_variance, n)
        seen = zip(points, durations, strict=True)
        return np.array([posterior.observe(int(x), float(t), 0.0) for x, t in seen])
    every = slice(None)
    times = EvaluationTimes.from_durations(durations)
    gram = problem.space_kernel.gram(points) if anywhere else covariance.block(points)
    gram *= problem.time_kernel.at_distance(times.distances(every, every))
    prior = np.diag(gram).copy()
    gram[np.diag_indices(n)] += problem.noise_variance
    try:
        factor = linalg.cholesky(gram, lower=True, overwrite_a=True)
    except linalg.LinAlgError:
        raise singular(problem.noise_variance) from None
    factor[np.diag_indices(n)] = 0.0
    return np.asarray(np.clip(prior - np.einsum("ij,ij->i", factor, factor), 0.0, prior))


def is_resolved(variances: FloatArray, noise_variance: float) -> bool:
    """Whether the gain Σ ½ log(1 + v_i/σ²) has its digits in spite of rounding in the v_i (n,).

    An error of δ in v_i changes its term by at most δ/(2(v_i + σ²)) to first order. It is nothing
    where f drifts (v_i stays above its drift) and grows with 1/σ² where points repeat and f stays.
    """
    gain = 0.5 * float(np.sum(np.log1p(variances / noise_variance)))
    error = 0.5 * _VARIANCE_ERROR * float(np.sum(1.0 / (variances + noise_variance)))
    return error <= _GAIN_ERROR * gain


def _total_rounds(initial: int, rounds: int) -> int:
    if initial < 0:
        raise InvalidInput("initial", initial, "give a whole number of at least 0")
    if rounds < 0:
        raise InvalidInput("rounds", rounds, "give a whole number of at least 0")
    if initial + rounds < 1:
        raise InvalidInput("rounds", rounds, "ask for at least one round in all")
    return initial + rounds
