"""Certificates on the paper's experiment: ratios to the regret, and seconds.

    python benchmarks/certificates.py [seeds] [simulated runs]

n = 100 rounds, δ = 0.1, 50×50 grid, ε = 0.01, lengthscale 0.2, σ² = 0.01; squared exponential and
Matérn-5/2, one evaluation every 1 or 3 units of time, CTV-fixed. Ratios are those of means over
seeds; the last line is the rank certificate at n = 130 on 2,500 points.
"""

import resource
import sys
from time import perf_counter

import numpy as np

from bounds.kernels import Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.after_run.certificates import certify
from simulation.after_run.observed import Observed
from simulation.after_run.rank import rank_certificate
from simulation.after_run.simulated import simulation_certificate
from simulation.model.covariance import space_factor
from simulation.runs.run import simulate
from simulation.study.study import StudySpec
from simulation.world.evaluation_time import constant

KERNELS = {"se": SquaredExponential(0.2), "matern52": Matern(2.5, 0.2)}
ROUNDS = 100


def measured(seeds: int, simulated: int) -> None:
    """The table, a line for each setting and exploration."""
    for kernel in KERNELS:
        for duration in (1.0, 3.0):
            times = EvaluationTimes.from_durations([duration])
            problem = Problem(times, space_kernel=KERNELS[kernel])
            for exploration in ("theory", "sqrt-beta"):
                line(problem, kernel, duration, exploration, seeds, simulated)


def line(
    problem: Problem, kernel: str, duration: float, exploration: str, seeds: int, simulated: int
) -> None:
    """Ratios of mean certificates to the mean regret."""
    regrets: list[float] = []
    values: dict[str, list[float]] = {}
    seconds: dict[str, list[float]] = {}
    factor = None
    for seed in range(seeds):
        run = simulate(
            problem,
            constant(duration, ROUNDS),
            seed=seed,
            initial=0,
            rounds=ROUNDS,
            exploration=exploration,
        )
        observed = Observed.of_run(problem, run)
        factor = factor or space_factor(problem)
        regrets.append(float(run.cumulative_regret[-1]))
        for one in certify(observed, "run", seed=seed, factor=factor).certificates:
            values.setdefault(one.name, []).append(one.value)
            seconds.setdefault(one.name, []).append(one.seconds)
    truth = float(np.mean(regrets))
    words = [
        f"{name} {np.mean(v) / truth:.3f} ({np.mean(seconds[name]):.1f} s)"
        for name, v in values.items()
    ]
    if simulated:
        spec = StudySpec(
            problem,
            initial=0,
            rounds=ROUNDS,
            exploration=exploration,
            policies=("ctv-fixed",),
            evaluation_time=duration,
        )
        found = simulation_certificate(spec, "ctv-fixed", runs=simulated, workers=2)
        mean = float(np.mean(found.regrets))
        words.append(f"simulation {found.value / mean:.3f} of its mean {mean:.1f}")
        words.append(f"expectation {(found.expectation or np.nan) / mean:.3f}")
        words.append(f"({found.seconds:.1f} s)")
    print(f"{kernel} t={duration:g} {exploration}: regret {truth:.1f};", *words, flush=True)


def speed() -> None:
    """The rank certificate alone, n = 130."""
    for kernel in KERNELS.values():
        times = EvaluationTimes.from_durations([3.0])
        problem = Problem(times, space_kernel=kernel)
        run = simulate(problem, constant(3.0, 130), seed=0, exploration="theory")
        for paths in (9, 99):
            begun = perf_counter()
            rank_certificate(Observed.of_run(problem, run), paths=paths)
            print(f"{kernel.name} rank, n = 130, S = {paths}: {perf_counter() - begun:.2f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"largest memory: {peak:.2f} GiB")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    speed()
    measured(*(numbers + [5, 0][len(numbers) :]))
