"""Upper bounds on the information gain γ̃_n in symbols: Theorem 1, additive, refined, any pattern.

The drift of a block is `bounds.partitions.drift` with C from `bounds.symbolic.uniformity`; s = 1/σ²
is written 1/noise_variance, and γ_m is the function `gain(m)` or one of the forms of `GAINS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import sympy

from bounds.arithmetic import SYMBOLS
from bounds.errors import InvalidInput
from bounds.formulas import round_drift, spread
from bounds.gain.bound import FormulaBound, Quantities
from bounds.gain.registry import GAIN_BOUNDS
from bounds.partitions.objectives import OBJECTIVES as BLOCKS
from bounds.partitions.objectives import Objective, objective_named
from bounds.partitions.objectives.uniform import UniformityObjective
from bounds.symbolic.formula import Expression, Formula, Step, gain, reserved, symbol
from bounds.symbolic.pattern import Pattern, pattern
from bounds.symbolic.reading import read
from bounds.symbolic.uniformity import before_jump, span, uniformity

GAINS: Mapping[str, tuple[Callable[[Expression], Expression], str]] = {
    "function": (gain, "gain(m) is any non-decreasing upper bound on the gain of m rounds"),
    "log": (
        lambda m: sympy.log(m) ** (symbol("d") + 1),
        "gain(m) = log(m)^(d+1), squared exponential kernel up to a constant; for m >= 2, as this "
        "form has gain(1) = 0, which no gain is",
    ),
    "power": (
        lambda m: m ** symbol("c") * sympy.log(m),
        "gain(m) = m^c log m up to a constant; for m >= 2, as this form has gain(1) = 0, which no "
        "gain is",
    ),
    "line": (
        lambda m: symbol("gain_intercept") + symbol("gain_slope") * m,
        "gain(m) = gain_intercept + gain_slope*m, a rank-aware certificate (m at least its rank)",
    ),
}
"""The forms of γ_m by name, with what each stands for."""


def gain_form(name: str) -> Callable[[Expression], Expression]:
    """γ_m in the form of this name; raises InvalidInput for an unknown one."""
    if name not in GAINS:
        raise InvalidInput("gain", name, f"use {', '.join(GAINS)}")
    return GAINS[name][0]


OBJECTIVES = (
    *BLOCKS,
    *sorted(b.name for b in GAIN_BOUNDS.all() if isinstance(b, FormulaBound)),
)
"""The bounds that have a formula."""


def rate_of(objective: Objective) -> sympy.Symbol:
    """ε or θ, by which distances count."""
    return symbol(objective.rate_name if isinstance(objective, UniformityObjective) else "theta")


def _formula_bound(objective: str) -> FormulaBound | None:
    """The bound without a partition of this name; None for an objective."""
    if objective in BLOCKS:
        return None
    bound = next((b for b in GAIN_BOUNDS.all() if b.name == objective), None)
    if not isinstance(bound, FormulaBound):
        raise InvalidInput("objective", objective, f"use {', '.join(OBJECTIVES)}")
    return bound


def _whole(
    bound: FormulaBound, gain: Expression, rounds: Expression, time: Expression
) -> tuple[Expression, tuple[str, ...]]:
    """The bound from γ_n, n and the time between the first and the last round."""
    of = Quantities(rounds, symbol("noise_variance"), gain, symbol("theta"), time)
    return bound.formula(SYMBOLS, of), bound.conditions


def gain_bound(
    objective: str,
    family: str | Sequence[object] | Pattern = "uniform",
    *,
    gain: str = "function",
    cuts: Sequence[object] | None = None,
    power: object = 1,
    gaps: bool = False,
) -> Formula:
    """An upper bound on γ̃_n for a partition into equal blocks of M rounds, or one of one's own.

    Parameters
    ----------
    objective : one of `OBJECTIVES`
    family : as in `uniformity`; a list of durations is one block unless `cuts` are given
    gain : a key of `GAINS`
    cuts : 0 = d_0, d_1, …, d_N = n, numbers or names of symbols; equal blocks of M rounds, the last
        one shorter, where None
    power, gaps : of the family

    `refined` is Theorem A for the forgetting kernel with the middle round of each block as centre
    (the best one for evenly spread times; an upper bound for all); `block_drift` has every centre.
    Raises InvalidInput for unknown names and cuts that do not run from 0 to n.

    >>> str(gain_bound("theorem1", "equal"))
    '(floor((n - 1)/M) + 1)*gain(M)'
    """
    whole = _formula_bound(objective)
    of = pattern(family, power=power, gaps=gaps)
    price = gain_form(gain)
    n = symbol("n")
    said = (*of.conditions[:-1], GAINS[gain][1]) if of.name != "listed" else (GAINS[gain][1],)
    rounds = sympy.Integer(len(of.durations)) if of.name == "listed" else n
    if whole is not None:
        time = span(of).subs({symbol("k_0"): 0, symbol("i"): rounds}, simultaneous=True)
        value, also = _whole(whole, price(rounds), rounds, time)
        return Formula(objective, value, (*said, *also))
    form = objective_named(objective)
    drift = block_drift(objective, of, middle=True)
    if of.name == "listed" and cuts is None:
        cuts = (0, len(of.durations))
    blocks = _equal_blocks if cuts is None else _cut_blocks(cuts, rounds)
    prices, drifts, condition = blocks(form, price, _drift_of(form, of))
    steps = (
        *drift.steps,
        Step("the drift of one block", drift.expression),
        Step("the gain of the blocks without drift", prices),
    )
    return Formula(objective, prices + drifts, (*said, *drift.conditions, condition), steps)


def partition_bound(objective: str) -> Formula:
    """An upper bound on γ̃_n for any times and any partition 0 = d_0 < … < d_N = n.

    Parameters
    ----------
    objective : one of `OBJECTIVES`

    Times and blocks are functions: `tau(k)` the instants, `rounds(b)` and `C(b)` the rounds and the
    uniformity of block b, `d(b)` its cut, `centre(b)` the round that it is drawn to.

    >>> str(partition_bound("trivial"))
    'n*log(1 + 1/noise_variance)/2'
    """
    whole = _formula_bound(objective)
    price = gain_form("function")
    n, many = symbol("n"), symbol("blocks")
    b, k = sympy.Symbol("b", integer=True), sympy.Symbol("k", integer=True)
    size = sympy.Function("rounds", positive=True)(b)
    tau, cut, centre = (sympy.Function(name, real=True) for name in ("tau", "d", "centre"))
    if whole is not None:
        return Formula(objective, *_whole(whole, price(n), n, tau(n) - tau(1)))
    form = objective_named(objective)
    conditions: tuple[str, ...]
    if form.centred:
        left = sympy.Sum(
            _round_drift(sympy.Abs(tau(k) - tau(centre(b)))), (k, cut(b - 1) + 1, cut(b))
        )
        conditions = ("k_time is the forgetting kernel", "centre(b) is any round of block b")
    else:
        left = _spread(form, sympy.Function("C", nonnegative=True)(b), size)
        conditions = (_capped(form),)
    prices = sympy.Sum(price(size), (b, 1, many))
    if form.by_longest:
        prices = many * price(symbol("longest"))
    return Formula(objective, prices + sympy.Sum(left, (b, 1, many)), conditions)


def block_drift(
    objective: str,
    family: str | Sequence[object] | Pattern = "uniform",
    *,
    middle: bool = False,
    power: object = 1,
    gaps: bool = False,
) -> Formula:
    """The drift of the rounds k_0+1 … k_0+i, in nats.

    `theorem1`: ½iφ(ε√(C/i)/σ²), `additive`: ½i·log(1 + θ√(C_θ/i)/σ²), `refined`:
    ½Σ_k log(1 + (1 − (1−ε)^{|τ_k−τ_c|})/σ²) with c round number `center` of the block; the middle
    one where `middle`, or where evenly spread times and one jump have a best one.

    >>> str(block_drift("refined", "equal"))
    '0'
    """
    of = pattern(family, power=power, gaps=gaps)
    i = symbol("i")
    if of.name == "listed":
        i = sympy.Integer(len(of.durations))
    form = objective_named(objective)
    if form.centred:
        return Formula(objective, _centered(of, i, middle), ("k_time is the forgetting kernel",))
    C = uniformity(of)
    return Formula(objective, _spread(form, C.expression, i), (_capped(form),), C.steps)


def _capped(form: Objective) -> str:
    rate = rate_of(form)
    return f"1 - k_time(r) <= {rate}*r for all r; C is capped at 1/{rate}^2"


def _spread(form: Objective, C: Expression, rounds: Expression) -> Expression:
    """½M φ(ε√(C/M)/σ²) or ½M log(1 + θ√(C_θ/M)/σ²), in each case of C."""
    assert isinstance(form, UniformityObjective)
    rate, growth, noise = rate_of(form), form.growth, symbol("noise_variance")
    # The rate goes under the root with C: it is not negative.
    return _each_case(
        C.subs(symbol("epsilon"), rate),
        lambda block: spread(SYMBOLS, growth, rounds, rate**2 * block, noise),
    )


def _drift_of(form: Objective, of: Pattern) -> Callable[[Expression, Expression], Expression]:
    """The drift of the block that begins after `start` rounds and has `rounds` of them."""
    k_0, i = symbol("k_0"), symbol("i")
    if of.name == "listed":

        def listed(start: Expression, rounds: Expression) -> Expression:
            block = of.durations[int(start) : int(start + rounds)]
            return block_drift(form.name, replace(of, durations=block), middle=True).expression

        return listed
    if form.centred:
        whole = block_drift(form.name, of, middle=True).expression
    else:
        whole = uniformity(of).expression

    def drift(start: Expression, rounds: Expression) -> Expression:
        at = whole.subs({k_0: start, i: rounds}, simultaneous=True)
        return at if form.centred else _spread(form, at, rounds)

    return drift


def _each_case(expression: Expression, function: Callable[[Expression], Expression]) -> Expression:
    """A function of an expression by cases, case by case."""
    if not isinstance(expression, sympy.Piecewise):
        return function(expression)
    cases = ((_each_case(value, function), condition) for value, condition in expression.args)
    return sympy.Piecewise(*cases)


def _centered(of: Pattern, i: Expression, middle: bool) -> Expression:
    """½Σ_k log(1 + (1 − (1−ε)^{|τ_k − τ_c|})/σ²)."""
    k_0, T, n = symbol("k_0"), symbol("T"), symbol("n")
    if of.name == "equal":
        return sympy.Integer(0)
    if of.name == "biased":
        before = before_jump()
        return sympy.Min(before, i - before) * _round_drift(T)
    if of.name == "uniform":
        r = sympy.Symbol("r", integer=True)
        drift = _round_drift(r * T / n)
        halves = (sympy.floor((i - 1) / 2), sympy.floor(i / 2))
        return sympy.Add(*(sympy.Sum(drift, (r, 1, half)) for half in halves))
    if of.name == "listed":
        if not middle:
            raise InvalidInput("center", "none", "use middle=True: a list has its middle round")
        at = (len(of.durations) + 1) // 2
        centre = of.instant(sympy.Integer(at))
        every = (of.instant(sympy.Integer(k)) for k in range(1, len(of.durations) + 1))
        return sympy.Add(*(_round_drift(sympy.Abs(instant - centre)) for instant in every))
    k = sympy.Symbol("k", integer=True)
    place = sympy.floor((i + 1) / 2) if middle else symbol("center")
    distance = sympy.Abs(of.instant(k) - of.instant(k_0 + place))
    return sympy.Sum(_round_drift(distance), (k, k_0 + 1, k_0 + i))


def _round_drift(distance: Expression) -> Expression:
    left = 1 - (1 - symbol("epsilon")) ** distance
    return round_drift(SYMBOLS, left, symbol("noise_variance"))


def _equal_blocks(
    form: Objective,
    price: Callable[[Expression], Expression],
    drift: Callable[[Expression, Expression], Expression],
) -> tuple[Expression, Expression, str]:
    """floor((n−1)/M) blocks of M rounds and one with what is left, 1 … M rounds."""
    n, M = symbol("n"), symbol("M")
    full = sympy.floor((n - 1) / M)
    last = n - full * M
    prices = (full + 1) * price(M) if form.by_longest else full * price(M) + price(last)
    b = sympy.Symbol("b", integer=True, nonnegative=True)
    block = drift(b * M, M)
    many = sympy.Sum(block, (b, 0, full - 1)) if block.has(b) else full * block
    return (
        prices,
        many + drift(full * M, last),
        "blocks of M rounds, 1 <= M <= n, the last one may be shorter",
    )


def _cut_blocks(
    cuts: Sequence[object], rounds: Expression
) -> Callable[..., tuple[Expression, Expression, str]]:
    """The blocks between cuts."""
    edges = [_cut(value, rounds) for value in cuts]
    if rounds.is_Integer and not all(edge.is_Integer for edge in edges):
        raise InvalidInput("cuts", str(list(cuts)), "a list of durations has cuts at whole numbers")
    if len(edges) < 2 or edges[0] != 0 or edges[-1] != rounds:
        raise InvalidInput("cuts", str(list(cuts)), f"give 0, ..., {rounds}, increasing")
    lengths = [b - a for a, b in pairwise(edges)]
    if any(length.is_nonpositive for length in lengths):
        raise InvalidInput("cuts", str(list(cuts)), "cuts increase")

    def blocks(
        form: Objective,
        price: Callable[[Expression], Expression],
        drift: Callable[[Expression, Expression], Expression],
    ) -> tuple[Expression, Expression, str]:
        parts = zip(edges, lengths, strict=False)
        drifts = sympy.Add(*(drift(start, length) for start, length in parts))
        prices = sympy.Add(*map(price, lengths))
        if form.by_longest:
            prices = len(lengths) * price(sympy.Max(*lengths))
        return (
            prices,
            drifts,
            "cuts increase: " + " < ".join(str(edge) for edge in edges),
        )

    return blocks


def _cut(value: object, rounds: Expression) -> Expression:
    remedy = "give whole numbers or names of symbols"
    cut = read("cuts", value, None, remedy)
    if cut.is_Integer or str(cut) == str(rounds):
        return rounds if str(cut) == str(rounds) else cut
    if not isinstance(cut, sympy.Symbol):
        raise InvalidInput("cuts", str(value), remedy)
    if reserved(cut.name):
        raise InvalidInput("symbol", cut.name, "it has a meaning of its own: use another name")
    return sympy.Symbol(cut.name, integer=True, positive=True)
