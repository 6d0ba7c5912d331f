"""Both sides of regret at the settings of docs/theory.md#theorem-x and #theorem-g: a table.

    python benchmarks/regret_sides.py grid [--runs 16] [--search 40] [--draws 100000]
    python benchmarks/regret_sides.py arms [--runs 200] [--paths 1000] [--knots 60]

Grid: 50×50, squared exponential, ℓ = 0.2, σ² = 0.01, n = 130, six pairs (ε, t). Arms: 2, 3, 5 and
10 independent ones, unit steps. "best" is the smallest mean regret over UCB with √b in {½, 1, 1.5,
2}.
"""

from __future__ import annotations

import argparse
from time import perf_counter

import numpy as np

from bounds.domain import Arms
from bounds.kernels import SquaredExponential
from bounds.problem import Problem
from bounds.regret.ingredients.exploration import best_exploration
from bounds.regret.ingredients.ingredients import Ingredients, noise_levels
from bounds.regret.ingredients.noise_inflation import deviation_bound
from bounds.regret.maximum.slepian import ExpectedMaximum
from bounds.regret.rows import floors, regret_rows
from bounds.times import EvaluationTimes
from simulation.before_run.maximum import simulated_maximum
from simulation.before_run.one_arm import one_arm_floor
from simulation.before_run.schedule import schedule_bound
from simulation.before_run.schedule_search import quick_schedule, search_schedule
from simulation.model.covariance import GridCovariance
from simulation.model.posterior import make_posterior
from simulation.policies.readings import Readings
from simulation.runs.run import simulate
from simulation.world.evaluation_time import constant

N = 130
SETTINGS = [(1e-4, 1.0), (1e-4, 3.0), (1e-3, 1.0), (1e-3, 3.0), (1e-2, 1.0), (1e-2, 3.0)]


def greedy_gain(problem: Problem, noise: float) -> float:
    """γ̃_n at `noise` by greedy selection: a lower bound on the maximum, as the table has it."""
    covariance = GridCovariance(problem.space_kernel, problem.domain)
    posterior = make_posterior(covariance, problem.time_kernel, noise, problem.n)
    total = 0.0
    for gap in problem.times.durations.tolist():
        x = int(np.argmax(posterior.predict(gap).variance))
        total += 0.5 * np.log1p(posterior.observe(x, gap, 0.0) / noise)
    return total


def constant_ucb(problem: Problem, root: float, runs: int, gap: float) -> np.ndarray:
    """Regrets of μ + root·σ, own loop: the registry has no constant weight."""
    covariance = GridCovariance(problem.space_kernel, problem.domain)
    factor = covariance.factor()
    kernel, noise = problem.time_kernel, problem.noise_variance
    a, spread = float(kernel.at_distance(gap)), float(np.sqrt(kernel.deficit(gap)))
    regrets = np.zeros(runs)
    for s in range(runs):
        rng = np.random.default_rng(s)
        posterior = make_posterior(covariance, kernel, noise, problem.n)
        f = factor.apply(rng.standard_normal((1, factor.rank)))[0]
        for i in range(problem.n):
            found = posterior.predict(gap)
            x = int(np.argmax(found.mean + root * found.deviation))
            if i:
                f = a * f + spread * factor.apply(rng.standard_normal((1, factor.rank)))[0]
            regrets[s] += f.max() - f[x]
            posterior.observe(x, gap, float(f[x] + np.sqrt(noise) * rng.standard_normal()))
    return regrets


