"""Samplers on objectives that drift: regret and processor time of an ask, ours and peers'.

    python benchmarks/live_search.py FILE [SEEDS] [TRIALS] [NAME...]
    python benchmarks/live_search.py FILE --table

Four objectives that are not this project's, each a table over 13×13 points and the trials: draws of
a squared exponential and of a Matérn-5/2 kernel (lengthscale 0.2) that forget a share 0.03 a trial,
errors of variance 0.01, as in the papers on time-varying bandits; a field of temperatures with its
day, a front that passes and places that differ; and the accuracy of a regression with a forgetting
factor and a ridge on a stream of opinion polls (`river`), scored on a random half of each batch.
Regret is in deviations of the table. Every sampler meets the same table and the same errors, one
trial a unit of time. Every run is written to FILE as it ends, and is not run again; names restrict
the samplers. Those whose package is missing are left out.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from math import ceil, log, sqrt
from pathlib import Path

import numpy as np

from own_runs.live.session import FIRST, Search
from simulation.prior.hyperprior import Hyperprior

SIDE = 13
PLACES = np.stack(np.meshgrid(*[np.linspace(0.0, 1.0, SIDE)] * 2, indexing="ij"), -1).reshape(-1, 2)
DOMAIN = f"x1=0..{SIDE - 1} int, x2=0..{SIDE - 1} int"
FORGOTTEN = 0.03


class Table:
    """f at every trial and place, the errors of y, and the trials so far."""

    def __init__(self, values: np.ndarray, errors: np.ndarray) -> None:
        center, scale = values.mean(), values.std()
        self.values, self.errors = (values - center) / scale, errors / scale
        self.now = 0

    def evaluate(self, place: int) -> tuple[float, float]:
        """y and the regret of a place now, one unit of time later."""
        row = self.values[self.now]
        y = float(row[place] + self.errors[self.now, place])
        self.now += 1
        return y, float(row.max() - row[place])


def forgetting_draw(kernel: Callable[[np.ndarray], np.ndarray], trials: int, seed: int) -> Table:
    rng = np.random.default_rng([seed, 1])
    gram = kernel(np.linalg.norm(PLACES[:, None] - PLACES[None], axis=-1) / 0.2)
    root = np.linalg.cholesky(gram + 1e-8 * np.eye(len(PLACES)))
    fresh = rng.standard_normal((trials, len(PLACES))) @ root.T
    for t in range(1, trials):
        fresh[t] = sqrt(1.0 - FORGOTTEN) * fresh[t - 1] + sqrt(FORGOTTEN) * fresh[t]
    return Table(fresh, 0.1 * rng.standard_normal(fresh.shape))


def se(trials: int, seed: int) -> Table:
    return forgetting_draw(lambda r: np.exp(-0.5 * r**2), trials, seed)


def matern(trials: int, seed: int) -> Table:
    return forgetting_draw(
        lambda r: (1 + sqrt(5) * r + 5 / 3 * r**2) * np.exp(-sqrt(5) * r), trials, seed + 1_000
    )


def temperature(trials: int, seed: int) -> Table:
    """An hour a trial: the sun by exposure, a front, and the ground."""
    rng = np.random.default_rng([seed, 2])
    hours = np.arange(trials)[:, None]
    centers, amounts = rng.random((6, 2)), rng.normal(0.0, 2.0, 6)
    ground = sum(
        a * np.exp(-8.0 * np.sum((PLACES - c) ** 2, axis=1))
        for a, c in zip(amounts, centers, strict=True)
    )
    exposure = 2.0 + PLACES @ rng.uniform(-2.0, 2.0, 2)
    phase = rng.uniform(0.0, 24.0) + 3.0 * PLACES[:, 0]
    sun = 3.0 * exposure * np.maximum(np.sin(2.0 * np.pi * (hours + phase) / 24.0), -0.3)
    angle = rng.uniform(0.0, 2.0 * np.pi)
    along = PLACES @ np.array([np.cos(angle), np.sin(angle)])
    front = 4.0 * np.tanh(4.0 * (along - (hours / trials * 2.0 - 0.5)))
    return Table(ground + sun + front, rng.normal(0.0, 0.5, (trials, len(PLACES))))


def stream(trials: int, seed: int) -> Table:
    """Minus the logarithm of the absolute error of a regression on the next batch of polls."""
    from river import datasets

    rng = np.random.default_rng([seed, 3])
    rows = [(list(x.values()), y) for x, y in datasets.TrumpApproval()]
    polls = np.array([x[1:] for x, _ in rows]) - 40.0
    target = np.array([y for _, y in rows]) - 40.0
    kept = np.sort(rng.choice(len(rows), size=(trials + 1) * 20, replace=False))
    # Each seed reads two of the five polls, and another sample of days.
    chosen = rng.choice(polls.shape[1], 2, replace=False)
    design = np.column_stack([np.ones(len(kept)), polls[kept][:, chosen]])
    target = target[kept] + 0.3 * rng.standard_normal(len(kept))
    half_lives, ridges = np.geomspace(2.0, 500.0, SIDE), np.geomspace(1e-3, 1e3, SIDE)
    mean, seen = np.empty((2, trials, SIDE, SIDE))
    grams, moments = np.zeros((SIDE, 3, 3)), np.zeros((SIDE, 3))
    for t in range(trials + 1):
        batch = slice(20 * t, 20 * t + 20)
        if t:
            some = rng.choice(20, 10, replace=False)
            for j, ridge in enumerate(ridges):
                weights = np.linalg.solve(grams + ridge * np.eye(3), moments[..., None])[..., 0]
                off = np.abs(design[batch] @ weights.T - target[batch, None])
                mean[t - 1, :, j] = -np.log(off.mean(axis=0))
                seen[t - 1, :, j] = -np.log(off[some].mean(axis=0))
        for x, y in zip(design[batch], target[batch], strict=True):
            fade = 0.5 ** (1.0 / half_lives)
            grams = fade[:, None, None] * grams + np.outer(x, x)
            moments = fade[:, None] * moments + x * y
    flat = mean.reshape(trials, -1)
    return Table(flat, seen.reshape(trials, -1) - flat)


OBJECTIVES = {"se": se, "matern": matern, "temperature": temperature, "stream": stream}

Player = Iterator[int]
"""Yields a place; is sent y. A generator holds what a sampler knows."""


def ours(policy: str, hyperprior: Hyperprior | None = None) -> Callable[[int, int], Player]:
    """Ask and tell of this project."""

    def play(trials: int, seed: int) -> Player:
        with tempfile.TemporaryDirectory() as folder:
            search = Search(
                Path(folder) / "search.json",
                DOMAIN,
                "maximize",
                policy=policy,
                seed=seed,
                draws=96,
                hyperprior=hyperprior,
            )
            for t in range(trials):
                number, inputs = search.ask(float(t))
                y = yield SIDE * int(inputs["x1"]) + int(inputs["x2"])
                search.tell(number, y, t + 1.0)

    return play


def of_optuna(name: str, **options: int) -> Callable[[int, int], Player]:
    def play(trials: int, seed: int) -> Player:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        sampler = getattr(optuna.samplers, name)(seed=seed, **options)
        study = optuna.create_study(sampler=sampler, direction="maximize")
        for _ in range(trials):
            trial = study.ask()
            x1, x2 = (trial.suggest_int(name, 0, SIDE - 1) for name in ("x1", "x2"))
            study.tell(trial, (yield SIDE * x1 + x2))

    return play


def first_places(seed: int) -> list[int]:
    return [int(i) for i in np.random.default_rng([seed, 4]).integers(len(PLACES), size=FIRST)]


def botorch(trials: int, seed: int) -> Player:
    """SingleTaskGP over the inputs and time, fitted at every ask; the upper confidence bound."""
    import torch
    from botorch.fit import fit_gpytorch_mll
    from botorch.models import SingleTaskGP
    from botorch.models.transforms import Normalize, Standardize
    from gpytorch.mlls import ExactMarginalLogLikelihood

    rows: list[list[float]] = []
    values: list[float] = []
    where = torch.tensor(PLACES)
    for t in range(trials):
        if t < FIRST:
            place = first_places(seed)[t]
        else:
            x, y = torch.tensor(rows, dtype=torch.double), torch.tensor(values).double()[:, None]
            bounds = torch.tensor([[0.0, 0.0, 0.0], [1.0, 1.0, float(trials)]], dtype=torch.double)
            model = SingleTaskGP(
                x, y, input_transform=Normalize(3, bounds=bounds), outcome_transform=Standardize(1)
            )
            fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
            with torch.no_grad():
                now = torch.full((len(where), 1), float(t), dtype=torch.double)
                found = model.posterior(torch.cat([where, now], dim=1)[:, None])
                index = found.mean.flatten() + 2.0 * found.variance.flatten().sqrt()
            place = int(index.argmax())
        values.append((yield place))
        rows.append([*PLACES[place], float(t)])


def w_dbo(trials: int, seed: int) -> Player:
    """The authors' own package, Matérn-5/2 in space and Matérn-3/2 in time."""
    import torch
    from gpytorch.kernels import MaternKernel
    from wdbo_algo.optimizer import WDBOOptimizer

    torch.set_default_dtype(torch.double)
    torch.manual_seed(seed)
    np.random.seed(seed)  # noqa: NPY002 the package draws from it
    domain = np.array([[0.0, SIDE - 1.0]] * 2)
    own = WDBOOptimizer(domain, MaternKernel, MaternKernel, [2.5], [1.5], FIRST)
    for t in range(trials):
        x = np.rint(own.next_query(t / trials))
        y = yield int(SIDE * x[0] + x[1])
        own.tell(x, t / trials, y)
        own.clean((t + 1) / trials)


