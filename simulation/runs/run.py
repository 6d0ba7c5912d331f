"""One run: a policy against one objective, and everything worth keeping of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import Kernel
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.model.covariance import Factor, GridCovariance
from simulation.model.posterior import make_posterior
from simulation.policies.policy import PolicySetup, make_policy
from simulation.policies.readings import Readings
from simulation.runs.regret import Regrets
from simulation.world.environment import Path, Seeds, draw_path
from simulation.world.evaluation_time import EvaluationTime

_LARGEST_DENSE = 1_500
"""Rounds up to which the variances under the true model come from one Cholesky factor."""

_VARIANCE_ERROR = 1e-13
"""What rounding, and the features that the filter leaves out, may take from a variance at most."""

_GAIN_ERROR = 1e-3
"""The largest error of the information gain, as a share of it, that a run may have."""


@dataclass(frozen=True, eq=False)
class Trajectory(Regrets):
    """What happened in one run; every array has one entry per round, the initial ones first.

    Attributes
    ----------
    policy, seed, initial : name, seed, and number of random rounds at the start
    points : (n,) int, x_i as an index into the grid's points
    durations, times : (n,) t_i and τ_i in the problem's unit of time
    measured_durations : (n,) what the policy was told that t_i was
    observations : (n,) y_i = f(x_i, τ_i) + noise
    values : (n,) f(x_i, τ_i)
    best_values : (n,) max_x f(x, τ_i) over the grid
    deviations : (n,) σ_{i−1}(x_i, τ_i) under the true model, given the rounds before
    noise_variance : σ²
    """

    policy: str
    seed: int
    initial: int
    points: NDArray[np.int64]
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
) -> Trajectory:
    """Run `policy` for `initial` random rounds and then `rounds` rounds of its own.

    Runs of one seed share the objective, the noise and the initial points, whatever the policy.

    Parameters
    ----------
    problem : kernels, noise, domain and δ; its evaluation times are not used
    evaluation_time : how long a round takes, see `simulation.world.evaluation_time`
    policy : a name of `simulation.policies.policy.POLICIES`
    seed : int ≥ 0, the root of all randomness of the run
    initial, rounds : ints ≥ 0, at least one round in all
    acquisition, exploration : see `simulation.policies.acquisition`
    model_kernel : the space kernel that the policy assumes; by default the objective's
    readings : the choices that the paper leaves open, by default the paper's own
    factor : of the objective's Gram matrix, where it is at hand (it does not change the result)
    path : an objective of one's own, read in place of the one that the seed draws

    Cost: O(n²N) for up to some hundred rounds, linear in n beyond. Raises InvalidInput, and
    NumericalFailure where the noise is so small that rounding may change the gain by 0.1 %.

    >>> from bounds.times import EvaluationTimes
    >>> from simulation.world.evaluation_time import constant
    >>> problem = Problem(EvaluationTimes.from_durations([3.0]))
    >>> run = simulate(problem, constant(3.0, 40), initial=30, rounds=10)
    >>> run.n, run.times[-1]
    (40, np.float64(120.0))
    """
    n = _total_rounds(initial, rounds)
    seeds = Seeds.of(seed)
    if path is None:
        path = draw_path(problem, evaluation_time, n, seeds.objective, factor)
    noise = np.random.default_rng(seeds.noise).standard_normal(n) * np.sqrt(problem.noise_variance)
    starts = np.random.default_rng(seeds.initial).integers(problem.domain.size, size=initial)
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
            rng=np.random.default_rng(seeds.policy),
            readings=choices,
        ),
    )
    points = np.empty(n, dtype=np.int64)
    durations, measured, times, values, best_values, variances = np.empty((6, n))
    now = 0.0
    for i in range(n):
        x = int(starts[i]) if i < initial else chooser.choose(i)
        duration = float(np.broadcast_to(evaluation_time.of_round(i), (problem.domain.size,))[x])
        now += duration
        objective = path.after(duration)
        value = float(objective[x])
        measured[i] = duration * float(measured_over_true[i])
        variance = chooser.observe(x, float(measured[i]), value + float(noise[i]))
        chooser.reveal(objective)
        points[i], durations[i], times[i] = x, duration, now
        values[i], best_values[i] = value, objective.max()
        variances[i] = np.nan if variance is None else variance
    if policy != "ctv-fixed" or not choices.hold_the_truth or kernel != problem.space_kernel:
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


def true_variances(
    problem: Problem, points: NDArray[np.int64], durations: FloatArray
) -> FloatArray:
    """(n,) σ²_{i−1}(x_i, τ_i) under the true model for points evaluated one after another.

    Up to 1,500 rounds from the Cholesky factor L of K̃ + σ²I, as K̃_ii − Σ_{j<i} L_ij² (the
    diagonal, L_ii² − σ², would cancel where σ² is large); beyond by the filter of
    `simulation.model.posterior`. Raises NumericalFailure where K̃ + σ²I is singular in doubles.
    """
    n = len(points)
    covariance = GridCovariance(problem.space_kernel, problem.domain)
    if n > _LARGEST_DENSE:
        posterior = make_posterior(covariance, problem.time_kernel, problem.noise_variance, n)
        seen = zip(points, durations, strict=True)
        return np.array([posterior.observe(int(x), float(t), 0.0) for x, t in seen])
    every = slice(None)
    times = EvaluationTimes.from_durations(durations)
    gram = covariance.block(points)
    gram *= problem.time_kernel.at_distance(times.distances(every, every))
    prior = np.diag(gram).copy()
    gram[np.diag_indices(n)] += problem.noise_variance
    try:
        factor = linalg.cholesky(gram, lower=True, overwrite_a=True)
    except linalg.LinAlgError:
        raise NumericalFailure(
            f"noise-variance = {problem.noise_variance:g}: K + σ²I is singular to working "
            "precision; use a larger one or a shorter lengthscale"
        ) from None
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
