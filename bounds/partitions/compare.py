"""A partition of one's own beside the best: by equal blocks or by its cuts."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.partitions.objectives import OBJECTIVES
from bounds.partitions.partition import Partition
from bounds.partitions.result import SearchResult
from bounds.partitions.search import evaluate, search
from bounds.problem import Problem
from bounds.progress import Stage, unstaged

_REMEDY = "use best, equal:L or cuts:0-…-n, e.g. equal:10,cuts:0-60-240,best"


@dataclass(frozen=True, eq=False)
class Comparison:
    """The best partition for one objective, and others beside it.

    best : of the search over all partitions
    rows : (name, result) in the order asked for; `best` is the optimum itself
    """

    best: SearchResult
    rows: tuple[tuple[str, SearchResult], ...]


def compare_partitions(
    problem: Problem,
    gamma: ArrayLike,
    objective: str = "refined",
    compare: str = "best",
    advance: Stage = unstaged,
) -> Comparison:
    """The best partition for `objective`, and the rows that `compare` names.

    Parameters
    ----------
    gamma : (≥ n+1,) non-decreasing upper bounds on γ_0..γ_n
    objective : theorem1, additive or refined
    compare : comma list of best, equal:L (blocks of L rounds) and cuts:0-60-240

    Examples
    --------
    >>> import numpy as np
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0, 1.0, 50.0, 1.0]))
    >>> gamma = np.minimum(np.arange(5.0), 2.5)
    >>> comparison = compare_partitions(problem, gamma, compare="cuts:0-2-4,best")
    >>> comparison.rows[0][1].value >= comparison.best.value
    True
    """
    wanted = named_partitions(compare, problem.n)
    best = search(
        objective, problem, gamma, progress=lambda share: advance(f"search {objective}", share)
    )
    rows = tuple(
        (name, best if blocks is None else evaluate(objective, problem, gamma, blocks))
        for name, blocks in wanted.items()
    )
    return Comparison(best, rows)


def named_partitions(compare: str, n: int) -> dict[str, Partition | None]:
    """The partition of n rounds that each name stands for; None for the optimum."""
    return {name: _named(name, n) for name in (part.strip() for part in compare.split(","))}


def _named(name: str, n: int) -> Partition | None:
    if name == "best":
        return None
    kind, _, rest = name.partition(":")
    numbers = rest.split("-")
    digits = all(part.isascii() and part.isdigit() for part in numbers)
    if kind not in ("equal", "cuts") or not digits:
        raise InvalidInput("compare", name or "''", _REMEDY)
    if any(len(part) > 18 for part in numbers):
        raise InvalidInput("compare", name, "give whole numbers of at most 18 digits")
    cuts = [int(part) for part in numbers]
    if kind == "equal":
        if len(cuts) != 1:
            raise InvalidInput("compare", name, _REMEDY)
        if cuts[0] == 0:
            raise InvalidInput("compare", name, "blocks have at least 1 round, e.g. equal:10")
        return Partition.equal(n, cuts[0])
    try:
        return Partition.of(cuts, n)
    except InvalidInput:
        raise InvalidInput(
            "compare", name, f"cuts rise from 0 to n = {n}, e.g. cuts:0-{n}"
        ) from None


def block_drifts(problem: Problem, result: SearchResult) -> FloatArray:
    """(N,) drift of each block of a search result, in nats; sums to its `drift`."""
    return OBJECTIVES[result.objective].drifts(problem, result.partition)
