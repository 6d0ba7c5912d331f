"""Whether to go on: thresholds, what is said, and the regret of a kept incumbent."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.fit_coverage import Setting, simulated_trace
from bounds.errors import InvalidInput
from own_runs.certificates.mixture import LogPosterior, certify_log
from own_runs.live.verdict import LEAST, regret_ahead, threshold_of, verdict_of
from own_runs.prior.fit import data_of, finite_candidates
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Member
from simulation.prior.hyperprior import FiniteHyperprior

MEMBER = Member("matern52", 0.01, (0.3, 0.4), 0.02, level=0.3)


@pytest.fixture(scope="module")
def log():
    return simulated_trace(Setting(rounds=24, steps=6, policy="random"), seed=1)[0]


def candidates_of(log, member=MEMBER):
    law = MeanAndScale(0.0, 0.0, 1e9, 1e9)
    return finite_candidates(data_of(log), FiniteHyperprior((member,), (1.0,), law))


def test_thresholds(log):
    assert threshold_of(log, below=0.3, price=None) == 0.3
    average = float(np.mean(log.durations))
    assert threshold_of(log, below=None, price=2.0) == pytest.approx(2.0 * average)
    assert np.isnan(threshold_of(log, below=None, price=None))
    for given in ({"below": 1.0, "price": 1.0}, {"below": -1.0}, {"price": 0.0}):
        with pytest.raises(InvalidInput):
            threshold_of(log, **{"below": None, "price": None, **given})
    blind = replace(log, durations=np.full(log.n, np.nan))
    with pytest.raises(InvalidInput, match="no durations"):
        threshold_of(blind, below=None, price=1.0)


def test_the_verdict_is_that_of_the_certificates(log):
    candidates = candidates_of(log)
    plain = certify_log(log, candidates, paths=19, seed=log.n)
    undecided = verdict_of(log, candidates, paths=19)
    assert not undecided.stop
    assert [undecided.cost, undecided.worth] == [row.value for row in plain.certificates]
    stops = verdict_of(log, candidates, threshold=1e6, paths=19)
    assert stops.stop and stops.exact
    assert stops.worth == undecided.worth  # the draws that certify are not those that decide
    goes = verdict_of(log, candidates, threshold=1e-9, paths=19)
    assert not goes.stop and not goes.exact and np.isnan(goes.cost)
    assert "go on" in str(goes) and "stop" in str(stops)
    best = log.points[log.rows.index(stops.row)]
    assert list(stops.incumbent.values()) == pytest.approx(
        [float(axis.from_unit(best[[i]])[0]) for i, axis in enumerate(log.axes)]
    )


def test_a_short_log_says_nothing(log):
    few = replace(
        log,
        points=log.points[: LEAST - 1],
        values=log.values[: LEAST - 1],
        times=log.times[: LEAST - 1],
    )
    found = verdict_of(few, None, threshold=1.0)
    assert not found.stop and np.isinf(found.worth) and "too few" in str(found)


def test_a_kept_incumbent(log):
    """At once it is the simple regret; without drift it stays; forgotten it is that of a guess."""
    waits = np.array([0.0, 5.0, 1e9])
    still = regret_ahead(log, candidates_of(log, replace(MEMBER, rate=0.0)), waits, paths=40)
    assert np.array_equal(still[:, 0], still[:, 2])
    moving = regret_ahead(log, candidates_of(log), waits, paths=144, seed=2)
    now = LogPosterior(log, candidates_of(log)).draws(144, 3).simple
    assert moving[:, 0].mean() == pytest.approx(now.mean(), abs=4 * now.std() / 12)
    assert np.all(moving >= 0.0)
    # After 10⁹ time units f is a new draw of the prior: E max f − E f(x̂) = E max f.
    posterior = LogPosterior(log, candidates_of(log))
    factor = posterior.space.factor(MEMBER, posterior.space.rows(MEMBER))
    fresh = factor.apply(np.random.default_rng(5).standard_normal((400, factor.rank)))
    expected = fresh.max(axis=1)
    assert moving[:, 2].mean() == pytest.approx(expected.mean(), abs=0.25)


def test_when_to_look_again(log):
    still = verdict_of(log, candidates_of(log, replace(MEMBER, rate=0.0)), threshold=50.0, paths=19)
    assert np.isinf(still.look_again)
    quick = replace(MEMBER, rate=1.0)
    candidates = candidates_of(log, quick)
    first = verdict_of(log, candidates, threshold=1e-9, paths=19).worth  # of the draws that decide
    found = verdict_of(log, candidates, threshold=1.01 * first, paths=19)
    assert found.stop and log.times[-1] <= found.look_again < 20 * log.times[-1]
