"""`ctv rates`: regimes against a fine grid, what is refused or warned of, tables, both figures."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import sympy

from bounds.domain import Grid
from bounds.gain.bounds import bounds_of
from bounds.problem import Problem
from bounds.rates import findings as of_findings
from bounds.rates import printed as of_printed
from bounds.sequences import Scaling, measure
from bounds.times import Family, sequence
from ctv.commands.rates import RatesOptions, derived
from ctv.figures import canvas
from ctv.gallery import rates as rates_gallery
from ctv.values.rates import shown
from tests.command_line import printed

GROWTH = {"theorem1": 1.5, "refined": 1.0}
KAPPA = sympy.Symbol("kappa")


@pytest.fixture(scope="module", autouse=True)
def once() -> Iterator[None]:
    """Each derivation runs once for all tests; the commands call the packages as always."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("findings", "comparisons"):
            patch.setattr(of_findings, name, cache(getattr(of_findings, name)))
        patch.setattr(of_printed, "epsilon_ladder", cache(of_printed.epsilon_ladder))
        yield


def by_grid(bound: str, c: float, kappa: float) -> float:
    """The exponent by minimising over 20,001 block exponents."""
    u = np.linspace(0.0, 1.0, 20_001)
    drift = np.minimum(0.0, kappa - 1.0 + GROWTH[bound] * u)
    drift[0] = -np.inf  # single points do not drift
    return float(1.0 + 0.5 * np.min(np.maximum(-(1.0 - c) * u, drift)))


def number(text: str | None, infinite: float) -> float:
    return infinite if text is None else float(Fraction(text))


@pytest.mark.parametrize("bound", ["theorem1", "refined"])
@pytest.mark.parametrize(
    ("words", "c"),
    [
        (["--kernel", "se"], 0.0),
        (["--kernel", "matern52"], 6 / 11),
        (["--kernel", "matern:7/2", "--dimension", "3", "--gamma", "vakili"], 3 / 10),
        (["--gamma", "1/3"], 1 / 3),
        (["--gamma", "0.95"], 0.95),
    ],
)
def test_regimes_against_a_grid(ctv, bound: str, words: list[str], c: float) -> None:
    found = ctv("rates", "--bound", bound, *words, "--kappa", "-0.4", "--json").json
    assert {"regimes", "printed", "findings", "exponent", "problem", "version"} <= set(found)
    assert float(Fraction(found["c"])) == pytest.approx(c)
    assert float(Fraction(found["exponent"])) == pytest.approx(by_grid(bound, c, -0.4), abs=1e-4)
    regimes = found["regimes"]
    assert regimes[0]["from"] is None
    assert regimes[-1]["to"] is None
    for left, right in pairwise(regimes):
        assert left["to"] == right["from"]
    for regime in regimes:
        low = max(number(regime["from"], -4.0), -4.0)
        high = min(number(regime["to"], 3.0), 3.0)
        for kappa in np.linspace(low, high, 5):
            exponent = float(sympy.sympify(regime["exponent"]).subs(KAPPA, kappa))
            assert exponent == pytest.approx(by_grid(bound, c, float(kappa)), abs=1e-4)
            block = float(sympy.sympify(regime["block"]).subs(KAPPA, kappa))
            assert -1e-12 <= block <= 1.0 + 1e-12
    assert [t["value"] for t in found["thresholds"]] == [r["to"] for r in regimes[:-1]]
    for threshold in found["thresholds"]:
        at_c = sympy.sympify(threshold["formula"]).subs("c", sympy.Rational(found["c"]))
        assert at_c == sympy.Rational(threshold["value"])


def test_thresholds_in_smoothness_and_dimension(ctv) -> None:
    found = ctv("rates", "--kernel", "matern52", "--json").json
    formula = sympy.sympify(found["thresholds"][0]["formula_in_kernel"])
    assert formula.subs({"nu": sympy.Rational(5, 2), "d": 2}) == sympy.Rational(-21, 22)
    assert found["regimes_in_kernel"] is not None
    assert ctv("rates", "--json").json["regimes_in_kernel"] is None


