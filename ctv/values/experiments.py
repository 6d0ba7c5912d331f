"""The paper's experiments: regret by study, sentences with verdicts, what decides them, theory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from bounds.regret.regret_bound import RegretBound
from ctv.show.plain import echo_model
from ctv.show.rounding import at_least, counted, digits
from ctv.show.sheet import Row, Sheet, numbers, prose, words
from ctv.show.shown import Block, Screen, Shown
from ctv.values.study import (
    compared,
    covered_or_observed,
    gain_share,
    random_rounds,
    regret_share,
    runs_above,
    statistics,
)
from simulation.paper.findings import Compared, Finding, Outcome
from simulation.paper.stored import StoredExperiment
from simulation.study.statistics import Estimate, Summary, fewest_seeds

if TYPE_CHECKING:
    from simulation.study.comparison import StudyComparison
    from simulation.study.study import Study, StudySpec

WITHOUT_EXPLORATION = ("figure-ei",)
"""Experiments in which the exploration weight plays no part: they are run once."""

SENTENCES_FOR_EI = (
    "The paper makes no statement of its own about the figure with expected improvement: these are "
    "the sentences on Figure 1, asked of these runs."
)
HOW_DECIDED = (
    "by paired intervals over seeds (bootstrap, no shorter than Student's t). Supported: every "
    "comparison that the sentence makes comes out as stated. Contradicted: one comes out the other "
    "way, at a level corrected for their number"
)
_OBSERVED = "Observed in simulations."


@dataclass(frozen=True, eq=False)
class Experiment:
    """One experiment of the paper with one exploration weight and one model kernel.

    Attributes
    ----------
    name : `figure-1`, `figure-2` or `figure-ei`
    exploration, model_kernel : as the command line names them; None where no weight plays a part
    studies, summaries : by the names of `simulation.paper.experiments`
    comparisons : by the same names, every run against the bounds at its times
    findings : the sentences about it, with verdicts; none with one seed
    """

    name: str
    exploration: str | None
    model_kernel: str
    studies: Mapping[str, Study]
    summaries: Mapping[str, Summary]
    comparisons: Mapping[str, StudyComparison]
    findings: tuple[Finding, ...]

    @property
    def label(self) -> str:
        """The experiment with its weight and kernel, in words."""
        exploration = "" if self.exploration is None else f", exploration {self.exploration}"
        return f"{self.name}{exploration}, model kernel {self.model_kernel}"


@dataclass(frozen=True, eq=False, repr=False)
class Experiments(Shown):
    """The paper's experiments as they were run, each with its sentences and verdicts.

    Attributes
    ----------
    experiments : one for each weight and kernel
    origin : `problem`, `version`, `seed`, `out` and what was resumed, for the JSON
    """

    format = "ctv-bounds experiments 1"

    experiments: tuple[Experiment, ...]
    origin: Mapping[str, Any]

    def headline(self) -> str:
        return ", ".join(one.label for one in self.experiments)

    def parts(self) -> dict[str, Any]:
        return {
            "experiments": [
                {
                    "experiment": one.name,
                    "exploration": one.exploration,
                    "model_kernel": one.model_kernel,
                    "studies": {
                        name: {
                            **statistics(summary, one.studies[name].spec),
                            **compared(one.comparisons[name]),
                            "problem": {
                                **echo_model(one.studies[name].spec.problem),
                                "times": one.studies[name].spec.durations.name,
                                "acquisition": one.studies[name].spec.acquisition,
                            },
                        }
                        for name, summary in one.summaries.items()
                    },
                    "sentences": [_finding(finding) for finding in one.findings],
                }
                for one in self.experiments
            ],
            **self.origin,
        }

    def screen(self) -> Screen:
        """Regret per round in every study, then sentences with verdicts, and theory."""
        first: list[Block] = []
        rest: list[Block] = []
        for one in self.experiments:
            (rest if first else first).append(_regret_sheet(one))
        for name in dict.fromkeys(one.name for one in self.experiments):
            variants = [one for one in self.experiments if one.name == name]
            if any(one.findings for one in variants):
                rest.append(_verdicts(variants))
        for one in self.experiments:
            rest += _theory(one)
        seeds = next(iter(self.experiments[0].studies.values())).spec.seeds
        few = []
        if seeds == 1:
            few = ["With one seed there is no interval, hence no verdict on a sentence."]
        elif seeds < fewest_seeds(0.95):
            few = [
                f"Nothing can be decided at 95 % with {seeds} seeds: give --runs "
                f"{fewest_seeds(0.95)} or more."
            ]
        counted = [_counted(one) for one in self.experiments if one.findings]
        return Screen((*few, *counted, *first), tuple(rest))


def _counted(experiment: Experiment) -> str:
    outcomes = [one.outcome for one in experiment.findings]
    counts = ", ".join(
        f"{outcomes.count(outcome)} {outcome.value}" for outcome in dict.fromkeys(outcomes)
    )
    return f"{experiment.label}: of {len(outcomes)} sentences of the paper {counts}."


def _regret_sheet(experiment: Experiment) -> Sheet:
    """Mean and standard deviation of R_n/n, a column a study."""
    policies = dict.fromkeys(p for s in experiment.summaries.values() for p in s.policies)
    spec = next(iter(experiment.studies.values())).spec
    rows = tuple(
        Row(
            (
                policy,
                *(
                    _spread(one.policies[policy].all_rounds)
                    for one in experiment.summaries.values()
                ),
            )
        )
        for policy in policies
    )
    return Sheet(
        f"{experiment.label}: Rₙ/n ± sd of {counted(spec.seeds, 'run')} of {spec.initial} "
        f"random and {counted(spec.rounds, 'own round')}",
        (*words("policy"), *numbers(*experiment.summaries)),
        rows,
        _OBSERVED,
        (
            *(
                f"{name}: {said}"
                for name, study in experiment.studies.items()
                if (said := random_rounds(experiment.summaries[name], study.spec))
            ),
            protocol_note(
                {name: one.protocol for name, one in experiment.comparisons.items()}, spec
            ),
        ),
    )


def protocol_note(
    floors: Mapping[str, RegretBound | None], study: StudySpec | StoredExperiment
) -> str:
    """What every policy loses at least behind these random rounds, a round; empty without any."""
    n = study.initial + study.rounds
    known = {name: floor for name, floor in floors.items() if floor is not None}
    if not known:
        return ""
    said = ", ".join(f"{name} {at_least(floor.value / n)}" for name, floor in known.items())
    sure = all(floor.certified for floor in known.values())
    return (
        f"Behind these random rounds no policy has an expected Rₙ/n below {said} "
        f"({'certified' if sure else 'floating point'}; for t(x) by the random rounds alone)."
    )


def _mean_and_sd(mean: float, sd: float) -> str:
    return f"{mean:.3f} ± {f'{sd:.3f}' if isfinite(sd) else '–'}"


def _verdicts(variants: Sequence[Experiment]) -> Sheet:
    """A row a sentence; a column a variant, or, for one variant, the comparison that decides."""
    alone = len(variants) == 1
    columns = [prose("sentence, in other words")]
    for variant in variants:
        names = (variant.model_kernel, variant.exploration)
        columns.append(prose("verdict" if alone else " ".join(name for name in names if name)))
    if alone:
        columns.append(prose("by the comparison"))
    rows = []
    for row in zip(*(variant.findings for variant in variants), strict=True):
        cells = (row[0].sentence.statement, *map(verdict, row))
        contradicted = any(finding.outcome is Outcome.CONTRADICTED for finding in row)
        rows.append(Row((*cells, *([decisive(row[0])] if alone else [])), contradicted))
    level = f"{100 * variants[0].findings[0].level:g} %"
    lacking = seeds_lacking(finding for variant in variants for finding in variant.findings)
    for_ei = SENTENCES_FOR_EI if variants[0].name in WITHOUT_EXPLORATION else ""
    return Sheet(
        f"{variants[0].name}: sentences of the paper",
        tuple(columns),
        tuple(rows),
        _OBSERVED,
        (for_ei, f"Verdicts at {level} {HOW_DECIDED}. {lacking}".rstrip()),
    )


def _theory(experiment: Experiment) -> Iterable[Block]:
    """How near runs come to the smallest bounds: a row a policy, a column a study."""
    policies = dict.fromkeys(p for one in experiment.comparisons.values() for p in one.covered)
    rows = []
    for policy in policies:
        cells = []
        for comparison in experiment.comparisons.values():
            runs = comparison.of(policy)
            shares = (max(map(share, runs), default=None) for share in (gain_share, regret_share))
            cells.append(" ".join("–" if one is None else digits(one, 3) for one in shares))
        rows.append(Row((policy, *cells)))
    every = [run for one in experiment.comparisons.values() for run in one.runs]
    above = sum(bool(run.gain_above or run.regret_above) for run in every)
    standing: dict[str, list[str]] = {}
    for study, comparison in experiment.comparisons.items():
        standing.setdefault(covered_or_observed(comparison), []).append(study)
    alone = len(standing) == 1
    said = (text if alone else f"{', '.join(names)}: {text}" for text, names in standing.items())
    yield Sheet(
        f"Theory beside practice, {experiment.label}",
        (*words("policy"), *numbers(*experiment.comparisons)),
        tuple(rows),
        "Shares of bounds in floating point, not certified.",
        (
            "In each cell gain/bound and regret/bound, the largest over the runs, of the smallest "
            "bounds known before a run of these times; regret is that of the policy's own rounds. "
            f"{above} of {len(every)} runs are above a bound. Equal times are the theorem's "
            f"setting; t(x), biased, has bounds by Theorem C. {' '.join(said)}",
        ),
    )
    yield from runs_above(every)


def stored_regret(experiment: StoredExperiment) -> Sheet:
    """R_n/n ± sd of an experiment that was read, a row a policy, a column a study."""
    what = (
        "Model kernel"
        if experiment.figure in WITHOUT_EXPLORATION
        else "Model kernel and exploration"
    )
    policies = dict.fromkeys(policy for of_one in experiment.regrets.values() for policy in of_one)
    rows = tuple(
        Row((policy, *(_spread(of.get(policy)) for of in experiment.regrets.values())))
        for policy in policies
    )
    return Sheet(
        f"{what} {experiment.variant}: regret per round Rₙ/n ± standard deviation of "
        f"{counted(experiment.seeds, 'run')} of {experiment.initial} random and "
        f"{experiment.rounds} own rounds",
        (*words("policy"), *numbers(*experiment.regrets)),
        rows,
        _OBSERVED,
        (protocol_note(experiment.floors, experiment),),
    )


def stored_sentences(variants: Sequence[StoredExperiment]) -> Sheet:
    """A row a sentence, a column a variant with its verdict and what decides."""
    judged = [one for one in variants if one.findings]
    rows = tuple(
        Row(
            (
                row[0].sentence.statement,
                f"{row[0].sentence.reading}.",
                *(f"{verdict(one)}: {decisive(one)}" for one in row),
            )
        )
        for row in zip(*(one.findings for one in judged), strict=True)
    )
    lacking = seeds_lacking(finding for one in variants for finding in one.findings)
    return Sheet(
        "What the paper says of them, in other words, and whether the runs agree",
        tuple(prose(title) for title in ("sentence", "read as", *(o.variant for o in judged))),
        rows,
        _OBSERVED,
        (
            f"At 95 % {HOW_DECIDED}. After each verdict stands the comparison that contradicts the "
            "sentence most, with its interval.",
            lacking,
            SENTENCES_FOR_EI if variants[0].figure in WITHOUT_EXPLORATION else "",
        ),
    )


def too_few(finding: Finding) -> bool:
    """Whether its seeds are too few for it ever to be contradicted, and it is not supported."""
    undecided = finding.outcome is Outcome.NOT_SUPPORTED
    return undecided and finding.seeds < finding.fewest_to_contradict


def verdict(finding: Finding) -> str:
    """The verdict, with the number of seeds that it would take where they are too few."""
    needed = f" ({finding.fewest_to_contradict} seeds needed)" if too_few(finding) else ""
    return f"{finding.outcome.value}{needed}"


def seeds_lacking(findings: Iterable[Finding]) -> str:
    """A sentence on verdicts for which there are too few seeds; empty without one."""
    lacking = [one for one in findings if too_few(one)]
    if not lacking:
        return ""
    return (
        f"{lacking[0].seeds} seeds are too few to contradict a sentence of many comparisons, as "
        "its level is corrected for their number; where so, the verdict says how many are needed."
    )


def _spread(estimate: Estimate | None) -> str:
    return "–" if estimate is None else _mean_and_sd(estimate.mean, estimate.sd)


def decisive(finding: Finding) -> str:
    """The comparison that decides, with its interval at the level at which it does."""
    worst = finding.deciding
    wanted = worst.comparison
    left, right = wanted.left.policy, wanted.right.policy
    if wanted.left.study == wanted.right.study:
        compared = f"{left} − {right} in {wanted.left.study}"
    else:
        compared = f"{left} in {wanted.left.study} − {wanted.right.study}"
    if wanted.statistic == "sd":
        compared = f"log sd: {compared}"
    # No spaces in it, so that it is never broken over two lines.
    interval = f"({digits(worst.low, 3)}…{digits(worst.high, 3)})"
    return f"{compared}: {digits(worst.difference, 3)} {interval}"


def _finding(finding: Finding) -> dict[str, Any]:
    pairs = zip(finding.compared, finding.corrected, strict=True)
    return {
        "id": finding.sentence.id,
        "statement": finding.sentence.statement,
        "reading": finding.sentence.reading,
        "verdict": finding.outcome.value,
        "level": finding.level,
        "seeds": finding.seeds,
        "fewest_to_contradict": finding.fewest_to_contradict,
        "comparisons": [_comparison(one, stricter) for one, stricter in pairs],
    }


def _comparison(compared: Compared, corrected: Compared) -> dict[str, Any]:
    """A comparison at the level of the verdict, and at the level by which it may contradict."""
    wanted = compared.comparison
    return {
        "left": [wanted.left.study, wanted.left.policy],
        "relation": wanted.relation,
        "right": [wanted.right.study, wanted.right.policy],
        "statistic": wanted.statistic,
        "left_value": compared.left,
        "right_value": compared.right,
        "difference": compared.difference,
        "margin": compared.margin,
        "telling_seeds": compared.telling,
        "ci_low": compared.low,
        "ci_high": compared.high,
        "verdict": compared.outcome.value,
        "corrected": {
            "level": corrected.level,
            "ci_low": corrected.low,
            "ci_high": corrected.high,
            "verdict": corrected.outcome.value,
        },
    }
