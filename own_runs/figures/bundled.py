"""`ctv figure stopping`: how often what stopping rules in use state is so, and how wide it is."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from ctv.figures.canvas import caption, frame
from own_runs.certificates.studies import Audit, bundled_audit

_COLOURS = ("#0072b2", "#e69f00", "#d55e00")
_TITLES = {
    "optuna": "Optuna's terminator",
    "syne-tune": "Syne Tune's criterion",
    "makarova": "Makarova et al.",
    "union": "union bound",
    "wilson": "Wilson",
    "rank": "rank certificate",
}


def draw(rows: Sequence[Audit]) -> Figure:
    """Coverage of every rule with its exact interval, drift known and ignored; then the widths."""
    rules = list(dict.fromkeys(row.rule for row in rows))
    epsilons = sorted({row.epsilon for row in rows})
    with frame(7.4, 2.9) as figure:
        panels = figure.subplots(1, 3, sharey=True)
        for axes, drift in zip(panels[:2], ("known", "ignored"), strict=True):
            for row in rows:
                if row.drift != drift:
                    continue
                shift = 0.2 * (epsilons.index(row.epsilon) - 0.5 * (len(epsilons) - 1))
                height = rules.index(row.rule) + shift
                colour = _COLOURS[epsilons.index(row.epsilon) % len(_COLOURS)]
                axes.plot([row.low, row.high], [height] * 2, color=colour, linewidth=1.0)
                axes.plot(row.covered / row.runs, height, "o", color=colour, markersize=3.4)
            axes.axvline(rows[0].level, color="black", linewidth=0.8)
            axes.set_xlim(-0.03, 1.03)
            axes.set_title(f"drift {drift}")
            axes.set_xlabel("share of runs that kept it")
        for i, epsilon in enumerate(epsilons):
            known = [r for r in rows if r.drift == "known" and r.epsilon == epsilon]
            panels[2].plot(
                [row.bound for row in known],
                [rules.index(row.rule) for row in known],
                "o",
                color=_COLOURS[i % len(_COLOURS)],
                markersize=3.4,
                label=f"ε = {epsilon:g}",
            )
        panels[2].set_title("median of what is stated")
        panels[2].set_xlabel("standard deviations of f")
        panels[2].legend(loc="lower right", frameon=False)
        panels[0].set_yticks(range(len(rules)), [_TITLES[rule] for rule in rules])
        panels[0].set_ylim(len(rules) - 0.5, -0.5)
        caption(
            figure,
            f"Share of {rows[0].runs} simulated runs of 60 rounds whose true simple regret was at "
            "most what the rule states, with exact 95 % intervals; line: its nominal level. The "
            "true kernel and noise are known; drift is known, or taken for none.",
        )
    return figure


def stopping() -> Figure:
    """The bundled audit of stopping rules."""
    return draw(bundled_audit())
