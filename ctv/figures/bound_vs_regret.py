"""`bound-vs-regret`: simulated regret and information gain under the bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bounds.regret import BoundReport
from ctv.figures.canvas import COLOURS, LABELS, foot, frame, label_ends, marks

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RegretUnderBounds:
    """Simulated runs of one policy, and the bounds at some of their rounds.

    Attributes
    ----------
    reports : bounds for the first m rounds, m increasing; the last one is for all
    regret, gain : (runs, n) cumulative regret, and cumulative information gain in nats
    policy : name of the policy, with its exploration
    counted : whether the bounds cover this policy, so that a run above one counts against δ
    """

    reports: Sequence[BoundReport]
    regret: FloatArray
    gain: FloatArray
    policy: str
    counted: bool


def draw(seen: RegretUnderBounds) -> Figure:
    """Cumulative regret and gain of the runs under every valid bound, on log axes.

    A bound that never falls below the trivial cap is named there instead of drawn on top of it.
    """
    last = seen.reports[-1]
    rounds = np.array([report.problem.n for report in seen.reports])
    valid = [name for name, bound in last.gains.items() if bound.valid]
    # A bound that only some of the rounds have is drawn there alone.
    gains = {
        n: np.array([r.gains[n].value if n in r.gains else np.nan for r in seen.reports])
        for n in valid
    }
    regrets = {n: np.array([r.regret.get(n, np.nan) for r in seen.reports]) for n in valid}
    capped = [
        n
        for n in valid
        if n != "trivial" and np.allclose(gains[n], gains["trivial"], equal_nan=False)
    ]
    labels = dict(LABELS)
    if capped:
        labels["trivial"] += ";\nno lower: " + ",\n".join(LABELS[name] for name in capped)
    runs = f"mean of {len(seen.regret)} runs" if len(seen.regret) > 1 else "one run"
    certified = all(b.certified for r in seen.reports for b in r.gains.values() if b.valid)
    with frame(7.2, 3.6) as figure:
        left, right = figure.subplots(1, 2)
        for axes, values, curves in ((left, seen.regret, regrets), (right, seen.gain, gains)):
            steps = np.arange(1, values.shape[1] + 1)
            mean = values.mean(axis=0)
            axes.plot(steps, values.T, color="#9a9a9a", linewidth=0.5, alpha=0.7)
            axes.plot(steps, mean, color=COLOURS["run"], linewidth=1.8)
            ends = [(float(mean[-1]), runs, COLOURS["run"])]
            for name, curve in curves.items():
                if name in capped:
                    continue
                axes.plot(
                    rounds, curve, color=COLOURS[name], marker="o", markersize=2.8,
                    markerfacecolor=COLOURS[name] if certified else "white", markeredgewidth=0.8,
                    clip_on=False,
                )  # fmt: skip
                ends.append((float(curve[-1]), labels[name], COLOURS[name]))
            axes.set_yscale("log")
            axes.set_ylim(bottom=0.5 * float(mean[mean > 0][0]) if np.any(mean > 0) else None)
            axes.set_xlim(0, rounds[-1])
            label_ends(axes, ends)
            axes.set_xlabel("round $m$")
        left.set_title("Cumulative regret")
        left.set_ylabel("$R_m$ (units of $f$, whose prior variance is 1)")
        right.set_title("Cumulative information gain")
        right.set_ylabel(r"$\frac{1}{2}\log\det(I+\tilde K_m/\sigma^2)$ (nats)")
        standing = (
            rf"a run above a bound counts against $\delta={last.problem.delta:g}$"
            if seen.counted
            else "an observation, since no bound here covers this policy"
        )
        foot(figure, f"{seen.policy}: {standing}. {marks(certified=certified)}.")
    return figure
