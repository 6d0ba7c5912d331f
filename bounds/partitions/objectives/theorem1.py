"""Theorem 1's objective: N·γ_M + Σ_i ½ M_i φ(sε√(C_i/M_i)), M the longest block."""

from __future__ import annotations

import heapq
from math import inf, isqrt, log

import numpy as np

from bounds import enclosure
from bounds.arithmetic import Arithmetic, Value
from bounds.arrays import FloatArray
from bounds.enclosure import Number
from bounds.formulas import phi
from bounds.kernels import Kernel
from bounds.partitions.cells import ALL, Cells, SearchOptions
from bounds.partitions.objectives.uniform import UniformityObjective
from bounds.partitions.result import CLOSE, ROUNDING
from bounds.partitions.uniformity_search import CutChain, drift_table, search_by_uniformity
from bounds.problem import Problem


class Theorem1Objective(UniformityObjective):
    """N·γ_M + Σ_i ½ M_i φ(sε√(C_i/M_i)): the blocks are coupled through the longest."""

    name = "theorem1"
    by_longest = True
    rate_name = "epsilon"
    fewest_cells = 2_000

    def rate(self, epsilon: float, time_kernel: Kernel) -> float:
        return epsilon

    def growth(self, a: Arithmetic, x: Value) -> Value:
        return phi(a, x)

    def near_growth(self, a: Arithmetic, x: Value) -> Value:
        """φ(x) = x up to 1."""
        return x

    def solve(
        self, problem: Problem, prices: FloatArray, cells: Cells, options: SearchOptions = ALL
    ) -> CutChain:
        """Minimise N·γ_M + Σ ½ M_i φ(sε√(C_i/M_i)) by branch and bound over the longest block M.

        For M in [a, b] two lower bounds: the search with blocks of at most b rounds where one of
        m costs γ_max(a, m), as M is at least a and m, and n·min γ_M/M, as there are at least n/M
        blocks. The interval with the least bound is cut at √(ab), as γ changes by ratios of M,
        until the best partition seen, each at the price of its own longest block, attains it; then
        no other can win. Over cells of rounds it need not come nearer than `CLOSE`. At the work
        limit the bound and that partition remain.
        """
        epsilon, noise_variance = problem.epsilon, problem.noise_variance
        free_cuts = options.free_cuts
        work, best = 0, inf
        cuts: tuple[int, ...] = ()

        def relaxed(a: int, b: int) -> CutChain:
            nonlocal work, best, cuts
            least = prices[np.maximum(a, np.arange(n + 1))]
            capped = least.copy()
            capped[b + 1 :] = inf
            chain = search_by_uniformity(
                cells,
                epsilon,
                noise_variance,
                capped,
                concave=False,
                table=table,
                options=SearchOptions(free_cuts, options.work_limit - work),
            )
            work += chain.work
            if chain.complete:
                paid = least[np.maximum(0, np.diff(chain.cuts) - unpaid)]
                value = chain.value + float(np.sum(prices[longest(chain)] - paid))
                if value < best:
                    best, cuts = value, chain.cuts
            return chain

        def longest(chain: CutChain) -> int:
            return int(np.max(np.diff(chain.cuts), initial=0))

        def below(chain: CutChain, a: int, b: int) -> float:
            # Rounding must not lift the second bound above a value that attains it.
            return max(chain.value, n * float(np.min(rates[a : b + 1])) * (1.0 - ROUNDING))

        n = len(prices) - 1
        table = None if free_cuts else drift_table(cells, epsilon, noise_variance, concave=False)
        # With free cuts a block of one cell has paid γ_a alone, whatever its length.
        unpaid = int(np.max(cells.counts)) if free_cuts else 0
        rates = prices / np.maximum(1, np.arange(n + 1))
        slack = 1.0 + CLOSE if len(cells.boundaries) <= n else 1.0
        chain = relaxed(1, n)
        if not chain.complete:
            return chain
        queue = [(below(chain, 1, n), 1, n, chain)]
        while True:
            lower, a, b, chain = heapq.heappop(queue)
            if free_cuts and prices[b] == prices[a]:
                return CutChain(lower, chain.cuts, work, True)
            if best <= lower * slack:
                return CutChain(lower if free_cuts else best, cuts, work, True)
            options.progress(1.0 - log(b / a) / log(n))
            middle = isqrt(a * b)
            left = chain if longest(chain) <= middle else relaxed(a, middle)
            right = relaxed(middle + 1, b)
            if not (left.complete and right.complete):
                # A cap that was not tried to the end might win: nothing is known beyond `lower`.
                return CutChain(lower, cuts, work, False)
            heapq.heappush(queue, (below(left, a, middle), a, middle, left))
            heapq.heappush(queue, (below(right, middle + 1, b), middle + 1, b, right))

    def enclosed_rate(self, problem: Problem) -> Number:
        return enclosure.exact_double(problem.epsilon)
