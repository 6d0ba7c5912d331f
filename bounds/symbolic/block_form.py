"""How each partition objective prices a block, in symbols: the registry of what has a formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import sympy

from bounds.errors import InvalidInput
from bounds.symbolic.formula import Expression, symbol


def phi(x: Expression) -> Expression:
    """φ(x) = min(x, log x + 1/x); without cases where sympy can compare x with 1.

    >>> phi(sympy.Rational(1, 2)).doit(), phi(sympy.Integer(2)).doit()
    (1/2, 1/2 + log(2))
    """
    if x == 0:
        return x
    if x.has(sympy.Sum):
        return sympy.Piecewise((x, x <= 1), (sympy.log(x) + 1 / x, True))
    above = sympy.Max(1, x, evaluate=False)
    return sympy.Min(1, x, evaluate=False) - 1 + sympy.log(above) + 1 / above


def log_growth(x: Expression) -> Expression:
    """log(1 + x)."""
    return sympy.log(1 + x)


@dataclass(frozen=True)
class BlockForm:
    """The drift of a block of M rounds is ½M·curve(rate·√(C/M)/σ²), or drawn to a centre.

    Attributes
    ----------
    rate_name : "epsilon" or "theta", by which distances count
    curve : of the drift; None where each round drifts from the centre of its block
    tangent : the curve that stands for it to leading order in the best block
    by_longest : whether every block costs the gain of the longest one
    """

    name: str
    rate_name: str
    curve: Callable[[Expression], Expression] | None
    tangent: Callable[[Expression], Expression] | None = None
    by_longest: bool = False

    @property
    def rate(self) -> sympy.Symbol:
        """ε or θ."""
        return symbol(self.rate_name)

    @property
    def centred(self) -> bool:
        """Whether a block is drawn to one of its rounds."""
        return self.curve is None

    def prices(
        self,
        price: Callable[[Expression], Expression],
        full: Expression,
        M: Expression,
        last: Expression,
    ) -> Expression:
        """The gain of `full` blocks of M rounds and one of `last`, no longer."""
        return (full + 1) * price(M) if self.by_longest else full * price(M) + price(last)

    def prices_of(
        self, price: Callable[[Expression], Expression], lengths: list[Expression]
    ) -> Expression:
        """The gain of blocks of these lengths."""
        if self.by_longest:
            return len(lengths) * price(sympy.Max(*lengths))
        return sympy.Add(*(price(length) for length in lengths))


BLOCK_FORMS: Mapping[str, BlockForm] = {
    form.name: form
    for form in (
        # φ is x itself where the best block lies.
        BlockForm("theorem1", "epsilon", phi, tangent=lambda x: x, by_longest=True),
        BlockForm("additive", "theta", log_growth, tangent=log_growth),
        BlockForm("refined", "theta", None),
    )
}


def block_form(name: str) -> BlockForm:
    """The form of this objective; raises InvalidInput for an unknown one."""
    if name not in BLOCK_FORMS:
        raise InvalidInput("objective", name, f"use {', '.join(BLOCK_FORMS)}")
    return BLOCK_FORMS[name]
