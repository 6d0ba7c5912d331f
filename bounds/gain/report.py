"""Every upper bound on γ̃_n for one problem, side by side, in floating point or enclosed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf, isfinite

import numpy as np
from numpy.typing import ArrayLike

from bounds import enclosure, formulas
from bounds.arithmetic import BALLS
from bounds.confidence.certified import enclosed_beta
from bounds.confidence.schedules import finite_domain_beta, regret_from_gain
from bounds.drifting_gain.certified import certified_design_gain
from bounds.drifting_gain.joint_dual import JointDual
from bounds.drifting_gain.knots import KnotBound
from bounds.drifting_gain.lower_bound import JointGain, joint_gain_lower
from bounds.enclosure import Upper, matrices
from bounds.errors import NoEnclosure
from bounds.gain.bound import GainBound, Ingredients
from bounds.gain.registry import GAIN_BOUNDS
from bounds.numerics.threads import threads_for
from bounds.partitions.result import ROUNDING, SearchResult, checked_gains
from bounds.problem import Problem
from bounds.progress import Stage, unstaged
from bounds.static_gain.both_sides import gain_curve
from bounds.static_gain.certified import MOST_POINTS, certified_curve
from bounds.static_gain.upper_curve import GainCurve


@dataclass(frozen=True)
class GainAnswer:
    """γ̃_n from both sides, in nats; `name` is that of the smallest valid upper bound.

    certified : whether both sides were rounded outward; each has its own mark beside
    """

    lower: float
    upper: float
    name: str
    lower_certified: bool
    upper_certified: bool

    @property
    def certified(self) -> bool:
        """Whether both sides were rounded outward."""
        return self.lower_certified and self.upper_certified


@dataclass(frozen=True, eq=False)
class BoundReport:
    """Both sides of γ̃_n for one problem, and the regret that the upper ones allow.

    Attributes
    ----------
    problem : Problem
    lower : lower bound on γ̃_n, the gain of a design with these times; may be NaN
    gains : upper bounds on γ̃_n by name, in the order of the registry
    beta : β_n of the finite domain, 2 log(|D|π_n/δ)
    lower_certified : whether `lower` was rounded outward
    beta_certified : whether `beta` and `regret` were
    """

    problem: Problem
    lower: float
    gains: Mapping[str, GainBound]
    beta: float
    lower_certified: bool = False
    beta_certified: bool = False

    @property
    def best_name(self) -> str:
        """The name of the smallest valid upper bound on γ̃_n."""
        return min((b for b in self.gains.values() if b.valid), key=lambda b: b.value).name

    @property
    def best(self) -> float:
        """The smallest valid upper bound on γ̃_n."""
        return self.gains[self.best_name].value

    @property
    def answer(self) -> GainAnswer:
        """Both sides, the upper one the smallest that is valid."""
        certified = self.gains[self.best_name].certified
        return GainAnswer(self.lower, self.best, self.best_name, self.lower_certified, certified)

    @cached_property
    def regret(self) -> dict[str, float]:
        """√(C₁ β_n n · gain) by name, and `best`: what each gain bound allows CTV-fixed.

        With probability ≥ 1 − δ where the gain bound is valid and the times are fixed beforehand.
        """
        regrets = {name: self.regret_from(bound.value) for name, bound in self.gains.items()}
        return {**regrets, "best": regrets[self.best_name]}

    def regret_from(self, gain: float) -> Upper | float:
        """√(C₁ β_n n · gain) for an upper bound on γ̃_n; rounded upward where β is certified."""
        if not self.beta_certified:
            return regret_from_gain(self.problem.n, self.beta, gain, self.problem.noise_variance)
        if not isfinite(gain):
            return inf
        of = self.problem
        noise, beta, most = (
            enclosure.exact(Fraction(x)) for x in (of.noise_variance, self.beta, gain)
        )
        with enclosure.precision(matrices.WORKING_BITS):
            return matrices.upward(formulas.regret_from_gain(BALLS, of.n, beta, most, noise))

    @property
    def partitions(self) -> dict[str, SearchResult]:
        """The best partition of each bound that has one, with `exact` and `gap`."""
        return {name: bound.partition for name, bound in self.gains.items() if bound.partition}

    @property
    def knots(self) -> KnotBound | None:
        """What the knot bound rests on."""
        evidence = [b.evidence for b in self.gains.values() if isinstance(b.evidence, KnotBound)]
        return evidence[0] if evidence else None

    @property
    def dual(self) -> JointDual | None:
        """What the joint dual rests on."""
        evidence = [b.evidence for b in self.gains.values() if isinstance(b.evidence, JointDual)]
        return evidence[0] if evidence else None


@dataclass(frozen=True, eq=False)
class GainAtTimes:
    """γ̃_n from both sides: upper bounds on γ_0..γ_n, every bound, and the design of the lower."""

    curve: GainCurve
    report: BoundReport
    design: JointGain


def gain_at_times(
    problem: Problem,
    *,
    certify: bool = True,
    curve: GainCurve | None = None,
    advance: Stage = unstaged,
) -> GainAtTimes:
    """The largest gain with drift at the times of a problem, from both sides.

    Parameters
    ----------
    problem : Problem of n rounds
    certify : whether every number that can be is enclosed by balls and rounded outward
    curve : γ without drift of this domain, kernel and noise for at least n rounds, where it is
        known already; with `certify` a certified one
    advance : called with the name of the stage under way and the share of it that is done
    """
    known = curve is not None
    with threads_for(problem.n):
        advance("gain without drift", 0.0)
        if curve is None:
            curve = gain_curve(problem)
        advance("gain of a design", 0.0)
        design = joint_gain_lower(problem)
        report = bound_report(problem, curve.values, design.value, costly=True, advance=advance)
        if certify:
            if not known:
                curve = certified_curve(
                    problem.space_kernel,
                    problem.domain,
                    curve,
                    lambda share: advance("certify the gain without drift", share),
                )
            report = certified_report(report, curve, design, advance)
    return GainAtTimes(curve, report, design)


def bound_report(
    problem: Problem,
    gamma: ArrayLike,
    lower: float,
    *,
    costly: bool = False,
    advance: Stage = unstaged,
) -> BoundReport:
    """All bounds for one problem from upper bounds on γ_m and a lower bound on γ̃_n.

    Parameters
    ----------
    problem : Problem of n rounds
    gamma : (≥ n+1,) non-decreasing upper bounds on γ_0..γ_n (see `upper_curve`)
    lower : lower bound on γ̃_n (see `drifting_gain.lower_bound`)
    costly : whether the bounds that say so are wanted too, the joint dual among them
    advance : called with the name of the stage under way and the share of it that is done

    Cost: that of the three exact searches (`partitions.search`), and of the joint dual.
    """
    gamma_upper = checked_gains(gamma, problem.n)
    gains: dict[str, GainBound] = {}
    given = Ingredients(problem, gamma_upper, gains, advance=advance)
    for bound in GAIN_BOUNDS.all():
        if bound.costly and not costly:
            continue
        value = bound.evaluate(given)
        if value is not None:
            gains[bound.name] = value
    beta = float(finite_domain_beta(problem.n, problem.domain.size, problem.delta))
    return BoundReport(problem, lower, in_order(problem, gains, lower), beta)


def in_order(
    problem: Problem, gains: Mapping[str, GainBound], lower: float
) -> dict[str, GainBound]:
    """The bounds, none above the trivial cap, below the lower side or what improves on it.

    A bound in floating point may miss its true value by some 1e-16 for each term, so that it falls
    below one that cannot be larger. It is raised to that one, which leaves it a bound. What crosses
    by more than a relative 1e-9 is not rounding and stays as it is. A bound that is above the cap,
    not by rounding, has its value, which is a bound too; an infinite one stays, saying nothing.
    """
    left = dict(gains)

    def raise_to(name: str, value: float) -> None:
        bound = left.get(name)
        if bound and bound.valid and bound.value < value <= bound.value * (1.0 + ROUNDING):
            left[name] = replace(bound, value=value)

    for name in left:
        raise_to(name, lower)
    for tighter in reversed(list(left.values())):
        for looser in tighter.bound.improves_on(problem):
            raise_to(looser, left[tighter.name].value)
    cap = left["trivial"].value if "trivial" in left else inf
    return {
        name: replace(bound, value=cap) if cap * (1.0 + ROUNDING) < bound.value < inf else bound
        for name, bound in left.items()
    }


def certified_report(
    report: BoundReport,
    curve: GainCurve,
    design: JointGain,
    advance: Stage = unstaged,
) -> BoundReport:
    """The same bounds at the same partitions, knots and dual, enclosed and rounded outward.

    Parameters
    ----------
    report : from `bound_report` with the values of `curve`
    curve : certified upper bounds on γ_0..γ_n
    design : the lower side; certified where its points are known and at most 1,200

    A bound one of whose ingredients has no enclosure keeps its floating point value and
    `certified` false. The price of it all is that of the dual and O(n) numbers.
    """
    problem = report.problem
    gains: dict[str, GainBound] = {}
    given = Ingredients(
        problem, np.asarray(curve.values, dtype=float), gains, curve.certified, advance
    )
    with enclosure.precision(matrices.WORKING_BITS):
        for done, (name, bound) in enumerate(report.gains.items()):
            advance(f"certify {bound.title}", done / len(report.gains))
            try:
                gains[name] = bound.bound.enclosed(given, bound)
            except NoEnclosure:
                gains[name] = bound  # the floating point value stays
        beta = matrices.upward(enclosed_beta(problem))
    lower, lower_certified = report.lower, False
    if design.indices is not None and len(design.indices) <= MOST_POINTS:
        advance("certify the lower side", 0.0)
        with suppress(NoEnclosure):  # the floating point value stays
            lower, lower_certified = certified_design_gain(problem, design.indices), True
    gains = in_order(problem, gains, lower)
    return BoundReport(problem, lower, gains, beta, lower_certified, beta_certified=True)
