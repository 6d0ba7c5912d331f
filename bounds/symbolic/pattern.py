"""The families of evaluation times in symbols: τ_k as an expression in k.

Those that draw their durations (exponential, pareto) and those read from a file have no formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy

from bounds.errors import InvalidInput
from bounds.symbolic.formula import Expression, reserved, symbol
from bounds.symbolic.reading import read
from bounds.times import FAMILIES

FORMULAS = ("equal", "uniform", "biased", "geometric", "power", "bursts", "periodic")
"""The families that have a formula; `equal` are times that are all the same."""

LARGEST_POWER = 8
"""Of `power`: τ_k is a polynomial of degree p+1."""

MOST_DURATIONS = 12
"""Of a list; its formula has a term for each pair of rounds."""


@dataclass(frozen=True)
class Pattern:
    """A family of evaluation times in symbols.

    Attributes
    ----------
    name : one of `FORMULAS`, or "listed"
    durations : t_1 … t_m of "listed"; empty otherwise
    power : p of "power"
    gaps : whether the short duration of "bursts" and "periodic" is a symbol, and not 0
    """

    name: str
    durations: tuple[Expression, ...] = ()
    power: int = 1
    gaps: bool = False

    def instant(self, k: Expression) -> Expression:
        """τ_k up to a constant: only differences of instants enter.

        >>> Pattern("power", power=1).instant(sympy.Symbol("k"))
        T*k*(k + 1)/(n*(n + 1))
        """
        n, T = symbol("n"), symbol("T")
        if self.name == "listed":
            return sympy.Add(*self.durations[: int(k)])
        if self.name == "equal":
            return sympy.Integer(0)
        if self.name == "uniform":
            return T * k / n
        if self.name == "biased":
            return sympy.Piecewise((0, k < symbol("n0")), (T, True))
        if self.name == "geometric":
            ratio = symbol("ratio")
            return T * (ratio**k - 1) / (ratio**n - 1)
        if self.name == "power":
            r = sympy.Dummy("r", integer=True, positive=True)
            partial = sympy.factor(sympy.summation(r**self.power, (r, 1, k)))
            whole = sympy.factor(sympy.summation(r**self.power, (r, 1, n)))
            return sympy.cancel(T * partial / whole).factor()
        return self.gap * k + (self.wait - self.gap) * self.waits(k)

    @property
    def gap(self) -> Expression:
        """The short duration of "bursts" and "periodic"."""
        return symbol("gap") if self.gaps else sympy.Integer(0)

    @property
    def wait(self) -> Expression:
        """Their long duration: what the short ones leave of T, shared equally."""
        count = self.waits(symbol("n"))
        return (symbol("T") - self.gap * (symbol("n") - count)) / count

    def waits(self, k: Expression) -> Expression:
        """How many of the first k durations are long."""
        if self.name == "periodic":
            return sympy.floor(k / symbol("period"))
        return sympy.ceiling(k * symbol("bursts") / symbol("n"))

    @property
    def conditions(self) -> tuple[str, ...]:
        """When its formulas hold, beyond a block inside the n rounds."""
        inside = ("the block lies in the sequence: k_0 >= 0, i >= 1, k_0 + i <= n",)
        said = {
            "biased": ("t_k = T for k = n0, otherwise 0; 1 <= n0 <= n",),
            "geometric": ("t_k = ratio*t_{k-1}, scaled to total T; ratio > 0",),
            "power": (f"t_k ~ k^{self.power}, scaled to total T",),
            "uniform": ("t_k = T/n",),
            "equal": ("all evaluation times tau_k are the same",),
            "bursts": ("the waits open the bursts; bursts <= n", self._short),
            "periodic": ("the long durations are at rounds period, 2*period, ...", self._short),
        }
        if self.name == "listed":
            given = ", ".join(str(t) for t in self.durations)
            return (f"the durations are {given}, each at least 0",)
        return (*said[self.name], *inside)

    @property
    def _short(self) -> str:
        return "0 <= gap, and the gaps leave a time >= 0" if self.gaps else "gap = 0"


def pattern(
    family: str | Sequence[object] | Pattern, *, power: object = 1, gaps: bool = False
) -> Pattern:
    """The pattern of a family by its name, or of a short list of durations t_1 … t_m.

    A Pattern is itself.

    Parameters
    ----------
    family : one of `FORMULAS`, or durations: sympy expressions or text in symbols ≥ 0 of one's own
    power : p of "power", a natural number
    gaps : whether the short duration of "bursts" and "periodic" is a symbol (otherwise 0)

    Raises InvalidInput for a family without a formula, a power that is no small natural number, a
    list that is too long, and symbols that have a meaning of their own (`n`, `epsilon`, …) or that
    are not known to be at least 0.

    >>> pattern(["a", "b", "a + b"]).durations
    (a, b, a + b)
    """
    if isinstance(family, Pattern):
        return family
    if not isinstance(family, str):
        return Pattern("listed", _durations(tuple(family)))
    if family not in FORMULAS:
        named = f"formulas are known for {', '.join(FORMULAS)} and lists of symbols"
        if family in FAMILIES:
            raise InvalidInput("sequence", family, f"drop --symbolic: it draws; {named}")
        raise InvalidInput("sequence", family, named)
    if family == "power":
        remedy = f"formulas are for whole powers 0 … {LARGEST_POWER}; drop --symbolic"
        number = read("power", power, {}, remedy)
        if number not in range(LARGEST_POWER + 1):
            raise InvalidInput("power", power, remedy)
        return Pattern(family, power=int(number))
    return Pattern(family, gaps=gaps)


def _durations(given: tuple[object, ...]) -> tuple[Expression, ...]:
    if not 1 <= len(given) <= MOST_DURATIONS:
        raise InvalidInput("durations", len(given), f"give 1 to {MOST_DURATIONS} of them")
    remedy = "give an expression in symbols, e.g. a + 2*b"
    durations = [read("duration", value, None, remedy) for value in given]
    names: dict[str, Expression] = {}
    for free in sorted(set().union(*(t.free_symbols for t in durations)), key=str):
        if reserved(free.name):
            raise InvalidInput("symbol", free.name, "it has a meaning of its own: use another name")
        if free.name in names:
            raise InvalidInput("symbol", free.name, "two different symbols have this name")
        if free.is_nonnegative is False or free.is_real is False:
            raise InvalidInput("symbol", free.name, "durations are real and at least 0")
        names[free.name] = sympy.Symbol(free.name, nonnegative=True)
    known = {s: names[s.name] for t in durations for s in t.free_symbols}
    exactly = tuple(sympy.nsimplify(t, rational=True).subs(known) for t in durations)
    for value, duration in zip(given, exactly, strict=True):
        if duration.is_negative or duration.is_finite is False or duration.is_real is False:
            raise InvalidInput("duration", str(value), "give a time >= 0")
    return exactly
