"""Theorem F: what no policy can beat, the regret of a player who sees every point every round.

For evaluation times fixed beforehand, a finite domain with k_space(x,x) ≤ 1 and any policy,

    E r_i ≥ (1 − √(1−p_i))·m*,    p_i = Var(g(τ_i) | g(τ_j) + ν_j for the rounds j known),

g ~ GP(0, k_time), ν_j independent of variance σ². The proof lets the player see the whole picture
f(·,τ_j) with an error of the law GP(0, σ² k_space) in space; the bandit's own observations are a
function of it. See docs/theory.md#theorem-f.

p_i for Markov kernels: p_1 = 1 and p_{i+1} = 1 − a²(1 − q_i) with q = p σ²/(p+σ²) and
a = k_time(t_{i+1}); increasing in p and decreasing in a², so that rounding 1 − a² and every step
down rounds every p_i down. For other kernels 1 − p_i = jᵀA⁻¹j with A = J + σ²I, and for any c and
r = j − Ac

    p_i ≥ 1 − jᵀc − cᵀr − |r|²/σ²,

which intervals decide whatever c rounding has left. Also p_i ≥ σ²/(σ²+k) for k known rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import fsum

import numpy as np
from scipy import linalg

from bounds import enclosure
from bounds.arrays import BoolArray, FloatArray
from bounds.enclosure import Lower, LowerArray, matrices
from bounds.enclosure.doubles import Doubles
from bounds.errors import InvalidInput, NoEnclosure, NumericalFailure
from bounds.kernels import Kernel
from bounds.times import EvaluationTimes

LARGEST_DENSE = 4_000
"""Rounds that a time kernel which is not Markov may have: O(n³) time, O(n²) memory."""

_MOST_NODES = 4_096
_MOST_LAGS = 200_000
_DOWN = 1.0 - 2.0**-49
"""Below the product of the (1 ± 2⁻⁵³) of some ten operations on positive numbers."""


@dataclass(frozen=True, eq=False)
class VarianceLeft:
    """p_i, the share of Var g(τ_i) that noisy looks at one point leave.

    Attributes
    ----------
    shares : (n,) in [0, 1], rounded down, a `LowerArray` where certified
    noise_variance : σ² of the looks, taken as the exact number that it is
    delay : rounds whose results are late
    certified : whether everything was rounded outward
    weights : (n, n) the c of each round, row by row; None for Markov kernels
    """

    shares: LowerArray | FloatArray
    noise_variance: float
    delay: int
    certified: bool
    weights: FloatArray | None = None

    @property
    def n(self) -> int:
        """Rounds."""
        return len(self.shares)

    def losses(self) -> LowerArray | FloatArray:
        """(n,) 1 − √(1−p_i), without cancellation, rounded down."""
        lost = np.asarray(self.shares / (1.0 + np.sqrt(1.0 - self.shares)) * _DOWN)
        return LowerArray.of(lost) if self.certified else lost

    def total(self) -> float:
        """Σ(1 − √(1−p_i)), rounded down: a `Lower` where everything is certified."""
        total = fsum(self.losses().tolist()) * _DOWN
        return Lower(total) if self.certified else total


def variance_left(
    times: EvaluationTimes, kernel: Kernel, noise_variance: float, *, delay: int = 0
) -> VarianceLeft:
    """p_1..p_n for observations of variance `noise_variance` ≥ 0 at one point.

    Parameters
    ----------
    times : EvaluationTimes
    kernel : unit-variance time kernel, any sign
    noise_variance : σ²; 0 for the share that is left of f seen without noise
    delay : results of the last `delay` rounds are not known when a point is chosen: d late
        results, or d + 1 workers

    Cost: O(n) for Markov kernels, 10⁶ rounds in about a second; otherwise O(n³), at most 4,000
    rounds, certified where the rounds have at most 200,000 distinct lags.

    >>> from bounds.kernels import Matern
    >>> left = variance_left(EvaluationTimes.from_durations([1.0, 0.0, 0.0]), Matern(0.5, 1.0), 0.5)
    >>> left.shares.round(9), left.certified
    (array([1.        , 0.33333333, 0.2       ]), True)
    """
    if delay < 0:
        raise InvalidInput("delay", delay, "give a whole number of at least 0")
    if not 0.0 <= noise_variance < float("inf"):
        raise InvalidInput("noise-variance", noise_variance, "give a number of at least 0")
    if kernel.is_markov:
        return _markov(times, kernel, noise_variance, delay)
    return _dense(times, kernel, noise_variance, delay)


def determinant_floor(left: VarianceLeft) -> float:
    """n·(1 − √(1 − σ²(e^{2g/n} − 1))) ≤ Σ(1 − √(1−p_i)), g = ½ Σ log(1 + p_i/σ²).

    g is the information gain of n looks at one point (with no delay): the same floor from one
    number. In floating point, the share rounded down.
    """
    if left.noise_variance == 0.0:
        return left.total()
    twice_gain = float(np.mean(np.log1p(left.shares / left.noise_variance)))
    # Rounded down: near 1 the root below turns a rounding of the share into its own root.
    margin = 8.0 * float(np.finfo(float).eps) * (1.0 + twice_gain)
    share = min(left.noise_variance * float(np.expm1(twice_gain)), 1.0) * max(0.0, 1.0 - margin)
    return left.n * share / (1.0 + float(np.sqrt(1.0 - share)))


def _markov(
    times: EvaluationTimes, kernel: Kernel, noise_variance: float, delay: int
) -> VarianceLeft:
    lost, certified = _deficits_below(kernel, times.durations)
    nu = noise_variance
    if nu == 0.0 and delay == 0:  # all but the last gap is known without noise
        return VarianceLeft(
            _clipped(np.concatenate([[1.0], lost[1:]]), certified), nu, 0, certified
        )
    known, shares = [], [1.0]
    p = 1.0
    for gone in lost[1:].tolist():
        # p ν/(p+ν): as p/(1+p/ν) it would overflow for ν near 0.
        q = p * (nu / (p + nu)) if p > 0.0 else 0.0
        known.append(q)
        p = (gone + (1.0 - gone) * q) * _DOWN
        shares.append(p)
    if delay == 0:
        return VarianceLeft(_clipped(np.array(shares), certified), nu, 0, certified)
    late = np.ones(times.n)
    if times.n > delay + 1:
        waits = (
            np.array([fsum(times.durations[i - delay : i + 1]) for i in range(delay + 1, times.n)])
            * _DOWN
        )
        lost, sure = _deficits_below(kernel, waits)
        certified = certified and sure
        remembered = np.array(known[: times.n - delay - 1])
        late[delay + 1 :] = (lost + (1.0 - lost) * remembered) * _DOWN
    return VarianceLeft(_clipped(late, certified), nu, delay, certified)


def _deficits_below(kernel: Kernel, durations: FloatArray) -> tuple[FloatArray, bool]:
    """(n,) 1 − k(t)² rounded down, and whether by enclosures.

    It grows with t: beyond 4,096 different durations each is rounded down to one of so many.
    """
    distinct, place = np.unique(durations, return_inverse=True)
    nodes = distinct
    if len(distinct) > _MOST_NODES:
        positive = distinct[distinct > 0]
        width = max(np.log(positive[-1] / positive[0]), 1e-9) / (_MOST_NODES - 2)
        cells = np.floor(np.log(positive / positive[0]) / width)
        firsts = np.concatenate([[True], np.diff(cells) > 0])
        lowest = np.maximum.accumulate(np.where(firsts, positive, 0.0))
        nodes = np.concatenate([distinct[distinct <= 0], lowest])
    used, back = np.unique(nodes, return_inverse=True)
    try:
        with enclosure.precision(matrices.WORKING_BITS):
            below = np.array(
                [
                    matrices.downward(enclosure.ball(kernel.enclosed_deficit(Fraction(t))))
                    for t in used.tolist()
                ]
            )
        certified = True
    except NoEnclosure:
        below, certified = np.asarray(kernel.deficit(used)) * (1.0 - 1e-14), False
    return np.clip(below, 0.0, 1.0)[back][place], certified


def _dense(
    times: EvaluationTimes, kernel: Kernel, noise_variance: float, delay: int
) -> VarianceLeft:
    if times.n > LARGEST_DENSE:
        raise InvalidInput("n", times.n, f"give at most {LARGEST_DENSE} with this time kernel")
    n = times.n
    gram, certified = _time_gram(times, kernel)
    rounds = np.arange(n)
    known = rounds[None, :] < (rounds[:, None] - delay)
    # Repeated looks: J ⪰ jjᵀ leaves at least ν/(ν+|j|²).
    shares = np.ones(n)
    counts = np.maximum(rounds - delay, 0)
    if noise_variance > 0.0:
        shares = noise_variance / (noise_variance + counts) * _DOWN
    else:
        shares[counts > 0] = 0.0
    weights = _predictors(gram.mid, noise_variance, delay)
    if noise_variance == 0.0:
        # No certificate without noise: r is weighed by 1/σ².
        explained = np.einsum("ij,ij->i", weights, np.where(known, gram.mid, 0.0))
        shares = np.maximum(shares, 1.0 - explained - 1e-9)
        return VarianceLeft(_clipped(shares, False), noise_variance, delay, False, weights)
    explained_above = _explained_above(gram, weights, known, noise_variance)
    shares = np.maximum(shares, (1.0 - explained_above) - 2.0**-52)
    return VarianceLeft(_clipped(shares, certified), noise_variance, delay, certified, weights)


def _predictors(gram: FloatArray, noise_variance: float, delay: int) -> FloatArray:
    """(n, n) rows c = (J+σ²I)⁻¹j of the rounds known, nearly: any c gives a bound."""
    n = len(gram)
    noisy = gram.copy()
    # A little more noise where there is next to none, so that the factor exists.
    noisy[np.diag_indices(n)] += max(noise_variance, 1e-12 * n)
    factor = linalg.cholesky(noisy, lower=True)
    weights = np.zeros((n, n))
    if delay == 0:
        inverse = linalg.solve_triangular(factor, np.eye(n), lower=True)
        weights = -np.diagonal(factor)[:, None] * np.tril(inverse, -1)
        return np.asarray(weights)
    for i in range(delay + 1, n):
        end = i - delay
        weights[i, :end] = linalg.cho_solve((factor[:end, :end], True), gram[i, :end])
    return weights


def _explained_above(
    gram: Doubles, weights: FloatArray, known: BoolArray, noise_variance: float
) -> FloatArray:
    """(n,) jᵀc + cᵀr + |r|²/σ², rounded up."""
    n = len(weights)
    exact = Doubles.exact(weights)
    covariances = _only(known, gram)
    noisy = Doubles(gram.mid.copy(), gram.rad.copy())
    diagonal = Doubles.exact(np.diagonal(gram.mid)) + Doubles.exact(np.full(n, noise_variance))
    noisy.mid[np.diag_indices(n)] = diagonal.mid
    noisy.rad[np.diag_indices(n)] += diagonal.rad
    residual = _only(known, covariances - exact @ noisy)
    linear = ((covariances + residual) * exact).sum(axis=1)
    square = residual.squares().sum(axis=1)
    if not (linear.sane() and square.sane()):
        raise NumericalFailure("an enclosure became infinite: use a smaller problem")
    # Division by σ² of a non-negative upper bound.
    return np.asarray(
        (linear.upper() + square.upper() / noise_variance * (1.0 + 2.0**-50)) + 2.0**-52
    )


def _only(known: BoolArray, values: Doubles) -> Doubles:
    """The values where they are known, and 0 elsewhere."""
    return Doubles(np.where(known, values.mid, 0.0), np.where(known, values.rad, 0.0))


def _time_gram(times: EvaluationTimes, kernel: Kernel) -> tuple[Doubles, bool]:
    """J (n, n) with radii; without an enclosure, or with too many lags, radii of 1e-14."""
    every = slice(None)
    lags = times.distances(every, every)
    distinct, place = np.unique(lags, return_inverse=True)
    place = place.reshape(lags.shape)
    if len(distinct) <= _MOST_LAGS:
        try:
            balls = _enclosed_values(kernel, distinct)
        except NoEnclosure:
            balls = None
        if balls is not None:
            return balls[place], True
    values = np.asarray(kernel.at_distance(distinct), dtype=float)[place]
    return Doubles(values, np.full_like(values, 1e-14)), False


def _enclosed_values(kernel: Kernel, distances: FloatArray) -> Doubles:
    """k at distances that are themselves rounded to within 2⁻⁵¹ of their size."""
    near = 2.0**-51
    balls = np.empty(len(distances), dtype=object)
    with enclosure.precision(matrices.WORKING_BITS):
        for i, distance in enumerate(distances.tolist()):
            exact = Fraction(distance)
            ends = exact * (1 - Fraction(near)), exact * (1 + Fraction(near))
            ball = enclosure.interval(*ends) if distance else 0
            balls[i] = enclosure.ball(kernel.enclosed_at_distance(ball))
    return Doubles.of_balls(balls)


def _clipped(shares: FloatArray, certified: bool) -> LowerArray | FloatArray:
    inside = np.clip(shares, 0.0, 1.0)
    return LowerArray.of(inside) if certified else inside
