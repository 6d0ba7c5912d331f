"""A report of bounds with every number that can be enclosed rounded outward."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf, isfinite

from bounds import enclosure
from bounds.arrays import Stage, unstaged
from bounds.drifting_gain.certified import (
    certified_design_gain,
    certified_dual,
    time_columns,
)
from bounds.drifting_gain.knots import KnotBound
from bounds.drifting_gain.lower_bound import JointGain
from bounds.enclosure import Number, matrices
from bounds.kernels import enclosure as kernel_enclosure
from bounds.partitions.certified import certified_value
from bounds.problem import Problem
from bounds.promises.report import BoundReport, GainBound, in_order
from bounds.static_gain.certified import MOST_POINTS, cap_rate
from bounds.static_gain.upper_curve import GainCurve


def certified_report(
    report: BoundReport,
    curve: GainCurve,
    design: JointGain,
    advance: Stage = unstaged,
) -> BoundReport:
    """The same bounds at the same partitions, knots and dual, enclosed and rounded outward.

    Parameters
    ----------
    report : from `bound_report` with the values of `curve`
    curve : certified upper bounds on γ_0..γ_n
    design : the lower side; certified where its points are known and at most 1,200

    A bound one of whose ingredients has no enclosure keeps its floating point value and
    `certified` false. The price of it all is that of `certified_dual` and O(n) numbers.
    """
    problem = report.problem
    dual = report.dual
    if dual is not None:
        dual = certified_dual(problem, dual, lambda share: advance("certify the dual", share))
    found: dict[str, float | None] = dict.fromkeys(report.gains)
    lower, lower_certified = report.lower, False
    if design.indices is not None and len(design.indices) <= MOST_POINTS:
        advance("certify the lower side", 0.0)
        lower, lower_certified = certified_design_gain(problem, design.indices), True
    with enclosure.precision(matrices.WORKING_BITS):
        found["trivial"] = matrices.upward(problem.n * cap_rate(problem.noise_variance))
        gamma_n = float(curve.values[problem.n])
        found["any_pattern"] = _any_pattern(problem, gamma_n)
        for done, (name, result) in enumerate(report.partitions.items()):
            advance("certify the partitions", done / len(report.partitions))
            found[name] = certified_value(problem, curve.values, result)
        if report.knots is not None:
            found["knots"] = _knots(problem, report.knots, gamma_n)
        if dual is not None:
            found["joint_dual"] = dual.value
        if not _theorem1_certain(problem):
            found["theorem1"] = None
        gains = {
            name: _with_value(bound, found[name], certified=curve.certified)
            for name, bound in report.gains.items()
        }
        gains = in_order(problem, gains, lower)
        beta = matrices.upward(finite_domain_beta(problem))
        regret = {
            name: matrices.upward(regret_from_gain(problem, beta, bound.value))
            if isfinite(bound.value)
            else inf
            for name, bound in gains.items()
        }
    certified = BoundReport(
        problem, lower, gains, report.partitions, beta, regret, report.knots,
        dual, lower_certified,
    )  # fmt: skip
    regret["best"] = regret[certified.best_name]
    return certified


def finite_domain_beta(problem: Problem) -> Number:
    """2 log(|D|π²n²/(6δ)) enclosed."""
    weight = Fraction(problem.domain.size * problem.n**2, 6) / Fraction(problem.delta)
    pi = enclosure.pi()
    return 2 * enclosure.log(enclosure.exact(weight) * pi * pi)


def regret_from_gain(problem: Problem, beta: float, gain: float) -> Number:
    """√(C₁β_n n·gain) with C₁ = 8/log(1+1/σ²), enclosed."""
    constant = 4 / cap_rate(problem.noise_variance)
    factor = enclosure.exact(Fraction(beta) * Fraction(gain) * problem.n)
    return enclosure.sqrt(constant * factor)


def _with_value(bound: GainBound, value: float | None, *, certified: bool) -> GainBound:
    # Numbers beyond all doubles, as at enormous times, are not certified.
    if value is None or not isfinite(value):
        return bound
    return replace(bound, value=value, certified=certified)


def _any_pattern(problem: Problem, gamma_n: float) -> float | None:
    """γ_n + √(2sγ_n nθT)."""
    theta = kernel_enclosure.slope(problem.time_kernel)
    if theta is None:
        return None
    exact = problem.times.exact
    span = (exact.ticks[-1] - exact.ticks[0]) * exact.unit
    gamma, ratio = Fraction(gamma_n), 1 / Fraction(problem.noise_variance)
    factor = enclosure.exact(2 * ratio * gamma * problem.n * span)
    return matrices.upward(enclosure.exact(gamma) + enclosure.sqrt(factor * theta))


def _knots(problem: Problem, bound: KnotBound, gamma_n: float) -> float:
    """|S|γ_n + ½ Σ log(1 + s·(1 − 2aᵀc + aᵀJ_SS a)) with the weights a taken as exact."""
    weights = matrices.ball_matrix(bound.weights)
    cross = time_columns(problem.time_kernel, problem.times.exact, bound.rounds)
    explained = matrices.entries(weights * matrices.ball_matrix(cross[bound.rounds]))
    a = matrices.exact_entries(bound.weights)
    variance = (a * (explained - 2 * cross)).sum(axis=1) + 1
    ratio = enclosure.ball(enclosure.exact(1 / Fraction(problem.noise_variance)))
    drift = sum(((1 + ratio * v).log() for v in variance), enclosure.ball(0)) / 2
    price = enclosure.exact(len(bound.rounds) * Fraction(gamma_n))
    return matrices.upward(price + drift)


def _theorem1_certain(problem: Problem) -> bool:
    """Whether θ ≤ ε for certain, so that 1 − k_time ≤ ε|·| holds for all times."""
    theta = kernel_enclosure.slope(problem.time_kernel)
    epsilon = enclosure.exact_double(problem.epsilon)
    return theta is not None and enclosure.certainly_le(theta, epsilon) is True
