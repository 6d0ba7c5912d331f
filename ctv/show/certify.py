"""What `ctv certify` and `ctv coverage` print: a table for people, one object for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from ctv.show.screen import _console, _say, at_most, digits, space_setting

if TYPE_CHECKING:
    from ctv.commands.certify import Certified
    from simulation.after_run.certificates import Certificate, CertifiedRun

_MOST_ROWS = 12
_TITLES = {
    "rank": "rank",
    "expected": "expected",
    "probability": "probability",
    "expected-forward": "expected, looking forward",
    "probability-forward": "probability, looking forward",
}


def of_certified(found: Certified) -> dict[str, Any]:
    """`ctv certify --json`."""
    from ctv.show.payload import echo_model, project_version

    rows = [{"run": run.label, **_row(one)} for run in found.runs for one in run.certificates]
    for policy, one in found.policies.items():
        rows.append(
            {
                "run": policy, "name": "simulation", "kind": "probability", "value": one.value,
                "level": one.level, "ratio": _mean_ratio(found, policy, one.value),
                "seconds": one.seconds, "reused_level": one.reused_level,
                "simulations": len(one.regrets), "certified": False,
            }
        )  # fmt: skip
        if one.expectation is not None:
            rows.append(
                {
                    "run": policy, "name": "simulation-expectation", "kind": "mean",
                    "value": one.expectation, "level": 1.0 - one.alpha,
                    "ratio": _mean_ratio(found, policy, one.expectation), "seconds": one.seconds,
                    "simulations": len(one.regrets), "certified": False,
                }
            )  # fmt: skip
    return {
        "certificates": rows,
        "runs": [
            {
                "run": run.label, "rounds": run.rounds, "regret": run.regret,
                "prior_fit": run.fit, "doubtful": run.doubtful,
            }
            for run in found.runs
        ],
        "warnings": found.warnings,
        "problem": {"times": found.problem.times.source, **echo_model(found.problem)},
        "version": project_version(),
        "seed": found.seed,
    }  # fmt: skip


def show(found: Certified) -> None:
    """One table: every certificate of a few runs, or their means over many."""
    console = _console()
    _say(console, f"{space_setting(found.problem)}; {found.problem.time_kernel.name} time kernel")
    _say(console, "Certificates of finished runs: upper bounds on regret", style="bold")
    many = len(found.runs) * len(found.runs[0].certificates) > _MOST_ROWS
    console.print(_means(found) if many else _each(found))
    lines = [f"{found.runs[0].rounds} rounds."]
    names = [one.name for one in found.runs[0].certificates]
    if "rank" in names or "probability" in names:
        lines.append("With a level: the regret of this run is below it with that probability.")
    if "expected" in names:
        lines.append("expected: bounds the mean of this run's regret given its data.")
    if any(name.endswith("forward") for name in names):
        lines.append("Looking forward: each round from the data before it, on average over runs.")
    lines.append("For any times and any policy that sees f through its observations alone.")
    if found.policies:
        lines.append(
            "Simulated: of a run to come of this policy, on average over the simulations; its "
            "expectation with probability 0.95 over them."
        )
    lines.append("All rest on the prior being the true one. Floating point, not certified.")
    _say(console, " ".join(lines))


def _row(one: Certificate) -> dict[str, Any]:
    return {
        "name": one.name, "kind": one.kind, "value": one.value, "level": one.level,
        "ratio": one.ratio, "seconds": one.seconds, "certified": one.certified,
    }  # fmt: skip


def _each(found: Certified) -> Table:
    table = Table("run", "certificate")
    for heading in ("regret at most", "level", "true regret", "ratio"):
        table.add_column(heading, justify="right")
    for run in found.runs:
        for i, one in enumerate(run.certificates):
            table.add_row(
                run.label if i == 0 else "",
                _TITLES[one.name],
                at_most(one.value),
                "mean" if one.level is None else f"{one.level:.3g}",
                _known(run.regret),
                _known(one.ratio),
            )
    _simulated(table, found)
    return table


def _means(found: Certified) -> Table:
    table = Table("runs", "certificate")
    for heading in ("mean bound", "level", "mean regret", "ratio", "held"):
        table.add_column(heading, justify="right")
    for policy in dict.fromkeys(_policy(run) for run in found.runs):
        runs = [run for run in found.runs if _policy(run) == policy]
        for i, one in enumerate(runs[0].certificates):
            values = [run.certificates[i].value for run in runs]
            regrets = [run.regret for run in runs if run.regret is not None]
            mean, truth = sum(values) / len(values), sum(regrets) / max(len(regrets), 1)
            held = sum(v >= r for v, r in zip(values, regrets, strict=False))
            table.add_row(
                f"{policy} ({len(runs)})" if i == 0 else "", _TITLES[one.name], at_most(mean),
                "mean" if one.level is None else f"{one.level:.3g}", digits(truth),
                digits(mean / truth) if truth > 0 else "–", f"{held} of {len(runs)}",
            )  # fmt: skip
    _simulated(table, found)
    return table


def _simulated(table: Table, found: Certified) -> None:
    blank = [""] * (len(table.columns) - 5)
    for policy, one in found.policies.items():
        count = f"{len(one.regrets)} simulated"
        table.add_row(
            policy, count, at_most(one.value), f"{one.level:.3g}",
            _known(_mean_regret(found, policy)), *blank,
        )  # fmt: skip
        if one.expectation is not None:
            table.add_row(
                "", "the same, expectation", at_most(one.expectation), "mean",
                _known(_mean_regret(found, policy)), *blank,
            )  # fmt: skip


def _mean_regret(found: Certified, policy: str) -> float | None:
    regrets = [run.regret for run in found.runs if _policy(run) == policy]
    known = [regret for regret in regrets if regret is not None]
    return sum(known) / len(known) if known else None


def _mean_ratio(found: Certified, policy: str, value: float) -> float | None:
    mean = _mean_regret(found, policy)
    return value / mean if mean else None


def _policy(run: CertifiedRun) -> str:
    return run.label.rpartition("-")[0] or run.label


def _known(value: float | None) -> str:
    return "–" if value is None else digits(value)