def test_findings_name_where_and_why(ctv) -> None:
    found = ctv("rates", "--kernel", "matern52", "--json").json
    statuses = [one["status"] for one in found["findings"]]
    assert {"false", "vacuous", "unproved"} <= set(statuses)
    for one in found["findings"]:
        assert {"where", "printed", "derived", "status"} <= set(one)
        assert all(isinstance(one[name], str) and one[name] for name in ("where", "reason"))
    drop = next(one for one in found["findings"] if one["from_in_c"] == "-3/2")
    assert (drop["to_in_c"], drop["to"]) == ("c - 3/2", "-21/22")
    assert drop["witness"]["growth"] > 0
    # Whatever is asked for, the findings are about the same printed statements.
    other = ctv("rates", "--bound", "refined", "--gamma", "vakili", "--json").json
    assert [one["where"] for one in other["findings"]] == [
        one["where"] for one in found["findings"]
    ]


def test_printed_regimes(ctv) -> None:
    found = ctv("rates", "--kernel", "matern52", "--gamma", "vakili", "--json").json
    assert found["printed_where"] == "Theorem 2 (I)(b)"
    assert [r["to"] for r in found["printed"]] == ["-3/2", "1", None]
    # Printed with the paper's c although the regimes were derived with a better one.
    assert found["printed"][0]["exponent"] == "17/22"
    assert found["regimes"][0]["exponent"] == "9/14"
    biased = ctv("rates", "--sequence", "biased", "--json").json
    assert biased["printed_where"] == "Theorem 2 (II)(a)"
    assert [r["exponent"] for r in biased["printed"]] == ["1/2"]
    assert [r["exponent"] for r in biased["regimes"]] == ["1/2"]


def test_families(ctv) -> None:
    words = ("rates", "--bound", "refined", "--sequence", "power:power=-3", "--kappa", "1")
    found = ctv(*words, "--json").json
    assert found["exponent"] == "2/3"
    assert (found["printed"], found["printed_where"]) == ([], None)
    assert found["problem"]["sequence"] == "power power=-3"
    uniform = ctv("rates", "--sequence", "uniform", "--json").json
    every = ctv("rates", "--json").json
    assert uniform["regimes"] == every["regimes"]


@pytest.mark.slow
def test_measured_exponent(ctv) -> None:
    words = ("rates --sequence biased --gamma 1/2 --kappa 0 --bound refined",)
    (row,) = ctv(*words, "--measure", "--json").json["measured"]
    assert row["measured"] == pytest.approx(0.75, abs=0.02)
    assert (row["derived"], row["agrees"]) == ("3/4", True)
    assert max(row["gap"]) <= 0.01


def test_table_of_measured_exponents() -> None:
    sizes = [16, 32, 64, 128]
    rows = (
        measure(Scaling("biased"), "1/2", 0, sizes=sizes),
        measure(Scaling("uniform"), "9/20", "7/10", sizes=sizes),
    )
    text = printed(replace(derived(RatesOptions()), measured=rows))
    assert "1 of 1 derived exponents" in text
    assert "near the trivial one: uniform." in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.slow
def test_seed_is_echoed_where_it_matters(ctv) -> None:
    words = ("rates", "--sequence", "exponential", "--kappa", "0", "--measure", "--json")
    assert ctv(*words, "--seed", "4").json["seed"] == 4


@pytest.mark.parametrize("kernel", ["se", "matern52"])
def test_tables(ctv, kernel: str) -> None:
    outcome = ctv("rates", "--kernel", kernel, "--kappa", "1/2", "--all")
    assert (outcome.code, outcome.stderr) == (0, "")
    assert max(map(len, outcome.stdout.splitlines())) <= 100
    for words in ("Threshold 1", "As printed", "Mandl", "vacuous", "At κ = 1/2"):
        assert words in outcome.stdout


