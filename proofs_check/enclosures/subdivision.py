"""The enclosure engine: cover a box by smaller boxes on each of which the claim is certain.

On a box every real parameter is a ball that contains its interval, so a comparison that is certain
there holds at every point. A box where a hypothesis certainly fails is left out. Cost: one
evaluation per box; the number of boxes grows like the inverse width needed to the power of the
number of parameters.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from bounds import enclosure
from proofs_check.language import arithmetics, formula
from proofs_check.language.claim import BadClaim, Claim, Evidence, Verdict
from proofs_check.language.parameters import Integer, Real

Box = dict[str, tuple[Fraction, Fraction]]
_BITS = 96
_MOST_INTEGERS = 20_000


@dataclass(frozen=True)
class Cover:
    """The outcome of a subdivision: whether it closed, how many boxes, how many were admitted."""

    closed: bool
    boxes: int
    admitted: int
    open_box: str = ""


def enclose(claim: Claim, most_boxes: int) -> Evidence:
    """Prove the claim on its `box`: PROVED if that is the whole domain, else PROVED_ON_BOX."""
    box, integers, whole = domain_box(claim)
    boxes = admitted = 0
    for values in integer_points(claim, integers):
        found = cover(claim.formula, claim.let, claim.hypotheses, box, values, most_boxes - boxes)
        boxes += found.boxes
        admitted += found.admitted
        if not found.closed:
            sentence = f"undecided after {boxes} boxes, at {found.open_box}"
            return Evidence("enclosure", Verdict.UNDECIDED, sentence, boxes)
    if not admitted:
        sentence = "no point of the box satisfies the hypotheses: vacuous"
        return Evidence("enclosure", Verdict.UNDECIDED, sentence, boxes)
    named = ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in box.items())
    if whole:
        return Evidence("enclosure", Verdict.PROVED, f"{boxes} boxes cover the domain", boxes)
    chosen = claim.box if isinstance(claim.box, dict) else {}
    if set(chosen) <= set(integers):
        sizes = {name: int(chosen[name][1]) for name in chosen}
        sentence = f"{boxes} boxes cover {', '.join(f'{n} <= {k}' for n, k in sizes.items())}"
        return Evidence("enclosure", Verdict.PROVED_UP_TO, sentence, boxes, sizes=sizes)
    return Evidence("enclosure", Verdict.PROVED_ON_BOX, f"{boxes} boxes cover {named}", boxes)


def ground(claim: Claim) -> Evidence:
    """A statement without parameters is decided by its value, at more and more digits."""
    for bits in (64, 512, 4096):
        with enclosure.precision(bits):
            try:
                answer = arithmetics.holds(claim.expanded(claim.formula), arithmetics.rigorous(), {})
            except ArithmeticError:
                continue
        if answer:
            return Evidence("exact", Verdict.PROVED, "both sides evaluated")
        if answer is False:
            return Evidence("exact", Verdict.UNDECIDED, "the sides violate it")
    return Evidence("exact", Verdict.UNDECIDED, "the sides could not be told apart")


def cover(
    text: str,
    let: Sequence[tuple[str, str]],
    hypotheses: Sequence[str],
    box: Box,
    fixed: Mapping[str, Any],
    most_boxes: int,
) -> Cover:
    """Subdivide `box`, breadth first and across the relatively widest side, until all is certain.

    Raises nothing: a formula undefined at a point of the box leaves the cover open.
    """
    queue = deque([box])
    boxes = admitted = 0
    with enclosure.precision(_BITS):
        while queue:
            current = queue.popleft()
            boxes += 1
            inside, holds = _certain(text, let, hypotheses, current, fixed)
            admitted += inside is True
            if inside is False or holds:
                continue
            halves = _halves(current, box)
            if boxes + len(queue) >= most_boxes or not halves:
                return Cover(False, boxes, admitted, _shown(current))
            queue.extend(halves)
    # Nothing was surely inside, yet nothing was surely outside either: count thin domains as met.
    return Cover(True, boxes, admitted or _meets(hypotheses, let, box, fixed))


def domain_box(claim: Claim) -> tuple[Box, dict[str, Integer], bool]:
    """The box of the real parameters, the integer parameters, and whether that is everything."""
    chosen = claim.box if isinstance(claim.box, dict) else {}
    box: Box = {}
    integers: dict[str, Integer] = {}
    whole = True
    for parameter in claim.parameters:
        name = parameter.name
        if isinstance(parameter, Integer):
            integers[name] = parameter
            whole = whole and parameter.high is not None and name not in chosen
        elif isinstance(parameter, Real):
            ends = chosen.get(name, (parameter.low, parameter.high))
            if ends[0] is None or ends[1] is None:
                raise BadClaim(f"{claim.id}: {name} needs a finite box")
            try:
                box[name] = (Fraction(ends[0]), Fraction(ends[1]))
                declared = (parameter.low, parameter.high)
                inside = all(
                    d is not None and Fraction(d) == e
                    for d, e in zip(declared, box[name], strict=True)
                )
            except ValueError:
                raise BadClaim(f"{claim.id}: write the bounds of {name} as numbers") from None
            whole = whole and inside
        else:
            raise BadClaim(f"{claim.id}: {name} cannot be enclosed; fix its entries as reals")
    return box, integers, whole


def integer_points(claim: Claim, integers: Mapping[str, Integer]) -> Iterator[dict[str, int]]:
    """Every combination of the integer parameters, within the claim's box where it names them."""
    chosen = claim.box if isinstance(claim.box, dict) else {}
    points: list[dict[str, int]] = [{}]
    for name, parameter in integers.items():
        longer: list[dict[str, int]] = []
        for point in points:
            low, high = parameter.ends(point)
            if name in chosen:
                low, high = max(low, int(chosen[name][0])), int(chosen[name][1])
            if high is None:
                raise BadClaim(f"{claim.id}: the integer {name} needs a finite box")
            longer.extend({**point, name: value} for value in range(low, high + 1))
        points = longer
        if len(points) > _MOST_INTEGERS:
            raise BadClaim(f"{claim.id}: more than {_MOST_INTEGERS} integer points")
    yield from points


