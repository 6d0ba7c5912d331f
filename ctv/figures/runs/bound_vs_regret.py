"""`bound-vs-regret`: simulated regret and information gain under the bounds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray, IntArray
from bounds.confidence.schedules import finite_domain_beta, regret_from_gain
from bounds.regret.policies import policy_in_words
from ctv.figures.canvas import COLOURS, caption, colour_of, frame, label_ends, marks
from ctv.show.shared import road, title
from simulation.study.under_bounds import RegretUnderBounds

_FLOOR, _BEST = COLOURS["floor"], "#000000"

_SAME_LINE = 1e-3
"""Shares by which two bounds may differ that are one line to the eye."""


def draw(seen: RegretUnderBounds, *, wide: bool = True) -> Figure:
    """Cumulative regret and gain of the runs under every valid bound, on log axes.

    Between its marks a bound is drawn as a step to the next one, and nowhere above the trivial cap,
    which is known for every round: regret and gain only grow, so no run is above a line unless it
    is above a bound. A bound that never falls below the cap is named in the foot instead, and one
    that coincides with another shares its line.
    """
    last = seen.reports[-1]
    marked = np.array([report.problem.n for report in seen.reports])
    rounds = np.arange(1, last.problem.n + 1)
    valid = [name for name, bound in last.gains.items() if bound.valid]
    gain_cap = np.asarray(rounds * last.problem.trivial_gain_per_round)
    betas = finite_domain_beta(rounds, last.problem.domain.size, last.problem.delta)
    regret_cap = np.array(
        [
            regret_from_gain(int(m), float(beta), float(cap), last.problem.noise_variance)
            for m, beta, cap in zip(rounds, betas, gain_cap, strict=True)
        ]
    )
    # A bound that only some of the marks have is drawn there alone.
    gains = {
        n: _steps(
            marked, [r.gains[n].value if n in r.gains else np.nan for r in seen.reports], gain_cap
        )
        for n in valid
    }
    regrets = {
        n: _steps(marked, [r.regret.get(n, np.nan) for r in seen.reports], regret_cap)
        for n in valid
    }
    labels, capped = _labelled(gains, gain_cap)
    runs = f"mean of {len(seen.regret)} runs" if len(seen.regret) > 1 else "one run"
    certified = all(b.certified for r in seen.reports for b in r.gains.values() if b.valid)
    with frame(*((7.2, 3.3) if wide else (3.9, 5.8))) as figure:
        left, right = figure.subplots(*((1, 2) if wide else (2, 1)))
        for axes, values, curves in ((left, seen.regret, regrets), (right, seen.gain, gains)):
            mean = values.mean(axis=0)
            axes.plot(rounds, values.T, color="#9a9a9a", linewidth=0.5, alpha=0.7)
            axes.plot(rounds, mean, color=COLOURS["run"], linewidth=1.8)
            ends = [(float(mean[-1]), runs, COLOURS["run"])]
            for name, label in labels.items():
                curve = curves[name]
                axes.plot(
                    rounds,
                    curve,
                    color=colour_of(name),
                    linewidth=1.0,
                    marker="o",
                    markersize=2.8,
                    markerfacecolor=colour_of(name) if certified else "white",
                    markeredgewidth=0.8,
                    markevery=(marked - 1).tolist(),
                    clip_on=False,
                )
                ends.append((float(curve[-1]), label, colour_of(name)))
            axes.set_yscale("log")
            low = mean[mean > 0][:1]
            if axes is left:
                more, low = _both_sides(axes, seen, low)
                ends += more
            axes.set_ylim(bottom=0.5 * float(low.min()) if len(low) else None)
            axes.set_xlim(0, rounds[-1])
            label_ends(axes, ends)
            axes.set_xlabel("round $m$")
        left.set_title("Cumulative regret")
        left.set_ylabel("$R_m$ (units of $f$, whose prior variance is 1)")
        right.set_title("Cumulative information gain")
        right.set_ylabel(r"$\frac{1}{2}\log\det(I+\tilde K_m/\sigma^2)$ (nats)")
        standing = (
            f"a run above a bound counts against δ = {last.problem.delta:g}"
            if seen.counted
            else "an observation, since no bound here covers this policy"
        )
        unseen = f" {', '.join(capped)}: not below the trivial upper bound." if capped else ""
        between = "Between marks a bound is that of the next mark, or the trivial one"
        below = (
            " Dashed: lower bound on the expected regret of any policy."
            if seen.floor is not None
            else ""
        )
        star = " Star: best known bound, any proof technique." if seen.best is not None else ""
        caption(
            figure,
            f"Simulated regret and information gain of {policy_in_words(seen.policy)}, {runs}, "
            f"which chooses from round 1 on, without random rounds, under the bounds: "
            f"{standing}.{unseen} {between}. "
            f"{marks(certified=certified)}.{below}{star}",
        )
    return figure


def _both_sides(
    axes: Axes, seen: RegretUnderBounds, low: FloatArray
) -> tuple[list[tuple[float, str, str]], FloatArray]:
    """Draw the floor and the smallest bound at the last round; their labels, and what is lowest."""
    ends = []
    if seen.floor is not None and np.any(seen.floor > 0):
        rounds = np.arange(1, len(seen.floor) + 1)
        axes.plot(rounds, seen.floor, color=_FLOOR, linewidth=1.4, linestyle="--")
        ends.append((float(seen.floor[-1]), "lower bound, any policy", _FLOOR))
        low = np.append(low, seen.floor[seen.floor > 0][0])
    # One that came through the gain is a line already.
    if seen.best is not None and seen.best.name not in seen.reports[-1].gains:
        last = seen.reports[-1].problem.n
        axes.plot(
            last,
            seen.best.value,
            color=_BEST,
            marker="*",
            markersize=8,
            clip_on=False,
            zorder=5,
            markerfacecolor=_BEST if seen.best.certified else "white",
        )
        ends.append((seen.best.value, f"  best: {road(seen.best)}", _BEST))
    return ends, low


def _labelled(
    gains: Mapping[str, FloatArray], cap: FloatArray
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The curves to draw with their labels, and the names of those that are the cap's line."""
    labels: dict[str, str] = {"trivial": title("trivial")}
    capped = []
    for name in [name for name in gains if name != "trivial"]:
        curve = gains[name]
        alike = [n for n in labels if np.allclose(curve, gains[n], rtol=_SAME_LINE, atol=0.0)]
        if not np.any(curve < (1.0 - _SAME_LINE) * cap):
            capped.append(title(name))
        elif alike:
            labels[alike[0]] += f",\n{title(name)}"
        else:
            labels[name] = title(name)
    return labels, tuple(capped)


def _steps(marked: IntArray, values: ArrayLike, cap: FloatArray) -> FloatArray:
    """(n,) at every round the bound at the next mark, or the cap where that is lower."""
    rounds = np.arange(1, len(cap) + 1)
    return np.asarray(np.minimum(np.asarray(values)[np.searchsorted(marked, rounds)], cap))
