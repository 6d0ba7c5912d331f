"""The answer of a problem: how much can be learned, how much regret there is at most and at least.

Whatever road a number came by (a bound on the gain, noise inflation, an envelope, a bound for every
policy), it enters here, and what is shown anywhere is taken from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from bounds.errors import NumericalFailure
from bounds.gain.report import BoundReport, GainAnswer
from bounds.partitions.result import ROUNDING
from bounds.problem import Problem
from bounds.regret.regret_bound import ANY_POLICY, PRIOR, Kind, RegretBound
from bounds.rivals.rival import Rival

ASKED = ("ctv-fixed", "theory")
"""The policy, and its exploration, that is answered for unless another is named."""


def largest_floor(rows: Iterable[RegretBound]) -> RegretBound | None:
    """The largest of some floors that is one of the mean at fixed times; None where none is."""
    usual = (row for row in rows if (row.kind, row.times) == ("mean", "fixed"))
    return max(usual, key=lambda row: row.value, default=None)


def smallest_of_each(rows: Iterable[RegretBound]) -> dict[tuple[str, str, str], RegretBound]:
    """The smallest of some rows for each policy, exploration and kind; the first of equal ones."""
    smallest: dict[tuple[str, str, str], RegretBound] = {}
    for row in rows:
        key = (row.policy, row.exploration, row.kind)
        if key not in smallest or row.value < smallest[key].value:
            smallest[key] = row
    return smallest


@dataclass(frozen=True, eq=False)
class Answer:
    """What is known of the regret of one problem before a run.

    Attributes
    ----------
    problem : Problem
    gain : both sides of γ̃_n
    uppers : every valid upper bound on R_n or E R_n, whatever road it came by
    floors : every lower bound on E R_n or R_n of any policy
    policy, exploration : the policy that is asked about
    delay : results of the last so many rounds are late; then every bound is one for any policy
    """

    problem: Problem
    gain: GainAnswer
    uppers: tuple[RegretBound, ...]
    floors: tuple[RegretBound, ...]
    policy: str = ASKED[0]
    exploration: str = ASKED[1]
    delay: int = 0

    @property
    def regret(self) -> tuple[RegretBound, ...]:
        """For each policy covered × kind the smallest bound, and the smallest certified one."""
        smallest: list[RegretBound] = []
        groups: dict[tuple[str, str, str], list[RegretBound]] = {}
        for row in self.uppers:
            groups.setdefault((row.policy, row.exploration, row.kind), []).append(row)
        for rows in groups.values():
            smallest += _smallest(rows)
        return tuple(smallest)

    @property
    def floor(self) -> RegretBound | None:
        """The largest floor of the mean at fixed times, simulated or not."""
        return largest_floor(self.floors)

    @property
    def certified_floor(self) -> RegretBound | None:
        """The largest certified floor of the mean at fixed times."""
        return largest_floor(row for row in self.floors if row.certified)

    def best(self, kind: Kind = "probability", *, certified: bool = False) -> RegretBound | None:
        """The smallest bound valid for the policy asked about, one for any policy included."""
        rows = [row for row in self._covering(self.uppers, kind) if row.certified or not certified]
        return min(rows, key=lambda row: row.value, default=None)

    @property
    def others(self) -> tuple[RegretBound, ...]:
        """Smaller bounds than the headline's: in the mean, or for other policies; smallest first.

        One for each policy and kind.
        """
        headline = self.best()
        limit = float("inf") if headline is None else headline.value
        covering = {id(row) for row in self._covering(self.uppers, "probability")}
        below = (row for row in self.uppers if row.value < limit and id(row) not in covering)
        return tuple(sorted(smallest_of_each(below).values(), key=lambda row: row.value))

    def _covering(self, rows: Iterable[RegretBound], kind: Kind) -> list[RegretBound]:
        asked = (self.policy, self.exploration)
        return [
            row
            for row in rows
            if row.kind == kind
            and (row.policy == ANY_POLICY or (row.policy, row.exploration) == asked)
        ]

    def to_dict(self) -> dict[str, Any]:
        """The object `answer` of the JSON of `ctv bound`."""
        headline, surely = self.best(), self.best(certified=True)
        return {
            **({"delay": self.delay} if self.delay else {}),
            "headline": {
                "policy": self.policy,
                "exploration": self.exploration,
                "bound": None if headline is None else headline.to_dict(),
                "certified_bound": None if surely is None else surely.to_dict(),
                "smaller": [row.to_dict() for row in self.others],
            },
            "gain": {**asdict(self.gain), "certified": self.gain.certified},
            "regret": [row.to_dict() for row in self.regret],
            "floor": None if self.floor is None else self.floor.to_dict(),
            "floors": [row.to_dict() for row in self.floors],
        }


def answer_of(
    report: BoundReport,
    rows: Sequence[RegretBound] = (),
    rivals: Sequence[Rival] = (),
    *,
    delay: int = 0,
) -> Answer:
    """The answer from the bounds on the gain, those on regret itself, and the published ones.

    Parameters
    ----------
    report : upper bounds on γ̃_n
    rows : bounds on regret that do not pass through the gain, upper and lower
    rivals : published bounds; a gain bound of theirs that applies here bounds the regret too
    delay : results of the last so many rounds are late, so that what covers a policy that knows
        them is left out; a bound for any policy stays one

    Raises NumericalFailure where a floor lies above a ceiling of the same kind: one is wrong.

    Notes
    -----
    All numbers are fixed before the run, so the smallest of several with probability 1 − δ has
    probability 1 − δ: no union over them is needed.
    """
    uppers = [
        _through_gain(report, bound.name, bound.source, report.regret[name], bound.certified)
        for name, bound in report.gains.items()
        if bound.valid and isfinite(bound.value)
    ]
    for rival in rivals:
        if rival.applies and rival.gain is not None and isfinite(rival.gain):
            value = report.regret_from(rival.gain)
            uppers.append(_through_gain(report, rival.name, rival.source, value, certified=False))
    uppers += [row for row in rows if row.direction == "upper" and isfinite(row.value)]
    floors = tuple(row for row in rows if row.direction == "lower" and isfinite(row.value))
    if delay:
        uppers = [row for row in uppers if row.policy == ANY_POLICY]
    _require_order(floors, uppers)
    return Answer(report.problem, report.answer, tuple(uppers), floors, delay=delay)


def _require_order(floors: Sequence[RegretBound], uppers: Sequence[RegretBound]) -> None:
    """Raise NumericalFailure where a floor is above a ceiling that speaks of the same policies.

    A bound with probability 1 − δ may lie below a floor in the mean, so that kinds are compared
    one by one.
    """
    for floor in floors:
        for row in uppers:
            same = (row.kind, row.times) == (floor.kind, floor.times)
            if not same or (floor.policy not in (ANY_POLICY, row.policy)):
                continue
            if floor.value > row.value + ROUNDING * max(abs(row.value), abs(floor.value)):
                simulated = floor.simulated or row.simulated
                chance = "; a simulation may have failed its confidence" if simulated else ""
                raise NumericalFailure(
                    f"the floor {floor.name} ({floor.value:.12g}) is above the ceiling {row.name} "
                    f"of {row.covers} ({row.value:.12g}): one of them is wrong{chance}"
                )


def _through_gain(
    report: BoundReport, name: str, source: str, value: float, certified: bool
) -> RegretBound:
    return RegretBound(
        name,
        value,
        "upper",
        ASKED[0],
        PRIOR,
        "probability",
        1.0 - report.problem.delta,
        "all n",
        f"√(C₁β_n n·γ̂), {source}",
        ASKED[1],
        certified=certified and report.beta_certified,
    )


def _smallest(rows: list[RegretBound]) -> list[RegretBound]:
    best = min(rows, key=lambda row: (row.value, not row.certified))
    surely = min((row for row in rows if row.certified), key=lambda row: row.value, default=None)
    return [best] if surely is None or surely is best else [best, surely]
