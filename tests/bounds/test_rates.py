"""Rates: the derived regimes against brute force, printed rates against derived ones."""

import json
from dataclasses import fields, is_dataclass
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from bounds.errors import InvalidInput, NumericalFailure
from bounds.gain.bound import Ingredients
from bounds.gain.upper.any_pattern import AnyPattern
from bounds.kernels import SquaredExponential
from bounds.partitions.partition import Partition
from bounds.partitions.search import evaluate, search
from bounds.problem import Problem
from bounds.rates.exponents import DRIFT_GROWTH, Regime, RegimeTable, regimes, symbolic_regimes
from bounds.rates.findings import Status, comparisons, findings, nonnegative
from bounds.rates.gain_rates import NU, D, gain_rate, given_rate, matern_exponent
from bounds.rates.lattice import (
    Affine,
    C,
    Choice,
    Lattice,
    exact_fraction,
    formula,
    pieces,
    shortened,
    sign,
    tidy,
)
from bounds.rates.least import LEAST_EXPONENTS
from bounds.rates.literature import LITERATURE
from bounds.rates.phase import NAMES, phase_diagram
from bounds.rates.printed import (
    derived_biased,
    derived_uniform,
    differences,
    epsilon_ladder,
    printed_uniform,
)
from bounds.rates.tables import latex, log_power, plain, records
from bounds.rates.witness import faster_forgetting
from bounds.times import EvaluationTimes

fractions_in_unit = st.fractions(0, Fraction(39, 40), max_denominator=40)
kappas = st.fractions(-5, 3, max_denominator=60)


def growth_of(bound: str, c: Fraction) -> Fraction:
    """ρ, from the finite-n terms: sεÑ²√γ_Ñ has ρ = 1 + c/2 per round, and so on."""
    return {
        "r-gp-ucb": Fraction(3),
        "tv-gp-ucb": Fraction(2),
        "theorem1": Fraction(3, 2),
        "additive": Fraction(3, 2),
        "mandl-kekkonen": 1 + c / 2,
        "refined": Fraction(1),
    }[bound]


def brute_force(c: Fraction, growth: Fraction, kappa: Fraction, steps: int = 240) -> Fraction:
    """The programme on a grid of u, in exact fractions: at least the optimum."""
    blocks = (Fraction(i, steps) for i in range(steps + 1))
    return 1 + min(max(-(1 - c) * u, min(Fraction(0), kappa - 1 + growth * u)) for u in blocks) / 2


@settings(max_examples=60, deadline=None)
@given(c=fractions_in_unit, kappa=kappas, bound=st.sampled_from(sorted(DRIFT_GROWTH)))
def test_exponent_is_the_minimum_over_all_blocks(c, kappa, bound) -> None:
    table = regimes(bound, c)
    exponent, growth = table.exponent(kappa), growth_of(bound, c)
    grid = brute_force(c, growth, kappa)
    # Neighbouring grid points differ by at most the steeper slope times the step.
    assert exponent <= grid <= exponent + max(1 - c, growth) / 480
    block = table.block(kappa)
    assert 0 <= block <= 1
    value = max(-(1 - c) * block, min(Fraction(0), kappa - 1 + growth * block))
    assert exponent == 1 + value / 2


@settings(max_examples=60, deadline=None)
@given(c=fractions_in_unit, kappa=kappas)
def test_theorem_a_has_the_closed_form(c, kappa) -> None:
    closed = min(Fraction(1), max((1 + c) / 2, 1 - (1 - c) * (1 - kappa) / (2 * (2 - c))))
    assert regimes("refined", c).exponent(kappa) == closed


@settings(max_examples=40, deadline=None)
@given(c=fractions_in_unit, kappa=kappas)
def test_theorem_b_is_its_two_terms_and_never_above_trivial(c, kappa) -> None:
    expected = min(Fraction(1), max((1 + c) / 2, 1 + (c + kappa - 1) / 4))
    exponent = regimes("any_pattern", c).exponent(kappa)
    assert exponent == expected
    assert exponent >= regimes("refined", c).exponent(kappa)


