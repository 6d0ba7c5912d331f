"""Tables and sentences of `ctv simulate`, on at most 100 columns."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ctv.experiment import Simulated
from ctv.figures.regret import POLICY_NAMES
from ctv.paper import SENTENCES_FOR_EI, WITHOUT_EXPLORATION, Experiment
from ctv.screen import TITLES, _console, _say, digits
from simulation.beside_bounds import DEVIATIONS, POINT_TIMES, BesideBounds, RunBeside
from simulation.findings import Finding, Outcome, fewest_seeds
from simulation.statistics import Estimate, PairedComparison, Summary

_STYLES = {Outcome.SUPPORTED: "green", Outcome.CONTRADICTED: "red", Outcome.NOT_SUPPORTED: ""}
_MOST_LISTED = 10
_ENOUGH_SEEDS = 20


def show_simulated(found: Simulated) -> None:
    """Regret of every policy, how policies compare seed by seed, and where the bounds stand."""
    spec = found.study.spec
    console = _console()
    _say(
        console,
        f"{spec.durations.name}: {spec.initial} random and {spec.rounds} own rounds, "
        f"{spec.seeds} seeds from {spec.seed}, acquisition {spec.acquisition}, exploration "
        f"{spec.exploration}",
    )
    if found.study.repaired:
        _say(console, f"Damaged files, computed again: {', '.join(found.study.repaired)}.")
    _show_policies(console, found.summary)
    _show_theory(console, found.beside)


def show_experiments(found: Sequence[Experiment]) -> None:
    """Regret per round in every study of each experiment, and its sentences with verdicts."""
    console = _console()
    for name in dict.fromkeys(one.name for one in found):
        variants = [one for one in found if one.name == name]
        for one in variants:
            _show_studies(console, one)
        if any(one.findings for one in variants):
            _show_sentences(console, variants)
    spec = next(iter(found[0].studies.values())).spec
    if spec.seeds == 1:
        _say(console, "With one seed there is no interval, hence no verdict on a sentence.")
    elif spec.seeds < fewest_seeds(0.95):
        _say(console, f"With fewer than {fewest_seeds(0.95)} seeds nothing is decided at 95 %.")


def _show_policies(console: Console, summary: Summary) -> None:
    """A row a policy, the best one first."""
    level = f"{100 * summary.level:g} %"
    table = Table("policy")
    for heading in ("Rₙ/n", f"{level} interval", "sd", "own rounds"):
        table.add_column(heading, justify="right")
    ranked = sorted(summary.policies.values(), key=lambda found: found.regret_per_round)
    best = ranked[0].policy
    if len(ranked) > 1:
        table.add_column(f"above {best}, {level} interval", justify="right")
    for found in ranked:
        row = [
            found.policy,
            digits(found.regret_per_round),
            _interval(found.all_rounds),
            digits(found.sd, 3),
            digits(found.own_rounds.mean),
        ]
        if len(ranked) > 1:
            more = _difference(summary.paired, found.policy, best)
            row.append("" if more is None else f"{digits(more.mean, 3)} ({_interval(more, 3)})")
        table.add_row(*row)
    console.print(table)
    if len(ranked) > 1 and isfinite(ranked[0].ci_low):
        _say(
            console,
            "Rₙ/n: regret per round. The last column compares seed by seed, on the same objective "
            "and the same noise; each interval is at its level on its own.",
        )
        if ranked[0].seeds < _ENOUGH_SEEDS:
            _say(
                console,
                f"The bootstrap intervals of {ranked[0].seeds} seeds are too short: at 95 % they "
                "cover some 75 % with 3 seeds, 86 % with 6, 94 % with 30 (normal data).",
            )


def _difference(paired: tuple[PairedComparison, ...], first: str, second: str) -> Estimate | None:
    """R_n/n of `first` less that of `second`; None for a policy and itself."""
    for pair in paired:
        found = pair.difference
        if (pair.first, pair.second) == (first, second):
            return found
        if (pair.second, pair.first) == (first, second):
            return Estimate(-found.mean, found.sd, -found.ci_high, -found.ci_low)
    return None


def _interval(found: Estimate, significant: int = 4) -> str:
    if not isfinite(found.ci_low):
        return "–"
    return f"{digits(found.ci_low, significant)} … {digits(found.ci_high, significant)}"


def _show_theory(console: Console, beside: BesideBounds) -> None:
    """How near every policy comes to the smallest bounds, and which runs are above one."""
    setting = (
        "t(x), the experiments' setting, by Theorem C"
        if beside.setting == POINT_TIMES
        else "times fixed beforehand, the theorem's setting"
    )
    factor = "3.067" if beside.setting == POINT_TIMES else "2"
    table = Table("policy")
    for heading in ("gain/bound", "regret/bound", f"regret/{factor}√βₙΣσ"):
        table.add_column(heading, justify="right")
    table.add_column("bound by")
    table.add_column("above", justify="right")
    table.add_column("against δ")
    for policy, covered in beside.covered.items():
        runs = beside.of(policy)
        closest = max(runs, key=_regret_share)
        table.add_row(
            policy,
            digits(max(run.gain / min(run.gain_bounds.values()) for run in runs), 3),
            digits(_regret_share(closest), 3),
            digits(max(_share(run.regret, run.regret_bounds[DEVIATIONS]) for run in runs), 3),
            TITLES[_smallest(closest)],
            f"{sum(bool(run.gain_above or run.regret_above) for run in runs)} of {len(runs)}",
            "counts" if covered else "observed",
        )
    _say(console, f"Theory beside practice: {setting}", style="bold")
    console.print(table)
    above = [run for run in beside.runs if run.gain_above or run.regret_above]
    for run in above[:_MOST_LISTED]:
        names = ", ".join(
            [f"gain above {_bound_name(name)}" for name in run.gain_above]
            + [f"regret above {_bound_name(name)}" for name in run.regret_above]
        )
        _say(console, f"{run.policy} seed {run.seed}: {names}.")
    if len(above) > _MOST_LISTED:
        _say(console, f"… and {len(above) - _MOST_LISTED} more runs: --json lists all.")
    _say(
        console,
        "Largest shares over the runs; regret is that of the policy's own rounds. The first two "
        "are of the smallest bound known before a run of these times, the third of "
        f"{factor}√βₙΣσ, known after it (βₙ = {digits(beside.beta)}). A bound on gain holds for "
        f"every policy. {_covered(beside)}",
    )


def _regret_share(run: RunBeside) -> float:
    """Regret over the smallest bound on it that is known before the run."""
    return _share(run.regret, run.regret_bounds[_smallest(run)])


def _smallest(run: RunBeside) -> str:
    """The name of the smallest bound on regret that follows from one on gain."""
    return min(run.gain_bounds, key=lambda name: run.regret_bounds[name])


def _share(part: float, whole: float) -> float:
    """part/whole; 0 where there is nothing of either."""
    return part / whole if whole else 0.0


def _bound_name(name: str) -> str:
    return "√βₙΣσ" if name == DEVIATIONS else TITLES[name]


def _covered(beside: BesideBounds) -> str:
    reasons = {p: reason for p, reason in beside.observation.items() if reason}
    covered = [policy for policy in beside.covered if policy not in reasons]
    said = ""
    if covered:
        shares = [max(beside.share_above(policy).values()) for policy in covered]
        said = (
            f"The bounds on regret cover {', '.join(covered)}: {100 * max(shares):.3g} % of its "
            f"runs are above one, at most δ = {beside.delta:g} expected. "
        )
    if reasons:
        where = "Elsewhere a comparison with one" if covered else "A comparison with one on regret"
        said += f"{where} is an observation: {'; '.join(dict.fromkeys(reasons.values()))}."
    return said.rstrip()


def _show_studies(console: Console, found: Experiment) -> None:
    """Mean and standard deviation of R_n/n, a column a study."""
    table = Table("policy")
    for study in found.summaries:
        table.add_column(study, justify="right")
    policies = dict.fromkeys(p for s in found.summaries.values() for p in s.policies)
    for policy in policies:
        table.add_row(
            POLICY_NAMES[policy],
            *(_spread(summary, policy) for summary in found.summaries.values()),
        )
    first = next(iter(found.studies.values())).spec
    _say(
        console,
        f"{found.name}, exploration {found.exploration}, model kernel {found.model_kernel}: Rₙ/n ± "
        f"sd of {first.seeds} runs of {first.initial} random and {first.rounds} own rounds",
        style="bold",
    )
    console.print(table)


def _spread(summary: Summary, policy: str) -> str:
    found = summary.policies[policy]
    return f"{found.regret_per_round:.3f} ± " + (f"{found.sd:.3f}" if isfinite(found.sd) else "–")


def _show_sentences(console: Console, variants: Sequence[Experiment]) -> None:
    """A row a sentence; a column a variant, or, for one variant, the comparison that decides."""
    table = Table("sentence, in other words")
    alone = len(variants) == 1
    for one in variants:
        table.add_column("verdict" if alone else f"{one.model_kernel}\n{one.exploration}")
    if alone:
        table.add_column("by the comparison")
    for row in zip(*(one.findings for one in variants), strict=True):
        cells = [Text(found.outcome.value, style=_STYLES[found.outcome]) for found in row]
        table.add_row(row[0].sentence.statement, *cells, *([decisive(row[0])] if alone else []))
    console.print(table)
    if variants[0].name in WITHOUT_EXPLORATION:
        _say(console, SENTENCES_FOR_EI)
    level = f"{100 * variants[0].findings[0].level:g} %"
    _say(
        console,
        f"Verdicts at {level} from a bootstrap over seeds. Supported: every comparison that the "
        "sentence makes comes out as stated. Contradicted: one comes out the other way, at a level "
        "corrected for their number.",
    )


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
