"""The confidence event of a run, and the chain of regret bounds that it implies, rung by rung.

Fixed times: on |f(x,τ_i) − μ_{i−1}(x,τ_i)| ≤ √β_i σ_{i−1}(x,τ_i) for all x and i, UCB with the
weight √β_i has r_i ≤ 2√β_i σ_{i−1}(x_i,τ_i). Times t(x) (docs/theory.md#theorem-c): on that event
and |f(x,τ_i)| ≤ √β_i, with the β_i of Theorem C, r_i ≤ 3.067√β_i σ_{i−1}(x_i,τ_i).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import ceil, e, log, log1p, pi, sqrt

import numpy as np

from bounds.arrays import FloatArray
from bounds.confidence.point_times import CONSTANT_FACTOR, REGRET_PER_DEVIATION
from bounds.gain.report import BoundReport
from bounds.regret.regret_bound import RegretBound
from simulation.laws.case import Played
from simulation.laws.inequality import Inequality
from simulation.laws.posterior import Looks, padded
from simulation.policies.registry import policy_named
from simulation.world import evaluation_time

_ON_THE_EVENT = ("cap", "envelope", "cauchy_schwarz")
"""Rows for a covered policy that rest on the confidence event alone."""


def betas(played: Played) -> FloatArray:
    """(n,) β_1 … β_n of the setting, as the project computes them."""
    numbers = np.arange(1, played.run.n + 1)
    return evaluation_time.betas(played.problem, played.evaluation_time, numbers)


def beta_laws(played: Played) -> Iterator[Inequality]:
    """β_i satisfies the conditions under which the union bound over points and rounds sums to δ.

    Below and above: a β that is too small proves nothing, one too large is not the formula's.
    """
    problem = played.problem
    size, delta = problem.domain.size, problem.delta
    for i, beta in enumerate(betas(played).tolist(), start=1):
        share = size * pi * pi * i * i / (6.0 * delta)
        if played.fixed:
            yield Inequality("2 log(|D| pi_i/delta) <= beta_i", 2.0 * log(share), beta)
            yield Inequality("beta_i <= 2 log(|D| pi_i/delta)", beta, 2.0 * log(share))
            continue
        longest = float(np.max(played.evaluation_time.durations))
        windows = max(1, ceil(problem.time_kernel.slope * longest * i * beta))
        needed = max(2.0 * log(2.0 * share), 2.0 * log(4.0 * e * share * windows))
        yield Inequality("the conditions of Theorem C <= beta_i", needed, beta)


def event_holds(played: Played) -> bool:
    """Whether f was within the confidence intervals of the true model at every point and round.

    For t(x) also whether |f| ≤ √β_i at the instants of the run: what Theorem C uses of its event.
    """
    run, problem = played.run, played.problem
    looks = Looks(
        problem.space_kernel,
        problem.time_kernel,
        problem.noise_variance,
        problem.domain.points,
        run.points,
        run.durations,
        run.observations,
    )
    for i, beta in enumerate(betas(played).tolist()):
        mean, variance = looks.after(i, float(run.durations[i]))
        root = sqrt(beta)
        if np.any(np.abs(played.objective[i] - mean) > root * padded(variance)):
            return False
        if not played.fixed and np.any(np.abs(played.objective[i]) > root):
            return False
    return True


def is_covered(played: Played) -> bool:
    """Whether a theorem covers the run: its policy, UCB, √β_i, the true model."""
    return (
        bool(policy_named(played.run.policy).covered_by)
        and played.spec.acquisition == "ucb"
        and played.spec.exploration == "theory"
        and played.true_model
        and not played.readings.time_noise_variance
    )


def regret_laws(
    played: Played, plain: BoundReport, rows: tuple[RegretBound, ...] = ()
) -> Iterator[Inequality]:
    """The chain from regret to the bounds; for a covered policy on its confidence event alone.

    Parameters
    ----------
    played : a run for which `is_covered` and `event_holds`
    plain : upper bounds on the gain at the run's times
    rows : bounds on regret itself, for fixed times
    """
    run, beta = played.run, betas(played)
    own = slice(run.initial, None)
    m = run.n - run.initial
    if m == 0:
        return
    setting = "" if played.fixed else "t(x): "
    factor = 2.0 if played.fixed else REGRET_PER_DEVIATION
    constant = 8.0 / log1p(1.0 / run.noise_variance) * (1.0 if played.fixed else CONSTANT_FACTOR)
    sigma = padded(run.deviations**2)
    for r, b, s in zip(run.regrets[own], beta[own], sigma[own], strict=True):
        name = f"{setting}regret of a round <= {factor:g} sqrt(beta_i) sigma_i"
        yield Inequality(name, float(r), factor * sqrt(b) * float(s))
    regret, last = float(run.regrets[own].sum()), float(beta[-1])
    deviations = float(np.sum(np.sqrt(beta[own]) * sigma[own]))
    square = float(np.sum(sigma[own] ** 2))
    gains = 0.5 * np.log1p(sigma**2 / run.noise_variance)
    rungs = [
        ("regret", regret),
        (f"{factor:g} sum sqrt(beta_i) sigma_i", factor * deviations),
        (f"{factor:g} sqrt(beta_n) sum sigma_i", factor * sqrt(last) * float(sigma[own].sum())),
        ("Cauchy-Schwarz", factor * sqrt(last * m * square)),
        ("its own gain", sqrt(constant * last * m * float(gains[own].sum()))),
        ("the gain of all rounds", sqrt(constant * last * m * float(gains.sum()))),
    ]
    for (low, lesser), (high, greater) in pairwise(rungs):
        yield Inequality(f"{setting}{low} <= {high}", lesser, greater)
    rounding = 1e-12 * run.n * (1.0 + 1.0 / run.noise_variance)
    for name, bound in plain.gains.items():
        if bound.valid:
            value = sqrt(constant * last * m * (bound.value + rounding))
            yield Inequality(f"{setting}the gain of all rounds <= {name}", rungs[-1][1], value)
    if run.initial or not played.fixed:
        return
    for name, value in plain.regret.items():
        if name == "best" or plain.gains[name].valid:
            yield Inequality(f"regret <= regret by {name}", regret, value)
    for row in rows:
        if row.policy == run.policy and row.name in _ON_THE_EVENT:
            yield Inequality(f"regret <= {row.name}", regret, row.value)
