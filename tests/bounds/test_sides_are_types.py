"""What is certified has its side as its type: no bare float leaves a certified function."""

from __future__ import annotations

import ast
import json
import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bounds
from bounds.confidence.certified import certified_confidence
from bounds.domain import Arms, Grid
from bounds.drifting_gain.certified import certified_dual
from bounds.drifting_gain.joint_dual import joint_dual
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.enclosure import Lower, LowerArray, Upper, UpperArray, matrices
from bounds.gain.report import bound_report, certified_report
from bounds.kernels import Kernel, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.ingredients.full_information import variance_left
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.ingredients.start_up import floor_curve
from bounds.regret.lower.rank import floor_of_rounds
from bounds.regret.maximum.maximum import least_maximum
from bounds.regret.rows import certified_rows, floors, regret_rows
from bounds.static_gain.both_sides import certified_gains_at
from bounds.static_gain.certified import certified_curve
from bounds.static_gain.upper_curve import space_gain_upper
from bounds.times import EvaluationTimes

ROOT = Path(str(bounds.__file__)).parent


def test_a_computation_is_on_no_side() -> None:
    high, low = Upper(2.0), Lower(2.0)
    for found in (high + high, high * 2.0, high - low, low / 3.0, abs(low), sum([low, low])):
        assert type(found) is float
    assert type(-high) is Lower and type(-low) is Upper and -high == -2.0
    assert type(max(high, Upper(1.0))) is Upper
    for one in (high, low):
        assert isinstance(one, float) and json.dumps(one) == repr(one) == "2.0"
        assert type(pickle.loads(pickle.dumps(one))) is type(one)
        assert np.array([one]).dtype == float


def test_rounding_says_its_side() -> None:
    third = matrices.ball_matrix(np.eye(1)).entries()[0] / 3
    high, low = matrices.upward(third), matrices.downward(third)
    assert type(high) is Upper and type(low) is Lower
    assert Fraction(low) < Fraction(1, 3) < Fraction(high)
    assert high <= np.nextafter(np.nextafter(low, 1.0), 1.0)


ARRAYS = [(UpperArray, Upper, LowerArray), (LowerArray, Lower, UpperArray)]


@pytest.mark.parametrize(("kind", "entry", "other"), ARRAYS)
def test_an_array_has_one_side_and_what_is_computed_from_it_none(kind, entry, other) -> None:
    doubles = np.array([[1.0, 3.0], [2.0, 0.5]])
    sided = kind.of(doubles)
    assert np.shares_memory(sided, doubles)
    for part in (sided[0], sided[:, 1], sided.T, sided.ravel(), sided.copy(), sided[sided > 1.0]):
        assert type(part) is kind
    assert type(sided[0, 1]) is entry and sided[0, 1] == 3.0
    assert type(-sided) is other and type(np.negative(-sided)) is kind
    assert type(pickle.loads(pickle.dumps(sided))) is kind
    computed = [sided + sided, 2.0 * sided, sided - 1.0, sided @ sided, np.sqrt(sided), sided**2]
    computed += [np.cumsum(sided), np.concatenate([sided, sided]), np.where(sided > 1, sided, 0.0)]
    computed += [np.maximum.accumulate(sided), np.maximum(sided, sided), abs(sided), sided.sum(0)]
    assert {type(one) for one in computed} == {np.ndarray}
    assert np.array_equal(computed[0], doubles + doubles)
    with pytest.raises(TypeError, match="not written over"):
        sided += 1.0
    with pytest.raises(TypeError, match="not written over"):
        np.add(sided, 1.0, out=sided)
    with pytest.raises(TypeError, match="not written over"):
        sided[0] = 7.0
    assert doubles[0, 0] == 1.0


@given(st.lists(st.fractions(max_denominator=10**6), min_size=1, max_size=6))
def test_arrays_are_rounded_to_their_side(numbers: list[Fraction]) -> None:
    balls = np.array([flint.arb(x.numerator) / x.denominator for x in numbers], dtype=object)
    low, high = matrices.downward_array(balls), matrices.upward_array(balls)
    assert type(low) is LowerArray and type(high) is UpperArray
    for a, x, b in zip(low, numbers, high, strict=True):
        assert Fraction(float(a)) <= x <= Fraction(float(b))
        assert b <= np.nextafter(np.nextafter(np.nextafter(a, np.inf), np.inf), np.inf)