@pytest.mark.parametrize("bound", [*DRIFT_GROWTH, "any_pattern"])
@pytest.mark.parametrize("c", [Fraction(0), Fraction(2, 7), Fraction(6, 11), Fraction(9, 10)])
def test_formulas_in_c_give_the_numbers(bound, c) -> None:
    numbers, formulas = regimes(bound, c), symbolic_regimes(bound).substituted(sympy.Rational(c))
    assert len(numbers.regimes) == len(formulas.regimes)
    for one, other in zip(numbers.regimes, formulas.regimes, strict=True):
        assert (one.start, one.end) == (other.start, other.end)
        assert one.exponent == other.exponent
        assert one.block == other.block
        assert one.gain_weight == other.gain_weight


@pytest.mark.parametrize("bound", [*DRIFT_GROWTH, "any_pattern"])
def test_derived_tables_are_continuous_and_monotone(bound) -> None:
    table = symbolic_regimes(bound)
    assert table.continuous
    assert table.monotone


@settings(max_examples=40, deadline=None)
@given(c=fractions_in_unit, kappa=kappas, more=st.fractions(0, 2, max_denominator=30))
def test_more_drift_or_a_looser_bound_never_lowers_the_exponent(c, kappa, more) -> None:
    loosest_first = [regimes(bound, c) for bound in DRIFT_GROWTH]
    exponents = [table.exponent(kappa) for table in loosest_first]
    assert exponents == sorted(exponents, reverse=True)
    for table, exponent in zip(loosest_first, exponents, strict=True):
        assert exponent <= table.exponent(kappa + more) <= 1


def test_ladder_of_exponents_of_epsilon() -> None:
    rates = {rate.name: rate.exponent for rate in epsilon_ladder()}
    assert sympy.simplify(rates["mandl-kekkonen"] - (1 - C) / (4 - C)) == 0
    assert sympy.simplify(rates["refined"] - (1 - C) / (4 - 2 * C)) == 0
    names = [rate.name for rate in epsilon_ladder() if rate.direction == "upper"]
    equal = {
        ("margin", "theorem-r"),
        ("theorem-r", "theorem-r-plus"),
        ("theorem-q", "theorem-q-plus"),
    }  # on other domains, or by a log
    for weaker, stronger in pairwise(names):
        # Mandl and Kekkonen and Theorem A agree at c = 0; above it they differ.
        gained = sign(rates[stronger] - rates[weaker])
        assert gained == (0 if (weaker, stronger) in equal else 1)


# Printed against derived


def test_printed_squared_exponential_rate_is_derived_below_the_last_regime() -> None:
    found = differences(printed_uniform(Fraction(0)), derived_uniform(Fraction(0)))
    assert [(d.start, d.end, d.sign) for d in found] == [(1, None, 1)]


def test_printed_matern_rate_is_neither_continuous_nor_monotone() -> None:
    table = printed_uniform(C)
    assert not table.continuous
    assert not table.monotone
    assert printed_uniform(Fraction(0)).continuous


def test_biased_setting_agrees_for_every_c() -> None:
    assert derived_biased(C).regimes[0].exponent == Affine((1 + C) / 2, 0)
    assert all(row.agrees for row in comparisons())


def test_witnesses_grow_as_the_exponents_say() -> None:
    c = Fraction(6, 11)
    by_status = {status: [f for f in findings(c) if f.status is status] for status in Status}
    (gap,) = by_status[Status.RESCUED]
    # Theorem 1's bound outgrows the printed rate.
    derived = regimes("theorem1", c).exponent(Fraction(-3, 2))
    printed = printed_uniform(c).regimes[1].exponent.at(Fraction(-3, 2))
    assert gap.witness.growth == pytest.approx(float(derived - printed), abs=0.005)
    for finding in by_status[Status.VACUOUS]:
        assert finding.witness.growth == pytest.approx(-0.25, abs=0.01)
    # The rate that is false is exceeded by √n; that of uniform times is sublinear, as n^(4/5).
    exceeded, sublinear = by_status[Status.FALSE]
    assert exceeded.witness.growth == pytest.approx(0.5, abs=0.01)
    assert min(exceeded.witness.ratios) > 5
    assert sublinear.witness.growth == pytest.approx(-0.2, abs=0.005)


