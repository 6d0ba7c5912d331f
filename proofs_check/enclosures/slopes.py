"""Where two sides touch: a comparison on a box from signs of derivatives, in balls.

Enclosures of two sides that meet at a point never come apart there, however small the box. With f
the side that is to be larger minus the other one, Taylor's formula at a point c of the box is

    f(x) = Σ_{j<k} f⁽ʲ⁾(c) (x − c)ʲ/j! + f⁽ᵏ⁾(ξ) (x − c)ᵏ/k!

so f >= 0 where no term is negative: f(c) and the derivatives at c are numbers that are exact, so
that what is 0 there is seen to be 0, and f⁽ᵏ⁾ is enclosed over the box. Where f is concave in x,
f >= 0 at both ends suffices. With several parameters one is treated after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from bounds import enclosure
from bounds.enclosure import certainly_le
from proofs_check.enclosures.taylor import ORDER, Taylor, taylor, words
from proofs_check.language import arithmetics, formula
from proofs_check.language.claim import Claim

Box = Mapping[str, tuple[Fraction, Fraction]]
_DEEPEST = 8


def settled(claim: Claim, box: Box, holds: Callable[[Box], bool], depth: int = 0) -> bool:
    """Whether the claim's comparison follows on a box from its slopes and the faces of the box.

    `holds` says of a box whether plain enclosures decide the comparison there.
    """
    if holds(box):
        return True
    if depth > _DEEPEST:
        return False
    for name in (name for name, (low, high) in box.items() if low < high):
        slopes = _difference(claim, box, name)
        if slopes is None:
            continue
        low, high = box[name]
        for at in dict.fromkeys((low, high, simplest(low, high))):
            face = {**box, name: (at, at)}
            if _grows(claim, face, name, slopes, at > low, at < high) and settled(
                claim, face, holds, depth + 1
            ):
                return True
        if certainly_le(slopes[2], 0):
            faces = ({**box, name: (end, end)} for end in (low, high))
            if all(settled(claim, face, holds, depth + 1) for face in faces):
                return True
    return False


def _grows(claim: Claim, face: Box, name: str, slopes: Taylor, below: bool, above: bool) -> bool:
    """Whether f is at least what it is on a face, on the sides of it that the box has."""
    at = None
    for order in range(1, ORDER + 1):
        if _never_negative(slopes[order], order, below, above):
            return True
        at = at or _difference(claim, face, name)
        if at is None or not _never_negative(at[order], order, below, above):
            return False
    return False


def _never_negative(derivative: Any, order: int, below: bool, above: bool) -> bool:
    """Whether a derivative times (x − c) to its order is never negative, below and above c."""
    if order % 2 == 0 or not below:
        return certainly_le(0, derivative) is True
    return certainly_le(derivative, 0) is True and (
        not above or certainly_le(0, derivative) is True
    )


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of the smallest denominator in [low, high], of which the one nearest to 0.

    >>> simplest(Fraction(3, 10), Fraction(2, 5)), simplest(Fraction(-1), Fraction(1, 7))
    (Fraction(1, 3), Fraction(0, 1))
    """
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest(-high, -low)
    whole = low.numerator // low.denominator
    if whole == low:
        return Fraction(whole)
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))


def _difference(claim: Claim, box: Box, name: str) -> Taylor | None:
    """The larger side minus the other, with its derivatives by a parameter over the box."""
    relation = formula.relation(claim.formula)
    if relation.operator not in ("<=", ">="):
        return None
    values: dict[str, Any] = {
        other: enclosure.interval(low, high) for other, (low, high) in box.items()
    }
    values[name] = Taylor((values[name], 1))
    vocabulary = words()
    try:
        for defined, meaning in claim.let:
            values[defined] = formula.evaluate(meaning, vocabulary, values)
        left, right = (
            taylor(formula.evaluate(side, vocabulary, values))
            for side in (relation.left, relation.right)
        )
    except (*arithmetics.TROUBLE, TypeError):  # a branch that is not decided has no derivative
        return None
    return right - left if relation.operator == "<=" else left - right
