"""C of bursts and periods: runs of p rounds, `gap` apart inside, each run begins P after the last.

Round number z from the beginning of a run (z = 0) lies at gap·z + (W − gap)·floor(z/p), W the wait
that opens a run. Without the cap C follows from sums of powers of z and floor(z/p). With it, and no
time passing inside a run, pairs are counted by the waits v between them: a block has f rounds of
its first run, m whole runs and e rounds of its last. With a gap, pairs are counted by their lag l,
between whose rounds lie floor(l/p) or floor(l/p) + 1 waits.
"""

from __future__ import annotations

import sympy

from bounds.symbolic.formula import Expression, Step, symbol
from bounds.symbolic.pattern import Pattern


def run_size(of: Pattern) -> Expression:
    """p; of bursts where their number divides n."""
    return symbol("n") / symbol("bursts") if of.name == "bursts" else symbol("period")


def first_place(of: Pattern) -> Expression:
    """z of round k_0 + 1. The first period's wait is at round p: the rounds before it end a run."""
    return symbol("k_0") if of.name == "bursts" else symbol("k_0") + 1


def capped_square(distance: Expression) -> Expression:
    """min(1/ε², distance²), written so that 0 may be put for ε in a case that is not taken."""
    epsilon = symbol("epsilon")
    return sympy.Min(1, (epsilon * distance) ** 2) / epsilon**2


def uncapped_uniformity(of: Pattern) -> tuple[Expression, tuple[Step, ...]]:
    """C of the block at ε = 0: gap²·ΣΣ(Δz)² + 2·gap·(W−gap)·ΣΣΔzΔc + (W−gap)²·ΣΣ(Δc)²."""
    i, wait = symbol("i"), of.wait - of.gap
    z, c = sympy.Symbol("z", integer=True), sympy.Symbol("c", integer=True)
    total = {term: _over_block(term, z, c, of) for term in (c, c**2)}
    squares = wait**2 * 2 * (i * total[c**2] - total[c] ** 2)
    steps = [
        Step("c = floor(z/p) waits before place z: its sum over the block", total[c]),
        Step("and that of its square", total[c**2]),
    ]
    if of.gaps:
        places, mixed = (_over_block(term, z, c, of) for term in (z, z * c))
        even = i**2 * (i**2 - 1) / 6
        steps.append(Step("and that of its product with z", mixed))
        squares += of.gap**2 * even + 4 * of.gap * wait * (i * mixed - places * total[c])
    return squares, (*steps, Step("without the cap: 2*i*sum(tau^2) - 2*(sum(tau))^2", squares))


def capped_uniformity(of: Pattern) -> tuple[Expression, tuple[Step, ...]]:
    """C of the block where some distance exceeds 1/ε."""
    return _by_lag(of) if of.gaps else _by_wait(of)


def _over_block(term: Expression, z: Expression, c: Expression, of: Pattern) -> Expression:
    """Σ of a monomial in z and c = floor(z/p) over the places of the block."""
    # Runs 0 … q−1 are whole, x − pq places follow.
    p, q, x, r = (sympy.Dummy(name, integer=True) for name in ("p", "q", "x", "r"))
    run = sympy.summation(sympy.expand(term.subs(z, p * c + r)), (r, 0, p - 1))
    whole = sympy.summation(sympy.expand(run), (c, 0, q - 1))
    rest = sympy.summation(sympy.expand(term.subs({z: p * q + r, c: q})), (r, 0, x - p * q - 1))
    before = sympy.factor(whole + rest)
    size, start = run_size(of), first_place(of)
    end = start + symbol("i")

    def at(place: Expression) -> Expression:
        return before.xreplace({p: size, x: place, q: sympy.floor(place / size)})

    return at(end) - at(start)


def _by_wait(of: Pattern) -> tuple[Expression, tuple[Step, ...]]:
    """Σ over v of the pairs with v waits between them, each min(1/ε², (vW)²)."""
    epsilon, i = symbol("epsilon"), symbol("i")
    size, start, wait = run_size(of), first_place(of), of.wait
    p, f, e, m, h, W = sympy.symbols("p f e m h W")
    v = sympy.Dummy("v", integer=True)
    pairs = p**2 * (m - v) + p * (f + e)
    near = sympy.factor(sympy.summation(sympy.expand(pairs * v**2), (v, 1, h)))
    far = sympy.factor(sympy.summation(sympy.expand(pairs), (v, h + 1, m)))
    outer = sympy.Piecewise(((W * (m + 1)) ** 2, epsilon * W * (m + 1) <= 1), (epsilon**-2, True))
    total = 2 * W**2 * near + 2 * far / epsilon**2 + 2 * f * e * outer
    first = sympy.Min(i, size * sympy.ceiling(start / size) - start)
    whole = sympy.floor((i - first) / size)
    last = i - first - whole * size
    reach = sympy.Min(whole, sympy.floor(1 / (epsilon * wait)))
    meant = {p: size, f: first, m: whole, e: last, h: reach, W: wait}
    return total.xreplace(meant), (
        Step("f, rounds of the first run", first),
        Step("m, whole runs of p rounds", whole),
        Step("e, rounds of the last run", last),
        Step("h, waits between pairs that are not capped, among whole runs", reach),
        Step("pairs by the number v of waits W between them, summed over v", total),
    )


def _by_lag(of: Pattern) -> tuple[Expression, tuple[Step, ...]]:
    """2·Σ_l of the pairs with lag l, some with one wait more than the others."""
    i, size, start = symbol("i"), run_size(of), first_place(of)
    l = sympy.Symbol("l", integer=True)
    z, q, x = (sympy.Dummy(name, integer=True) for name in ("z", "q", "x"))
    before = sympy.factor(sympy.summation(z, (z, 0, q - 1)) * size + q * (x - size * q))

    def waits(place: Expression) -> Expression:
        """Σ_{z < place} floor(z/p)."""
        return before.xreplace({x: place, q: sympy.floor(place / size)})

    less = sympy.floor(l / size)
    crossed = waits(start + i) - waits(start + l) - waits(start + i - l) + waits(start)
    more = crossed - (i - l) * less

    near, far = (capped_square(of.gap * l + (of.wait - of.gap) * k) for k in (less, less + 1))
    term = 2 * (i - l - more) * near + 2 * more * far
    total = sympy.Sum(term, (l, 1, i - 1))
    return total, (
        Step("pairs of lag l with floor(l/p) + 1 waits between them", more),
        Step("some distance exceeds 1/epsilon: a finite sum over lags with its Min", total),
    )
