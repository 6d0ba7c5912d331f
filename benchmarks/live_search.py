"""What a drift model earns in a search: ask and tell against samplers that know no time.

    python benchmarks/live_search.py [SEEDS] [TRIALS]

The objective moves from one table of real fits (a support vector machine) to another (a forest) and
back, with the period given in units of the whole search; y is one of the repetitions of a fit, and
each evaluation lasts as long as that fit did. Every sampler sees the same stream of noise. Printed
is the regret per trial, in accuracy, with its standard error over seeds. Needs optuna; its
GPSampler needs torch as well, and is left out without.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import optuna

from own_runs.live.session import Search
from simulation.prior.hyperprior import Hyperprior

STEPS = 10
PERIODS = (4.0, 1.0, 0.25)
"""In units of the whole search: slow, medium, fast."""
DOMAIN = f"x1=0..{STEPS - 1} int, x2=0..{STEPS - 1} int"
Ask = Callable[[], tuple[int, int]]
Tell = Callable[[float, float], None]


class Stream:
    """Two tables of real fits, one fading into the other."""

    def __init__(self, period: float, trials: int, seed: int) -> None:
        read = [self._table(name) for name in ("svc_digits", "forest_digits")]
        self.seconds = np.mean([seconds for seconds, _ in read], axis=0)
        self.scores = [scores for _, scores in read]
        self.period = period * trials * float(self.seconds.mean())
        self.rng = np.random.default_rng(seed)
        self.now = 0.0

    @staticmethod
    def _table(name: str) -> tuple[np.ndarray, np.ndarray]:
        text = (files("own_runs") / "data" / f"{name}.csv").read_text(encoding="utf-8")
        cells = np.loadtxt(text.splitlines(), delimiter=",", skiprows=1)
        return cells[:, 2], cells[:, 3:]

    def evaluate(self, x1: int, x2: int) -> tuple[float, float]:
        """y, and the regret of the point when its evaluation ends."""
        cell = STEPS * x1 + x2
        self.now += float(self.seconds[cell])
        share = 0.5 - 0.5 * np.cos(2.0 * np.pi * self.now / self.period)
        first, second = ((1.0 - share) * self.scores[0], share * self.scores[1])
        mean = (first + second).mean(axis=1)
        repeat = int(self.rng.integers(first.shape[1]))
        return float(first[cell, repeat] + second[cell, repeat]), float(mean.max() - mean[cell])


def searching(hyperprior: Hyperprior | None) -> Callable[[Stream, int, int], float]:
    """Ask and tell of this project, drift by evidence or none."""

    def run(stream: Stream, trials: int, seed: int) -> float:
        total = 0.0
        with tempfile.TemporaryDirectory() as folder:
            search = Search(
                Path(folder) / "search.json",
                DOMAIN,
                "maximize",
                seed=seed,
                draws=96,
                hyperprior=hyperprior,
            )
            for _ in range(trials):
                number, inputs = search.ask(stream.now)
                y, regret = stream.evaluate(int(inputs["x1"]), int(inputs["x2"]))
                search.tell(number, y, stream.now)
                total += regret
        return total / trials

    return run


def sampling(
    make: Callable[[int], optuna.samplers.BaseSampler],
) -> Callable[[Stream, int, int], float]:
    """A sampler of Optuna."""

    def run(stream: Stream, trials: int, seed: int) -> float:
        study = optuna.create_study(sampler=make(seed), direction="maximize")
        total = 0.0
        for _ in range(trials):
            trial = study.ask()
            x1, x2 = (trial.suggest_int(name, 0, STEPS - 1) for name in ("x1", "x2"))
            y, regret = stream.evaluate(x1, x2)
            study.tell(trial, y)
            total += regret
        return total / trials

    return run


def main(seeds: int, trials: int) -> None:
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    samplers = {
        "ctv, drift by evidence": searching(None),
        "ctv, no drift": searching(Hyperprior(drift=0.0)),
        "TPE": sampling(lambda seed: optuna.samplers.TPESampler(seed=seed)),
        "random": sampling(lambda seed: optuna.samplers.RandomSampler(seed=seed)),
    }
    if find_spec("torch") is not None:
        samplers["GPSampler"] = sampling(lambda seed: optuna.samplers.GPSampler(seed=seed))
    print(f"regret per trial in accuracy, {trials} trials, {seeds} seeds")
    for period in PERIODS:
        for name, run in samplers.items():
            found = [run(Stream(period, trials, seed), trials, seed) for seed in range(seeds)]
            error = np.std(found, ddof=1) / np.sqrt(seeds)
            print(f"period {period:5g}  {name:24s} {np.mean(found):.4f} ± {error:.4f}", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in (sys.argv[1:] + ["8", "40"][len(sys.argv) - 1 :])[:2]))
