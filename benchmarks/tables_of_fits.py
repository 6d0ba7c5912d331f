"""Tables of real model fits: accuracy and seconds on a grid of two hyperparameters, repeated.

    python benchmarks/tables_of_fits.py benchmarks

Truths that are drawn from no Gaussian process, for the coverage of fitted certificates. Each cell
of a 10 x 10 grid is fitted six times, each time to another random half of scikit-learn's digits.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.svm import SVC

STEPS, REPEATS, ROWS = 10, 6, 500


def machine(x1: float, x2: float) -> SVC:
    """C from 0.01 to 1,000 and gamma from 1e-5 to 1e-1, both by logarithm."""
    return SVC(C=10 ** (-2 + 5 * x1), gamma=10 ** (-5 + 4 * x2))


def forest(x1: float, x2: float) -> RandomForestClassifier:
    """1 to 64 trees by logarithm, of depth 1 to 10."""
    return RandomForestClassifier(round(64**x1), max_depth=1 + round(9 * x2), random_state=0)


def rows(model: Callable[[float, float], object]) -> list[list[str]]:
    """x1, x2, mean seconds and the accuracies of one model's grid."""
    data = load_digits(return_X_y=True)
    found = []
    for x1 in np.linspace(0.0, 1.0, STEPS):
        for x2 in np.linspace(0.0, 1.0, STEPS):
            scores, seconds = [], []
            for repeat in range(REPEATS):
                order = np.random.default_rng(repeat).permutation(len(data[0]))[: 2 * ROWS]
                train, test = order[:ROWS], order[ROWS:]
                begun = perf_counter()
                fitted = model(x1, x2).fit(data[0][train], data[1][train])  # type: ignore[attr-defined]
                scores.append(fitted.score(data[0][test], data[1][test]))
                seconds.append(perf_counter() - begun)
            found.append(
                [f"{x1:.4f}", f"{x2:.4f}", f"{np.mean(seconds):.5f}", *(f"{s:.4f}" for s in scores)]
            )
    return found


def main(folder: Path) -> None:
    header = ["x1", "x2", "seconds", *(f"accuracy{i + 1}" for i in range(REPEATS))]
    for name, model in (("svc_digits", machine), ("forest_digits", forest)):
        with (folder / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([header, *rows(model)])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
