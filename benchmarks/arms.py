"""How near certified lower bounds and simulated policies come, for independent arms.

`python benchmarks/arms.py` prints the two tables of docs/theory.md#least-regret: unit steps, 60
rounds, σ² = 1e-6, correlation φ from one round to the next; regret per round, seconds of a
processor. Half an hour.
"""

from __future__ import annotations

from time import process_time

import numpy as np

from bounds.domain import Arms
from bounds.problem import Problem
from bounds.regret.lower.least_regret import lower_side
from bounds.regret.lower.prices import best_prices
from bounds.times import EvaluationTimes
from simulation.before_run.path_prices import LARGEST, path_price_floor
from simulation.runs.arms import FLAT, TRIED, best_simulated, simulated

ROUNDS, NOISE, RUNS = 60, 1e-6, 2_000
CASES = [(arms, phi) for arms in (2, 3, 4, 5, 10, 20, 100) for phi in (0.5, 0.9, 0.99)]
COMPARED = [(2, 0.9), (2, 0.99), (5, 0.9), (5, 0.99), (20, 0.99), (100, 0.99)]
FAMILIES = {
    "plain index, best weight": [name for name in TRIED if name.startswith("index:")],
    "plain index, weight of Theorem I": ["theorem"],
    "`flat-ucb`, c₀ = 1": ["flat-ucb:1"],
    "`flat-ucb`, best c₀": [f"flat-ucb:{weight:g}" for weight in FLAT],
    "Thompson sampling": ["ts"],
    "predictive sampling": ["predictive"],
    "two-step look-ahead": ["look-ahead"],
    "the same, best weight of the next round": ["look-ahead", "look-ahead:3", "look-ahead:10"],
}


def problem_of(arms: int, phi: float) -> Problem:
    """Unit steps with this correlation."""
    times = EvaluationTimes.from_durations(np.ones(ROUNDS))
    return Problem(times, epsilon=1.0 - phi**2, noise_variance=NOISE, domain=Arms(arms))


def lower(problem: Problem, arms: int) -> float:
    """The largest lower bound that is certified: prices, for two arms the least regret itself."""
    found = best_prices(problem.times, problem.time_kernel, [0.0] * arms, NOISE)
    if arms > 2:
        return found.value
    return max(found.value, lower_side(problem.times, problem.time_kernel, kept=101))


def main() -> None:
    """Print both tables."""
    print("| arms | φ | best simulated | its regret | certified ≥ | s | by paths ≥ | s | ratio |")
    print("|---|---|---|---|---|---|---|---|---|")
    for arms, phi in CASES:
        problem = problem_of(arms, phi)
        best = best_simulated(problem, runs=RUNS)
        start = process_time()
        least = max(lower(problem, arms), 0.0)
        seconds = process_time() - start
        paths, took = "–", "–"
        if arms <= LARGEST:
            start = process_time()
            found = path_price_floor(problem).value
            paths, took = f"{found / ROUNDS:.4f}", f"{process_time() - start:.1f}"
            least, certified = max(least, found), least
        else:
            certified = least
        row = (
            f"{arms} | {phi} | {best.policy} | {best.mean / ROUNDS:.4f} ± "
            f"{best.error / ROUNDS:.4f} | {certified / ROUNDS:.4f} | {seconds:.1f} | {paths} | "
            f"{took} | {best.mean / least:.2f}"
        )
        print(f"| {row} |", flush=True)
    print()
    print("| policy | " + " | ".join(f"{arms}, {phi}" for arms, phi in COMPARED) + " |")
    print("|---|" + "---|" * len(COMPARED))
    every = [
        {one.policy: one.mean / ROUNDS for one in simulated(problem_of(*case), runs=RUNS, seed=2)}
        for case in COMPARED
    ]
    for title, names in FAMILIES.items():
        cells = [f"{min(found[name] for name in names):.4f}" for found in every]
        print(f"| {title} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
