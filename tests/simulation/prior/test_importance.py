"""Proposals and weights of importance sampling against the laws that they name."""

import numpy as np
import pytest
from scipy import stats

from simulation.prior import importance
from simulation.prior.hyperprior import REACH
from simulation.prior.importance import Proposal, Sample, StudentLaw, effective_size, log_prior

COVARIANCE = np.array([[0.3, 0.1], [0.1, 0.2]])
LAW = StudentLaw.of(np.array([1.0, -0.5]), COVARIANCE)
OTHER = StudentLaw.of(np.array([-2.0, 0.0]), 0.5 * np.eye(2))
Z = np.random.default_rng(0).standard_normal((6, 2)) * 2.0


def scipys(law: StudentLaw, covariance) -> stats.multivariate_t:
    return stats.multivariate_t(law.center, 1.21 * np.asarray(covariance), df=9)


def test_a_student_law_has_its_density_and_its_width() -> None:
    assert LAW.root @ LAW.root.T == pytest.approx(1.21 * COVARIANCE) and LAW.root[0, 1] == 0.0
    assert LAW.log_density(Z) == pytest.approx(scipys(LAW, COVARIANCE).logpdf(Z))
    wide = StudentLaw.of(np.zeros(3), np.diag([1e-9, 0.1, 9.0]))
    assert np.diag(wide.root @ wide.root.T) == pytest.approx([1e-5, 0.121, 1.0])
    rng = np.random.default_rng(1)
    normal = rng.standard_normal((4, 2))
    expected = LAW.center + (normal @ LAW.root.T) * np.sqrt(9 / rng.chisquare(9, 4))[:, None]
    assert LAW.draw(4, np.random.default_rng(1)) == pytest.approx(expected)


def test_a_proposal_is_a_mixture_with_a_tenth_of_the_hyperprior() -> None:
    proposal = Proposal((LAW, OTHER), np.array([0.25, 0.75]))
    normal = stats.multivariate_normal(np.zeros(2)).pdf(Z)
    first, second = scipys(LAW, COVARIANCE).pdf(Z), scipys(OTHER, 0.5 * np.eye(2)).pdf(Z)
    expected = np.log(0.1 * normal + 0.225 * first + 0.675 * second)
    assert proposal.log_density(Z) == pytest.approx(expected)
    alone = Proposal((LAW, OTHER), np.array([1.0, 0.0]))
    assert alone.log_density(Z) == pytest.approx(np.log(0.1 * normal + 0.9 * first))
    points = proposal.draw(4_000, np.random.default_rng(3))
    rng = np.random.default_rng(3)
    normals = rng.standard_normal((4_000, 2))
    place = np.searchsorted([0.225, 0.9], rng.random(4_000))
    assert np.array_equal(points[place == 2], normals[place == 2])
    assert points[place == 0].mean(axis=0) == pytest.approx(LAW.center, abs=0.1)
    assert points[place == 1].mean(axis=0) == pytest.approx(OTHER.center, abs=0.1)


def test_the_law_of_the_hyperprior_is_cut_at_its_reach() -> None:
    z = np.array([[0.0, 0.0], [REACH, -REACH], [1.0, REACH + 1e-9], [-REACH - 1e-9, 0.0]])
    law = stats.truncnorm(-REACH, REACH)
    expected = [law.logpdf(row).sum() for row in z[:2]]
    assert log_prior(z)[:2] == pytest.approx(expected)
    assert np.all(np.isneginf(log_prior(z)[2:]))


def test_weights_are_of_all_rounds_at_once() -> None:
    """Target over the mixture of the proposals by their counts; outside the reach none."""

    def target(z):
        assert np.all(np.abs(z) <= REACH)
        return stats.multivariate_normal(np.zeros(2)).logpdf(z) + 2.0, z[:, :1] * 3.0

    sample, rng = Sample.empty(target, 2, 1), np.random.default_rng(0)
    narrow = Proposal((LAW,), np.ones(1))
    far = Proposal((StudentLaw.of(np.array([3.9, 0.0]), np.eye(2)),), np.ones(1))
    sample.extend(narrow, 30, rng)
    sample.extend(narrow, 0, rng)
    sample.extend(far, 10, rng)
    assert [count for count, _ in sample.proposals] == [30, 10]
    assert sample.points.shape == (40, 2) and sample.kept.shape == (40, 1)
    inside = np.all(np.abs(sample.points) <= REACH, axis=1)
    assert 0 < np.count_nonzero(~inside) < 10
    assert sample.kept[inside, 0] == pytest.approx(3.0 * sample.points[inside, 0])
    assert np.all(sample.kept[~inside] == 0.0) and np.all(np.isneginf(sample.values[~inside]))
    points = sample.points
    mixture = 0.75 * np.exp(narrow.log_density(points)) + 0.25 * np.exp(far.log_density(points))
    weights = (
        np.where(inside, np.exp(2.0 + stats.multivariate_normal(np.zeros(2)).logpdf(points)), 0.0)
        / mixture
    )
    assert np.exp(sample.log_weights) == pytest.approx(weights)
    assert sample.log_evidence == pytest.approx(np.log(weights.mean()))


def test_a_proposal_is_fitted_to_tempered_weights() -> None:
    logs = np.array([0.0, -1.0, -3.0, -9.0])
    plain = np.exp(logs) / np.exp(logs).sum()
    assert importance._tempered(logs, 1.5) == pytest.approx(plain)
    found = importance._tempered(logs, 3.0)
    assert effective_size(found) == pytest.approx(3.0, abs=1e-2)
    ratios = np.log(found[1:] / found[0]) / logs[1:]
    assert 0.0 < ratios[0] < 1.0 and ratios == pytest.approx(np.full(3, ratios[0]))
    assert effective_size(np.array([2.0, 2.0, 0.0])) == pytest.approx(2.0)

    def target(z):
        return log_prior(z), np.zeros((len(z), 0))

    sample, first = Sample.empty(target, 2, 0), Proposal((OTHER, LAW), np.array([0.6, 0.4]))
    rng = np.random.default_rng(0)
    sample.extend(first, 7, rng)  # below 2·2 points for each of two coordinates
    assert sample.adapted(first) is first
    sample.extend(first, 200, rng)
    fitted = sample.adapted(first)
    usable = np.isfinite(sample.log_weights)
    weights = importance._tempered(sample.log_weights[usable], 4.0)
    center = weights @ sample.points[usable]
    spread = np.cov(sample.points[usable].T, aweights=weights, ddof=0)
    assert fitted.laws[0].center == pytest.approx(center)
    assert fitted.laws[0].root == pytest.approx(StudentLaw.of(center, spread).root)
    assert fitted.laws[1] is LAW and fitted.shares.tolist() == [0.9, 0.1]
