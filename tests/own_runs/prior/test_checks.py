"""Residuals one step ahead, row by row, and when they speak against the priors."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bounds.noise import noise_of_rows
from own_runs.prior import checks
from own_runs.prior.checks import Residuals, residuals
from own_runs.prior.fit import finite_candidates
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data, Member
from simulation.prior.hyperprior import FiniteHyperprior
from tests.simulation.prior.test_evidence import covariance, data_of

LAW = MeanAndScale(2.0, 1.5, 2.0, 3.0)
MEMBERS = (
    Member("se", 0.05, (0.4, 0.4), 0.1),
    Member("matern52", 0.0, (0.2, 0.9), 0.3, 0.5),
    Member("se", 0.3, (0.1, 0.1), 0.02),
)


def set_of(data: Data):
    return finite_candidates(data, FiniteHyperprior(MEMBERS, (0.5, 0.3, 0.2), LAW))


def below(data: Data, member: Member, i: int) -> float:
    """P(y_i is below what it was | rows before), by conditioning one dense Student law."""
    n = i + 1
    shape = LAW.scale / LAW.shape * (covariance(data, member)[:n, :n] + LAW.spread)
    gain = np.linalg.solve(shape[:i, :i], shape[:i, i])
    error = data.values[:i] - LAW.center
    distance = error @ np.linalg.solve(shape[:i, :i], error)
    degrees = 2 * LAW.shape + i
    scale = (2 * LAW.shape + distance) / degrees * (shape[i, i] - gain @ shape[:i, i])
    return stats.t(degrees).cdf((data.values[i] - LAW.center - gain @ error) / np.sqrt(scale))


def test_residuals_are_the_transforms_of_each_row_given_those_before(monkeypatch) -> None:
    data = data_of(n=12, noise="own")
    candidates = set_of(data)
    found = residuals(data, candidates)
    each = np.array([[below(data, member, i) for i in range(1, 12)] for member in MEMBERS])
    assert found.transforms == pytest.approx(candidates.weights @ each)
    scores = stats.norm.ppf(found.transforms)
    assert found.scores == pytest.approx(scores)
    assert found.uniformity == pytest.approx(
        stats.kstest(found.transforms, "uniform", method="asymp").pvalue
    )
    centred = scores - scores.mean()
    expected = np.sum(centred[1:] * centred[:-1]) / np.sum(centred**2)
    assert found.autocorrelation == pytest.approx(expected)
    assert found.band == pytest.approx(1.96 / np.sqrt(11)) and found.outliers == ()
    # The heaviest alone, by their own weights.
    monkeypatch.setattr(checks, "_MEMBERS", 2)
    heavy = np.argsort(-candidates.weights)[:2]
    weights = candidates.weights[heavy] / candidates.weights[heavy].sum()
    assert residuals(data, candidates).transforms == pytest.approx(weights @ each[heavy])


def test_rows_that_were_next_to_impossible_are_named() -> None:
    data = data_of(n=12)
    values = data.values.copy()
    values[[4, 9]] += [1e4, -1e9]
    odd = replace(data, values=values)
    found = residuals(odd, set_of(odd))
    assert found.outliers[0] == 5 and 10 in found.outliers
    assert np.all((found.transforms >= 1e-15) & (found.transforms <= 1 - 1e-15))


def test_two_equal_rows_have_no_autocorrelation() -> None:
    data = Data(np.zeros((2, 2)), np.arange(2.0), np.array([2.0, 2.0]), noise_of_rows([1.0, 1.0]))
    found = residuals(data, set_of(data))
    assert found.autocorrelation == 0.0 and found.transforms == pytest.approx([0.5])


def test_what_speaks_against_a_prior_is_said_in_words() -> None:
    sound = Residuals(np.zeros(3), np.zeros(3), 0.01, 0.3, 0.2, ())
    assert sound.findings == ()
    (one,) = replace(sound, uniformity=0.0099).findings
    assert "(one-step-ahead p = 0.0099): do not rely on certificates" in one
    for far in (0.301, -0.301):
        (one,) = replace(sound, autocorrelation=far).findings
        assert f"neighbouring residuals are correlated ({far:.2f})" in one
    (one,) = replace(sound, outliers=(3, 5, 8)).findings
    assert one.startswith("observation 3, 5, 8 is next to impossible")
    (one,) = replace(sound, outliers=(3, 5, 8, 9)).findings
    assert one.startswith("observation 3, 5, 8 … is next to impossible")
    both = replace(sound, uniformity=0.0, outliers=(2,)).findings
    assert len(both) == 2 and both[1].startswith("observation 2 is")
