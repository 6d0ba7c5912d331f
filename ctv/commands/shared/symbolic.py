"""`--symbolic` of uniformity, bound, partition and rates: the answer as a formula.

sympy is imported only where a formula is asked for.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, isfinite, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.errors import InvalidInput
from ctv.formulas.mathml import mathml
from ctv.options.formulas import FormulaOptions
from ctv.options.named_values import listed
from ctv.options.problem import ModelOptions, TimesOptions
from ctv.show.shown import Screen, Shown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from bounds.arrays import FloatArray
    from bounds.problem import Problem
    from bounds.symbolic.formula import Formula

BOUNDS = ("theorem1", "additive", "refined", "any_pattern", "trivial")
"""The bounds of `ctv bound` that have a formula."""

SEARCHED = ("theorem1", "additive", "refined")
"""Those of blocks."""

MOST_LENGTHS = 500
"""Rounds up to which the best length of equal blocks is looked for, one by one."""


def family_of(times: TimesOptions) -> dict[str, Any]:
    """The family of the options, as the symbolic functions take it.

    Raises InvalidInput for times from a file: they have no formula.
    """
    if times.times is not None or times.given_times is not None:
        remedy = "a file has no formula: drop --symbolic, or name a family with --sequence"
        raise InvalidInput("times", str(times.times or "given"), remedy)
    power = times.shape.get("power", 1.0)
    whole: object = int(power) if float(power).is_integer() else power
    return {"family": times.family, "power": whole, "gaps": bool(times.shape.get("gap"))}


def numbers_of(problem: Problem, times: TimesOptions) -> dict[str, object]:
    """The numbers behind the symbols."""
    n = problem.n
    slope = problem.time_kernel.slope
    return {
        "n": n,
        "T": 390.0 if times.total is None else times.total,
        "epsilon": problem.epsilon,
        "noise_variance": problem.noise_variance,
        "d": problem.domain.dimension,
        "n0": times.shape.get("n0", (n + 1) // 2),
        "ratio": times.shape.get("ratio", 1.05),
        "bursts": times.shape.get("bursts", ceil(sqrt(n))),
        "period": times.shape.get("period", 10),
        "gap": times.shape.get("gap", 0.0),
        **({"theta": slope} if isfinite(slope) else {}),
    }


def uniformity_formula(
    problem: Problem, times: TimesOptions, before: int, length: int
) -> tuple[Formula, dict[str, object]]:
    """C of a block, and the numbers behind its symbols."""
    from bounds.symbolic.uniformity import uniformity

    numbers = {**numbers_of(problem, times), "k_0": before, "i": length}
    return uniformity(**family_of(times)), numbers


def gain_formulas(
    times: TimesOptions, objectives: Sequence[str], form: str = "function"
) -> list[Formula]:
    """Bounds on the gain for blocks of M rounds, and the best M of each for evenly spread times.

    `form` is that of the gain, a key of `bounds.symbolic.gain.GAINS`.
    """
    from bounds.symbolic.blocks import best_block
    from bounds.symbolic.gain import gain_bound

    family = family_of(times)
    formulas = [gain_bound(objective, **family, gain=form) for objective in objectives]
    if family["family"] == "uniform":
        formulas += [best_block(name, form).formula for name in objectives if name in SEARCHED]
    return formulas


def of_gains(
    formulas: Sequence[Formula],
    options: FormulaOptions,
    problem: Problem,
    times: TimesOptions,
    numeric: Callable[[], Mapping[str, Any]],
    compare: str = "",
    gamma: ArrayLike | None = None,
) -> Formulas:
    """Formulas of bounds on the gain, with what their values need.

    Where values are asked for, M is that of `--values`, the first equal:M of `compare`, or the best
    length of equal blocks for each bound; `gamma` are γ_0..γ_n, the computed curve where None.
    """
    given = options.numbers(problem.n)
    numbers: dict[str, object] = {**numbers_of(problem, times), **_equal(compare), **given}
    if options.digits is None:
        return Formulas(tuple(formulas), options, numbers, numeric)
    prices = _prices(options.gain_form, problem, numbers, gamma)
    lengths: dict[str, int] = {}
    if "M" not in numbers and prices is not None and problem.n <= MOST_LENGTHS:
        named = [f.name for f in formulas if f.name in SEARCHED and "M" in f.symbols]
        first = 1 if options.gain_form in ("function", "line") else 2  # gain(1) is 0 in the others
        lengths = {name: _best_length(name, problem, prices, first) for name in named}
    return Formulas(tuple(formulas), options, numbers, numeric, prices, lengths=lengths)


def listed_gains(
    options: FormulaOptions,
    times: TimesOptions,
    model: ModelOptions,
    objectives: Sequence[str],
    numeric: Callable[[TimesOptions], Mapping[str, Any]],
    compare: str = "",
) -> Formulas:
    """Bounds for durations in symbols: one block, or the first cuts of `compare`.

    `numeric` is the JSON of the same command with numbers; it is asked only where every symbol of
    the durations has one.
    """
    from bounds.symbolic.gain import gain_bound

    listed = options.listed()
    cuts = _cuts(compare, len(listed))
    written = [
        gain_bound(name, listed, gain=options.gain_form, cuts=cuts if name in SEARCHED else None)
        for name in objectives
    ]
    given = options.times(times, options.numbers(len(listed)))
    problem = model.problem((given or TimesOptions(n=len(listed))).evaluation_times())
    return of_gains(
        written, options, problem, times, dict if given is None else lambda: numeric(given)
    )


def listed_uniformity(
    options: FormulaOptions,
    times: TimesOptions,
    model: ModelOptions,
    block: tuple[int, int],
    numeric: Callable[[TimesOptions], Mapping[str, Any]],
) -> Formulas:
    """C of durations in symbols, or of the rounds K0+1 … K0+I among them."""
    from bounds.symbolic.uniformity import uniformity

    listed = options.listed()
    numbers = options.numbers(len(listed))
    given = options.times(times, numbers)
    problem = model.problem((given or TimesOptions(n=len(listed))).evaluation_times())
    before, length = block
    formula = uniformity(listed[before : before + length])
    return Formulas(
        (formula,),
        options,
        {"epsilon": problem.epsilon, **numbers},
        dict if given is None else lambda: numeric(given),
    )


def _equal(compare: str) -> dict[str, object]:
    """M of the first equal:M in the list of `--compare`."""
    lengths = [part for part in listed(compare) if part.startswith("equal:")]
    return {"M": lengths[0].removeprefix("equal:")} if lengths else {}


def _cuts(compare: str, n: int) -> tuple[int, ...] | None:
    """The first cuts or equal blocks in the list of `--compare`."""
    from bounds.partitions.compare import named_partitions

    named = named_partitions(compare, n).values() if compare else ()
    return next((partition.cuts for partition in named if partition is not None), None)


def _prices(
    form: str, problem: Problem, numbers: Mapping[str, object], gamma: ArrayLike | None
) -> FloatArray | None:
    """γ_0..γ_n of this form; None where a symbol in it has no number."""
    if form == "function":
        from bounds.static_gain.both_sides import gain_curve

        return gain_curve(problem).values if gamma is None else np.asarray(gamma, dtype=float)
    import sympy

    from bounds.symbolic.gain import gain_form

    m = sympy.Symbol("m", positive=True)
    price = gain_form(form)(m)
    letters = {s: numbers.get(s.name) for s in price.free_symbols - {m}}
    if None in letters.values():
        return None
    values = sympy.lambdify(m, price.subs(letters), "numpy")(np.arange(1.0, problem.n + 1))
    return np.concatenate(([0.0], np.broadcast_to(values, problem.n)))


def _best_length(objective: str, problem: Problem, prices: FloatArray, first: int) -> int:
    """M of the best equal blocks of at least `first` rounds, the last one shorter."""
    from bounds.partitions.partition import Partition
    from bounds.partitions.search import evaluate

    def value(length: int) -> float:
        return evaluate(objective, problem, prices, Partition.equal(problem.n, length)).value

    return min(range(min(first, problem.n), problem.n + 1), key=value)


class SymbolicValue(Shown):
    """An answer that is a formula: a sympy expression with a way to numbers."""

    format = "ctv-bounds formula 1"

    @property
    @abstractmethod
    def formula(self) -> Formula:
        """The formula, with its symbols, conditions and derivation."""

    @property
    def expression(self) -> Any:
        """The sympy expression."""
        return self.formula.expression

    def lambdify(self, *names: str, modules: str = "numpy") -> Callable[..., Any]:
        """A function of the symbols of these names, in this order."""
        return self.formula.lambdify(*names, modules=modules)

    def _repr_latex_(self) -> str:
        return self.formula._repr_latex_()

    def _repr_html_(self) -> str:
        return mathml(self.formula.latex)


@dataclass(frozen=True, eq=False, repr=False)
class Formulas(SymbolicValue):
    """The answer of a command as formulas; its numbers are computed where JSON asks for them.

    Attributes
    ----------
    formulas : the first is the answer
    options : how they are shown
    numbers : what stands behind the symbols
    numeric : the JSON of the same command with numbers; nothing where there are none
    gains : γ_0..γ_n, where a formula asks for them
    printed : what the paper prints, and the differences
    lengths : M by formula, where each has its own
    """

    formulas: tuple[Formula, ...]
    options: FormulaOptions
    numbers: Mapping[str, object]
    numeric: Callable[[], Mapping[str, Any]]
    gains: ArrayLike | None = None
    printed: Sequence[dict[str, str]] | None = None
    lengths: Mapping[str, int] = field(default_factory=dict)

    @property
    def formula(self) -> Formula:
        return self.formulas[0]

    def headline(self) -> str:
        return str(self.expression)

    def parts(self) -> dict[str, Any]:
        """The numeric keys, those of the first formula, and all by name where there are several."""
        rows = {formula.name: self._one(formula) for formula in self.formulas}
        several = {} if len(rows) == 1 else {"formulas": rows}
        printed = {} if self.printed is None else {"printed": self.printed}
        return {**self.numeric(), **rows[self.formula.name], **several, **printed}

    def screen(self) -> Screen:
        return Screen(tuple(self._lines()), verbatim=True)

    def _one(self, formula: Formula) -> dict[str, object]:
        """`Formula.to_dict`; `precise`, its value as text, and `at`, the block length it is at."""
        shown = dict(formula.to_dict())
        if self.options.digits is not None:
            precise, _ = self._value(formula, self.options.digits)
            at = {} if precise is None else self._length(formula)
            shown |= {"precise": precise, "at": {name: int(str(M)) for name, M in at.items()}}
        return shown

    def _lines(self) -> Iterator[str]:
        """Plain text with the derivation, or LaTeX."""
        for formula in self.formulas:
            yield rf"\[ {formula.latex} \]" if self.options.latex else formula.text
            if self.options.digits is not None:
                precise, why = self._value(formula, self.options.digits)
                at = "".join(f" (M = {M})" for M in self._length(formula).values())
                yield f"value: {why}" if precise is None else f"value: {precise}{at}"
            if not self.options.latex and formula.steps:
                yield "derived:"
                for number, step in enumerate(formula.steps, 1):
                    shown = "" if step.expression is None else f": {step.expression}"
                    yield f"  {number}. {step.text}{shown}"
            yield ""
        for row in self.printed or ():
            yield f"{row['claim']} prints, for {row['condition']}: {row['printed']}"
            yield f"  derived - printed = {row['difference']}"

    def _length(self, formula: Formula) -> dict[str, object]:
        """M, where the formula has it and it is known."""
        known = {**self.numbers, **{k: v for k, v in [("M", self.lengths.get(formula.name))] if v}}
        return {"M": known["M"]} if "M" in formula.symbols and "M" in known else {}

    def _value(self, formula: Formula, digits: int) -> tuple[str | None, str]:
        """The value as text, or None and why there is none."""
        if formula.expression.is_Relational:
            return None, "none, it is an equation"
        numbers = {**self.numbers, **self._length(formula)}
        if missing := ", ".join(sorted(formula.symbols.keys() - numbers.keys())):
            return None, f"needs --values for {missing}"
        return str(formula.value(numbers, digits, self.gains)), ""


def printed_forms(family: str) -> list[dict[str, str]]:
    """What the paper prints for this family, from the ledger's claims, and by what it differs.

    `difference` is derived − printed where the printed condition holds; f is the fractional part of
    n/(epsilon*T), 0 where that is a whole number.
    """
    import sympy

    from bounds.symbolic.formula import symbol
    from bounds.symbolic.uniformity import uniformity
    from proofs_check.language.formula import evaluate
    from proofs_check.ledgers import CLAIMS

    n, T, epsilon, i, k_0, n0 = (symbol(s) for s in ("n", "T", "epsilon", "i", "k_0", "n0"))
    letters = {"n": n, "T": T, "eps": epsilon, "i": i, "k_0": k_0, "n_0": n0}
    words = {"min": sympy.Min, "divide": lambda a, b: sympy.Integer(1) * a / b, "power": pow}

    def read(text: str, **more: Any) -> Any:
        return evaluate(text.strip(), words, {**letters, **more})

    claims = {claim.id: claim for claim in CLAIMS}
    if family == "uniform":
        near, far = (value for value, _ in uniformity("uniform").expression.args)
        first = claims["lemma-1-uncapped"].formula.split("==")[1]
        printed_near = read(first, h=T / n)
        printed_far = read(claims["lemma-1-capped"].formula.split("==")[1])
        f = sympy.Symbol("f")
        smooth = far.replace(sympy.floor, lambda x: x - f)
        rows = [
            ("lemma-1-uncapped", "i <= n/(epsilon*T)", printed_near, near - printed_near),
            ("lemma-1-capped", "i >= n/(epsilon*T)", printed_far, smooth - printed_far),
        ]
    elif family == "biased":
        text = claims["lemma-2"].searched.split("==")[1].split(" if ")[0].strip().removeprefix("(")
        printed = read(text)
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
