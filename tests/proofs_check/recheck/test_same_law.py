"""The test of two samples for one law: its level is exact with atoms too, and it refuses."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import binom, ks_2samp

from bounds.arrays import FloatArray
from proofs_check.recheck.same_law import agreement

VALUES = st.lists(st.integers(0, 4).map(float), min_size=1, max_size=6)


def largest_gap(one: FloatArray, other: FloatArray) -> float:
    places = np.unique([*one, *other])
    shares = [np.searchsorted(np.sort(s), places, side="right") / len(s) for s in (one, other)]
    return float(np.max(np.abs(shares[0] - shares[1])))


@settings(max_examples=60, deadline=None)
@given(VALUES, VALUES)
@example([0.0, 0.0, 1.0], [0.0, 2.0, 2.0, 2.0])
def test_it_counts_every_order_of_the_pooled_values(one: list[float], other: list[float]) -> None:
    pooled, found = np.array([*one, *other]), largest_gap(np.array(one), np.array(other))
    orders = list(combinations(range(len(pooled)), len(one)))
    reached = sum(
        largest_gap(pooled[list(chosen)], np.delete(pooled, chosen)) >= found - 1e-9
        for chosen in orders
    )
    assert agreement(np.array(one), np.array(other), 0.0) == pytest.approx(reached / len(orders))
    assert agreement(np.array(other), np.array(one), 0.0) == pytest.approx(reached / len(orders))


@pytest.mark.parametrize("shift", [0.0, 0.5, 1.0])
def test_without_ties_it_is_the_usual_one(shift: float) -> None:
    rng = np.random.default_rng(4)
    one, other = rng.normal(size=17), rng.normal(size=60) + shift
    usual = ks_2samp(one, other, method="exact").pvalue
    assert agreement(one, other, 0.0) == pytest.approx(usual, rel=1e-9)


def mixed(rng: np.random.Generator, size: int, share: float, rounding: float = 0.0) -> FloatArray:
    """0 with probability `share`, otherwise exponential; with rounding in every value."""
    drawn = np.where(rng.random(size) < share, 0.0, rng.exponential(size=size))
    return drawn + rounding * rng.random(size)


@pytest.mark.parametrize("share", [0.0, 0.5, 0.97, 1.0])
def test_one_law_is_refused_no_more_often_than_stated(share: float) -> None:
    rng = np.random.default_rng(11)
    found = np.array(
        [agreement(mixed(rng, 19, share), mixed(rng, 120, share, 1e-14), 1e-9) for _ in range(1500)]
    )
    for level in (0.2, 0.05, 0.005):
        refused = int(np.sum(found <= level))
        assert binom.sf(refused - 1, len(found), level) > 1e-6, (level, refused)


@pytest.mark.parametrize(
    ("one", "other"),
    [((0.7, 1.0), (0.3, 1.0)), ((0.0, 1.0), (1.0, 1.0)), ((0.2, 1.0), (0.2, 0.4))],
)
def test_other_laws_are_refused(one: tuple[float, float], other: tuple[float, float]) -> None:
    """Another weight of the atom, no atom at all, and another law beside the same atom."""
    rng = np.random.default_rng(2)
    first, second = (
        scale * mixed(rng, n, share) for n, (share, scale) in ((199, one), (4000, other))
    )
    assert agreement(first, second, 1e-9) < 1e-6


def test_rounding_parts_no_atom_and_hides_no_shift() -> None:
    rng = np.random.default_rng(3)
    atom, near = np.zeros(99), 1e-15 * rng.random(4000)
    assert agreement(atom, near, 1e-9) == pytest.approx(1.0)
    assert agreement(atom, near, 0.0) < 1e-6
    assert agreement(atom, near + 1e-6, 1e-9) < 1e-6
