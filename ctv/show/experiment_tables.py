"""The paper's experiments in words: regret by study, sentences with verdicts, what decides them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite

from ctv.commands.paper import SENTENCES_FOR_EI, WITHOUT_EXPLORATION
from ctv.figures.regret import POLICY_NAMES
from ctv.show.screen import digits
from simulation.paper.findings import Finding, Outcome
from simulation.paper.stored import StoredExperiment
from simulation.study.statistics import Estimate

Rows = tuple[tuple[str, ...], list[tuple[str, ...]]]

HOW_DECIDED = (
    "by paired intervals over seeds (bootstrap, no shorter than Student's t). Supported: every "
    "comparison that the sentence makes comes out as stated. Contradicted: one comes out the other "
    "way, at a level corrected for their number"
)


def caption(found: StoredExperiment) -> str:
    """What the table of regret of an experiment shows."""
    what = "Model kernel" if found.figure in WITHOUT_EXPLORATION else "Model kernel and exploration"
    return (
        f"{what} {found.variant}: regret per round Rₙ/n ± standard deviation of {found.seeds} runs "
        f"of {found.initial} random and {found.rounds} own rounds."
    )


def introduction(variants: Sequence[StoredExperiment]) -> str:
    """What the table of sentences shows, and how they were judged."""
    lacking = seeds_lacking(finding for one in variants for finding in one.findings)
    without = SENTENCES_FOR_EI if variants[0].figure in WITHOUT_EXPLORATION else ""
    said = (
        "What the paper says of them, in other words, and whether the runs agree, at 95 % "
        f"{HOW_DECIDED}. After each verdict stands the comparison that speaks most against the "
        "sentence, with its interval."
    )
    return " ".join(text for text in (said, lacking, without) if text)


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
            *(f"{verdict(one)}: {decisive(one)}" for one in row),
        )
        for row in zip(*(one.findings for one in judged), strict=True)
    ]
    return ("sentence", "read as", *(one.variant for one in judged)), rows


def too_few(found: Finding) -> bool:
    """Whether its seeds are too few for it ever to be contradicted, and it is not supported."""
    undecided = found.outcome is Outcome.NOT_SUPPORTED
    return undecided and found.seeds < found.fewest_to_contradict


def verdict(found: Finding) -> str:
    """The verdict, with the number of seeds that it would take where they are too few."""
    needed = f" ({found.fewest_to_contradict} seeds needed)" if too_few(found) else ""
    return f"{found.outcome.value}{needed}"


def seeds_lacking(found: Iterable[Finding]) -> str:
    """A sentence on verdicts for which there are too few seeds; empty without one."""
    lacking = [one for one in found if too_few(one)]
    if not lacking:
        return ""
    return (
        f"{lacking[0].seeds} seeds are too few to contradict a sentence of many comparisons, as "
        "its level is corrected for their number; where so, the verdict says how many are needed."
    )


def _spread(found: Estimate | None) -> str:
    if found is None:
        return "–"
    return f"{found.mean:.3f} ± {f'{found.sd:.3f}' if isfinite(found.sd) else '–'}"


def decisive(found: Finding) -> str:
    """The comparison that decides, with its interval at the level at which it does."""
    worst = found.deciding
    wanted = worst.comparison
    left, right = POLICY_NAMES[wanted.left.policy], POLICY_NAMES[wanted.right.policy]
    if wanted.left.study == wanted.right.study:
        compared = f"{left} − {right} in {wanted.left.study}"
    else:
        compared = f"{left} in {wanted.left.study} − {wanted.right.study}"
    if wanted.statistic == "sd":
        compared = f"log sd: {compared}"
    # No spaces in it, so that it is never broken over two lines.
    interval = f"({digits(worst.low, 3)}…{digits(worst.high, 3)})"
    return f"{compared}: {digits(worst.difference, 3)} {interval}"
