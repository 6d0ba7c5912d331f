"""How each partition objective prices a block, in symbols."""

from __future__ import annotations

from collections.abc import Callable

import sympy

from bounds.arithmetic import SYMBOLS
from bounds.formulas import Growth, spread
from bounds.partitions.objectives import Objective
from bounds.partitions.objectives.uniform import UniformityObjective
from bounds.symbolic.formula import Expression, symbol

Price = Callable[[Expression], Expression]


def rate_of(objective: Objective) -> sympy.Symbol:
    """ε or θ, by which distances count."""
    return symbol(objective.rate_name if isinstance(objective, UniformityObjective) else "theta")


def drift(growth: Growth, rate: Expression, C: Expression, rounds: Expression) -> Expression:
    """½M g(rate·√(C/M)/σ²) of a block of M rounds."""
    # The rate out of the root, as it is not negative.
    root = rate**2 * C
    return spread(SYMBOLS, growth, rounds, root, symbol("noise_variance"))


def prices(
    objective: Objective, price: Price, full: Expression, M: Expression, last: Expression
) -> Expression:
    """The gain of `full` blocks of M rounds and one of `last`, no longer."""
    if objective.by_longest:
        return (full + 1) * price(M)
    return full * price(M) + price(last)


def prices_of(objective: Objective, price: Price, lengths: list[Expression]) -> Expression:
    """The gain of blocks of these lengths."""
    if objective.by_longest:
        return len(lengths) * price(sympy.Max(*lengths))
    return sympy.Add(*(price(length) for length in lengths))
