"""Tables of `ctv simulate --experiment`, on at most 100 columns."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ctv.commands.paper import SENTENCES_FOR_EI, WITHOUT_EXPLORATION, Experiment
from ctv.figures.regret import POLICY_NAMES
from ctv.show.experiment_tables import HOW_DECIDED, decisive, seeds_lacking, verdict
from ctv.show.screen import _console, _say, digits
from ctv.show.study import covered_or_observed, gain_share, regret_share, say_above
from simulation.paper.findings import Outcome
from simulation.study.statistics import Summary, fewest_seeds

_STYLES = {Outcome.SUPPORTED: "green", Outcome.CONTRADICTED: "red", Outcome.NOT_SUPPORTED: ""}


def show_experiments(found: Sequence[Experiment]) -> None:
    """Regret per round in every study of each experiment, sentences with verdicts, and theory."""
    console = _console()
    for name in dict.fromkeys(one.name for one in found):
        variants = [one for one in found if one.name == name]
        for one in variants:
            _show_studies(console, one)
        if any(one.findings for one in variants):
            _show_sentences(console, variants)
        for one in variants:
            _show_theory(console, one)
    spec = next(iter(found[0].studies.values())).spec
    if spec.seeds == 1:
        _say(console, "With one seed there is no interval, hence no verdict on a sentence.")
    elif spec.seeds < fewest_seeds(0.95):
        _say(console, f"With fewer than {fewest_seeds(0.95)} seeds nothing is decided at 95 %.")


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
        f"{_named(found)}: Rₙ/n ± sd of {first.seeds} runs of {first.initial} random and "
        f"{first.rounds} own rounds",
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
        names = (one.model_kernel, one.exploration)
        table.add_column("verdict" if alone else "\n".join(name for name in names if name))
    if alone:
        table.add_column("by the comparison")
    for row in zip(*(one.findings for one in variants), strict=True):
        cells = [Text(verdict(found), style=_STYLES[found.outcome]) for found in row]
        table.add_row(row[0].sentence.statement, *cells, *([decisive(row[0])] if alone else []))
    console.print(table)
    if variants[0].name in WITHOUT_EXPLORATION:
        _say(console, SENTENCES_FOR_EI)
    level = f"{100 * variants[0].findings[0].level:g} %"
    lacking = seeds_lacking(finding for one in variants for finding in one.findings)
    _say(console, f"Verdicts at {level} {HOW_DECIDED}. {lacking}".rstrip())


def _show_theory(console: Console, found: Experiment) -> None:
    """How near runs come to the smallest bounds: a row a policy, a column a study."""
    table = Table("policy")
    for study in found.beside:
        table.add_column(study, justify="right")
    policies = dict.fromkeys(p for beside in found.beside.values() for p in beside.covered)
    for policy in policies:
        cells = []
        for beside in found.beside.values():
            runs = beside.of(policy)
            shares = (max(map(share, runs), default=None) for share in (gain_share, regret_share))
            cells.append(" ".join("–" if one is None else digits(one, 3) for one in shares))
        table.add_row(POLICY_NAMES[policy], *cells)
    _say(console, f"Theory beside practice, {_named(found)}", style="bold")
    console.print(table)
    every = [run for beside in found.beside.values() for run in beside.runs]
    say_above(console, every)
    above = sum(bool(run.gain_above or run.regret_above) for run in every)
    standing: dict[str, list[str]] = {}
    for study, beside in found.beside.items():
        standing.setdefault(covered_or_observed(beside), []).append(study)
    alone = len(standing) == 1
    said = (text if alone else f"{', '.join(names)}: {text}" for text, names in standing.items())
    _say(
        console,
        "In each cell gain/bound and regret/bound, the largest over the runs, of the smallest "
        "bounds known before a run of these times; regret is that of the policy's own rounds. "
        f"{above} of {len(every)} runs are above a bound. Equal times are the theorem's setting; "
        "t(x), biased, has bounds by Theorem C. "
        f"{' '.join(said)}",
    )


def _named(found: Experiment) -> str:
    exploration = "" if found.exploration is None else f", exploration {found.exploration}"
    return f"{found.name}{exploration}, model kernel {found.model_kernel}"
