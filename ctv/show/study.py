"""Tables and sentences of `ctv simulate`, on at most 100 columns."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from rich.console import Console
from rich.table import Table

from ctv.commands.study_run import Simulated
from ctv.show.screen import _console, _say, digits, title
from simulation.study.beside_bounds import DEVIATIONS, POINT_TIMES, BesideBounds, RunBeside
from simulation.study.statistics import Estimate, PairedComparison, Summary, reference_policy

_MOST_LISTED = 10
_ENOUGH_SEEDS = 20


def show_simulated(found: Simulated) -> None:
    """Regret of every policy, how policies compare seed by seed, and where the bounds stand."""
    spec = found.study.spec
    console = _console()
    _say(
        console,
        f"{spec.durations.name}: {spec.initial} random and {spec.rounds} own rounds, "
        f"{spec.seeds} seeds from {spec.seed}, acquisition {spec.acquisition}"
        + (f", exploration {spec.exploration}" if spec.acquisition == "ucb" else ""),
    )
    if found.study.repaired:
        _say(console, f"Damaged files, computed again: {', '.join(found.study.repaired)}.")
    _show_policies(console, found.summary)
    _show_theory(console, found.beside)


def _show_policies(console: Console, summary: Summary) -> None:
    """A row a policy, the best one first."""
    level = f"{100 * summary.level:g} %"
    table = Table("policy")
    for heading in ("Rₙ/n", f"{level} interval", "sd", "own rounds"):
        table.add_column(heading, justify="right")
    ranked = sorted(summary.policies.values(), key=lambda found: found.regret_per_round)
    reference = reference_policy(summary.policies)
    if len(ranked) > 1:
        table.add_column(f"minus {reference}, {level} interval", justify="right")
    for found in ranked:
        row = [
            found.policy,
            digits(found.regret_per_round),
            _interval(found.all_rounds),
            digits(found.sd, 3),
            digits(found.own_rounds.mean),
        ]
        if len(ranked) > 1:
            more = _difference(summary.paired, found.policy, reference)
            row.append("" if more is None else f"{digits(more.mean, 3)} ({_interval(more, 3)})")
        table.add_row(*row)
    console.print(table)
    if not isfinite(ranked[0].ci_low):
        return
    compared = (
        f" The last column is the difference from {reference}, seed by seed, on the same "
        "objective and the same noise."
        if len(ranked) > 1
        else ""
    )
    few = (
        " For normal values it covers as often as it says, for very skewed ones of so few seeds "
        "less often (exponential ones, at 95 %, in some 89 % of cases)."
        if ranked[0].seeds < _ENOUGH_SEEDS
        else ""
    )
    _say(
        console,
        f"Rₙ/n: regret per round.{compared} Each interval is at its level on its own: bootstrap "
        f"over seeds, no shorter than Student's t.{few}",
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
        closest = max(runs, key=regret_share)
        table.add_row(
            policy,
            digits(max(map(gain_share, runs)), 3),
            digits(regret_share(closest), 3),
            digits(max(_share(run.regret, run.regret_bounds[DEVIATIONS]) for run in runs), 3),
            title(_smallest(closest)),
            f"{sum(bool(run.gain_above or run.regret_above) for run in runs)} of {len(runs)}",
            "counts" if covered else "observed",
        )
    _say(console, f"Theory beside practice: {setting}", style="bold")
    console.print(table)
    say_above(console, beside.runs)
    _say(
        console,
        "Largest shares over the runs; regret is that of the policy's own rounds. The first two "
        "are of the smallest bound known before a run of these times, the third of "
        f"{factor}√βₙΣσ, known after it (βₙ = {digits(beside.beta)}). A bound on gain holds for "
        f"every policy. {covered_or_observed(beside)}",
    )


def say_above(console: Console, runs: Sequence[RunBeside]) -> None:
    """Name the runs above a bound, the first few of them."""
    above = [run for run in runs if run.gain_above or run.regret_above]
    for run in above[:_MOST_LISTED]:
        names = ", ".join(
            [f"gain above {_bound_name(name)}" for name in run.gain_above]
            + [f"regret above {_bound_name(name)}" for name in run.regret_above]
        )
        _say(console, f"{run.policy} seed {run.seed}: {names}.")
    if len(above) > _MOST_LISTED:
        _say(console, f"… and {len(above) - _MOST_LISTED} more runs: --json lists all.")


def gain_share(run: RunBeside) -> float:
    """Gain over the smallest bound on it."""
    return run.gain / min(run.gain_bounds.values())


def regret_share(run: RunBeside) -> float:
    """Regret over the smallest bound on it that is known before the run."""
    return _share(run.regret, run.regret_bounds[_smallest(run)])


def _smallest(run: RunBeside) -> str:
    """The name of the smallest bound on regret that follows from one on gain."""
    return min(run.gain_bounds, key=lambda name: run.regret_bounds[name])


def _share(part: float, whole: float) -> float:
    """part/whole; 0 where there is nothing of either."""
    return part / whole if whole else 0.0


def _bound_name(name: str) -> str:
    return "√βₙΣσ" if name == DEVIATIONS else title(name)


def covered_or_observed(beside: BesideBounds) -> str:
    """Which policies the bounds on regret cover, and why the others are observations."""
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
