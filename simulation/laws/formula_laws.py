"""A bound is what its formula says: every term added up a second time, pair by pair.

Bounds are loose, so that one with a lost factor may still lie above every run. These laws compare
it with its formula at the partition that it states, from exact lags.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import isfinite, log, log1p, pi, sqrt

import numpy as np

from bounds.arrays import FloatArray
from bounds.gain.report import BoundReport
from bounds.kernels import Kernel
from simulation.after_run.simulated import simulation_certificate
from simulation.laws.inequality import Inequality
from simulation.laws.posterior import exact_lags
from simulation.study.study import StudySpec

_RELATIVE = 1e-8


def formula_laws(report: BoundReport, gamma: FloatArray) -> Iterator[Inequality]:
    """Every bound on the gain with a formula, and what each allows for the regret.

    Parameters
    ----------
    report : in floating point
    gamma : (n+1,) the upper bounds on γ_m that it was made from
    """
    problem = report.problem
    n, noise = problem.n, problem.noise_variance
    expected = {"trivial": 0.5 * n * log1p(1.0 / noise)}
    lags, slope = exact_lags(problem.times.durations), problem.time_kernel.slope
    if isfinite(slope):
        drift = 2.0 * gamma[n] * n * slope * float(lags[0, -1]) / noise
        expected["any_pattern"] = float(gamma[n]) + sqrt(drift)
    for name, rate in (("theorem1", problem.epsilon), ("additive", slope)):
        if name in report.partitions and isfinite(rate):
            blocks = report.partitions[name].partition.cuts
            expected[name] = _spread_out(name, lags, blocks, rate, noise, gamma)
    for name, value in expected.items():
        if name in report.gains:
            # What is above the trivial cap gives way to it.
            capped = min(value, expected["trivial"])
            yield _is(f"{name} is its formula", report.gains[name].value, capped)
    refined = report.gains.get("refined")
    if refined is not None and refined.partition is not None:
        value = _centred(lags, refined.partition.partition.cuts, problem.time_kernel, noise, gamma)
        value = min(value, expected["trivial"])
        allowed = _RELATIVE * value
        # With real centres it may be less, unless the best ones are rounds.
        yield Inequality("refined <= its formula at rounds", refined.value, value, allowed)
        if problem.time_kernel.completely_monotone:
            yield Inequality("its formula at rounds <= refined", value, refined.value, allowed)
    beta = 2.0 * log(problem.domain.size * pi * pi * n * n / (6.0 * problem.delta))
    for name, value in report.regret.items():
        gain = report.best if name == "best" else report.gains[name].value
        if isfinite(gain):
            formula = sqrt(8.0 / log1p(1.0 / noise) * beta * n * gain)
            yield _is(f"regret by {name} is its formula", value, formula)


def order_statistic(case: StudySpec) -> None:
    """The simulation certificate is the order statistic that its level asks for, and no larger."""
    delta, runs = max(case.problem.delta, 0.1), 11
    certificate = simulation_certificate(
        case, case.policies[0], runs=runs, delta=delta, seed=case.seed
    )
    wanted = (1.0 - delta) * (runs + 1) - 1e-9
    at_most, below = (
        int(np.sum(compare(certificate.regrets, certificate.value)))
        for compare in (np.less_equal, np.less)
    )
    assert at_most >= wanted, f"{at_most} of {runs} runs are at most the certificate: {wanted:g}"
    assert below < wanted, f"{below} of {runs} runs are below the certificate: {wanted:g}"


def _is(name: str, value: float, formula: float) -> Inequality:
    return Inequality(name, abs(value - formula), _RELATIVE * abs(formula) + 1e-12)


def _spread_out(
    name: str,
    lags: FloatArray,
    cuts: tuple[int, ...],
    rate: float,
    noise_variance: float,
    gamma: FloatArray,
) -> float:
    """Theorem 1 or its additive form: C pair by pair."""
    lengths = [end - start for start, end in pairwise(cuts)]
    total = sum(float(gamma[length]) for length in lengths)
    if name == "theorem1":
        total = len(lengths) * float(gamma[max(lengths)])
    for (start, end), length in zip(pairwise(cuts), lengths, strict=True):
        pairs = np.minimum((rate * lags[start:end, start:end]) ** 2, 1.0)
        x = sqrt(float(pairs.sum()) / length) / noise_variance
        bent = x if x <= 1.0 else log(x) + 1.0 / x
        total += 0.5 * length * (bent if name == "theorem1" else log1p(x))
    return total


def _centred(
    lags: FloatArray,
    cuts: tuple[int, ...],
    time_kernel: Kernel,
    noise_variance: float,
    gamma: FloatArray,
) -> float:
    """Theorem A with each block drawn to the best of its own rounds."""
    left = 0.5 * np.log1p(time_kernel.deficit(lags) / noise_variance)
    drift = sum(float(left[a:b, a:b].sum(axis=0).min()) for a, b in pairwise(cuts))
    return drift + sum(float(gamma[b - a]) for a, b in pairwise(cuts))
