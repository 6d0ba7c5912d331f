"""Tables and sentences of `ctv simulate`, on at most 100 columns."""

from __future__ import annotations

from math import isfinite

from rich.console import Console
from rich.table import Table

from ctv.experiment import Experiment
from ctv.screen import _console, _say, digits
from simulation.statistics import Estimate, PairedComparison, Summary


def show_experiment(experiment: Experiment) -> None:
    """Regret of every policy, how policies compare seed by seed, and where the bounds stand."""
    spec, summary = experiment.study.spec, experiment.summary
    console = _console()
    _say(
        console,
        f"{spec.durations.name}: {spec.initial} random and {spec.rounds} own rounds, "
        f"{spec.seeds} seeds from {spec.seed}, acquisition {spec.acquisition}, exploration "
        f"{spec.exploration}",
    )
    _show_policies(console, summary)
    _show_bounds(console, experiment)


def _show_policies(console: Console, summary: Summary) -> None:
    """A row a policy, the best one first."""
    level = f"{100 * summary.level:g} %"
    table = Table("policy")
    for heading in ("regret per round", f"{level} interval", "sd", "own rounds"):
        table.add_column(heading, justify="right")
    ranked = sorted(summary.policies.values(), key=lambda found: found.regret_per_round)
    best = ranked[0].policy
    if len(ranked) > 1:
        table.add_column(f"more than {best}", justify="right")
        table.add_column(f"{level} interval", justify="right")
    for found in ranked:
        row = [
            found.policy,
            digits(found.regret_per_round),
            _interval(found.all_rounds),
            digits(found.sd),
            digits(found.own_rounds.mean),
        ]
        if len(ranked) > 1:
            more = _difference(summary.paired, found.policy, best)
            row += ["", ""] if more is None else [digits(more.mean, 3), _interval(more, 3)]
        table.add_row(*row)
    console.print(table)
    if len(ranked) > 1:
        _say(
            console,
            f"The last two columns compare seed by seed: same objective, same noise. An interval "
            f"without 0 decides at {level}, each row on its own.",
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


def _show_bounds(console: Console, experiment: Experiment) -> None:
    table = Table("policy", "gain ≤ bound", "regret ≤ bound")
    for name in experiment.summary.policies:
        counts = "" if experiment.counted[name] else " (observed)"
        table.add_row(
            name,
            _yes(experiment.gain_within_bound[name]),
            _yes(experiment.regret_within_bound[name]) + counts,
        )
    console.print(table)
    if not all(experiment.counted.values()):
        _say(
            console,
            "Observed: the bound on regret covers ctv-fixed with exploration theory, ucb, the "
            "true kernel and fixed times; elsewhere the comparison says nothing about δ.",
        )


def _yes(truth: bool) -> str:
    return "yes" if truth else "NO"
