"""`--symbolic` of uniformity, bound, partition and rates: the answer as a formula.

sympy is imported only where a formula is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, isfinite, sqrt
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from ctv.commands.options import TimesOptions
from ctv.show.shown import Screen, Shown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from bounds.problem import Problem
    from bounds.symbolic.formula import Formula

BOUNDS = ("theorem1", "additive", "refined", "any_pattern", "trivial")
"""The bounds of `ctv bound` that have a formula."""

_PANEL = "As a formula"

Symbolic = Annotated[
    bool,
    typer.Option(
        "--symbolic", help="Print formulas and their derivation.", rich_help_panel=_PANEL,
        show_default=False,
    ),
]  # fmt: skip


@dataclass(frozen=True)
class SymbolicOptions:
    """Whether the answer is a formula, and how it is shown."""

    symbolic: Symbolic = False
    latex: Annotated[
        bool,
        typer.Option(
            "--latex", help="With --symbolic: as LaTeX.", rich_help_panel=_PANEL, show_default=False
        ),
    ] = False
    digits: Annotated[
        int | None,
        typer.Option(
            help="With --symbolic: also the value to so many digits.", metavar="WHOLE",
            rich_help_panel=_PANEL,
        ),
    ] = None  # fmt: skip

    def check(self) -> None:
        """Refuse what only a formula has."""
        if not self.symbolic and self.latex:
            raise InvalidInput("latex", "given", "add --symbolic")
        if not self.symbolic and self.digits is not None:
            raise InvalidInput("digits", self.digits, "add --symbolic")
        if self.digits is not None:
            from bounds.symbolic.formula import checked_digits

            checked_digits(self.digits)


def family_of(times: TimesOptions) -> dict[str, Any]:
    """The family of the options, as the symbolic functions take it.

    Raises InvalidInput for times from a file: they have no formula.
    """
    if times.times is not None or times.given_times is not None:
        remedy = "a file has no formula: drop --symbolic, or name a family with --sequence"
        raise InvalidInput("times", str(times.times or "given"), remedy)
    power = 1.0 if times.power is None else times.power
    whole: object = int(power) if float(power).is_integer() else power
    return {"family": times.sequence or "uniform", "power": whole, "gaps": bool(times.gap)}


def numbers_of(problem: Problem, times: TimesOptions) -> dict[str, object]:
    """The numbers behind the symbols."""
    n = problem.n
    slope = problem.time_kernel.slope
    return {
        "n": n,
        "T": 390.0 if times.total is None else times.total,
        "epsilon": problem.epsilon,
        "noise_variance": problem.noise_variance,
        "n0": (n + 1) // 2 if times.n0 is None else times.n0,
        "ratio": 1.05 if times.ratio is None else times.ratio,
        "bursts": ceil(sqrt(n)) if times.bursts is None else times.bursts,
        "period": 10 if times.period is None else times.period,
        "gap": times.gap or 0.0,
        **({"theta": slope} if isfinite(slope) else {}),
    }


def uniformity_formula(
    problem: Problem, times: TimesOptions, before: int, length: int
) -> tuple[Formula, dict[str, object]]:
    """C of a block, and the numbers behind its symbols."""
    from bounds.symbolic.uniformity import uniformity

    numbers = {**numbers_of(problem, times), "k_0": before, "i": length}
    return uniformity(**family_of(times)), numbers


def gain_formulas(times: TimesOptions, objectives: Sequence[str]) -> list[Formula]:
    """Bounds on the gain for blocks of M rounds, and the best M of each for evenly spread times."""
    from bounds.symbolic.blocks import best_block
    from bounds.symbolic.gain import gain_bound

    family = family_of(times)
    found = [gain_bound(objective, **family) for objective in objectives]
    if family["family"] == "uniform":
        searched = (name for name in objectives if name in ("theorem1", "additive", "refined"))
        found += [best_block(name).formula for name in searched]
    return found


def block_length(compare: str) -> dict[str, object]:
    """M of the first equal:M in the list of `--compare`."""
    lengths = [part.strip() for part in compare.split(",") if part.strip().startswith("equal:")]
    return {"M": lengths[0].removeprefix("equal:")} if lengths else {}


def payload_of(
    formulas: Sequence[Formula],
    options: SymbolicOptions,
    numbers: Mapping[str, object],
    gains: ArrayLike | None = None,
) -> dict[str, object]:
    """`formula`, `latex`, `symbols`, `conditions`, `derivation`; `precise`, the value as text.

    Of the first; `formulas` holds all of them by name where there are several.
    """

    def one(formula: Formula) -> dict[str, object]:
        shown = dict(formula.to_dict())
        if options.digits is not None:
            shown["precise"] = _value(formula, options.digits, numbers, gains)
        return shown

    rows = {formula.name: one(formula) for formula in formulas}
    first = rows[formulas[0].name]
    return first if len(rows) == 1 else {**first, "formulas": rows}


@dataclass(frozen=True, eq=False, repr=False)
class Formulas(Shown):
    """The answer of a command as formulas; its numbers are computed where JSON asks for them.

    Attributes
    ----------
    formulas : the first is the answer
    options : how they are shown
    numbers : what stands behind the symbols
    numeric : the JSON of the same command with numbers
    gains : γ_0..γ_n, where a formula asks for them
    printed : what the paper prints, and the differences
    """

    formulas: tuple[Formula, ...]
    options: SymbolicOptions
    numbers: Mapping[str, object]
    numeric: Callable[[], Mapping[str, Any]]
    gains: ArrayLike | None = None
    printed: Sequence[dict[str, str]] | None = None

    def headline(self) -> str:
        return str(self.formulas[0].expression)

    def parts(self) -> dict[str, Any]:
        written = payload_of(self.formulas, self.options, self.numbers, self.gains)
        printed = {} if self.printed is None else {"printed": self.printed}
        return {**self.numeric(), **written, **printed}

    def screen(self) -> Screen:
        return Screen(tuple(self._lines()), verbatim=True)

    def _lines(self) -> Iterator[str]:
        """Plain text with the derivation, or LaTeX."""
        for formula in self.formulas:
            yield rf"\[ {formula.latex} \]" if self.options.latex else formula.text
            if self.options.digits is not None:
                value = _value(formula, self.options.digits, self.numbers, self.gains)
                yield f"value: {'needs numbers for every symbol' if value is None else value}"
            if not self.options.latex and formula.steps:
                yield "derived:"
                for number, step in enumerate(formula.steps, 1):
                    shown = "" if step.expression is None else f": {step.expression}"
                    yield f"  {number}. {step.text}{shown}"
            yield ""
        for row in self.printed or ():
            yield f"{row['claim']} prints, for {row['condition']}: {row['printed']}"
            yield f"  derived - printed = {row['difference']}"


def _value(
    formula: Formula, digits: int, numbers: Mapping[str, object], gains: ArrayLike | None
) -> str | None:
    """The value as text; None where a symbol has no number, or where it is an equation."""
    import sympy

    known = formula.symbols.keys() <= numbers.keys()
    gain_known = gains is not None or not formula.expression.atoms(sympy.core.function.AppliedUndef)
    if formula.expression.is_Relational or not (known and gain_known):
        return None
    return str(formula.value(numbers, digits, gains))


def printed_forms(family: str) -> list[dict[str, str]]:
    """What the paper prints for this family, from the ledger's claims, and by what it differs.

    `difference` is derived − printed where the printed condition holds; f is the fractional part of
    n/(epsilon*T), 0 where that is a whole number.
    """
    import sympy

    from bounds.symbolic.formula import symbol
    from bounds.symbolic.uniformity import uniformity
    from proofs_check.claims.paper import lemma_1, lemma_2

    n, T, epsilon, i, k_0, n0 = (symbol(s) for s in ("n", "T", "epsilon", "i", "k_0", "n0"))
    letters = {"n": n, "T": T, "eps": epsilon, "i": i, "k_0": k_0, "n_0": n0, "min": sympy.Min}
    if family == "uniform":
        claims = {claim.id: claim for claim in lemma_1.CLAIMS}
        near, far = (value for value, _ in uniformity("uniform").expression.args)
        first = claims["lemma-1-uncapped"].formula.split("==")[1]
        h = sympy.Symbol("h")
        printed_near = sympy.sympify(first, {**letters, "h": h}).subs(h, T / n)
        printed_far = sympy.sympify(claims["lemma-1-capped"].formula.split("==")[1], letters)
        f = sympy.Symbol("f")
        smooth = far.replace(sympy.floor, lambda x: x - f)
        rows = [
            ("lemma-1-uncapped", "i <= n/(epsilon*T)", printed_near, near - printed_near),
            ("lemma-1-capped", "i >= n/(epsilon*T)", printed_far, smooth - printed_far),
        ]
    elif family == "biased":
        claim = next(claim for claim in lemma_2.CLAIMS if claim.id == "lemma-2")
        text = claim.formula.split("==")[1].split(" if ")[0].strip().removeprefix("(")
        printed = sympy.sympify(text, letters)
        inside = uniformity("biased").expression.replace(sympy.Max, lambda *a: n0 - k_0 - 1)
        same = printed.replace(
            sympy.Min,
            lambda *a: sympy.Piecewise((T**2, epsilon * T <= 1), (epsilon**-2, True)),
        )
        rows = [("lemma-2", "k_0 + 1 <= n0 <= k_0 + i", printed, inside - same)]
    else:
        return []
    return [
        {
            "claim": name,
            "condition": condition,
            "printed": str(printed),
            "difference": str(sympy.factor(sympy.expand(difference))),
        }
        for name, condition, printed, difference in rows
    ]
