"""Regime tables as plain text, as LaTeX and as records for JSON."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.rates.exponents import Regime, RegimeTable
from bounds.rates.gain_rates import SpaceGainRate
from bounds.rates.lattice import Affine, Exact, tidy

KAPPA = sympy.Symbol("kappa", real=True)
"""κ with θT = n^κ."""


def expression(value: Exact | Affine) -> Exact:
    """A fraction, a formula, or a line in κ as a sympy expression in `KAPPA`.

    >>> expression(Affine(Fraction(4, 5), Fraction(1, 5)))
    kappa/5 + 4/5
    """
    if isinstance(value, Affine):
        return expression(value.constant) + expression(value.slope) * KAPPA
    return sympy.Rational(value.numerator, value.denominator) if _number(value) else value


def log_power(regime: Regime, rate: SpaceGainRate) -> Exact | None:
    """The power of log n that Õ hides in the regret: ½ from β_n, ½·p·gain_weight from the gain.

    For a gain of order m^c log^p m; None where p is not known.

    >>> from bounds.rates.exponents import regimes
    >>> from bounds.rates.gain_rates import gain_rate
    >>> [str(log_power(r, gain_rate("inf", 2))) for r in regimes("theorem1", 0).regimes]
    ['2', '7/5', '1/2']
    """
    if rate.log_power is None:
        return None
    return (1 + rate.log_power * regime.gain_weight) / 2


def records(table: RegimeTable, rate: SpaceGainRate | None = None) -> list[dict[str, str | None]]:
    """One record for each regime; every entry a fraction or a formula as text, None at ∓∞.

    Keys: from, to, exponent (a line in kappa), exponent_from and exponent_to (its values at the
    ends, None at ∓∞ unless it is constant), constant, slope, block (the exponent u of a best block
    length n^u, a line in kappa) and log_power.
    """
    return [
        {
            "from": _text(r.start),
            "to": _text(r.end),
            "exponent": str(expression(r.exponent)),
            "exponent_from": _text(_end_value(r.exponent, r.start)),
            "exponent_to": _text(_end_value(r.exponent, r.end)),
            "constant": _text(r.exponent.constant),
            "slope": _text(r.exponent.slope),
            "block": str(expression(r.block)),
            "log_power": None if rate is None else _text(log_power(r, rate)),
        }
        for r in table.regimes
    ]


def plain(table: RegimeTable) -> str:
    """The table as aligned text, one regime a line.

    >>> from bounds.rates.exponents import regimes
    >>> print(plain(regimes("refined", 0)))
    kappa from   to  regret exponent  block exponent
          -inf   -1              1/2               1
            -1    1    kappa/4 + 3/4   1/2 - kappa/2
             1  inf                1               0
    """
    rows = [("kappa from", "to", "regret exponent", "block exponent")]
    rows += [
        (
            _edge(r.start, "-inf"),
            _edge(r.end, "inf"),
            str(expression(r.exponent)),
            str(expression(r.block)),
        )
        for r in table.regimes
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join(
        "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        for row in rows
    )


def latex(table: RegimeTable, order: str = r"\tilde O") -> str:
    r"""The table as a LaTeX `cases` block: R_n in powers of n and of the drift θT.

    order : `\tilde O`, or `\Omega` for a lower bound

    >>> from bounds.rates.exponents import regimes
    >>> print(latex(regimes("refined", 0)).splitlines()[2].strip())
    \tilde O\bigl(n^{\frac{3}{4}} (\theta T)^{\frac{1}{4}}\bigr) & n^{-1} \le \theta T \le n^{1}, \\
    """
    lines = ["R_n = \\begin{cases}"]
    for regime in table.regimes:
        powers = _power("n", regime.exponent.constant) + _power(
            "(\\theta T)", regime.exponent.slope, " "
        )
        lines.append(f"  {order}\\bigl({powers or 1}\\bigr) & {_range(regime)}, \\\\")
    return "\n".join([*lines, "\\end{cases}"])


def _power(base: str, exponent: Exact, before: str = "") -> str:
    value = expression(tidy(exponent))
    if value == 0:
        return ""
    return before + (base if value == 1 else f"{base}^{{{sympy.latex(value)}}}")


def _range(regime: Regime) -> str:
    low = None if regime.start is None else f"n^{{{sympy.latex(expression(regime.start))}}}"
    high = None if regime.end is None else f"n^{{{sympy.latex(expression(regime.end))}}}"
    if low is None and high is None:
        return "\\text{always}"
    if low is None:
        return f"\\theta T \\le {high}"
    if high is None:
        return f"{low} \\le \\theta T"
    return f"{low} \\le \\theta T \\le {high}"


def _end_value(line: Affine, kappa: Exact | None) -> Exact | None:
    if kappa is not None:
        return tidy(line.at(kappa))
    return line.constant if line.slope == 0 else None


def _edge(value: Exact | None, infinite: str) -> str:
    return infinite if value is None else str(expression(value))


def _text(value: Exact | None) -> str | None:
    return None if value is None else str(expression(value))


def _number(value: Exact) -> bool:
    return isinstance(value, int | Fraction)
