"""One drawn case, run and held against everything that must be true of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import isfinite

from bounds.gain.bounds import rows_before_run
from bounds.gain.report import BoundReport
from bounds.regret.regret_bound import ANY_POLICY, RegretBound
from simulation.laws.case import Played, play
from simulation.laws.choice_laws import choice_laws
from simulation.laws.confidence_laws import beta_laws, event_holds, is_covered, regret_laws
from simulation.laws.formula_laws import formula_laws
from simulation.laws.inequality import Inequality, Tightest
from simulation.laws.run_laws import gain_laws, gain_reports, order_laws, record_laws, row_laws
from simulation.laws.whole_run import ManyRuns, square_of_regret, standard_normals
from simulation.policies.readings import Readings
from simulation.policies.registry import names
from simulation.study.command import command_of
from simulation.study.study import StudySpec

_WITH_ROWS = 8
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

    def at(self, case: StudySpec) -> None:
        """Run the case; AssertionError, with its command line, where something does not hold.

        Raises NumericalFailure where noise is too small for doubles, as `simulate` does.
        """
        played = play(case)
        self.cases += 1
        command = command_of(case)
        broken = []
        for inequality in self._inequalities(case, played):
            if not inequality.holds:
                broken.append(str(inequality))
            self.tightest.note(inequality, command)
        assert not broken, "\n".join([*broken[:5], command])

    def _inequalities(self, case: StudySpec, played: Played) -> Iterator[Inequality]:
        run, problem = played.run, played.problem
        plain, enclosed, gamma = gain_reports(problem)
        yield from record_laws(run)
        yield from gain_laws(problem, run, plain, enclosed)
        yield from order_laws(plain, enclosed)
        yield from formula_laws(plain, gamma)
        yield from choice_laws(played)
        rows: tuple[RegretBound, ...] = ()
        if played.fixed and case.seed % _WITH_ROWS == 0:
            rows = rows_before_run(plain.problem, plain)
            yield from row_laws(rows)
        if played.sees_observations_alone:
            yield from self._on_the_event(case, played, plain, rows)

    def _on_the_event(
        self, case: StudySpec, played: Played, plain: BoundReport, rows: tuple[RegretBound, ...]
    ) -> Iterator[Inequality]:
        yield from beta_laws(played)
        holds = event_holds(played)
        if holds and is_covered(played):
            yield from regret_laws(played, plain, rows)
        self._count(case, rows)

    def _count(self, case: StudySpec, rows: tuple[RegretBound, ...]) -> None:
        """Take in more runs of the problem, of seeds that no other has."""
        played = self._again(case)
        for name, normals in standard_normals(played):
            self.runs.normal(name, played.run.seed, normals)
        self.runs.event(case.problem.delta, played.run.seed, failed=not event_holds(played))
        square = square_of_regret(played.run.n, played.problem.domain.size)
        mean = [row for row in rows if row.kind == "mean" and not row.simulated]
        for row in mean:
            if row.direction == "lower" and row.policy == ANY_POLICY:
                regret = float(played.run.regrets.sum())
                self.runs.floor(row.name, played.run.seed, row.value, regret, square)
        own = replace(
            case,
            initial=0,
            rounds=case.total_rounds,
            acquisition="ucb",
            exploration="theory",
            model_kernel=None,
            readings=Readings(),
        )
        above = [row for row in mean if row.direction == "upper" and isfinite(row.value)]
        ceilings = [row for row in above if row.exploration in ("", "theory")]
        for policy in sorted({row.policy for row in ceilings} & set(names())):
            played = self._again(replace(own, policies=(policy,)))
            regret = float(played.run.regrets.sum())
            for row in ceilings:
                if row.policy in (policy, ANY_POLICY):
                    name = f"{row.name}, {policy}"
                    self.runs.ceiling(name, played.run.seed, row.value, regret)

    def _again(self, case: StudySpec) -> Played:
        """A run of the case on the next fresh seed."""
        self.fresh += 1
        return play(replace(case, seed=self.fresh))
