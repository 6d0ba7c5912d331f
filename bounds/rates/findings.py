"""Where Theorem 2 and its discussion differ from what their argument gives, and what that means.

A printed rate is called false only where a proved lower bound on regret exceeds it; where the
argument merely does not reach it, it is unproved, or rescued if a better rate of γ_m reaches it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import sympy

from bounds.rates.exponents import checked_exponent, symbolic_regimes
from bounds.rates.gain_rates import LEAST_SMOOTHNESS, NU, D, matern_exponent
from bounds.rates.lattice import Affine, C, Exact, exact_fraction, sign, tidy
from bounds.rates.printed import (
    Difference,
    derived_biased,
    derived_uniform,
    differences,
    epsilon_ladder,
    printed_biased,
    printed_uniform,
)
from bounds.rates.tables import expression
from bounds.rates.witness import (
    Witness,
    faster_forgetting,
    sublinear_uniform,
    unreached_rate,
    vacuous_rate,
)


class Status(Enum):
    """What a difference means for the printed rate."""

    FALSE = "false"
    UNPROVED = "unproved"
    RESCUED = "rescued by a better gamma-rate"
    VACUOUS = "vacuous"
    SLIP = "slip"


@dataclass(frozen=True)
class Finding:
    """One difference between a printed rate and the derived one.

    Attributes
    ----------
    where : the statement, with the range of εT (or ε) in which it differs
    printed, derived : exponents or ranges as text; kappa stands for log_n(εT)
    status, reason : the verdict and why
    start, end : the range of κ as formulas in c; None at ∓∞ or where κ plays no part
    start_at, end_at : the same for the given c, where there is one
    epsilon_start, epsilon_end : the repaired range of log_n ε, where the range of ε is what differs
    epsilon_start_at, epsilon_end_at : the same for the given c
    witness : numbers that show it at finite n; None where none is needed
    """

    where: str
    printed: str
    derived: str
    status: Status
    reason: str
    start: Exact | None = None
    end: Exact | None = None
    start_at: Fraction | None = None
    end_at: Fraction | None = None
    epsilon_start: Exact | None = None
    epsilon_end: Exact | None = None
    epsilon_start_at: Fraction | None = None
    epsilon_end_at: Fraction | None = None
    witness: Witness | None = None


@dataclass(frozen=True)
class Comparison:
    """One printed claim about rates, agreeing or not with its derivation."""

    where: str
    printed: str
    derived: str
    agrees: bool


def findings(c: object = Fraction(6, 11), *, smoothness: object = None) -> tuple[Finding, ...]:
    """Every difference between the printed rates and the derived ones.

    Parameters
    ----------
    c : the paper's Matérn exponent d(d+1)/(2ν+d(d+1)), in [0, 1), at which ranges and witnesses
        of the Matérn parts are evaluated; the formulas hold for every c. Default ν = 5/2, d = 2.
    smoothness : ν of the kernel, where it is known: at ν ≤ 1/2 Vakili's rate is not proved

    The differences of Theorem 2 come out of comparing its regimes with the derived ones, those
    left out whose range is empty at this c; whether Vakili's rate rescues one is decided for all
    ν and d for which that rate is proved. Cost: about a second.

    >>> [f.status.value for f in findings() if "(I)(b), n" in f.where]
    ['rescued by a better gamma-rate', 'vacuous']
    """
    number = checked_exponent(c)
    nu = None if smoothness is None else exact_fraction("nu", smoothness)
    differing = []
    parts = (("(I)(a)", Fraction(0)), ("(I)(b)", C))
    for part, exponent in parts:
        for difference in differences(printed_uniform(exponent), derived_uniform(exponent)):
            finding = _classified(part, exponent, number, difference, nu)
            if finding.start_at is None or finding.start_at != finding.end_at:
                differing.append(finding)
    return (*differing, _missing_slope(), _missing_smoothness(), _sublinear(), _range(number))


def comparisons() -> tuple[Comparison, ...]:
    """The printed claims about rates beside their derivation, whether or not they agree."""
    rates = {rate.name: rate.exponent for rate in epsilon_ladder()}
    ours, theirs = rates["theorem1"], rates["tv-gp-ucb"]
    derived = symbolic_regimes("theorem1").regimes
    static, at_unit_rate = derived[0].exponent.constant, tidy(derived[1].exponent.at(1))

    def of_formula(where: str, printed: str, found: Exact, formula: Exact) -> Comparison:
        return Comparison(where, printed, str(found), sympy.simplify(found - formula) == 0)

    def of_biased(part: str, printed: str, c: Exact) -> Comparison:
        table = derived_biased(c)
        found = str(table.regimes[0].exponent.constant)
        return Comparison(
            f"Theorem 2 (II){part}", printed, found, not differences(printed_biased(c), table)
        )

    fifth, sixth = sympy.Rational(1, 5), sympy.Rational(1, 6)
    exponent, by_others = "discussion, T = n", "discussion, Bogunovic et al."
    return (
        of_biased("(a)", "1/2", Fraction(0)),
        of_biased("(b)", "(1 + c)/2", C),
        of_formula(
            f"{exponent}, squared exponential: exponent of epsilon", "1/5", ours.subs(C, 0), fifth
        ),
        of_formula(
            f"{exponent}, Matern: exponent of epsilon",
            "(1 - c)/(5 - 2*c)",
            ours,
            (1 - C) / (5 - 2 * C),
        ),
        of_formula(f"{by_others}, squared exponential", "1/6", theirs.subs(C, 0), sixth),
        of_formula(f"{by_others}, Matern", "(1 - c)/(6 - 2*c)", theirs, (1 - C) / (6 - 2 * C)),
        Comparison(
            "discussion, strictly better than Bogunovic et al. for epsilon < 1",
            "larger exponent of epsilon",
            f"larger by {tidy(ours - theirs)}",
            sign(ours - theirs) == 1,
        ),
        of_formula("discussion, n fixed, epsilon to 0", "(1 + c)/2", static, (1 + C) / 2),
        of_formula(
            "discussion, epsilon fixed, n to infinity, T = n", "1", at_unit_rate, sympy.Integer(1)
        ),
    )


def nonnegative(formula: Exact) -> bool:
    """Whether a rational function of ν > 0 and d ≥ 1 is proved ≥ 0 by its coefficients.

    With d = 1 + e, e ≥ 0, it suffices that no coefficient of numerator times denominator is
    negative. False means not proved this way.

    >>> nonnegative(D - 1), nonnegative(NU - 1)
    (True, False)
    """
    excess = sympy.Symbol("e", nonnegative=True)
    put = sympy.sympify(formula, strict=True).subs(D, 1 + excess)
    top, bottom = sympy.fraction(sympy.together(put))
    polynomial = sympy.Poly(sympy.expand(top * bottom), NU, excess)
    return all(coefficient >= 0 for coefficient in polynomial.coeffs())


def rescued_by_vakili(difference: Difference) -> bool:
    """Whether Theorem 1 with Vakili's c reaches the printed line on the whole interval.

    Both c are those of the same ν and d; decided for all ν > 0 and d ≥ 1, of which Vakili's rate
    is proved for ν > 1/2 and bounded eigenfunctions. The derived exponent is the larger of two
    lines in κ for κ ≤ 1, so it is convex, and it is enough to look at the two ends.
    """
    if difference.start is None or difference.end is None:
        return False
    better = symbolic_regimes("theorem1").substituted(matern_exponent("vakili"))
    lines = [regime.exponent for regime in better.regimes[:2]]
    paper = matern_exponent("paper")
    for end in (difference.start, difference.end):
        kappa = sympy.sympify(end, strict=True).subs(C, paper)
        printed = sympy.sympify(difference.printed.at(end), strict=True).subs(C, paper)
        if not all(nonnegative(printed - line.at(kappa)) for line in lines):
            return False
    return True


def _classified(
    part: str, exponent: Exact, number: Fraction, difference: Difference, nu: Fraction | None
) -> Finding:
    """The verdict on one difference of Theorem 2 (I)."""
    where = f"Theorem 2 {part}, {_range_text(difference.start, difference.end)}"
    printed, derived = _line_text(difference.printed), _line_text(difference.derived)
    at = exponent if isinstance(exponent, Fraction) else number
    ends = (_number(difference.start, number), _number(difference.end, number))
    if difference.sign > 0:
        return Finding(
            where,
            printed,
            derived,
            Status.VACUOUS,
            "the printed rate exceeds n, which every policy attains (2√β_n·n); single points give "
            "n in this regime, and a log factor at most",
            difference.start,
            difference.end,
            *ends,
            witness=vacuous_rate(at),
        )
    reached = rescued_by_vakili(difference)
    rescued = reached and (nu is None or nu > LEAST_SMOOTHNESS)
    status = Status.RESCUED if rescued else Status.UNPROVED
    reason = (
        "with the printed c no partition reaches it: N·γ_M ≥ n^c for γ_m = m^c, so the bound is at "
        "least n^{(1+c)/2} until εT = n^{c−3/2}; the printed table drops where drift sets in. "
    )
    if reached:
        reason += (
            "Theorem 1 with γ_m = Õ(m^{d/(2ν+d)}), which Vakili et al. 2021 prove for ν > 1/2 and "
            "eigenfunctions bounded by one constant (an assumption), is never above the printed "
            "rate here for any d ≥ 1 (both sides compared at the ends; the derived one is convex)"
        )
    if reached and not rescued:
        reason += f"; at ν = {nu} that rate has no proof"
    return Finding(
        where,
        printed,
        derived,
        status,
        reason,
        difference.start,
        difference.end,
        *ends,
        witness=unreached_rate(number) if number > 0 else None,
    )


def _missing_slope() -> Finding:
    return Finding(
        "Theorem 2 (I), epsilon near 1",
        "rates in epsilon*T",
        "rates in theta*T, theta = -log(1 - epsilon)/2",
        Status.FALSE,
        "the forgetting kernel has slope θ, and θ > ε beyond ε = 0.7968 while θ/ε → ∞ as ε → 1: "
        "then hypothesis 1 − k_time ≤ ε|·| fails and rounds decouple although εT is small, so "
        "E R_n ≥ m*(1 + Σ(1 − k_time(t_i))) is linear. Read with ε bounded away from 1 (or θ for "
        "ε) the rates stand",
        witness=faster_forgetting(),
    )


def _missing_smoothness() -> Finding:
    return Finding(
        "Theorem 2 (I)(b) and (II)(b), nu <= 1",
        "any Matern nu",
        "nu > 1",
        Status.UNPROVED,
        "Assumption 1 (I) and (III) need differentiable sample paths, which Matérn kernels have "
        "for ν > 1 only, and the rate of γ_m (Srinivas et al. 2010) is proved for ν > 1; the "
        "statement names no such condition",
    )


def _sublinear() -> Finding:
    regime = derived_uniform(C).regimes[1]
    at_unit_drift = derived_uniform(Fraction(0)).exponent(0)
    return Finding(
        "after Theorem 2 and section 6, uniform times, epsilon*T < n",
        "sublinear regret tells the biased setting from the uniform one",
        f"exponent {_line_text(regime.exponent)} < 1 of uniform times for kappa < 1",
        Status.FALSE,
        f"Theorem 2 (I) is itself sublinear wherever εT = o(n): n^{{{at_unit_drift}}} at fixed εT "
        "and c = 0. The two settings differ by the exponent, and by sublinearity only where "
        "εT is of order n or more",
        end=regime.end,
        end_at=Fraction(1),
        witness=sublinear_uniform(),
    )


def _range(number: Fraction) -> Finding:
    middle = symbolic_regimes("theorem1").regimes[1]
    low, high = (None if edge is None else edge - 1 for edge in (middle.start, middle.end))
    return Finding(
        "discussion, uniform times with T = n, 1 < epsilon <= n",
        "n^(-3/2) <= epsilon <= n",
        f"n^(-5/2) <= epsilon <= 1 (Matern: n^({low}) <= epsilon)",
        Status.SLIP,
        "the range is that of εT, carried over to ε without dividing by T = n: the rate sets "
        "in at ε = n^{−5/2} (Matérn n^{c−5/2}), and beyond ε = 1, which no forgetting rate "
        "exceeds, it would be above n",
        Fraction(1),
        Fraction(2),
        Fraction(1),
        Fraction(2),
        low,
        high,
        _number(low, number),
        _number(high, number),
    )


def _number(edge: Exact | None, c: Fraction) -> Fraction | None:
    if edge is None or isinstance(edge, int | Fraction):
        return None if edge is None else Fraction(edge)
    value = sympy.sympify(edge, strict=True).subs(C, sympy.Rational(c.numerator, c.denominator))
    return Fraction(int(value.p), int(value.q))


def _line_text(line: Affine) -> str:
    return str(expression(line))


def _range_text(start: Exact | None, end: Exact | None) -> str:
    low = "" if start is None else f"{_power_text(start)} <= "
    high = "" if end is None else f" < {_power_text(end)}"
    return f"{low}epsilon*T{high}"


def _power_text(exponent: Exact) -> str:
    return "n" if exponent == 1 else f"n^({expression(exponent)})"
