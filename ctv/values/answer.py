"""The answer of a problem in words: the first lines of every face."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bounds.regret.policies import policy_in_words
from ctv.show.rounding import at_least, at_most, counted, digits
from ctv.show.shared import road

if TYPE_CHECKING:
    from bounds.gain.bounds import Bounds
    from bounds.regret.regret_bound import RegretBound


def answer_lines(bounds: Bounds) -> Iterator[str]:
    """The first lines of every face: the headline, the floor, what is smaller elsewhere."""
    answer = bounds.answer
    best, surely, floor = answer.best(), answer.best(certified=True), answer.floor
    if answer.delay:
        rounds = counted(answer.delay, "round")
        yield f"Results are {rounds} late: what follows holds for any policy that has them so."
    if best is not None:
        line = f"Regret of {policy_in_words(answer.policy)} (exploration {answer.exploration}) ≤ "
        line += f"{at_most(best.value)} with probability {best.level:g} ({_road(best)}, "
        if best.certified:
            line += "certified)."
        elif surely is None:
            line += "floating point); no certified bound is known."
        else:
            by = "" if road(surely) == road(best) else f" ({road(surely)})"
            line += f"floating point); certified: ≤ {at_most(surely.value)}{by}."
        yield line
    if floor is not None:
        line = f"Every policy has expected regret ≥ {at_least(floor.value)} ({road(floor)}, "
        line += f"{_standing(floor)})"
        known = answer.certified_floor
        if known is not None and known is not floor:
            line += f"; certified: ≥ {at_least(known.value)} ({road(known)})"
        yield f"{line}."
    smaller = answer.others[:3]
    others = [
        f"{row.covers} ≤ {at_most(row.value)} with probability {row.level:g} ({_road(row)})"
        for row in smaller
        if row.kind != "mean"
    ]
    if others:
        yield f"Smaller bounds for other policies: {'; '.join(others)}."
    means = [
        f"{row.covers} ≤ {at_most(row.value)} ({_road(row)})"
        for row in smaller
        if row.kind == "mean"
    ]
    if means:
        yield f"Smaller bounds on expected regret only: {'; '.join(means)}."
    if bounds.vacuous:
        speaks = bounds.speaks
        if speaks.epsilon is None:
            when = f" ({speaks.reason})" if speaks.reason else ""
            yield f"Theorem 1 is vacuous here: it is not below the trivial upper bound{when}."
        else:
            yield (
                "Theorem 1 is vacuous for these times (not below the trivial upper bound); it is "
                f"non-vacuous for ε ≤ {at_least(speaks.epsilon)}."
            )


def assumed_line(half_life: float | None) -> tuple[str, ...]:
    """That a half-life was assumed, and how to fit one; nothing where one was given."""
    if half_life is None:
        return ()
    return (
        "No drift was given, so the default ε is assumed: half of what is known is forgotten after "
        f"{digits(half_life)} units of time. Fit the drift to a log with observed values, "
        "ctv fit FILE, or give --half-life or --epsilon.",
    )


def _standing(row: RegretBound) -> str:
    if row.certified:
        return "certified"
    return "simulated" if row.simulated else "floating point"


def _road(row: RegretBound) -> str:
    return f"{road(row)}{', simulated' if row.simulated else ''}"
