"""Regret a round against ε: a finite domain, the circle, a line and a square, policies beside.

    python benchmarks/smooth_regret.py FILE.json [--plot FILE.png] [--quick]

Unit steps, σ = 1 on arms and circle, σ² = 0.1 on line and square. A cell is a domain, an ε and a
policy; FILE holds those that are done, so that a run that was cut off goes on where it was. The
exponent of ε is 1/2 on a finite domain (Theorems F and Q+) and 1/3 on a smooth one (Theorems N and
R+); on the circle no policy has less than 0.9503 (σ²ε)^{1/3} a round in the limit (Theorem C°), and
a heuristic has 1.006 for Thompson sampling. Greedy play, the largest posterior mean alone, has the
exponent 0 there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from functools import partial
from math import ceil, pi, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from bounds.arrays import FloatArray
from bounds.domain import Arms, Grid
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.schedule import Schedule
from bounds.times import EvaluationTimes
from simulation.policies.readings import Readings
from simulation.runs.arms import Game
from simulation.runs.run import simulate
from simulation.world.evaluation_time import in_order

STORED = Path(__file__).with_suffix(".json")
"""The table of this checkout; `run` computes what it lacks."""

EPSILONS = (1e-1, 1e-2, 1e-3, 1e-4)
GRID_EPSILONS = (1e-1, 1e-2, 1e-3)
ON_ARMS = ("ts", "flat-ucb:1", "index:1", "index:0")
ON_CIRCLE = ("ts", "dithered", "index:1", "flat-ucb:1", "mean")
ON_GRID = (
    "ts",
    "dithered",
    "flat-ucb",
    "block-schedule",
    "greedy-blocks",
    "ctv-fixed",
    "ei",
    "mean",
)
_ANGLES = 240
_GRID_ROUNDS = 300


def circle(policy: str, epsilon: float, rounds: int, runs: int, seed: int = 0) -> FloatArray:
    """(runs,) mean regret a round behind a tenth of the rounds, K = cos(x − y), σ = 1.

    f = θ·u(x), θ a vector of two independent components; the filter of θ is exact. `dithered`
    steps from the angle of the mean by h with h² = q/2, q the variance of the filter across it,
    over |m|: the same balance as of the policy of that name.
    """
    rng = np.random.default_rng(seed)
    theta, mean = rng.standard_normal((runs, 2)), np.zeros((runs, 2))
    cov = np.tile(np.eye(2), (runs, 1, 1))
    angles = np.linspace(0.0, 2.0 * pi, _ANGLES, endpoint=False)
    every = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    least, total, counted = 1.0, np.zeros(runs), 0
    for i in range(rounds):
        if i:
            theta = sqrt(1.0 - epsilon) * theta + sqrt(epsilon) * rng.standard_normal((runs, 2))
            mean = sqrt(1.0 - epsilon) * mean
            cov = (1.0 - epsilon) * cov + epsilon * np.eye(2)
            least = (1.0 - epsilon) * least / (1.0 + least) + epsilon
        u = _chosen(policy, i, mean, cov, least, every, rng)
        if i >= rounds // 10:
            total += np.linalg.norm(theta, axis=1) - np.sum(theta * u, axis=1)
            counted += 1
        look = np.einsum("rij,rj->ri", cov, u)
        spread = np.sum(look * u, axis=1) + 1.0
        noisy = np.sum((theta - mean) * u, axis=1) + rng.standard_normal(runs)
        mean = mean + look * (noisy / spread)[:, None]
        cov = cov - look[:, :, None] * look[:, None, :] / spread[:, None, None]
    return np.asarray(total / counted)


def _chosen(
    policy: str,
    i: int,
    mean: FloatArray,
    cov: FloatArray,
    least: float,
    every: FloatArray,
    rng: np.random.Generator,
) -> FloatArray:
    """(runs, 2) the unit vectors that are played."""
    name, _, weight = policy.partition(":")
    if name in ("index", "flat-ucb"):
        spread = np.einsum("ai,rij,aj->ra", every, cov, every)
        size = float(weight) * np.sqrt(spread)
        if name == "flat-ucb":
            size = np.sqrt(float(weight) * np.log1p((spread / least) ** 2) * spread)
        return np.asarray(every[np.argmax(mean @ every.T + size, axis=1)])
    toward = mean
    if name == "ts":
        toward = mean + np.einsum(
            "rij,rj->ri", np.linalg.cholesky(cov), rng.standard_normal(mean.shape)
        )
    if not i and name != "ts":  # nothing is known: anywhere
        toward = toward + every[0]
    length = np.maximum(np.linalg.norm(toward, axis=1), 1e-12)
    u = toward / length[:, None]
    if name == "dithered":
        across = np.stack([-u[:, 1], u[:, 0]], axis=1)
        q = np.einsum("ri,rij,rj->r", across, cov, across)
        h = np.minimum(np.sqrt(0.5 * q) / np.maximum(length, 0.1), 0.5 * pi) * (1 - 2 * (i % 2))
        u = np.cos(h)[:, None] * u + np.sin(h)[:, None] * across
    return np.asarray(u)


def arms(policy: str, epsilon: float, rounds: int, runs: int, seed: int = 0) -> FloatArray:
    """(runs,) mean regret a round of two independent arms, σ = 1."""
    times = EvaluationTimes.from_durations(np.ones(rounds))
    problem = Problem(times, epsilon=epsilon, noise_variance=1.0, domain=Arms(2))
    return np.asarray(Game(problem, runs, seed).regrets(policy) / rounds)


def grid(domain: Grid) -> Callable[[str, float, int, int], FloatArray]:
    """The same of policies of `ctv simulate` on a grid, lengthscale 0.2, σ² = 0.1."""

    def regrets(policy: str, epsilon: float, rounds: int, runs: int) -> FloatArray:
        times = EvaluationTimes.from_durations(np.ones(rounds))
        problem = Problem(times, epsilon=epsilon, noise_variance=0.1, domain=domain)
        name, acquisition = ("ctv-fixed", "ei") if policy == "ei" else (policy, "ucb")
        readings = None
        if policy == "mean":  # a schedule without a look
            name, readings = "scheduled", Readings(schedule=Schedule((), ()))
        return np.array(
            [
                simulate(
                    problem,
                    in_order(times, rounds),
                    name,
                    seed=seed,
                    initial=0,
                    rounds=rounds,
                    acquisition=acquisition,
                    exploration="sqrt-beta",
                    readings=readings,
                ).regrets.mean()
                for seed in range(runs)
            ]
        )

    return regrets


def cells(*, quick: bool = False) -> Iterator[tuple[str, str, float, Callable[[], FloatArray]]]:
    """Domain, policy, ε and what computes it."""
    longest, runs = (200, 4) if quick else (20_000, 100)
    for epsilon in EPSILONS[:2] if quick else EPSILONS:
        rounds = min(longest, ceil(40.0 / epsilon ** (2.0 / 3.0)) + 500)
        for name, of, known in (("two arms", arms, ON_ARMS), ("circle", circle, ON_CIRCLE)):
            for policy in known:
                yield name, policy, epsilon, partial(of, policy, epsilon, rounds, runs)
    shapes = {"line": Grid(1, 1.0, 12 if quick else 41), "square": Grid(2, 1.0, 4 if quick else 8)}
    rounds, runs = (30, 2) if quick else (_GRID_ROUNDS, 10)
    for name, domain in shapes.items():
        on_grid = grid(domain)
        for epsilon in GRID_EPSILONS[:1] if quick else GRID_EPSILONS:
            for policy in ON_GRID:
                yield name, policy, epsilon, partial(on_grid, policy, epsilon, rounds, runs)


def run(file: Path, *, quick: bool = False) -> list[dict[str, Any]]:
    """Every cell, those in the file as they are; the file is written after each."""
    rows: list[dict[str, Any]] = json.loads(file.read_text("utf-8")) if file.exists() else []
    known = {(row["domain"], row["policy"], row["epsilon"]) for row in rows}
    for domain, policy, epsilon, compute in cells(quick=quick):
        if (domain, policy, epsilon) in known:
            continue
        found = compute()
        rows.append(
            {
                "domain": domain,
                "policy": policy,
                "epsilon": epsilon,
                "regret_per_round": float(found.mean()),
                "error": float(found.std(ddof=1) / sqrt(len(found))),
            }
        )
        file.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return rows


def slopes(rows: list[dict[str, Any]]) -> dict[tuple[str, str], float]:
    """The slope of log regret a round against log ε between the two smallest ε, a pair each."""
    found = {}
    for domain, policy in dict.fromkeys((row["domain"], row["policy"]) for row in rows):
        own = sorted(
            (row["epsilon"], row["regret_per_round"])
            for row in rows
            if (row["domain"], row["policy"]) == (domain, policy)
        )
        if len(own) > 1:
            (low, first), (high, second) = own[:2]
            found[domain, policy] = float(np.log(second / first) / np.log(high / low))
    return found


def picture(rows: list[dict[str, Any]]) -> Figure:
    """A panel a domain, with grey lines of the slopes 1/2, 1/3 and 1/4."""
    from ctv.figures.canvas import frame

    domains = list(dict.fromkeys(row["domain"] for row in rows))
    with frame(7.2, 2.9 * ceil(len(domains) / 2)) as figure:
        for place, domain in enumerate(domains):
            axes = figure.add_subplot(ceil(len(domains) / 2), 2, place + 1)
            own = [row for row in rows if row["domain"] == domain]
            for policy in dict.fromkeys(row["policy"] for row in own):
                curve = sorted(
                    (row["epsilon"], row["regret_per_round"], row["error"])
                    for row in own
                    if row["policy"] == policy
                )
                at, mean, error = (np.array(column) for column in zip(*curve, strict=True))
                axes.errorbar(at, mean, 2.0 * error, marker="o", markersize=3, label=policy)
            at = np.array(sorted({row["epsilon"] for row in own}))
            top = max(row["regret_per_round"] for row in own)
            for slope, style in ((1 / 2, "-."), (1 / 3, "--"), (1 / 4, ":")):
                axes.plot(at, top * (at / at[-1]) ** slope, style, color="#9a9a9a", linewidth=0.8)
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_title(domain)
            axes.set_xlabel(r"$\varepsilon$")
            axes.legend(fontsize=6, frameon=False)
        for axes in figure.axes[::2]:
            axes.set_ylabel("regret a round")
    return figure


def main(words: list[str] | None = None) -> None:
    """The command of this file."""
    parser = argparse.ArgumentParser(description="Regret a round against the forgetting rate.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args(words)
    rows = run(given.file, quick=given.quick)
    for (domain, policy), slope in slopes(rows).items():
        print(f"{domain:10} {policy:16} slope {slope:.3f}")
    if given.plot is not None:
        picture(rows).savefig(given.plot, dpi=200)


if __name__ == "__main__":
    main()
