"""Every certificate of a finished run, side by side, each with what it says and how surely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Literal

from bounds.errors import InvalidInput
from bounds.progress import Stage
from simulation.after_run.observed import Observed
from simulation.after_run.rank import RankCertificate, rank_certificate
from simulation.after_run.telescoped import (
    expected_certificate,
    forward_probability_certificate,
    probability_certificate,
)
from simulation.model.covariance import Factor

Kind = Literal["probability", "mean"]

CERTIFICATES = (
    "rank",
    "expected",
    "probability",
    "expected-forward",
    "probability-forward",
)
"""After a run, by name; the first three are the defaults."""

DEFAULT_CERTIFICATES = CERTIFICATES[:3]

MEANING = {
    "rank": "R_n is below it, given the data, with the level's probability; posterior sampling",
    "expected": "E[R_n | data] is below it; ordered telescoping, no sampling",
    "probability": "R_n is below it, given the data, with the level's probability; no sampling",
    "expected-forward": "E R_n is at most its mean over runs; each round from the data before it",
    "probability-forward": "R_n is below it with the level's probability over runs; n fixed before",
    "simulation": "R_n of a run to come is below it with the level's probability; simulated runs",
    "simulation-expectation": "E R_n is below it with the level's probability over simulations",
}

UNRELIABLE_FIT = 0.01
"""P-value of `Observed.prior_fit` below which the prior is called in doubt."""


@dataclass(frozen=True)
class Certificate:
    """One bound on the regret of one run.

    Attributes
    ----------
    name : a name of `MEANING`
    kind : "probability" (R_n itself) or "mean"
    value : the upper bound on the sum of regrets
    level : probability with which it holds; None for an expectation
    ratio : value over the true regret, where that is known and positive
    seconds : time it took
    certified : True only for outward rounded arithmetic
    drawn : of the rank certificate, with the regrets of its posterior paths
    """

    name: str
    kind: Kind
    value: float
    level: float | None
    ratio: float | None
    seconds: float = 0.0
    certified: bool = False
    drawn: RankCertificate | None = None


@dataclass(frozen=True)
class CertifiedRun:
    """The certificates of one run.

    Attributes
    ----------
    label : policy and seed, or the name of a file
    rounds : rounds whose regrets are summed
    regret : the true sum, None where f is not known
    certificates : in the order asked for
    fit : p-value of the observations under the prior, see `Observed.prior_fit`
    """

    label: str
    rounds: int
    regret: float | None
    certificates: tuple[Certificate, ...]
    fit: float

    @property
    def doubtful(self) -> bool:
        """Whether the observations speak against the prior, on which all certificates rest."""
        return self.fit < UNRELIABLE_FIT


def checked_names(
    names: Sequence[str], field: str = "certificates", known: Sequence[str] = CERTIFICATES
) -> tuple[str, ...]:
    """The names, at least one, each known and given once; raises InvalidInput."""
    for name in names:
        if name not in known:
            raise InvalidInput(field, name or "''", f"use {', '.join(known)}")
    if len(set(names)) < len(names) or not names:
        raise InvalidInput(field, ",".join(names) or "nothing", "name each once, and at least one")
    return tuple(names)


def certify(
    observed: Observed,
    label: str,
    *,
    regret: float | None = None,
    names: Sequence[str] = DEFAULT_CERTIFICATES,
    paths: int = 99,
    delta: float | None = None,
    seed: int = 0,
    rounds: slice = slice(None),
    factor: Factor | None = None,
    progress: Stage | None = None,
) -> CertifiedRun:
    """The named certificates of one run.

    Parameters
    ----------
    observed : the run
    label : what to call it
    regret : the true regret over `rounds`, where it is known
    names : of `CERTIFICATES`
    paths, delta, seed, rounds, factor : see `rank_certificate`
    progress : called with a name and the share of it that is done

    Raises InvalidInput for what the certificates refuse.
    """
    wanted = checked_names(names)
    level = observed.problem.delta if delta is None else delta
    if not 0.0 < level < 1.0:
        raise InvalidInput("delta", level, "give a probability in (0, 1)")
    seen = replace(observed, problem=replace(observed.problem, delta=level))
    certificates = []
    for name in wanted:

        def told(share: float, name: str = name) -> None:
            if progress is not None:
                progress(name, share)

        begun = perf_counter()
        one = _one(seen, name, regret, paths, seed, rounds, factor, told)
        certificates.append(replace(one, seconds=perf_counter() - begun))
    counted = len(range(observed.n)[rounds])
    return CertifiedRun(label, counted, regret, tuple(certificates), observed.prior_fit())


def _one(
    observed: Observed,
    name: str,
    regret: float | None,
    paths: int,
    seed: int,
    rounds: slice,
    factor: Factor | None,
    told: Callable[[float], None],
) -> Certificate:
    if name == "rank":
        rank = rank_certificate(
            observed, paths=paths, seed=seed, rounds=rounds, factor=factor, progress=told
        )
        return replace(_row(name, rank.value, rank.level, regret), drawn=rank)
    if name.startswith("expected"):
        mean = expected_certificate(
            observed, hindsight=name == "expected", rounds=rounds, progress=told
        )
        return _row(name, mean, None, regret)
    surely = probability_certificate if name == "probability" else forward_probability_certificate
    high = surely(observed, rounds=rounds, progress=told)
    return _row(name, high, 1.0 - observed.problem.delta, regret)


def _row(name: str, value: float, level: float | None, regret: float | None) -> Certificate:
    ratio = value / regret if regret is not None and regret > 0 else None
    kind: Kind = "mean" if level is None else "probability"
    return Certificate(name, kind, value, level, ratio)
