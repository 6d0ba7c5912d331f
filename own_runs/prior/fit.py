"""`fit`: the priors under which a log would have been likely, as a weighted set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import isfinite
from time import perf_counter
from typing import Any

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.numerics.threads import one_blas_thread
from bounds.progress import Share, unwatched
from bounds.time_text import UNITS, rate_of_half_life
from own_runs.logs.observations import Observations
from own_runs.prior.asks import asked_for
from own_runs.prior.checks import Residuals, residuals
from simulation.prior.candidates import Candidates
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data
from simulation.prior.hyperprior import FiniteHyperprior, Hyperprior, Structure
from simulation.prior.memory import FORGETTING, MEMORIES, PERIODS
from simulation.prior.sampled import (
    DRAWS,
    FamilyDraws,
    StructureEvidence,
    sampled_candidates,
)
from simulation.prior.shapes import TWO_SCALES

WIDE = Hyperprior(
    kernels=("se", "matern52", TWO_SCALES),
    memories=tuple(MEMORIES),
    powers=(1.0, 0.0, 0.5, 1.5, 2.0),
    wild=0.5,
    change=0.5,
    bent=0.5,
    uneven=0.5,
)
"""What is believed where nobody says otherwise: other scales of y, other kernels of time, two
lengthscales at once, wild errors, a change point, bent inputs and errors that differ too, as far as
the evidence asks for them."""
PLAIN = Hyperprior()
"""The family of the theory, without those."""
CLOCK = {"day": 86_400.0, "week": 604_800.0}
"""Periods in seconds at which a drift that returns is sought whatever the log."""
_NEAR_CLOCK = 0.05
LEAST_ROWS = 5
"""Rows below which no prior is fitted."""
LEAST_EFFECTIVE = 200.0
"""Effective sample size of a family below which its weights are called unreliable; a third of its
draws where fewer were asked for, whose sampling error is taken off every level."""
LARGEST_ROWS = 2_000
"""Rows of the longest log that is fitted: each of a thousand members costs O(n³)."""

_LARGEST = 1e100  # y and times, and the inverse of the smallest: their squares are doubles


@dataclass(frozen=True)
class Estimate:
    """One parameter of the prior: median, and the ends of its 50 % and 90 % intervals."""

    name: str
    unit: str
    estimate: float
    low: float
    high: float
    inner_low: float
    inner_high: float


@dataclass(frozen=True, eq=False)
class Fit:
    """The priors that fit a log, as a weighted set, and what speaks against relying on it.

    Attributes
    ----------
    observations : the log
    hyperprior : what was believed before it
    candidates : the weighted set; y is maximised in it, so that m has the other sign where small
        values are good
    structures : evidence of every combination of options; empty for a finite hyperprior
    families : what the draws of each kernel family are worth; empty for a finite hyperprior
    residuals : of the rows under the set
    estimates : of the parameters, one lengthscale for each input
    warnings : what to know before using it
    seconds : time it took
    """

    observations: Observations
    hyperprior: Hyperprior | FiniteHyperprior
    candidates: Candidates
    structures: tuple[StructureEvidence, ...]
    families: tuple[FamilyDraws, ...]
    residuals: Residuals
    estimates: tuple[Estimate, ...]
    warnings: tuple[str, ...]
    seconds: float

    @property
    def drift_share(self) -> float:
        """Probability that f drifts at all."""
        drifting = np.array([not member.still for member in self.candidates.members])
        return float(self.candidates.weights @ drifting)

    @property
    def asked(self) -> tuple[str, ...]:
        """What the log asks for beside the family of the theory, with the probability of it."""
        if not self.structures:
            return ()

        def share(wanted: Callable[[Structure], bool]) -> float:
            return sum(row.share for row in self.structures if wanted(row.structure))

        large, small = ("large", "small")
        if self.observations.direction == "minimize":
            large, small = small, large
        shares = {
            "two lengthscales in space": share(lambda s: s.kernel == TWO_SCALES),
            f"a scale of y that draws its {large} values in": share(lambda s: s.power < 1.0),
            f"a scale of y that draws its {small} values in": share(lambda s: s.power > 1.0),
            "a drift that is none of a forgetting kernel": share(
                lambda s: s.drift and s.memory != FORGETTING
            ),
        }
        likeliest = max(MEMORIES, key=lambda memory: share(lambda s: s.memory == memory))
        if likeliest != FORGETTING:
            shares[f"a {likeliest} drift{self._period_of(likeliest)}"] = share(
                lambda s: s.memory == likeliest
            )
        shares |= self._nonstationary(share)
        rows = sorted({row for member in self.candidates.members for row in member.outliers})
        shown = ", ".join(str(self.observations.rows[row]) for row in rows)
        wild = np.array([bool(member.outliers) for member in self.candidates.members])
        shares[f"far larger errors in some rows ({shown})"] = float(self.candidates.weights @ wild)
        return tuple(f"{what} ({part:.0%})" for what, part in shares.items() if part > 0.5)

    def _nonstationary(
        self, share: Callable[[Callable[[Structure], bool]], float]
    ) -> dict[str, float]:
        """What stands beside the kernels, in words, with the probability of it."""
        heaviest = max(
            self.structures,
            key=lambda row: row.share if row.structure.nonstationary.unlike else -1.0,
        ).structure.nonstationary
        names = [axis.name for axis in self.observations.axes]

        def along(values: tuple[float, ...]) -> str:
            return ", ".join(name for name, value in zip(names, values, strict=False) if value)

        at = 0.0 if heaviest.change is None else heaviest.change
        return {
            f"another objective after {at:.3g} {self.observations.unit} (one change point)": share(
                lambda s: s.nonstationary.change is not None
            ),
            f"inputs on a bent scale: {along(heaviest.bends)}": share(
                lambda s: bool(s.nonstationary.bends)
            ),
            f"errors that change with {along(heaviest.slopes)}": share(
                lambda s: bool(s.nonstationary.slopes)
            ),
        }

    def _period_of(self, memory: str) -> str:
        """The period of a kernel of time that has one, in words: its mean over the members."""
        if memory not in PERIODS:
            return ""
        members = self.candidates.members
        own = np.array([member.memory == memory and member.rate > 0 for member in members])
        lives = np.array([member.half_life for member in members])[own]
        weights = self.candidates.weights[own]
        period = PERIODS[memory] * float(weights @ lives / weights.sum())
        seconds = period * UNITS[self.observations.unit]
        for name, clock in CLOCK.items():
            if abs(seconds / clock - 1.0) < _NEAR_CLOCK:
                return f" by the {name}"
        return f" of period {period:.3g} {self.observations.unit}"

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `ctv fit`, which `--prior` reads again."""
        estimates: dict[str, Any] = {}
        for row in self.estimates:
            ends = {"estimate": row.estimate, "low": row.low, "high": row.high}
            # Without drift the half-life is infinite.
            value = {key: number if isfinite(number) else None for key, number in ends.items()}
            if row.name.startswith("lengthscale"):
                estimates.setdefault("lengthscale", []).append(value)
            else:
                estimates[row.name] = value
        if len(estimates["lengthscale"]) == 1:
            estimates["lengthscale"] = estimates["lengthscale"][0]
        log = self.observations
        skipped = {"reasons": log.skipped, "skipped": sum(log.skipped.values())}
        return {
            "prior": estimates,
            "unit": log.unit,
            "inputs": [str(axis) for axis in log.axes],
            "direction": log.direction,
            "exact": self.candidates.exact,
            "candidates": [self._candidate(i) for i in range(len(self.candidates.members))],
            "mean_and_scale": asdict(self.candidates.mean_and_scale),
            "evidence": [
                {
                    "kernel": row.structure.kernel,
                    "drift": row.structure.drift,
                    "level": row.structure.level,
                    "lengthscale_per_input": row.structure.per_input,
                    "memory": row.structure.memory,
                    "power": row.structure.power,
                    "wild": row.structure.wild,
                    **row.structure.nonstationary.to_dict(),
                    "log_evidence": row.log_evidence,
                    "share": row.share,
                    "draws": row.draws,
                }
                for row in self.structures
            ],
            "effective_size": {row.kernel: row.effective for row in self.families},
            "asked": list(self.asked),
            "residuals": {
                "uniformity": self.residuals.uniformity,
                "autocorrelation": self.residuals.autocorrelation,
                "band": self.residuals.band,
                "outliers": list(self.residuals.outliers),
            },
            "warnings": list(self.warnings),
            "rows": {"used": log.n, **skipped},
        }

    def _candidate(self, index: int) -> dict[str, Any]:
        member, law = self.candidates.members[index], self.candidates.posterior
        return {
            "kernel": member.kernel,
            "theta": member.rate,
            "epsilon": rate_of_half_life(member.half_life),
            "lengthscale": list(member.lengthscales),
            "noise_variance": member.noise_variance,
            "level": member.level,
            "memory": member.memory,
            "warp": None if member.warp is None else asdict(member.warp),
            "outliers": [row + 1 for row in member.outliers],
            **member.nonstationary.to_dict(),
            "unordered": list(member.unordered),
            "optional": list(member.optional),
            "log_evidence": float(self.candidates.log_evidence[index]),
            "mean": float(law.center[index]),
            "scale": float(np.sqrt(law.scale[index] / law.shape[index])),
            "mean_and_scale": dict(
                zip(("center", "spread", "shape", "scale"), law.rows[index].tolist(), strict=True)
            ),
            "weight": float(self.candidates.weights[index]),
        }


