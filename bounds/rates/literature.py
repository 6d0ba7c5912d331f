"""Rates that others publish for neighbours of this setting, beside what is derived here.

A published rate and a derived one are comparable where the setting is the same up to a choice of
law, as at no drift. Where a rate is known from the abstract alone, the row says no more than that
does; `docs/related.md` has the references.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PublishedRate:
    """A rate of others.

    Attributes
    ----------
    source : authors and year
    setting : what is asked there
    published : the rate as published, or in words where the abstract names none
    derived : what this project proves for the same question
    comparable : whether both are about one setting
    """

    source: str
    setting: str
    published: str
    derived: str
    comparable: bool


LITERATURE = (
    PublishedRate(
        "Lai 1987",
        "independent arms, no drift, Bayesian regret",
        "log² n",
        "between log n (Theorem I) and log² n (Theorem Q+), κ = −∞",
        True,
    ),
    PublishedRate(
        "Scarlett 2018",
        "smooth kernel on an interval, no drift",
        "between √n and √(n log n)",
        "n^0 (Theorem F) to n^(1/2), up to logarithms (Theorem 1, c = 0), κ = −∞",
        True,
    ),
    PublishedRate(
        "Slivkins and Upfal 2008",
        "independent arms on Brownian paths, cost a round for ever",
        "a function of the rate of change",
        "ε^(1/2) a round for arms with a stationary law (Theorems F and Q+)",
        False,
    ),
    PublishedRate(
        "Chen, Golrezaei and Bouneffouf 2023",
        "independent autoregressive arms",
        "a bound a round for every policy, nearly attained",
        "ε^(1/2) a round for Gaussian arms of order 1 (Theorems F and Q+)",
        False,
    ),
    PublishedRate(
        "Whittle 1988",
        "restless arms, constraints in the mean",
        "prices in place of constraints; no rate",
        "Theorem L: a number for each problem",
        False,
    ),
    PublishedRate(
        "Zhu, Duchi and Van Roy 2026",
        "linear Gaussian bandit, no drift, Thompson sampling",
        "long-run regret and the burn-in of a wide prior add",
        "Π adds first rounds and drift (Theorem Q+); a floor of the start beside Theorem F",
        False,
    ),
    PublishedRate(
        "Takeno and Iwazaki 2026",
        "paths of a static Gaussian process, Thompson sampling",
        "with probability 1 − δ polynomial in 1/δ",
        "means alone (Theorem Q+), with drift",
        False,
    ),
    PublishedRate(
        "Schur, Lago and Fiez 2026",
        "observations that cost, by the action",
        "the gain adjusted by costs in place of the largest",
        "waits cost through Π and Ψ, and nothing is paid for them",
        False,
    ),
)
"""Those whose settings lie nearest."""
