"""What certification costs and how near the two sides are, on the 50×50 grid of the unit square.

    python benchmarks/certified.py          γ_m for m ≤ 250, and γ̃_n for n = 130
    python benchmarks/certified.py --box    the continuous box too (some minutes)

σ² = 0.01, lengthscale 0.2, forgetting time kernel; every value in ball arithmetic, rounded outward.
One run of each in this process, after a small one that compiles. Peers, in the same run: the same
determinant by Gaussian elimination in mpmath's numbers of 30 digits, which encloses nothing; and
for γ̃_n the bounds without the dual over points and times (cap, Theorem A, knots, Theorem B).
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from itertools import product
from typing import TypeVar

import mpmath
import numpy as np

from bounds.domain import Grid
from bounds.drifting_gain.certified import certified_design_gain
from bounds.gain.bounds import bounds_of
from bounds.kernels import Kernel, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.static_gain.both_sides import box_gains_at, certified_gains_at
from bounds.static_gain.information import joint_gram
from bounds.times import EvaluationTimes

Result = TypeVar("Result")

ROUNDS, N = list(range(1, 251)), 130
KERNELS: dict[str, Kernel] = {"se": SquaredExponential(0.2), "matern52": Matern(2.5, 0.2)}


def timed(call: Callable[[], Result]) -> tuple[Result, float]:
    """A result and the seconds that it took."""
    start = time.perf_counter()
    result = call()
    return result, time.perf_counter() - start


def problem_of(kernel: str, duration: float, epsilon: float) -> Problem:
    """N rounds a duration apart."""
    times = EvaluationTimes.from_durations([duration] * N)
    return Problem(times, space_kernel=KERNELS[kernel], epsilon=epsilon)


def space(kernel: str, *, box: bool) -> None:
    """γ_m from both sides, of the grid or of the box around it."""
    call = box_gains_at if box else certified_gains_at
    found, seconds = timed(lambda: call(problem_of(kernel, 1.0, 0.01), ROUNDS))
    ratio = found.upper / found.lower
    print(
        f"{kernel} {'box' if box else 'grid'}: γ_m, m <= {ROUNDS[-1]}, upper/lower at most "
        f"{ratio.max():.4f} (m = {ROUNDS[int(ratio.argmax())]}), {ratio[199]:.4f} at m = 200; "
        f"certified: {all(found.certified)}; {seconds:.1f} s"
    )


def joint(kernel: str, duration: float, epsilon: float) -> None:
    """γ̃_n from both sides."""
    problem = problem_of(kernel, duration, epsilon)
    _, first = timed(lambda: bounds_of(problem, certify=False))
    sure, second = timed(lambda: bounds_of(problem))
    report = sure.report
    others = min(
        bound.value for name, bound in report.gains.items() if name != "joint_dual" and bound.valid
    )
    print(
        f"{kernel} t = {duration:g} ε = {epsilon:g}: γ̃_n upper/lower "
        f"{report.best / report.lower:.4f} by {report.best_name}, {others / report.lower:.4f} "
        f"without the dual; {first:.1f} s and {second:.1f} s to certify it"
    )


def determinant() -> None:
    """The lower side of γ̃_n, against arithmetic of many digits."""
    problem = problem_of("se", 3.0, 0.01)
    design = bounds_of(problem).design
    assert design is not None
    ours, seconds = timed(lambda: certified_design_gain(problem, design.indices))
    gram = joint_gram(problem, problem.domain.points[design.indices])

    def plainly() -> float:
        with mpmath.workdps(30):
            matrix = mpmath.matrix((np.eye(N) + gram / problem.noise_variance).tolist())
            return float(mpmath.log(mpmath.det(matrix)) / 2)

    theirs, peer = timed(plainly)
    print(
        f"gain of a design of {N} rounds: enclosed below by {ours:.9f} in {seconds:.2f} s; mpmath "
        f"{theirs:.9f} in {peer:.2f} s, {peer / seconds:.1f} times as long"
    )


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--box", action="store_true", help="the continuous box too")
    options = parser.parse_args()
    small = Problem(EvaluationTimes.from_durations([1.0] * 5), domain=Grid(2, 1.0, 5))
    bounds_of(small)
    for kernel in KERNELS:
        space(kernel, box=False)
        for duration, epsilon in product((1.0, 3.0), (1e-4, 1e-3, 1e-2)):
            joint(kernel, duration, epsilon)
        if options.box:
            space(kernel, box=True)
    determinant()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(f"largest memory: {memory:.2f} GiB")


if __name__ == "__main__":
    main()