def test_the_witness_of_fast_forgetting_is_the_regret_of_two_points() -> None:
    """m* of two points at distance 1, √((1−ρ)/π), lost in a share 1 − 1/e of the later rounds."""
    found = faster_forgetting()
    correlation = float(SquaredExponential(0.2).at_distance(1.0))
    normals = np.random.default_rng(0).multivariate_normal(
        [0, 0], [[1, correlation], [correlation, 1]], 200_000
    )
    assert np.sqrt((1 - correlation) / np.pi) == pytest.approx(normals.max(axis=1).mean(), abs=0.01)
    for n, value, printed in zip(found.n, found.computed, found.printed, strict=True):
        least = np.sqrt((1 - correlation) / np.pi)
        assert value == pytest.approx(least * (1 + (n - 1) * (1 - np.exp(-1))), rel=1e-12)
        assert printed == pytest.approx(n**0.5)


def test_findings_at_the_edges() -> None:
    # At c = 0 the gap between n^(-3/2) and n^(c - 3/2) is empty.
    at_zero = findings(0)
    assert all(f.start_at is None or f.start_at != f.end_at for f in at_zero)
    assert len(findings()) == len(at_zero) + 1
    for nu, status in (
        ("3/10", Status.UNPROVED),
        ("1/2", Status.UNPROVED),
        ("3/5", Status.RESCUED),
    ):
        gap = next(f for f in findings("10/13", smoothness=nu) if "(I)(b), n^" in f.where)
        assert gap.status is status
        assert "nu > 1/2" in gap.reason.replace("ν", "nu")
        assert "eigenfunctions bounded" in gap.reason


def test_witness_of_the_gap_holds_for_every_partition() -> None:
    c, n = 6 / 11, 256
    epsilon = 1e-3
    gamma = np.arange(n + 1.0) ** c
    times = EvaluationTimes.from_durations(np.full(n, n**-2.5 / epsilon))
    problem = Problem(times, epsilon=epsilon, noise_variance=1.0)
    best = search("theorem1", problem, gamma).value
    gap = next(f for f in findings(Fraction(6, 11)) if f.status is Status.RESCUED)
    computed = gap.witness.computed[gap.witness.n.index(n)]
    assert n**c <= best <= computed**2 / n * (1 + 1e-9)
    assert computed**2 / n <= 1.01 * best


@pytest.mark.parametrize("nu", ["1/2", "3/2", "5/2", "10"])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_vakili_rescue_holds_for_numbers(nu, d) -> None:
    paper, better = gain_rate(nu, d, "paper").c, gain_rate(nu, d, "vakili").c
    printed, derived = printed_uniform(paper), regimes("theorem1", better)
    start, end = Fraction(-3, 2), paper - Fraction(3, 2)
    for i in range(21):
        kappa = start + (end - start) * Fraction(i, 20)
        assert derived.exponent(kappa) <= printed.regimes[1].exponent.at(kappa)


def test_nonnegative_is_not_claimed_where_it_fails() -> None:
    assert nonnegative((D - 1) * NU)
    assert not nonnegative(NU - D)
    assert not nonnegative(1 - D)


# Rates of the gain


@pytest.mark.parametrize(("nu", "d"), [(0.5, 1), (1.5, 2), (2.5, 3), ("7/3", 4)])
def test_gain_rates_are_the_published_ones(nu, d) -> None:
    for rate in ("paper", "vakili"):
        found = gain_rate(nu, d, rate)
        per_axis = d * (d + 1) if rate == "paper" else d
        assert found.c == per_axis / (2 * Fraction(str(nu)) + per_axis)
        formula = matern_exponent(rate).subs({NU: sympy.Rational(str(nu)), D: d})
        assert sympy.Rational(found.c) == formula


