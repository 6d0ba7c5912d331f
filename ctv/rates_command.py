"""`ctv rates`: from its options to regimes of the regret exponent, beside the printed ones."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Annotated, cast

import typer

from bounds.errors import InvalidInput
from ctv.options import Json

if TYPE_CHECKING:
    from bounds.kernels import GainRate
    from bounds.rates import Comparison, EpsilonRate, Finding, RegimeTable, SpaceGainRate

_option = partial(typer.Option, rich_help_panel="Rates")
_SMOOTHNESS = {"se": "inf", "matern12": "1/2", "matern32": "3/2", "matern52": "5/2"}
_FINDINGS_NU = "5/2"


@dataclass(frozen=True)
class RatesOptions:
    """Which bound, how the gain grows, and at which drift."""

    bound: Annotated[str, _option(help="theorem1 or refined.", metavar="NAME")] = "theorem1"
    gamma_rate: Annotated[
        str, _option(help="Of a Matern kernel's gain: paper or vakili.", metavar="NAME")
    ] = "paper"
    kernel: Annotated[
        str,
        _option(help="se, matern12, matern32, matern52 or matern:NU, e.g. 7/2.", metavar="KERNEL"),
    ] = "se"
    dimension: Annotated[int, _option(help="Of the box.", metavar="WHOLE")] = 2
    c: Annotated[
        str | None,
        _option(
            help="Exponent of the gain, γ_m = Õ(m^c), instead of the kernel's: a number or "
            "fraction in [0, 1).",
            metavar="NUMBER",
        ),
    ] = None
    kappa: Annotated[
        str | None,
        _option(help="Drift θT = n^κ at which to give the exponent, e.g. -1/2.", metavar="NUMBER"),
    ] = None

    @property
    def smoothness(self) -> str:
        """ν of the kernel as text, `inf` for the squared exponential."""
        if self.kernel.startswith("matern:"):
            return self.kernel.removeprefix("matern:")
        if self.kernel not in _SMOOTHNESS:
            raise InvalidInput(
                "kernel", self.kernel, "use se, matern12, matern32, matern52 or matern:NU"
            )
        return _SMOOTHNESS[self.kernel]

    def check(self) -> None:
        """Refuse what no derivation takes, and options that would be ignored."""
        from bounds.rates import BOUNDS

        if self.bound not in BOUNDS:
            raise InvalidInput("bound", self.bound, f"use {' or '.join(BOUNDS)}")
        for name in ("kernel", "gamma_rate"):
            value = getattr(self, name)
            if self.c is not None and value != getattr(RatesOptions, name):
                raise InvalidInput(name.replace("_", "-"), value, "drop it, or drop --c")


@dataclass(frozen=True, eq=False)
class Rates:
    """Derived regimes, the printed ones, and every difference.

    Attributes
    ----------
    rate : how the gain grows, with the hypotheses that fail
    table, in_c, in_kernel : the regimes at this c, as formulas in c, and in ν and d (None for the
        squared exponential or a given c)
    printed, printed_where : Theorem 2 (I), with the c the paper uses for this kernel
    findings, findings_c : the differences, and the c at which their ranges are evaluated
    comparisons : every printed claim about rates, those that agree too
    ladder : exponents of ε at unit steps
    exponent, block : at the wanted κ; None where none was given
    """

    options: RatesOptions
    rate: SpaceGainRate
    table: RegimeTable
    in_c: RegimeTable
    in_kernel: RegimeTable | None
    printed: RegimeTable
    printed_where: str
    findings: tuple[Finding, ...]
    findings_c: Fraction
    comparisons: tuple[Comparison, ...]
    ladder: tuple[EpsilonRate, ...]
    kappa: Fraction | None
    exponent: Fraction | None
    block: Fraction | None


def derived(options: RatesOptions) -> Rates:
    """The answer to `ctv rates`; raises InvalidInput where an option is outside its domain."""
    from bounds import rates as calculus
    from bounds.rates.lattice import exact_fraction

    options.check()
    if options.c is None:
        named = cast("GainRate", options.gamma_rate)  # any other name is refused there
        rate = calculus.gain_rate(options.smoothness, options.dimension, named)
        as_printed = calculus.gain_rate(options.smoothness, options.dimension, "paper").c
    else:
        # The dimension plays no part beside a given c, but a bad one is refused all the same.
        calculus.gain_rate("inf", options.dimension)
        rate = calculus.given_rate(options.c)
        as_printed = rate.c
    kappa = None if options.kappa is None else exact_fraction("kappa", options.kappa)
    # Ranges in the Matérn parts need a number for c also where the kernel has none.
    findings_c = as_printed
    if options.c is None and options.smoothness == "inf":
        findings_c = calculus.gain_rate(_FINDINGS_NU, options.dimension, "paper").c
    table = calculus.regimes(options.bound, rate.c)
    in_c = calculus.symbolic_regimes(options.bound)
    return Rates(
        options=options,
        rate=rate,
        table=table,
        in_c=in_c,
        in_kernel=None if rate.formula is None else in_c.substituted(rate.formula),
        printed=calculus.printed_uniform(as_printed),
        printed_where="Theorem 2 (I)(a)" if as_printed == 0 else "Theorem 2 (I)(b)",
        findings=calculus.findings(findings_c),
        findings_c=findings_c,
        comparisons=calculus.comparisons(),
        ladder=calculus.epsilon_ladder(),
        kappa=kappa,
        exponent=None if kappa is None else table.exponent(kappa),
        block=None if kappa is None else table.block(kappa),
    )


def rates(
    rates: RatesOptions,
    latex: Annotated[
        bool, typer.Option("--latex", help="Print the regimes as LaTeX.", show_default=False)
    ] = False,
    json: Json = False,
) -> None:
    """How regret grows with rounds and drift: regimes derived, and the printed ones beside them.

    Scaling: θT = n^κ, γ_m = Õ(m^c), blocks of n^u rounds; regret Õ(n^exponent).
    """
    from ctv import payload, rates_payload, rates_screen

    found = derived(rates)
    for warning in found.rate.warnings:
        print(f"ctv: warning: {warning}", file=sys.stderr)
    if json:
        payload.write(rates_payload.of_rates(found))
    elif latex:
        rates_screen.show_latex(found)
    else:
        rates_screen.show_rates(found)
