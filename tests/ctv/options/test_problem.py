"""Options: how groups are laid out, how numbers are read, and which ones contradict each other."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.errors import InvalidInput
from bounds.times import FAMILIES
from ctv.options.problem import (
    _SHAPES,
    ModelOptions,
    TimesOptions,
    as_command,
    whole_number,
    whole_numbers,
)


@given(st.integers(-(10**30), 10**30))
def test_whole_numbers_are_read_to_the_last_digit(number: int) -> None:
    assert whole_number("n", str(number)) == number


@pytest.mark.parametrize(("text", "number"), [("1e6", 10**6), ("5.0", 5), (" 7 ", 7), ("+3", 3)])
def test_other_ways_to_write_a_whole_number(text: str, number: int) -> None:
    assert whole_number("n", text) == number


@pytest.mark.parametrize("text", ["", "x", "1.5", "1e999", "inf", "nan", "1,2", "--3"])
def test_what_is_no_whole_number(text: str) -> None:
    with pytest.raises(InvalidInput, match="give a whole number"):
        whole_number("n", text)


def test_lists() -> None:
    assert whole_numbers("m", "1, 2,3") == [1, 2, 3]
    with pytest.raises(InvalidInput):
        whole_numbers("m", "1,,3")


def test_every_family_that_has_a_shape_exists() -> None:
    assert set(_SHAPES) <= set(FAMILIES)


@pytest.mark.parametrize("key", sorted({key for keys in _SHAPES.values() for key in keys}))
@pytest.mark.parametrize("family", FAMILIES)
def test_shapes_of_other_families_are_refused(key: str, family: str) -> None:
    options = TimesOptions(sequence=f"{family}:{key}=1", n=10)
    if key in _SHAPES.get(family, ()):
        assert options.evaluation_times().n == 10
        assert options.given() == {key: 1}
    else:
        with pytest.raises(InvalidInput, match=f"sequence = {key}"):
            options.evaluation_times()


def test_defaults_are_those_of_the_paper() -> None:
    problem = ModelOptions().problem(TimesOptions().evaluation_times())
    assert (problem.n, problem.times.total_time) == (130, pytest.approx(390))
    assert (problem.epsilon, problem.noise_variance, problem.delta) == (0.01, 0.01, 0.1)
    assert problem.domain.size == 2500
    assert (problem.space_kernel.name, problem.time_kernel.name) == ("se", "forgetting")


def test_command_that_was_given_comes_back(ctv) -> None:
    words = ["--n", "20", "--kernel", "matern:1.7", "--epsilon", "0.25", "--end", "tau"]
    line = as_command(
        "bound",
        TimesOptions(n=20, end="tau"),
        ModelOptions(kernel="matern:1.7", epsilon=0.25),
    )
    assert sorted(shlex.split(line)[2:]) == sorted(words)
    assert shlex.split(as_command("bound", TimesOptions(), ModelOptions())) == ["ctv", "bound"]
    line = as_command("uniformity", TimesOptions(n=7), ModelOptions(epsilon=0.25))
    assert ctv(*shlex.split(line)[1:], "--json").json["problem"]["epsilon"] == 0.25