def rounding_functions() -> Iterator[tuple[str, str]]:
    """Functions of `bounds` that return what they round outward, and what they say they return."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            said = ast.unparse(node.returns) if node.returns else ""
            for inner in ast.walk(node):
                if isinstance(inner, ast.Return) and isinstance(inner.value, ast.Call):
                    word = ast.unparse(inner.value.func)
                    if re.search(r"\b(up|down)ward(_array)?$", word):
                        yield f"{path.relative_to(ROOT)}: {node.name}", said


def test_what_rounds_outward_says_so() -> None:
    """Beside a side a float may stand, for what is not certified, and never alone."""
    found = dict(rounding_functions())
    assert len(found) >= 5
    assert [name for name, said in found.items() if not re.search("Upper|Lower", said)] == []


def public_functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    for path in sorted([*ROOT.rglob("certified.py"), *ROOT.rglob("enclosed*.py")]):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield f"{path.relative_to(ROOT)}: {node.name}", node


def test_no_certified_function_says_that_it_returns_a_float() -> None:
    """`mypy` then holds the functions to what they say; seconds are no bound."""
    found = dict(public_functions())
    assert len(found) > 15
    for name, node in found.items():
        said = ast.unparse(node.returns) if node.returns is not None else ""
        names = {part.id for part in ast.walk(ast.parse(said)) if isinstance(part, ast.Name)}
        assert said and ("float" not in names or name.endswith("_seconds")), name


@pytest.mark.parametrize(
    ("kernel", "noise_variance"), [(SquaredExponential(0.3), 0.1), (Matern(2.5, 0.4), 1e-6)]
)
def test_every_certified_number_of_a_problem_has_its_side(
    kernel: Kernel, noise_variance: float
) -> None:
    problem = Problem(
        EvaluationTimes.from_durations([1.0, 0.0, 0.5, 3.0, 1.0]),
        epsilon=0.05,
        space_kernel=kernel,
        noise_variance=noise_variance,
        domain=Grid(2, 1.0, 3),
    )
    rough = space_gain_upper(kernel, problem.domain, noise_variance, problem.n)
    curve = certified_curve(kernel, problem.domain, rough)
    design = joint_gain_lower(problem)
    report = certified_report(
        bound_report(problem, curve.values, design.value, costly=True), curve, design
    )
    dual = certified_dual(problem, joint_dual(problem))
    level = 4.0 * noise_variance
    inflated = joint_dual(replace(problem, noise_variance=level))
    given_ = Ingredients(problem, [(level, inflated.value)], evidence={level: inflated})
    rows = certified_rows(given_, regret_rows(given_, "upper"))
    confidence = certified_confidence(problem)
    box, moving = confidence.box, confidence.point_times
    assert box is not None and moving is not None
    uppers: dict[str, Any] = {
        "finite domain": confidence.finite_domain,
        "a": box.a,
        "b": box.b,
        "beta": box.beta,
        "box regret": box.trivial_regret,
        "moving": moving.beta,
        "cap": moving.trivial_regret,
        **{
            f"line {i} {name}": getattr(line, name)
            for i, line in enumerate(curve.certificates)
            for name in ("intercept", "slope")
        },
        **{f"block {i}": block.value for i, block in enumerate(dual.certificates)},
        **{f"gain {g.name}": g.value for g in report.gains.values() if g.certified and g.valid},
        **{
            f"regret {name}": report.regret[name]
            for name, g in report.gains.items()
            if g.certified and g.valid
        },
        **{f"row {row.name}": row.value for row in rows if row.certified},
    }
    assert {name: type(v) for name, v in uppers.items() if not isinstance(v, Upper)} == {}
    assert len(uppers) > 20
    assert report.lower_certified and isinstance(report.lower, Lower)
    assert type(curve.values) is UpperArray and type(rough.values) is np.ndarray
    floor_rows = floors(problem)
    lowers = {f"floor {row.name}": row.value for row in floor_rows if row.certified}
    assert len(lowers) == len(floor_rows) and not any(
        type(value) is not Lower for value in lowers.values()
    )


def test_every_certified_list_has_its_side() -> None:
    """Both sides of the gain, of independent arms too, and the floors round by round."""
    problem = Problem(EvaluationTimes.from_durations([1.0, 0.0, 2.0]), domain=Grid(1, 1.0, 4))
    for domain in (problem.domain, Arms(3)):
        sides = certified_gains_at(replace(problem, domain=domain), [1, 3])
        assert sides.certified == (True, True)
        assert type(sides.lower) is LowerArray and type(sides.upper) is UpperArray
    left = variance_left(problem.times, problem.time_kernel, problem.noise_variance)
    least = least_maximum(problem).value
    curve = floor_curve(problem.times, problem.time_kernel, problem.noise_variance, least)
    for array in (left.shares, left.losses(), floor_of_rounds(problem), curve):
        assert type(array) is LowerArray
    assert type(left.total()) is Lower and type(least) is Lower
    simulated = floor_curve(problem.times, problem.time_kernel, problem.noise_variance, 1.0)
    assert type(simulated) is np.ndarray
