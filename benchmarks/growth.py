"""How the hot functions grow over three decades of their size, and what bounds them.

    python -m benchmarks.growth NAME SIZE SECONDS     calls one for some seconds, to be profiled

Every one has the exponent that its docstring promises, and where its work can be counted the time
that this work takes at the best rates of the machine, one kind after the other.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.measured import Machine, median_seconds
from bounds.domain import Grid
from bounds.drifting_gain.certified import certified_design_gain
from bounds.drifting_gain.joint_dual import joint_dual
from bounds.drifting_gain.knots import knot_bound
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.formulas import log_growth
from bounds.kernels import SquaredExponential
from bounds.partitions.cells import Cells
from bounds.partitions.objectives import objective_named
from bounds.partitions.pair_search import search_pairs
from bounds.partitions.uniformity import uniformity
from bounds.problem import Problem
from bounds.regret.maximum.telescoping import expected_maximum_upper
from bounds.static_gain.designs import space_gain_lower
from bounds.static_gain.upper_curve import space_gain_upper
from bounds.times import EvaluationTimes
from own_runs.logs.reader import read_log
from simulation.after_run.observed import Observed
from simulation.after_run.rank import rank_certificate
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data, Member
from simulation.runs.run import simulate
from simulation.world.evaluation_time import constant

STEPS = 7
SIDE, SPACE, NOISE = 50, SquaredExponential(0.2), 0.01
Work = Mapping[str, float]


@dataclass(frozen=True)
class Hot:
    """A function that commands spend their time in.

    name : in the table
    sizes : the smallest and the largest, three decades apart
    exponent : of the cost in the last decade, as documented
    make : the call at one size
    work : what the algorithm must do at that size, given the result, in units of `Machine`; None
        where the number of steps depends on what is found
    why : what to know of a wrong exponent or of a time far from the limit
    """

    name: str
    sizes: tuple[int, int]
    exponent: float
    make: Callable[[int], Callable[[], Any]]
    work: Callable[[int, Any], Work] | None = None
    why: str = ""


@dataclass(frozen=True)
class Grown:
    """Seconds by size, slopes of their logarithms, and the limit at the largest size."""

    hot: Hot
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    slope: float
    last: float
    limit: float | None

    @property
    def times_limit(self) -> float | None:
        """How many times the limit the largest size takes."""
        return None if self.limit is None else self.seconds[-1] / self.limit


def gaps(n: int) -> EvaluationTimes:
    """n rounds a unit of time apart."""
    return EvaluationTimes.from_durations(np.ones(n))


def problem_of(n: int, epsilon: float = 1e-2) -> Problem:
    """n unit gaps on the default grid of 2,500 points."""
    return Problem(gaps(n), space_kernel=SPACE, epsilon=epsilon)


def partition_search(objective: str) -> Callable[[int], Callable[[], Any]]:
    """The exact search of one objective, γ as in the documentation."""

    def make(n: int) -> Callable[[], Any]:
        m = np.arange(n + 1)
        problem, sought = problem_of(n, 1e-4), objective_named(objective)
        prices = np.minimum(0.5 * m * np.log(101.0), 12.0 * np.log1p(m))

        def call() -> Any:
            cells = Cells.of_rounds(problem.times)
            return sought.solve(problem, prices, cells)

        return call

    return make


def pairs(n: int) -> Callable[[], Any]:
    prices = 12.0 * np.log1p(np.arange(n + 1))
    return lambda: search_pairs(gaps(n), prices, NOISE, lambda d: 1e-4 * d, log_growth)


def sum_of_times(n: int) -> Callable[[], Any]:
    times = gaps(n)
    return lambda: uniformity(times, 100.0**2)


def times_of(n: int) -> Callable[[], Any]:
    durations = np.random.default_rng(0).exponential(1.0, n)
    return lambda: EvaluationTimes.from_durations(durations)


def design_gain(n: int) -> Callable[[], Any]:
    problem = problem_of(n)
    indices = np.random.default_rng(0).integers(problem.domain.size, size=n)
    return lambda: certified_design_gain(problem, indices)


def maximum(n: int) -> Callable[[], Any]:
    """Over about n points: a square grid."""
    grid = Grid(2, 1.0, max(1, round(n**0.5)))
    return lambda: expected_maximum_upper(grid, SPACE)


def run(n: int) -> Callable[[], Any]:
    problem = problem_of(1)
    return lambda: simulate(problem, constant(3.0, n), initial=0, rounds=n)


def rank(n: int) -> Callable[[], Any]:
    problem = problem_of(1)
    observed = Observed.of_run(problem, run(n)())
    return lambda: rank_certificate(observed, paths=9)


def evidence(n: int) -> Callable[[], Any]:
    rng = np.random.default_rng(0)
    data = Data(rng.random((n, 2)), np.arange(float(n)), rng.standard_normal(n))
    members = [Member("se", 0.01, (0.2, 0.3), 0.02)] * 4
    law = MeanAndScale.around(data.values)
    data.squares, data.gaps  # noqa: B018  # of the data, once for all members
    return lambda: data.judged(members, law)


def log(n: int) -> Callable[[], Any]:
    x = np.random.default_rng(0).random((n, 3))
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "log.csv"
    rows = "\n".join(f"{a!r},{1 + b!r},{c!r}" for a, b, c in x.tolist())
    path.write_text(f"x,duration,y\n{rows}\n", encoding="utf-8")

    def call(folder: object = folder) -> Any:
        return read_log(path, direction="maximize")

    return call


def searched(*, loop: float, **others: float) -> Callable[[int, Any], Work]:
    """So much for each pair of rounds that a search looked at."""
    each = {"loop": loop, **others}
    return lambda n, found: {kind: amount * found.work for kind, amount in each.items()}


BY_SUMS = searched(loop=8.0, chain=1.0, logarithm=0.25)  # a quarter comes near the best
BY_CENTRES = searched(loop=6.0, logarithm=2.0)

HOT: tuple[Hot, ...] = (
    Hot(
        "times from durations",
        (1_000, 1_000_000),
        1.0,
        times_of,
        lambda n, _: {"loop": 8.0 * n},
        "a plain loop on purpose: compiled, every command would pay the import of the compiler",
    ),
    Hot(
        "uniformity C",
        (1_000, 1_000_000),
        1.0,
        sum_of_times,
        lambda n, _: {"loop": 30.0 * n, "traffic": 72.0 * n},
    ),
    Hot(
        "partition, additive",
        (1_000, 1_000_000),
        1.0,
        partition_search("additive"),
        BY_SUMS,
        "distances are sums of waits in order, so that none loses digits",
    ),
    Hot(
        "partition, refined",
        (100, 100_000),
        1.0,
        partition_search("refined"),
        BY_CENTRES,
        "kernel values are made for 128 ends at once, also for starts that die among them; the"
        " sweep over centres is a compiled loop with a branch for each pair",
    ),
    Hot(
        "partition, theorem1",
        (10, 10_000),
        1.0,
        partition_search("theorem1"),
        BY_SUMS,
        "as additive, for some intervals of the longest block",
    ),
    Hot(
        "partition, any pair penalty",
        (6, 6_000),
        2.0,
        pairs,
        lambda n, _: {"logarithm": n * n / 2.0, "loop": 8.0 * n * n / 2.0},
        "some fifteen passes of NumPy over one row after the other; more rounds are refused",
    ),
    Hot(
        "γ_m, lower side, m ≤ n",
        (1, 1_000),
        2.0,
        lambda n: lambda: space_gain_lower(SPACE, Grid(2, 1.0, SIDE), NOISE, n),
        None,
        "exchanges of one point for another in a compiled loop, up to a fixed budget of work",
    ),
    Hot(
        "γ_m, upper side, m ≤ n",
        (10, 10_000),
        0.5,
        lambda n: lambda: space_gain_upper(SPACE, Grid(2, 1.0, SIDE), NOISE, n),
        None,
        "as many steps of the weights as the gap asks for, at some m; each is products of BLAS and"
        " passes of NumPy over a quarter of the points",
    ),
    Hot(
        "γ̃_n, lower side",
        (2, 2_000),
        2.0,
        lambda n: lambda: joint_gain_lower(problem_of(n)),
        None,
        "every round reads a column for each round before it, of fewer points the larger n",
    ),
    Hot(
        "γ̃_n, dual over points and times",
        (1, 1_000),
        2.0,
        lambda n: lambda: joint_dual(problem_of(n)),
        None,
        "as many steps of the weights as still gain, each a few products of BLAS",
    ),
    Hot(
        "γ̃_n, knots",
        (50, 50_000),
        1.0,
        lambda n: lambda: knot_bound(problem_of(n), 50.0),
        None,
        "up to twelve numbers of knots, each a product of BLAS and passes of NumPy over n rows",
    ),
    Hot(
        "γ̃_n, a design certified",
        (1, 1_000),
        3.0,
        design_gain,
        None,
        "four fifths are Arb's determinant of a matrix of balls, for which no rate is listed",
    ),
    Hot(
        "E max f, upper side, n points",
        (10, 10_000),
        1.0,
        maximum,
        None,
        "a compiled loop over each point and its neighbours, for every level that is tried",
    ),
    Hot(
        "run of n rounds",
        (30, 30_000),
        1.0,
        run,
        None,
        "0.17 ms a round: calls of NumPy on 2,500 points, and Python between them",
    ),
    Hot(
        "rank certificate, 9 paths",
        (1, 1_000),
        1.0,
        rank,
        None,
        "a compiled loop draws the paths, NumPy their maxima; a sixth is what Python adds",
    ),
    Hot(
        "evidence of 4 priors, n rows",
        (2, 2_000),
        3.0,
        evidence,
        lambda n, _: {"product": 4.0 * n**3 / 3.0, "logarithm": 2.0 * 4.0 * n * n / 2.0},
        "four fifths are LAPACK's Cholesky factors, which run below the rate of a plain product",
    ),
    Hot(
        "log of n rows",
        (100, 100_000),
        1.0,
        log,
        None,
        "9 µs a row of three cells: csv, then Python's reading of numbers, dates, durations",
    ),
)


def grown(hot: Hot, machine: Machine, *, repeats: int, quick: bool = False) -> Grown:
    """Measure one at STEPS sizes; `quick` stops after the first decade."""
    first, largest = hot.sizes
    steps = 3 if quick else STEPS
    sizes = sorted({round(n) for n in np.geomspace(first, 10 * first if quick else largest, steps)})
    seconds = [median_seconds(hot.make(n), repeats) for n in sizes]
    x, y = np.log(sizes), np.log(seconds)
    decade = x >= x[-1] - 1.01 * np.log(10.0)
    limit = None
    if hot.work is not None:
        work = hot.work(sizes[-1], hot.make(sizes[-1])())
        limit = sum(amount / getattr(machine, kind) for kind, amount in work.items())
    return Grown(
        hot,
        tuple(sizes),
        tuple(seconds),
        float(np.polyfit(x, y, 1)[0]),
        float(np.polyfit(x[decade], y[decade], 1)[0]),
        limit,
    )


def called_for(name: str, size: int, seconds: float) -> None:
    """Call a hot function again and again; the profiler looks below this frame only."""
    (hot,) = (hot for hot in HOT if hot.name == name)
    call = hot.make(size)
    call()
    profiled(call, seconds)


def profiled(call: Callable[[], Any], seconds: float) -> None:
    begun = perf_counter()
    while perf_counter() - begun < seconds:
        call()


if __name__ == "__main__":
    called_for(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
