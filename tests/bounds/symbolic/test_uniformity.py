"""C in symbols against exact sums over pairs, and against the numeric code."""

from fractions import Fraction
from functools import cache
from itertools import accumulate

import pytest
import sympy
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.errors import InvalidInput
from bounds.partitions.uniformity import cap_of
from bounds.partitions.uniformity import uniformity as numeric
from bounds.symbolic import evaluation
from bounds.symbolic.evaluation import evaluate
from bounds.symbolic.formula import Formula, Step, symbol
from bounds.symbolic.pattern import FORMULAS
from bounds.symbolic.uniformity import uniformity
from bounds.times import Family, sequence
from tests.bounds.symbolic.reading import exact_value, kept, said

FORMS = {
    "equal": {},
    "uniform": {},
    "biased": {},
    "geometric": {},
    "power": {"power": 2},
    "bursts": {},
    "bursts with gaps": {"gaps": True},
    "periodic": {},
    "periodic with gaps": {"gaps": True},
}


@cache
def form_of(name: str) -> Formula:
    """Asked for by the tests: what is derived while they are collected no mutant changes."""
    return uniformity(name.split()[0], **FORMS[name])


@cache
def words_of(name: str) -> list:
    return [*said(form_of(name)), *form_of(name).conditions]


@cache
def text_of(count: int) -> str:
    return str(uniformity([f"t_{k}" for k in range(1, count + 1)]))


