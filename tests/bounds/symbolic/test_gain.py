"""Gain bounds in symbols against the numeric code, and the best block where it is known."""

from fractions import Fraction
from itertools import pairwise
from math import log

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.errors import InvalidInput
from bounds.gain.bound import Ingredients
from bounds.gain.upper.any_pattern import AnyPattern
from bounds.partitions.drift import best_center
from bounds.partitions.equal_blocks import equal_block_gains
from bounds.partitions.partition import Partition
from bounds.partitions.search import evaluate
from bounds.partitions.uniformity import cap_of, uniformity
from bounds.problem import Problem
from bounds.symbolic.blocks import LENGTH, BestBlock, best_block, drift_per_round
from bounds.symbolic.formula import symbol
from bounds.symbolic.gain import OBJECTIVES, block_drift, gain_bound, partition_bound
from bounds.times import EvaluationTimes, Family, sequence
from tests.bounds.symbolic.reading import kept, said

N, TOTAL, EPSILON, NOISE = 11, 20.0, 0.05, 0.5
OPTIONS = {"n0": 5, "ratio": 1.25, "power": 2, "bursts": 4, "period": 3, "gap": 0.0}
FAMILIES = ("uniform", "biased", "geometric", "power", "bursts", "periodic")


def problem_of(family: str, epsilon: float = EPSILON) -> Problem:
    times = sequence(family, Family(n=N, total=TOTAL, **OPTIONS))
    return Problem(times, epsilon=epsilon, noise_variance=NOISE)


def values_of(problem: Problem) -> dict[str, object]:
    return {
        **OPTIONS,
        "n": N,
        "T": TOTAL,
        "epsilon": problem.epsilon,
        "noise_variance": NOISE,
        "theta": problem.time_kernel.slope,
        "c": 0.4,
        "d": 2,
        "gain_slope": 0.25,
        "gain_intercept": 1.5,
    }


PRICES = {
    "power": [0.0] + [m**0.4 * log(m) for m in range(1, N + 1)],
    "log": [0.0] + [log(m) ** 3 for m in range(1, N + 1)],
    "line": [0.0] + [1.5 + 0.25 * m for m in range(1, N + 1)],
    "function": [0.0] + [float(np.sqrt(m)) for m in range(1, N + 1)],
}


# Long formulas, in which sympy takes some seconds to put blocks; uniform and biased stand below.
LONG = [pytest.param(f, marks=pytest.mark.slow) for f in ("power", "bursts", "periodic")]


@pytest.mark.parametrize("objective", ["theorem1", "additive"])
@pytest.mark.parametrize("family", ["geometric", *LONG])
def test_equal_blocks_have_the_value_of_the_numeric_code(objective, family) -> None:
    form = gain_bound(objective, family, power=2)
    for epsilon, length in ((EPSILON, 4), (0.6, 3), (0.0, 11), (0.3, 1)):
        problem = problem_of(family, epsilon)
        wanted = evaluate(objective, problem, PRICES["function"], Partition.equal(N, length)).value
        found = form.value({**values_of(problem), "M": length}, 20, PRICES["function"])
        assert float(found) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("objective", ["theorem1", "additive", "refined"])
