"""The page computes what the library computes: to 1e-9, state by state."""

import shlex
from dataclasses import replace
from itertools import combinations
from math import inf

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.gain.answer import largest_floor
from bounds.gain.report import bound_report
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.partitions.compare import block_drifts
from bounds.partitions.hypothesis import theorem1_failure
from bounds.partitions.objectives import OBJECTIVES
from bounds.partitions.partition import Partition
from bounds.partitions.search import evaluate, search
from bounds.problem import Problem
from bounds.regret.rows import floors
from bounds.smooth.order import least_order, order_at
from bounds.static_gain.both_sides import gain_curve
from bounds.times import EvaluationTimes
from ctv.pages.explorer import ExplorerData, explorer_data

pytestmark = pytest.mark.xdist_group("chromium")

CLOSE = 1e-9


def near(value: float) -> object:
    return pytest.approx(value, rel=CLOSE, abs=1e-12)


def random_address(data: ExplorerData, rng: np.random.Generator) -> str:
    """A state: times, some of them moved, model, objective and cuts."""
    n = data.problem.n
    noise, lengthscale = list(data.curves)[rng.integers(len(data.curves))]
    cuts = np.flatnonzero(rng.random(n - 1) < rng.random()) + 1
    preset = data.presets[rng.integers(len(data.presets))]
    span = preset.times.total_time
    moves = [f"{rng.integers(1, n + 1)}:{rng.uniform(0, 1.1 * span)!r}" for _ in range(3)]
    words = [
        f"times={preset.name}",
        f"epsilon={float(10 ** rng.uniform(-6, -0.02))!r}",
        f"noise-variance={noise!r}",
        f"lengthscale={lengthscale!r}",
        f"objective={rng.choice(list(OBJECTIVES))}",
        f"axis={rng.choice(['time', 'round'])}",
        f"cuts={'-'.join(map(str, cuts)) or 'none'}",
    ]
    moved = int(rng.integers(4))
    return "&".join(words + ([f"move={','.join(moves[:moved])}"] if moved else []))


def library_problem(data: ExplorerData, numbers: dict) -> Problem:
    """The problem that the page says it shows."""
    times = EvaluationTimes.from_durations(numbers["durations"])
    return replace(
        data.problem,
        times=times,
        epsilon=numbers["epsilon"],
        time_kernel=Forgetting(numbers["epsilon"]),
        space_kernel=SquaredExponential(numbers["lengthscale"]),
        noise_variance=numbers["noise_variance"],
    )


def repeated_point(problem: Problem) -> float:
    """½ log det(I + J/σ²), from the whole Gram matrix."""
    lags = problem.times.distances(slice(None), slice(None))
    gram = np.eye(problem.n) + problem.time_kernel.at_distance(lags) / problem.noise_variance
    return 0.5 * float(np.linalg.slogdet(gram)[1])


def test_thirty_random_states(page, small: ExplorerData) -> None:
    page.open()
    rng = np.random.default_rng(19)
    for _ in range(30):
        address = random_address(small, rng)
        page.driver.execute_script(f"location.hash = {address!r}")
        epsilon = address.split("epsilon=")[1].split("&")[0]
        page.until(f"explorer.state.epsilon === {epsilon}")
        numbers = page.numbers()
        assert page.evaluate("explorer.notice.textContent") == ""
        problem = library_problem(small, numbers)
        gamma = gain_curve(problem).values
        partition = Partition(tuple(numbers["cuts"]))
        assert page.cuts == [int(c) for c in numbers["cuts"][1:-1]]
        value = evaluate(numbers["objective"], problem, gamma, partition)
        assert numbers["value"] == near(value.value), address
        assert numbers["gain"] == near(value.gain)
        assert numbers["drift"] == near(value.drift)
        blocks = [block["drift"] for block in numbers["blocks"]]
        assert blocks == [near(each) for each in block_drifts(problem, value)]
        best = search(numbers["objective"], problem, gamma)
        assert best.exact
        assert numbers["optimum"]["value"] == near(best.value), address
        attained = Partition(tuple(numbers["optimum"]["cuts"]))
        assert evaluate(best.objective, problem, gamma, attained).value == near(best.value)
        report = bound_report(problem, gamma, 0.0)
        assert numbers["trivial"] == near(report.gains["trivial"].value)
        assert numbers["regret"] == near(report.regret_from(value.value))
        assert numbers["theorem1_fails"] is bool(theorem1_failure(problem))
        order = numbers["smooth_order"]
        assert order["value"] == near(least_order(problem).value)
        assert order["own"] == near(order_at(problem, partition).value)
        full = next(row for row in floors(problem) if row.name == "full-information")
        assert numbers["floor"] == near(full.value)
        assert numbers["lower"] >= repeated_point(problem) * (1 - CLOSE)
        design = small.curves[(numbers["noise_variance"], numbers["lengthscale"])][2]
        assert numbers["lower"] == near(max(repeated_point(problem), design))
        assert numbers["lower"] <= best.value