def fit(
    observations: Observations,
    *,
    hyperprior: Hyperprior | FiniteHyperprior | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Share = unwatched,
) -> Fit:
    """The weighted set of priors y = m + s·f + noise under which the log would have been likely.

    Parameters
    ----------
    observations : at least `LEAST_ROWS` of them
    hyperprior : what is believed beforehand; by default `WIDE`, which integrates over wide ranges
        and judges drift, level, lengthscales, kernels of space and time and scales of y by evidence
    draws : members of the set for each kernel family
    seed : of the draws
    progress : called with the share that is done

    Raises InvalidInput for too few or too many rows, a constant y, and a finite hyperprior for
    another number of inputs. O(draws · n³) for each kernel family.
    """
    begun = perf_counter()
    data = data_of(observations)
    if seed < 0:
        raise InvalidInput("seed", seed, "give a whole number of at least 0")
    believed = WIDE if hyperprior is None else hyperprior
    structures: tuple[StructureEvidence, ...] = ()
    families: tuple[FamilyDraws, ...] = ()
    if isinstance(believed, FiniteHyperprior):
        candidates = finite_candidates(data, believed)
    else:
        candidates, structures, families = sampled_candidates(
            data,
            believed,
            MeanAndScale.around(data.values),
            draws=draws,
            seed=seed,
            periods=tuple(clock / UNITS[observations.unit] for clock in CLOCK.values()),
            progress=progress,
        )
    with one_blas_thread():
        checks = residuals(data, candidates)
        asked = asked_for(
            data,
            candidates,
            checks,
            tuple(axis.name for axis in observations.axes),
            minimised=observations.direction == "minimize",
            scales=isinstance(believed, FiniteHyperprior) or believed.powers == (1.0,),
        )
    estimates = _estimates(observations, candidates)
    warnings = (
        *checks.findings,
        *asked,
        *(
            f"the weights of {row.kernel} rest on {row.effective:.0f} effective draws of "
            f"{row.draws}: ctv fit --draws takes more"
            for row in families
            if row.effective < min(LEAST_EFFECTIVE, row.draws / 3.0)
        ),
        *_of_ranges(believed, candidates, observations),
    )
    return Fit(
        observations,
        believed,
        candidates,
        structures,
        families,
        checks,
        estimates,
        warnings,
        perf_counter() - begun,
    )


