"""The certificates of one run are those of their own rooms, at one level, for the same rounds."""

from dataclasses import replace

import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.after_run.certificates import CERTIFICATES, certify, checked_names
from simulation.after_run.observed import Observed
from simulation.after_run.rank import rank_certificate
from simulation.after_run.telescoped import (
    expected_certificate,
    forward_probability_certificate,
    probability_certificate,
)
from simulation.model.covariance import space_factor
from simulation.runs.run import simulate
from simulation.world.evaluation_time import constant

PROBLEM = Problem(EvaluationTimes.from_durations([3.0]), epsilon=0.05, domain=Grid(2, 1.0, 4))
RUN = simulate(PROBLEM, constant(3.0, 9), seed=0, initial=3, rounds=6, exploration="theory")
OBSERVED = Observed.of_run(PROBLEM, RUN)
LATER = slice(3, None)


@pytest.mark.parametrize("delta", [0.2, None])
def test_each_is_the_one_of_its_name(delta) -> None:
    found = certify(
        OBSERVED,
        "one run",
        regret=2.0,
        names=tuple(CERTIFICATES),
        paths=19,
        delta=delta,
        seed=5,
        rounds=LATER,
        factor=space_factor(PROBLEM),
    )
    assert (found.label, found.rounds, found.regret) == ("one run", OBSERVED.n - 3, 2.0)
    assert found.fit == OBSERVED.prior_fit() and found.doubtful is (found.fit < 0.01)
    level = PROBLEM.delta if delta is None else delta
    seen = replace(OBSERVED, problem=replace(OBSERVED.problem, delta=level))
    rank = rank_certificate(seen, paths=19, seed=5, rounds=LATER)
    expected = {
        "rank": (rank.value, rank.level),
        "expected": (expected_certificate(seen, rounds=LATER), None),
        "expected-forward": (expected_certificate(seen, hindsight=False, rounds=LATER), None),
        "probability": (probability_certificate(seen, rounds=LATER), 1 - level),
        "probability-forward": (
            forward_probability_certificate(seen, rounds=LATER),
            1 - level,
        ),
    }
    assert [one.name for one in found.certificates] == list(CERTIFICATES)
    for one in found.certificates:
        value, sure = expected[one.name]
        assert one.value == pytest.approx(value, rel=1e-12)
        assert one.level == (None if sure is None else pytest.approx(sure))
        assert one.kind == ("mean" if sure is None else "probability")
        assert one.ratio == one.value / 2.0 and not one.certified
        assert (one.drawn is None) is (one.name != "rank")
    assert found.certificates[0].drawn.rank == rank.rank


def test_by_default_the_first_three_of_all_rounds_with_99_paths() -> None:
    found = certify(OBSERVED, "")
    assert [one.name for one in found.certificates] == ["rank", "expected", "probability"]
    rank = rank_certificate(OBSERVED, paths=99, seed=0)
    assert found.certificates[0].drawn.regrets.tolist() == rank.regrets.tolist()
    assert found.rounds == OBSERVED.n and found.regret is None
    seconds = [one.seconds for one in found.certificates]
    assert all(0.0 < one < 60.0 for one in seconds) and seconds[0] == found.certificates[0].seconds
    for fit, doubtful in ((0.0099, True), (0.01, False)):
        assert replace(found, fit=fit).doubtful is doubtful


@pytest.mark.parametrize("regret", [None, 0.0])
def test_without_a_regret_there_is_no_ratio(regret) -> None:
    (one,) = certify(OBSERVED, "", regret=regret, names=("expected",)).certificates
    assert one.ratio is None and one.value > 0.0


def test_what_is_refused() -> None:
    for names in ((), ("rank", "rank"), ("unknown",), ("",)):
        with pytest.raises(InvalidInput, match="certificates"):
            checked_names(names)
    assert checked_names(["rank"]) == ("rank",)
    for delta in (0.0, 1.0, -1.0, float("nan")):
        with pytest.raises(InvalidInput, match="delta"):
            certify(OBSERVED, "", names=("expected",), delta=delta)
