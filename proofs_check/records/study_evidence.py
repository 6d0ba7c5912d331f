"""The engine for sentences about experiments: what runs say at 95 %, with both weights.

With the budget `fast` the runs are the stored ones, of which one of every study and weight, chosen
by the seed, is simulated again: if it comes out otherwise, nothing may be concluded. With `deep`
all runs are simulated again and those are judged.

A sample of runs neither proves nor refutes. SUPPORTED: every comparison of the sentence comes out
as stated, with the exploration weight of the paper's text. UNDECIDED: not so; `contradicted` where
one comes out the other way at a level corrected for their number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from bounds.errors import InvalidInput
from proofs_check.language.claim import BadClaim, Claim, Evidence, Verdict
from simulation.paper.sentences import SENTENCES, Side

if TYPE_CHECKING:
    # The simulator is slow to import, and few claims need it.
    from simulation.paper.experiment_results import ExperimentResults, Regrets
    from simulation.paper.findings import Finding

LEVEL = 0.95
OF_THE_TEXT = "beta"
"""The exploration weight by which a verdict is reached; what the other says stands beside it."""

_FILE = "simulation/data/experiments.json"
_ROUNDING = 1e-6
"""Relative; with other BLAS kernels R_n/n was seen to change by 1e-9."""


@dataclass(frozen=True, eq=False)
class Sample:
    """What sentences are judged on.

    Attributes
    ----------
    regrets : exploration weight ↦ one policy in one study ↦ R_n/n per seed
    source : where they come from, one sentence
    fault : why nothing may be concluded from them, empty if something may
    """

    regrets: Regrets
    source: str
    fault: str = ""


def sample_for(
    names: Sequence[str],
    budget: str,
    seed: int,
    workers: int = 1,
    progress: Callable[[str, float], None] | None = None,
    path: Path | None = None,
) -> Sample | None:
    """The runs that the named sentences need; None without any.

    `path` is a file of `simulation.paper.experiment_results`, by default the bundled one.
    """
    if not names:
        return None
    from simulation.paper import experiment_results as results

    compared = [c for sentence in SENTENCES if sentence.id in names for c in sentence.comparisons]
    studies = list(dict.fromkeys(side.study for c in compared for side in (c.left, c.right)))
    try:
        stored = results.read(path or results.bundled())
    except InvalidInput as error:
        return Sample({}, "", str(error))
    if budget == "deep":
        sample = results.run_all(
            studies,
            workers=workers,
            progress=lambda done, total, what: progress(what, done / total) if progress else None,
        )
        return Sample(sample, _beside_stored(sample, stored))
    source = f"runs of {_FILE} (version {stored.version}, digest {stored.digest[:12]})"
    for weight in results.WEIGHTS:
        for name, spec in results.specs(weight).items():
            if name not in studies:
                continue
            if stored.identities.get(weight, {}).get(name) != results.identity_of(spec):
                fault = f"the stored study {name} with {weight} is another one: {results.REMEDY}"
                return Sample({}, source, fault)
            fault = _one_again(stored, weight, name, seed)
            if fault:
                return Sample({}, source, fault)
    again = len(results.WEIGHTS) * len(studies)
    return Sample(stored.regrets, f"stored {source}; {again} simulated again came out as stored")


def judge_claim(claim: Claim, sample: Sample | None) -> Evidence:
    """What the runs say of the claim's sentence; ERROR where they cannot be relied on."""
    from simulation.paper.findings import Outcome, judge

    if sample is None or sample.fault:
        fault = "no runs were given" if sample is None else sample.fault
        return Evidence("runs", Verdict.ERROR, fault)
    sentence = next((s for s in SENTENCES if s.id == claim.sentence), None)
    if sentence is None:
        raise BadClaim(f"no sentence has the id {claim.sentence}")
    findings = {weight: judge(sentence, sides, LEVEL) for weight, sides in sample.regrets.items()}
    first = findings[OF_THE_TEXT]
    said = "; ".join(f"with {weight} {_said(finding)}" for weight, finding in findings.items())
    side = sentence.comparisons[0].left
    runs = len(sample.regrets[OF_THE_TEXT][side])
    return Evidence(
        "runs",
        Verdict.SUPPORTED if first.outcome is Outcome.SUPPORTED else Verdict.UNDECIDED,
        f"{said}. {runs} seeds: {sample.source}",
        cases=runs,
        contradicted=first.outcome is Outcome.CONTRADICTED,
    )


def _said(finding: Finding) -> str:
    """The outcome, by the comparison that decides: its sides, their difference and its interval.

    A difference of standard deviations is that of their logarithms.
    """
    one = finding.deciding
    wanted = one.comparison
    mean = wanted.statistic == "mean"
    name, what = ("mean", "difference") if mean else ("standard deviation", "log ratio")
    left, right = (f"{side.policy} in {side.study}" for side in (wanted.left, wanted.right))
    return (
        f"{finding.outcome.value} at {100 * finding.level:g} %, "
        f"{name} {one.left:.4g} of {left} against {one.right:.4g} of {right}, {what} "
        f"{one.difference:.3g} ({one.low:.3g} to {one.high:.3g} at {100 * one.level:.4g} %)"
    )


def _one_again(stored: ExperimentResults, weight: str, study: str, seed: int) -> str:
    """Simulate one stored run again; what is wrong, empty if it came out the same."""
    from simulation.paper import experiment_results as results

    spec = results.specs(weight)[study]
    draw = crc32(f"{weight} {study} {seed}".encode())
    policy = spec.policies[draw % len(spec.policies)]
    place = draw // len(spec.policies) % len(stored.seeds)
    held = float(stored.regrets[weight][Side(study, policy)][place])
    regret = results.run_one(spec, policy, stored.seeds[place])
    if abs(regret - held) <= _ROUNDING * abs(held):
        return ""
    return (
        f"a stored run cannot be reproduced: R_n/n of {policy} in {study} with {weight}, seed "
        f"{stored.seeds[place]}, is stored as {held!r} and came out as {regret!r}; use the budget "
        f"deep, or {results.REMEDY}"
    )


def _beside_stored(regrets: Regrets, stored: ExperimentResults) -> str:
    """Where simulated runs come from, and whether they are those stored."""
    pairs = [
        (values, stored.regrets[weight][side])
        for weight, of_one in regrets.items()
        for side, values in of_one.items()
    ]
    runs = sum(len(values) for values, _ in pairs)
    other = sum(int(np.sum(abs(a - b) > _ROUNDING * abs(b))) for a, b in pairs)
    same = "all as stored" if not other else f"{other} of them differ from those stored"
    return f"{runs} runs simulated here, {same}"