def data_of(observations: Observations) -> Data:
    """The rows as what evidence is computed from; y is to be maximised.

    Raises InvalidInput for too few rows or too many, and for y or times so large or so small that
    their squares are no numbers.
    """
    if observations.n < LEAST_ROWS:
        remedy = f"give at least {LEAST_ROWS} observed rows: so few fit any prior"
        raise InvalidInput("data", f"{observations.n} observed rows", remedy)
    if observations.n > LARGEST_ROWS:
        remedy = f"give at most {LARGEST_ROWS}: the last ones, say"
        raise InvalidInput("data", f"{observations.n} observed rows", remedy)
    sizes = {"y": observations.to_maximise, "duration": observations.times}
    for name, numbers in sizes.items():
        largest = float(np.max(np.abs(numbers)))
        if largest and not 1.0 / _LARGEST <= largest <= _LARGEST:
            remedy = f"give numbers between {1.0 / _LARGEST:g} and {_LARGEST:g}: another unit"
            raise InvalidInput(name, f"{largest:.3g} at most", remedy)
    return Data(
        observations.points,
        observations.times,
        observations.to_maximise,
        observations.noise,
        tuple(i for i, axis in enumerate(observations.axes) if axis.unordered),
        tuple(i for i, axis in enumerate(observations.axes) if axis.under and not axis.unordered),
    )


