"""Mean regret a round over √ε on independent points: the index, elimination, Thompson sampling.

    python benchmarks/finite_domain_rate.py [EPSILON ...] [--points N] [--rounds N] [--repeats N]

Unit steps, σ² = 1, forgetting kernel: the setting of Theorem Q (docs/theory.md#elimination), whose
table this makes; λ² = 2 log(|D|/ε). Of independent points each has a posterior of its own, so a
round costs O(|D|) and 10⁸ rounds take some seconds.
"""

from __future__ import annotations

import argparse
from math import log, sqrt

import numpy as np
from numba import njit

POLICIES = ("index", "elimination", "Thompson sampling")


@njit(cache=True)  # type: ignore[untyped-decorator]
def regret_per_round(
    policy: int, points: int, epsilon: float, weight: float, rounds: int, rng: np.random.Generator
) -> float:
    """Mean regret of one run; `policy` is a place in `POLICIES`."""
    kept, fresh = sqrt(1.0 - epsilon), sqrt(epsilon)
    values, mean, variance = rng.standard_normal(points), np.zeros(points), np.ones(points)
    lost = 0.0
    for _ in range(rounds):
        chosen, highest = 0, -np.inf
        if policy == 1:
            bar = np.max(mean - weight * np.sqrt(variance))
        for x in range(points):
            spread = sqrt(variance[x])
            if policy == 0:
                score = mean[x] + weight * spread
            elif policy == 1:
                score = variance[x] if mean[x] + weight * spread >= bar else -1.0
            else:
                score = mean[x] + spread * rng.standard_normal()
            if score > highest:
                chosen, highest = x, score
        lost += np.max(values) - values[chosen]
        gain = variance[chosen] / (variance[chosen] + 1.0)
        mean[chosen] += gain * (values[chosen] + rng.standard_normal() - mean[chosen])
        variance[chosen] *= 1.0 - gain
        for x in range(points):
            values[x] = kept * values[x] + fresh * rng.standard_normal()
            mean[x] *= kept
            variance[x] = kept * kept * variance[x] + epsilon
    return lost / rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("epsilon", nargs="*", type=float, default=[1e-2, 1e-3, 1e-4])
    parser.add_argument("--points", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5_000_000)
    parser.add_argument("--repeats", type=int, default=4)
    options = parser.parse_args()
    print("policy              epsilon  regret/√ε  standard error")
    for epsilon in options.epsilon:
        weight = sqrt(2.0 * log(options.points / epsilon))
        for place, name in enumerate(POLICIES):
            runs = [
                regret_per_round(
                    place,
                    options.points,
                    epsilon,
                    weight,
                    options.rounds,
                    np.random.default_rng(seed),
                )
                for seed in range(options.repeats)
            ]
            error = np.std(runs, ddof=1) / sqrt(len(runs)) if len(runs) > 1 else np.nan
            over = np.mean(runs) / sqrt(epsilon)
            print(f"{name:18} {epsilon:8.0e} {over:10.2f} {error / sqrt(epsilon):15.2f}")


if __name__ == "__main__":
    main()
