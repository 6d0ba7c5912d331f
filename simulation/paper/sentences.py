"""The sentences of the experiments section of Imamura et al. 2020, as comparisons.

Reworded; `reading` says what exactly is compared. Regret is R_n/n at the last round, the initial
rounds included. `below` means smaller and `not-below` not smaller, ties included; `not-below`,
`apart` and `alike` may have a margin, a share of the right side's mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

Relation = Literal["below", "not-below", "apart", "alike"]

FIGURE_1 = ("se-uniform", "se-biased", "matern-uniform", "matern-biased")
UNIFORM = ("se-uniform", "matern-uniform")
BIASED = ("se-biased", "matern-biased")
PROPOSED = ("ctv", "ctv-simple", "ctv-fixed")
EXISTING = ("gp-ucb", "tv")
MARGIN = 0.05


@dataclass(frozen=True)
class Side:
    """One policy in one study (a name of `simulation.paper.experiments`)."""

    study: str
    policy: str


@dataclass(frozen=True)
class Comparison:
    """`left` stands in `relation` to `right`, by the mean or the standard deviation of R_n/n.

    With d = left − right and m = margin · right's mean: `below` d < 0, `not-below` d ≥ −m, `apart`
    |d| > m, `alike` |d| ≤ m. For standard deviations d is the logarithm of their ratio, m = 0.
    """

    left: Side
    right: Side
    statistic: Literal["mean", "sd"] = "mean"
    relation: Relation = "below"
    margin: float = 0.0


@dataclass(frozen=True)
class Sentence:
    """A statement of the section.

    id : for people and files
    figure : the figure that it is about
    statement : the sentence in other words
    reading : what is compared
    comparisons : all of which it asserts
    """

    id: str
    figure: str
    statement: str
    reading: str
    comparisons: tuple[Comparison, ...]


def below(
    studies: tuple[str, ...],
    left: tuple[str, ...],
    right: tuple[str, ...],
    statistic: Literal["mean", "sd"] = "mean",
) -> tuple[Comparison, ...]:
    """Every policy of `left` below every other of `right`, in every study."""
    return tuple(
        Comparison(Side(study, a), Side(study, b), statistic)
        for study in studies
        for a in left
        for b in right
        if a != b
    )


EVERY = (*EXISTING, *PROPOSED)
NOT_KNOWING = (*EXISTING, "ctv", "ctv-simple")

SENTENCES: tuple[Sentence, ...] = (
    Sentence(
        "proposed-best",
        "figure-1",
        "The proposed methods beat the existing ones.",
        "CTV, CTV-simple and CTV-fixed each have a smaller mean than GP-UCB and TV, everywhere",
        below(FIGURE_1, PROPOSED, EXISTING),
    ),
    Sentence(
        "tv-over-gp-ucb",
        "figure-1",
        "With uniform times TV does better than GP-UCB.",
        "smaller mean, both kernels",
        below(UNIFORM, ("tv",), ("gp-ucb",)),
    ),
    Sentence(
        "tv-steady",
        "figure-1",
        "With uniform times TV varies little from run to run, GP-UCB much.",
        "smaller standard deviation of TV than of GP-UCB, both kernels",
        below(UNIFORM, ("tv",), ("gp-ucb",), "sd"),
    ),
    Sentence(
        "existing-unsteady",
        "figure-1",
        "With biased times both GP-UCB and TV vary much from run to run.",
        "larger standard deviations than CTV, both kernels",
        below(BIASED, ("ctv",), EXISTING, "sd"),
    ),
    Sentence(
        "fixed-best",
        "figure-1",
        "CTV-fixed, which knows the times, is the best of all.",
        "smallest mean of the five in every setting",
        below(FIGURE_1, ("ctv-fixed",), NOT_KNOWING),
    ),
    Sentence(
        "tv-behind-at-3",
        "figure-1",
        "Uniform times of 3 already leave TV behind the proposed methods.",
        "each proposed method has a smaller mean than TV, uniform times, both kernels",
        below(UNIFORM, PROPOSED, ("tv",)),
    ),
    Sentence(
        "ctv-second",
        "figure-1",
        "Among those that do not know the times CTV has the smallest mean.",
        "smaller mean than GP-UCB, TV and CTV-simple in every setting",
        below(FIGURE_1, ("ctv",), ("gp-ucb", "tv", "ctv-simple")),
    ),
    Sentence(
        "ctv-steadier-uniform",
        "figure-1",
        "With uniform times CTV varies less than CTV-simple.",
        "smaller standard deviation, both kernels",
        below(UNIFORM, ("ctv",), ("ctv-simple",), "sd"),
    ),
    Sentence(
        "ctv-steadier-biased",
        "figure-1",
        "With biased times CTV varies much less than CTV-simple, for both kernels.",
        "smaller standard deviation, by any factor (the reading that asks least)",
        below(BIASED, ("ctv",), ("ctv-simple",), "sd"),
    ),
    Sentence(
        "ctv-steadier-than-gp-ucb",
        "figure-1",
        "Biased times, squared exponential: CTV varies much less than GP-UCB.",
        "smaller standard deviation, by any factor",
        below(("se-biased",), ("ctv",), ("gp-ucb",), "sd"),
    ),
    Sentence(
        "ctv-steadier-than-tv",
        "figure-1",
        "Biased times, Matérn-5/2: CTV varies much less than TV.",
        "smaller standard deviation, by any factor",
        below(("matern-biased",), ("ctv",), ("tv",), "sd"),
    ),
    Sentence(
        "ctv-steady",
        "figure-1",
        "CTV is steady in all cases.",
        "smallest standard deviation of those that do not know the times, in every setting",
        below(FIGURE_1, ("ctv",), ("gp-ucb", "tv", "ctv-simple"), "sd"),
    ),
    Sentence(
        "tv-best-at-1",
        "figure-2",
        "At a time of 1, for which TV is made, TV is the best of all.",
        "none of the other four has a smaller mean",
        tuple(
            Comparison(Side("length-1", p), Side("length-1", "tv"), "mean", "not-below")
            for p in ("gp-ucb", *PROPOSED)
        ),
    ),
    Sentence(
        "fixed-unlike-tv-at-1",
        "figure-2",
        "At a time of 1 CTV-fixed performs quite unlike TV.",
        "means that differ by more than 5 %",
        (
            Comparison(
                Side("length-1", "ctv-fixed"), Side("length-1", "tv"), "mean", "apart", MARGIN
            ),
        ),
    ),
    Sentence(
        "noise-harms-at-1",
        "figure-2",
        "Noise in the measured times harms the proposed methods where times are short.",
        "at a time of 1, noise of variance 0.01 on log t raises the mean of each of them",
        tuple(Comparison(Side("length-1", p), Side("length-1-noisy", p)) for p in PROPOSED),
    ),
    Sentence(
        "all-fail-at-10",
        "figure-2",
        "A time of 10 may be so long that every method fails.",
        "no method has a mean more than 5 % below that of random choice",
        tuple(
            Comparison(
                Side("length-10", p), Side("length-10", "random"), "mean", "not-below", MARGIN
            )
            for p in EVERY
        ),
    ),
    Sentence(
        "proposed-best-at-10",
        "figure-2",
        "At a time of 10 the proposed methods beat the existing ones.",
        "each has a smaller mean than GP-UCB and TV",
        below(("length-10",), PROPOSED, EXISTING),
    ),
    Sentence(
        "alike-at-10",
        "figure-2",
        "At a time of 10 the three proposed methods perform almost the same.",
        "means within 5 % of each other",
        tuple(
            Comparison(Side("length-10", a), Side("length-10", b), "mean", "alike", MARGIN)
            for a, b in combinations(PROPOSED, 2)
        ),
    ),
)
"""In the order of the section; the figure with EI makes no statement of its own."""
