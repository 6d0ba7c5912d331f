"""`--symbolic`: formulas on the screen and in JSON, numbers beside them."""

from math import log

import pytest
import sympy

import ctv as ctv_bounds
from ctv.commands.shared.symbolic import printed_forms

PROBLEM = "--n 24 --total 30 --grid 8"


def test_uniformity_has_the_formula_beside_the_number(ctv) -> None:
    words = f"uniformity {PROBLEM} --symbolic 30 --rounds 4-12 --epsilon 0.3 --json"
    found = ctv(words).json
    formula = sympy.sympify(found["formula"])
    numbers = {"n": 24, "T": 30, "epsilon": sympy.Rational(3, 10), "i": 9, "k_0": 3}
    assert float(formula.subs(numbers)) == pytest.approx(found["uniformity"], rel=1e-14)
    assert float(found["precise"]) == pytest.approx(found["uniformity"], rel=1e-14)
    assert set(found["symbols"]) == {"n", "T", "epsilon", "i"}
    assert found["latex"] and found["conditions"]
    assert [row["claim"] for row in found["printed"]] == ["lemma-1-uncapped", "lemma-1-capped"]


def test_partition_has_the_value_of_the_block_length(ctv) -> None:
    words = f"partition {PROBLEM} --bound additive --symbolic 20 --compare equal:6 --json"
    found = ctv(words).json
    assert float(found["precise"]) == pytest.approx(found["rows"][0]["value"], rel=1e-12)
    assert sympy.sympify(found["formula"]).has(sympy.Symbol("M"))


def test_rates_are_derived(ctv) -> None:
    found = ctv("rates --symbolic --kappa 1/2 --json").json
    formula = sympy.sympify(found["formula"])
    assert formula.subs("kappa", sympy.Rational(1, 2)) == sympy.sympify(found["exponent"])
    assert len(found["derivation"]) > 8
    assert r"\[" in ctv("rates --symbolic latex").stdout


def test_bound_has_the_value_at_the_best_equal_blocks(ctv) -> None:
    found = ctv(f"bound {PROBLEM} --budget fast --symbolic 20 --json").json
    named = found["formulas"]
    every = ",".join(f"equal:{M}" for M in range(1, 25))
    for name in ("theorem1", "additive", "refined"):
        # No equal blocks are better than the best of all.
        assert float(named[name]["precise"]) >= found["gain"][name] * (1 - 1e-12)
        words = f"partition {PROBLEM} --bound {name} --compare best,{every} --json"
        rows = ctv(words).json["rows"]
        least = min(row["value"] for row in rows[1:])
        assert float(named[name]["precise"]) == pytest.approx(least, rel=1e-12)
        assert rows[named[name]["at"]["M"]]["value"] == least
    assert float(named["trivial"]["precise"]) == pytest.approx(found["gain"]["trivial"], rel=1e-12)
    assert named["best block equation of refined"]["precise"] is None


def test_forms_of_the_gain_and_numbers_for_their_symbols(ctv) -> None:
    words = f"partition {PROBLEM} --symbolic 15 --bound additive --json --values"
    line = ctv(words, "gain=line,M=6,gain_slope=1/2,gain_intercept=3").json
    assert "gain(" not in line["formula"]
    at = {"M": 6, "gain_slope": 0.5, "gain_intercept": 3, "n": 24, "T": 30}
    at |= {"theta": -log(0.99) / 2, "noise_variance": 0.01, "epsilon": 0.01}
    value = sympy.sympify(line["formula"]).subs(at)
    assert float(value) == pytest.approx(float(line["precise"]), rel=1e-9)
    assert ctv(words, "gain=power").json["precise"] is None
    assert ctv(words, "gain=power,c=6/11").json["at"]["M"] >= 2


def test_durations_in_symbols(ctv) -> None:
    words = "--symbolic 20 --sequence a,b,a+b --epsilon 0.3 --json"
    bare = ctv(f"uniformity {words}").json
    assert bare["precise"] is None and "uniformity" not in bare
    found = ctv(f"uniformity {words} --values a=1,b=7/2").json
    plain = ctv_bounds.uniformity([1, 3.5, 4.5], epsilon=0.3).to_dict()["uniformity"]
    assert found["uniformity"] == plain == pytest.approx(float(found["precise"]), rel=1e-14)
    words = f"partition {words} --grid 5 --values a=1,b=7/2 --bound theorem1"
    cut = ctv(f"{words} --compare cuts:0-2-3").json
    assert float(cut["precise"]) == pytest.approx(cut["rows"][0]["value"], rel=1e-12)


