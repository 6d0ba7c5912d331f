"""What is text becomes an expression by one door, and nothing of it is evaluated."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.errors import InvalidInput
from bounds.rates.exponents import symbolic_regimes
from bounds.symbolic.gain import block_drift, gain_bound
from bounds.symbolic.pattern import pattern
from bounds.symbolic.reading import known_to_sympy, read
from bounds.symbolic.uniformity import uniformity

RUNS = (
    "__import__('pathlib').Path({path!r}).touch()",
    "open({path!r}, 'w')",
    "eval(\"open({path!r}, 'w')\")",
    "(lambda: open({path!r}, 'w'))()",
    "[open({path!r}, 'w') for _ in range(1)][0]",
    "().__class__.__base__.__subclasses__()",
    "sympy.sympify(\"open({path!r}, 'w')\")",
    "a if open({path!r}, 'w') else a",
    "(a := open({path!r}, 'w'))",
    "f'{{open({path!r})}}'",
    "S('open')({path!r}, 'w')",
    "symbols('a', cls=open)",
)
"""Text that writes a file where it is evaluated, or reaches for what could."""

DOORS: dict[str, Callable[[str], object]] = {
    "cuts": lambda text: gain_bound("refined", "uniform", cuts=["0", text, "n"]),
    "listed cuts": lambda text: gain_bound("refined", ["a", "b"], cuts=[0, text, 2]),
    "power": lambda text: pattern("power", power=text),
    "power of a bound": lambda text: gain_bound("additive", "power", power=text),
    "power of C": lambda text: uniformity("power", power=text),
    "power of a drift": lambda text: block_drift("refined", "power", power=text),
    "durations": lambda text: pattern(["a", text]),
    "name of a symbol": lambda text: pattern([sympy.Symbol(text)]),
    "name of a function": lambda text: pattern([sympy.Function(text)(sympy.Symbol("a"))]),
    "name of a cut": lambda text: gain_bound("refined", "uniform", cuts=[0, sympy.Symbol(text)]),
    "limit": lambda text: uniformity("equal").limit("n", text),
    "symbol of a limit": lambda text: uniformity("equal").limit(text, 0),
    "series": lambda text: uniformity("equal").series("n", text),
    "order": lambda text: uniformity("equal").series("n", 0, text),
    "assumption": lambda text: uniformity("uniform").under(text),
    "at": lambda text: uniformity("uniform").at({"n": text}),
    "value": lambda text: uniformity("uniform").value(
        dict.fromkeys(("n", "T", "epsilon", "i"), text)
    ),
    "modules": lambda text: uniformity("uniform").lambdify("n", modules=text),
    "c": lambda text: symbolic_regimes("refined").substituted(text),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("text", RUNS)
def test_no_text_runs(door: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "ran"
    with pytest.raises(ValueError) as refused:
        DOORS[door](text.format(path=str(path)))
    assert not path.exists()
    said = str(refused.value)
    assert isinstance(refused.value, InvalidInput | sympy.SympifyError)
    assert len(said.splitlines()) == 1


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("ab0123.+-*/() _e"), max_size=20))
def test_what_is_read_is_what_python_reads(text: str) -> None:
    names = {"a": sympy.Symbol("a"), "b": sympy.Symbol("b")}
    try:
        found = read("text", text, names, "give another")
    except InvalidInput:
        return
    at = {names["a"]: Fraction(3, 7), names["b"]: Fraction(-5, 3)}
    try:
        value = eval(text.strip(), {"__builtins__": {}}, {"a": 3 / 7, "b": -5 / 3})  # few letters
    except ZeroDivisionError:
        assert found.has(sympy.zoo) or not found.subs(at).is_finite
        return
    assert float(
        found.subs({s: sympy.Rational(f.numerator, f.denominator) for s, f in at.items()})
    ) == pytest.approx(value)


def test_the_door_takes_numbers_names_and_expressions() -> None:
    a, n = sympy.Symbol("a", positive=True), sympy.Symbol("n")
    assert read("x", "0.1*a - 2/4", {"a": a}, "") == a / 10 - sympy.Rational(1, 2)
    assert read("x", 0.1, {}, "") == sympy.Rational(1, 10)
    assert read("x", Fraction(2, 3), {}, "") == sympy.Rational(2, 3)
    assert read("x", float("-inf"), {}, "") == read("x", "-oo", {}, "") == -sympy.oo
    assert read("x", a + n, {}, "") == a + n
    assert read("x", "pi", None, "") == sympy.pi


@pytest.mark.parametrize(
    "value",
    [
        "",
        "a",
        "1 2",
        "a b",
        "a(1)",
        "1(2)",
        "1j",
        "True",
        "None",
        "nan",
        "0/0",
        "9**9**9",
        "a.b",
        "1e9999",
        "9" * 300,
        "(" * 150,
        "-" * 100_000,
        "a[0]",
        "1 if 1 else 2",
        "1 < 2",
        "...",
        "'a'",
        "a;a",
        "a=1",
        "a\n+1;",
        "\0",
        True,
        None,
        1j,
        [1],
        {"a": 1},
        sympy.true,
        sympy.Eq(1, 2),
        b"1",
    ],
)
def test_the_door_refuses_all_else(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"^x = .*: give another$"):
        read("x", value, {}, "give another")


@pytest.mark.parametrize(
    "name", ["sin", "beta", "S", "E", "open", "lambda", "Symbol", "oo", "eval"]
)
def test_names_that_are_no_symbols(name: str) -> None:
    assert known_to_sympy(name)
    with pytest.raises(InvalidInput):
        gain_bound("refined", "uniform", cuts=["0", name, "n"])


def test_points_of_limits_are_read() -> None:
    C = uniformity("uniform")
    assert C.limit("n", "oo") == C.limit("n", sympy.oo) == C.limit("n", float("inf")) == 0
    listed = uniformity(["x", "y", "z"])
    y, z = (next(s for s in listed.expression.free_symbols if s.name == name) for name in "yz")
    assert listed.limit("y", "z/2") == listed.limit("y", z / 2) == listed.expression.subs(y, z / 2)
