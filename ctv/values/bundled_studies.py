"""Studies that come with the project: fitted certificates, and stopping rules in use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ctv.show.plain import project_version
from ctv.show.rounding import digits
from ctv.show.sheet import Row, Sheet, numbers, words
from ctv.show.shown import Screen, Shown
from simulation.after_run.fit_coverage import FitCoverage, bundled_coverage
from simulation.after_run.stopping_rules import Audit, bundled_audit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SAYS = "Shares of simulated logs, with exact 95 % intervals."


@dataclass(frozen=True, eq=False, repr=False)
class FittedCoverage(Shown):
    """How often certificates of logs covered the regret where the prior was fitted to the log."""

    format = "ctv-bounds fitted coverage 1"

    studies: Mapping[str, tuple[FitCoverage, ...]]

    def headline(self) -> str:
        rows = [row for _, row in self._totals() if row.method == "mixture"]
        covered, runs = sum(row.covered for row in rows), sum(row.runs for row in rows)
        return f"the weighted set covered {covered} of {runs} logs ({100 * covered / runs:.0f} %)"

    def parts(self) -> dict[str, Any]:
        rows = [{"study": name, **asdict(row)} for name, own in self.studies.items() for row in own]
        return {"coverage": rows, "problem": {"bundled": "fitted"}, "version": project_version()}

    def screen(self) -> Screen:
        rows = tuple(
            Row((name, row.method, _share(row), f"{row.low:.2f} … {row.high:.2f}",
                 digits(row.width, 3)))
            for name, row in self._totals()
        )  # fmt: skip
        level = next(row.level for _, row in self._totals())
        sheet = Sheet(
            f"Certificates of the regret of a log, nominal {100 * level:g} %",
            (*words("logs", "prior"), *numbers("covered"), *words("95 % interval"),
             *numbers("width")),
            rows,
            _SAYS,
            (
                "mixture: every path has a prior of its own out of the fitted set. plugged in: the "
                "best of them for all. true prior: as if it were known. width: median of the "
                "certificate over that of the true prior (of real fits: of the mixture).",
            ),
        )  # fmt: skip
        return Screen((sheet,))

    def _totals(self) -> list[tuple[str, FitCoverage]]:
        return [(name, row) for name, own in self.studies.items() for row in own
                if row.setting is None]  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class StoppingAudit(Shown):
    """How often what stopping rules in use state of the simple regret is so."""

    format = "ctv-bounds stopping audit 1"

    rows: tuple[Audit, ...]

    def headline(self) -> str:
        worst = min(self.rows, key=lambda row: row.covered / row.runs)
        return (
            f"{worst.rule}, drift {worst.drift}, epsilon = {worst.epsilon:g}: "
            f"{worst.covered} of {worst.runs} logs within what it states"
        )

    def parts(self) -> dict[str, Any]:
        rows = [asdict(row) for row in self.rows]
        return {"stopping": rows, "problem": {"bundled": "stopping"}, "version": project_version()}

    def screen(self) -> Screen:
        found = {(row.rule, row.epsilon, row.drift): row for row in self.rows}
        rows = []
        for rule, epsilon in dict.fromkeys((row.rule, row.epsilon) for row in self.rows):
            known, ignored = (found[rule, epsilon, drift] for drift in ("known", "ignored"))
            rows.append(
                Row(
                    (
                        rule, f"{epsilon:g}", _share(known), digits(known.bound, 2),
                        digits(known.regret, 2), _share(ignored), digits(ignored.bound, 2),
                        digits(ignored.regret, 2),
                    )
                )
            )  # fmt: skip
        one = self.rows[0]
        sheet = Sheet(
            f"Simple regret of the point that a rule returns, nominal {100 * one.level:g} %",
            (*words("rule"), *numbers("ε", "known: held", "states", "true", "ignored: held",
                                      "states", "true")),
            tuple(rows),
            _SAYS,
            (
                f"held: share of {one.runs} logs of 60 rounds in which the true regret is at most "
                "what the rule states; states, true: medians of both. The rule knows kernel and "
                "noise; drift is known to it, or ignored (ε = 0). optuna, makarova: confidence "
                "bounds with the number of parameters, or of points, and a fifth of β; union: all "
                "of β; syne-tune: β = 1 on the best half of the rows, with no level of its own; "
                "wilson, rank: posterior draws.",
            ),
        )  # fmt: skip
        return Screen((sheet,))

    def plot(self) -> Figure:
        """Shares with intervals, and the widths."""
        from ctv.figures import stopping

        return stopping.draw(self.rows)


def _share(row: FitCoverage | Audit) -> str:
    return f"{row.covered} of {row.runs}"


BUNDLED: Mapping[str, Callable[[], Shown]] = {
    "fitted": lambda: FittedCoverage(bundled_coverage()),
    "stopping": lambda: StoppingAudit(bundled_audit()),
}
"""Stored studies by the name that `ctv coverage --bundled` takes."""
