"""Time of runs, long horizons and whole studies, and against regression refitted every round.

    python benchmarks/simulator.py            medians of 5
    python benchmarks/simulator.py --runs 1   a quick look
    python benchmarks/simulator.py --long     100,000 rounds with the Matérn kernel too

2,500 points of the unit square, ε = 0.01, σ² = 0.01, 30 random rounds and then 100, unless stated
otherwise. One BLAS thread for single runs, as inside a study. The peer refits scikit-learn's
Gaussian process with the same fixed hyperparameters every round and predicts the whole grid: equal
work on the same objective and noise, and the same choices. (The logs that the paper's authors
published are not comparable: theirs refits hyperparameters.)
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import product

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as sk
from threadpoolctl import threadpool_limits

from bounds.kernels import Kernel, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.policies.acquisition import ACQUISITIONS
from simulation.policies.policy import POLICIES
from simulation.runs.run import Trajectory, simulate
from simulation.study.study import StudySpec, run_study
from simulation.world.environment import Seeds, draw_path
from simulation.world.evaluation_time import EvaluationTime, biased, constant

KERNELS: dict[str, Kernel] = {
    "squared exponential": SquaredExponential(0.2),
    "Matérn-5/2": Matern(2.5, 0.2),
}
PAPER_POLICIES = ("gp-ucb", "tv", "ctv", "ctv-simple", "ctv-fixed")
INITIAL, ROUNDS = 30, 100
N = INITIAL + ROUNDS


class Recorded:
    """An objective that has been drawn already."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values
        self.position = 0

    def after(self, gap: float) -> np.ndarray:
        self.position += 1
        return self.values[self.position - 1]


def problem_of(kernel: Kernel) -> Problem:
    return Problem(EvaluationTimes.from_durations([3.0]), space_kernel=kernel)


def median(call: Callable[[], object], runs: int) -> float:
    seconds = []
    for _ in range(runs):
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds)


def recorded(problem: Problem, duration: EvaluationTime, seed: int) -> np.ndarray:
    path = draw_path(problem, duration, N, Seeds.of(seed).objective)
    return np.array([path.after(3.0) for _ in range(N)])


def single_runs(runs: int) -> None:
    for name, kernel in KERNELS.items():
        problem, duration = problem_of(kernel), constant(3.0, N)
        values = recorded(problem, duration, 0)
        for policy, acquisition in product(POLICIES, ACQUISITIONS):
            options = {
                "seed": 0, "initial": INITIAL, "rounds": ROUNDS, "acquisition": acquisition
            }  # fmt: skip

            def drawn(
                problem=problem, duration=duration, policy=policy, options=options, values=values
            ) -> Trajectory:
                return simulate(problem, duration, policy, path=Recorded(values), **options)

            limit = 0.5 if policy == "ctv" else 0.1
            seconds = median(drawn, runs)
            print(
                f"{name}, {policy}, {acquisition}, objective drawn: {seconds:.3f} s (at most "
                f"{limit} s)"
            )
        for setting, waits in (("t = 3", duration), ("t(x)", biased(problem.domain))):
            seconds = median(
                lambda p=problem, w=waits: simulate(p, w, initial=INITIAL, rounds=ROUNDS), runs
            )
            print(f"{name}, ctv-fixed, {setting}, all included: {seconds:.3f} s (at most 0.5 s)")


def against_scikit_learn(runs: int) -> None:
    for name, kernel in KERNELS.items():
        problem, duration = problem_of(kernel), constant(3.0, N)
        values = recorded(problem, duration, 0)

        def ours(problem=problem, duration=duration, values=values) -> Trajectory:
            return simulate(
                problem, duration, path=Recorded(values), initial=INITIAL, rounds=ROUNDS
            )

        trajectory = ours()
        noise = trajectory.observations - trajectory.values
        begin = time.perf_counter()
        chosen, gap = refitted(problem, values, noise, trajectory.points[:INITIAL], kernel)
        peer = time.perf_counter() - begin
        same = int(np.sum(chosen == trajectory.points))
        seconds = median(ours, max(5, runs))
        print(
            f"{name}, refitting scikit-learn each round: {peer:.2f} s, ours {seconds:.3f} s, ratio "
            f"{peer / seconds:.0f} (at least 30), {same} of {N} choices the same, "
            f"largest difference of deviations {gap(trajectory):.1e}"
        )


