"""β of every setting: enclosed constants against floating point and mpmath; conditions verified."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, e, log, pi, sqrt

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds import enclosure
from bounds.confidence import certified as module
from bounds.confidence.certified import box_confidence, certified_confidence, tail_constants
from bounds.confidence.point_times import point_times_beta
from bounds.confidence.schedules import finite_domain_beta, theorem_beta
from bounds.confidence.smoothness import slope_constants
from bounds.domain import Grid
from bounds.enclosure import matrices
from bounds.errors import NumericalFailure
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes


def problem_of(kernel=None, n=40, epsilon=0.01, grid=None, time_kernel=None, longest=3.0):
    return Problem(
        EvaluationTimes.from_durations(np.full(n, longest)),
        space_kernel=kernel or SquaredExponential(0.2),
        epsilon=epsilon,
        time_kernel=time_kernel or Forgetting(epsilon),
        domain=grid or Grid(),
    )


@pytest.mark.parametrize(
    ("kernel", "a", "b"),
    [
        (SquaredExponential(0.2), 4009.5189063817, 7.4161984870956),
        (Matern(2.5, 0.2), 25650.619151331, 9.5742710775633),
        (Matern(1.5, 0.2), 125758654.4072, 12.845232578665),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_and_b_of_the_notes_rounded_up(kernel, a: float, b: float) -> None:
    chosen = slope_constants(kernel, 2, 1.0, inflation=1.1)
    with enclosure.precision(matrices.WORKING_BITS):
        found = tail_constants(kernel, 2, 1.0, chosen)
    assert found == pytest.approx((a, b), rel=1e-11)
    # Floating point had a margin of 1e-12; the enclosure needs none and stays below it.
    assert found[0] <= chosen.a * (1 + 1e-11)
    assert found[1] <= chosen.b


def test_chaining_against_mpmath() -> None:
    kernel, d, h = Matern(2.5, 0.2), 2, mpmath.mpf(1) / 69
    with mpmath.workdps(40):
        terms = mpmath.nsum(
            lambda k: mpmath.sqrt(d) * h * 2 ** (-k - 1) * mpmath.sqrt(2 * k * d * mpmath.log(2)),
            [1, mpmath.inf],
        )
        mean = 5 / mpmath.mpf(0.2) ** 2 * terms
        variance = mpmath.mpf(5) / 3 / mpmath.mpf(0.2) ** 2
        a = 2 * 69**2 * mpmath.exp(mean**2 / (2 * variance * (mpmath.mpf(1.1) - 1)))
    chosen = slope_constants(kernel, d, 1.0, inflation=1.1)
    assert chosen.cells_per_axis == 69
    with enclosure.precision(matrices.WORKING_BITS):
        found, _ = tail_constants(kernel, d, 1.0, chosen)
    assert float(a) <= found <= float(a) * (1 + 1e-13)


@pytest.mark.parametrize("kernel", [SquaredExponential(0.2), Matern(1.5, 0.4), Matern(2.5, 0.1)])
def test_the_box_is_theorem_1_with_these_constants(kernel) -> None:
    problem = problem_of(kernel)
    box = certified_confidence(problem).box
    beta = theorem_beta(problem.n, dimension=2, side=1.0, a=box.a, b=box.b, delta=problem.delta)
    assert box.beta == pytest.approx(float(beta), rel=1e-12)
    assert box.beta >= float(beta) * (1 - 1e-15)
    regret = 2 * sqrt(box.beta) * problem.n + pi**2 / 6
    assert box.trivial_regret == pytest.approx(regret, rel=1e-12)
    # No other number of cells or κ that is tried makes β smaller.
    for inflation in (1.02, 1.1, 1.4):
        other = slope_constants(kernel, 2, 1.0, inflation=inflation)
        looser = theorem_beta(
            problem.n, dimension=2, side=1.0, a=other.a, b=other.b, delta=problem.delta
        )
        assert box.beta <= float(looser) * (1 + 1e-6)


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(1, 10_000),
    epsilon=st.sampled_from([0.0, 1e-6, 0.01, 0.5, 0.99]),
    longest=st.sampled_from([0.0, 0.1, 3.0, 1e4]),
)
def test_theorem_c_holds_at_its_beta(n: int, epsilon: float, longest: float) -> None:
    problem = problem_of(n=n, epsilon=epsilon, longest=longest)
    found = certified_confidence(problem)
    beta, weight = found.point_times.beta, 2500 * pi**2 * n**2 / 6 / 0.1
    assert beta >= 2 * log(2 * weight) * (1 - 1e-12)
    windows = max(1, ceil(problem.time_kernel.slope * n * longest * beta * (1 - 1e-12)))
    assert beta >= 2 * log(4 * e * weight * windows) * (1 - 1e-12)
    assert found.finite_domain == pytest.approx(float(finite_domain_beta(n, 2500, 0.1)))
    assert found.point_times.trivial_regret == pytest.approx(3.067 * sqrt(beta) * n)


def test_what_is_not_known_says_why() -> None:
    rough = certified_confidence(problem_of(Matern(0.5, 0.2)))
    assert rough.box is None
    assert rough.reasons == {
        "box": "kernel = matern12: its sample paths have no derivative (nu <= 1)",
    }
    smooth = certified_confidence(problem_of(time_kernel=SquaredExponential(5.0)))
    assert smooth.point_times is None
    assert smooth.reasons == {"point_times": "Theorem C is for Markov time kernels"}
    assert smooth.box is not None


def test_the_noted_inflation_gives_the_constants_again() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0, 2.0]), domain=Grid(1, 1.0, 3))
    found = box_confidence(problem)
    tried = slope_constants(problem.space_kernel, 1, 1.0, inflation=found.inflation)
    chosen = replace(tried, cells_per_axis=found.cells_per_axis)
    assert tail_constants(problem.space_kernel, 1, 1.0, chosen) == (found.a, found.b)


@pytest.mark.parametrize(("n", "longest"), [(3, 0.0), (40, 3.0), (500, 80.0)])
def test_conditions_of_theorem_c_hold_from_their_border_on(n, longest, monkeypatch) -> None:
    problem = problem_of(n=n, longest=longest)
    weight, slope = 2500 * pi**2 * n**2 / 6 / 0.1, problem.time_kernel.slope

    def needed(beta: float) -> float:
        windows = max(1, ceil(slope * n * longest * beta))
        return max(2 * log(2 * weight), 2 * log(4 * e * weight * windows))

    least = float(point_times_beta(n, 2500, 0.1, slope=slope, longest=longest))
    assert least == pytest.approx(needed(least), rel=1e-9)
    with enclosure.precision(matrices.WORKING_BITS):
        assert module._holds(problem, least * (1 + 1e-11), longest)
        assert not module._holds(problem, needed(least) * (1 - 1e-11), longest)
    found = certified_confidence(problem).point_times
    assert (found.per_deviation, found.longest) == (3.067, longest)
    assert found.constant_factor == module.CONSTANT_FACTOR
    assert found.trivial_regret >= 3.067 * sqrt(found.beta) * n * (1 - 1e-15)
    # A number that is a little too small is raised, one that is far too small is none.
    monkeypatch.setattr(module, "point_times_beta", lambda *given, **named: least * (1 - 2e-10))
    raised = certified_confidence(problem).point_times.beta
    assert least * (1 - 1e-10) <= raised <= least * (1 + 2e-10)
    monkeypatch.setattr(module, "point_times_beta", lambda *given, **named: least * (1 - 1e-8))
    with pytest.raises(NumericalFailure, match="its conditions could not be verified"):
        certified_confidence(problem)