@settings(max_examples=6, deadline=None, derandomize=True)
@given(
    family=st.sampled_from(["uniform", "biased"]),
    n=st.integers(1, 14),
    length=st.integers(1, 14),
    total=st.fractions(0, 40, max_denominator=7),
    epsilon=st.fractions(0, Fraction(59, 60), max_denominator=60),
    noise=st.fractions(Fraction(1, 50), 5, max_denominator=50),
)
def test_any_size_and_block(objective, family, n, length, total, epsilon, noise) -> None:
    length = min(length, n)
    times = sequence(family, Family(n=n, total=float(total), n0=(n + 1) // 2))
    problem = Problem(times, epsilon=float(epsilon), noise_variance=float(noise))
    gamma = [float(np.sqrt(m)) for m in range(n + 1)]
    wanted = evaluate(objective, problem, gamma, Partition.equal(n, length)).value
    known = {
        "n": n,
        "T": total,
        "epsilon": epsilon,
        "noise_variance": noise,
        "M": length,
        "n0": (n + 1) // 2,
        "theta": problem.time_kernel.slope,
    }
    found = float(gain_bound(objective, family).value(known, 20, gamma))
    assert found == pytest.approx(wanted, rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("gain", PRICES)
@pytest.mark.parametrize("objective", ["theorem1", "additive", "refined"])
def test_every_form_of_the_gain(gain, objective) -> None:
    problem = problem_of("uniform")
    table = equal_block_gains(
        N,
        TOTAL / N,
        epsilon=EPSILON,
        time_kernel=problem.time_kernel,
        noise_variance=NOISE,
        gamma=PRICES[gain],
    )
    form = gain_bound(objective, "uniform", gain=gain)
    for length, wanted in zip(table.lengths.tolist(), table.gains[objective], strict=True):
        found = form.value({**values_of(problem), "M": length}, 25, PRICES["function"])
        assert float(found) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("family", FAMILIES)
def test_refined_blocks_at_their_best_centre(family) -> None:
    problem = problem_of(family)
    form = block_drift("refined", family, power=2)
    start, length = 2, 7
    given = {**values_of(problem), "k_0": start, "i": length}
    centres = range(1, length + 1) if "center" in form.symbols else [1]
    least = min(form.value({**given, "center": centre}) for centre in centres)
    times = problem.times.block(start, start + length)
    wanted, _ = best_center(times, problem.time_kernel, NOISE)
    assert float(least) == pytest.approx(wanted, rel=1e-12)
    if "center" in form.symbols:
        at_middle = block_drift("refined", family, power=2, middle=True).value(given)
        assert at_middle == form.value({**given, "center": (length + 1) // 2})
    middle = gain_bound("refined", family, power=2, cuts=[0, "d_1", "n"])
    upper = middle.value({**values_of(problem), "d_1": 4}, 15, PRICES["function"])
    partition = Partition((0, 4, N))
    assert upper >= evaluate("refined", problem, PRICES["function"], partition).value * (1 - 1e-12)


@pytest.mark.parametrize("objective", ["theorem1", "additive"])
def test_cuts_of_ones_own(objective) -> None:
    problem = problem_of("geometric")
    form = gain_bound(objective, "geometric", cuts=[0, "a", "b", "n"])
    found = form.value({**values_of(problem), "a": 2, "b": 8}, 20, PRICES["function"])
    wanted = evaluate(objective, problem, PRICES["function"], Partition((0, 2, 8, N))).value
    assert float(found) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("objective", ["theorem1", "additive", "refined"])
def test_cuts_of_a_list_of_durations(objective) -> None:
    form = gain_bound(objective, ["a", "b", "a + b", "b", "b"], cuts=[0, 2, 5])
    times = EvaluationTimes.from_durations([1.5, 4.0, 5.5, 4.0, 4.0])
    problem = Problem(times, epsilon=EPSILON, noise_variance=NOISE)
    found = form.value({**values_of(problem), "a": 1.5, "b": 4}, 20, PRICES["function"])
    gamma = PRICES["function"][:6]
    wanted = evaluate(objective, problem, gamma, Partition((0, 2, 5))).value
    assert float(found) == pytest.approx(wanted, rel=1e-12)
    with pytest.raises(InvalidInput, match=r"^cuts = "):
        gain_bound(objective, ["a", "b"], cuts=[0, "x", 2])


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_any_times_and_partition(objective) -> None:
    problem, cuts = problem_of("geometric"), (0, 2, 8, N)
    form = partition_bound(objective)
    known = {**values_of(problem), "blocks": 3, "longest": 6}
    at = form.expression.subs({s: known[s.name] for s in form.expression.free_symbols})
    at = at.replace(lambda e: isinstance(e, sympy.Sum), block_by_block)
    cap = cap_of(problem.epsilon if objective == "theorem1" else problem.time_kernel.slope)
    blocks = [problem.times.block(a, b) for a, b in pairwise(cuts)]
    middles = [best_center(t, problem.time_kernel, NOISE)[1] for t in blocks]
    centres = [a + c.round + 1 for a, c in zip(cuts, middles, strict=False)]
    sequences = {
        "gain": PRICES["function"],
        "d": cuts,
        "tau": [0.0, *problem.times.times],
        "rounds": [0, *(t.n for t in blocks)],
        "centre": [0, *centres],
        "C": [0.0, *(uniformity(t, cap) for t in blocks)],
    }
    for name in ("d", "centre", "rounds", "C", "tau", "gain"):
        row = sequences[name]
        at = at.replace(
            sympy.Function(name, **ASSUMED[name]), lambda k, row=row: row[int(k)]
        ).doit()
    if objective in ("theorem1", "additive", "refined"):
        wanted = evaluate(objective, problem, PRICES["function"], Partition(cuts)).value
    else:
        wanted = gain_bound(objective, "geometric").value(known, 20, PRICES["function"])
    assert float(at) == pytest.approx(float(wanted), rel=1e-12)


def block_by_block(total: sympy.Sum) -> sympy.Expr:
    """The sum over blocks, the last limit, written out."""
    *inner, (block, first, last) = total.limits
    one = sympy.Sum(total.function, *inner) if inner else total.function
    return sympy.Add(*(one.subs(block, b) for b in range(int(first), int(last) + 1)))


ASSUMED = {"rounds": {"positive": True}, "C": {"nonnegative": True}} | {
    name: {"real": True} for name in ("gain", "d", "tau", "centre")
}


@pytest.mark.parametrize("family", FAMILIES)
def test_any_pattern(family) -> None:
    problem = problem_of(family)
    form = gain_bound("any_pattern", family, power=2)
    found = form.value(values_of(problem), 20, PRICES["function"])
    assert float(found) == pytest.approx(
        AnyPattern().evaluate(Ingredients(problem, np.array(PRICES["function"]))).value, rel=1e-12
    )


def test_formulas_with_sums_become_functions_of_numbers() -> None:
    form = gain_bound("refined", "uniform", gain="line")
    values = {**values_of(problem_of("uniform")), "M": 3}
    function = form.lambdify(*form.symbols)
    found = function(*(values[name] for name in form.symbols))
    assert float(found) == pytest.approx(float(form.value(values)), rel=1e-12)


def test_formulas_are_read_as_they_stand() -> None:
    for objective in OBJECTIVES:
        form = gain_bound(objective, "uniform")
        assert {s.name for s in sympy.sympify(str(form)).free_symbols} == set(form.symbols)
    assert r"\gamma_{M}" in gain_bound("theorem1", "equal").latex


def of_step(best: BestBlock, text: str) -> sympy.Expr:
    return next(step.expression for step in best.steps if step.text.startswith(text))


@pytest.mark.parametrize("objective", ["theorem1", "additive", "refined"])
def test_best_block_is_where_the_derivative_vanishes(objective) -> None:
    numbers = {
        "T": 3,
        "n": 10_000,
        "epsilon": 0.001,
        "theta": 0.001,
        "noise_variance": 0.5,
        "gain_intercept": 40,
        "gain_slope": 0.1,
        "c": 0.25,
    }
    for gain in ("line", "power"):
        best = best_block(objective, gain)
        length = float(best.formula.value(numbers))
        slope = sympy.diff(of_step(best, "with the gain"), LENGTH)
        at = slope.subs({s: numbers[s.name] for s in slope.free_symbols if s != LENGTH})
        assert float(at.subs(LENGTH, length * 0.99)) < 0 < float(at.subs(LENGTH, length * 1.01))
    assert best_block(objective, "log").length is None
    assert best_block(objective, "function").equation.has(symbol("n"))
    for gain in PRICES:
        best = best_block(objective, gain)
        form = best.formula
        name = "best block" if gain in ("line", "power") else "best block equation"
        assert form.name == f"{name} of {objective}"
        assert [*said(form), *form.conditions[:3]] == kept(f"best block {objective} {gain}")
        assert form.conditions[3:] == (
            f"one block wins where {best.one_block}",
            f"single points win where {best.singletons}",
        )


def test_what_is_said_of_the_bounds() -> None:
    for objective in OBJECTIVES:
        form = gain_bound(objective, "uniform", gain="line")
        words = [*(step.text for step in form.steps), *form.conditions]
        assert words == kept(f"bound {objective}")
        assert list(partition_bound(objective).conditions) == kept(f"partition {objective}")
    own = gain_bound("additive", "equal", cuts=[0, "a", "n"])
    assert own.conditions[-1] == "cuts increase: 0 < a < n"
    listed = gain_bound("refined", ["a", "b", "a"])
    assert [*listed.conditions] == kept("bound of a list")


@pytest.mark.parametrize("gain", ["log", "power"])
def test_the_root_for_a_small_drift(gain) -> None:
    best, errors = best_block("refined", gain), []
    for total in (1e-6, 1e-30, 1e-120):
        numbers = {"T": total, "n": 1, "theta": 1, "noise_variance": 1, "c": 0.25, "d": 2}
        small = of_step(best, "as the drift goes to 0")
        at = {s: numbers[s.name] for s in small.free_symbols}
        guess = small.subs(at).evalf(30)
        slope = sympy.lambdify(LENGTH, best.equation.lhs.subs(at), "mpmath")
        root = mpmath.findroot(lambda y, f=slope: f(mpmath.exp(y)), mpmath.log(guess), verify=False)
        errors.append(abs(float(sympy.exp(root) / guess - 1)))
    assert errors[2] < errors[1] < errors[0] and errors[2] < 0.02


@pytest.mark.parametrize("objective", ["theorem1", "refined"])
def test_the_next_order_moves_the_root_to_the_best_length(objective) -> None:
    numbers = {
        "T": 3,
        "n": 1_000,
        "epsilon": 0.01,
        "theta": 0.01,
        "noise_variance": 0.5,
        "gain_intercept": 0.5,
        "gain_slope": 0,
    }
    best = best_block(objective, "line")
    drift, _ = drift_per_round(objective)
    per_round = 0.5 / LENGTH + drift
    per_round = per_round.subs({s: numbers[s.name] for s in per_round.free_symbols - {LENGTH}})
    root = float(best.formula.value(numbers))
    least = float(sympy.nsolve(sympy.diff(per_round, LENGTH), LENGTH, root))
    moved = root + float(of_step(best, "to the next order").subs(LENGTH, root))
    assert abs(moved - least) < abs(root - least) / 20


@pytest.mark.parametrize("gain", ["log", "power", "line"])
def test_when_single_points_win(gain) -> None:
    best = best_block("refined", gain)
    numbers = {
        "n": 1_000,
        "theta": 0.5,
        "noise_variance": 0.5,
        "M": 10_000,
        "c": 0.5,
        "d": 2,
        "gain_intercept": 2,
    }
    for total, wins in ((1e-3, False), (1e6, True)):
        at = {s: {**numbers, "T": total}[s.name] for s in best.singletons.free_symbols}
        assert bool(best.singletons.subs(at)) is wins


def test_leading_form_is_that_of_the_numeric_code() -> None:
    # Small drift, many rounds: the exact bound at the best length is the leading form to a percent.
    n, T, noise, intercept = 100_000, 1e-3, 1.0, 30.0
    gamma = np.where(np.arange(n + 1) > 0, intercept, 0.0)
    problem = Problem(sequence("uniform", Family(n=10, total=1.0)), epsilon=0.1)
    table = equal_block_gains(
        n,
        T / n,
        epsilon=0.1,
        time_kernel=problem.time_kernel,
        noise_variance=noise,
        gamma=gamma,
        lengths=np.arange(50, n, 50),
    )
    numbers = {
        "n": n,
        "T": T,
        "epsilon": 0.1,
        "theta": problem.time_kernel.slope,
        "noise_variance": noise,
        "gain_intercept": intercept,
        "gain_slope": 0,
    }
    for objective in ("theorem1", "refined"):
        best = best_block(objective, "line")
        length = float(best.formula.value(numbers))
        if length < n:
            chosen = table.gains[objective][np.argmin(np.abs(table.lengths - length))]
            assert chosen <= 1.5 * table.best(objective)[0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gain_bound("theorem9"), "objective = theorem9"),
        (lambda: gain_bound("theorem1", gain="magic"), "gain = magic"),
        (lambda: gain_bound("theorem1", cuts=[1, "n"]), "cuts = "),
        (lambda: gain_bound("theorem1", cuts=[0, 5, 3, "n"]), "cuts = .*: cuts increase"),
        (lambda: gain_bound("theorem1", cuts=[0, "epsilon", "n"]), "symbol = epsilon"),
        (lambda: best_block("knots"), "objective = knots: use theorem1, additive, refined$"),
        (
            lambda: gain_bound("knots"),
            "objective = knots: use theorem1, additive, refined, any_pattern, trivial$",
        ),
        (lambda: gain_bound("theorem1", gain="m"), "gain = m: use function, log, power, line$"),
        (lambda: gain_bound("theorem1", cuts=[0]), r"cuts = \[0\]: give 0, ..., n, increasing$"),
        (
            lambda: gain_bound("theorem1", cuts=[0, "a+1", "n"]),
            r"cuts = a\+1: give whole numbers or names of symbols$",
        ),
        (
            lambda: gain_bound("additive", ["a", "b"], cuts=[0, 3]),
            r"cuts = \[0, 3\]: give 0, ..., 2, increasing$",
        ),
        (
            lambda: gain_bound("additive", ["a", "b"], cuts=[0, "x", 2]),
            r"cuts = \[0, 'x', 2\]: a list of durations has cuts at whole numbers$",
        ),
        (
            lambda: block_drift("refined", ["a", "b"]),
            "center = none: use middle=True: a list has its middle round$",
        ),
        (
            lambda: gain_bound("theorem1").value(
                {"n": 3, "T": 1, "epsilon": 0, "M": 1, "noise_variance": 1}
            ),
            "gain = ",
        ),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message) -> None:
    with pytest.raises(InvalidInput, match=f"^{message}"):
        call()
