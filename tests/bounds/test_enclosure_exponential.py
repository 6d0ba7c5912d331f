"""Exponentials in doubles against balls at 200 bits, and on their side."""

from __future__ import annotations

from math import exp

import flint
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bounds.enclosure.doubles import Doubles
from bounds.enclosure.exponential import (
    bulge_up,
    exp_down,
    exp_near,
    exp_of_doubles,
    exp_table,
    exp_up,
)


@given(st.floats(-40.0, 8.0))
def test_exponentials_are_as_near_as_they_say(x) -> None:
    with flint.ctx.workprec(200):
        true = flint.arb(x).exp()
        near = flint.arb(float(exp_near.py_func(np.array(x), exp_table())))
        assert abs(near / true - 1) < flint.arb(2) ** -49
        assert flint.arb(float(exp_down(np.array([x]))[0])) <= true
        assert flint.arb(float(exp_up(np.array([x]))[0])) >= true


@given(st.floats(-900.0, 8.0), st.sampled_from([0.0, 1e-300, 1e-12, 0.3, 1.0]), st.floats(-1, 1))
def test_an_interval_of_exponents_is_mapped_around(mid, rad, place) -> None:
    found = exp_of_doubles(Doubles(np.array([mid]), np.array([rad])))
    with flint.ctx.workprec(200):
        true = (flint.arb(mid) + flint.arb(rad) * flint.arb(place)).exp()
        assert flint.arb(float(found.lower()[0])) <= true <= flint.arb(float(found.upper()[0]))
    if rad == 0.0 and mid >= -40.0:
        assert found.rad[0] <= 2.0**-47 * found.mid[0]


def test_what_is_wide_or_large_has_no_end() -> None:
    found = exp_of_doubles(Doubles(np.array([0.0, 9.0]), np.array([1.5, 0.0])))
    assert not np.isfinite(found.rad).any()


@given(st.floats(2.0**-20, 2.0))
def test_the_bulge_is_above(y) -> None:
    with flint.ctx.workprec(200):
        true = flint.arb(y).sinh() / y
        assert true <= flint.arb(bulge_up.py_func(y)) < true * (1 + flint.arb(2) ** -25)


def test_beyond_the_table() -> None:
    low = np.array([-41.0, -1e300])
    assert np.all(exp_down(low) == 0.0)
    assert np.all(exp_up(low) >= exp(-41.0))
