"""`--symbolic`: formulas on the screen and in JSON, numbers beside them."""

import json
from math import log

import pytest
import sympy

import ctv
from ctv.cli import main
from ctv.commands.shared.symbolic import printed_forms

PROBLEM = ["--n", "24", "--total", "30", "--grid", "8"]


def answer(capsys, *words: str) -> dict:
    with pytest.raises(SystemExit) as left:
        main([*words, "--json"])
    assert left.value.code == 0
    return json.loads(capsys.readouterr().out)


def test_uniformity_has_the_formula_beside_the_number(capsys) -> None:
    found = answer(
        capsys,
        "uniformity",
        *PROBLEM,
        "--symbolic",
        "30",
        "--rounds",
        "4-12",
        "--epsilon",
        "0.3",
    )
    formula = sympy.sympify(found["formula"])
    numbers = {"n": 24, "T": 30, "epsilon": sympy.Rational(3, 10), "i": 9, "k_0": 3}
    assert float(formula.subs(numbers)) == pytest.approx(found["uniformity"], rel=1e-14)
    assert float(found["precise"]) == pytest.approx(found["uniformity"], rel=1e-14)
    assert set(found["symbols"]) == {"n", "T", "epsilon", "i"}
    assert found["latex"] and found["conditions"]
    assert [row["claim"] for row in found["printed"]] == ["lemma-1-uncapped", "lemma-1-capped"]


def test_partition_has_the_value_of_the_block_length(capsys) -> None:
    found = answer(
        capsys,
        "partition",
        *PROBLEM,
        "--bound",
        "additive",
        "--symbolic",
        "20",
        "--compare",
        "equal:6",
    )
    assert float(found["precise"]) == pytest.approx(found["rows"][0]["value"], rel=1e-12)
    assert sympy.sympify(found["formula"]).has(sympy.Symbol("M"))


def test_rates_are_derived(capsys) -> None:
    found = answer(capsys, "rates", "--symbolic", "--kappa", "1/2")
    formula = sympy.sympify(found["formula"])
    assert formula.subs("kappa", sympy.Rational(1, 2)) == sympy.sympify(found["exponent"])
    assert len(found["derivation"]) > 8
    with pytest.raises(SystemExit):
        main(["rates", "--symbolic", "latex"])
    assert r"\[" in capsys.readouterr().out


def test_bound_has_the_value_at_the_best_equal_blocks(capsys) -> None:
    found = answer(capsys, "bound", *PROBLEM, "--budget", "fast", "--symbolic", "20")
    named = found["formulas"]
    for name in ("theorem1", "additive", "refined"):
        # No equal blocks are better than the best of all.
        assert float(named[name]["precise"]) >= found["gain"][name] * (1 - 1e-12)
        other = answer(
            capsys,
            "partition",
            *PROBLEM,
            "--bound",
            name,
            "--compare",
            "best," + ",".join(f"equal:{M}" for M in range(1, 25)),
        )
        least = min(row["value"] for row in other["rows"][1:])
        assert float(named[name]["precise"]) == pytest.approx(least, rel=1e-12)
        assert other["rows"][named[name]["at"]["M"]]["value"] == least
    assert float(named["trivial"]["precise"]) == pytest.approx(found["gain"]["trivial"], rel=1e-12)
    assert named["best block equation of refined"]["precise"] is None


def test_forms_of_the_gain_and_numbers_for_their_symbols(capsys) -> None:
    words = ["partition", *PROBLEM, "--symbolic", "15", "--bound", "additive"]
    line = answer(capsys, *words, "--values", "gain=line,M=6,gain_slope=1/2,gain_intercept=3")
    assert "gain(" not in line["formula"]
    at = {
        "M": 6,
        "gain_slope": 0.5,
        "gain_intercept": 3,
        "n": 24,
        "T": 30,
        "theta": -log(0.99) / 2,
        "noise_variance": 0.01,
        "epsilon": 0.01,
    }
    value = sympy.sympify(line["formula"]).subs(at)
    assert float(value) == pytest.approx(float(line["precise"]), rel=1e-9)
    assert answer(capsys, *words, "--values", "gain=power")["precise"] is None
    power = answer(capsys, *words, "--values", "gain=power,c=6/11")
    assert power["at"]["M"] >= 2


def test_durations_in_symbols(capsys) -> None:
    words = ["--symbolic", "20", "--sequence", "a,b,a+b", "--epsilon", "0.3"]
    bare = answer(capsys, "uniformity", *words)
    assert bare["precise"] is None and "uniformity" not in bare
    found = answer(capsys, "uniformity", *words, "--values", "a=1,b=7/2")
    plain = ctv.uniformity([1, 3.5, 4.5], epsilon=0.3).to_dict()["uniformity"]
    assert found["uniformity"] == plain == pytest.approx(float(found["precise"]), rel=1e-14)
    cut = answer(
        capsys,
        "partition",
        *words,
        "--grid",
        "5",
        "--values",
        "a=1,b=7/2",
        "--bound",
        "theorem1",
        "--compare",
        "cuts:0-2-3",
    )
    assert float(cut["precise"]) == pytest.approx(cut["rows"][0]["value"], rel=1e-12)


def test_functions_return_expressions() -> None:
    found = ctv.uniformity(n=9, total=30, epsilon=0.1, symbolic=True)
    C = found.lambdify("n", "T", "epsilon", "i")(9, 30, 0.1, 9)
    assert float(C) == pytest.approx(found.to_dict()["uniformity"], rel=1e-14)
    assert found._repr_latex_().startswith("$") and "<math" in found._repr_html_()
    a, b = sympy.symbols("a b")
    listed = ctv.uniformity([a, b, a + b], symbolic=True)
    assert {s.name for s in listed.expression.free_symbols} == {"a", "b", "epsilon"}
    rates = ctv.rates(symbolic=30, kappa="1/2")
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
        ["uniformity", "--symbolic", "--sequence", "pareto"],
        ["uniformity", "--symbolic", "latex,pdf"],
        ["uniformity", "--symbolic", "5,6"],
        ["uniformity", "--symbolic", "100000"],
        ["uniformity", "--symbolic", "--sequence", "power:power=-2"],
        ["bound", "--symbolic", "--sequence", "exponential"],
        ["bound", "--values", "gain=log"],
        ["partition", "--symbolic", "--values", "gain=magic"],
        ["partition", "--symbolic", "5", "--values", "M=1000"],
        ["partition", "--symbolic", "5", "--values", "M"],
        ["partition", "--symbolic", "5", "--values", "c=1"],
        ["partition", "--symbolic", "5", "--values", "n=4"],
        ["partition", "--symbolic", "--values", "M=4"],
        ["uniformity", "--symbolic", "--sequence", "a,epsilon"],
        ["uniformity", "--symbolic", "--sequence", "a,exit()"],
        ["uniformity", "--symbolic", "--sequence", "a,9**9**9"],
        ["uniformity", "--symbolic", "--sequence", "a,b", "--n", "3"],
        ["uniformity", "--sequence", "a,b"],
        ["rates", "--symbolic", "5.5"],
        ["rates", "--symbolic", "0"],
    ],
)
def test_what_has_no_formula_is_refused_in_one_line(capsys, words) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1


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
    words: str, text: str, capsys, tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        main([word.replace("{}", text) for word in words.split()])
    seen = capsys.readouterr()
    assert (left.value.code, seen.out, len(seen.err.splitlines())) == (2, "", 1)
    assert list(tmp_path.iterdir()) == []
