"""The enclosure engine: cover a box by smaller boxes on each of which the claim is certain.

On a box every real parameter is a ball that contains its interval, so a comparison that is certain
there holds at every point. Where the two sides touch, slopes decide (`slopes`). A box where a
hypothesis certainly fails is left out. Cost: one
evaluation per box; the number of boxes grows like the inverse width needed to the power of the
number of parameters.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any

from bounds import enclosure
from proofs_check.enclosures.slopes import settled
from proofs_check.enclosures.taylor import strict
from proofs_check.language import arithmetics, formula
from proofs_check.language.claim import BadClaim, Claim, Evidence, Verdict
from proofs_check.language.parameters import Integer, Real

Box = dict[str, tuple[Fraction, Fraction]]
_BITS = 96
_MOST_INTEGERS = 20_000
_PLAIN, _MOST_MISSED = 40, 300
"""Boxes after which derivatives are asked too, and how many of these they may leave undecided."""


def enclose(claim: Claim, most_boxes: int) -> Evidence:
    """Prove the claim on its `box`: PROVED if that is the whole domain, else PROVED_ON_BOX."""
    corners, whole = _boxes(claim)
    queue, boxes, inhabited, missed = deque(corners), 0, False, 0

    def plainly(box: Mapping[str, tuple[Fraction, Fraction]]) -> bool:
        return _certain(claim, claim.formula, dict(box))[1]

    with enclosure.precision(_BITS):
        while queue:
            box = queue.popleft()
            boxes += 1
            inside, holds = _certain(claim, claim.formula, box)
            inhabited |= inside is True
            if inside is False or holds:
                continue
            if boxes > _PLAIN and missed < _MOST_MISSED:
                if settled(claim, box, plainly):
                    continue
                missed += 1
            halves = _halves(box, corners[0])
            if boxes + len(queue) >= most_boxes or not halves:
                sentence = f"undecided after {boxes} boxes, at {_shown(box)}"
                return Evidence("enclosure", Verdict.UNDECIDED, sentence, boxes)
            queue.extend(halves)
        # Nothing was surely inside, yet nothing was surely outside either: a thin domain.
        if not inhabited and not any(_meets(claim, box) for box in corners):
            sentence = "no point of the box satisfies the hypotheses: vacuous"
            return Evidence("enclosure", Verdict.UNDECIDED, sentence, boxes)
    if whole or not isinstance(claim.box, dict):
        return Evidence("enclosure", Verdict.PROVED, f"{boxes} boxes cover the domain", boxes)
    if all(isinstance(p, Integer) for p in claim.parameters if p.name in claim.box):
        sizes = {name: int(high) for name, (_, high) in claim.box.items()}
        sentence = f"{boxes} boxes cover {', '.join(f'{n} <= {k}' for n, k in sizes.items())}"
        return Evidence("enclosure", Verdict.PROVED_UP_TO, sentence, boxes, sizes=sizes)
    named = ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in claim.box.items())
    return Evidence("enclosure", Verdict.PROVED_ON_BOX, f"{boxes} boxes cover {named}", boxes)


def ground(claim: Claim) -> Evidence:
    """A statement without parameters is decided by its value, at more and more digits."""
    for bits in (64, 512, 4096):
        with enclosure.precision(bits):
            if _certain(claim, claim.formula, {}) == (True, True):
                return Evidence("exact", Verdict.PROVED, "both sides evaluated")
    return Evidence("exact", Verdict.UNDECIDED, "the sides violate it, or cannot be told apart")


def _boxes(claim: Claim) -> tuple[list[Box], bool]:
    """The box, one for each value of the integers, and whether it is the whole domain."""
    chosen = claim.box if isinstance(claim.box, dict) else {}
    boxes, whole = list[Box]([{}]), True
    for parameter in claim.parameters:
        name, longer = parameter.name, list[Box]()
        if not isinstance(parameter, Real | Integer):
            raise BadClaim(f"{claim.id}: {name} cannot be enclosed; fix its entries as reals")
        for box in boxes:
            known = {other: low for other, (low, high) in box.items() if low == high}
            declared = tuple(parameter.ends(known))
            low, high = map(Fraction, chosen[name]) if name in chosen else declared
            _require_part(claim, name, (low, high), declared)
            if low is None or high is None:
                raise BadClaim(f"{claim.id}: {name} needs a finite box")
            whole &= (low, high) == declared
            if isinstance(parameter, Real):
                longer += [{**box, name: (Fraction(low), Fraction(high))}] if low <= high else []
            else:
                values = map(Fraction, range(ceil(low), floor(high) + 1))
                longer += [{**box, name: (k, k)} for k in values]
        if len(longer) > _MOST_INTEGERS:
            raise BadClaim(f"{claim.id}: {name} has too many values")
        boxes = longer
    return boxes, whole


def _require_part(claim: Claim, name: str, box: tuple[Any, ...], declared: tuple[Any, ...]) -> None:
    """A box is a part of the domain: what holds beside it is no part of the claim."""
    below = declared[0] is not None and box[0] is not None and box[0] < declared[0]
    if below or (declared[1] is not None and box[1] is not None and box[1] > declared[1]):
        raise BadClaim(f"{claim.id}: the box of {name} reaches beyond its domain")


def _certain(claim: Claim, text: str, box: Box) -> tuple[bool | None, bool]:
    """Whether the box is in the domain (False: certainly not), and whether a text is certain."""
    words = strict()
    values = {name: _number(*ends) for name, ends in box.items()}
    inside: bool | None = True
    try:
        for name, meaning in claim.let:
            values[name] = formula.evaluate(meaning, words, values)
    except arithmetics.TROUBLE:
        return None, False
    for hypothesis in claim.hypotheses:
        try:
            answer = arithmetics.holds(hypothesis, words, values)
        except arithmetics.TROUBLE:
            answer = None
        if answer is False:
            return False, True
        inside = inside if answer else None
    try:
        return inside, arithmetics.holds(text, words, values) is True
    except arithmetics.TROUBLE:
        return inside, False


def _number(low: Fraction, high: Fraction) -> Any:
    return int(low) if low == high == int(low) else enclosure.interval(low, high)


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


def _meets(claim: Claim, box: Box) -> bool:
    """Whether some corner or the centre of the box satisfies the hypotheses for certain."""
    spots = product(*(sorted({low, (low + high) / 2, high}) for low, high in box.values()))
    points = ({name: (at, at) for name, at in zip(box, spot, strict=True)} for spot in spots)
    return any(_certain(claim, "0 <= 0", point)[0] for point in points)


def _shown(box: Box) -> str:
    return ", ".join(f"{name} in [{float(a):.4g}, {float(b):.4g}]" for name, (a, b) in box.items())
