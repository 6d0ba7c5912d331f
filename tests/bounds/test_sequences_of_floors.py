"""The exponents of the floor against the recursion of p_i at growing n, and by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bounds.kernels import Matern
from bounds.pattern import Waits
from bounds.rates.exponents import regimes
from bounds.rates.least import LEAST_EXPONENTS
from bounds.rates.printed import epsilon_ladder
from bounds.sequences import Scaling, derived_regimes, floor_regimes, published_floor

FAMILIES = [
    Scaling("uniform"),
    Scaling("biased"),
    Scaling("geometric", ratio=2),
    Scaling("power", power=1),
    Scaling("power", power="-3/2"),
    Scaling("power", power=-3),
    Scaling("bursts", bursts="1/2"),
    Scaling("bursts", bursts=3),
    Scaling("periodic", period="1/2"),
    Scaling("periodic", period="1/4", contrast="1/2"),
    Scaling("periodic", period=4),
    Scaling("exponential"),
    Scaling("pareto", tail="1/2"),
    Scaling("pareto", tail=2),
]


def total(scaling: Scaling, n: int, kappa: Fraction) -> float:
    """Σ(1 − √(1−p_i)) by the recursion, durations in units of 1/θ; random ones averaged."""
    draws = 5 if scaling.random else 1
    drawn = (scaling.times(n, kappa, np.random.default_rng(seed)) for seed in range(draws))
    values = [Waits.of(times, Matern(0.5, 1.0), 0.1).lost for times in drawn]
    return float(np.exp(np.median(np.log(values))))


@pytest.mark.parametrize("scaling", FAMILIES, ids=lambda s: s.label)
@pytest.mark.parametrize("kappa", [Fraction(-3, 2), Fraction(-1, 4), Fraction(1, 2), Fraction(2)])
def test_the_exponent_is_that_of_the_recursion(scaling: Scaling, kappa: Fraction) -> None:
    low, high = 2**11, 2**15
    ratio = total(scaling, high, kappa) / total(scaling, low, kappa)
    measured = np.log(ratio) / np.log(high / low)
    derived = float(floor_regimes(scaling).exponent(kappa))
    # Logarithms: a factor of log n is worth at most 0.12 here, two constants the rest.
    assert derived - 0.09 <= measured <= derived + 0.14


@pytest.mark.parametrize("scaling", FAMILIES, ids=lambda s: s.label)
def test_no_floor_is_above_a_ceiling(scaling: Scaling) -> None:
    floor, ceiling = floor_regimes(scaling), derived_regimes(scaling, 0, "refined")
    assert floor.continuous
    assert floor.monotone
    for kappa in (Fraction(k, 4) for k in range(-16, 17)):
        assert 0 <= floor.exponent(kappa) <= ceiling.exponent(kappa) <= 1


def test_uniform_is_above_what_is_published() -> None:
    floor, known = floor_regimes(), published_floor()
    for kappa in (Fraction(k, 8) for k in range(-24, 17)):
        assert floor.exponent(kappa) == min(Fraction(1), max(Fraction(0), (1 + kappa) / 2))
        assert known.exponent(kappa) == min(Fraction(1), max(Fraction(0), kappa))
        assert known.exponent(kappa) <= floor.exponent(kappa)


def test_the_gap_is_between_the_rungs_at_unit_steps() -> None:
    rungs = {rung.name: rung for rung in epsilon_ladder()}
    assert rungs["floor"].direction == "lower"
    assert rungs["margin"].exponent < rungs["theorem-q"].exponent
    gap = {one.where: (one.ceiling, one.floor) for one in LEAST_EXPONENTS}
    low, high = gap["finite domain"]
    assert (str(rungs["theorem-q"].exponent), str(rungs["floor"].exponent)) == (low, high)
    assert gap["otherwise"][0] == str(regimes("refined", 0).regimes[1].exponent.slope)
    # nε^{1/2}: with ε = n^{κ−1} the line (1 + κ)/2 of the floor's middle regime.
    middle = floor_regimes().regimes[1].exponent
    assert str(middle.slope) == str(rungs["floor"].exponent)
