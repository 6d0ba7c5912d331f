"""`--symbolic`: formulas on the screen and in JSON, numbers beside them."""

import json

import pytest
import sympy

from ctv.cli import main
from ctv.commands.symbolic import printed_forms

PROBLEM = ["--n", "24", "--total", "30", "--grid", "8"]


def answer(capsys, *words: str) -> dict:
    with pytest.raises(SystemExit) as left:
        main([*words, "--json"])
    assert left.value.code == 0
    return json.loads(capsys.readouterr().out)


def test_uniformity_has_the_formula_beside_the_number(capsys) -> None:
    found = answer(capsys, "uniformity", *PROBLEM, "--symbolic", "--digits", "30",
                   "--block", "3", "9", "--epsilon", "0.3")  # fmt: skip
    formula = sympy.sympify(found["formula"])
    numbers = {"n": 24, "T": 30, "epsilon": sympy.Rational(3, 10), "i": 9, "k_0": 3}
    assert float(formula.subs(numbers)) == pytest.approx(found["uniformity"], rel=1e-14)
    assert float(found["precise"]) == pytest.approx(found["uniformity"], rel=1e-14)
    assert set(found["symbols"]) == {"n", "T", "epsilon", "i"}
    assert found["latex"] and found["conditions"]
    assert [row["claim"] for row in found["printed"]] == ["lemma-1-uncapped", "lemma-1-capped"]


def test_partition_has_the_value_of_the_block_length(capsys) -> None:
    found = answer(capsys, "partition", *PROBLEM, "--objective", "additive", "--symbolic",
                   "--digits", "20", "--compare", "equal:6")  # fmt: skip
    assert float(found["precise"]) == pytest.approx(found["rows"][0]["value"], rel=1e-12)
    assert sympy.sympify(found["formula"]).has(sympy.Symbol("M"))


def test_rates_are_derived(capsys) -> None:
    found = answer(capsys, "rates", "--symbolic", "--kappa", "1/2")
    formula = sympy.sympify(found["formula"])
    assert formula.subs("kappa", sympy.Rational(1, 2)) == sympy.sympify(found["exponent"])
    assert len(found["derivation"]) > 8
    with pytest.raises(SystemExit):
        main(["rates", "--symbolic", "--latex"])
    assert r"\[" in capsys.readouterr().out


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
        ["uniformity", "--symbolic", "--sequence", "pareto"],
        ["uniformity", "--latex"],
        ["uniformity", "--digits", "5"],
        ["uniformity", "--symbolic", "--digits", "100000"],
        ["uniformity", "--symbolic", "--sequence", "power", "--power", "-2"],
        ["bound", "--symbolic", "--sequence", "exponential"],
    ],
)
def test_what_has_no_formula_is_refused_in_one_line(capsys, words) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