def test_a_summary_keeps_the_lines_of_formulas() -> None:
    """Once they were wrapped and joined, as sentences are."""
    found = ctv_bounds.rates(symbolic=True)
    assert found.summary() == found.screen().blocks[0].rstrip()
    shown = ctv_bounds.verify("log-below-line", show="goal")
    assert shown.screen().html().startswith("<pre>")


def test_functions_return_expressions() -> None:
    found = ctv_bounds.uniformity(n=9, total=30, epsilon=0.1, symbolic=True)
    C = found.lambdify("n", "T", "epsilon", "i")(9, 30, 0.1, 9)
    assert float(C) == pytest.approx(found.to_dict()["uniformity"], rel=1e-14)
    assert found._repr_latex_().startswith("$") and "<math" in found._repr_html_()
    a, b = sympy.symbols("a b")
    listed = ctv_bounds.uniformity([a, b, a + b], symbolic=True)
    assert {s.name for s in listed.expression.free_symbols} == {"a", "b", "epsilon"}
    rates = ctv_bounds.rates(symbolic=30, kappa="1/2")
    assert float(rates.to_dict()["precise"]) == float(sympy.sympify(rates.to_dict()["exponent"]))
    assert len(rates.to_dict()["precise"]) >= 30


def test_differences_from_the_paper() -> None:
    first, second = printed_forms("uniform")
    assert first["difference"] == "0"
    difference = sympy.sympify(second["difference"])
    assert difference != 0
    assert difference.subs("f", 0) == 0  # where n/(epsilon*T) is a whole number
    assert [row["difference"] for row in printed_forms("biased")] == ["0"]
    assert printed_forms("geometric") == []


@pytest.mark.parametrize(
    "words",
    [
        "uniformity --symbolic --sequence pareto",
        "uniformity --symbolic latex,pdf",
        "uniformity --symbolic 5,6",
        "uniformity --symbolic 100000",
        "uniformity --symbolic --sequence power:power=-2",
        "bound --symbolic --sequence exponential",
        "bound --values gain=log",
        "partition --symbolic --values gain=magic",
        "partition --symbolic 5 --values M=1000",
        "partition --symbolic 5 --values M",
        "partition --symbolic 5 --values c=1",
        "partition --symbolic 5 --values n=4",
        "partition --symbolic --values M=4",
        "uniformity --symbolic --sequence a,epsilon",
        "uniformity --symbolic --sequence a,exit()",
        "uniformity --symbolic --sequence a,9**9**9",
        "uniformity --symbolic --sequence a,b --n 3",
        "uniformity --sequence a,b",
        "rates --symbolic 5.5",
        "rates --symbolic 0",
    ],
)
def test_what_has_no_formula_is_refused_in_one_line(ctv, words: str) -> None:
    assert ctv(words).is_one_line_about("ctv: ")


@pytest.mark.parametrize(
    "words",
    [
        "uniformity --symbolic --sequence a,{}",
        "uniformity --symbolic --sequence power:power={}",
        "partition --symbolic --sequence a,b --compare cuts:0-{}-2",
        "partition --symbolic 5 --values M={}",
        "partition --symbolic 5 --compare equal:{}",
        "bound --symbolic --values gain={}",
        "bound --time-kernel {}",
        "bound --kernel {}",
        "rates --symbolic --kappa {}",
        "rates --symbolic --gamma {}",
        "rates --symbolic --sequence power:power={}",
        "rates --symbolic --sequence bursts:bursts={}",
    ],
)
@pytest.mark.parametrize(
    "text",
    ["__import__('pathlib').Path('ran').touch()", "open('ran','w')", "(lambda:open('ran','w'))()"],
)
def test_no_text_of_the_command_line_runs(
    ctv, words: str, text: str, tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ctv(*(word.replace("{}", text) for word in words.split())).is_one_line_about("ctv: ")
    assert list(tmp_path.iterdir()) == []
