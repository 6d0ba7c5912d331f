"""Both sides of γ_m, m ≤ 250, on the 50×50 grid of the unit square: how near, and how fast.

Run `python benchmarks/gain_curve.py`. Every time is the median of 5 in this process, after one run
that compiles. Peers, in the same run: greedy selection with every posterior from scratch; the
bounds that follow from it (e/(e−1) times) and from the plain dual (α = 1, the same weights).
"""

from __future__ import annotations

import statistics
import time
from functools import partial
from math import e

import numpy as np
from threadpoolctl import threadpool_limits

from bounds.domain import Grid
from bounds.domain.lags import GridKernel
from bounds.kernels import Kernel, Matern, SquaredExponential
from bounds.static_gain.designs import space_gain_lower
from bounds.static_gain.dual import certify
from bounds.static_gain.information import gain
from bounds.static_gain.relaxation import relaxation_path
from bounds.static_gain.upper_curve import space_gain_upper

GRID, NOISE, ROUNDS, REPEATS = Grid(2, 1.0, 50), 0.01, 250, 5
FEW_ROUNDS = 50
SHOWN = (10, 20, 30, 50, 100, 150, 200, 250)


def median_seconds(function, *arguments):
    """The result, and the median of the seconds it took."""
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        result = function(*arguments)
        seconds.append(time.perf_counter() - start)
    return result, statistics.median(seconds)


def plain_greedy(kernel: Kernel, rounds: int) -> np.ndarray:
    """Greedy selection that factorises the Gram matrix of the design anew at every step."""
    points = GRID.points
    chosen, gains = [0], [0.0]
    for _ in range(1, rounds):
        gains.append(gain(kernel.gram(points[chosen]), NOISE))
        noisy = kernel.gram(points[chosen]) + NOISE * np.eye(len(chosen))
        whitened = np.linalg.solve(np.linalg.cholesky(noisy), kernel.gram(points[chosen], points))
        chosen.append(int(np.argmin(np.sum(whitened**2, axis=0))))
    return np.array([*gains, gain(kernel.gram(points[chosen]), NOISE)])


def plain_dual(kernel: Kernel) -> tuple[int, float]:
    """The bound of α = 1 for some fifty rounds, at the weights of the relaxed design for them."""
    grid_kernel = GridKernel(kernel, GRID)
    path = relaxation_path(grid_kernel, NOISE, ROUNDS)
    design = next(design for design in path if design.n <= FEW_ROUNDS)
    # R = (sn)^½ W^½ on the orthant, W the weights of whole orbits, for every parity.
    R = np.diag(np.sqrt(design.n / NOISE * design.weights))
    factors = (R,) * len(grid_kernel.reflections)
    line = certify(grid_kernel, grid_kernel.orthant, factors, 1.0, NOISE)
    # At α = 1 the line is a bound for n below its rank too: ψ(1) = 0, and ψ ≥ 0.
    return design.n, line.intercept + line.slope * design.n


def main() -> None:
    for kernel in (SquaredExponential(0.2), Matern(2.5, 0.2)):
        space_gain_lower(kernel, Grid(2, 1.0, 4), NOISE, 8)  # compiles
        upper, upper_seconds = median_seconds(
            partial(space_gain_upper, close=True), kernel, GRID, NOISE, ROUNDS
        )
        lower, lower_seconds = median_seconds(space_gain_lower, kernel, GRID, NOISE, ROUNDS)
        start = time.perf_counter()
        greedy = plain_greedy(kernel, ROUNDS)
        greedy_seconds = time.perf_counter() - start
        ratio = upper.values[1:] / lower.values[1:]
        print(f"\n{kernel}: upper {upper_seconds:.2f} s, lower {lower_seconds:.2f} s")
        print(f"  largest upper/lower {ratio.max():.4f} at m = {ratio.argmax() + 1}")
        print(
            f"  plain greedy {greedy_seconds:.2f} s (one run): {greedy_seconds / lower_seconds:.1f}"
            " times the lower side, which also exchanges"
        )
        print("     m    lower    upper  upper/lower  lower/greedy  e/(e-1)·greedy/upper")
        for m in SHOWN:
            low, high = lower.values[m], upper.values[m]
            print(
                f"  {m:4d} {low:8.3f} {high:8.3f}  {high / low:11.4f}  {low / greedy[m]:12.4f}"
                f"  {e / (e - 1) * greedy[m] / high:10.4f}"
            )
        m, bound = plain_dual(kernel)
        print(f"  plain dual at m = {m}: {bound / upper.values[m]:.4f} times the upper side")


if __name__ == "__main__":
    with threadpool_limits(1, user_api="blas"):  # the peer too: it is faster so
        main()
