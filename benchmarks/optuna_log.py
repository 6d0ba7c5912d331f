"""A real log of Optuna: 60 trials of its TPE sampler on a support vector machine.

    python benchmarks/optuna_log.py ctv/data/optuna_trials.csv

Needs optuna. Every eleventh trial fails, as trials do.
"""

from __future__ import annotations

import sys

import numpy as np
import optuna
from sklearn.datasets import load_digits
from sklearn.svm import SVC

TRIALS, ROWS = 60, 500


def objective(trial: optuna.Trial) -> float:
    """The error on 500 digits of a machine fitted to 500 others, another half every time."""
    cost = trial.suggest_float("C", 1e-2, 1e3, log=True)
    width = trial.suggest_float("gamma", 1e-5, 1e-1, log=True)
    if trial.number % 11 == 10:
        raise RuntimeError("a machine was taken away")
    x, y = load_digits(return_X_y=True)
    order = np.random.default_rng(trial.number).permutation(len(x))[: 2 * ROWS]
    train, test = order[:ROWS], order[ROWS:]
    return float(1.0 - SVC(C=cost, gamma=width).fit(x[train], y[train]).score(x[test], y[test]))


def main(path: str) -> None:
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=0))
    study.optimize(objective, n_trials=TRIALS, catch=(RuntimeError,))
    study.trials_dataframe().to_csv(path)


if __name__ == "__main__":
    main(sys.argv[1])