def test_squared_exponential_reports_its_logarithms() -> None:
    rate = gain_rate(float("inf"), 3)
    assert (rate.c, rate.log_power) == (0, 4)
    theorem1 = [log_power(r, rate) for r in regimes("theorem1", 0).regimes]
    # min over i of L/i + δ i^{3/2} is of order L^{3/5}; half of it and of β_n's log.
    assert theorem1 == [Fraction(5, 2), Fraction(1, 2) + Fraction(6, 5), Fraction(1, 2)]
    assert log_power(regimes("refined", 0).regimes[1], rate) == Fraction(3, 2)
    assert log_power(regimes("refined", 0).regimes[1], given_rate(0)) is None


def test_logarithms_of_mandl_and_kekkonen_by_brute_force() -> None:
    # γ_m = L: min over i of L/i + δ i √L grows like L^{3/4}, and ½ of it is the regret's.
    values = []
    for power in (1e3, 1e6):
        i = np.geomspace(1, 1e12, 200_001)
        values.append(np.log(np.min(power / i + 1e-12 * i * np.sqrt(power))))
    slope = (values[1] - values[0]) / (np.log(1e6) - np.log(1e3))
    weight = regimes("mandl-kekkonen", 0).regimes[1].gain_weight
    assert float(weight) == pytest.approx(slope, abs=1e-3)


INF, NAN = float("inf"), float("nan")
REFUSED = {
    "c": (lambda c: regimes("theorem1", c), [-0.1, 1, 1.5, "x", NAN, INF, True]),
    "kappa": (lambda kappa: regimes("theorem1", 0).exponent(kappa), [NAN, INF, "oo", "1/0", None]),
    "nu": (lambda nu: gain_rate(nu, 2), [0, -1, NAN, -INF, "x"]),
    "dimension": (lambda d: gain_rate(2.5, d), [0, -3, 1.5]),
}


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field, (_, them) in REFUSED.items() for value in them]
)
def test_numbers_outside_their_range_are_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=rf"^{field} = "):
        REFUSED[field][0](value)


def test_smoothness_has_a_least_and_a_largest_value() -> None:
    """Of both ends, the rate is still the one between the other regimes; beyond them it is not."""
    ends = Fraction(1, 10**6), 10**6
    rough, smooth = (gain_rate(nu, 2).c for nu in ends)
    assert 0 < smooth < Fraction(1, 10**5) and 1 - Fraction(1, 10**5) < rough <= 1
    for nu in (Fraction(1, 10**6 + 1), 10**6 + 1):
        with pytest.raises(InvalidInput, match="give at least 1e-06, and at most 1e"):
            gain_rate(nu, 2)


# Tables


# The lattice itself


