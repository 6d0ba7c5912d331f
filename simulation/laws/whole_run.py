"""What is true of many runs together, by tests whose false-alarm level is exact, not asymptotic.

Runs count once for each seed: runs of different seeds are independent, and the seed is chosen
before anything of the run is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import exp, expm1, log, log1p, sqrt

import numpy as np
from scipy import special, stats

from bounds.arrays import FloatArray
from simulation.laws.case import Played

FALSE_ALARM = 1e-6
"""The probability that a true statement is found false, by each of the four tests."""

_SLOPES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""λ, chosen before any run."""

_ROUNDING = 1e-9

_LEAST_LOST = 1e-9
"""Variance of an innovation below which rounding counts."""


@dataclass
class ManyRuns:
    """What runs contribute to the statements about their probabilities and means.

    Attributes
    ----------
    failed : δ ↦ {seed: whether the confidence event failed}
    floors : name ↦ {seed: (floor, regret, bound on E R²)}
    ceilings : "name, policy" ↦ {seed: (ceiling, regret)}
    normals : name ↦ {seed: (Σz², how many z)}, z independent and standard normal
    """

    failed: dict[float, dict[int, bool]] = field(default_factory=lambda: defaultdict(dict))
    floors: dict[str, dict[int, tuple[float, float, float]]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    ceilings: dict[str, dict[int, tuple[float, float]]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    normals: dict[str, dict[int, tuple[float, int]]] = field(
        default_factory=lambda: defaultdict(dict)
    )

    def event(self, delta: float, seed: int, *, failed: bool) -> None:
        """A run whose confidence event was to fail with probability at most δ."""
        if not any(seed in seen for seen in self.failed.values()):
            self.failed[delta][seed] = failed

    def floor(self, name: str, seed: int, floor: float, regret: float, square: float) -> None:
        """A run with regret R ≥ 0, where E R ≥ `floor` and E R² ≤ `square`."""
        self.floors[name].setdefault(seed, (floor, regret, square))

    def ceiling(self, name: str, seed: int, ceiling: float, regret: float) -> None:
        """A run with regret R ≥ 0, where E R ≤ `ceiling`."""
        self.ceilings[name].setdefault(seed, (ceiling, regret))

    def normal(self, name: str, seed: int, normals: FloatArray) -> None:
        """A run in which these numbers were to be independent standard normals."""
        self.normals[name].setdefault(seed, (float(normals @ normals), len(normals)))

    def take(self, other: ManyRuns) -> None:
        """Take in other runs; a seed counts once."""
        for delta, seen in other.failed.items():
            for seed, failed in seen.items():
                self.event(delta, seed, failed=failed)
        for name in ("floors", "ceilings", "normals"):
            for key, runs in getattr(other, name).items():
                mine = getattr(self, name)[key]
                mine.update({seed: run for seed, run in runs.items() if seed not in mine})

    def event_p_values(self) -> dict[float, float]:
        """δ ↦ P(at least as many failures) were each to fail with probability δ: binomial, exact.

        >>> runs = ManyRuns()
        >>> for seed in range(4):
        ...     runs.event(0.5, seed, failed=True)
        >>> runs.event_p_values()
        {0.5: 0.0625}
        """
        return {
            delta: float(stats.binom.sf(sum(seen.values()) - 1, len(seen), delta))
            for delta, seen in self.failed.items()
        }

    def floor_p_values(self) -> dict[str, float]:
        """name ↦ upper bound on P(regrets as far below the floors), were the floors true.

        For X ≥ 0, E e^{−λX} ≤ exp(−λ E X + λ² E X²/2). With weights w_j fixed before the runs and
        S = Σ w_j(F_j − R_j) > 0, hence P(sum ≥ S) ≤ exp(−S²/(2Σ w_j² q_j)), q_j ≥ E R_j²; the
        best weights for a floor that is too large by a factor are F_j/q_j. 1 where S ≤ 0.
        """
        p_values = {}
        for name, seen in self.floors.items():
            excess = sum(f / q * (f - r) for f, r, q in seen.values())
            spread = sum((f / q) ** 2 * q for f, _, q in seen.values())
            p_values[name] = exp(-(excess**2) / (2.0 * spread)) if excess > 0 else 1.0
        return p_values

    def ceiling_p_values(self) -> dict[str, float]:
        """name ↦ upper bound on P(regrets as far above the ceilings), were the ceilings true.

        Z = min(R/(4B), 1) has mean at most ¼, so E e^{λZ} ≤ 1 + (e^λ − 1)/4. The mean over fixed λ
        of Π e^{λZ_j}/(1 + (e^λ − 1)/4) has expectation at most 1: its inverse, by Markov.
        A ceiling of 0 says that R = 0 for certain.
        """
        p_values = {}
        for name, seen in self.ceilings.items():
            if any(regret > _ROUNDING and not ceiling for ceiling, regret in seen.values()):
                p_values[name] = 0.0
                continue
            total = sum(min(r / (4.0 * b), 1.0) for b, r in seen.values() if b > 0)
            count = sum(b > 0 for b, _ in seen.values())
            logs = [slope * total - count * log1p(expm1(slope) / 4.0) for slope in _SLOPES]
            evidence = float(special.logsumexp(logs)) - log(len(_SLOPES))
            p_values[name] = exp(-max(evidence, 0.0))
        return p_values

    def normal_p_values(self) -> dict[str, float]:
        """name ↦ P(Σz² as far out on either side), were the numbers normal: χ², exact."""
        p_values = {}
        for name, seen in self.normals.items():
            total, count = (sum(each) for each in zip(*seen.values(), strict=True))
            law = stats.chi2(count)
            p_values[name] = float(min(1.0, 2.0 * min(law.cdf(total), law.sf(total))))
        return p_values

    def require(self) -> None:
        """Raise AssertionError where a p-value is below FALSE_ALARM shared among the statements."""
        for kind, p_values in (
            ("the confidence event at delta = {} fails too often", self.event_p_values()),
            ("regret is below the floor {}", self.floor_p_values()),
            ("{} is not as large as it is said to be", self.normal_p_values()),
            ("mean regret is above the ceiling {}", self.ceiling_p_values()),
        ):
            for key, p in p_values.items():
                assert p >= FALSE_ALARM / len(p_values), f"{kind.format(key)}: p = {p:.3g}"

    def lines(self) -> list[str]:
        """What was counted, for people."""
        broken = []
        for delta, seen in sorted(self.failed.items()):
            count, p = sum(seen.values()), self.event_p_values()[delta]
            said = f"failed in {count} of {len(seen)} runs (p = {p:.3g})"
            broken.append(f"confidence event at delta = {delta:g}: {said}")
        for name, drawn in sorted(self.normals.items()):
            total, count = (sum(each) for each in zip(*drawn.values(), strict=True))
            p = self.normal_p_values()[name]
            broken.append(f"{name}: mean square {total / count:.4g} of {count} (p = {p:.3g})")
        for name, runs in sorted(self.floors.items()):
            floor, regret, _ = (sum(each) for each in zip(*runs.values(), strict=True))
            p = self.floor_p_values()[name]
            said = f"{floor:.4g}, regret {regret:.4g} in {len(runs)} runs (p = {p:.3g})"
            broken.append(f"floor {name}: {said}")
        for name, met in sorted(self.ceilings.items()):
            ceiling, regret = (sum(each) for each in zip(*met.values(), strict=True))
            p = self.ceiling_p_values()[name]
            said = f"{ceiling:.4g}, regret {regret:.4g} in {len(met)} runs (p = {p:.3g})"
            broken.append(f"ceiling of the mean {name}: {said}")
        return broken


def standard_normals(played: Played) -> Iterator[tuple[str, FloatArray]]:
    """What the world draws, each divided by its standard deviation: the noise, and f at one point.

    f at its first instant, and for Markov time kernels its innovations from round to round, at
    instants that were chosen before they were drawn.
    """
    run, problem = played.run, played.problem
    yield "noise", (run.observations - run.values) / sqrt(run.noise_variance)
    one = played.objective[:, 0]
    yield "objective at first", one[:1]
    if problem.time_kernel.is_markov:
        waits = run.durations[1:]
        lost = np.asarray(problem.time_kernel.deficit(waits))
        innovations = one[1:] - problem.time_kernel.at_distance(waits) * one[:-1]
        moved = lost > _LEAST_LOST
        if np.any(moved):
            yield "drift of the objective", innovations[moved] / np.sqrt(lost[moved])


def square_of_regret(n: int, points: int) -> float:
    """An upper bound on E R_n² over N points: n²·(8 log N + 4).

    r_i is at most the range max f − min f of N standard normals (unit variances, any correlation),
    whose mean is at most 2√(2 log N) and whose variance is at most 4 (Gaussian concentration: it
    is a Lipschitz function of norm ≤ 2 of a standard normal vector).

    >>> square_of_regret(2, 1)
    16.0
    """
    return n * n * (8.0 * log(points) + 4.0)
