"""`ctv bound`: both sides of regret: delay, planning, schedules, simulated floors, certificates."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from bounds.domain import Grid
from bounds.errors import NumericalFailure
from bounds.gain.answer import answer_of
from bounds.gain.bounds import bounds_of
from bounds.problem import Problem
from bounds.regret.regret_bound import RegretBound
from bounds.times import EvaluationTimes

pytestmark = pytest.mark.usefixtures("computed_once")

SMALL = ("--n", "10", "--total", "10", "--grid", "5")
ARMS = ("--domain", "arms:3", "--n", "8", "--total", "8")


def by_name(rows: list[dict]) -> dict[str, dict]:
    return {row["name"]: row for row in rows}


def test_the_answer_has_both_sides(ctv) -> None:
    found = ctv("bound", *SMALL, "--json").json
    answer, floors = found["answer"], by_name(found["answer"]["floors"])
    assert {"full-information", "rank", "sandwich"} <= set(floors)
    assert answer["floor"]["value"] == max(row["value"] for row in floors.values())
    scheduled = [row for row in answer["regret"] if row["policy"] == "scheduled"]
    assert scheduled[0]["simulated"]
    assert found["seed"] == 0
    means = [row for row in answer["regret"] if row["kind"] == "mean"]
    assert all(row["value"] >= answer["floor"]["value"] for row in means)
    quick = ctv("bound", *SMALL, "--budget", "fast", "--json").json
    assert not any(row["simulated"] for row in quick["beside"])
    assert "seed" not in quick


def test_simulations_raise_the_floor_and_keep_the_certified_one(ctv) -> None:
    found = ctv("bound", *ARMS, "--runs", "9", "--json").json
    answer = found["answer"]
    names = [(row["name"], row["certified"]) for row in answer["floors"]]
    assert ("one-arm", False) in names
    assert ("rank", True) in names
    assert ("rank", False) in names
    assert answer["floor"]["value"] == max(row["value"] for row in answer["floors"])
    shown = ctv("bound", *ARMS, "--runs", "9").stdout
    assert "Every policy has expected regret ≥" in shown


def test_late_results_raise_the_floor_and_leave_bounds_for_any_policy(ctv) -> None:
    now = ctv("bound", *ARMS, "--json").json["answer"]
    late = ctv("bound", *ARMS, "--delay", "3", "--json").json["answer"]
    assert late["delay"] == 3
    assert late["floor"]["value"] > now["floor"]["value"]
    assert {row["policy"] for row in late["regret"]} == {"any"}
    assert "late" in late["floor"]["hypotheses"]
    shown = ctv("bound", *ARMS, "--delay", "3").stdout
    assert "3 rounds late" in shown


def test_until_says_what_each_bound_and_the_floor_need(ctv) -> None:
    words = ("--domain", "arms:2", "--n", "20", "--total", "20", "--epsilon", "0.0001")
    found = ctv("bound", *words, "--until", "0.3", "--json").json["until"]
    weights = by_name(found["bounds"])["theorem_t"]
    assert 1 <= found["floor"] <= weights["rounds"]
    assert found["floor"] <= by_name(found["bounds"])["schedule"]["rounds"] <= weights["rounds"]
    assert found["duration"] == 1.0
    assert "Every policy needs" in ctv("bound", *words, "--until", "0.3").stdout
    never = ctv("bound", *words, "--until", "1e-9", "--json").json["until"]
    assert never["floor"] is None
    assert "no bound is below" in ctv("bound", *words, "--until", "1e-9").stdout


def test_floors_for_other_times_stand_beside_the_floor(ctv) -> None:
    times = ("--domain", "arms:2", "--n", "6", "--sequence", "exponential")
    words = (*times, "--setting", "lattice:1,2", "--runs", "9")
    answer = ctv("bound", *words, "--json").json["answer"]
    kinds = {row["times"] for row in answer["floors"]}
    assert kinds == {"fixed", "t(x)", "exogenous"}
    assert answer["floor"]["times"] == "fixed"
    assert "determinant" in by_name(answer["floors"])["rank"]["source"]


def test_a_known_mean_has_its_own_floor_and_bounds(ctv, tmp_path) -> None:
    arms = ("--domain", "arms:2", "--n", "12", "--total", "12", "--json")
    file = tmp_path / "mean.txt"
    file.write_text("0\n0.5\n", encoding="utf-8")
    known = ctv("bound", *arms, "--known-mean", "0,0.5").json
    lower = by_name(known["answer"]["floors"])
    assert set(lower) == {"full-information", "prices"}
    assert known["answer"]["floor"] == lower["prices"] and lower["prices"]["certified"]
    assert all("mean m(x) is known" in row["hypotheses"] for row in lower.values())
    read = ctv("bound", *arms, "--known-mean", str(file)).json
    assert read["answer"] == known["answer"] and read["known_mean"] == str(file)
    zero = ctv("bound", *arms).json
    full = by_name(zero["answer"]["floors"])["full-information"]["value"]
    assert known["answer"]["floor"]["value"] < full
    of_zero = {"sandwich_upper", "tail", "theory_smallest", "margin"}
    named = {row["name"] for row in known["beside"]}
    assert not named & of_zero and {"theorem_t", "envelope"} <= named
    gaps = [row for row in known["beside"] if row["direction"] == "upper"]
    gaps = [row for row in gaps if "mean m(x) is known" in row["hypotheses"]]
    assert {row["policy"] for row in gaps} == {"posterior-mean", "scheduled"}
    far = ctv("bound", *arms, "--known-mean", "0,5").json
    closer = {row["policy"]: row["value"] for row in gaps}
    for row in far["beside"]:
        if row["direction"] == "upper" and "mean m(x) is known" in row["hypotheses"]:
            assert row["value"] < 0.01 * closer[row["policy"]]


def test_a_longer_search_is_asked_for(ctv) -> None:
    rows = by_name(ctv("bound", *SMALL, "--budget", "deep", "--json").json["beside"])
    assert rows["schedule"]["policy"] == "scheduled"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--delay", "-1"), "delay = -1"),
        (("--delay", "10"), "delay = 10"),
        (("--delay", "1.5"), "delay = 1.5"),
        (("--setting", "lattice:nan,2"), "longest, spacing"),
        (("--setting", "lattice:1,0"), "longest, spacing"),
        (("--until", "0"), "until = 0"),
        (("--until", "-3"), "until = -3"),
        (("--until", "nan"), "until = nan"),
        (("--until", "soon"), "until = soon"),
        (("--budget", "slow"), "budget = slow: use fast, usual, deep"),
        (("--budget", "deep", "--delay", "1"), "drop --delay"),
        (("--runs", "-1"), "runs = -1"),
        (("--known-mean", "0,1"), "known-mean = 2 numbers"),
        (("--known-mean", "0,nan"), "known-mean = nan"),
        (("--known-mean", ""), "known-mean"),
        (("--known-mean", "0", "--until", "1"), "drop --until"),
    ],
)
def test_bad_input_is_one_line(ctv, words: tuple[str, ...], named: str) -> None:
    assert ctv("bound", *SMALL, *words).is_one_line_about(named)


@pytest.mark.parametrize(
    "words",
    [
        ("--n", "1", "--total", "1", "--grid", "4"),
        ("--n", "6", "--total", "0", "--grid", "4"),
        ("--n", "6", "--total", "6", "--grid", "4", "--epsilon", "0"),
        ("--n", "6", "--total", "6", "--grid", "4", "--epsilon", "0.999999"),
        ("--n", "6", "--total", "6", "--grid", "4", "--noise-variance", "1e-12"),
        ("--n", "6", "--total", "6", "--grid", "4", "--noise-variance", "1e12"),
        ("--n", "6", "--total", "6", "--grid", "1"),
        ("--n", "6", "--total", "6", "--domain", "arms:1"),
        ("--n", "6", "--total", "6", "--grid", "4", "--time-kernel", "se:lengthscale=2"),
    ],
)
def test_hard_problems_have_a_floor_below_every_ceiling(ctv, words: tuple[str, ...]) -> None:
    answer = ctv("bound", *words, "--json").json["answer"]
    floor = answer["floor"]["value"]
    assert floor >= 0.0
    if "1" in words[-1:]:  # one point
        assert floor == 0.0
    means = [row["value"] for row in answer["regret"] if row["kind"] == "mean"]
    assert floor <= min(means) * (1.0 + 1e-9)


def test_a_floor_above_a_ceiling_is_a_failure_that_names_both() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0] * 3), domain=Grid(1, 1.0, 3))
    found = bounds_of(problem, certify=False)
    ceiling = next(row for row in found.rows if row.name == "sandwich_upper")
    false = RegretBound(
        "invented", 1.01 * ceiling.value, "lower", "any", "", "mean", None, "one n", ""
    )
    with pytest.raises(NumericalFailure, match=r"invented .* above the ceiling"):
        _ = found.with_rows((false,)).answer
    # In probability nothing contradicts it, and nothing where results are late.
    probable = replace(false, kind="probability", value=0.0)
    assert found.with_rows((probable,)).answer.floor is not None
    other = replace(ceiling, name="of ts", policy="ts", value=0.5 * ceiling.value)
    below = replace(false, value=0.6 * ceiling.value)
    with pytest.raises(NumericalFailure, match="of ts"):
        answer_of(found.report, [other, below])
    assert answer_of(found.report, [other, below], delay=1).floor == below


@pytest.mark.parametrize(
    "words",
    [
        SMALL,
        (*ARMS, "--delay", "2"),
        ("--n", "6", "--total", "6", "--grid", "4", "--time-kernel", "se:lengthscale=2"),
    ],
)
def test_certificates_carry_the_floor(ctv, tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "bounds.json"
    answer = ctv("bound", *words, "--certificate", path, "--json").json["answer"]
    found = ctv("verify", path, "--json").json
    values = {one["id"]: one["value"] for one in found["recheck"] if one["accepted"]}
    certified = [row["value"] for row in answer["floors"] if row["certified"]]
    assert values["floor"] == pytest.approx(max(certified), rel=1e-9)
    if "--delay" not in words and "--time-kernel" not in words:
        assert values["row.schedule"] > values["floor"]
    shown = ctv("verify", path).stdout
    assert "floor >=" in shown


def test_a_floor_that_is_too_high_is_refused(ctv, tmp_path: Path) -> None:
    from proofs_check.records.bound_certificate import text_of
    from proofs_check.records.certificate import digest

    path = tmp_path / "bounds.json"
    ctv("bound", *SMALL, "--certificate", path)
    body = json.loads(path.read_text())
    body.pop("digest")
    for claim in body["claims"]:
        if claim["id"] == "floor":
            claim["value"] *= 1.001
        if claim["id"] == "row.schedule":
            claim["value"] *= 0.2
    path.write_text(text_of({**body, "digest": digest(body)}))
    outcome = ctv("verify", path)
    assert outcome.code == 1
    assert "refused floor" in outcome.stdout
    assert "refused row.schedule" in outcome.stdout


def test_the_least_regret_and_policies_beside_it(ctv) -> None:
    """`--exact`: two rounds of two arms are known, and no policy has less."""
    asked = ("bound --domain arms:2 --n 2 --total 2 --epsilon 0.19 --budget fast",)
    asked = (*asked, "--noise-variance", "1e-6")
    run = ctv(*asked, "--exact", "--json").json
    exact = 2 / math.sqrt(math.pi) - 0.9 / math.sqrt(2 * math.pi)
    assert run["exact"]["lower"] <= exact <= run["exact"]["upper"] <= run["exact"]["lower"] + 0.01
    best = run["exact"]["policies"][0]
    assert exact - 4 * best["error"] < best["mean"] < 1.1 * exact
    assert best["over_least"] == pytest.approx(best["mean"] / run["exact"]["lower"])
    assert "exact" not in ctv(*asked, "--json").json
    assert "least expected regret of a policy that observes" in ctv(*asked, "--exact").stdout


@pytest.mark.parametrize(
    ("words", "about"),
    [
        (("--grid", "3"), ("exact", "--domain arms:2")),
        (("--domain", "arms:2", "--delay", "1"), ("exact", "--delay")),
        (("--domain", "arms:5"), ("n = 8", "at most 5 rounds for 5 arms")),
        (
            ("--domain", "arms:2", "--time-kernel", "se:lengthscale=3"),
            ("time-kernel",),
        ),
    ],
)
def test_what_exact_does_not_solve_is_one_line(ctv, words, about) -> None:
    assert ctv("bound", "--n", "8", "--exact", *words).is_one_line_about(*about)
