"""Regret figures: what the caption says of the runs, which bands are drawn, where axes start."""

from dataclasses import replace

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from ctv.figures.runs import regret
from ctv.figures.runs.regret import RegretPanel, policy_colour
from ctv.gallery.regret import check_drawable, regret_caption
from simulation.policies.readings import Readings
from simulation.study.statistics import Estimate
from simulation.study.study import StudySpec

PROBLEM = Problem(EvaluationTimes.from_durations([3.0]), domain=Grid(2, 1.0, 4))
SPEC = StudySpec(
    PROBLEM, policies=("ctv", "tv"), seeds=5, initial=3, rounds=4, model_kernel=Matern(2.5, 0.2)
)


def test_the_caption_has_words_for_readers() -> None:
    assert regret_caption(SPEC) == (
        "Mean and standard deviation (bands, one where they coincide) of 5 runs; the first 3 "
        "rounds are random. Dotted: lower bound on the expected regret of any policy behind them. "
        "Every policy models $f$ with the Matérn-5/2 kernel and maximises "
        r"$\mu+w\sigma$ with $w=0.8\log(4m)$; below, paired differences after $n=7$ rounds with "
        "95 % intervals."
    )


@pytest.mark.parametrize(
    ("changes", "said", "unsaid"),
    [
        ({"initial": 0}, "of 5 runs. Every policy", "random"),
        ({"initial": 1}, "; the first round is random.", "rounds are"),
        ({"seeds": 1}, "One run; the first 3", "below"),
        ({"policies": ("ctv", "random")}, "Every policy but random models", "Every policy models"),
        (
            {"policies": ("clairvoyant", "random", "tv")},
            "Every policy but clairvoyant and random",
            "Every policy models",
        ),
        ({"model_kernel": None}, "the kernel of the objective", "matern"),
        ({"model_kernel": SquaredExponential(0.2)}, "the squared exponential kernel", "se "),
        ({"model_kernel": Matern(1.7, 0.2)}, "the Matérn-1.7 kernel", "matern"),
        ({"acquisition": "ei"}, "maximises expected improvement", "sigma"),
        ({"exploration": "sqrt-beta"}, r"$w=\sqrt{0.8\log(4m)}$", "sqrt-beta"),
        ({"exploration": "theory"}, r"$w=\sqrt{\beta_m}$", "theory"),
        ({"readings": Readings(c1=0.2, c2=8.0)}, r"$w=0.2\log(8m)$", "0.8"),
    ],
)
def test_the_caption_is_of_these_runs(changes: dict, said: str, unsaid: str) -> None:
    caption = regret_caption(replace(SPEC, **changes))
    assert said in caption
    assert unsaid not in caption


def test_a_curve_has_two_points() -> None:
    for initial, rounds in ((3, 0), (1, 0), (0, 1)):
        with pytest.raises(InvalidInput, match=f"rounds = {rounds}: a curve needs two points"):
            check_drawable(replace(SPEC, initial=initial, rounds=rounds))
    for initial, rounds in ((3, 1), (1, 1), (0, 2)):
        check_drawable(replace(SPEC, initial=initial, rounds=rounds))


def panel(sd: dict[str, float], difference: float = 0.1) -> RegretPanel:
    rounds = np.arange(3, 9)
    mean = {policy: 2.0 / np.sqrt(rounds) for policy in sd}
    return RegretPanel(
        title="",
        rounds=rounds,
        mean=mean,
        sd={policy: np.full(6, value) for policy, value in sd.items()},
        seeds=4,
        reference="ctv-fixed",
        differences={
            p: Estimate(difference, 0.0, difference, difference) for p in sd if p != "ctv-fixed"
        },
    )


def test_bands_that_coincide_are_one() -> None:
    drawn = panel({"gp-ucb": 0.5, "ctv": 0.301, "ctv-simple": 0.299, "ctv-fixed": 0.3})
    axes = regret.draw([drawn], "").axes[0]
    bands = {tuple(np.round(band.get_facecolor()[0][:3], 3)) for band in axes.collections}
    wanted = {policy_colour("ctv-fixed"), policy_colour("gp-ucb")}
    assert len(axes.collections) == 2
    as_hex = {"#" + "".join(f"{round(255 * c):02x}" for c in colour) for colour in bands}
    assert as_hex == wanted
    apart = panel({"gp-ucb": 0.5, "ctv": 0.4, "ctv-simple": 0.2, "ctv-fixed": 0.3})
    assert len(regret.draw([apart], "").axes[0].collections) == 4


@pytest.mark.parametrize("difference", [0.0, 1e-17, -2e-5])
def test_differences_that_are_rounding_are_drawn_as_none(difference: float) -> None:
    """Once ticks at multiples of 1e-17, and their power of ten over the label of the axis."""
    figure = regret.draw([panel({"ctv": 0.2, "ctv-fixed": 0.2}, difference)], "")
    low, high = figure.axes[1].get_xlim()
    assert high - low >= 1e-3
    assert low < min(0.0, difference) <= max(0.0, difference) < high


def test_the_floor_of_a_protocol_is_drawn_and_labelled() -> None:
    drawn = panel({"ctv-fixed": 0.3})
    floor = 1.2 / np.arange(3, 9)
    with_floor = regret.draw([replace(drawn, floor=floor)], "").axes[0]
    dotted = [line for line in with_floor.lines if line.get_linestyle() == ":"]
    assert len(dotted) == 1 and dotted[0].get_ydata() == pytest.approx(floor)
    assert not [
        line for line in regret.draw([drawn], "").axes[0].lines if line.get_linestyle() == ":"
    ]
