"""Conditional spaces: what decides which inputs are there, and logs over all branches at once."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.errors import InvalidInput
from own_runs.certificates.mixture import LogPosterior, certify_log
from own_runs.certificates.search_space import SearchSpace
from own_runs.live.next_point import next_points
from own_runs.live.session import Search
from own_runs.logs.axes import cube_of, inputs_at, masked, needed_inputs, parse_domain
from own_runs.logs.branches import deciders
from own_runs.logs.columns import Columns
from own_runs.logs.reader import read_log
from own_runs.prior.files import log_digest, read_prior
from own_runs.prior.fit import fit
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data, Member
from simulation.prior.hyperprior import Hyperprior
from simulation.prior.shapes import ABSENT, SHAPES, apart

DOMAIN = (
    "kernel=linear|rbf|poly, C=0.01..100 log, gamma=1e-4..1 log if kernel=rbf, "
    "degree=2..5 int if kernel=poly, root=0..1 if degree=3|4"
)
AXES = parse_domain(DOMAIN)
QUICK = Hyperprior(kernels=("se", "matern52"), drift=0.5)

places = st.one_of(st.just(ABSENT), st.floats(0.0, 1.0))


@given(
    points=st.lists(st.tuples(places, places, places), min_size=1, max_size=12),
    kernel=st.sampled_from(list(SHAPES)),
    scales=st.tuples(*[st.floats(0.05, 20.0)] * 3),
)
@example(points=[(0.0, ABSENT, 0.0), (1.0, ABSENT, 1.0), (ABSENT, 0.5, 0.5)], kernel="se",
         scales=(20.0, 0.05, 1.0))  # fmt: skip
@settings(max_examples=150, deadline=None)
def test_every_kernel_over_branches_is_positive_semi_definite(points, kernel, scales):
    member = Member(kernel, 0.0, scales, 1e-2, unordered=(2,), optional=(0, 1))
    where = np.array(points)
    gram = member.between(where, where)
    assert np.allclose(gram, gram.T) and np.allclose(np.diagonal(gram), 1.0)
    assert np.linalg.eigvalsh(gram).min() > -1e-9


@given(values=st.lists(st.floats(0.0, 1.0), min_size=2, max_size=6))
def test_a_missing_input_is_equally_far_from_every_value_of_it(values):
    """Squared distances are those of the points (cos x, sin x) of the plane, absent at (0, 0)."""
    there, missing = np.array(values), np.full(len(values), ABSENT)
    assert np.all(apart(there, missing, words=False, optional=True) == 1.0)
    assert np.all(apart(missing, missing, words=False, optional=True) == 0.0)
    plane = np.exp(1j * there)
    found = apart(there[:, None], there[None, :], words=False, optional=True)
    assert np.allclose(found, np.abs(plane[:, None] - plane[None, :]) ** 2, atol=1e-15)


def test_evidence_over_branches_is_that_of_the_whole_matrix():
    """The pairs that evidence is made from against `Member.observed`, and slopes by differences."""
    rng = np.random.default_rng(1)
    points = masked(AXES[:3], rng.random((20, 3)))
    data = Data(points, np.arange(20.0), rng.standard_normal(20), unordered=(0,), optional=(2,))
    member = Member("matern52", 0.05, (0.7, 0.4, 0.3), 0.1, 0.2, unordered=(0,), optional=(2,))
    law = MeanAndScale(0.0, 0.0, 1e9, 1e9)
    gram = member.observed(points, data.times)
    sign, volume = np.linalg.slogdet(2.0 * np.pi * gram)
    direct = -0.5 * (volume + data.values @ np.linalg.solve(gram, data.values))
    assert sign == 1.0
    assert data.log_evidence([member], law)[0] == pytest.approx(direct, abs=1e-4)
    value, slopes = data.log_evidence_and_slopes(member, law)
    assert value == pytest.approx(direct, abs=1e-4)
    law = MeanAndScale.around(data.values)
    _, slopes = data.log_evidence_and_slopes(member, law)
    for i in range(3):
        ends = []
        for step in (1e-4, -1e-4):
            scales = list(member.lengthscales)
            scales[i] *= np.exp(step)
            other = Member("matern52", 0.05, tuple(scales), 0.1, 0.2, unordered=(0,), optional=(2,))
            ends.append(data.log_evidence([other], law)[0])
        assert slopes[i] == pytest.approx((ends[0] - ends[1]) / 2e-4, abs=1e-4)


def test_who_decides():
    nan = np.nan
    rows = np.array([[0, 0.1, nan, 3], [1, 0.7, 5.0, 3], [0, 0.3, nan, 4], [1, 0.2, 6.0, 4]])
    words = [True, False, False, False]
    assert deciders(rows, words) == {2: (0, (1.0,))}
    once = rows[1:]
    assert deciders(once, words) == {}  # one row without it may be a loss
    assert deciders(rows[:, 1:], words[1:]) == {}  # nothing that decides is there
    nested = np.array([[0, nan, nan], [1, 2, nan], [1, 3, 0.5], [0, nan, nan], [1, 2, nan]])
    assert deciders(nested, [True, False, False]) == {1: (0, (1.0,)), 2: (1, (3.0,))}


@given(shares=st.lists(st.floats(0.0, 1.0), min_size=5, max_size=5))
def test_points_and_inputs_are_the_same_thing(shares):
    point = masked(AXES, np.array([shares]))
    inputs = inputs_at(AXES, point[0])
    assert [axis.name for axis in needed_inputs(AXES, inputs)] == list(inputs)
    assert ("gamma" in inputs) == (inputs["kernel"] == "rbf")
    assert ("root" in inputs) == (inputs.get("degree") in (3.0, 4.0))
    again = inputs_at(AXES, cube_of(AXES, [inputs])[0])
    assert again == pytest.approx(inputs)
    assert parse_domain(", ".join(map(str, AXES))) == AXES


BAD = {
    "x=0..1 if y=1": "x if y: give another input",
    "x=0..1 if x=1": "x if x: give another input",
    "x=0..1, y=0..1 if x=1": "y if x: only words and whole numbers",
    "x=a|b, y=0..1 if x=c": "x = c: give one of a, b",
    "x=1..3 int, y=0..1 if x=7": "x = 7 in row 1",
    "x=1..3 int if y=1, y=1..3 int if x=1": "x if y: it decides about itself",
}


@pytest.mark.parametrize("domain", BAD)
def test_conditions_that_say_nothing(domain):
    with pytest.raises(InvalidInput) as refused:
        parse_domain(domain)
    first, _, rest = BAD[domain].partition(": ")
    assert first in str(refused.value) and rest in str(refused.value)


def score(inputs: dict) -> float:
    """Best at kernel=rbf, gamma=1e-2."""
    found = -0.2 * (np.log10(inputs["C"]) - 0.5) ** 2
    if inputs["kernel"] == "rbf":
        return found + 0.5 - 0.3 * (np.log10(inputs["gamma"]) + 2.0) ** 2
    return found + (0.05 * inputs["degree"] if inputs["kernel"] == "poly" else 0.0)


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    rng = np.random.default_rng(0)
    lines = ["kernel,C,gamma,degree,root,duration,y"]
    for point in masked(AXES, rng.random((48, 5))):
        inputs = inputs_at(AXES, point)
        cells = [str(inputs.get(axis.name, "")) for axis in AXES]
        y = score(inputs) + 0.02 * rng.standard_normal()
        lines.append(",".join([*cells, "1", f"{y:.6g}"]))
    path = tmp_path_factory.mktemp("log") / "log.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    named = Columns(x=tuple(axis.name for axis in AXES))
    domain = "kernel=linear|rbf|poly, C=0.01..100 log, gamma=1e-4..1 log, degree=2..5 int"
    return read_log(path, direction="maximize", columns=named, domain=domain)


def test_a_log_of_branches_is_one_log(log, tmp_path):
    assert log.n == 48 and not log.skipped
    conditions = {axis.name: (axis.under, axis.where) for axis in log.axes if axis.under}
    assert conditions["gamma"] == ("kernel", ("rbf",))
    assert conditions["degree"] == ("kernel", ("poly",))
    assert conditions["root"][0] == "degree"
    assert any("gamma if kernel=rbf" in note for note in log.notes)
    fitted = fit(log, hyperprior=QUICK, draws=60)
    space = SearchSpace.of(log.axes, log.points)
    assert np.array_equal(space.sites, masked(log.axes, space.sites))
    assert len(np.unique(space.sites[:, 0])) == 3
    found = certify_log(log, fitted.candidates, paths=19)
    simple = next(row for row in found.certificates if row.quantity == "simple")
    recommended = inputs_at(log.axes, log.points[log.rows.index(found.recommended)])
    assert recommended["kernel"] == "rbf" and 0.5 - score(recommended) < simple.value < 1.0
    point = next_points(log, fitted.candidates, policy="ctv").points[0]
    assert point.inputs["kernel"] == "rbf" and 1e-3 < point.inputs["gamma"] < 0.1
    assert "degree" not in point.inputs
    # Nothing of a branch is said by the inputs of another.
    posterior = LogPosterior(log, fitted.candidates)
    assert posterior.data.optional == (2, 3, 4)


def test_the_file_of_a_prior_keeps_what_is_optional(log, tmp_path):
    fitted = fit(log, hyperprior=QUICK, draws=40)
    told = {"rows": log.n, "digest": log_digest(log, log.n)}
    content = {"format": "ctv-bounds prior 1", **fitted.to_dict(), "fitted": told}
    path = tmp_path / "prior.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    file = read_prior(path)
    assert {member.optional for member in file.members} == {(2, 3, 4)}
    assert not any(member.plain for member in file.members)
    content["candidates"][0]["optional"] = [7]
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InvalidInput, match="give numbers of inputs, from 0 to 4"):
        read_prior(path)


def test_a_search_over_branches(tmp_path):
    search = Search(
        tmp_path / "s.json", DOMAIN, "maximize", hyperprior=Hyperprior(drift=0.0), draws=40
    )
    for now in range(24):
        number, inputs = search.ask(float(now))
        assert [axis.name for axis in needed_inputs(AXES, inputs)] == list(inputs)
        search.tell(number, score(inputs), now + 0.5)
    again = Search(tmp_path / "s.json", DOMAIN, "maximize")
    assert again.axes == AXES and len(again.trials) == 24
    assert max(trial.value for trial in again.trials) > 0.3
    with pytest.raises(InvalidInput, match="inputs = kernel, C: give kernel, C, gamma"):
        again.add({"kernel": "rbf", "C": 1.0})
    with pytest.raises(InvalidInput, match="give kernel, C"):
        again.add({"kernel": "linear", "C": 1.0, "gamma": 0.1})
    again.add({"kernel": "linear", "C": 1.0}, 0.1)
    assert len(again.ask_many(3)) == 3
