"""γ_m from both sides at chosen numbers of rounds: the grid in floats, enclosed, or the box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bounds.arrays import BoolArray, FloatArray, IntArray
from bounds.enclosure import LowerArray
from bounds.errors import InvalidInput
from bounds.limits import LARGEST_N
from bounds.problem import Problem
from bounds.progress import Stage, unstaged
from bounds.static_gain.certified import (
    certified_curve,
    certified_design_gains,
)
from bounds.static_gain.upper_curve import GainCurve, space_gain_upper

if TYPE_CHECKING:
    from bounds.static_gain.designs import GainDesigns


@dataclass(frozen=True, eq=False)
class GainRange:
    """γ_m from both sides at some m ≥ 1, in nats.

    Attributes
    ----------
    m : (k,) numbers of rounds
    lower, upper : (k,) the two sides, as their types say where they are certified
    cap : (k,) ½m·log(1+1/σ²)
    upper_names : which bound won above
    certified : whether both sides were rounded outward
    curve : upper bounds on γ_0..γ of the largest m; between the m that were asked for it may be
        looser
    """

    m: IntArray
    lower: FloatArray
    upper: FloatArray
    cap: FloatArray
    upper_names: tuple[str, ...]
    certified: tuple[bool, ...]
    curve: GainCurve


def gain_curve(problem: Problem) -> GainCurve:
    """Upper bounds on γ_0 … γ_n for the space kernel, the domain and the noise of a problem."""
    return space_gain_upper(problem.space_kernel, problem.domain, problem.noise_variance, problem.n)


def gains_at(
    problem: Problem,
    rounds: Sequence[int],
    advance: Stage = unstaged,
    curve: GainCurve | None = None,
) -> GainRange:
    """γ_m from both sides for the given m ≥ 1, in floating point; a curve may be at hand."""
    above, designs = _sides(problem, rounds, advance, curve)
    lower = designs.values[np.array(rounds, dtype=np.int64)]
    return _range(problem, rounds, above, lower, np.zeros(len(rounds), dtype=bool))


def certified_gains_at(
    problem: Problem, rounds: Sequence[int], advance: Stage = unstaged
) -> GainRange:
    """γ_m of the grid from both sides, rounded outward; `certified` where both sides are."""
    above, designs = _sides(problem, rounds, advance)
    curve = certified_curve(
        problem.space_kernel,
        problem.domain,
        above,
        lambda share: advance("certify the upper side", share),
        at=rounds,
    )
    return _certified_range(problem, rounds, designs, curve, advance)


def box_gains_at(problem: Problem, rounds: Sequence[int], advance: Stage = unstaged) -> GainRange:
    """γ_m of the whole box from both sides: what the grid attains, and the cells between."""
    from bounds.static_gain.box_gain import box_curve, require_known

    require_known(problem.space_kernel, problem.domain)
    above, designs = _sides(problem, rounds, advance)
    curve = box_curve(
        problem.space_kernel,
        problem.domain,
        above,
        np.array(rounds, dtype=np.int64),
        lambda share: advance("certify the box", share),
    )
    return _certified_range(problem, rounds, designs, curve, advance)


def _sides(
    problem: Problem, rounds: Sequence[int], advance: Stage, curve: GainCurve | None = None
) -> tuple[GainCurve, GainDesigns]:
    from bounds.static_gain.designs import space_gain_lower

    if min(rounds) < 1:
        raise InvalidInput("m", min(rounds), "give at least 1 round")
    if max(rounds) > LARGEST_N:
        raise InvalidInput("m", max(rounds), f"give at most {LARGEST_N} rounds")
    space = (problem.space_kernel, problem.domain, problem.noise_variance, max(rounds))
    if curve is None:
        advance("upper side", 0.0)
        curve = space_gain_upper(*space, at=rounds)
    return curve, space_gain_lower(*space, lambda share: advance("lower side", share), at=rounds)


def _certified_range(
    problem: Problem,
    rounds: Sequence[int],
    designs: GainDesigns,
    curve: GainCurve,
    advance: Stage,
) -> GainRange:
    m = np.array(rounds, dtype=np.int64)
    enclosed = certified_design_gains(
        problem.space_kernel,
        problem.domain,
        problem.noise_variance,
        designs,
        m,
        lambda share: advance("certify the lower side", share),
    )
    known = np.isfinite(enclosed)
    lower = np.where(known, enclosed, designs.values[m])
    return _range(problem, rounds, curve, lower, known & curve.certified)


def _range(
    problem: Problem,
    rounds: Sequence[int],
    curve: GainCurve,
    lower: FloatArray,
    certified: BoolArray,
) -> GainRange:
    m = np.array(rounds, dtype=np.int64)
    return GainRange(
        m=m,
        lower=LowerArray.of(lower) if certified.all() else lower,
        upper=curve.values[m],
        cap=m.astype(float) * problem.trivial_gain_per_round,
        upper_names=tuple(curve.upper_name(int(k)) for k in m),
        certified=tuple(bool(each) for each in certified),
        curve=curve,
    )
