"""Time of the derivations, of the measured exponents and of a 60 × 60 phase diagram.

    python benchmarks/rates.py            medians of 5 (the table and the diagram once)

Allowed: 5 s for any derivation, 3 min for the table, 2 min for the diagram.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from bounds.rates import (
    comparisons,
    epsilon_ladder,
    findings,
    matern_exponent,
    phase_diagram,
    plain,
    regimes,
    symbolic_regimes,
)
from bounds.rivals import rival_curves
from bounds.sequences import TABLE, derived_regimes, measured_table

LARGEST_N = 100_000


def seconds_of(work: Callable[[], object], runs: int) -> float:
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def formulas() -> str:
    return plain(symbolic_regimes("theorem1").substituted(matern_exponent("paper")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    m = np.arange(LARGEST_N + 1)
    gamma = np.minimum(0.5 * m * np.log(101), 12 * np.log1p(m))
    derivations: list[tuple[str, Callable[[], object]]] = [
        ("regimes of a number c", lambda: regimes("theorem1", Fraction(6, 11))),
        ("regimes as formulas in nu and d", formulas),
        ("ladder of exponents of epsilon", epsilon_ladder),
        ("findings with witnesses", findings),
        ("comparisons", comparisons),
        ("every family", lambda: [derived_regimes(scaling, c) for scaling, c, _ in TABLE]),
        (
            "rivals over 60 rates, n = 10,000",
            lambda: rival_curves(
                10_000, np.geomspace(1e-10, 0.5, 60), gamma, 0.01, domain_size=2500
            ),
        ),
    ]
    for name, work in derivations:
        print(f"{name:45s} {seconds_of(work, runs):8.3f} s")
    rounds = np.unique(np.geomspace(10, LARGEST_N, 60).round().astype(int))
    rates = np.geomspace(1e-10, 0.9, 60)
    diagram = seconds_of(lambda: phase_diagram(gamma, 0.01, rounds, epsilons=rates), 1)
    print(f"{'phase diagram, 60 × 60, n up to 100,000':45s} {diagram:8.1f} s")
    table = seconds_of(lambda: measured_table(np.random.default_rng(0)), 1)
    print(f"{'measured exponents, ' + str(len(TABLE)) + ' rows':45s} {table:8.1f} s")


if __name__ == "__main__":
    main()