def likeliest(points: np.ndarray, times: np.ndarray, values: np.ndarray) -> tuple[float, ...]:
    """ℓ, σ² and ε of largest likelihood on a grid, for k(x, x')(1 − ε)^{|t − t'|/2}."""
    apart = np.sum((points[:, None] - points[None]) ** 2, axis=-1)
    gaps = np.abs(times[:, None] - times[None])
    grid = [
        (length, noise, lost)
        for length in (0.1, 0.2, 0.4, 0.8)
        for noise in (1e-3, 1e-2, 1e-1)
        for lost in (0.0, 0.003, 0.01, 0.03, 0.1, 0.3)
    ]
    n = len(values)
    grams = np.stack(
        [
            np.exp(-0.5 * apart / length**2) * (1.0 - lost) ** (0.5 * gaps) + noise * np.eye(n)
            for length, noise, lost in grid
        ]
    )
    roots = np.linalg.cholesky(grams)
    white = np.linalg.solve(roots, np.broadcast_to(values[:, None], (len(grid), n, 1)))
    logs = -0.5 * np.sum(white**2, axis=(1, 2))
    logs -= np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)
    return grid[int(np.argmax(logs))]


def bogunovic(*, resets: bool) -> Callable[[int, int], Player]:
    """TV-GP-UCB or R-GP-UCB of arXiv 1601.06650, with β = 0.8 log 4t and blocks of 12 ε^{−1/4}."""

    def play(trials: int, seed: int) -> Player:
        chosen: list[int] = []
        values: list[float] = []
        begun = 0
        for t in range(trials):
            if t < FIRST:
                place = first_places(seed)[t]
            else:
                y = np.array(values)
                y = (y - y.mean()) / y.std()
                times, points = np.arange(t, dtype=float), PLACES[chosen]
                length, noise, lost = likeliest(points, times, y)
                if resets:
                    if lost and t - begun >= ceil(12.0 * lost**-0.25):
                        begun = t
                    points, times, y, lost = points[begun:], times[begun:], y[begun:], 0.0
                apart = np.sum((points[:, None] - points[None]) ** 2, axis=-1)
                gram = np.exp(-0.5 * apart / length**2)
                gram *= (1.0 - lost) ** (0.5 * np.abs(times[:, None] - times[None]))
                far = np.sum((points[:, None] - PLACES[None]) ** 2, axis=-1)
                cross = np.exp(-0.5 * far / length**2)
                cross *= ((1.0 - lost) ** (0.5 * (t - times)))[:, None]
                solved = np.linalg.solve(gram + noise * np.eye(len(y)), cross)
                left = np.maximum(1.0 - np.sum(cross * solved, axis=0), 0.0)
                place = int(np.argmax(y @ solved + np.sqrt(0.8 * log(4.0 * (t + 1)) * left)))
            chosen.append(place)
            values.append((yield place))

    return play


