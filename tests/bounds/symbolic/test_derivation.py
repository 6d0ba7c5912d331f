"""Derivations end in the regimes of `bounds.rates` and `bounds.sequences`."""

from fractions import Fraction

import pytest
import sympy

from bounds.errors import InvalidInput
from bounds.rates.exponents import DRIFT_GROWTH, regimes, symbolic_regimes
from bounds.rates.gain_rates import gain_rate
from bounds.rates.lattice import C
from bounds.rates.tables import KAPPA, latex, plain
from bounds.sequences import Scaling, derived_regimes
from bounds.symbolic.blocks import best_block
from bounds.symbolic.derivation import constant, derive
from bounds.symbolic.families import exponent
from bounds.symbolic.formula import symbol
from tests.bounds.symbolic.reading import kept, said, values_of

BOUNDS = {"theorem1": "theorem1", "additive": "theorem1", "refined": "refined"}


@pytest.mark.parametrize("bound", BOUNDS)
def test_the_programme_is_derived_from_the_bound(bound) -> None:
    growth, _ = DRIFT_GROWTH[BOUNDS[bound]]
    assert best_block(bound).growth == sympy.Rational(growth.numerator, growth.denominator)
    found = derive(bound)
    assert found.table.regimes == symbolic_regimes(BOUNDS[bound]).regimes
    assert found.table.continuous
    assert said(found) == kept(f"derive {bound}")
    shown = found.text.splitlines()
    assert shown[0] == f"{bound}, every sequence of the same total time"
    assert shown[1] == f"1. {found.steps[0].text}"
    assert shown[2] == f"     {found.steps[0].expression}"
    assert found.text.endswith("\n\n" + plain(found.table))
    assert r"\gamma_{M}" in found.latex and found.latex.endswith(rf"\[ {latex(found.table)} \]")
    assert found.latex.startswith(found.steps[0].text.replace("_", r"\_") + ".\n\\[ ")
    data = found.to_dict()
    assert (data["bound"], data["family"]) == (bound, found.family)
    assert len(data["derivation"]) == len(found.steps)
    assert data["conditions"] == [
        "regret is of order n to this power, up to logarithms",
        found.family,
    ]


@pytest.mark.parametrize("family", ["uniform", "biased", "geometric", "power", "bursts", "pareto"])
@pytest.mark.parametrize("bound", ["theorem1", "refined"])
def test_families_and_gain_rates(family, bound) -> None:
    rate, scaling = gain_rate("inf", 2), Scaling(family, power=-2, tail="1/2")
    found = derive(bound, scaling, rate)
    assert found.family == scaling.label
    words = [step.text for step in found.steps]
    assert words == [text for text, *_ in kept(f"derive {bound} {family}")]
    wanted = derived_regimes(scaling, rate.c, bound)
    for kappa in (Fraction(-3), Fraction(-1, 2), Fraction(0), Fraction(3, 4), Fraction(2)):
        assert found.table.exponent(kappa) == wanted.exponent(kappa)
        assert found.formula.at({"kappa": kappa}) == sympy.Rational(wanted.exponent(kappa))


FAMILIES = [
    Scaling("uniform"),
    Scaling("biased"),
    Scaling("exponential"),
    Scaling("geometric"),
    Scaling("power", power="-1/2"),
    Scaling("power", power="-3/2"),
    Scaling("power", power=-4),
    Scaling("bursts", bursts="1/5"),
    Scaling("bursts", bursts=3),
    Scaling("periodic", period="4/5", contrast=2),
    Scaling("periodic", period=4),
    Scaling("pareto", tail="1/5"),
    Scaling("pareto", tail=2),
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.label)
def test_the_algebra_of_a_family_and_the_linear_programme_agree(family) -> None:
    for bound, c in (("theorem1", Fraction(2, 7)), ("refined", Fraction(0))):
        found = exponent(family, bound, best_block(bound).growth, constant(bound))
        table = derived_regimes(family, c, bound)
        ends = [k for r in table.regimes for k in (r.start, r.end) if k is not None]
        at = found.at(sympy.Rational(c.numerator, c.denominator))
        for kappa in (*ends, *(k + Fraction(s, 7) for k in [*ends, Fraction(0)] for s in (-1, 1))):
            value = at.subs(KAPPA, sympy.Rational(kappa.numerator, kappa.denominator))
            assert 1 + value / 2 == sympy.Rational(*table.exponent(kappa).as_integer_ratio())
        numbers = {str(letter): str(number) for letter, number in found.numbers.items()}
        shown = [*said(found), numbers, values_of(found.front)]
        assert shown == kept(f"{bound} {family.label}")


