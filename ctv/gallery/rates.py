"""What the figures `rates` and `rivals` need: computed here by the packages, drawn there."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from matplotlib.figure import Figure

from bounds.arrays import FloatArray
from bounds.problem import Problem
from bounds.progress import Stage
from bounds.rates.exponents import RegimeTable, regimes
from bounds.rates.gain_rates import SpaceGainRate, gain_rate
from bounds.rates.lattice import C
from bounds.rates.phase import PAPER_EXPERIMENT, phase_diagram
from bounds.rates.printed import epsilon_ladder, printed_uniform
from bounds.rates.tables import expression
from bounds.rivals.curves import rival_curves
from bounds.static_gain.upper_curve import space_gain_upper
from ctv.figures import rates, rivals
from ctv.figures.canvas import COLOURS
from ctv.show.shown import space_setting

CELLS = 60
MOST_ROUNDS = 10_000
_EPSILONS = (1e-9, 0.9)
_SLOPES = 25  # over some third of a decade, so that whole numbers of blocks do not show
_KAPPAS = [Fraction(k, 40) for k in range(-140, 61)]
_LADDER = {
    "r-gp-ucb": "bogunovic2016-reset",
    "tv-gp-ucb": "bogunovic2016-corrected",
    "theorem1": "imamura2020",
    "mandl-kekkonen": "mandl-kekkonen2026",
    "refined": "refined",
}


def rates_figure(problem: Problem, seeds: range, exploration: str, advance: Stage) -> Figure:
    """Phase diagram over (n, ε) at the mean spacing of the problem's times, and exponents."""
    advance("static gain", 0.0)
    gamma = _gains(problem)
    n = np.unique(np.geomspace(10, MOST_ROUNDS, CELLS).round().astype(np.int64))
    spacing = problem.times.total_time / problem.n
    diagram = phase_diagram(
        gamma,
        problem.noise_variance,
        n,
        epsilons=np.geomspace(*_EPSILONS, CELLS),
        spacing=spacing,
        progress=lambda share: advance("phase diagram", share),
    )
    # At equal drift between rounds every bound with slope θ is the same.
    points = [
        rates.Point(mark.label, mark.n, -np.expm1(np.log1p(-mark.epsilon) * mark.spacing / spacing))
        for mark in PAPER_EXPERIMENT
        if spacing > 0
    ]
    rate = _rate(problem)
    return rates.draw(
        rates.RatesPicture(
            diagram=diagram,
            spacing=spacing,
            points=points,
            kappa=np.array([float(k) for k in _KAPPAS]),
            lines=_lines(rate.c),
            gain=f"c = {rate.c}",
            setting=space_setting(problem),
        )
    )


def rivals_figure(problem: Problem, seeds: range, exploration: str, advance: Stage) -> Figure:
    """Every published bound over ε at unit steps, for many rounds."""
    advance("static gain", 0.0)
    gamma = _gains(problem)
    advance("bounds over ε", 0.0)
    values, slopes = (
        rival_curves(
            MOST_ROUNDS,
            np.geomspace(1e-9, 0.5, count),
            gamma,
            problem.noise_variance,
            domain_size=problem.domain.size,
            delta=problem.delta,
        )
        for count in (2 * CELLS, _SLOPES)
    )
    c = expression(_rate(problem).c)
    rungs = {rung.name: rung.exponent.subs(C, c) for rung in epsilon_ladder()}
    return rivals.draw(
        rivals.RivalsPicture(
            curves=values,
            slopes=slopes,
            rates={name: rungs[rung] for rung, name in _LADDER.items()},
            n=MOST_ROUNDS,
            setting=space_setting(problem),
        )
    )


def _gains(problem: Problem) -> FloatArray:
    """γ_0..γ_n for the longest horizon of the figures."""
    return space_gain_upper(
        problem.space_kernel, problem.domain, problem.noise_variance, MOST_ROUNDS
    ).values


def _rate(problem: Problem) -> SpaceGainRate:
    return gain_rate(problem.space_kernel.smoothness, problem.domain.dimension, "paper")


def _lines(c: Fraction) -> list[rates.Line]:
    """Derived exponents from the weakest bound to the strongest, and the printed ones."""

    def at(table: RegimeTable) -> FloatArray:
        return np.array([float(table.exponent(k)) for k in _KAPPAS])

    derived = {
        "r-gp-ucb": ("R-GP-UCB", "#882255"),
        "tv-gp-ucb": ("TV-GP-UCB", "#b87d00"),
        "theorem1": ("Theorem 1, derived", COLOURS["theorem1"]),
        "mandl-kekkonen": ("Mandl and Kekkonen", "#117733"),
        "refined": ("refined (Theorem A)", COLOURS["refined"]),
    }
    lines = [rates.Line("trivial upper bound", COLOURS["trivial"], np.ones(len(_KAPPAS)))]
    for bound, (label, colour) in derived.items():
        # Equal to Theorem A at c = 0.
        dotted = bound == "mandl-kekkonen"
        lines.append(rates.Line(label, colour, at(regimes(bound, c)), dotted=dotted))
    lines.append(rates.Line("Theorem 2, printed", "#000000", at(printed_uniform(c)), dashed=True))
    return lines
