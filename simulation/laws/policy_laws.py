"""A policy against drawn problems: each is run and held against everything that must be true."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, Phase, given, reject, settings
from hypothesis import strategies as st

from bounds.errors import NumericalFailure
from simulation.laws.drawn import cases
from simulation.laws.formula_laws import order_statistic
from simulation.laws.knowledge import KNOWLEDGE_LAWS, every_policy_says_what_it_is
from simulation.laws.looked_at import Looked
from simulation.laws.sameness import SAMENESS_LAWS
from simulation.policies.registry import policy_named
from simulation.study.command import command_of
from simulation.study.study import StudySpec


def check_policy_laws(policy: str, *, examples: int = 20) -> Looked:
    """Raise AssertionError, with a `ctv` command line, for a law that does not hold.

    Parameters
    ----------
    policy : a name of `simulation.policies.registry.policies`, which one of your own joins by
        `register(Mine)`
    examples : problems drawn for each law

    Returns what the runs showed: the tightest place of every inequality, the counts of the
    confidence event and of the floors. Some tenths of a second a problem.

    >>> check_policy_laws("random", examples=2).cases >= 2
    True
    """
    policy_named(policy)
    looked = Looked()
    of_policy = cases(policies=(policy,), longest=10, largest=16)
    hold(looked.at, of_policy, examples)
    looked.runs.require()
    every_policy_says_what_it_is()
    for law in (*KNOWLEDGE_LAWS, *SAMENESS_LAWS, order_statistic):
        hold(law, of_policy, max(examples // 4, 2))
    return looked


def hold(
    law: Callable[[StudySpec], None],
    drawn: st.SearchStrategy[StudySpec],
    examples: int,
    *,
    seed: int | None = None,
    shrink: bool = True,
) -> None:
    """Raise AssertionError, shrunk to a small case with its command line, where the law fails.

    Parameters
    ----------
    law : raises AssertionError for a case that breaks it
    drawn : where cases come from
    examples : how many are tried
    seed : of the draws; by default the same in every run of the same law
    shrink : whether a case that fails is made small, which may take minutes

    Problems whose noise is too small for doubles are left out, as `simulate` refuses them.
    """

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=seed is None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
    )
    @given(drawn)
    def holds(case: StudySpec) -> None:
        try:
            law(case)
        except Exception as error:
            if isinstance(error, NumericalFailure) and "noise" in str(error):
                reject()
            # What ends in an error of any other kind breaks the law as well.
            broken = isinstance(error, AssertionError)
            said, command = str(error) if broken else repr(error), command_of(case)
            said = said if command in said else f"{said}\n{command}"
            raise AssertionError(said) from (None if broken else error)

    if seed is not None:
        from hypothesis import seed as seeded

        holds = seeded(seed)(holds)
    holds()
