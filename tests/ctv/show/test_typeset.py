"""Formulas typeset: every claim of the ledger, read back, says what it said."""

import ast
import math

import pytest

from ctv.formulas.mathml import mathml
from ctv.formulas.typeset import latex, text
from proofs_check.ledgers import CLAIMS

FORMULAS = sorted(
    {claim.formula for claim in CLAIMS if claim.formula}
    | {meaning for claim in CLAIMS for _, meaning in claim.let}
)


def test_every_formula_of_the_ledger_is_typeset() -> None:
    assert len(FORMULAS) > 400
    for formula in FORMULAS:
        written = mathml(latex(formula))
        assert written.startswith("<math") and "merror" not in written
        assert text(formula).count("(") == text(formula).count(")")


def plain(node: ast.AST) -> bool:
    """Whether a formula has numbers and operators alone."""
    kept = (ast.BinOp, ast.UnaryOp, ast.Constant, ast.Name, ast.Compare, ast.operator, ast.unaryop)
    more = (ast.cmpop, ast.expr_context, ast.Expression)
    return all(isinstance(part, (*kept, *more)) for part in ast.walk(node))


def test_text_read_back_has_the_same_value() -> None:
    """By a way back of its own: letters to operators, then Python's arithmetic."""
    back = {"·": "*", "−": "-", "≤": "<=", "≥": ">=", "≠": "!=", "²": "**2", "³": "**3", "⁴": "**4"}
    seen = 0
    for formula in FORMULAS:
        tree = ast.parse(" ".join(formula.split()), mode="eval")
        names = {part.id for part in ast.walk(tree) if isinstance(part, ast.Name)}
        if not plain(tree) or any(len(name) > 1 for name in names):
            continue
        written = text(formula)
        if "^" in written or set("⁰¹⁵⁶⁷⁸⁹⁻ⁿⁱ") & set(written):
            continue
        written = written.replace(" = ", " == ")
        for letter, operator in back.items():
            written = written.replace(letter, operator)
        values = {name: 0.3 + 0.17 * k for k, name in enumerate(sorted(names))}
        sides = [ast.parse(" ".join(f.split()), mode="eval").body for f in (formula, written)]
        parts = [[s.left, *s.comparators] if isinstance(s, ast.Compare) else [s] for s in sides]
        for one, other in zip(*parts, strict=True):
            numbers = [eval(ast.unparse(part), {}, values) for part in (one, other)]
            assert math.isclose(*numbers, rel_tol=1e-12), (formula, text(formula))
        seen += 1
    assert seen > 80


@pytest.mark.parametrize(
    ("formula", "written", "of_latex"),
    [
        ("(a+b)**2/c", "(a + b)²/c", r"\frac{{\left(a + b\right)}^{2}}{c}"),
        ("(a/b)**2", "(a/b)²", r"{\left(\frac{a}{b}\right)}^{2}"),
        ("a-(b-c)", "a − (b − c)", r"a - \left(b - c\right)"),
        ("a/(b*c)", "a/(b·c)", r"\frac{a}{b \, c}"),
        ("x**(1/2)", "x^(1/2)", r"{x}^{\frac{1}{2}}"),
        ("eigenvalues(K)[0]", "λ₀(K)", r"\lambda_{0}(K)"),
        (
            "a if x < 0 else b",
            "(a if x < 0 else b)",
            r"\begin{cases} a & \text{if } x < 0 \\ b & \text{else} \end{cases}",
        ),
    ],
)
def test_writing(formula: str, written: str, of_latex: str) -> None:
    assert (text(formula), latex(formula)) == (written, of_latex)
