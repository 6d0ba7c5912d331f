"""Studies that come with the project: fitted certificates, and stopping rules in use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ctv.show.plain import project_version
from ctv.show.rounding import digits
from ctv.show.sheet import Row, Sheet, numbers, words
from ctv.show.shown import Screen, Shown
from own_runs.certificates.studies import (
    QUANTITIES,
    STOP_BELOW,
    Audit,
    FitCoverage,
    bundled_audit,
    bundled_coverage,
    covered_of,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SAYS = "The shares are of simulated logs, and their 95 % intervals are exact."
_OF = {
    "cumulative": "the regret of a log",
    "simple": "the simple regret of the recommended row",
    "stopped": (
        f"that simple regret where --stop-below {STOP_BELOW:g} (in deviations of y) says stop"
    ),
}


@dataclass(frozen=True, eq=False, repr=False)
class FittedCoverage(Shown):
    """How often certificates of logs covered the regret where the prior was fitted to the log."""

    format = "ctv-bounds fitted coverage 1"

    studies: Mapping[str, tuple[FitCoverage, ...]]

    def headline(self) -> str:
        return (
            f"With priors drawn from the fitted set, certificates covered the regret of "
            f"{_told('cumulative')} and the simple regret of {_told('simple')}."
        )

    def parts(self) -> dict[str, Any]:
        rows = [{"study": name, **asdict(row)} for name, own in self.studies.items() for row in own]
        return {"coverage": rows, "problem": {"bundled": "fitted"}, "version": project_version()}

    def screen(self) -> Screen:
        sheets = [self._sheet(quantity) for quantity in QUANTITIES]
        below = [
            f"{name} ({_share(row)}, {100 * row.covered / row.runs:.0f} %)"
            for name, row in self._totals("simple")
            if row.method == "mixture" and row.high < row.level
        ]
        said = (
            "The simple regret under a fitted prior is covered less often than its level says, the "
            f"whole interval below it: {'; '.join(below)}. --stop-below rests on these "
            "certificates."
        )
        return Screen((*sheets, *([said] if below else [])))

    def _sheet(self, quantity: str) -> Sheet:
        rows = tuple(
            Row(
                (
                    name,
                    row.method,
                    _share(row),
                    f"{row.low:.2f} … {row.high:.2f}",
                    "–" if row.width is None else digits(row.width, 3),
                )
            )
            for name, row in self._totals(quantity)
        )
        level = next(row.level for _, row in self._totals(quantity))
        notes = (
            "mixture: every posterior path draws a prior of its own from the fitted set. plugged "
            "in: the best prior of that set serves all paths. true prior: the prior is known. "
            "width: the median certificate, divided by that of the true prior (in real fits: of "
            "the mixture).",
        )
        return Sheet(
            f"Certificates of {_OF[quantity]}, nominal {100 * level:g} %",
            (
                *words("logs", "prior"),
                *numbers("covered"),
                *words("95 % interval"),
                *numbers("width"),
            ),
            rows,
            _SAYS,
            notes if quantity == QUANTITIES[0] else (),
        )

    def _totals(self, quantity: str) -> list[tuple[str, FitCoverage]]:
        return [
            (name, row)
            for name, own in self.studies.items()
            for row in own
            if row.setting is None and row.quantity == quantity
        ]


@dataclass(frozen=True, eq=False, repr=False)
class StoppingAudit(Shown):
    """How often what stopping rules in use state of the simple regret is so."""

    format = "ctv-bounds stopping audit 1"

    rows: tuple[Audit, ...]

    def headline(self) -> str:
        worst = min(self.rows, key=lambda row: row.covered / row.runs)
        return (
            f"What the rule {worst.rule} states of the simple regret held in {worst.covered} of "
            f"{worst.runs} logs at epsilon = {worst.epsilon:g}, with drift {worst.drift}."
        )

    def parts(self) -> dict[str, Any]:
        rows = [asdict(row) for row in self.rows]
        return {"stopping": rows, "problem": {"bundled": "stopping"}, "version": project_version()}

    def screen(self) -> Screen:
        audits = {(row.rule, row.epsilon, row.drift): row for row in self.rows}
        rows = []
        for rule, epsilon in dict.fromkeys((row.rule, row.epsilon) for row in self.rows):
            known, ignored = (audits[rule, epsilon, drift] for drift in ("known", "ignored"))
            rows.append(
                Row(
                    (
                        rule,
                        f"{epsilon:g}",
                        _share(known),
                        digits(known.bound, 2),
                        digits(known.regret, 2),
                        _share(ignored),
                        digits(ignored.bound, 2),
                        digits(ignored.regret, 2),
                    )
                )
            )
        first = self.rows[0]
        sheet = Sheet(
            f"Simple regret of the point that a rule returns, nominal {100 * first.level:g} %",
            (
                *words("rule"),
                *numbers("ε", "known: held", "states", "true", "ignored: held", "states", "true"),
            ),
            tuple(rows),
            _SAYS,
            (
                f"held: in how many of {first.runs} logs of 60 rounds the true simple regret is at "
                "most what the rule states. states, true: the medians of both. Every rule knows "
                "the kernel and the noise; the drift is known to it, or ignored (ε = 0). optuna "
                "and makarova use confidence bounds with the number of parameters, or of points, "
                "and a fifth of β; union uses all of β; syne-tune uses β = 1 on the best half of "
                "the rows, and has no level of its own; wilson and rank use posterior draws.",
            ),
        )
        return Screen((sheet,))

    def plot(self) -> Figure:
        """Shares with intervals, and the widths."""
        from own_runs.figures.bundled import draw

        return draw(self.rows)


def _told(quantity: str) -> str:
    covered, runs = covered_of(quantity, "mixture")
    return f"{covered} of {runs} logs ({100 * covered / runs:.0f} %)"


def _share(row: FitCoverage | Audit) -> str:
    return f"{row.covered} of {row.runs}"


def fitted() -> FittedCoverage:
    """The bundled study of certificates whose prior was fitted."""
    return FittedCoverage(bundled_coverage())


def stopping() -> StoppingAudit:
    """The bundled audit of stopping rules."""
    return StoppingAudit(bundled_audit())