def test_latex(ctv) -> None:
    text = ctv("rates", "--bound", "refined", "--symbolic", "latex").stdout
    assert text.count(r"\begin{cases}") == text.count(r"\end{cases}") == 2
    assert r"n^{\frac{3}{4}} (\theta T)^{\frac{1}{4}}" in text


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--gamma", "1"], ["gamma = 1", "[0, 1)"]),
        (["--gamma", "-0.1"], ["gamma = -0.1"]),
        (["--gamma", "nan"], ["gamma = nan"]),
        (["--gamma", "many"], ["gamma = many"]),
        (["--gamma", "1/2", "--kernel", "matern52"], ["kernel = matern52", "--gamma"]),
        (["--kernel", "matern:0"], ["nu = 0", "positive"]),
        (["--kernel", "matern:-1/2"], ["nu = -1/2"]),
        (["--kernel", "matern:inf2"], ["nu = inf2"]),
        (["--kernel", "rational"], ["kernel = rational"]),
        (["--dimension", "0"], ["dimension = 0"]),
        (["--dimension", "0", "--gamma", "1/2"], ["dimension = 0"]),
        (["--dimension", "1.5"], ["dimension = 1.5"]),
        (["--kappa", "inf"], ["kappa = inf", "finite"]),
        (["--kappa", "nan"], ["kappa = nan"]),
        (["--kappa", "1/0"], ["kappa = 1/0"]),
        (["--kappa", ""], ["kappa"]),
        (["--bound", "additive"], ["bound = additive", "refined"]),
        (["--gamma", "best"], ["gamma = best", "vakili"]),
        (["--sequence", "none"], ["sequence = none"]),
        (["--power", "2"], ["option = --power", "--sequence power:power="]),
        (["--sequence", "bursts:bursts=5/2"], ["bursts = 5/2", "between 0 and 1"]),
        (["--sequence", "uniform", "--measure"], ["kappa = nothing"]),
        (["--sequence", "pareto", "--measure", "--kappa", "0", "--seed", "-1"], ["seed = -1"]),
        (["--seed", "-1"], ["seed = -1"]),
        (["--seed", "1"], ["seed = 1", "drop it"]),
        (["--sequence", "biased", "--measure", "--kappa", "0", "--seed", "1"], ["drop it"]),
        (["--measure", "--symbolic", "latex"], ["measure = with --symbolic", "drop one"]),
        (["--sequence", "uniform", "--measure", "--kappa", "1000"], ["kappa = 1000", "at most"]),
        (["--kernel", "matern:1e400"], ["nu = 1e400", "se kernel"]),
        (["--gamma", "1e-400"], ["gamma = 1e-400", "digits"]),
    ],
)
def test_refuses(ctv, words: list[str], named: list[str]) -> None:
    assert ctv("rates", *words).is_one_line_about(*named)


@pytest.mark.parametrize(
    ("words", "hypothesis"),
    [
        (["--kernel", "matern12"], "Assumption 1 (I)"),
        (["--kernel", "matern:1"], "Srinivas"),
        (["--kernel", "matern:1/4", "--gamma", "vakili"], "nu > 1/2"),
    ],
)
def test_warns_which_hypothesis_fails(ctv, words: list[str], hypothesis: str) -> None:
    outcome = ctv("rates", *words, "--json")
    assert any(hypothesis in warning for warning in outcome.json["warnings"])
    assert hypothesis in outcome.stderr
    assert all(line.startswith("ctv: warning: ") for line in outcome.stderr.splitlines())


def test_no_warning_without_reason(ctv) -> None:
    assert ctv("rates", "--kernel", "matern32", "--json").stderr == ""


def test_formulas_as_one_writes_them() -> None:
    assert shown("-2*kappa/(5 - 2*c)") == "-2κ/(5 − 2c)"
    assert shown("d*(d + 1)/(2*nu + d*(d + 1))") == "d(d + 1)/(2ν + d(d + 1))"


def small(epsilon: float, total: float = 20.0) -> Problem:
    times = sequence("uniform", Family(n=20, total=total))
    return Problem(times, epsilon=epsilon, domain=Grid(1, 1.0, 12))


@pytest.mark.parametrize(("epsilon", "static"), [(0.0, True), (0.01, False)])
def test_rivals_of_bound(epsilon: float, static: bool) -> None:
    found = bounds_of(small(epsilon), certify=False)
    rows = {row.name: asdict(row) for row in found.rivals}
    for row in rows.values():
        assert {"name", "source", "gain", "regret", "applies", "reason"} <= set(row)
    assert rows["srinivas2010"]["applies"] is static
    assert rows["srinivas2010-greedy"]["applies"] is static
    for row in rows.values():
        # Whatever applies is an upper bound.
        if row["applies"] and row["gain"] is not None:
            assert row["gain"] >= found.report.lower
    assert rows["imamura2020"]["gain"] == found.report.gains["theorem1"].value


def test_rivals_in_json_and_table(ctv) -> None:
    words = ("bound", "--n", "12", "--total", "12", "--grid", "6")
    rows = ctv(*words, "--json").json["rivals"]
    assert len(rows) >= 10
    text = " ".join(ctv(*words, "--all").stdout.split())
    assert text.index("Published bounds") > text.index("Maximum information gain")
    assert "Smallest of those that apply" in text


