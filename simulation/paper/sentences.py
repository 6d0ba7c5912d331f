"""The sentences of the experiments section of Imamura et al. 2020, as comparisons.

They are `simulation/data/sentences.toml`, reworded; `reading` says what exactly is compared.
Regret is R_n/n at the last round, the initial rounds included. `below` means smaller and
`not-below` not smaller, ties included; `not-below`, `apart` and `alike` may have a margin, a share
of the right side's mean.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from itertools import combinations, product
from typing import Any, Literal

Relation = Literal["below", "not-below", "apart", "alike"]

FIGURE_1 = ("se-uniform", "se-biased", "matern-uniform", "matern-biased")


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


def _comparisons(row: dict[str, Any]) -> Iterator[Comparison]:
    """What a table of the file compares, pair by pair."""
    how = {name: row[name] for name in ("statistic", "relation", "margin") if name in row}
    for study in row["studies"]:
        if "right_study" in row:
            pairs = [((study, p), (row["right_study"], p)) for p in row["left"]]
        elif "right" in row:
            every = product(row["left"], row["right"])
            pairs = [((study, a), (study, b)) for a, b in every if a != b]
        else:
            pairs = [((study, a), (study, b)) for a, b in combinations(row["left"], 2)]
        yield from (Comparison(Side(*left), Side(*right), **how) for left, right in pairs)


def _read() -> tuple[Sentence, ...]:
    text = files("simulation").joinpath("data", "sentences.toml").read_text(encoding="utf-8")
    return tuple(
        Sentence(name, row["figure"], row["statement"], row["reading"], tuple(_comparisons(row)))
        for name, row in tomllib.loads(text).items()
    )


SENTENCES = _read()
"""In the order of the section; the figure with EI makes no statement of its own."""
