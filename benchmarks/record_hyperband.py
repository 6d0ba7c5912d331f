"""Record a real Hyperband search: `python benchmarks/record_hyperband.py [FILE]`.

Gradient boosting on the digits of scikit-learn, the number of boosting stages as the resource
(R = 27, η = 3): bracket s starts ⌈4·3^s/(s+1)⌉ configurations at 27/3^s stages, and thirds of them
go on with three times as many. Every bracket ends with the refit of its best configuration, with
`REFIT` stages on all the data, as searches of scikit-learn do: it takes its time and is no
evaluation. The clock is that of the process, so that other work on the machine does not count.

Short fits come in bursts, long ones between; the file is `ctv/data/hyperband_digits.csv`.
"""

from __future__ import annotations

import csv
import sys
import time
from math import ceil
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.model_selection import train_test_split

LARGEST, FACTOR, LOOPS, REFIT = 27, 3, 3, 300
"""R, η, repetitions of all brackets, and boosting stages of a refit."""

FILE = Path(__file__).resolve().parents[1] / "ctv" / "data" / "hyperband_digits.csv"
COLUMNS = ("round", "bracket", "stages", "learning_rate", "max_depth", "start", "end", "accuracy")


def brackets() -> list[tuple[int, int]]:
    """(configurations, stages) with which each bracket of one loop starts."""
    most = round(np.log(LARGEST) / np.log(FACTOR))
    return [
        (ceil((most + 1) * FACTOR**s / (s + 1)), LARGEST // FACTOR**s) for s in range(most, -1, -1)
    ]


def boosting(stages: int, rate: float, depth: int, seed: int) -> GradientBoostingClassifier:
    """The model of one configuration; eight features a split."""
    return GradientBoostingClassifier(
        n_estimators=stages,
        learning_rate=rate,
        max_depth=depth,
        max_features="sqrt",
        random_state=seed,
    )


def record(file: Path, seed: int = 0) -> None:
    """Run the search and write a row for each evaluation."""
    rng = np.random.default_rng(seed)
    x, y = load_digits(return_X_y=True)
    train, test, labels, truth = train_test_split(x, y, test_size=0.3, random_state=seed)
    rows: list[tuple[object, ...]] = []
    begun = time.process_time()
    for number in range(LOOPS):
        for place, (count, stages) in enumerate(brackets()):
            name = number * len(brackets()) + place + 1
            running = [
                (10.0 ** rng.uniform(-2.0, 0.0), int(rng.integers(2, 5))) for _ in range(count)
            ]
            while running and stages <= LARGEST:
                scores = []
                for rate, depth in running:
                    start = time.process_time() - begun
                    model = boosting(stages, rate, depth, seed).fit(train, labels)
                    score = float(model.score(test, truth))
                    end = time.process_time() - begun
                    scores.append(score)
                    row = (len(rows) + 1, name, stages, f"{rate:.6f}", depth)
                    rows.append((*row, f"{start:.6f}", f"{end:.6f}", f"{score:.6f}"))
                best = np.argsort(scores, kind="stable")[::-1]
                leader = running[int(best[0])]
                running = [running[int(i)] for i in best[: len(running) // FACTOR]]
                stages *= FACTOR
            boosting(REFIT, *leader, seed).fit(x, y)
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


if __name__ == "__main__":
    record(Path(sys.argv[1]) if len(sys.argv) > 1 else FILE)
