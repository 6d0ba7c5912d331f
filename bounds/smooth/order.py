"""Ψ, the order of the least regret of a smooth kernel for any sequence of evaluation times.

With d_i = 1 − k_time(τ_{i−1}, τ_i)² and V(j, k) = 1 − Π_{j<l≤k} (1 − d_l), the share of the
variance that the times from round j to round k renew,

    Ψ = min over partitions of Σ_B [F(|B|) + Σ_{k in B} V(first round of B, k)].

The price F(L) of a block is min(L, σ√L), or min(L, max(1, σ√L)) for Ψ₁: what it costs to learn a
function near its maximum to within what the block may lose. Ψ ≤ Ψ₁ ≤ max(1, 1/σ)·Ψ. For paths with
two derivatives no policy loses less than a constant times Ψ + Π (Π of Theorem F), and a schedule
loses at most a constant times Ψ₁ where the kernel has finite rank, with powers of log n for the
squared exponential. The constants depend on domain and kernel, and are not computed: Ψ is an order,
no bound. See docs/theory.md#theorem-i3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import fsum, isnan, log, log2, sqrt
from typing import Literal

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.partitions.partition import Partition
from bounds.partitions.result import SearchResult
from bounds.problem import Problem
from bounds.smooth.block_search import WORK_LIMIT, best_blocks, greedy_cuts

Price = Literal["smooth", "smooth-1"]
PRICES: tuple[Price, ...] = ("smooth", "smooth-1")
"""The price of Ψ, and that of Ψ₁, which charges a block at least one round."""

GREEDY_FACTOR = 4.0
"""The value of the greedy blocks is at most so many times Ψ; half their prices never exceed Ψ."""


def price_named(name: str) -> Price:
    """The price of that name; raises InvalidInput for an unknown one."""
    for price in PRICES:
        if price == name:
            return price
    raise InvalidInput("objective", name, f"use {' or '.join(PRICES)}")


def block_prices(n: int, noise_variance: float, price: Price = "smooth") -> FloatArray:
    """(n+1,) F(0), …, F(n): increasing and subadditive.

    >>> block_prices(4, 1.0).round(3).tolist()
    [0.0, 1.0, 1.414, 1.732, 2.0]
    """
    lengths = np.arange(n + 1, dtype=float)
    learnt = np.sqrt(noise_variance * lengths)
    if price_named(price) == "smooth-1":
        learnt[1:] = np.maximum(learnt[1:], 1.0)
    return np.asarray(np.minimum(lengths, learnt))


def renewed(problem: Problem) -> FloatArray:
    """(n,) d_1 … d_n, the share of the variance that the wait before each round renews; d_1 = 0.

    Raises InvalidInput for a time kernel that is not Markov: there V is no product of waits.
    """
    kernel = problem.time_kernel
    if not kernel.is_markov:
        raise InvalidInput(
            "time-kernel", kernel.name, "use forgetting or exponential: Ψ needs a Markov one"
        )
    return step_shares(problem)


def step_shares(problem: Problem) -> FloatArray:
    """(n,) 1 − k_time(τ_{i−1}, τ_i)² of every step, for any time kernel; 0 of the first."""
    shares = np.array(problem.time_kernel.deficit(problem.times.waits), dtype=float)
    shares[0] = 0.0
    return np.asarray(np.clip(shares, 0.0, 1.0))


def block_drift(shares: FloatArray) -> FloatArray:
    """(L,) V(first round, k) over the rounds k of one block, from d of its rounds."""
    within = np.array(shares, dtype=float)
    within[0] = 0.0
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(np.cumsum(np.log1p(-within))))


def order_at(problem: Problem, partition: Partition, price: Price = "smooth") -> SearchResult:
    """Σ_B [F(|B|) + ΣV] at a partition: never below Ψ. O(n).

    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([0.0] * 4), noise_variance=1.0)
    >>> order_at(problem, Partition((0, 4))).value
    2.0
    """
    prices, shares = block_prices(problem.n, problem.noise_variance, price), renewed(problem)
    if partition.n != problem.n:
        raise InvalidInput("partition", list(partition.cuts), f"the last cut must be {problem.n}")
    return _at(partition, prices, shares, price, exact=False, gap=float("nan"))


def least_order(
    problem: Problem,
    price: Price = "smooth",
    *,
    work_limit: int = WORK_LIMIT,
) -> SearchResult:
    """Ψ (or Ψ₁) and the partition that attains it.

    Parameters
    ----------
    problem : of n rounds, with a Markov time kernel; else InvalidInput
    price : `smooth` for Ψ, `smooth-1` for Ψ₁
    work_limit : pairs of a block start and a round to look at before the greedy blocks are taken

    Returns a SearchResult, its `gain` Σ F(|B|) and its `drift` ΣV. `exact` unless the limit was
    met; then the greedy blocks, whose value is at most twice their prices, and these at most 2Ψ.

    By dynamic programming over the last block. F does not fall and the drift is superadditive
    over adjacent blocks, so a block start s with Ψ(s) + drift(s, e) ≥ Ψ(e) is beaten by a start
    at e for every later end: O(n·L), L the starts that are worth keeping.

    >>> from bounds.times import EvaluationTimes
    >>> times = EvaluationTimes.from_durations([1.0, 0.0, 1e9, 0.0, 0.0, 0.0])
    >>> least_order(Problem(times, noise_variance=1.0)).partition.cuts
    (0, 2, 6)
    """
    prices, shares = block_prices(problem.n, problem.noise_variance, price), renewed(problem)
    if not shares.any():  # F is subadditive: nothing is gained by a cut
        return _at(Partition((0, problem.n)), prices, shares, price, exact=True, gap=0.0)
    cuts = best_blocks(prices, shares, work_limit=work_limit)
    if cuts is not None:
        return _at(Partition(cuts), prices, shares, price, exact=True, gap=0.0)
    order = greedy_order(problem, price)
    gap = 1.0 - 0.5 * order.gain / order.value
    return _at(order.partition, prices, shares, price, exact=False, gap=gap)


def greedy_order(problem: Problem, price: Price = "smooth") -> SearchResult:
    """Blocks that go on while Σ V(first, k) ≤ F(|B|): at most four times Ψ, in O(n).

    A block needs the times up to its last round alone, so one rule serves every n. Half of its
    `gain` Σ F(|B|) is a lower bound on Ψ.
    """
    prices, shares = block_prices(problem.n, problem.noise_variance, price), renewed(problem)
    cuts = tuple(int(cut) for cut in greedy_cuts(prices, shares))
    return _at(Partition(cuts), prices, shares, price, exact=False, gap=float("nan"))


def uniform_worst(problem: Problem) -> float:
    """2[(√2σ²D_n)^{1/3} n^{2/3} + min(n, σ√n)], D_n = Σ d_i: never below Ψ.

    Of all sequences with the same total drift, equal steps come nearest to it.
    """
    noise, n = problem.noise_variance, problem.n
    total = fsum(renewed(problem).tolist())
    moved = float(np.cbrt(sqrt(2.0) * noise * total * n * n))
    return 2.0 * (moved + min(float(n), sqrt(noise * n)))


@dataclass(frozen=True, eq=False)
class SmoothOrder:
    """Ψ for one problem, its blocks, and what each wait costs.

    Attributes
    ----------
    best, best_one : Ψ and Ψ₁ with their partitions
    greedy : the blocks of the greedy rule, at most four times Ψ
    worst : what equal steps with the same drift could cost at most
    waits : (n,) by how much Ψ falls at least if the wait before a round took no time
    reason : why Ψ is not the order of the least regret here; empty where Theorem I3 applies
    """

    best: SearchResult
    best_one: SearchResult
    greedy: SearchResult
    worst: float
    waits: FloatArray
    reason: str

    def to_dict(self) -> dict[str, object]:
        """The object `smooth` of JSON."""
        return {
            "psi": self.best.value,
            "psi_1": self.best_one.value,
            "partition": self.best.partition.cuts,
            "exact": self.best.exact,
            "gap": None if isnan(self.best.gap) else self.best.gap,
            "greedy": self.greedy.value,
            "uniform_worst": self.worst,
            "waits": self.waits.tolist(),
            "applies": not self.reason,
            **({"reason": self.reason} if self.reason else {}),
        }


def smooth_order(problem: Problem, *, work_limit: int = WORK_LIMIT) -> SmoothOrder:
    """Ψ, Ψ₁, the greedy blocks and the cost of each wait; InvalidInput where time is not Markov.

    >>> from bounds.times import EvaluationTimes
    >>> order = smooth_order(Problem(EvaluationTimes.from_durations([1.0, 0.0, 1e9, 0.0])))
    >>> order.best.partition.cuts, int(order.waits.argmax())
    ((0, 2, 4), 2)
    """
    best = least_order(problem, work_limit=work_limit)
    return SmoothOrder(
        best,
        least_order(problem, "smooth-1", work_limit=work_limit),
        greedy_order(problem),
        uniform_worst(problem),
        wait_costs(problem, best),
        missing_hypothesis(problem),
    )


def local_exponents(problem: Problem) -> tuple[float, float]:
    """The powers of n and of ε with which Ψ grows, between half of either and the whole.

    NaN where there is one round, or the time kernel has no ε to halve.

    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0] * 4000), noise_variance=1.0)
    >>> [round(power, 2) for power in local_exponents(problem)]
    [1.0, 0.32]
    """
    whole = least_order(problem).value
    kernel, half = problem.time_kernel.at_rate(problem.epsilon / 2.0), problem.n // 2
    in_n, in_epsilon = float("nan"), float("nan")
    if half:
        shorter = least_order(replace(problem, times=problem.times.block(0, half))).value
        in_n = log(whole / shorter) / log(problem.n / half)
    if kernel is not None and problem.epsilon:
        slower = least_order(replace(problem, time_kernel=kernel)).value
        in_epsilon = log2(whole / slower)
    return in_n, in_epsilon


def block_drifts(problem: Problem, result: SearchResult) -> FloatArray:
    """(N,) ΣV(first, k) of each block of a result; they sum to its `drift`."""
    shares = renewed(problem)
    return np.array([block_drift(shares[a:b]).sum() for a, b in result.partition.blocks()])


def wait_costs(problem: Problem, result: SearchResult) -> FloatArray:
    """(n,) by how much Ψ falls at least if the wait before each round took no time.

    0 for the first. At the blocks of `result`: without the wait a block loses what the wait adds to
    the drift of the rounds behind it, and two blocks that it separates may become one. O(n).
    """
    shares = renewed(problem)
    prices = block_prices(problem.n, problem.noise_variance, price_named(result.objective))
    costs = np.zeros(problem.n)
    blocks = result.partition.blocks()
    for start, end in blocks:
        costs[start + 1 : end] = _drift_of_waits(shares[start:end])[1:]
    for (start, cut), (_, end) in pairwise(blocks):
        apart = prices[cut - start] + prices[end - cut]
        apart += block_drift(shares[start:cut]).sum() + block_drift(shares[cut:end]).sum()
        joined = shares[start:end].copy()
        joined[cut - start] = 0.0
        costs[cut] = max(0.0, apart - prices[end - start] - block_drift(joined).sum())
    return costs


def missing_hypothesis(problem: Problem) -> str:
    """Why Theorem I3 does not make Ψ the order of the least regret; empty where it does.

    The theorem is of the box that a grid stands for: stationary kernels whose paths have two
    derivatives (the squared exponential from both sides; Matérn, ν > 2, from below).
    """
    kernel = problem.space_kernel
    if not problem.time_kernel.is_markov:
        return f"the {problem.time_kernel.title} time kernel is not Markov"
    if not _is_box(problem):
        return "the domain is no box: on a finite domain Π is the order (Theorem I)"
    if not kernel.smoothness > 2.0:
        return f"paths of the {kernel.title} kernel have no two derivatives"
    if kernel.smoothness < float("inf"):
        return f"it is one from below alone: paths of ν = {kernel.smoothness:g} may cost more"
    return ""


def _is_box(problem: Problem) -> bool:
    """Whether the domain is a grid in a box, for which it stands here."""
    try:
        return problem.domain.axes is not None and problem.domain.box_side() > 0.0
    except InvalidInput:
        return False


def _drift_of_waits(shares: FloatArray) -> FloatArray:
    """(L,) by how much ΣV of a block falls where one of its waits takes no time."""
    left = 1.0 - block_drift(shares)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Without wait i the rounds k ≥ i keep (1 − V_k)/(1 − d_i).
        behind = np.cumsum(left[::-1])[::-1]
        costs = behind * shares / (1.0 - shares)
    for i in np.flatnonzero(shares == 1.0):
        without = shares.copy()
        without[i] = 0.0
        costs[i] = block_drift(shares).sum() - block_drift(without).sum()
    return np.asarray(costs)


def _at(
    partition: Partition,
    prices: FloatArray,
    shares: FloatArray,
    price: Price,
    *,
    exact: bool,
    gap: float,
) -> SearchResult:
    paid = fsum(prices[list(partition.lengths)].tolist())
    drift = fsum(float(block_drift(shares[a:b]).sum()) for a, b in partition.blocks())
    return SearchResult(price, paid + drift, paid, drift, partition, None, exact, gap)