def test_the_constant_of_a_power_law_is_that_of_its_best_blocks() -> None:
    """Blocks as long as the drift where they lie asks for, added up one by one."""
    n, noise, slope = 10**5, 0.5, 3.0
    numbers = {"n": n, "T": 2e5, "theta": 0.01, "noise_variance": noise, "gain_slope": slope}
    known = {symbol(name): number for name, number in numbers.items()}
    found = exponent(Scaling("power", power=2), "refined", sympy.Integer(1), constant("refined"))
    front = found.front.subs({**found.numbers, C: sympy.Rational(1, 4)}).subs(known)
    place, total = 1.0, 0.0
    while place < n:
        drift = 3.0 * (place / n) ** 2 * numbers["T"] * numbers["theta"] / (4.0 * n * noise)
        best = (0.75 * slope / drift) ** (1.0 / 1.75)
        length = min(best, max(0.05 * place, 1.0))
        total += slope * length**0.25 + drift * length**2
        place += length
    assert total == pytest.approx(float(front), rel=0.02)


def test_no_family_has_the_rates_of_every_sequence() -> None:
    rate = gain_rate("5/2", 2)
    assert derive("theorem1", None, rate).table == regimes("theorem1", rate.c)
    with pytest.raises(InvalidInput) as caught:
        derive("refined", Scaling("bursts"))
    remedy = "give the exponent of the gain: a family needs a number"
    assert str(caught.value) == f"c = none: {remedy}"


def test_logarithms_are_kept() -> None:
    text = derive("theorem1", None, gain_rate("inf", 2)).text
    assert "log(n)^(7/5) times n to the power" in text


@pytest.mark.parametrize("bound", ["theorem1", "refined"])
def test_constants_in_front(bound) -> None:
    # With γ_m = a·m^c the bound at the best block is the least value of a·M^{c−1} + A·M^ρ.
    block, value = constant(bound)
    best = best_block(bound)
    numbers = {
        "n": 10**6,
        "T": 2,
        "epsilon": 0.01,
        "theta": 0.01,
        "noise_variance": 0.5,
        "gain_slope": 3,
        "c": 0.25,
    }
    at = {symbol(name): number for name, number in numbers.items()}
    M = float(block.subs(at))
    A = float(best.coefficient.subs(at))
    values = [10**6 * (3 * m**-0.75 + A * m ** float(best.growth)) for m in (0.99 * M, M, 1.01 * M)]
    assert values[1] == pytest.approx(float(value.subs(at)), rel=1e-9)
    assert values[1] < min(values[0], values[2])


def test_independent_durations_have_their_mean_uniformity() -> None:
    """E(τ_j − τ_k)² of exponential durations: the variance and the square of the mean of a sum."""
    steps = exponent(Scaling("exponential"), "refined", sympy.Integer(1), constant("refined")).steps
    said = {s.text: s.expression for s in steps if s.expression is not None}
    at = {"T": sympy.Rational(7, 2), "n": sympy.Integer(5)}
    spacing = at["T"] / at["n"]
    (mean,) = (value for text, value in said.items() if "mean of C" in text)
    (limit,) = (value for text, value in said.items() if "equal durations" in text)
    for M in (1, 2, 6):
        expected = sum(
            abs(j - k) * spacing**2 + (abs(j - k) * spacing) ** 2
            for j in range(M)
            for k in range(M)
        )
        known = {symbol(name): number for name, number in {**at, "M": M}.items()}
        assert sympy.simplify(mean.subs(known) - expected) == 0
    assert limit == 1
