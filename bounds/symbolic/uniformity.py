"""Uniformity in symbols: C = Σ_j Σ_k min(1/ε², (τ_j − τ_k)²) over the rounds k_0+1 … k_0+i.

Derived by summation: pairs by their lag (uniform), by the side of the jump (biased), by runs of
rounds (bursts, periodic: `bounds.symbolic.clusters`); without the cap from Στ and Στ² (every
family). What has no closed form is a finite sum with its `Min`. A case whose condition is that no
distance reaches 1/ε comes first, so that every formula holds at ε = 0 too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import sympy

from bounds.symbolic.clusters import capped_square, capped_uniformity, uncapped_uniformity
from bounds.symbolic.formula import Expression, Formula, Step, symbol
from bounds.symbolic.pattern import Pattern, pattern


def uniformity(
    family: str | Sequence[object] | Pattern,
    *,
    power: object = 1,
    gaps: bool = False,
    capped: bool = True,
) -> Formula:
    """C of the rounds k_0+1 … k_0+i as an exact expression in n, T, epsilon, i and k_0.

    Parameters
    ----------
    family : a name of `bounds.symbolic.pattern.FORMULAS`, a list of durations in symbols (then C
        of all of them), or a Pattern
    power : p of "power", natural
    gaps : whether the short durations of "bursts" and "periodic" are a symbol, and not 0
    capped : False for ε = 0, C without its cap

    Closed for equal, uniform, biased, bursts whose number divides n, periodic, lists, and for every
    family as long as no distance in the block exceeds 1/ε; a finite sum otherwise.
    Raises InvalidInput as `pattern` does. Cost: at most some seconds.

    >>> str(uniformity("uniform", capped=False))
    'T**2*i**2*(i - 1)*(i + 1)/(6*n**2)'
    """
    of = pattern(family, power=power, gaps=gaps)
    return _summed(of, capped)


@cache
def _summed(of: Pattern, capped: bool) -> Formula:
    """`uniformity`, summed once: bounds and best blocks are made of it."""
    uncapped, steps = _uncapped(of)
    if not capped or of.name == "equal":
        expression = uncapped
    else:
        expression, more = _capped(of, uncapped)
        steps = (*steps, *more)
    if of.name == "geometric":
        even = uniformity("uniform", capped=capped).expression
        cases = (even, sympy.Eq(symbol("ratio"), 1)), (expression, True)
        expression = sympy.Piecewise(*cases)
    conditions = of.conditions if capped else (*of.conditions, "epsilon = 0: there is no cap")
    return Formula("C", expression, conditions, steps)


def by_lag(count: Expression, spacing: Expression, last: Expression) -> Expression:
    """2·Σ_{l=1}^{last} (count − l)·(spacing·l)²: the pairs of evenly spaced rounds up to a lag.

    >>> i, h = sympy.symbols("i h")
    >>> by_lag(i, h, i - 1)
    h**2*i**2*(i - 1)*(i + 1)/6
    """
    lag, end = sympy.Dummy("l", integer=True), sympy.Dummy("K", integer=True)
    total = sympy.summation(sympy.expand((count - lag) * lag**2), (lag, 1, end))
    return sympy.factor(2 * spacing**2 * total.subs(end, last))


def span(of: Pattern) -> Expression:
    """τ_{k_0+i} − τ_{k_0+1}."""
    if of.name == "listed":
        return sympy.Add(*of.durations[1:])
    k_0, i = symbol("k_0"), symbol("i")
    return sympy.factor(of.instant(k_0 + i) - of.instant(k_0 + 1))


def _uncapped(of: Pattern) -> tuple[Expression, tuple[Step, ...]]:
    """C at ε = 0."""
    n, T, i, k_0 = (symbol(name) for name in ("n", "T", "i", "k_0"))
    if of.name == "equal":
        return sympy.Integer(0), (Step("all distances are 0"),)
    if of.name == "uniform":
        total = by_lag(i, T / n, i - 1)
        return total, (Step("i - l pairs of rounds have lag l, each counts twice; sum", total),)
    if of.name == "biased":
        before = before_jump()
        total = 2 * before * (i - before) * T**2
        return total, (Step("pairs on different sides of the jump are T apart", total),)
    if of.name in ("bursts", "periodic"):
        total, steps = uncapped_uniformity(of)
        if of.name == "bursts":
            total = sympy.Piecewise((total, _divides()), (_pair_sum(of, capped=False), True))
        return total, steps
    if of.name == "listed":
        squares = [sympy.Add(*of.durations[j:k]) ** 2 for j, k in _pairs(of)]
        total = sympy.Add(*(2 * square for square in squares))
        return total, (Step("each pair of rounds, twice", total),)
    k = sympy.Dummy("k", integer=True, positive=True)
    instant = of.instant(k)
    if of.name == "geometric":
        ratio = symbol("ratio")
        first, second = (
            T**m
            * ratio ** (m * (k_0 + 1))
            * (1 - ratio ** (m * i))
            / (1 - ratio**m)
            / (ratio**n - 1) ** m
            for m in (1, 2)
        )
        # τ up to a constant: T ρ^k/(ρ^n − 1), whose powers are geometric series again.
        total = 2 * (i * second - first**2)
    else:
        # τ = scale·P(k) with a polynomial P: sums of powers, in which n and T do not stand.
        scale, polynomial = instant.as_independent(k)
        first, second = (_power_sum(polynomial**m, k) for m in (1, 2))
        # One round, or none, has no pairs: i²(i² − 1) divides C, and to find it so costs little.
        pairs, rest = sympy.div(sympy.Poly(2 * (i * second - first**2), i, k_0), i**4 - i**2)
        assert rest == 0
        content, pairs = pairs.primitive()
        total = scale**2 * content * i**2 * (i - 1) * (i + 1) * pairs.as_expr()
        first, second = scale * first, scale**2 * second
    steps = (
        Step("without the cap: 2*i*sum(tau^2) - 2*(sum(tau))^2, with sum(tau)", first),
        Step("and sum(tau^2)", second),
        Step("together", total),
    )
    return total, steps


def _power_sum(polynomial: Expression, k: Expression) -> Expression:
    """Σ_{k=k_0+1}^{k_0+i} of a polynomial in k, by sums of powers from 1."""
    end = sympy.Dummy("x", integer=True, positive=True)
    upto = sympy.expand(sympy.summation(sympy.expand(polynomial), (k, 1, end)))
    k_0 = symbol("k_0")
    return sympy.expand(upto.subs(end, k_0 + symbol("i")) - upto.subs(end, k_0))


def _capped(of: Pattern, uncapped: Expression) -> tuple[Expression, tuple[Step, ...]]:
    n, T, i, epsilon = (symbol(name) for name in ("n", "T", "i", "epsilon"))
    if of.name == "uniform":
        reach = sympy.floor(n / (epsilon * T))
        lag, low = sympy.Dummy("l", integer=True), sympy.Dummy("K", integer=True)
        rest = sympy.factor(sympy.summation(2 * (i - lag), (lag, low + 1, i - 1)))
        near = by_lag(i, T / n, low)
        beyond = (near + rest / epsilon**2).subs(low, reach)
        return (
            sympy.Piecewise((uncapped, epsilon * T * (i - 1) <= n), (beyond, True)),
            (
                Step("lags l with epsilon*T*l/n <= 1 are uncapped: l <= floor(n/(epsilon*T))"),
                Step("sum of the uncapped lags", near.subs(low, reach)),
                Step(
                    "the lags beyond count 1/epsilon^2 each", (rest / epsilon**2).subs(low, reach)
                ),
            ),
        )
    if of.name == "biased":
        before = before_jump()
        square = sympy.Piecewise((T**2, epsilon * T <= 1), (epsilon**-2, True))
        squares = 2 * before * (i - before) * square
        return squares, (Step("the cap is on where epsilon*T > 1", squares),)
    if of.name in ("bursts", "periodic"):
        squares, steps = capped_uniformity(of)
        cases = [(uncapped, epsilon * span(of) <= 1), (squares, True)]
        if of.name == "bursts":
            # In `uncapped` the two cases stand already.
            cases = [cases[0], (squares, _divides()), (_pair_sum(of), True)]
            steps = (*steps, Step("sizes differ where bursts does not divide n: a finite sum"))
        return sympy.Piecewise(*cases), steps
    if of.name == "listed":
        distances = [sympy.Add(*of.durations[j:k]) for j, k in _pairs(of)]
        squares = sympy.Add(*(2 * capped_square(distance) for distance in distances))
    else:
        squares = _pair_sum(of)
    reached = Step("some distance exceeds 1/epsilon: the finite sum with its Min", squares)
    return sympy.Piecewise((uncapped, epsilon * span(of) <= 1), (squares, True)), (reached,)


def _pair_sum(of: Pattern, *, capped: bool = True) -> Expression:
    """Σ_j Σ_k min(1/ε², (τ_k − τ_j)²), unevaluated."""
    k_0, i = symbol("k_0"), symbol("i")
    j, k = sympy.Symbol("j", integer=True), sympy.Symbol("k", integer=True)
    distance = sympy.factor(of.instant(k) - of.instant(j))
    term = capped_square(distance) if capped else distance**2
    return sympy.Sum(term, (j, k_0 + 1, k_0 + i), (k, k_0 + 1, k_0 + i))


def before_jump() -> Expression:
    """The rounds of the block before round n0, between 0 and i."""
    return sympy.Max(0, sympy.Min(symbol("i"), symbol("n0") - symbol("k_0") - 1))


def _divides() -> Expression:
    return sympy.Eq(sympy.Mod(symbol("n"), symbol("bursts")), 0)


def _pairs(of: Pattern) -> combinations[tuple[int, int]]:
    return combinations(range(1, len(of.durations) + 1), 2)