def finite_candidates(data: Data, hyperprior: FiniteHyperprior) -> Candidates:
    """The members of a finite hyperprior by their exact posterior probabilities. O(N n³)."""
    dimension = data.points.shape[1]
    if hyperprior.dimension != dimension:
        raise InvalidInput(
            "hyperprior", f"{hyperprior.dimension} lengthscales", f"the log has {dimension} inputs"
        )
    with one_blas_thread():
        evidence, posterior = data.judged(hyperprior.members, hyperprior.mean_and_scale)
    return Candidates.of(
        hyperprior.members,
        np.log(hyperprior.chances) + evidence,
        evidence,
        hyperprior.mean_and_scale,
        posterior,
        exact=True,
    )


_LEVELS = np.array([0.5, 0.05, 0.95, 0.25, 0.75])


def _estimates(log: Observations, candidates: Candidates) -> tuple[Estimate, ...]:
    members, law = candidates.members, candidates.posterior
    rates = np.array([member.rate for member in members])
    half_lives = np.array([member.half_life for member in members])
    lengths = np.array([member.lengthscales for member in members])
    scale = np.sqrt(law.scale / law.shape)
    center = law.center if log.direction == "maximize" else -law.center
    rows: list[tuple[str, str, FloatArray]] = [
        ("epsilon", f"per {log.unit}", -np.expm1(-2.0 * rates)),
        ("theta", f"per {log.unit}", rates),
        ("half_life", log.unit, half_lives),
        *(
            (f"lengthscale of {axis.name}", "of its range", lengths[:, i])
            for i, axis in enumerate(log.axes)
        ),
        ("noise_variance", "of scale²", np.array([m.noise_variance for m in members])),
        ("level", "of scale²", np.array([m.level for m in members])),
        ("scale", "of y", scale),
        ("mean", "of y", center),
    ]
    estimates = []
    for name, unit, values in rows:
        middle, low, high, inner_low, inner_high = map(float, candidates.quantiles(values, _LEVELS))
        estimates.append(Estimate(name, unit, middle, low, high, inner_low, inner_high))
    return tuple(estimates)


def _of_ranges(
    hyperprior: Hyperprior | FiniteHyperprior, candidates: Candidates, log: Observations
) -> list[str]:
    """What touches the end of its range, or is what the hyperprior says and no more."""
    if isinstance(hyperprior, FiniteHyperprior):
        return []
    span = float(np.ptp(log.times)) or 1.0
    members, weights = candidates.members, candidates.weights
    drifting = np.array([member.rate > 0 for member in members])
    rows = [
        (
            f"the lengthscale of {axis.name}",
            hyperprior.lengthscale,
            True,
            np.array([m.lengthscales[i] for m in members]),
        )
        for i, axis in enumerate(log.axes)
    ]
    noise = np.array([m.noise_variance for m in members])
    rows.append(("the noise", hyperprior.noise_variance, True, noise))
    if weights @ drifting > 0.5:
        lives = np.array([m.half_life if m.rate > 0 else span for m in members]) / span
        rows.append(("the half-life", hyperprior.half_life, False, lives))
    warnings = []
    for name, law, whole, values in rows:
        own = weights if whole else weights * drifting
        own = own / own.sum()
        z = np.log(values / law.median) / law.width
        mean = float(own @ z)
        spread = float(np.sqrt(own @ (z - mean) ** 2))
        if abs(mean) > 2.5:
            end = f"{law.ends[mean > 0]:.2g}"
            warnings.append(f"{name} touches the end of its range ({end}): widen it (--prior)")
        elif spread > 0.85:
            reason = " (no point was repeated)" if name == "the noise" else ""
            warnings.append(
                f"{name} is not identified: its posterior equals the hyperprior{reason}"
            )
    return warnings
