"""The words of the field: against linear solves, as abbreviations, and as the page has them."""

import ast
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds import enclosure
from proofs_check.language import arithmetics, formula, kinds
from proofs_check.language.claim import BadClaim
from proofs_check.language.formula import DEFINED, BadFormula, evaluate, parse
from proofs_check.language.parameters import Real, Vector
from proofs_check.language.words import unsaid
from proofs_check.prover.export import tree_of
from proofs_check.recheck import independent
from tests.proofs_check.planted import claim

NUMBERS = st.integers(-4, 4)


@st.composite
def observed(draw: st.DrawFn) -> dict[str, object]:
    """A covariance matrix, the noise, values, and a round."""
    n = draw(st.integers(1, 4))
    rows = [[Fraction(draw(NUMBERS)) for _ in range(2)] for _ in range(n)]
    matrix = [
        [sum((a * b for a, b in zip(v, w, strict=True)), Fraction(0)) for w in rows] for v in rows
    ]
    noise = Fraction(draw(st.integers(1, 9)), draw(st.integers(1, 9)))
    values = [Fraction(draw(NUMBERS)) for _ in range(n)]
    return {"K": matrix, "w": noise, "y": values, "t": draw(st.integers(0, n - 1))}


@settings(max_examples=40, deadline=None)
@given(observed())
@example({"K": [[Fraction(0)]], "w": Fraction(1), "y": [Fraction(1)], "t": 0})
def test_a_posterior_is_that_of_linear_regression(case) -> None:
    """In floats, in balls and by the recheck, against a dense solve."""
    K, y = np.array(case["K"], float), np.array(case["y"], float)
    t, w = case["t"], float(case["w"])
    solved = np.linalg.solve(K[:t, :t] + w * np.eye(t), np.c_[K[:t, t], y[:t]])
    gain = np.linalg.slogdet(np.eye(len(K)) + K / w)[1] / 2
    truths = {
        "posterior_variance(K, w, t)": K[t, t] - K[t, :t] @ solved[:, 0],
        "posterior_mean(K, w, y, t)": K[t, :t] @ solved[:, 1],
        "information_gain(K, w)": gain,
    }
    for text, truth in truths.items():
        floats = evaluate(text, arithmetics.floats(), arithmetics.entrywise(float, case))
        assert floats == pytest.approx(truth, rel=1e-7, abs=1e-7)
        with enclosure.precision(128):
            exact = arithmetics.entrywise(enclosure.exact, case)
            one = enclosure.endpoints(evaluate(text, arithmetics.rigorous(), exact))
            two = enclosure.endpoints(independent.evaluate(text, exact))
        assert max(one[0], two[0]) <= min(one[1], two[1])
        assert float(one[0]) == pytest.approx(truth, rel=1e-7, abs=1e-7)


@settings(max_examples=30, deadline=None)
@given(observed())
def test_the_gain_is_the_sum_over_the_rounds(case) -> None:
    """The chain rule, and a potential that four times the gain bounds."""
    case = arithmetics.entrywise(float, case)
    n = len(case["K"])
    chain = f"sum(log(1 + posterior_variance(K, w, t)/w) for t in range({n}))/2"
    gain = evaluate("information_gain(K, w)", arithmetics.floats(), case)
    assert evaluate(chain, arithmetics.floats(), case) == pytest.approx(gain, rel=1e-6, abs=1e-6)
    assert evaluate("elliptic_potential(K, w)", arithmetics.floats(), case) <= 4 * gain + 1e-6


def test_a_word_is_an_abbreviation_and_captures_nothing() -> None:
    """Indices of a definition have names that stand nowhere else in the text."""
    text = "sum(rkhs_value(K, a, i) + rkhs_value(K, b, j_1) for i in range(n) for j_1 in range(i))"
    found = [
        node.target.id for node in ast.walk(parse(text)) if isinstance(node, ast.comprehension)
    ]
    assert len(set(found)) == 4 and {"i", "j_1"} < set(found)
    assert formula.names(text) == {"K", "a", "b", "n"}
    swapped = evaluate(
        "posterior_variance(w, K, 0)", arithmetics.floats(), {"w": [[2.0]], "K": 3.0}
    )
    assert swapped == pytest.approx(2.0)
    assert kinds.kind_of("confidence_event(a, a, a, a)", {"a": ("number",)}) == formula.COMPARISON
    with pytest.raises(BadFormula, match="stands where a matrix belongs"):
        kinds.kind_of("information_gain(a, 1)", {"a": ("number",)})
    with pytest.raises(BadFormula, match="takes 3 arguments"):
        parse("posterior_variance(K, w)")
    with pytest.raises(BadFormula, match="did you mean information_gain"):
        parse("informationgain(K, w)")


def test_an_index_of_a_definition_that_a_parameter_has_is_refused() -> None:
    lists = (Vector("a", 2), Real("i_1"))
    text = "rkhs_norm([[1, 0], [0, 1]], a) >= i_1 - i_1"
    assert claim(text, *lists)
    with pytest.raises(BadClaim, match="is an index and a number"):
        claim("x >= 0", *lists, let=(("x", "rkhs_norm([a], a)"),))


def test_a_condition_of_the_field_is_stated_by_its_name() -> None:
    names = tuple(Vector(name, 3) for name in "fmsb")
    words = "For lists f, m, s, b{}: f_1 - m_1 <= sqrt(b_1) s_1."
    one = claim(
        "f[0] - m[0] <= sqrt(b[0])*s[0]",
        *names,
        statement=words.format(", on the confidence event"),
        hypotheses=("confidence_event(f, m, s, b)",),
    )
    assert unsaid(one) == ()
    silent = replace(one, statement=words.format(""))
    assert unsaid(silent) == ("confidence_event(f, m, s, b)",)
    assert "(Suppose (All (Num 0) (One Len (Var 0))" in tree_of(one)


def test_the_page_says_what_each_word_is() -> None:
    page = Path("docs/language.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)\((.*?)\)` \| .+ \| `(.+)` \|$", page, re.M)
    assert [(w, tuple(a.split(", ")), f) for w, a, f in rows] == [
        (word, one.arguments, one.formula) for word, one in DEFINED.items()
    ]
