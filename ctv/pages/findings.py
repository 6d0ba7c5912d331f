"""The findings of the ledger that touch a problem, each with why it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from bounds.kernels import Forgetting
from bounds.problem import Problem
from proofs_check.language.texts import texts_of_claims


@dataclass(frozen=True)
class Touching:
    """A finding of the ledger, and why it concerns the problem."""

    id: str
    label: str
    finding: str
    because: str
    why: str


def _always(problem: Problem) -> bool:
    return True


def _is(family: str) -> Callable[[Problem], bool]:
    return lambda problem: problem.times.source == family


def _capped_between_integers(problem: Problem) -> bool:
    """Whether equal times reach the cap at a lag that is no whole number of rounds."""
    gaps = np.diff(problem.times.times)
    if not len(gaps) or problem.epsilon <= 0 or not np.allclose(gaps, gaps[0], rtol=1e-9):
        return False
    lag = 1.0 / (problem.epsilon * gaps[0]) if gaps[0] > 0 else float("inf")
    return lag < problem.n and abs(lag - round(lag)) > 1e-9


def _steep(problem: Problem) -> bool:
    return isinstance(problem.time_kernel, Forgetting) and problem.epsilon > 0.797


_RULES: tuple[tuple[Callable[[Problem], bool], str, tuple[str, ...]], ...] = (
    (_always, "Theorem 1 is one of the bounds shown.", ("theorem-1", "lemma-13-log-split")),
    (_always, "Runs and bounds use √βₙ.", ("acquisition-weight",)),
    (
        lambda p: bool(np.any(np.diff(p.times.times) == 0)),
        "Some rounds end at the same time.",
        ("uniformity-as-a-set", "lemma-13-set-of-times"),
    ),
    (lambda p: p.epsilon == 0, "Here ε = 0.", ("uniformity-epsilon-zero", "phi-defined")),
    (
        _steep,
        "Here ε is above 0.797.",
        ("assumption-1-II", "theorem-1-forgetting-kernel", "lemma-13-forgetting-line"),
    ),
    (
        lambda p: p.space_kernel.name == "matern12",
        "The kernel is Matérn-1/2.",
        ("assumption-1-I-space", "matern-smoothness"),
    ),
    (
        _capped_between_integers,
        "The times are equal and 1/ε is no whole number of them.",
        ("lemma-1-capped",),
    ),
    (
        _is("uniform"),
        "The rate of equal times says when regret is sublinear.",
        ("theorem-2-I-a-last", "remark-epsilon-range", "remark-sublinear-unlike-uniform"),
    ),
    (_is("biased"), "The times have one long evaluation.", ("theorem-2-II-a", "lemma-16")),
)
# It stands in the ledger of its own paper, docs/ledgers/bogunovic2016, which no wheel carries.
_PRINTED_BY_A_RIVAL = Touching(
    "docs/ledgers/bogunovic2016 tv-gain-printed",
    "Bogunovic et al. 2016, Theorem 4.3, the bound on the joint gain as printed",
    "missing hypothesis",
    "The drift term lacks the noise: at small noise every round gains at least log(1+sε)/2, which "
    "grows with s, while N^3 ε does not.",
    "The printed bound of a rival is listed.",
)


def touching(problem: Problem, *, of_a_study: bool = False) -> Iterator[Touching]:
    """The findings that concern the problem, the paper's sentences on its runs included if asked.

    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0, 0.0]))
    >>> [finding.id for finding in touching(problem)][-2:]
    ['uniformity-as-a-set', 'lemma-13-set-of-times']
    """
    claims = texts_of_claims()

    def cited(name: str, why: str) -> Touching:
        claim = claims[name]
        because = " ".join(claim["because"].split())
        return Touching(name, claim["label"], claim.get("finding", "none"), because, why)

    for holds, why, ids in _RULES:
        for name in ids if holds(problem) else ():
            yield cited(name, why)
    if problem.noise_variance < 0.1 and _is("uniform")(problem):
        yield _PRINTED_BY_A_RIVAL
    for name, claim in claims.items() if of_a_study else ():
        if name.startswith("experiments-") and claim.get("finding", "none") != "none":
            yield cited(name, "It is about the experiments shown.")