def durations(name, v) -> list[Fraction]:
    """t_1 … t_n by their definition, exactly."""
    n, T, family = v["n"], v["T"], name.split()[0]
    if family == "equal":
        return [T] + [Fraction(0)] * (n - 1)
    if family == "biased":
        return [T if k == v["n0"] else Fraction(0) for k in range(1, n + 1)]
    if family in ("bursts", "periodic"):
        count = v["bursts"]
        waits = {j * n // count for j in range(count)}
        if family == "periodic":
            waits = set(range(v["period"] - 1, n, v["period"]))
        wait = (T - v["gap"] * (n - len(waits))) / len(waits)
        return [wait if k in waits else v["gap"] for k in range(n)]
    weights = {
        "uniform": [Fraction(1)] * n,
        "geometric": [v["ratio"] ** k for k in range(n)],
        "power": [Fraction(k**2) for k in range(1, n + 1)],
    }[family]
    return [w * T / sum(weights) for w in weights]


def by_pairs(times, epsilon: Fraction) -> Fraction:
    squares = [(a - b) ** 2 for a in times for b in times]
    return sum(squares if epsilon == 0 else [min(1 / epsilon**2, s) for s in squares])


@st.composite
def settings_of(draw):
    n = draw(st.integers(1, 10))
    k_0 = draw(st.integers(0, n - 1))
    v = {
        "n": n,
        "T": draw(st.fractions(0, 12, max_denominator=9)),
        "epsilon": draw(st.fractions(0, Fraction(59, 60), max_denominator=60)),
        "k_0": k_0,
        "i": draw(st.integers(1, n - k_0)),
        "n0": draw(st.integers(1, n)),
        "ratio": draw(st.fractions(Fraction(1, 4), 4, max_denominator=4)),
        "bursts": draw(st.integers(1, n)),
        "period": draw(st.integers(1, n)),
    }
    share = draw(st.fractions(0, 1, max_denominator=5))
    return v, share


@pytest.mark.parametrize("name", FORMS)
@settings(max_examples=12, deadline=None)
@given(drawn=settings_of())
@example(
    drawn=(
        {
            "n": 8,
            "T": Fraction(7),
            "epsilon": Fraction(3, 7),
            "k_0": 1,
            "i": 7,
            "n0": 3,
            "ratio": Fraction(1),
            "bursts": 4,
            "period": 3,
        },
        Fraction(1, 3),
    )
)
@example(
    drawn=(
        {
            "n": 9,
            "T": Fraction(5),
            "epsilon": Fraction(0),
            "k_0": 0,
            "i": 9,
            "n0": 1,
            "ratio": Fraction(3),
            "bursts": 4,
            "period": 2,
        },
        Fraction(0),
    )
)
def test_formulas_are_the_exact_sums(name, drawn) -> None:
    v, share = drawn
    waits = v["bursts"] if name.startswith("bursts") else v["n"] // v["period"]
    gap = share * v["T"] / max(1, v["n"] - waits) if "gaps" in name else Fraction(0)
    values = {**v, "gap": gap}
    instants = list(accumulate(durations(name, values)))[v["k_0"] : v["k_0"] + v["i"]]
    wanted = by_pairs(instants, v["epsilon"])
    assert exact_value(str(form_of(name)), values) == wanted
    # In the test that derives it: a mutant runs the tests that reach it, and the rest is cached.
    assert words_of(name) == kept(f"C {name}")


@settings(max_examples=20, deadline=None)
@given(
    times=st.lists(st.fractions(0, 5, max_denominator=7), min_size=1, max_size=5),
    epsilon=st.fractions(0, Fraction(9, 10), max_denominator=30),
)
def test_a_list_of_symbols(times, epsilon) -> None:
    names = [f"t_{k}" for k in range(1, len(times) + 1)]
    values = {**dict(zip(names, times, strict=True)), "epsilon": epsilon}
    assert exact_value(text_of(len(times)), values) == by_pairs(list(accumulate(times)), epsilon)


OPTIONS = {
    "n0": 11,
    "ratio": 1.25,
    "power": 2,
    "bursts": 6,
    "period": 5,
    "gap": 0.25,
}


@pytest.mark.parametrize("name", [name for name in FORMS if name != "equal"])
@pytest.mark.parametrize("epsilon", [0, 0.07, 0.4])
def test_values_are_those_of_the_numeric_code(name, epsilon) -> None:
    family, n, total = name.split()[0], 14, 30.0
    gap = OPTIONS["gap"] if "gaps" in name else 0.0
    times = sequence(family, Family(n=n, total=total, **{**OPTIONS, "gap": gap}))
    values = {**OPTIONS, "gap": gap, "n": n, "T": total, "epsilon": epsilon, "k_0": 2, "i": 11}
    found = form_of(name).value(values, 30)
    assert float(found) == pytest.approx(numeric(times.block(2, 13), cap_of(epsilon)), rel=1e-13)


@pytest.mark.parametrize("name", FORMS)
def test_sympy_reads_the_formula_as_it_stands(name) -> None:
    form = form_of(name)
    read = sympy.sympify(str(form))
    plain = {"n": 12, "T": 30, "epsilon": 0.3, "i": 8, "k_0": 2, **OPTIONS}
    exactly = {name: Fraction(str(value)) for name, value in plain.items()}
    assert exact_value(str(read), exactly) == exact_value(str(form), exactly)
    allowed = {"n", "T", "epsilon", "i", "k_0", *OPTIONS}
    assert {s.name for s in read.free_symbols} <= allowed


def test_a_formula_as_plain_data() -> None:
    T, n = symbol("T"), symbol("n")
    form = Formula("f", T / n, ("it holds",), (Step("first"), Step("then", T / n)))
    latex = r"\frac{T}{n}"
    assert form.to_dict() == {
        "formula": "T/n",
        "latex": latex,
        "conditions": ["it holds"],
        "closed": True,
        "symbols": {"T": "total time, tau_n", "n": "number of rounds"},
        "derivation": [
            {"text": "first", "formula": None, "latex": None},
            {"text": "then", "formula": "T/n", "latex": latex},
        ],
    }
    assert form.text.splitlines() == [
        "f = T/n",
        "",
        "  T: total time, tau_n",
        "  n: number of rounds",
        "  if it holds",
    ]
    assert (form._repr_latex_(), repr(form)) == (rf"$\displaystyle {latex}$", "<Formula: f = T/n>")
    second = form.step(2)
    assert (second.name, second.expression, second.conditions) == ("then", T / n, ("it holds",))
    for number, remedy in (
        (0, "give a number from 1 to 2"),
        (3, "give a number from 1 to 2"),
        (1, "it comes to no expression: give another"),
    ):
        with pytest.raises(InvalidInput) as caught:
            form.step(number)
        assert str(caught.value) == f"step = {number}: {remedy}"
    own = Formula("g", sympy.Symbol("a") * T)
    assert own.symbols["a"] == "a duration or a cut"
    grown = Formula("g", sympy.exp(T))
    assert sympy.simplify(grown.series("T").removeO() - (1 + T + T**2 / 2)) == 0
    at_two = grown.series("T", 2, 2).removeO()
    assert sympy.simplify(at_two - sympy.exp(2) * (T - 1)) == 0
    assert own.put({"a": "0.1"}).expression == T / 10
    assert own.lambdify("T", "a")(3.0, 2.0) == own.lambdify("a", "T", modules="math")(2.0, 3.0) == 6


def test_values_are_those_of_sympy() -> None:
    x = sympy.Symbol("x", positive=True)
    for expression in (
        sympy.LambertW(x),
        sympy.LambertW(-x / 9, -1),
        sympy.Abs(x - 3),
        sympy.Mod(7, x),
        sympy.Min(x, 2, evaluate=False),
        sympy.Max(x, 2),
        sympy.exp(x) + sympy.pi,
        sympy.E * x,
        sympy.floor(x) + sympy.ceiling(x),
        x ** sympy.Rational(1, 3),
        x**700,
        x**-2,
        2**x,
        sympy.Piecewise((1, sympy.And(x > 1, x < 2)), (5, True)),
        sympy.Piecewise((1, sympy.Or(x < 1, sympy.Ne(x, 2))), (5, True)),
        sympy.Piecewise((1, sympy.Not(sympy.Eq(sympy.floor(x), 1))), (5, True)),
    ):
        for at in (sympy.Rational(7, 4), sympy.Integer(2), sympy.Rational(9, 10)):
            found = evaluate(expression, {"x": Fraction(at.p, at.q)}, 30)
            exact = sympy.sympify(expression.subs(x, at).doit()).evalf(30)
            assert abs(found - exact) <= abs(exact) * sympy.Float("1e-25"), (expression, at)


def test_sums_have_so_many_terms_at_most(monkeypatch) -> None:
    j, k, x = sympy.symbols("j k x", integer=True)
    total = sympy.Sum(j * k + x, (j, 1, k), (k, 2, x))
    wanted = sum(a * b + 4 for b in range(2, 5) for a in range(1, b + 1))
    monkeypatch.setattr(evaluation, "_MOST_TERMS", 9)
    assert evaluate(total, {"x": Fraction(4)}, 20) == wanted
    monkeypatch.setattr(evaluation, "_MOST_TERMS", 8)
    with pytest.raises(InvalidInput) as caught:
        evaluate(total, {"x": Fraction(4)}, 20)
    said_so = "ask for the number without --symbolic: the sum is too long"
    assert str(caught.value) == f"terms = more than 8: {said_so}"


def test_what_closes_is_closed() -> None:
    assert {name for name in FORMS if form_of(name).closed} == {
        "equal",
        "uniform",
        "biased",
        "periodic",
    }
    n, B = symbol("n"), symbol("bursts")
    assert uniformity("bursts").under(sympy.Eq(sympy.Mod(n, B), 0)).closed
    for family in FORMULAS:
        if family != "bursts":
            assert uniformity(family, capped=False).closed


def test_limits_and_series() -> None:
    n, T, i, epsilon = (symbol(name) for name in ("n", "T", "i", "epsilon"))
    even = form_of("uniform")
    without = T**2 * i**2 * (i**2 - 1) / (6 * n**2)
    assert sympy.simplify(even.limit("epsilon", 0) - without) == 0
    assert sympy.simplify(even.series("epsilon") - without) == 0
    assert even.limit("n", sympy.oo) == 0
    at_one = even.limit("epsilon", 1).subs({n: 8, T: 20, i: 7})
    assert at_one == even.at({"n": 8, "T": 20, "i": 7, "epsilon": 1})
    whole = even.put({"i": n, "k_0": 0}).under(epsilon * T * (n - 1) <= n)
    assert sympy.limit(whole.expression / n**2, n, sympy.oo) == T**2 / 6
    with pytest.raises(InvalidInput, match=r"^limit = "):
        form_of("geometric").limit("n", sympy.oo)


def test_cases_are_decided_from_the_side_of_the_limit() -> None:
    x = symbol("kappa")
    for point, from_below, either, from_above in ((0, 1, 1, 1), (1, 2, 2, 1)):
        form = Formula("f", sympy.Piecewise((1, 1 / (x - point) > 0), (2, True)))
        found = [form.limit("kappa", point, side) for side in ("-", "+-", "+")]
        assert found == [from_below, either, from_above]  # at 0 nothing here is below


def test_fifty_digits() -> None:
    values = {"n": 7, "T": 10, "epsilon": "0.3", "i": 7, "k_0": 0}
    found = form_of("uniform").value(values, 50)
    exactly = by_pairs([Fraction(10 * k, 7) for k in range(1, 8)], Fraction(3, 10))
    assert abs(found - sympy.Rational(exactly.numerator, exactly.denominator)) < 1e-45
    assert len(str(found).replace(".", "")) == 50


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: uniformity("exponential"), "sequence = exponential: drop --symbolic: it draws"),
        (lambda: uniformity("pareto"), "sequence = pareto"),
        (lambda: uniformity("sine"), "sequence = sine: formulas are known for"),
        (lambda: uniformity("power", power=-2), "power = -2: formulas are for whole powers"),
        (lambda: uniformity("power", power=1.5), "power = 1.5"),
        (lambda: uniformity(["a", "epsilon"]), "symbol = epsilon: it has a meaning of its own"),
        (lambda: uniformity(["a", "beta"]), "duration = beta|symbol = beta"),
        (lambda: uniformity([sympy.Symbol("a"), sympy.Symbol("a", real=True)]), "symbol = a: two"),
        (lambda: uniformity([sympy.Symbol("a", negative=True)]), "symbol = a: durations are real"),
        (lambda: uniformity(["a", -1]), "duration = -1"),
        (lambda: uniformity(["a +"]), "duration = a"),
        (lambda: uniformity(["a"] * 13), "durations = 13"),
        (lambda: uniformity([]), "durations = 0"),
        (lambda: form_of("uniform").value({"n": 3}), "values = T, epsilon, i"),
        (lambda: form_of("uniform").value({}, 10**6), "digits = 1000000"),
        (
            lambda: form_of("uniform").value({}, 0),
            "digits = 0: give a whole number from 1 to 1000$",
        ),
        (lambda: form_of("uniform").value({}, 1.5), "digits = 1.5"),
        (lambda: form_of("uniform").value({}, True), "digits = True"),
        (
            lambda: uniformity("power", power=9),
            "power = 9: formulas are for whole powers 0 … 8; drop --symbolic$",
        ),
        (lambda: uniformity("power", power=True), "power = True"),
        (lambda: uniformity("power", power="-1"), "power = -1"),
        (
            lambda: uniformity(["a", "n"]),
            "symbol = n: it has a meaning of its own: use another name$",
        ),
        (
            lambda: uniformity([sympy.Symbol("a", imaginary=True)]),
            "symbol = a: durations are real and at least 0$",
        ),
        (
            lambda: uniformity(["f(a)"]),
            r"duration = f\(a\): give an expression in symbols, e.g. "
            r"a \+ 2\*b$",
        ),
        (lambda: uniformity(["a", "1/0"]), "duration = 1/0: give a time >= 0$"),
        (lambda: uniformity([1.5j]), "duration = 1.5j"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message) -> None:
    with pytest.raises(InvalidInput, match=f"^{message}"):
        call()
