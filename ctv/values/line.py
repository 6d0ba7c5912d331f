"""Four numbers of one problem on one axis: lower bound, achieved or simulated, proven, printed."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from ctv.show.axis import Mark, NumberLine
from ctv.show.rounding import at_least, at_most, digits

if TYPE_CHECKING:
    from bounds.gain.bounds import Bounds


def four_numbers(
    bounds: Bounds,
    achieved: float | None,
    *,
    certified: bool = False,
    unit: float = 1.0,
    counted: str = "",
) -> NumberLine:
    """Those of the four that there are.

    Parameters
    ----------
    bounds : the bounds of the problem
    achieved : regret of a run or of simulated runs, counted as the line is; None without
    certified : whether it is a bound on what a finished run lost, rather than a simulated average
    unit : what one unit of regret of the problem is on the line
    counted : what the line is counted in, for people; empty for units of the objective
    """
    rows = (
        ("lower bound", scaled(lower_of(bounds), unit), at_least),
        ("achieved" if certified else "simulated", achieved, at_most if certified else digits),
        ("proven", scaled(proven_of(bounds), unit), at_most),
        ("printed", scaled(printed_of(bounds), unit), at_most),
    )
    marks = (
        Mark(name, value, rounded(value))
        for name, value, rounded in rows
        if value is not None and isfinite(value)
    )
    return NumberLine(tuple(marks), counted)


def scaled(value: float | None, unit: float) -> float | None:
    """The value in other units; None where there is none."""
    return None if value is None else unit * value


def lower_of(bounds: Bounds) -> float | None:
    """The largest lower bound on the expected regret of every policy, certified if any is."""
    row = bounds.answer.certified_floor or bounds.answer.floor
    return None if row is None else row.value


def proven_of(bounds: Bounds) -> float | None:
    """The smallest bound for CTV-fixed with probability 1 − δ, certified if any is."""
    row = bounds.answer.best(certified=True) or bounds.answer.best()
    return None if row is None else row.value


def printed_of(bounds: Bounds) -> float | None:
    """Theorem 1 as the paper prints it; None where its hypotheses do not hold."""
    report = bounds.report
    valid = report.gains["theorem1"].valid and "theorem1" in report.regret
    return report.regret["theorem1"] if valid else None
