"""β schedules: formulas by hand, the events they stand for, bad input."""

from __future__ import annotations

from math import log, pi, sqrt

import numpy as np
import pytest

from bounds.confidence.schedules import (
    bogunovic_weight,
    finite_domain_beta,
    regret_constant,
    regret_from_gain,
    theorem_beta,
    union_weight,
)
from bounds.errors import InvalidInput


def test_union_weights_sum_to_one():
    assert np.sum(1 / union_weight(np.arange(1, 200_001))) == pytest.approx(1.0, abs=5e-6)


def test_finite_domain_beta_covers_the_union():
    # |D| · Σ_n 2·P(Z > √β_n) ≤ Σ_n |D| e^{−β_n/2} = δ.
    n = np.arange(1, 10_001)
    beta = finite_domain_beta(n, 2500, 0.1)
    assert 2500 * np.sum(np.exp(-beta / 2)) <= 0.1
    assert np.all(np.diff(beta) > 0)


def test_theorem_beta_by_hand():
    n, d, r, a, b, delta = 7, 2, 1.5, 30.0, 2.0, 0.05
    x = 2 * pi**2 * n**2 / (3 * delta)
    by_hand = 2 * log(x) + 2 * d * log(d * n**2 * b * r * sqrt(log(x * a * d)))
    value = theorem_beta(n, dimension=d, side=r, a=a, b=b, delta=delta)
    assert float(value) == pytest.approx(by_hand, rel=1e-14)


def test_theorem_beta_counts_at_least_one_point_per_axis():
    tiny = theorem_beta(1, dimension=1, side=1e-9, a=1.0, b=1e-9, delta=0.1)
    assert float(tiny) == pytest.approx(2 * log(2 * pi**2 / 0.3))


def test_bogunovic_weight_and_constant():
    assert float(bogunovic_weight(5)) == pytest.approx(0.8 * log(20.0))
    assert float(bogunovic_weight(0.1)) == 0.0
    assert regret_constant(0.01) == pytest.approx(8 / log(101))
    assert regret_from_gain(10, 4.0, 2.5, 0.01) == pytest.approx(sqrt(8 / log(101) * 100))


def test_weights_and_fields_at_their_ends() -> None:
    assert float(bogunovic_weight(3, 2.0, 5.0)) == pytest.approx(2 * log(15.0))
    assert float(bogunovic_weight(1, 1e100, 1e100)) > 0.0
    assert float(finite_domain_beta(1, 1, 0.5)) == pytest.approx(2 * log(pi**2 / 3), rel=1e-15)
    most, nan = "give a number above 0, at most 1e+100", float("nan")
    for call, said in (
        (lambda: bogunovic_weight(1, c1=0.0), f"c1 = 0.0: {most}"),
        (lambda: bogunovic_weight(1, c2=1.1e100), f"c2 = 1.1e+100: {most}"),
        (lambda: finite_domain_beta(1, 10, 0.0), "delta = 0.0: give a probability in (0, 1)"),
        (lambda: finite_domain_beta(1, 10, nan), "delta = nan: give a probability in (0, 1)"),
        (lambda: finite_domain_beta(1, 0, 0.1), "domain size = 0: give at least 1 point"),
        (lambda: finite_domain_beta(1, 1, 1.5), "delta = 1.5: give a probability in (0, 1)"),
        (lambda: union_weight([1, 0.5]), "n = [1, 0.5]: rounds count from 1"),
        (
            lambda: theorem_beta(1, dimension=1, side=1.0, a=1.0, b=float("inf"), delta=0.1),
            "b = inf: give a positive finite number",
        ),
        (
            lambda: theorem_beta(1, dimension=1, side=0.0, a=1.0, b=1.0, delta=0.1),
            "side = 0.0: give a positive finite number",
        ),
        (
            lambda: theorem_beta(1, dimension=1, side=1.0, a=1e-3, b=1.0, delta=0.1),
            "a = 0.001: too small: log(2 pi^2 n^2 a d/(3 delta)) must be positive",
        ),
    ):
        with pytest.raises(InvalidInput) as caught:
            call()
        assert str(caught.value) == said