@pytest.mark.parametrize("objective", list(OBJECTIVES))
def test_costs_of_cuts_by_trying_every_partition(unopened, objective: str) -> None:
    n = 9
    times = EvaluationTimes.from_durations([1.0, 0.0, 9.0, 1.0, 30.0, 2.0, 2.0, 80.0, 0.5])
    problem = Problem(times, epsilon=3e-3, domain=Grid(1, 1.0, 6))
    shown = unopened(explorer_data(problem, sliders=False))
    shown.open(f"objective={objective}")
    optimum = shown.numbers()["optimum"]
    gamma = gain_curve(problem).values
    best = search(objective, problem, gamma)
    longest = max(best.partition.lengths)
    # With Theorem 1 the price is held at the longest block of the best, or at twice as long.
    caps = (longest, min(n, 2 * longest)) if objective == "theorem1" else (n,)
    values: dict[tuple[int, ...], float] = {}
    for size in range(n):
        for cuts in combinations(range(1, n), size):
            partition = Partition((0, *cuts, n))
            found = evaluate(objective, problem, gamma, partition)
            held = [
                len(partition) * gamma[cap] + found.drift
                if objective == "theorem1"
                else found.value
                for cap in caps
                if max(partition.lengths) <= cap
            ]
            values[cuts] = min(held, default=inf)
    assert min(values.values()) == near(best.value)
    for cut in range(1, n):
        forced = min(v for cuts, v in values.items() if cut in cuts)
        forbidden = min(v for cuts, v in values.items() if cut not in cuts)
        assert optimum["force"][cut - 1] == pytest.approx(forced - best.value, abs=1e-9)
        assert optimum["forbid"][cut - 1] == pytest.approx(forbidden - best.value, abs=1e-9)


def test_the_command_and_the_file_of_times_give_the_same_numbers(
    page, small: ExplorerData, ctv, tmp_path, monkeypatch
) -> None:
    page.open("cuts=6-13&epsilon=0.002&noise-variance=0.1&objective=additive")
    numbers = page.numbers()
    words = shlex.split(numbers["command"])
    found = ctv(*words[1:], "--json").json
    assert numbers["command"].startswith("ctv partition --sequence bursts:bursts=4,gap=0.01 --n 24")
    assert found["rows"][0]["value"] == near(numbers["value"])
    assert found["value"] == near(numbers["optimum"]["value"])
    page.open("cuts=6-13&move=3:111.5")
    numbers = page.numbers()
    monkeypatch.chdir(tmp_path)
    times = "\n".join(repr(float(t)) for t in numbers["durations"])
    (tmp_path / "times.csv").write_text(f"duration\n{times}\n")
    found = ctv(*shlex.split(numbers["command"])[1:], "--json").json
    assert found["rows"][0]["value"] == near(numbers["value"])


def test_where_theorem_1_does_not_hold(page) -> None:
    page.open("epsilon=0.95&objective=theorem1&cuts=6")
    assert page.numbers()["theorem1_fails"] is True
    assert "Theorem 1 does not hold here" in page.evaluate("explorer.words.cards.textContent")
    page.open("epsilon=0.95&objective=refined&cuts=6")
    assert "does not hold" not in page.evaluate("explorer.words.cards.textContent")


def test_a_time_kernel_that_remembers_more(unopened) -> None:
    problem = Problem(
        EvaluationTimes.from_durations([1.0, 0.0, 9.0, 1.0, 30.0, 2.0]),
        time_kernel=Matern(1.5, 40.0),
        epsilon=0.02,
        domain=Grid(1, 1.0, 5),
    )
    shown = unopened(explorer_data(problem, sliders=False))
    gamma = gain_curve(problem).values
    for objective in ("theorem1", "additive"):
        shown.open(f"objective={objective}")
        numbers = shown.numbers()
        assert numbers["optimum"]["value"] == near(search(objective, problem, gamma).value)
        row = largest_floor(floors(problem))
        assert row is not None
        assert (numbers["floor"], numbers["lower"]) == (row.value, joint_gain_lower(problem).value)
        said = shown.evaluate("explorer.words.cards.textContent")
        assert ("is not checked" in said) is (objective == "theorem1")
    text = shown.driver.find_element("css selector", ".ctv-explorer").text
    assert "there are no quick ones" in text
    shown.open("move=2:0.5")
    numbers = shown.numbers()
    assert (numbers["floor"], numbers["lower"]) == (None, None)
    assert shown.driver.find_elements("css selector", "input[value=refined]") == []


def test_the_exponential_kernel_has_everything_but_the_slider(unopened) -> None:
    problem = Problem(
        EvaluationTimes.from_durations([1.0, 0.0, 9.0, 1.0, 30.0, 2.0, 0.5]),
        time_kernel=Matern(0.5, 40.0),
        epsilon=0.03,
        domain=Grid(1, 1.0, 5),
    )
    shown = unopened(explorer_data(problem, sliders=False))
    gamma = gain_curve(problem).values
    for objective in OBJECTIVES:
        shown.open(f"objective={objective}&cuts=3")
        numbers = shown.numbers()
        assert numbers["optimum"]["value"] == near(search(objective, problem, gamma).value)
        value = evaluate(objective, problem, gamma, Partition((0, 3, 7))).value
        assert numbers["value"] == near(value)
        assert numbers["theorem1_fails"] is bool(theorem1_failure(problem))
        full = next(row for row in floors(problem) if row.name == "full-information")
        assert shown.evaluate("explorer.under.floor") == near(full.value)
        assert numbers["floor"] >= full.value
    slider = shown.driver.find_element(
        "css selector", "input[aria-label^='forgetting rate ε, log']"
    )
    assert not slider.is_enabled()
