"""Options of `--symbolic`: how formulas are shown, the form of γ, numbers for their symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Annotated

import typer

from bounds.errors import InvalidInput
from ctv.options.named_values import listed, named_values
from ctv.options.problem import WITHOUT_VALUE, TimesOptions

_PANEL = "As a formula"
_OWN_VALUES = ("M", "c", "gain_slope", "gain_intercept")
"""Symbols without an option of their own."""

LATEX = "latex"

Symbolic = Annotated[
    str | None,
    typer.Option(
        help="Print formulas and their derivation; latex: as LaTeX; a number: also their values to "
        "so many digits; or both, latex,30.",
        metavar="[latex|DIGITS]",
        rich_help_panel=_PANEL,
    ),
]


@dataclass(frozen=True)
class FormulaOptions:
    """Whether the answer is a formula, of which durations, and how it is shown."""

    symbolic: Symbolic = None
    values: Annotated[
        str | None,
        typer.Option(
            help="With --symbolic: numbers for symbols that have no option, and the form of the "
            "gain, e.g. M=12,c=6/11,gain=power: a function (the default), log for log(m)^(d+1), "
            "power for m^c*log(m), line for gain_intercept + gain_slope*m.",
            metavar="NAME=VALUE,...",
            rich_help_panel=_PANEL,
        ),
    ] = None

    durations: str | None = field(default=None, repr=False, metadata={"option": False})
    """The durations in symbols that `--sequence` lists."""

    @property
    def _said(self) -> list[str]:
        parts = () if self.symbolic is None else listed(self.symbolic)
        return [part for part in parts if part != WITHOUT_VALUE["symbolic"]]

    @property
    def latex(self) -> bool:
        """Whether formulas are shown as LaTeX."""
        return LATEX in self._said

    @property
    def digits(self) -> int | None:
        """To how many digits values are given; None without values."""
        counts = [part for part in self._said if part != LATEX]
        if not counts:
            return None
        if len(counts) > 1 or not counts[0].lstrip("-").isdigit():
            remedy = "give latex, a number of digits, latex and a number, or nothing"
            raise InvalidInput("symbolic", self.symbolic or "''", remedy)
        return int(counts[0])

    def asked(self, times: TimesOptions) -> tuple[FormulaOptions, TimesOptions]:
        """These, checked, with the durations that `--sequence` lists, and the other times."""
        listed = times.sequence or ""
        if "," in listed and ":" not in listed:
            own, times = replace(self, durations=listed.strip(", ")), replace(times, sequence=None)
        else:
            own = self
        own.check()
        return own, times

    def check(self) -> None:
        """Refuse what only a formula has, and digits beyond reason."""
        for option, value in (("values", self.values), ("sequence", self.durations)):
            if self.symbolic is None and value is not None:
                raise InvalidInput(option, value, "add --symbolic")
        if self.digits is not None:
            from bounds.symbolic.formula import checked_digits

            checked_digits(self.digits)
        if self.gain_form != "function":
            from bounds.symbolic.gain import GAINS

            if self.gain_form not in GAINS:
                raise InvalidInput("values", f"gain={self.gain_form}", f"use {', '.join(GAINS)}")
        unused = set(self._named()) - {"gain"} and self.digits is None and self.durations is None
        if self.values is not None and unused:
            raise InvalidInput(
                "values", self.values, "add digits, --symbolic 20: a formula has no numbers"
            )

    def _named(self) -> dict[str, str]:
        """`--values` by name, as text; raises InvalidInput for what is no list of NAME=VALUE."""
        return named_values("values", self.values, ("gain", *_OWN_VALUES, *self.letters()))

    @property
    def gain_form(self) -> str:
        """The form of γ in formulas, a key of `bounds.symbolic.gain.GAINS`."""
        return self._named().get("gain", "function")

    def numbers(self, n: int) -> dict[str, Fraction]:
        """`--values` by symbol, without the form of the gain.

        Raises InvalidInput for what is no NAME=NUMBER, for symbols that are unknown or have an
        option of their own, and for numbers outside a symbol's domain.
        """
        from bounds.rates.lattice import exact_fraction

        named = {name: text for name, text in self._named().items() if name != "gain"}
        values = {name: exact_fraction(name, text) for name, text in named.items()}
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
        """The durations in symbols, as they were written."""
        return () if self.durations is None else listed(self.durations)

    def letters(self) -> tuple[str, ...]:
        """The symbols of the durations; raises InvalidInput as `pattern` does."""
        if self.durations is None:
            return ()
        from bounds.symbolic.pattern import pattern

        of = pattern(self.listed())
        return tuple(sorted({s.name for t in of.durations for s in t.free_symbols}))

    def times(self, others: TimesOptions, numbers: Mapping[str, Fraction]) -> TimesOptions | None:
        """The times of these durations where every symbol in them has a number; otherwise None."""
        for name in ("times", "given_times", "n", "total"):
            if getattr(others, name) is not None:
                option = name.removeprefix("given_")
                raise InvalidInput("sequence", self.durations, f"drop it, or drop --{option}")
        if not set(self.letters()) <= numbers.keys():
            return None
        from bounds.symbolic.pattern import pattern
        from bounds.times import EvaluationTimes

        known = pattern(self.listed()).durations
        lengths = [float(t.subs({s: numbers[s.name] for s in t.free_symbols})) for t in known]
        return replace(others, given_times=EvaluationTimes.from_durations(lengths))
