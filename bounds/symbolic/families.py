"""The exponent of the bound on γ̃_n/n for each family of sequences, in sympy, step by step.

θT = n^κ, γ_m = m^c, blocks of n^u rounds; ρ is the growth of the drift with the block. Each family
says what n^u rounds in a row pay, as lines in u and κ; `balanced` is the best u, min over u of the
larger of a falling and a rising line. The same exponents are derived by exact linear programming in
`bounds.sequences.derived`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy

from bounds.partitions.objectives import objective_named
from bounds.rates.lattice import C
from bounds.rates.tables import KAPPA
from bounds.sequences.scaling import Scaling
from bounds.symbolic.formula import Expression, Step, symbol
from bounds.symbolic.pattern import pattern
from bounds.symbolic.uniformity import by_lag, uniformity

BLOCK = sympy.Symbol("u", real=True)
"""u, blocks of n^u rounds."""

GAIN = (C - 1) * BLOCK
"""n to this power is the gain per round of blocks of n^u rounds."""

_PLACE = sympy.Symbol("x", nonnegative=True)
_POWER = sympy.Symbol("power", real=True)
_CLUSTER = sympy.Symbol("pi", positive=True)
_TAIL = sympy.Symbol("tail", positive=True)
_CONTRAST = sympy.Symbol("contrast", nonnegative=True)
_SIZE = sympy.Symbol("n", positive=True)


@dataclass(frozen=True)
class Exponent:
    """The exponent of γ̃_n/n of a family, below the trivial bound.

    Attributes
    ----------
    value : in κ, c and the family's letters
    numbers : what the letters are
    steps : how it came about
    front : the bound on γ̃_n to leading order with its constants, for γ_m = gain_slope·m^c; None
        where there are none
    """

    value: Expression
    numbers: dict[Expression, Expression]
    steps: tuple[Step, ...]
    front: Expression | None = None

    def at(self, c: Expression) -> Expression:
        """The exponent as a function of κ alone, capped by the trivial bound."""
        return sympy.Min(0, self.value.subs({**self.numbers, C: c}))


Between = tuple[Expression, Expression]
"""(best block, bound on γ̃_n) between the caps for evenly spread times, constants in front."""


def balanced(
    drift: Expression, low: Expression = sympy.S.Zero, high: Expression = sympy.S.One
) -> tuple[Expression, tuple[Step, ...]]:
    """min over u in [low, high] of max(gain, drift), `drift` rising in u.

    >>> balanced(KAPPA - 1 + BLOCK)[0].subs(C, 0) == sympy.Max(-1, KAPPA - 1, (KAPPA - 1) / 2)
    True
    """
    root = sympy.solve(sympy.Eq(GAIN, drift), BLOCK)[0]
    value = sympy.factor(GAIN.subs(BLOCK, root))
    ends = GAIN.subs(BLOCK, high), drift.subs(BLOCK, low)
    return sympy.Max(ends[0], value, ends[1]), (
        Step("gain and drift of a round are n to the powers", sympy.Tuple(GAIN, drift)),
        Step("balance: they are the same at", sympy.Eq(BLOCK, sympy.factor(root))),
        Step("where both are n to the power", value),
        Step(f"u is at most {high}: there the gain is n to the power", ends[0]),
        Step(f"u is at least {low}: there the drift is n to the power", ends[1]),
    )


def exponent(scaling: Scaling, bound: str, growth: Expression, between: Between) -> Exponent:
    """The exponent of a family for a bound whose drift grows with the block as M^growth."""
    by_family: dict[str, Callable[..., Exponent]] = {
        "biased": _biased,
        "geometric": _geometric,
        "power": _power_by_number if objective_named(bound).by_longest else _power,
        "bursts": _bursts,
        "periodic": _periodic,
        "exponential": _exponential,
        "pareto": _pareto,
    }
    return by_family.get(scaling.family, _uniform)(scaling, growth, between)


def _uniform(scaling: Scaling, growth: Expression, between: Between) -> Exponent:
    value, steps = balanced(KAPPA - 1 + growth * BLOCK)
    return Exponent(value, {}, steps, between[1])


def _exponential(scaling: Scaling, growth: Expression, between: Between) -> Exponent:
    lag, M = sympy.Dummy("l", integer=True), symbol("M")
    l = sympy.Symbol("l", integer=True, positive=True)
    spacing = symbol("T") / symbol("n")
    square = (l + l**2) * spacing**2
    mean = sympy.factor(
        2 * sympy.summation(sympy.expand((M - lag) * square.subs(l, lag)), (lag, 1, M - 1))
    )
    even = by_lag(M, spacing, M - 1)
    rest = _uniform(scaling, growth, between)
    steps = (
        Step("l independent durations of mean T/n: the mean square of their sum", square),
        Step("so the mean of C of a block of M rounds", mean),
        Step("over that of equal durations it tends to", sympy.limit(mean / even, M, sympy.oo)),
        Step("and its deviation is of order M^(-1/2) of it: evenly spread times from here on"),
    )
    return Exponent(rest.value, {}, (*steps, *rest.steps), rest.front)


def _biased(scaling: Scaling, growth: Expression, between: Between) -> Exponent:
    n, n0 = symbol("n"), symbol("n0")
    spread = uniformity("biased", capped=False).expression
    sides = [((0, n0 - 1), "before"), ((n0 - 1, n - n0 + 1), "after")]
    steps = [
        Step(
            f"C of the rounds {words} the jump",
            sympy.simplify(spread.subs({symbol("k_0"): k, symbol("i"): i}, simultaneous=True)),
        )
        for (k, i), words in sides
    ]
    a = symbol("gain_slope")
    front = a * ((n0 - 1) ** C + (n - n0 + 1) ** C)
    steps.append(Step("two blocks do not drift; with gain(m) = gain_slope*m^c they cost", front))
    return _of_whole(steps, front)


def _geometric(scaling: Scaling, growth: Expression, between: Between) -> Exponent:
    ratio, j = sympy.Symbol("ratio", positive=True), sympy.Symbol("j", positive=True)
    small = sympy.Dummy("q", positive=True)
    k = sympy.Symbol("k", positive=True)
    span = pattern("geometric").instant(k) / symbol("T")
    n = symbol("n")
    span = span.subs(symbol("ratio"), ratio)
    # q = ratio^(-n) goes to 0; a ratio below 1 is the same with the rounds counted from the end.
    until = sympy.simplify(
        (span.subs(k, n - j) - span.subs(k, 1))
        .subs(ratio ** (n - j), ratio**-j / small)
        .subs(ratio**n, 1 / small)
    )
    left = sympy.simplify(sympy.limit(until, small, 0))
    A = sympy.Symbol("A", positive=True)
    equation = sympy.Eq(KAPPA * sympy.log(_SIZE) - j * sympy.log(ratio), -A * sympy.log(_SIZE))
    many = sympy.factor(sympy.solve(equation, j)[0])
    steps = [
        Step("the share of T that passes before the last j rounds, n large, ratio > 1", left),
        Step("theta times it is n^(-A) where j is", many),
        Step(
            "these j rounds are single points: they cost, of order log n",
            many * sympy.log(1 + 1 / symbol("noise_variance")) / 2,
        ),
        Step("the others are one block, whose drift per round is n to the power at most", -A),
    ]
    return _of_whole(steps, symbol("gain_slope") * n**C)


def _of_whole(steps: list[Step], front: Expression | None) -> Exponent:
    """A bounded number of blocks of the order of n without drift: n^{c−1} whatever κ."""
    steps.append(Step("so the bound per round is n to the power, for every kappa", C - 1))
    steps.append(Step("and no less: the gains of blocks add up to gain(n) at least", C - 1))
    return Exponent(C - 1, {}, tuple(steps), front)


def _power(scaling: Scaling, growth: Expression, between: Between) -> Exponent:
    numbers = _number(scaling, _POWER, "power")
    power = numbers[_POWER]
    duration, steps = _power_durations(power)
    share = (1 - C) / (1 - C + growth)
    inside = sympy.factor(sympy.solve(sympy.Eq(GAIN, duration + growth * BLOCK), BLOCK)[0])
    paid = _PLACE + share * duration
    slope = sympy.diff(paid, _PLACE)
    steps += [
        Step(
            "in the scale i = n^x durations agree within a factor: a uniform problem of n^x "
            "rounds, balanced at",
            sympy.Eq(BLOCK, inside),
        ),
        Step(
            "where its rounds pay, together and at most all of them, n to the power",
            sympy.Min(_PLACE, paid),
        ),
        Step("and at least, as u <= x, n to the power", C * _PLACE),
        Step(
            "the scales are O(log n) many, so the largest counts; the slope in x of what they pay",
            slope,
        ),
    ]
    if power >= -1:
        steps.append(Step("the slope is positive: the last scale counts, x = 1"))
        top, front = paid.subs(_PLACE, 1) - 1, None
        if power > -1:
            local = (_POWER + 1) ** share / (1 + share * _POWER)
            steps.append(
                Step(
                    "the rounds i pay as t_i^(alpha), alpha as above at c: over evenly spread "
                    "times the sum is, from the integral of ((power + 1)*s^power)^alpha",
                    local,
                )
            )
            front = between[1] * local
        return Exponent(sympy.Max(C - 1, top), numbers, tuple(steps), front)
    falls = sympy.expand(sympy.solve(sympy.Eq(duration, 0), _PLACE)[0])
    steps.append(Step("a scale pays at most all of its rounds up to x =", falls))
    ends = (
        sympy.Max(C - 1, paid.subs(_PLACE, 1) - 1),
        sympy.Max(C - 1, sympy.Min(falls - 1, paid.subs(_PLACE, 0) - 1)),
    )
    steps.append(
        Step("where the slope is at least 0 the last scale decides, n to the power", ends[0])
    )
    steps.append(Step("where it is negative that scale does, n to the power", ends[1]))
    return Exponent(sympy.Piecewise((ends[0], slope >= 0), (ends[1], True)), numbers, tuple(steps))


def _power_durations(power: Expression) -> tuple[Expression, list[Step]]:
    """The exponent of θt_i at i = n^x."""
    i = sympy.Symbol("i", positive=True)
    z = sympy.Dummy("z", positive=True)
    whole = {
        True: sympy.integrate(z**_POWER, (z, 0, _SIZE), conds="none"),
        False: sympy.zeta(-_POWER),
    }[power > -1]
    if power == -1:
        whole = sympy.log(_SIZE)
    duration = symbol("T") * i**_POWER / whole
    exponent = KAPPA + _POWER * _PLACE - (_POWER + 1 if power >= -1 else 0)
    return exponent, [
        Step("n large: the duration of round i", duration.subs(_SIZE, symbol("n"))),
        Step("so theta*t_i at i = n^x is n to the power (up to logarithms)", exponent),
    ]


def _power_by_number(scaling: Scaling, growth: Expression, between: Between) -> Exponent:
    numbers = _number(scaling, _POWER, "power")
    power = numbers[_POWER]
    if power >= -1:
        rest = _power(scaling, growth, between)
        return Exponent(rest.value, rest.numbers, rest.steps)
    duration, steps = _power_durations(power)
    y = 1 - BLOCK
    scale = _PLACE + duration + growth * (_PLACE - y)
    slope = sympy.diff(scale, _PLACE)
    crossing = sympy.factor(sympy.solve(sympy.Eq(scale, _PLACE), _PLACE)[0])
    last = sympy.expand(scale.subs(_PLACE, 1) - 1)
    steps += [
        Step("N = n^(1-u) blocks cost N times gain(n^u): per round n to the power", GAIN),
        Step(
            "they leave the n^x rounds of a scale in blocks of n^(x-1+u): these pay, together, "
            "n to the power, and x at most",
            scale,
        ),
        Step("its slope in x", slope),
        Step("where that is at least 0 the last scale pays most: per round n to the power", last),
        Step("where it is negative that scale does at which all rounds pay: x =", crossing),
    ]
    drift = last if slope.subs(numbers) >= 0 else sympy.expand(crossing - 1)
    value, more = balanced(drift)
    return Exponent(value, numbers, (*steps, *more))


def _bursts(scaling: Scaling, growth: Expression, between: Between) -> Exponent:
    if scaling.fixed("bursts"):
        n, B, a = symbol("n"), symbol("bursts"), symbol("gain_slope")
        steps = [
            Step(
                "no time passes inside a burst: as many blocks without drift cost",
                B * a * (n / B) ** C,
            )
        ]
        return _of_whole(steps, B * a * (n / B) ** C)
    exact = sympy.Rational(scaling.exact("bursts"))
    return _clusters(1 - exact, None, growth, "n^bursts bursts of n^pi rounds, pi = 1 - bursts")


def _periodic(scaling: Scaling, growth: Expression, between: Between) -> Exponent:
    if scaling.fixed("period"):
        rest = _uniform(scaling, growth, between)
        _, step = _whole_clusters()
        return Exponent(rest.value, {}, (step, *rest.steps), rest.front)
    contrast = None
    if scaling.contrast is not None:
        contrast = sympy.Rational(scaling.exact("contrast"))
    exact = sympy.Rational(scaling.exact("period"))
    return _clusters(exact, contrast, growth, "periods of n^pi rounds, pi = period")


def _whole_clusters() -> tuple[Expression, Step]:
    """C of whole clusters of P rounds against that of evenly spread rounds."""
    n, T, M, P = symbol("n"), symbol("T"), symbol("M"), sympy.Symbol("P", positive=True)
    waits = P**2 * by_lag(M / P, T * P / n, M / P - 1)
    ratio = sympy.limit(waits / by_lag(M, T / n, M - 1), M, sympy.oo)
    return ratio, Step("C of M/P whole clusters of P rounds, over that of M even rounds", ratio)


def _clusters(
    size: Expression, contrast: Expression | None, growth: Expression, words: str
) -> Exponent:
    several, outer = balanced(KAPPA - 1 + growth * BLOCK, _CLUSTER)
    _, alike = _whole_clusters()
    numbers = {_CLUSTER: size}
    if contrast is None:
        inside = GAIN.subs(BLOCK, _CLUSTER)
        inner: tuple[Step, ...] = (
            Step(
                f"{words}: a block inside one does not drift, the longest has the least gain, "
                "n to the power",
                inside,
            ),
        )
    else:
        numbers[_CONTRAST] = contrast
        inside, inner = balanced(KAPPA - 1 - _CONTRAST + growth * BLOCK, sympy.S.Zero, _CLUSTER)
        inner = (Step(f"{words}, their rounds n^(-contrast)*T/n apart; inside one"), *inner)
    steps = (*inner, Step("or blocks of whole ones"), alike, *outer)
    value = sympy.Min(inside, several)
    return Exponent(value, numbers, (*steps, Step("the better of the two", value)))


def _pareto(scaling: Scaling, growth: Expression, between: Between) -> Exponent:
    numbers = _number(scaling, _TAIL, "tail")
    tail = numbers[_TAIL]
    s, M = sympy.Symbol("s", positive=True), sympy.Symbol("M", positive=True)
    if tail >= 1:
        mean = sympy.integrate(_TAIL * s ** (-_TAIL), (s, 1, sympy.oo), conds="none")
        rest = _uniform(scaling, growth, between)
        said = "the mean of a duration, so the law of large numbers spreads them evenly"
        said += " (up to a logarithm at tail = 1)"
        front = rest.front if tail > 1 else None
        return Exponent(rest.value, numbers, (Step(said, sympy.simplify(mean)), *rest.steps), front)
    largest = sympy.solve(sympy.Eq(M * s**-_TAIL, 1), s)[0]
    time = (BLOCK - 1) / _TAIL
    steps = (
        Step("one of M durations exceeds s where M*s^(-tail) is of order 1: s =", largest),
        Step("their sum is of that order, so n^u of n take a share of T of n to the power", time),
        Step(
            "in place of u - 1 for evenly spread times: the drift is n to the power",
            KAPPA + time + (growth - 1) * BLOCK,
        ),
    )
    value, more = balanced(sympy.expand(KAPPA + time + (growth - 1) * BLOCK))
    return Exponent(value, numbers, (*steps, *more))


def _number(scaling: Scaling, letter: Expression, name: str) -> dict[Expression, Expression]:
    return {letter: sympy.Rational(scaling.exact(name))}
