"""Rates of the gain of a static kernel, γ_m = Õ(m^c): where c comes from and what it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite
from typing import Literal

import sympy

from bounds.errors import InvalidInput
from bounds.rates.exponents import checked_exponent
from bounds.rates.lattice import Exact, exact_fraction

NU = sympy.Symbol("nu", positive=True)
"""The smoothness ν of a Matérn kernel."""

D = sympy.Symbol("d", positive=True)
"""The dimension d of the box."""

LEAST_SMOOTHNESS = Fraction(1, 2)
"""Vakili et al. 2021 take ν above it."""

LARGEST_SMOOTHNESS = 10**6
"""Beyond it c is that of the squared exponential to six digits; below its inverse c is 1."""

GainRate = Literal["paper", "vakili"]
RATES: tuple[GainRate, ...] = ("paper", "vakili")


@dataclass(frozen=True)
class SpaceGainRate:
    """γ_m = O(m^c log^p m).

    Attributes
    ----------
    c : Fraction in [0, 1)
    log_power : p; None where only c was given
    formula : c as a formula in ν and d; None for the squared exponential or a given c
    source : where the rate was proved
    warnings : the hypotheses that fail for this ν, one sentence each; empty where all hold
    """

    c: Fraction
    log_power: Fraction | None
    formula: Exact | None
    source: str
    warnings: tuple[str, ...] = ()


def matern_exponent(rate: GainRate) -> Exact:
    """c as a formula in ν and d.

    `paper`: d(d+1)/(2ν+d(d+1)) (Srinivas et al. 2010, Theorem 5; used by the paper's Theorem 2);
    `vakili`: d/(2ν+d) (Vakili, Khezeli and Picheny 2021).

    >>> matern_exponent("vakili")
    d/(d + 2*nu)
    """
    if rate not in RATES:
        raise InvalidInput("gamma", rate, f"use {' or '.join(RATES)}")
    size = D * (D + 1) if rate == "paper" else D
    return size / (2 * NU + size)


def gain_rate(smoothness: object, dimension: int, rate: GainRate = "paper") -> SpaceGainRate:
    """The rate of γ_m for a Matérn kernel of this smoothness, or the squared exponential (ν = ∞).

    Parameters
    ----------
    smoothness : ν > 0, a number or a fraction such as "5/2"; infinity for the squared exponential
    dimension : d ≥ 1, a whole number
    rate : "paper" or "vakili"

    Raises InvalidInput for ν ≤ 0, a d that is no whole number ≥ 1 or an unknown rate. Where ν is
    positive but below what a hypothesis needs, `warnings` says which one fails.

    >>> str(gain_rate(2.5, 2, "vakili").c), gain_rate(0.8, 1).warnings[0][:16]
    ('2/7', 'Assumption 1 (I)')
    """
    if rate not in RATES:
        raise InvalidInput("gamma", rate, f"use {' or '.join(RATES)}")
    if isinstance(dimension, bool) or dimension != int(dimension) or dimension < 1:
        raise InvalidInput("dimension", dimension, "give a whole number of at least 1")
    if smoothness == inf or str(smoothness) in ("inf", "oo"):
        return SpaceGainRate(
            Fraction(0),
            Fraction(int(dimension) + 1),
            None,
            "γ_m = O(log^{d+1} m), Srinivas et al. 2010, Theorem 5, and Vakili et al. 2021",
        )
    if isinstance(smoothness, float) and not isfinite(smoothness):
        raise InvalidInput("nu", smoothness, "give a positive number")
    nu = exact_fraction("nu", smoothness)
    if nu <= 0:
        raise InvalidInput("nu", smoothness, "give a positive number")
    if not Fraction(1, LARGEST_SMOOTHNESS) <= nu <= LARGEST_SMOOTHNESS:
        remedy = f"give at least {1 / LARGEST_SMOOTHNESS:g}, and at most {LARGEST_SMOOTHNESS:g}, "
        raise InvalidInput("nu", smoothness, remedy + "or the se kernel")
    exponent = matern_exponent(rate)
    at = exponent.subs({NU: sympy.Rational(nu.numerator, nu.denominator), D: int(dimension)})
    c = Fraction(int(at.p), int(at.q))
    power = Fraction(1) if rate == "paper" else 1 - c
    source = {
        "paper": "γ_m = O(m^c log m), Srinivas et al. 2010, Theorem 5",
        "vakili": "γ_m = O(m^c log^{2ν/(2ν+d)} m), Vakili et al. 2021 (bounded eigenfunctions)",
    }[rate]
    return SpaceGainRate(c, power, exponent, source, _warnings(nu, rate))


def given_rate(c: object) -> SpaceGainRate:
    """A rate γ_m = Õ(m^c) that the user vouches for, c in [0, 1)."""
    return SpaceGainRate(checked_exponent(c), None, None, "given")


def _warnings(nu: Fraction, rate: GainRate) -> tuple[str, ...]:
    warnings = []
    if nu <= 1:
        warnings.append(
            f"Assumption 1 (I) fails for nu = {nu}: Matern sample paths are continuously "
            "differentiable only for nu > 1, so Theorem 1 on the box has no proof "
            "(a finite domain needs no smoothness)"
        )
        if rate == "paper":
            warnings.append(
                f"the gain rate fails its hypothesis for nu = {nu}: Srinivas et al. 2010 prove "
                "it for nu > 1"
            )
    if rate == "vakili" and nu <= LEAST_SMOOTHNESS:
        warnings.append(
            f"the gain rate fails its hypothesis for nu = {nu}: Vakili et al. 2021 take nu > 1/2"
        )
    return tuple(warnings)
