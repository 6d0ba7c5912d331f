"""Options of `--symbolic`: how formulas are shown, the form of γ, numbers for their symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated

import typer

from bounds.errors import InvalidInput
from ctv.options.problem import TimesOptions

_PANEL = "As a formula"
_OWN_VALUES = ("M", "c", "gain_slope", "gain_intercept")
"""Symbols without an option of their own."""

Symbolic = Annotated[
    bool,
    typer.Option(
        "--symbolic",
        help="Print formulas and their derivation.",
        rich_help_panel=_PANEL,
        show_default=False,
    ),
]
Digits = Annotated[
    int | None,
    typer.Option(
        help="With --symbolic: also the value to so many digits.",
        metavar="WHOLE",
        rich_help_panel=_PANEL,
    ),
]


@dataclass(frozen=True)
class FormulaOptions:
    """Whether the answer is a formula, of which durations, and how it is shown."""

    symbolic: Symbolic = False
    latex: Annotated[
        bool,
        typer.Option(
            "--latex", help="With --symbolic: as LaTeX.", rich_help_panel=_PANEL, show_default=False
        ),
    ] = False
    digits: Digits = None
    durations: Annotated[
        str | None,
        typer.Option(
            help="With --symbolic: durations in symbols of your own, e.g. a,b,a+b.",
            metavar="LIST",
            rich_help_panel=_PANEL,
        ),
    ] = None
    values: Annotated[
        str | None,
        typer.Option(
            help="With --symbolic: numbers for symbols that have no option, e.g. M=12,c=6/11.",
            metavar="LIST",
            rich_help_panel=_PANEL,
        ),
    ] = None

    def check(self) -> None:
        """Refuse what only a formula has, and digits beyond reason."""
        for name in ("latex", "digits", "durations", "values"):
            value = getattr(self, name)
            if not self.symbolic and value not in (None, False):
                raise InvalidInput(name, "given" if value is True else value, "add --symbolic")
        if self.digits is not None:
            from bounds.symbolic.formula import checked_digits

            checked_digits(self.digits)
        if self.values is not None and self.digits is None and self.durations is None:
            raise InvalidInput("values", self.values, "add --digits: a formula has no numbers")

    def numbers(self, n: int) -> dict[str, Fraction]:
        """`--values` by symbol.

        Raises InvalidInput for what is no NAME=NUMBER, for symbols that are unknown or have an
        option of their own, and for numbers outside a symbol's domain.
        """
        from bounds.rates.lattice import exact_fraction

        values: dict[str, Fraction] = {}
        own = (*_OWN_VALUES, *self.letters())
        for part in () if self.values is None else self.values.split(","):
            name, equal, number = (text.strip() for text in part.partition("="))
            if not (name and equal):
                raise InvalidInput("values", part.strip() or "''", "give a list such as M=12,c=1/2")
            if name not in own:
                remedy = f"give numbers for {', '.join(own)}; others have an option"
                raise InvalidInput("values", name, remedy)
            if name in values:
                raise InvalidInput("values", name, "give one number for each symbol")
            values[name] = exact_fraction(name, number)
        M, c = values.get("M"), values.get("c", Fraction(0))
        if M is not None and not (M.denominator == 1 and 1 <= M <= n):
            raise InvalidInput("M", str(M), f"give a whole number from 1 to {n}")
        if not 0 <= c < 1:
            raise InvalidInput("c", str(c), "give a number in [0, 1)")
        for name in ("gain_slope", *self.letters()):
            if values.get(name, Fraction(0)) < 0:
                raise InvalidInput(name, str(values[name]), "give a number >= 0")
        return values

    def listed(self) -> tuple[str, ...]:
        """The durations of `--durations`, as they were written."""
        return () if self.durations is None else tuple(t.strip() for t in self.durations.split(","))

    def letters(self) -> tuple[str, ...]:
        """The symbols of `--durations`; raises InvalidInput as `pattern` does."""
        if self.durations is None:
            return ()
        from bounds.symbolic.pattern import pattern

        of = pattern(self.listed())
        return tuple(sorted({s.name for t in of.durations for s in t.free_symbols}))

    def times(self, others: TimesOptions, numbers: Mapping[str, Fraction]) -> TimesOptions | None:
        """The times of `--durations` where every symbol in them has a number; otherwise None."""
        for name in ("times", "given_times", "sequence", "n", "total"):
            if getattr(others, name) is not None:
                option = name.removeprefix("given_")
                raise InvalidInput("durations", self.durations, f"drop it, or drop --{option}")
        if not set(self.letters()) <= numbers.keys():
            return None
        from bounds.symbolic.pattern import pattern
        from bounds.times import EvaluationTimes

        known = pattern(self.listed()).durations
        lengths = [float(t.subs({s: numbers[s.name] for s in t.free_symbols})) for t in known]
        return replace(others, given_times=EvaluationTimes.from_durations(lengths))


@dataclass(frozen=True)
class GainFormulaOptions(FormulaOptions):
    """Of formulas in which the gain without drift stands."""

    gain_form: Annotated[
        str,
        typer.Option(
            help="With --symbolic: gain(m) as a function, as log(m)^(d+1) (log), as m^c*log(m) "
            "(power), or as gain_intercept + gain_slope*m (line).",
            metavar="NAME",
            rich_help_panel=_PANEL,
        ),
    ] = "function"

    def check(self) -> None:
        super().check()
        if self.gain_form == "function":
            return
        if not self.symbolic:
            raise InvalidInput("gain-form", self.gain_form, "add --symbolic")
        from bounds.symbolic.gain import GAINS

        if self.gain_form not in GAINS:
            raise InvalidInput("gain-form", self.gain_form, f"use {', '.join(GAINS)}")
