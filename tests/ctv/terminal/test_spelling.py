"""Options that people mistype, or call by another word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctv.terminal.spelling import meant

BOUND = (
    "help",
    "times",
    "n",
    "total",
    "epsilon",
    "time-kernel",
    "noise-variance",
    "lengthscale",
    "symbolic",
    "points",
    "delta",
    "kernel",
    "grid",
    "dimension",
)
SIMULATE = ("box", "times", "rounds", "policies", "runs", "seed", "initial", "setting", "out")


@pytest.mark.parametrize(
    ("name", "options", "option"),
    [
        ("--esp", BOUND, "epsilon"),
        ("eps", BOUND, "epsilon"),
        ("epsilom", BOUND, "epsilon"),
        ("noise", BOUND, "noise-variance"),
        ("length-scale", BOUND, "lengthscale"),
        ("length_scale", BOUND, "lengthscale"),
        ("rounds", BOUND, "n"),
        ("data", BOUND, "times"),
        ("dim", BOUND, "dimension"),
        ("confidence", BOUND, "delta"),
        ("horizon", BOUND, "n"),
        ("n_blocks", ("compare", "times"), "compare"),
        ("n", SIMULATE, "rounds"),
        ("policy", SIMULATE, "policies"),
        ("sede", SIMULATE, "seed"),
        ("repeats", SIMULATE, "runs"),
        ("intial", SIMULATE, "initial"),
        ("xyzzy", SIMULATE, None),
        ("", SIMULATE, None),
        ("epsilon", (), None),
    ],
)
def test_what_was_meant(name: str, options: tuple[str, ...], option: str | None) -> None:
    assert meant(name, options) == option


@given(name=st.text(max_size=30), options=st.lists(st.sampled_from(BOUND), max_size=5))
def test_only_what_there_is_is_meant(name: str, options: list[str]) -> None:
    assert meant(name, options) in (None, *options)


@given(option=st.sampled_from([one for one in BOUND if len(one) > 4]), at=st.integers(0, 3))
def test_two_letters_swapped_are_found(option: str, at: int) -> None:
    swapped = option[:at] + option[at + 1] + option[at] + option[at + 2 :]
    assert meant(swapped, BOUND) == option


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("bound", "--esp", "0.1"), "did you mean --epsilon?"),
        (("partition", "--esp", "0.1"), "did you mean --epsilon?"),
        (("simulate", "--n", "40"), "did you mean --rounds?"),
        (("bound", "--rounds", "40"), "did you mean --n?"),
        (("bound", "--xyzzy"), "--help lists the options"),
        (
            ("simulate", "--policy", "best"),
            "random-weight-ucb, irgp-ucb, flat-ucb, predictive, l",
        ),
        (
            ("coverage", "--policy", "best"),
            "random-weight-ucb, irgp-ucb, flat-ucb, predictive, l",
        ),
        (("bound", "--kernel", "matern:7/0"), "kernel = matern:7/0: give a number after matern:"),
        (("bound", "--kernel", "matern:a/2"), "kernel = matern:a/2: give a number after matern:"),
        (("bound", "--time-kernel", "matern:x"), "time-kernel = matern:x: give a number"),
    ],
)
def test_the_line_says_what_was_meant(ctv, words: tuple[str, ...], said: str) -> None:
    assert ctv(*words).is_one_line_about(said)


def test_help_of_simulate_lists_every_policy(ctv) -> None:
    from simulation.policies.registry import names

    shown = " ".join(ctv("simulate", "--help").stdout.replace("│", " ").split())
    assert [name for name in names() if name not in shown.replace("- ", "-")] == []


def test_a_smoothness_may_be_a_fraction_everywhere(ctv) -> None:
    few = ("--n", "4", "--total", "4", "--grid", "3", "--budget", "fast", "--json")
    found = [
        ctv("bound", "--kernel", name, *few).json["gain"] for name in ("matern:7/2", "matern:3.5")
    ]
    assert found[0] == found[1]
    rates = [ctv("rates", "--kernel", name, "--json").json for name in ("matern:7/2", "matern:3.5")]
    assert rates[0]["c"] == rates[1]["c"]
    half, usual = (
        ctv("bound", *few, "--time-kernel", f"{name}lengthscale=9").json["gain"]
        for name in ("matern:1/2,", "exponential:")
    )
    assert half == usual
