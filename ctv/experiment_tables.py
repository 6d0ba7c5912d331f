"""Tables of the paper's experiments for the report: regret by study, sentences with verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from ctv.figures.regret import POLICY_NAMES
from ctv.study_screen import decisive
from simulation.statistics import Estimate
from simulation.stored import StoredExperiment

Rows = tuple[tuple[str, ...], list[tuple[str, ...]]]


def regret_table(found: StoredExperiment) -> Rows:
    """Heads and rows: R_n/n ± sd, a row a policy, a column a study."""
    policies = dict.fromkeys(policy for of_one in found.regrets.values() for policy in of_one)
    rows = [
        (POLICY_NAMES[policy], *(_spread(of_one.get(policy)) for of_one in found.regrets.values()))
        for policy in policies
    ]
    return ("policy", *found.regrets), rows


def sentence_table(variants: Sequence[StoredExperiment]) -> Rows:
    """Heads and rows: a row a sentence, a column a variant with its verdict and what decides."""
    judged = [one for one in variants if one.findings]
    rows = [
        (
            row[0].sentence.statement,
            f"{row[0].sentence.reading}.",
            *(f"{one.outcome.value}: {decisive(one)}" for one in row),
        )
        for row in zip(*(one.findings for one in judged), strict=True)
    ]
    return ("sentence", "read as", *(one.variant for one in judged)), rows


def _spread(found: Estimate | None) -> str:
    if found is None:
        return "–"
    return f"{found.mean:.3f} ± {f'{found.sd:.3f}' if isfinite(found.sd) else '–'}"
