"""Drawn problems with what the proved checker wants of a certificate."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from bounds.domain import Domain, Grid, Points
from bounds.drifting_gain.joint_dual import JointDual, joint_dual
from bounds.drifting_gain.lower_bound import JointGain, joint_gain_lower
from bounds.kernels import Forgetting, Independent, Kernel, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from proofs_check.records.bound_certificate import _blocks, problem_data


def drawn(seed: int, rounds: int = 60) -> Problem:
    """At most so many rounds and 100 points: any kernels, domain, noise and δ of the checker."""
    rng = np.random.default_rng(seed)
    lengthscale = float(np.round(rng.choice([0.1, 0.3, 1.0]) * rng.uniform(0.7, 1.4), 3))
    space: Kernel = [
        SquaredExponential(lengthscale),
        Matern(0.5, lengthscale),
        Matern(1.5, lengthscale),
        Matern(2.5, lengthscale),
        Independent(),
        Matern(3.5, lengthscale),
        Matern(5.5, lengthscale),
    ][seed % 7]
    n = int(rng.integers(1, rounds + 1))
    slow = float(np.round(n * rng.uniform(0.1, 5.0), 2))
    clock: Kernel = [
        Forgetting(float(rng.choice([0.0, 1e-4, 0.02, 0.3]))),
        Matern(0.5, slow),
        Forgetting(0.05),
        SquaredExponential(slow),
        Matern(2.5, slow),
        Matern(1.5, slow),
        Matern(4.5, slow),
        Matern(20.5, slow),
    ][seed // 7 % 8]
    durations = rng.choice(
        [np.ones(n), np.round(rng.exponential(1.0, n), 6), rng.choice([0.0, 0.5, 7.25], n)]
    )
    times = EvaluationTimes.from_durations(durations.tolist())
    return Problem(
        times,
        domain=_domain(rng, seed),
        space_kernel=space,
        time_kernel=clock,
        epsilon=clock.epsilon if isinstance(clock, Forgetting) else 0.01,
        noise_variance=float(rng.choice([0.01, 0.04, 0.5])),
        delta=float(rng.choice([0.01, 0.1])),
    )


def _domain(rng: np.random.Generator, seed: int) -> Domain:
    kind = seed % 4
    if kind == 0:
        return Points(np.round(rng.random((int(rng.integers(2, 40)), 3)), 3))
    if kind == 1:
        return Grid(1, 1.0, int(rng.integers(2, 40)))
    if kind == 2:
        return Grid(2, (1.0, 2.5), (int(rng.integers(2, 9)), int(rng.integers(1, 9))))
    return Grid(2, float(rng.choice([1.0, 0.7])), int(rng.integers(2, 10)))


def evidence(problem: Problem) -> tuple[Mapping[str, Any], JointDual, JointGain]:
    """The parts of a certificate that the checker reads, the dual and the design.

    The numbers that it would state are not in it.
    """
    dual, design = joint_dual(problem), joint_gain_lower(problem)
    noisier = 3.0 * problem.noise_variance
    inflated = joint_dual(replace(problem, noise_variance=noisier))
    body = {
        "problem": {**problem_data(problem), "delay": 0},
        "dual": _blocks(dual),
        "inflated": {"noise_variance": noisier, "dual": _blocks(inflated)},
        "design": design.indices.tolist(),
        "longest": float(problem.times.durations.max()),
        "claims": [],
    }
    return body, dual, design


def halves(problem: Problem) -> list[Mapping[str, Any]]:
    """The duals of the first and the second half of the rounds."""
    cuts, found = (0, problem.n // 2, problem.n), []
    for start, end in pairwise(cuts):
        times = EvaluationTimes.from_durations(problem.times.durations[start:end].tolist())
        (half,) = evidence(replace(problem, times=times))[0]["dual"]
        found.append({**half, "start": start, "end": end})
    return found
