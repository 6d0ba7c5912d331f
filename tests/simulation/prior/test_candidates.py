"""Weighted sets of priors: weights from logarithms, one member alone, quantiles."""

import numpy as np
import pytest

from simulation.prior.candidates import Candidates
from simulation.prior.conjugate import MeanAndScale, Posterior
from simulation.prior.evidence import Member

MEMBERS = tuple(Member("se", 0.1 * i, (0.3,), 0.01) for i in range(3))
LAW = MeanAndScale(0.5, 1.0, 2.0, 3.0)
ROWS = np.arange(12.0).reshape(3, 4)


def made(logs, evidence=(3.0, 5.0, 4.0), exact=True) -> Candidates:
    laws = Posterior.of_rows(ROWS)
    return Candidates.of(MEMBERS, np.array(logs), np.array(evidence), LAW, laws, exact=exact)


@pytest.mark.parametrize("shift", [-1e4, -3.0, 0.0, 700.0, 1e4])
def test_weights_are_shares_of_exponentials(shift) -> None:
    found = made(np.log([1.0, 5.0, 4.0]) + shift)
    assert found.weights == pytest.approx([0.1, 0.5, 0.4])
    assert found.effective_size == pytest.approx(1.0 / (0.01 + 0.25 + 0.16))
    assert found.members == MEMBERS and found.mean_and_scale is LAW and found.exact
    assert np.array_equal(found.posterior.rows, ROWS) and found.best == 1


def test_one_member_alone_keeps_its_law() -> None:
    alone = made([0.0, 0.0, 0.0], exact=False).alone(2)
    assert alone.members == MEMBERS[2:] and alone.weights.tolist() == [1.0]
    assert alone.log_evidence.tolist() == [4.0] and alone.mean_and_scale is LAW
    assert alone.posterior.rows.tolist() == [ROWS[2].tolist()] and not alone.exact


def test_quantiles_are_the_first_values_that_reach_their_level() -> None:
    found = made(np.log([0.5, 0.25, 0.25]))
    values = np.array([np.inf, 1.0, 3.0])
    levels = np.array([0.0, 0.1, 0.25, 0.26, 0.5, 0.51, 1.0])
    expected = [1.0, 1.0, 1.0, 3.0, 3.0, np.inf, np.inf]
    assert found.quantiles(values, levels).tolist() == expected
