"""β of every setting with its constants enclosed: finite domain, box, and times t(x).

The choices that are free (cells and κ of docs/theory.md#tails, the fixed point of Theorem C) come
from floating point; what is claimed of them is computed again in balls and rounded upward.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from bounds import enclosure, formulas
from bounds.arithmetic import BALLS
from bounds.confidence.point_times import CONSTANT_FACTOR, REGRET_PER_DEVIATION, point_times_beta
from bounds.confidence.smoothness import TailConstants, slope_constants
from bounds.enclosure import Number, Upper, matrices
from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import Kernel
from bounds.problem import Problem


@dataclass(frozen=True)
class BoxConfidence:
    """The β_n of Theorem 1 on the box [0, r]^d.

    Attributes
    ----------
    a, b : P(sup_x |∂f/∂x_j| > L) ≤ a e^{−L²/b²}, rounded upward
    cells_per_axis, inflation : the choices q and κ behind them
    beta : 2 log(2π²n²/(3δ)) + 2d log(d n² b r √log(2π²n² a d/(3δ))), rounded upward
    trivial_regret : 2√β_n·n + π²/6, for CTV-fixed and fixed times
    """

    a: Upper
    b: Upper
    cells_per_axis: int
    inflation: float
    beta: Upper
    trivial_regret: Upper


@dataclass(frozen=True)
class PointTimesConfidence:
    """Theorem C: times t(x) ≤ `longest` that depend on the chosen point, on the finite domain.

    Attributes
    ----------
    beta : the β_n of its event, rounded upward
    per_deviation : r_n ≤ this · √β_n σ_{n−1}(x_n, τ_n)
    constant_factor : by which C₁ grows
    longest : t_max, of the durations given
    trivial_regret : per_deviation·√β_n·n
    regret : at most that; less where what a gain allows the deviations is known
    """

    beta: Upper
    per_deviation: float
    constant_factor: float
    longest: float
    trivial_regret: Upper
    regret: Upper


@dataclass(frozen=True)
class Confidence:
    """β_n of the finite domain, and of the two other settings where they are known.

    `box` is None for kernels without constants, `point_times` for time kernels that are not
    Markov; `reasons` says why. All numbers are certified.
    """

    finite_domain: Upper
    box: BoxConfidence | None
    point_times: PointTimesConfidence | None
    reasons: dict[str, str]


def certified_confidence(problem: Problem) -> Confidence:
    """Every β of a problem, enclosed and rounded upward. Cost: some milliseconds.

    >>> from bounds.times import EvaluationTimes
    >>> confidence = certified_confidence(Problem(EvaluationTimes.from_durations([1.0] * 10)))
    >>> confidence.finite_domain < confidence.point_times.beta < confidence.box.beta
    True
    """
    reasons: dict[str, str] = {}
    box, moving = None, None
    with enclosure.precision(matrices.WORKING_BITS):
        try:
            box = box_confidence(problem)
        except InvalidInput as refused:
            reasons["box"] = str(refused)
        if not problem.time_kernel.is_markov:
            reasons["point_times"] = "Theorem C is for Markov time kernels"
        elif problem.time_kernel.enclosed_slope() is None:
            reasons["point_times"] = "no enclosure of the slope of this time kernel is known"
        else:
            moving = point_times_confidence(problem)
        return Confidence(matrices.upward(enclosed_beta(problem)), box, moving, reasons)


def box_confidence(problem: Problem) -> BoxConfidence:
    """a, b and β_n on the box, with q and κ such that β_n is smallest among those tried.

    Raises InvalidInput for kernels whose constants are not known.
    """
    n, d, side = problem.n, problem.domain.dimension, problem.domain.box_side()
    delta = BALLS.number(problem.delta)
    weight = formulas.box_weight(BALLS, n, delta)
    chosen = slope_constants(problem.space_kernel, d, side, weight=matrices.upward(weight * d))
    a, b = tail_constants(problem.space_kernel, d, side, chosen)
    tail, scale, r = (BALLS.number(x) for x in (a, b, side))
    beta = matrices.upward(
        formulas.box_beta(BALLS, n, dimension=d, side=r, tail=tail, scale=scale, delta=delta)
    )
    regret = 2 * BALLS.sqrt(BALLS.number(beta)) * n + BALLS.pi**2 / 6
    return BoxConfidence(
        a, b, chosen.cells_per_axis, chosen.inflation, beta, matrices.upward(regret)
    )


def tail_constants(
    kernel: Kernel, dimension: int, side: float, chosen: TailConstants
) -> tuple[Upper, Upper]:
    """a = 2q^d e^{m²/(2v(κ−1))} and b = √(2κv) for the q and κ of `chosen`, rounded upward."""
    q, kappa = chosen.cells_per_axis, Fraction(chosen.inflation)
    h = Fraction(side) / q
    variance = enclosure.ball(kernel.enclosed_derivative_variance())
    mean = kernel.enclosed_derivative_rise(dimension, h)
    exponent = enclosure.divide(mean * mean, 2 * enclosure.exact(kappa - 1) * variance)
    a = 2 * q**dimension * enclosure.exp(exponent)
    b = enclosure.sqrt(2 * enclosure.exact(kappa) * variance)
    return matrices.upward(enclosure.ball(a)), matrices.upward(enclosure.ball(b))


def point_times_confidence(problem: Problem) -> PointTimesConfidence:
    """The β_n of Theorem C for the longest of the problem's durations, its conditions verified.

    β ≥ 2 log(2|D|π_n/δ) and β ≥ 2 log(4e|D|π_n·max(1, ⌈λT_nβ⌉)/δ), T_n = n·t_max; a number that
    does not certainly satisfy them is raised, at most by a relative 1e-9.
    """
    n, longest = problem.n, float(problem.times.durations.max())
    slope, size = problem.time_kernel.slope, problem.domain.size
    beta = float(point_times_beta(n, size, problem.delta, slope=slope, longest=longest))
    for _ in range(40):
        if _holds(problem, beta, longest):
            break
        beta *= 1.0 + 1e-11
    else:
        raise NumericalFailure("beta of Theorem C: its conditions could not be verified")
    # r_n ≤ c√β σ with σ ≤ 1 in every round.
    constant = enclosure.exact_double(REGRET_PER_DEVIATION)
    regret = constant * enclosure.sqrt(enclosure.exact_double(beta)) * n
    trivial = matrices.upward(enclosure.ball(regret))
    return PointTimesConfidence(
        Upper(beta), REGRET_PER_DEVIATION, CONSTANT_FACTOR, longest, trivial, trivial
    )


def _holds(problem: Problem, beta: float, longest: float) -> bool:
    rate = problem.time_kernel.enclosed_slope()
    assert rate is not None
    n = problem.n
    exact_beta = enclosure.exact_double(beta)
    weight = enclosed_beta(problem)  # 2 log(|D|π_n/δ)
    reach = enclosure.ball(rate * exact_beta * enclosure.exact_double(longest) * n)
    # Of the upper end: an enclosure of a large number may span integers.
    windows = max(1, ceil(enclosure.endpoints(reach)[1]))
    first = weight + 2 * enclosure.log(2)
    second = weight + 2 * (enclosure.log(4) + 1) + 2 * enclosure.log(enclosure.ball(windows))
    return bool(
        enclosure.certainly_le(first, exact_beta) and enclosure.certainly_le(second, exact_beta)
    )


def enclosed_beta(problem: Problem) -> Number:
    """2 log(|D|π²n²/(6δ)) enclosed."""
    delta = BALLS.number(problem.delta)
    return formulas.finite_domain_beta(BALLS, problem.n, problem.domain.size, delta)
