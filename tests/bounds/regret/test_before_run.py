"""The rows beside the chain: each names what it covers, and their order is what theory says."""

from dataclasses import replace
from math import exp, log, pi, sqrt

import numpy as np
import pytest
from scipy import special

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import SquaredExponential
from bounds.numerics.rounding import at_most
from bounds.problem import Problem
from bounds.regret.ingredients.exploration import (
    Exploration,
    IncrementSupremum,
    best_exploration,
)
from bounds.regret.ingredients.ingredients import Ingredients, noise_levels
from bounds.regret.ingredients.noise_inflation import deviation_bound
from bounds.regret.maximum.slepian import ExpectedMaximum
from bounds.regret.regret_bound import PRIOR, RegretBound
from bounds.regret.rows import regret_rows
from bounds.static_gain.information import gain, joint_gram
from bounds.times import EvaluationTimes

PROBLEM = Problem(EvaluationTimes.from_durations([1.0] * 20), domain=Grid(1, 1.0, 15))


CHAIN = {
    "cap",
    "envelope",
    "cauchy_schwarz",
    "theory_smallest",
    "tail",
    "sandwich_upper",
    "constant_exploration",
}


def before_run(problem: Problem, gains, **given_) -> tuple[RegretBound, ...]:
    """The rows of the theorem's policy and of any policy."""
    return chain_of(Ingredients(problem, gains, **given_))


def chain_of(given_: Ingredients) -> tuple[RegretBound, ...]:
    rows = regret_rows(given_, "upper")
    return tuple(row for row in rows if row.name in CHAIN and row.policy in ("ctv-fixed", "any"))


def capped(problem: Problem) -> list[tuple[float, float]]:
    return [
        (noise, problem.n * replace(problem, noise_variance=noise).trivial_gain_per_round)
        for noise in noise_levels(problem)
    ]


def test_rows_name_what_they_cover() -> None:
    rows = {row.name: row for row in before_run(PROBLEM, capped(PROBLEM))}
    assert rows["envelope"].policy == rows["cap"].policy == "ctv-fixed"
    assert rows["tail"].policy == rows["sandwich_upper"].policy == "any"
    for row in rows.values():
        assert row.times == "fixed"
        assert (row.level is None) == (row.kind == "mean")
        assert row.direction == "upper"
    assert rows["theory_smallest"].value == min(rows["envelope"].value, rows["tail"].value)
    assert rows["theory_smallest"].rounds == "one n"
    assert rows["envelope"].value <= rows["cauchy_schwarz"].value <= rows["cap"].value * 1.0000001


def test_a_small_gain_makes_the_envelope_small() -> None:
    points = [[0.5]] * PROBLEM.n
    pairs = [(noise, gain(joint_gram(PROBLEM, points), noise)) for noise in noise_levels(PROBLEM)]
    rows = {row.name: row.value for row in before_run(PROBLEM, pairs)}
    assert rows["envelope"] < 0.6 * rows["cap"]


def test_less_noise_than_there_is_is_refused() -> None:
    with pytest.raises(InvalidInput, match="noise level"):
        before_run(PROBLEM, [(0.001, 1.0)])


def test_every_row_is_its_formula() -> None:
    problem = replace(PROBLEM, delta=0.2, space_kernel=SquaredExponential(0.3))
    bracket, n = ExpectedMaximum(1.0, 1.5), 20
    pairs = [(0.01, 30.0), (0.5, 2.0)]
    beta = 2.0 * log(15 * pi**2 * n**2 / (6.0 * 0.2))
    # Evidence of other rounds: at this many the same b and T.
    proved = IncrementSupremum(4.0, 0.5, 0.0625, 0.06, 1.0, 1.0, 1)
    other = Exploration(4.0, proved)
    found = Ingredients(problem, pairs, maximum=bracket, explored=other)
    rows = {row.name: row for row in chain_of(found)}
    assert list(rows) == [
        "cap",
        "envelope",
        "cauchy_schwarz",
        "theory_smallest",
        "tail",
        "sandwich_upper",
        "constant_exploration",
    ]
    deviations = deviation_bound(n, 0.01, pairs)
    assert found.deviations == deviations and deviations.method == "envelope"
    weight = 2.0 * sqrt(beta)
    lags = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    spread = 2.0 * float(np.sum(0.99 ** (lags / 2)))
    tail = 2.0 * 1.5 * n + sqrt(2.0 * spread * log(1.0 / 0.2))
    schwarz = min(sqrt(2 * n * 30.0 / log(101)), sqrt(2 * n * 2.0 / log(3)), n)
    mean = deviations.value / n
    first = n * (exp(-2.0) / sqrt(2.0 * pi) - 2.0 * special.ndtr(-2.0))
    values = {
        "cap": weight * n,
        "envelope": weight * deviations.value,
        "cauchy_schwarz": weight * schwarz,
        "tail": tail,
        "theory_smallest": min(weight * deviations.value, tail),
        "sandwich_upper": 1.5 * (n + (n - 1) * sqrt(0.99)),
        "constant_exploration": n * 2.0 * mean + first + n * 14 * 0.0625,
    }
    shown = "m* in [1, 1.5]"
    at = f"noise variance {deviations.noise_variance:.3g}, envelope"
    sources = {
        "cap": "2√β_n·n",
        "envelope": f"2√β_n·Σσ, Σσ ≤ n·env at {at}",
        "cauchy_schwarz": "√(8β_n nγ̂(s')/log(1+s')), least over the noise levels",
        "theory_smallest": "the smaller of noise inflation and concentration, both known before "
        "the run",
        "tail": f"2m*n + √(4 log(1/δ)·1ᵀJ1), {shown}",
        "sandwich_upper": f"m*·Σ(1 + a_i), {shown}",
        "constant_exploration": f"n(√b·S̄ + G(√b) + (|D|−1)T(b)), √b = 2, S̄ ≤ {at_most(mean, 3)}, "
        "T(b) ≤ 0.0625 proved",
    }
    for name, row in rows.items():
        assert row.value == pytest.approx(values[name], rel=1e-12), name
        mean_of = name in ("sandwich_upper", "constant_exploration")
        anyone = name in ("tail", "sandwich_upper")
        assert row == RegretBound(
            name,
            row.value,
            "upper",
            "any" if anyone else "ctv-fixed",
            f"{PRIOR}; k_space, k_time >= 0" if name == "tail" else PRIOR,
            "mean" if mean_of else "probability",
            None if mean_of else 0.8,
            "one n" if mean_of or name in ("tail", "theory_smallest") else "all n",
            sources[name],
            "" if anyone else "constant" if name == "constant_exploration" else "theory",
        ), name
    bare = before_run(problem, [], maximum=bracket, explored=other)
    values = {row.name: row.value for row in bare}
    assert values["cauchy_schwarz"] == values["cap"] == pytest.approx(values["envelope"], rel=1e-15)
    alone = replace(problem, domain=Grid(1, 1.0, 1))
    given_ = {"explored": best_exploration(alone, mean, 1.0)}
    (row,) = (r for r in before_run(alone, pairs, **given_) if r.name == "constant_exploration")
    assert row.source.endswith(f"√b = 1, S̄ ≤ {at_most(mean, 3)}")


def test_levels_grow_by_a_factor() -> None:
    np.testing.assert_allclose(noise_levels(PROBLEM), 0.01 * 10 ** np.linspace(0, 2, 6))
    np.testing.assert_allclose(
        noise_levels(replace(PROBLEM, noise_variance=0.25)), 0.25 * 16 ** np.linspace(0, 1, 6)
    )
