"""`ctv partition --bound smooth` and the order of the least regret in `ctv bound`."""

from __future__ import annotations

import pytest

import ctv as python
from bounds.problem import Problem
from bounds.smooth.order import least_order
from bounds.times import EvaluationTimes

pytestmark = pytest.mark.usefixtures("computed_once")


def test_psi_with_other_partitions_beside_it(ctv) -> None:
    words = ("partition", "--bound", "smooth", "--sequence", "bursts:bursts=4", "--n", "40")
    found = ctv(*words, "--compare", "equal:10,best", "--json").json
    rows = {row["name"]: row for row in found["rows"]}
    assert list(rows) == ["equal:10", "best", "greedy"]
    assert rows["best"]["value"] == found["value"] <= rows["equal:10"]["value"]
    assert rows["greedy"]["value"] <= 4.0 * found["value"]
    assert found["exact"]
    assert found["smooth"]["applies"]
    assert found["smooth"]["psi"] == found["value"] <= found["smooth"]["psi_1"]
    assert len(found["smooth"]["waits"]) == 40
    text = ctv(*words).stdout
    assert "order of the least regret" in text
    assert "dearest waits" in text


def test_a_schedule_by_lemma_sf(ctv) -> None:
    words = ("partition", "--bound", "smooth", "--n", "60", "--total", "60", "--grid", "8")
    words = (*words, "--dimension", "1", "--epsilon", "1e-5")
    found = ctv(*words, "--json").json["ceiling"]
    assert 0 < found["value"] < 60
    assert set(found["points"]) <= set(range(8)) and max(found["rounds"]) < 60
    assert "By Lemma SF the policy block-schedule" in ctv(*words, "--all").stdout
    assert ctv("partition", "--bound", "smooth", "--n", "20", "--json").json["ceiling"] is None


def test_the_other_price(ctv) -> None:
    found = ctv("partition", "--bound", "smooth-1", "--n", "30", "--json").json
    assert found["value"] == found["smooth"]["psi_1"]
    assert found["objective"] == "smooth-1"


def test_python_returns_the_same_value() -> None:
    durations = [1.0, 0.0, 50.0, 0.0, 0.0]
    value = python.partition(durations, bound="smooth", epsilon=0.1, noise_variance=1.0)
    times = EvaluationTimes.from_durations(durations)
    least = least_order(Problem(times, epsilon=0.1, noise_variance=1.0))
    assert value.best.value == least.value
    assert value.plot().axes


def test_where_the_theorem_does_not_apply_it_says_so(ctv) -> None:
    found = ctv("partition", "--bound", "smooth", "--domain", "arms:3", "--n", "10", "--json").json
    assert not found["smooth"]["applies"]
    assert "no box" in found["smooth"]["reason"]
    assert "not known" in ctv("partition", "--bound", "smooth", "--domain", "arms:3").stdout


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (("--time-kernel", "se"), "time-kernel"),
        (("--gamma", "g.json"), "gamma"),
        (("--symbolic",), "symbolic"),
        (("--compare", "equal:0"), "compare"),
    ],
)
def test_bad_input_is_one_line(ctv, options, field: str) -> None:
    ran = ctv("partition", "--bound", "smooth", *options)
    assert ran.is_one_line_about(field)


def test_an_unknown_objective_is_one_line(ctv) -> None:
    assert ctv("partition", "--bound", "smoothest").is_one_line_about("bound", "smoothest")


def test_bound_has_it_too(ctv) -> None:
    words = ("bound", "--n", "12", "--grid", "4", "--budget", "fast")
    assert ctv(*words, "--json").json["smooth"]["exact"]
    assert "Order of the least regret of a smooth kernel" in ctv(*words, "--all").stdout
    assert ctv(*words, "--time-kernel", "se", "--json").json["smooth"] is None


def test_an_unknown_objective_is_told_all_of_them(ctv) -> None:
    ran = ctv("partition", "--n", "5", "--domain", "arms:3", "--bound", "foo")
    assert ran.is_one_line_about("bound", "foo")
    assert "use theorem1, additive, refined, smooth, smooth-1" in ran.stderr


def test_a_lengthscale_in_time_is_named_as_its_option(ctv) -> None:
    words = ("--time-kernel", "exponential:lengthscale=1e-300")
    ran = ctv("partition", "--n", "5", "--domain", "arms:3", *words)
    assert ran.is_one_line_about("time-kernel", "1e-300")


def test_a_schedule_on_the_whole_box(ctv) -> None:
    words = ("partition", "--bound", "smooth", "--n", "60", "--total", "60", "--dimension", "1")
    words = (*words, "--epsilon", "1e-5")
    found = ctv(*words, "--json").json["box_ceiling"]
    assert 0 < found["value"] < 60
    assert all(0 <= x <= 1 for (x,) in found["points"])
    assert found["certified"] is True
    said = " ".join(ctv(*words).stdout.split())
    assert "Points anywhere in the box" in said
    assert "; certified)." in said
    other = (*words, "--kernel", "matern:2.25")
    said = " ".join(ctv(*other).stdout.split())
    assert "; floating point, not certified for kernel = matern:2.25)." in said
    assert ctv(*words, "--kernel", "matern32", "--json").json["box_ceiling"] is None
    nothing = ("partition", "--bound", "smooth", "--n", "6", "--epsilon", "0.5")
    assert "no schedule is below 6·m*" in ctv(*nothing, "--dimension", "1").stdout


def test_python_has_the_box_too() -> None:
    value = python.partition([1.0] * 40, bound="smooth", epsilon=1e-5, dimension=1)
    assert value.box_ceiling is not None
    assert value.box_ceiling.value <= 40.0
