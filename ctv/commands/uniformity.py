"""`ctv uniformity`: how unequally spaced the evaluation times are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from ctv.commands.shared import symbolic
from ctv.options.formulas import FormulaOptions
from ctv.options.problem import ModelOptions, TimesOptions, made_from, whole_number
from ctv.show.rounding import digits
from ctv.show.shared import FLOATING
from ctv.show.sheet import Row, Sheet, numbers
from ctv.show.shown import Screen, Shown

if TYPE_CHECKING:
    from bounds.progress import Stage
    from bounds.times import EvaluationTimes

EXAMPLE = """\
>>> ctv.uniformity([1.0, 2.0, 3.0], epsilon=0.0).value
76.0
"""


@dataclass(frozen=True, eq=False, repr=False)
class Uniformity(Shown):
    """C = Σ_j Σ_k min(cap, (τ_j − τ_k)²) of some rounds.

    Attributes
    ----------
    times : of these rounds
    value, cap : C, and the cap 1/ε²
    first, last : the rounds, from 1
    made_from : `problem`, `version` and `seed` of the JSON
    """

    format = "ctv-bounds uniformity 1"

    times: EvaluationTimes
    value: float
    cap: float
    first: int
    last: int
    made_from: Mapping[str, Any]

    def headline(self) -> str:
        return f"C = {digits(self.value)} of rounds {self.first} to {self.last}"

    def parts(self) -> dict[str, Any]:
        rounds = [self.first, self.last]
        return {"uniformity": self.value, "cap": self.cap, "rounds": rounds, **self.made_from}

    def screen(self) -> Screen:
        root = self.value**0.5 / self.times.n
        limit = f" (capped at 1/ε = {digits(self.cap**0.5)})"
        reach = limit if isfinite(self.cap) else ", which nothing caps"
        sheet = Sheet(
            "Uniformity C = Σ_j Σ_k min(cap, (τ_j − τ_k)²)",
            numbers("rounds", "span", "cap 1/ε²", "C", "√(C/rounds²)"),
            (
                Row(
                    (
                        f"{self.first} … {self.last}",
                        digits(self.times.span),
                        digits(self.cap),
                        digits(self.value),
                        digits(root),
                    )
                ),
            ),
            FLOATING,
            (
                f"The RMS distance between two rounds is {digits(root)}{reach}: the larger C, "
                "the more drift a block of these rounds pays for.",
            ),
        )
        return Screen((sheet,))


def uniformity(
    times: TimesOptions,
    model: ModelOptions,
    formulas: FormulaOptions,
    rounds: Annotated[
        str | None,
        typer.Option(help="Only these rounds, counted from 1, such as 5-10.", metavar="FIRST-LAST"),
    ] = None,
    *,
    advance: Stage,
) -> Shown:
    """How unequally spaced the evaluation times are: C of Theorem 1."""
    formulas, times = formulas.asked(times)
    if formulas.durations is not None:
        block = _block(rounds, len(formulas.listed()))

        def numbers(given: TimesOptions) -> Mapping[str, Any]:
            return uniformity(given, model, FormulaOptions(), rounds, advance=advance).to_dict()

        return symbolic.listed_uniformity(formulas, times, model, block, numbers)
    problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from bounds.partitions.uniformity import cap_of
    from bounds.partitions.uniformity import uniformity as uniformity_of

    advance("C of the rounds", 0.0)
    before, length = _block(rounds, problem.n)
    chosen = problem.times if rounds is None else problem.times.block(before, before + length)
    cap = cap_of(problem.epsilon)
    value = uniformity_of(chosen, cap)
    origin = made_from(problem, times)
    answer = Uniformity(chosen, value, cap, before + 1, before + length, origin)
    if not formulas.symbolic:
        return answer
    formulas.numbers(problem.n)  # refuses: every symbol has an option
    formula, behind = symbolic.uniformity_formula(problem, times, before, length)
    printed = symbolic.printed_forms(times.family)
    return symbolic.Formulas((formula,), formulas, behind, answer.parts, printed=printed)


def _block(rounds: str | None, n: int) -> tuple[int, int]:
    """The rounds before those of FIRST-LAST among n, and how many they are; all n without it."""
    if rounds is None:
        return 0, n
    written, dash, end = rounds.partition("-")
    first, last = (whole_number("rounds", end) for end in (written, end if dash else "0"))
    if not 1 <= first <= last <= n:
        raise InvalidInput("rounds", rounds, f"give FIRST-LAST, 1 <= FIRST <= LAST <= {n}")
    return first - 1, last - first + 1