def _certain(
    text: str,
    let: Sequence[tuple[str, str]],
    hypotheses: Sequence[str],
    box: Box,
    fixed: Mapping[str, Any],
) -> tuple[bool | None, bool]:
    """Whether the box is in the domain (False: certainly not), and whether the claim is certain."""
    words = {**arithmetics.rigorous(), "sqrt": _strict_root, "power": _strict_power}
    values = {**fixed, **{name: enclosure.interval(*ends) for name, ends in box.items()}}
    for name, meaning in let:
        try:
            values[name] = formula.evaluate(meaning, words, values)
        except ArithmeticError:
            return None, False
    inside: bool | None = True
    for hypothesis in hypotheses:
        try:
            answer = arithmetics.holds(hypothesis, words, values)
        except ArithmeticError:
            answer = None
        if answer is False:
            return False, True
        inside = inside if answer else None
    try:
        return inside, arithmetics.holds(text, words, values) is True
    except ArithmeticError:
        return inside, False


def _strict_root(value: Any) -> Any:
    """A root only where all of the box has one: a closed cover then says that there is a value."""
    if enclosure.certainly_le(0, value) is not True:
        raise enclosure.Undecided("the root of an enclosure that reaches below zero")
    return enclosure.sqrt(value)


def _strict_power(base: Any, exponent: Any) -> Any:
    """The same of a power whose exponent is not an integer for certain."""
    if not isinstance(exponent, int) and enclosure.certainly_le(0, base) is not True:
        raise enclosure.Undecided("the power of an enclosure that reaches below zero")
    return arithmetics.rigorous()["power"](base, exponent)


def _halves(box: Box, whole: Box) -> list[Box]:
    """The box cut in two across its relatively widest side; nothing where it is a point."""
    widths = {
        name: (high - low) / (whole[name][1] - whole[name][0])
        for name, (low, high) in box.items()
        if high > low
    }
    if not widths:
        return []
    name = max(widths, key=lambda key: widths[key])
    low, high = box[name]
    middle = (low + high) / 2
    return [{**box, name: (low, middle)}, {**box, name: (middle, high)}]


def _meets(
    hypotheses: Sequence[str], let: Sequence[tuple[str, str]], box: Box, fixed: Mapping[str, Any]
) -> int:
    """1 if some corner or the centre of the box satisfies the hypotheses for certain."""
    if not hypotheses:
        return 1
    spots = [sorted({low, (low + high) / 2, high}) for low, high in box.values()]
    for spot in product(*spots):
        point = {name: (at, at) for name, at in zip(box, spot, strict=True)}
        if _certain("0 <= 0", let, hypotheses, point, fixed)[0]:
            return 1
    return 0


def _shown(box: Box) -> str:
    return ", ".join(f"{name} in [{float(a):.4g}, {float(b):.4g}]" for name, (a, b) in box.items())