SAMPLERS: dict[str, tuple[str, Callable[[int, int], Player], str | None]] = {
    "ctv": ("`ctv`, drift by evidence", ours("ctv"), None),
    "ctv-less": ("`ctv:1.25`, drift by evidence", ours("ctv:1.25"), None),
    "predictive": ("`predictive`, drift by evidence", ours("predictive"), None),
    "still": ("`ctv`, no drift", ours("ctv", Hyperprior(drift=0.0)), None),
    "tv-gp-ucb": ("TV-GP-UCB, likeliest kernel", bogunovic(resets=False), None),
    "r-gp-ucb": ("R-GP-UCB, likeliest kernel", bogunovic(resets=True), None),
    "w-dbo": ("W-DBO (`wdbo_algo`)", w_dbo, "wdbo_algo"),
    "botorch": ("BoTorch, time as an input", botorch, "botorch"),
    "gp": ("Optuna's GPSampler", of_optuna("GPSampler", n_startup_trials=FIRST), "torch"),
    "tpe": ("Optuna's TPE", of_optuna("TPESampler"), "optuna"),
    "random": ("random", of_optuna("RandomSampler"), "optuna"),
}


def run(objective: str, sampler: str, trials: int, seed: int) -> dict[str, float]:
    """Regret per trial in deviations, and processor seconds of an ask with its tell."""
    table = OBJECTIVES[objective](trials, seed)
    player, lost, spent, y = SAMPLERS[sampler][1](trials, seed), 0.0, 0.0, None
    for _ in range(trials):
        begun = time.process_time()
        place = player.send(y)  # type: ignore[attr-defined, arg-type]
        spent += time.process_time() - begun
        y, regret = table.evaluate(place)
        lost += regret
    player.close()  # type: ignore[attr-defined]
    return {"regret": lost / trials, "seconds": spent / trials}