def grid_row(epsilon: float, gap: float, options: argparse.Namespace) -> None:
    """One setting of the grid."""
    times = EvaluationTimes.from_durations(np.full(N, gap))
    problem = Problem(times, epsilon, space_kernel=SquaredExponential(0.2))
    timed = {}

    def clock(name, work):
        begun = perf_counter()
        found = work()
        timed[name] = perf_counter() - begun
        return found

    certified = clock("F", lambda: floors(problem))
    maximum = clock("m*", lambda: simulated_maximum(problem, draws=options.draws, delta=5e-4))
    simulated = floors(problem, maximum=maximum.least())
    gains = [(level, greedy_gain(problem, level)) for level in noise_levels(problem)]
    mean = deviation_bound(N, problem.noise_variance, gains).value / N
    explored = clock("b", lambda: best_exploration(problem, mean)) if options.explore else None
    given = Ingredients(
        problem,
        gains,
        maximum=ExpectedMaximum(maximum.lower, maximum.upper),
        explored=explored,
        level=0.999,
    )
    rows = regret_rows(given, "upper")
    quick = clock("quick", lambda: quick_schedule(problem))
    bounds = [
        clock("X", lambda: schedule_bound(problem, quick, draws=options.draws, maximum=maximum))
    ]
    if options.search:
        longer = clock("search", lambda: search_schedule(problem, seconds=options.search))
        bounds.append(schedule_bound(problem, longer, draws=options.draws, maximum=maximum))
    print(f"ε = {epsilon:g}, t = {gap:g}")
    print("  certified floors", {r.name: round(r.value, 2) for r in certified})
    print("  simulated floors", {r.name: round(r.value, 2) for r in simulated})
    print("  ceilings", {f"{r.name}/{r.policy}": round(r.value) for r in rows})
    print("  schedules", [(round(b.value, 1), round(b.estimate, 1)) for b in bounds])
    best = np.inf
    for root in (1.0, 2.0):
        regrets = constant_ucb(problem, root, options.runs, gap)
        best = min(best, regrets.mean())
        print(
            f"  UCB √b = {root}: {regrets.mean():.1f} ± {regrets.std() / len(regrets) ** 0.5:.1f}"
        )
    for policy in ("ts", "random-weight-ucb", "scheduled"):
        choices = Readings(schedule=bounds[-1].schedule)
        regrets = [
            simulate(
                problem, constant(gap, N), policy, seed=s, initial=0, rounds=N, readings=choices
            ).regrets.sum()
            for s in range(options.runs)
        ]
        print(f"  {policy}: {np.mean(regrets):.1f} ± {np.std(regrets) / options.runs**0.5:.1f}")
    ceiling = min(b.value for b in bounds)
    floor = max(r.value for r in simulated)
    print(f"  ceiling/best {ceiling / best:.2f}, best/floor {best / floor:.2f}")
    print("  seconds", {name: round(value, 2) for name, value in timed.items()}, flush=True)


def arms_row(count: int, epsilon: float, options: argparse.Namespace) -> None:
    """Independent arms, unit steps."""
    times = EvaluationTimes.from_durations(np.ones(N))
    problem = Problem(times, epsilon, domain=Arms(count))
    rows = list(floors(problem))
    found = one_arm_floor(problem, paths=options.paths, knots=options.knots)
    rows.append(found)
    bound = schedule_bound(problem, quick_schedule(problem))
    gains = [(level, greedy_gain(problem, level)) for level in noise_levels(problem)]
    others = regret_rows(Ingredients(problem, gains), "upper")
    ceiling = min([bound.value, *(row.value for row in others)])
    best = min(constant_ucb(problem, root, options.runs, 1.0).mean() for root in (0.5, 1, 1.5, 2))
    floor = max(row.value for row in rows)
    print(
        f"{count} arms, ε = {epsilon:g}: floors { {r.name: round(r.value, 2) for r in rows} }, "
        f"G: {found.source}, best {best:.2f}, "
        f"ceiling {ceiling:.2f}, ceiling/floor {ceiling / floor:.2f}, "
        f"best/floor {best / floor:.2f}",
        flush=True,
    )


def main() -> None:
    """Read the options and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("domain", choices=["grid", "arms"])
    parser.add_argument("--runs", type=int, default=16)
    parser.add_argument("--search", type=float, default=0.0)
    parser.add_argument("--draws", type=int, default=20_000)
    parser.add_argument("--paths", type=int, default=1_000)
    parser.add_argument("--knots", type=int, default=60)
    parser.add_argument("--explore", action="store_true")
    parser.add_argument("--only", type=int, nargs="*", help="settings by number, from 0")
    options = parser.parse_args()
    if options.domain == "grid":
        for k, (epsilon, gap) in enumerate(SETTINGS):
            if not options.only or k in options.only:
                grid_row(epsilon, gap, options)
        return
    for k, (count, epsilon) in enumerate(
        (c, e) for c in (2, 3, 5, 10) for e in (1e-1, 1e-2, 1e-3, 1e-4)
    ):
        if not options.only or k in options.only:
            arms_row(count, epsilon, options)


if __name__ == "__main__":
    main()
