"""Would levels recalibrated on replicas of one's own log hold better? A comparison in the worlds.

    python -m benchmarks.replicas replicas.txt warped rational --logs 12

A replica is a posterior path under the fitted set with fresh errors at the points and times of the
log; it is fitted and certified as the log was, and its own regret is known. The rank that covers
the regrets of nine in ten replicas takes the place of the nominal one. Replicas are draws of the
fitted family: they count what fitting costs, and know nothing of what the family lacks.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt
from pathlib import Path

import numpy as np

from benchmarks.worlds import STEPS, WORLDS, World, regrets, simulated
from bounds.arrays import FloatArray, IntArray
from bounds.writing import write_whole
from own_runs.certificates.mixture import LogPosterior, Quantity
from own_runs.logs.observations import Observations
from own_runs.prior.fit import fit
from simulation.after_run.coverage import binomial_interval

_DRAWS = 160
_PATHS = 99
_REPLICA = 21
_KINDS: tuple[Quantity, ...] = ("cumulative", "simple")


@dataclass(frozen=True)
class Compared:
    """Shares of posterior draws up to the regret of one log, and of its replicas, of one kind.

    own : the rank of the true regret over S + 1
    replicas : (B,) those of the replicas
    values : (S,) the draws of the log, rising
    true : its regret
    """

    own: float
    replicas: FloatArray
    values: FloatArray
    true: float


def replicas(
    log: Observations, posterior: LogPosterior, count: int, seed: int
) -> list[tuple[Observations, FloatArray]]:
    """Replicas of a log, each with its f, (n, sites) in units of y at the times of the rounds."""
    candidates, played, pairs = posterior.candidates, posterior.space.played, []
    streams = np.random.SeedSequence([seed, log.n], spawn_key=(_REPLICA,)).spawn(count + 1)
    shares = candidates.weights / candidates.weights.sum()
    chosen = np.random.default_rng(streams[-1]).choice(len(shares), count, p=shares)
    for index, stream in zip(chosen, streams, strict=False):
        member = candidates.members[index]
        drawn = next(posterior.paths(int(index), [stream]))
        inside = drawn.mean + drawn.scale * (drawn.values + drawn.level[:, None])
        f = np.broadcast_to(inside, (log.n, inside.shape[1]))
        errors = sqrt(member.noise_variance) * drawn.rng.standard_normal(log.n)
        errors *= drawn.scale * member.deviations(log.points)
        observed = f[np.arange(log.n), played] + errors
        if drawn.warp is not None:
            f, observed = drawn.warp.inverse(f), drawn.warp.inverse(observed)
        pairs.append((replace(log, values=observed), f))
    return pairs


def _fitted(log: Observations, seed: int) -> LogPosterior:
    candidates = fit(log, seed=seed, draws=_DRAWS).candidates
    return LogPosterior(log, candidates, sites=STEPS**2)


def _drawn(
    posterior: LogPosterior, f: FloatArray, played: IntArray, seed: int
) -> list[tuple[float, FloatArray, float]]:
    """Rank over S + 1, draws and true regret, of cumulative and of simple regret."""
    draws = posterior.draws(_PATHS, seed)
    rows = []
    for quantity, true in zip(_KINDS, regrets(f, played, draws.recommended), strict=True):
        values = np.sort(draws.of(quantity))
        rank = int(np.count_nonzero(values < true)) + 1
        rows.append((rank / (_PATHS + 1), values, true))
    return rows


def compared(world: World, seed: int, count: int) -> dict[str, Compared]:
    """One log of a world, of even seed by a policy, and so many replicas of it."""
    log, f, played = simulated(world, seed)
    posterior = _fitted(log, seed)
    own = _drawn(posterior, f, played, seed)
    ranks: list[list[float]] = []
    for again, path in replicas(log, posterior, count, seed):
        refitted = _fitted(again, seed)
        ranks.append([rank for rank, *_ in _drawn(refitted, path, refitted.space.played, seed)])
    by_kind = np.array(ranks).T
    return {
        kind: Compared(rank, at, values, true)
        for kind, (rank, values, true), at in zip(_KINDS, own, by_kind, strict=True)
    }


def table(rows: Sequence[dict[str, Compared]], delta: float = 0.1) -> str:
    """How often three levels hold, and how wide they are beside the first."""
    lines = []
    for kind in _KINDS:
        own = [row[kind] for row in rows]
        plain = np.full(len(own), 1.0 - delta)
        half = np.full(len(own), 1.0 - 0.5 * delta)
        place = ceil((1.0 - delta) * (len(own[0].replicas) + 1)) - 1
        recalibrated = np.array([np.sort(case.replicas)[place] for case in own])

        def value(case: Compared, level: float) -> float:
            return float(case.values[min(ceil(level * (_PATHS + 1)), _PATHS) - 1])

        first = [value(case, 1.0 - delta) for case in own]
        for name, levels in (
            ("all of delta on the draws", plain),
            ("half of it", half),
            ("recalibrated on replicas", recalibrated),
        ):
            bounds = [value(case, level) for case, level in zip(own, levels, strict=True)]
            held = sum(case.true <= bound for case, bound in zip(own, bounds, strict=True))
            low, high = binomial_interval(held, len(own))
            wide = float(np.median(np.array(bounds) / np.array(first)))
            lines.append(
                f"{kind} regret, {name}: {held} of {len(own)} ({low:.2f} to {high:.2f} at 95 %), "
                f"{wide:.2f} times as wide, nominal level {np.median(levels):.2f} in the middle"
            )
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> None:
    """The command of this module."""
    parser = ArgumentParser(description="Levels recalibrated on replicas, in worlds.")
    parser.add_argument("file", type=Path, help="the file to write")
    parser.add_argument("world", nargs="+", help="names of worlds, or how they begin")
    parser.add_argument("--logs", type=int, default=12, help="of each world")
    parser.add_argument("--replicas", type=int, default=19, help="of each log")
    parser.add_argument("--seed", type=int, default=0, help="of the first log")
    given = parser.parse_args(words)
    sections: dict[str, str] = {}
    for name in given.world:
        (world,) = (world for world in WORLDS if world.name.startswith(name))
        rows = []
        for seed in range(given.seed, given.seed + given.logs):
            rows.append(compared(world, seed, given.replicas))
            sections[world.name] = f"{world.name}, {len(rows)} logs\n{table(rows)}\n"
            write_whole(given.file, "".join(sections.values()).encode())


if __name__ == "__main__":
    main()