@pytest.fixture
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures of few cells."""
    monkeypatch.setattr(rates_gallery, "CELLS", 8)
    monkeypatch.setattr(rates_gallery, "MOST_ROUNDS", 200)


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("name", ["rates", "rivals"])
def test_figures(ctv, tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.svg"
    words = ("figure", name, "--grid", "8", "--out", path, "--json")
    outcome = ctv(*words)
    assert outcome.json["figure"] == name
    first = path.read_bytes()
    ctv(*words)
    assert path.read_bytes() == first
    assert json.loads(outcome.stdout)["path"] == str(path)


@pytest.mark.usefixtures("coarse")
def test_figures_of_other_problems() -> None:
    # All rounds at one time, a kernel without a bound below the cap: still pictures.
    for problem in (small(0.01, total=0.0), replace(small(0.5), noise_variance=1e6)):
        figure = rates_gallery.rates_figure(problem, range(1), "theory", lambda stage, share: None)
        assert canvas.rendered(figure, ".svg")


def test_theorem1_on_a_falling_power_law(ctv) -> None:
    words = ("rates", "--sequence", "power:power=-2", "--kappa", "1/2", "--json")
    assert ctv(*words).json["exponent"] == "7/10"
    assert ctv(*words, "--gamma", "1/2").json["exponent"] == "13/16"


def test_the_floor_beside_what_is_published(ctv) -> None:
    found = ctv("rates", "--bound", "floor", "--kappa", "0", "--json").json
    assert {"regimes", "printed", "findings"} <= set(found)
    assert [one["exponent"] for one in found["regimes"]] == ["0", "kappa/2 + 1/2", "1"]
    assert [one["exponent"] for one in found["printed"]] == ["0", "kappa", "1"]
    assert found["exponent"] == "1/2"
    assert found["gap"]["finite domain"] == ["1/2", "1/2"]
    assert found["gap"]["smooth kernel on a box"] == ["1/3", "1/3"]
    assert found["gap"]["otherwise"] == ["1/4", "1/2"]
    rungs = {one["name"]: one["epsilon_exponent"] for one in found["ladder"]}
    assert (rungs["margin"], rungs["floor"], rungs["regret-lower-bound"]) == ("1/3", "1/2", "1")
    shown_text = ctv("rates", "--bound", "floor", "--all").stdout
    assert "Ω(n^exponent) on a finite domain" in shown_text
    assert rungs["theorem-q"] == "1/2"
    assert "1/2 on a finite domain; 1/3 for smooth kernel on a box" in " ".join(shown_text.split())
    bursts = ctv("rates", "--bound", "floor", "--sequence", "bursts", "--json").json
    assert [one["to"] for one in bursts["regimes"]] == ["-1", "0", None]
    assert bursts["printed"] == []
    latex_text = ctv("rates", "--bound", "floor", "--symbolic", "latex").stdout
    assert latex_text.startswith("% every c\n") and r"\Omega" in latex_text
    assert r"\tilde O" not in latex_text


def test_the_least_regret_of_a_smooth_kernel(ctv) -> None:
    """Both sides, families beside Theorem A and the paper, a row for a Matérn kernel."""
    found = ctv("rates", "--bound", "smooth", "--kappa", "0", "--json").json
    assert [one["exponent"] for one in found["regimes"]] == ["1/2", "kappa/3 + 2/3", "1"]
    assert found["exponent"] == "2/3"
    assert found["domain"] == "smooth kernel on a box"
    uniform = next(one for one in found["families"] if one["sequence"] == "uniform")
    assert (uniform["smooth"], uniform["refined"], uniform["theorem1"]) == ("2/3", "3/4", "4/5")
    assert all(one["known"] == (len(set(one["exponents"])) == 1) for one in found["least"])
    matern = ctv("rates", "--kernel", "matern:7/2", "--dimension", "1", "--json").json
    assert matern["gap"]["Matern kernel on a box, nu = 7/2, d = 1"] == ["1/4", "1/3"]
    shown_text = ctv("rates", "--bound", "smooth", "--all").stdout
    assert "Partition bounds of the information gain stop at 1/4" in " ".join(shown_text.split())
    bursts = ctv("rates", "--bound", "smooth", "--sequence", "bursts", "--symbolic", "latex").stdout
    assert r"\tilde\Theta" in bursts


@pytest.mark.parametrize("bound", ["smooth", "floor"])
@pytest.mark.parametrize("option", ["--measure", "--symbolic"])
def test_what_is_of_ceilings_is_refused_for_both_sides(ctv, option: str, bound: str) -> None:
    assert ctv("rates", "--bound", bound, option).is_one_line_about(option[2:], bound)