lines = st.tuples(
    st.fractions(-3, 3, max_denominator=6), st.fractions(-3, 3, max_denominator=6)
).map(lambda pair: Choice(Affine(*pair), Affine(0, 0), 0))
nests = st.recursive(
    lines,
    lambda inner: st.builds(
        Lattice, st.sampled_from(["max", "min"]), st.lists(inner, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=8,
).map(lambda nest: nest if isinstance(nest, Lattice) else Lattice("max", (nest,)))


def evaluated(nest, kappa):
    """The nest by recursion on its parts, without its choices."""
    if isinstance(nest, Choice):
        return nest.value.constant + nest.value.slope * kappa
    values = [evaluated(part, kappa) for part in nest.parts]
    return max(values) if nest.take == "max" else min(values)


@settings(max_examples=100, deadline=None)
@given(nest=nests, kappa=st.fractions(-10, 10, max_denominator=30))
def test_pieces_cover_the_line_and_agree_with_the_nest(nest, kappa) -> None:
    found = pieces(nest)
    assert found[0].start is None and found[-1].end is None
    assert all(a.end == b.start for a, b in pairwise(found))
    piece = next(
        p
        for p in found
        if (p.start is None or p.start <= kappa) and (p.end is None or kappa <= p.end)
    )
    assert piece.choice.value.at(kappa) == nest.at(kappa) == evaluated(nest, kappa)


def test_a_sign_that_changes_with_c_is_not_guessed() -> None:
    assert sign(C * (1 - C)) == 1
    assert sign(C - C) == 0
    assert sign(-C) == -1
    with pytest.raises(NumericalFailure, match="changes its sign"):
        sign(2 * C - 1)


# What is said, word by word


def plainly(value: object) -> object:
    """As JSON has it: fractions and formulas as text, numbers to nine digits."""
    if is_dataclass(value):
        return {field.name: plainly(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple | list):
        return [plainly(entry) for entry in value]
    if isinstance(value, float):
        return f"{value:.9g}"
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def test_findings_say_what_was_read_and_checked() -> None:
    """`rates.json` beside this file; where one is reworded, read it again as a whole."""
    rough = findings("10/13", smoothness="1/2")
    said = {
        "findings": plainly(findings()),
        "at nu = 1/2": [finding.reason for finding in rough if "(I)(b), n^" in finding.where],
        "comparisons": plainly(comparisons()),
        "ladder": plainly(epsilon_ladder()),
        "rates": [
            plainly(gain_rate(nu, 2, rate))
            for rate in ("paper", "vakili")
            for nu in ("inf", "5/2", 1, "1/2")
        ],
        "given": plainly(given_rate("2/7")),
    }
    kept = Path(__file__).with_name("rates.json").read_text(encoding="utf-8")
    assert said == json.loads(kept)


def test_tables_are_written_in_full() -> None:
    at_once = RegimeTable(
        "b",
        Fraction(0),
        (
            Regime(
                None, None, Affine(Fraction(1), Fraction(0)), Affine(Fraction(0), Fraction(0)), 0
            ),
        ),
    )
    assert latex(at_once) == (
        "R_n = \\begin{cases}\n  \\tilde O\\bigl(n\\bigr) & \\text{always}, \\\\\n\\end{cases}"
    )
    zero, one = Fraction(0), Fraction(1)
    steep = RegimeTable(
        "b",
        zero,
        (
            Regime(None, one, Affine(zero, one), Affine(zero, -one / 2), one),
            Regime(one, None, Affine(zero, zero), Affine(one, zero), zero),
        ),
    )
    assert latex(steep, r"\Omega").splitlines()[1:3] == [
        r"  \Omega\bigl( (\theta T)\bigr) & \theta T \le n^{1}, \\",
        r"  \Omega\bigl(1\bigr) & n^{1} \le \theta T, \\",
    ]
    assert plain(steep).splitlines() == [
        "kappa from   to  regret exponent  block exponent",
        "      -inf    1            kappa        -kappa/2",
        "         1  inf                0               1",
    ]
    first, second = records(steep)
    assert first == {
        "from": None,
        "to": "1",
        "exponent": "kappa",
        "exponent_from": None,
        "exponent_to": "1",
        "constant": "0",
        "slope": "1",
        "block": "-kappa/2",
        "log_power": None,
    }
    assert (second["exponent_from"], second["exponent_to"]) == ("0", "0")
    rate = gain_rate("inf", 2)
    assert [row["log_power"] for row in records(steep, rate)] == ["2", "1/2"]
    assert all(row["log_power"] is None for row in records(steep, given_rate(0)))


@pytest.mark.parametrize(
    ("text", "fraction"),
    [
        ("1E3", 1000),
        (" 25e-1 ", "5/2"),
        ("1e1000", 10**1000),
        ("1e-1000", Fraction(1, 10**1000)),
        ("1" * 1000, int("1" * 1000)),
        ("1e1001", None),
        ("1E-1001", None),
        ("1" * 1001, None),
        ("1/0", None),
        (True, None),
        ("1e", None),
        (None, None),
    ],
)
def test_numbers_are_what_their_text_says(text, fraction) -> None:
    if fraction is not None:
        assert exact_fraction("x", text) == Fraction(fraction)
        return
    with pytest.raises(InvalidInput) as caught:
        exact_fraction("x", text)
    large = (isinstance(text, str) and "001" in text) or len(str(text)) > 1000
    said = (
        "a number of at most 1000 digits" if large else "a finite number or a fraction such as 2/7"
    )
    assert caught.value.field == "x" and caught.value.remedy == f"give {said}"


def test_fractions_are_shortened_where_they_are_long() -> None:
    assert shortened(Fraction(10**23)) == "1" + "0" * 23
    assert shortened(Fraction(10**24)) == "1.00000e+24"
    assert shortened(Fraction(1, 10**21)) == "1/1" + "0" * 21
    assert shortened(Fraction(1, 10**22)) == "1.00000e-22"
    assert shortened(Fraction(123456789, 10**30)) == "1.23457e-22"
    assert [str(tidy(x)) for x in ((C - 1) / (C - 2), Fraction(1, 3), formula(C) / 2)] == [
        "(1 - c)/(2 - c)",
        "1/3",
        "c/2",
    ]


def test_refusals_name_what_there_is() -> None:
    for call, said in (
        (
            lambda: regimes("theorem9", 0),
            "bound = theorem9: use one of r-gp-ucb, tv-gp-ucb, "
            "theorem1, additive, mandl-kekkonen, refined, any_pattern",
        ),
        (lambda: gain_rate(2.5, 2, "best"), "gamma = best: use paper or vakili"),
        (
            lambda: regimes("refined", 1),
            "c = 1: give a gain exponent in [0, 1): the gain must be sublinear",
        ),
        (
            lambda: regimes("refined", Fraction(1, 10**18 + 1)),
            "c = Fraction(1, 1000000000000000001): give at most 18 digits",
        ),
        (
            lambda: gain_rate(2 * 10**6, 2),
            "nu = 2000000: give at least 1e-06, and at most 1e+06, or the se kernel",
        ),
        (lambda: gain_rate(0, 2), "nu = 0: give a positive number"),
        (lambda: gain_rate(-float("inf"), 2), "nu = -inf: give a positive number"),
        (
            lambda: symbolic_regimes("refined").exponent(0),
            "c = c: give a number for c to evaluate the exponent",
        ),
    ):
        with pytest.raises(InvalidInput) as caught:
            call()
        assert str(caught.value) == said
    assert regimes("refined", Fraction(1, 10**18)).c == Fraction(1, 10**18)
    assert gain_rate("inf", 3).log_power == 4 and gain_rate(2, 1.0).c == Fraction(1, 3)


@pytest.mark.parametrize("noise", [0.01, 2.0])
def test_a_cell_of_the_diagram_is_its_bounds(noise: float) -> None:
    """Each by its own code: partitions cut by hand, Theorem B, and (II) at the next round."""
    rounds = [1, 3, 6]
    gamma = 0.5 * np.log1p(1 / noise) * np.sqrt(np.arange(7.0))
    for rates, step in (([1e-9, 0.9], 0.4), ([0.01, 0.0], 3.0), ([1e-6, 0.01], 0.0)):
        diagram = phase_diagram(gamma, noise, rounds, epsilons=rates, spacing=step)
        names = set()
        for (i, epsilon), (j, n) in product(enumerate(rates), enumerate(rounds)):
            problem = Problem(
                EvaluationTimes.from_durations([step] * n), epsilon, noise_variance=noise
            )
            equal = [Partition.equal(n, length) for length in range(1, n + 1)]
            for name in ("theorem1", "additive", "refined"):
                found = diagram.gains[name][i, j]
                least = min(evaluate(name, problem, gamma, one).value for one in equal)
                if name == "theorem1" and 1 - (1 - epsilon) ** (step / 2) > epsilon * step + 1e-15:
                    assert np.isnan(found)
                elif name == "refined":  # its centres may lie between two rounds
                    assert 0.9 * least <= found <= least * (1 + 1e-9)
                else:
                    assert found == pytest.approx(least, rel=1e-9)
            assert diagram.gains["any_pattern"][i, j] == pytest.approx(
                AnyPattern().evaluate(Ingredients(problem, gamma)).value, rel=1e-9
            )
            assert diagram.trivial[j] == pytest.approx(problem.n * problem.trivial_gain_per_round)
            values = {name: diagram.gains[name][i, j] for name in NAMES}
            least = np.nanmin(list(values.values()))
            best = str(diagram.best[i, j])
            names.add(best)
            if least > diagram.trivial[j] * (1 - 2e-12):
                assert best == "trivial"
            else:
                assert values[best] == least
            assert 1 <= diagram.lengths[i, j] <= n
            assert diagram.share[i, j] == min(1.0, least / diagram.trivial[j])
        assert "trivial" in names and len(names) > 1
    unit = phase_diagram(gamma, noise, rounds, epsilons=[0.9])
    named = phase_diagram(gamma, noise, rounds, epsilons=[0.9], spacing=1.0)
    assert np.array_equal(unit.gains["refined"], named.gains["refined"])


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        (([0, 1], -1.0, [1], [0.1]), "noise-variance = -1.0: give a positive number"),
        (([0, 1], 0.0, [1], [0.1]), "noise-variance = 0.0: give a positive number"),
        (([0, 1], 0.1, [0], [0.1]), "n = [0]: give numbers of rounds, at least 1 each"),
        (([0, 1], 0.1, [], [0.1]), "n = []: give numbers of rounds, at least 1 each"),
        (([0, 1], 0.1, [[1]], [0.1]), "n = [[1]]: give numbers of rounds, at least 1 each"),
        (
            ([0, 1], 0.1, [1, 2], [0.1]),
            "gamma = 2 values: give gamma_0..gamma_n, at least 3 values",
        ),
    ],
)
def test_bad_diagrams_are_named(given_, said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        phase_diagram(*given_[:3], epsilons=given_[3])
    assert str(caught.value) == said


def test_the_hypothesis_at_the_spacing_where_it_begins_to_hold() -> None:
    crossing = optimize.brentq(lambda r: 1 - 0.1 ** (r / 2) - 0.9 * r, 0.1, 2.0)
    for factor, holds in ((1 - 1e-6, False), (1 + 1e-6, True)):
        found = phase_diagram([0.0, 1.0, 1.5], 0.1, [2], epsilons=[0.9], spacing=factor * crossing)
        assert bool(np.isfinite(found.gains["theorem1"][0, 0])) is holds


def test_rates_of_others_stand_beside_the_exponents_that_are_derived():
    """At no drift the gain has n^{1/2} and Π the exponent 0; with it ε^{1/2} on a finite domain."""
    static = symbolic_regimes("theorem1").regimes[0].exponent.constant
    assert static.subs(C, 0) == sympy.Rational(1, 2)
    rates = {one.source: one for one in LITERATURE}
    assert "n^0 (Theorem F) to n^(1/2)" in rates["Scarlett 2018"].derived
    finite = {one.where: one for one in LEAST_EXPONENTS}["finite domain"]
    arms = [
        one for one in LITERATURE if one.setting.startswith("independent") and "arms" in one.setting
    ]
    drifting = [one for one in arms if "no drift" not in one.setting]
    assert all(one.derived.startswith(f"ε^({finite.floor}) a round") for one in drifting)
    assert [one.source for one in LITERATURE if one.comparable] == ["Lai 1987", "Scarlett 2018"]


def test_the_constant_of_theorem_r():
    """Where 1/m + 2·(r/β)·√(σ²εrm) … is least: 3·s with s = r(σ²ε/(4β²))^{1/3}."""
    row = next(one for one in LEAST_EXPONENTS if "curvature" in one.where)
    assert f"{3 * 0.25 ** (1 / 3):.2f}r" in row.reached_by
