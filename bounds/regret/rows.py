"""The registered bounds on regret of one problem, in floating point or enclosed."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isfinite

from bounds.enclosure import matrices
from bounds.errors import NoEnclosure
from bounds.problem import Problem
from bounds.progress import Share, unwatched
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.maximum.maximum import LeastMaximum
from bounds.regret.registry import REGRET_BOUNDS
from bounds.regret.regret_bound import Direction, RegretBound

_CLOSE = 1e-6  # a certified value this near takes the place of the other


def regret_rows(given: Ingredients, direction: Direction | None = None) -> tuple[RegretBound, ...]:
    """Every registered bound, or those of one direction, for each policy that it covers.

    A bound one of whose hypotheses fails is left out. Floating point where a bound is not rounded
    outward by itself; `with_certified` encloses.

    >>> from bounds.domain import Grid
    >>> from bounds.times import EvaluationTimes
    >>> times = EvaluationTimes.from_durations([1.0, 1.0])
    >>> given = Ingredients(Problem(times, domain=Grid(1, 1.0, 4)), [(0.01, 3.0)])
    >>> values = {row.name: row.value for row in regret_rows(given)}
    >>> values["rank"] <= values["sandwich_upper"] < values["tail"]
    True
    """
    return tuple(
        row
        for bound in REGRET_BOUNDS.all()
        if direction in (None, bound.direction)
        for row in bound.rows(given)
    )


def floors(
    problem: Problem, *, delay: int = 0, maximum: LeastMaximum | None = None
) -> tuple[RegretBound, ...]:
    """Every registered lower bound at the problem's fixed times.

    Parameters
    ----------
    problem : Problem of n rounds
    delay : results of the last `delay` rounds are late (d + 1 workers)
    maximum : a lower bound on m*, by default the certified one of `least_maximum`; a simulated one
        (`simulation.before_run.maximum`) makes simulated rows

    Raises InvalidInput as `variance_left` does. O(n) for Markov time kernels.

    >>> from bounds.domain import Arms
    >>> from bounds.times import EvaluationTimes
    >>> times = EvaluationTimes.from_durations([1.0] * 3)
    >>> rows = {row.name: row.value for row in floors(Problem(times, domain=Arms(2)))}
    >>> 0 < rows["sandwich"] <= rows["full-information"] <= rows["rank"]
    True
    """
    return regret_rows(Ingredients(problem, least=maximum, delay=delay), "lower")


def certified_rows(given: Ingredients, rows: Iterable[RegretBound]) -> tuple[RegretBound, ...]:
    """The rows that can be enclosed, each rounded outward and with `certified` true."""
    with matrices.working_precision():
        enclosed = [_enclosed(given, row) for row in rows]
    return tuple(row for row in enclosed if row is not None)


def with_certified(
    given: Ingredients,
    rows: Iterable[RegretBound],
    *,
    known: float = inf,
    advance: Share = unwatched,
) -> tuple[RegretBound, ...]:
    """The rows, with a certified one for each policy × kind that none of the others undercuts.

    In each group rows are enclosed from the best on, until a certified value is better than every
    other row. A row that loses nothing by it is replaced; otherwise the certified one stands
    behind it, as m* is enclosed less closely than it is computed.

    Parameters
    ----------
    given : what the rows were computed from, with the evidence of certified gains
    rows : of `regret_rows`
    known : a certified bound, by another method, for the policy and kind of the first row
    advance : called with the share of the rows that are done
    """
    every = list(rows)
    groups: dict[tuple[str, str, str, str], list[RegretBound]] = {}
    for row in every:
        groups.setdefault((row.direction, row.policy, row.exploration, row.kind), []).append(row)
    certified_of: dict[int, RegretBound] = {}
    with matrices.working_precision():
        for place, members in enumerate(groups.values()):
            advance(place / len(groups))
            sign = 1.0 if members[0].direction == "upper" else -1.0
            best = known if place == 0 else inf
            for row in sorted(members, key=lambda row, sign=sign: sign * row.value):  # type: ignore[misc]
                if sign * row.value >= best:
                    continue
                certified = row if row.certified else _enclosed(given, row)
                if certified is not None:
                    certified_of[id(row)] = certified
                    best = min(best, sign * certified.value)
    merged: list[RegretBound] = []
    for row in every:
        certified = certified_of.get(id(row))
        if certified is None or abs(certified.value - row.value) > _CLOSE * abs(row.value):
            merged.append(row)
        if certified is not None:
            merged.append(certified)
    return tuple(merged)


def _enclosed(given: Ingredients, row: RegretBound) -> RegretBound | None:
    """The row enclosed by its bound; None where it has no enclosure."""
    bound = REGRET_BOUNDS.named(row.name)
    if bound is None or row.simulated:
        return None
    try:
        enclosed = bound.enclosed(given, row)
    except NoEnclosure:
        return None
    return enclosed if enclosed.certified and isfinite(enclosed.value) else None