def table(found: dict[str, dict[str, float]]) -> str:
    """Regret with its standard error over seeds, and milliseconds of an ask."""
    lines = [
        "| sampler | " + " | ".join(OBJECTIVES) + " | ms an ask |",
        "|---|" + "--:|" * (len(OBJECTIVES) + 1),
    ]
    for name, (title, _, _) in SAMPLERS.items():
        cells, times = [], []
        for objective in OBJECTIVES:
            own = [row for key, row in found.items() if key.startswith(f"{objective} {name} ")]
            regrets = np.array([row["regret"] for row in own])
            times += [row["seconds"] for row in own]
            error = np.std(regrets, ddof=1) / sqrt(len(own)) if len(own) > 1 else float("nan")
            cells.append(f"{np.mean(regrets):.3f} ± {error:.3f}" if len(own) else "–")
        took = f"{1e3 * np.median(times):.2g}" if times else "–"
        lines.append(f"| {title} | " + " | ".join(cells) + f" | {took} |")
    return "\n".join(lines)


def main(path: Path, seeds: int, trials: int, names: list[str]) -> None:
    warnings.filterwarnings("ignore")
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for seed in range(seeds):
        for sampler in names or SAMPLERS:
            package = SAMPLERS[sampler][2]
            if package is not None and find_spec(package) is None:
                continue
            for objective in OBJECTIVES:
                key = f"{objective} {sampler} {seed} {trials}"
                if key not in known:
                    known[key] = run(objective, sampler, trials, seed)
                    path.write_text(json.dumps(known, indent=0) + "\n", encoding="utf-8")
    print(table(known))


if __name__ == "__main__":
    file, *words = sys.argv[1:]
    if words == ["--table"]:
        print(table(json.loads(Path(file).read_text(encoding="utf-8"))))
    else:
        numbers = [int(word) for word in words if word.isdigit()]
        main(
            Path(file), *(numbers + [20, 40][len(numbers) :]), [w for w in words if not w.isdigit()]
        )
