"""How often certificates of a fitted prior hold in worlds that its family does not contain.

    python -m benchmarks.worlds benchmarks/worlds.json --runs 4 --seed 0

adds logs to the file until every world has so many, one log of each world before the second of
any; it writes after every log, so that a run that is ended goes on where it was. One to five
seconds of a processor a log.

Every world lives on a 10 × 10 grid of the unit square, evaluations take 1 + 2 x1, and the policy,
which knows nothing of it, is the one of `fit_coverage` (a log of even seed) or random (of odd).
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.fit_coverage import SQUARE, upper_confidence
from bounds.arrays import FloatArray, IntArray
from bounds.writing import write_whole
from own_runs.certificates.mixture import certify_log
from own_runs.logs.observations import Observations
from own_runs.prior.fit import fit
from simulation.after_run.coverage import binomial_interval
from simulation.after_run.rank import rank_of

ROUNDS = 60
PATHS = 19
"""Posterior draws of a certificate: of level 0.9 is the largest of nineteen, half of δ being left
for misfit, and for the known world the eighteenth."""
STEPS = 10
_STEP = 0.25
_FIRST = 15
_CHANGE = 60.0

Kernel = Callable[[FloatArray], FloatArray]


def _se(scale: float) -> Kernel:
    return lambda r: np.exp(-0.5 * (r / scale) ** 2)


def _forgetting(half_life: float) -> Kernel:
    return lambda r: np.exp(-np.log(2.0) * r / half_life)


def _matern32(scale: float) -> Kernel:
    return lambda r: (1.0 + np.sqrt(3.0) * r / scale) * np.exp(-np.sqrt(3.0) * r / scale)


def _rational_quadratic(scale: float, alpha: float) -> Kernel:
    return lambda r: (1.0 + r**2 / (2.0 * alpha * scale**2)) ** -alpha


def _periodic(period: float, scale: float) -> Kernel:
    return lambda r: np.exp(-2.0 * np.sin(np.pi * r / period) ** 2 / scale**2)


def _same(values: FloatArray) -> FloatArray:
    return values


def _even(x1: FloatArray) -> FloatArray:
    return np.full(np.shape(x1), 0.1)


_SMOOTH, _SLOW = _se(0.3), _forgetting(60.0)


def _apart(x: FloatArray) -> FloatArray:
    """Points whose second input is above a half lie far from the others."""
    return np.where(x[:, [1]] > 0.5, x + np.array([0.0, 5.0]), x)


@dataclass(frozen=True)
class World:
    """What draws f and y.

    Attributes
    ----------
    name : of the world, with what it has beside the family
    space : kernel of the distance between points, by default smooth at ℓ = 0.3
    time : kernel of the time between instants, by default forgetting with half-life 60
    shape : from the Gaussian process to f
    inputs : from the points to where they lie for the kernel
    noise : x1 ↦ standard deviation of the errors
    degrees : of freedom of Student errors of that deviation; infinite for normal ones
    change : whether f is another draw from the middle of the log on
    """

    name: str
    space: Kernel = _SMOOTH
    time: Kernel = _SLOW
    shape: Callable[[FloatArray], FloatArray] = _same
    inputs: Callable[[FloatArray], FloatArray] = _same
    noise: Callable[[FloatArray], FloatArray] = _even
    degrees: float = float("inf")
    change: bool = False

    def over_time(self, times: FloatArray) -> FloatArray:
        """(n, n) the covariance of f at one point."""
        covariance = self.time(np.abs(np.subtract.outer(times, times)))
        if self.change:
            later = times > _CHANGE
            covariance = covariance * np.equal.outer(later, later)
        return covariance

    def over_space(self, sites: FloatArray) -> FloatArray:
        """(M, M) the covariance of f at one time."""
        at = self.inputs(sites)
        return self.space(np.sqrt(np.sum((at[:, None] - at[None]) ** 2, axis=-1)))


WORLDS = (
    World("of the family"),
    World("skewed: f is the exponential of a draw", shape=np.exp),
    World("saturating", shape=lambda g: 1.0 - np.exp(-np.exp(g))),
    World("two lengthscales", space=lambda r: 0.7 * _se(0.5)(r) + 0.3 * _se(0.1)(r)),
    World("rough in space", space=lambda r: np.exp(-r / 0.5)),
    World("warped inputs", inputs=lambda x: x**3),
    World("rational quadratic in time", time=_rational_quadratic(15.0, 0.5)),
    World("Matérn-3/2 in time", time=_matern32(60.0)),
    World("smooth in time", time=_se(50.0)),
    World("periodic in time", time=_periodic(30.0, 1.0)),
    World("day and night", time=lambda r: 0.5 + 0.5 * np.cos(2.0 * np.pi * r / 24.0)),
    World("one change point", time=lambda r: np.ones(np.shape(r)), change=True),
    World("Student errors", degrees=3.0),
    World("errors that grow with an input", noise=lambda x1: 0.02 + 0.3 * x1),
    World("halves of an input apart", inputs=_apart),
    World("fast drift", time=_forgetting(10.0)),
)
"""The family itself, and fifteen beside it."""


@dataclass(frozen=True)
class Row:
    """What one log of a world says: regrets, and the certificates of level 0.9 of them.

    `truth_cumulative` and `truth_simple` are those of the world itself, as if it were known; None
    where f or its errors are not Gaussian.
    """

    world: str
    seed: int
    cumulative: float
    cumulative_at_most: float
    simple: float
    simple_at_most: float
    truth_cumulative: float | None
    truth_simple: float | None


def _sites() -> FloatArray:
    """(100, 2) the grid."""
    line = np.linspace(0.0, 1.0, STEPS)
    return np.stack(np.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)


def _root(gram: FloatArray) -> FloatArray:
    values, vectors = np.linalg.eigh(gram)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def simulated(world: World, seed: int) -> tuple[Observations, FloatArray, IntArray]:
    """A log of a world; (n, sites) f when each evaluation ended, and (n,) the sites played."""
    rng = np.random.default_rng(np.random.SeedSequence([seed, ROUNDS], spawn_key=(19,)))
    sites = _sites()
    clock = np.arange(0.0, 3.0 * ROUNDS + _STEP, _STEP)
    over_time = _root(world.over_time(clock))
    over_space = _root(world.over_space(sites))
    f = world.shape(over_time @ rng.standard_normal((len(clock), len(sites))) @ over_space.T)
    played: list[int] = []
    values: list[float] = []
    ends: list[float] = []
    for i in range(ROUNDS):
        x = int(rng.integers(len(sites)))
        if i >= _FIRST and seed % 2 == 0:
            y = np.array(values)
            standard = (y - y.mean()) / max(float(y.std()), 1e-12)
            x = upper_confidence(sites, np.array(played), standard, np.array(ends))
        end = (ends[-1] if ends else 0.0) + 1.0 + 2.0 * float(sites[x, 0])
        error = float(world.noise(sites[x, 0]))
        if np.isfinite(world.degrees):
            spread = np.sqrt(world.degrees / (world.degrees - 2.0))
            error *= float(rng.standard_t(world.degrees)) / float(spread)
        else:
            error *= float(rng.standard_normal())
        played.append(x)
        ends.append(end)
        values.append(float(f[round(end / _STEP), x]) + error)
    source = f"{world.name}, log {seed}"
    log = Observations.one_by_one(SQUARE, sites[played], values, ends, "maximize", source)
    return log, f[np.rint(log.times / _STEP).astype(np.int64)], np.array(played)


def row_of(world: World, seed: int, *, paths: int) -> Row:
    """One log of a world, fitted and certified by so many posterior draws."""
    log, f, played = simulated(world, seed)
    fitted = fit(log, seed=seed, draws=320).candidates
    certified = certify_log(log, fitted, paths=paths, delta=0.1, seed=seed, sites=STEPS**2)
    cumulative, simple = (certificate.value for certificate in certified.certificates)
    lost, left = regrets(f, played, certified.recommended - 1)
    truth: tuple[float | None, float | None] = (None, None)
    if world.shape is _same and not np.isfinite(world.degrees):
        truth = truth_of(world, log, played, certified.recommended - 1, seed, paths)
    return Row(world.name, seed, lost, cumulative, left, simple, *truth)


def regrets(f: FloatArray, played: IntArray, row: int) -> tuple[float, float]:
    """Cumulative regret of all rounds, and that of the point of a row at the end."""
    best = f.max(axis=1)
    lost = float(np.sum(best - f[np.arange(len(f)), played]))
    return lost, float(best[-1] - f[-1, played[row]])


def truth_of(
    world: World, log: Observations, played: IntArray, row: int, seed: int, paths: int
) -> tuple[float, float]:
    """The certificates of a Gaussian world that is known, by as many posterior draws."""
    sites, times = _sites(), np.rint(log.times / _STEP) * _STEP
    over_time, over_space = world.over_time(times), world.over_space(sites)
    root_time, root_space = _root(over_time), _root(over_space)
    error = world.noise(sites[played, 0])
    covariance = over_time * over_space[np.ix_(played, played)] + np.diag(error**2)
    rng = np.random.default_rng(np.random.SeedSequence([seed, ROUNDS], spawn_key=(20,)))
    draws = []
    for _ in range(paths):
        f = root_time @ rng.standard_normal((ROUNDS, len(sites))) @ root_space.T
        sampled = f[np.arange(ROUNDS), played] + error * rng.standard_normal(ROUNDS)
        weights = np.linalg.solve(covariance, log.values - sampled)
        f = f + (over_time * weights) @ over_space[played]
        draws.append(regrets(f, played, row))
    cumulative, simple = np.sort(np.array(draws), axis=0)[rank_of(paths, 0.1) - 1]
    return float(cumulative), float(simple)


def counted(rows: Sequence[Row]) -> list[dict[str, object]]:
    """For each world and all of them: how many of both certificates held, and in what interval.

    And their median width over that of the certificate of the known world, where there is one.
    """
    entries: list[dict[str, object]] = []
    for name in [*(world.name for world in WORLDS), ""]:
        own = [row for row in rows if not name or row.world == name]
        if not own:
            continue
        entry: dict[str, object] = {"world": name or "all of them", "logs": len(own)}
        for kind in ("cumulative", "simple"):
            true = np.array([getattr(row, kind) for row in own])
            at_most = np.array([getattr(row, f"{kind}_at_most") for row in own])
            held = int(np.count_nonzero(true <= at_most))
            low, high = binomial_interval(held, len(own))
            entry |= {f"{kind}_held": held, f"{kind}_low": low, f"{kind}_high": high}
            truth = [getattr(row, f"truth_{kind}") for row in own]
            known = [(a, t) for a, t in zip(at_most, truth, strict=True) if t]
            width = float(np.median([a / t for a, t in known])) if known else None
            entry[f"{kind}_width"] = width
        entries.append(entry)
    return entries


def rows_of(text: str) -> list[Row]:
    """What `written` wrote."""
    return [Row(**row) for row in json.loads(text)]


def written(rows: Sequence[Row]) -> str:
    """Rows as JSON, a line each."""
    return "[\n" + ",\n".join(json.dumps(vars(row)) for row in rows) + "\n]\n"


def bundled_rows() -> list[Row]:
    """The logs of the study that comes with the project."""
    return rows_of(Path(__file__).with_suffix(".json").read_text("utf-8"))


def table() -> str:
    """The bundled study as the page on logs shows it."""
    lines = [
        "| world | cumulative regret | 95 % interval | width | simple regret | 95 % interval | "
        "width |",
        "|---|--:|---|--:|--:|---|--:|",
    ]
    for row in counted(bundled_rows()):
        cells = [str(row["world"])]
        for kind in ("cumulative", "simple"):
            cells.append(f"{row[f'{kind}_held']} of {row['logs']}")
            cells.append(f"{row[f'{kind}_low']:.2f} … {row[f'{kind}_high']:.2f}")
            width = row[f"{kind}_width"]
            cells.append("–" if width is None else f"{width:.2f}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> None:
    """The command of this module."""
    parser = ArgumentParser(description="Coverage in worlds beside the family of priors.")
    parser.add_argument("file", type=Path, help="the file to add to")
    parser.add_argument("--runs", type=int, default=4, help="logs of each world")
    parser.add_argument("--seed", type=int, default=0, help="of the first of them")
    parser.add_argument("--paths", type=int, default=PATHS, help="posterior draws of a certificate")
    given = parser.parse_args(words)
    rows = rows_of(given.file.read_text("utf-8")) if given.file.exists() else []
    done = {(row.world, row.seed) for row in rows}
    for seed in range(given.seed, given.seed + given.runs):
        for world in WORLDS:
            if (world.name, seed) not in done:
                rows.append(row_of(world, seed, paths=given.paths))
                write_whole(given.file, written(rows).encode())


if __name__ == "__main__":
    main()
