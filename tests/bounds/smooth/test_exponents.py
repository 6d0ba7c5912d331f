"""Exponents of the least regret: derived for each family, and measured by Ψ at growing n."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bounds.errors import InvalidInput
from bounds.kernels import Matern
from bounds.problem import Problem
from bounds.rates.least import LEAST_EXPONENTS, matern_exponents
from bounds.rates.printed import epsilon_ladder
from bounds.sequences import Scaling, derived_regimes, floor_regimes, smooth_regimes
from bounds.smooth.order import least_order, local_exponents
from bounds.times import EvaluationTimes
from tests.bounds.test_sequences_of_floors import FAMILIES as FLOORS

FAMILIES = [
    (Scaling("uniform"), 0),
    (Scaling("uniform"), -1),
    (Scaling("biased"), 1),
    (Scaling("geometric"), 0),
    (Scaling("power", power=-2), 1),
    (Scaling("power", power=-4), 2),
    (Scaling("bursts", bursts="1/2"), Fraction(-1, 4)),
    (Scaling("bursts", bursts="1/2"), 1),
    (Scaling("periodic", period="1/2"), Fraction(1, 2)),
    (Scaling("periodic", period="1/2", contrast=1), Fraction(3, 2)),
    (Scaling("pareto", tail="1/2"), Fraction(1, 2)),
]


@pytest.mark.parametrize(
    ("scaling", "kappa"), FAMILIES, ids=lambda one: str(getattr(one, "label", one))
)
def test_psi_grows_as_derived(scaling: Scaling, kappa) -> None:
    """Ψ itself at two lengths, 16 times apart, against the exponent of its family."""
    rng = np.random.default_rng(1)
    short, long = 512, 8192
    values = []
    for n in (short, long):
        draws = 5 if scaling.random else 1
        found = []
        for _ in range(draws):
            times = (
                scaling.times(n, float(kappa), rng) if scaling.random else scaling.times(n, kappa)
            )
            problem = Problem(times, time_kernel=Matern(0.5, 1.0), noise_variance=0.25)
            found.append(np.log(least_order(problem).value))
        values.append(float(np.mean(found)))
    measured = (values[1] - values[0]) / np.log(long / short)
    assert measured == pytest.approx(float(smooth_regimes(scaling).exponent(kappa)), abs=0.07)


@pytest.mark.parametrize("scaling", FLOORS, ids=lambda one: one.label)
def test_the_least_regret_lies_between_floor_and_partition_bounds(scaling: Scaling) -> None:
    smooth, floor = smooth_regimes(scaling), floor_regimes(scaling)
    refined, printed = (derived_regimes(scaling, 0, name) for name in ("refined", "theorem1"))
    assert all(table.continuous and table.monotone for table in (smooth, floor))
    uniform = smooth_regimes()
    for kappa in (Fraction(k, 4) for k in range(-16, 17)):
        least = smooth.exponent(kappa)
        assert 0 <= max(floor.exponent(kappa), Fraction(1, 2)) <= least
        assert least <= refined.exponent(kappa) <= printed.exponent(kappa) <= 1
        assert least <= uniform.exponent(kappa)


def test_equal_steps_and_growing_durations() -> None:
    """n·ε^{1/3} at unit steps; t_i = i^p has n^{1+p/3} from p = −3/2 to 0 (κ = 1 + p, or 0)."""
    uniform = smooth_regimes()
    for log_epsilon in (Fraction(-1, 2), Fraction(-1), Fraction(-3, 2)):
        assert uniform.exponent(1 + log_epsilon) == 1 + log_epsilon / 3
    for power in (Fraction(-3, 2), Fraction(-5, 4), Fraction(-3, 4), Fraction(0)):
        kappa = max(1 + power, Fraction(0))
        table = smooth_regimes(Scaling("power", power=power))
        assert table.exponent(kappa) == 1 + power / 3
    heavy = smooth_regimes(Scaling("pareto", tail="1/2"))
    # n gaps of tail α: θT = εn^{1/α}; a round costs ε^{α/(2+α)}.
    assert heavy.exponent(2 - Fraction(1, 2)) == 1 - Fraction(1, 2) * Fraction(1, 5)


def test_the_gap_is_closed_on_a_box() -> None:
    box = next(one for one in LEAST_EXPONENTS if one.where == "smooth kernel on a box")
    assert (box.ceiling, box.floor) == ("1/3", "1/3")
    rungs = {rung.name: rung for rung in epsilon_ladder()}
    assert str(rungs["theorem-r-plus"].exponent) == str(rungs["theorem-n"].exponent) == "1/3"
    assert rungs["theorem-n"].direction == "lower"


def test_matern_kernels_have_intervals() -> None:
    """Ceilings by increments beat those by the gain at large ν only, and stay below the floor."""
    half = Fraction(1, 2)
    assert matern_exponents(7 * half, 1).ceiling == "1/4"
    assert matern_exponents(5 * half, 1).ceiling == "5/22"
    assert matern_exponents(half, 1).floor == "1/2"
    last = Fraction(0)
    for nu in (Fraction(k, 4) for k in range(1, 200)):
        for dimension in (1, 2, 5):
            row = matern_exponents(nu, dimension)
            assert 0 < Fraction(row.ceiling) < Fraction(row.floor)
        assert last <= Fraction(matern_exponents(nu, 2).ceiling)
        last = Fraction(matern_exponents(nu, 2).ceiling)
    assert float(Fraction(matern_exponents(Fraction(10**6), 3).ceiling)) == pytest.approx(
        1 / 3, abs=1e-5
    )
    with pytest.raises(InvalidInput, match="nu"):
        matern_exponents(Fraction(0), 1)


def test_local_exponents_of_unit_steps() -> None:
    problem = Problem(EvaluationTimes.from_durations(np.ones(3000)), 1e-3, noise_variance=1.0)
    in_n, in_epsilon = local_exponents(problem)
    assert in_n == pytest.approx(1.0, abs=0.03)
    assert in_epsilon == pytest.approx(1 / 3, abs=0.03)