def refitted(
    problem: Problem,
    values: np.ndarray,
    noise: np.ndarray,
    start: np.ndarray,
    kernel: Kernel,
) -> tuple[np.ndarray, Callable[[Trajectory], float]]:
    """Choices of CTV-fixed made with scikit-learn, and a comparison of its deviations."""
    faraway = 1e9
    scale = [0.2, 0.2, faraway]
    space = sk.RBF(scale) if isinstance(kernel, SquaredExponential) else sk.Matern(scale, nu=2.5)
    over_time = sk.Matern([faraway, faraway, 1 / problem.time_kernel.slope], nu=0.5)
    grid = problem.domain.points
    times = 3.0 * np.arange(1, N + 1)
    chosen = list(start)
    deviations = []
    for i in range(INITIAL, N):
        model = GaussianProcessRegressor(space * over_time, alpha=0.01, optimizer=None)
        seen = np.column_stack([grid[chosen], times[:i]])
        model.fit(seen, values[np.arange(i), chosen] + noise[:i])
        target = np.column_stack([grid, np.full(len(grid), times[i])])
        mean, deviation = model.predict(target, return_std=True)
        chosen.append(int(np.argmax(mean + 0.8 * np.log(4 * (i + 1)) * deviation)))
        deviations.append(deviation[chosen[-1]])
    found = np.array(deviations)
    return np.array(chosen), lambda run: float(np.abs(run.deviations[INITIAL:] - found).max())


def horizon(kernel: str, n: int) -> tuple[float, float]:
    """Seconds and peak GiB of one CTV-fixed run of n rounds, in a process of its own."""
    code = f"import sys; from benchmarks.simulator import *\none_horizon({kernel!r}, {n})"
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    seconds, memory = output.split()
    return float(seconds), float(memory)


def one_horizon(kernel: str, n: int) -> None:
    with threadpool_limits(1):
        begin = time.perf_counter()
        simulate(problem_of(KERNELS[kernel]), constant(3.0, n), initial=INITIAL, rounds=n - INITIAL)
        seconds = time.perf_counter() - begin
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)


def horizons(kernel: str, runs: int) -> None:
    short = [horizon(kernel, 50_000) for _ in range(runs)]
    long = [horizon(kernel, 100_000) for _ in range(runs)]
    first, second = (statistics.median(s for s, _ in found) for found in (short, long))
    print(
        f"{kernel}, ctv-fixed, 50,000 rounds {first:.1f} s, 100,000 rounds {second:.1f} s "
        f"(at most 120 s), {max(m for _, m in long):.2f} GiB (at most 2), ratio "
        f"{second / first:.2f} (at most 2.3)"
    )


def first_figure(workers: int) -> None:
    begin = time.perf_counter()
    count = 0
    for kernel in KERNELS.values():
        for setting in ("uniform", "biased"):
            spec = StudySpec(
                problem_of(kernel), setting, PAPER_POLICIES, seeds=30, model_kernel=Matern(2.5, 0.2)
            )
            study = run_study(spec, workers=workers)
            count += sum(len(runs) for runs in study.trajectories.values())
    seconds = time.perf_counter() - begin
    print(f"Figure 1, {count} runs, {workers} workers: {seconds:.1f} s (at most 90 s)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    with threadpool_limits(1):
        single_runs(options.runs)
        against_scikit_learn(options.runs)
    first_figure(options.workers)
    horizons("squared exponential", options.runs)
    if options.long:
        horizons("Matérn-5/2", 1)


if __name__ == "__main__":
    main()
