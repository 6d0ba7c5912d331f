"""One drawn case, run and held against everything that must be true of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from bounds.promises.report import BoundReport
from bounds.regret_itself.regret_bound import RegretBound
from simulation.laws.case import Case, Played
from simulation.laws.choice_laws import choice_laws
from simulation.laws.confidence_laws import beta_laws, event_holds, is_covered, regret_laws
from simulation.laws.inequality import Inequality, Tightest
from simulation.laws.run_laws import (
    gain_laws,
    gain_reports,
    order_laws,
    record_laws,
    row_laws,
    rows_of,
)
from simulation.laws.whole_run import ManyRuns, square_of_regret

_WITH_ROWS = 4
"""One seed in so many has the bounds on regret itself computed too: they take the most time."""


@dataclass
class Looked:
    """What a series of cases has shown.

    Attributes
    ----------
    tightest : of every inequality
    runs : for the statements about many runs
    cases : how many
    fresh : seed of the next run that counts for statements about many runs: hypothesis repeats the
        seeds that it draws, and these are to be independent
    """

    tightest: Tightest = field(default_factory=Tightest)
    runs: ManyRuns = field(default_factory=ManyRuns)
    cases: int = 0
    fresh: int = 2**33

    def at(self, case: Case) -> None:
        """Run the case; AssertionError, with its command line, where something does not hold.

        Raises NumericalFailure where noise is too small for doubles, as `simulate` does.
        """
        played = case.play()
        self.cases += 1
        command = case.command()
        broken = []
        for one in self._found(case, played):
            if not one.holds:
                broken.append(str(one))
            self.tightest.note(one, command)
        assert not broken, "\n".join([*broken[:5], command])

    def _found(self, case: Case, played: Played) -> Iterator[Inequality]:
        run, problem = played.run, played.problem
        plain, enclosed = gain_reports(problem)
        yield from record_laws(run)
        yield from gain_laws(problem, run, plain, enclosed)
        yield from order_laws(plain, enclosed)
        yield from choice_laws(played)
        rows: tuple[RegretBound, ...] = ()
        if played.fixed and case.seed % _WITH_ROWS == 0:
            rows = rows_of(plain)
            yield from row_laws(rows, run)
        if played.sees_observations_alone:
            yield from self._on_the_event(case, played, plain, rows)

    def _on_the_event(
        self, case: Case, played: Played, plain: BoundReport, rows: tuple[RegretBound, ...]
    ) -> Iterator[Inequality]:
        yield from beta_laws(played)
        holds = event_holds(played)
        if holds and is_covered(played):
            yield from regret_laws(played, plain, rows)
        self._count(replace(case, seed=self.fresh), rows)

    def _count(self, case: Case, rows: tuple[RegretBound, ...]) -> None:
        """Take in one more run of the problem, of a seed that no other has."""
        self.fresh += 1
        played = case.play()
        self.runs.event(case.delta, case.seed, failed=not event_holds(played))
        square = square_of_regret(played.run.n, played.problem.domain.size)
        for row in rows:
            if row.direction == "lower" and row.policy == "any" and not row.simulated:
                regret = float(played.run.regrets.sum())
                self.runs.floor(row.name, case.seed, row.value, regret, square)
