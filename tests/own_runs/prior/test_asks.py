"""Checks that say which member beside the family a log asks for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchmarks.worlds import WORLDS, simulated
from own_runs.prior.asks import _ranks, scale_of_y, uneven_errors
from own_runs.prior.fit import data_of, fit
from simulation.prior.hyperprior import Hyperprior

QUICK = {"draws": 60, "hyperprior": Hyperprior(kernels=("se",), level_share=0.0, per_input=0.0)}
BY_NAME = {world.name.split(":")[0]: world for world in WORLDS}


def test_skewed_values_ask_for_another_scale_and_plain_ones_do_not():
    for seed in (1, 3):
        skewed = fit(simulated(BY_NAME["skewed"], seed)[0], **QUICK)
        assert any("draws its large values in" in line for line in skewed.warnings)
        log = simulated(BY_NAME["of the family"], seed)[0]
        plain = fit(log, **QUICK)
        assert not any("draws its" in line for line in plain.warnings)
        assert scale_of_y(data_of(log), plain.candidates).nats < 3.0


def test_minimised_values_are_told_by_their_own_side():
    from dataclasses import replace

    log = simulated(BY_NAME["skewed"], 1)[0]
    losses = fit(replace(log, direction="minimize"), **QUICK)
    assert any("draws its large values in" in line for line in losses.warnings)
    mirrored = fit(replace(log, values=-log.values, direction="minimize"), **QUICK)
    assert any("draws its small values in" in line for line in mirrored.warnings)


def test_errors_that_change_with_an_input_are_named():
    log = simulated(BY_NAME["errors that grow with an input"], 1)[0]
    found = fit(log, **QUICK)
    data = data_of(log)
    planted = np.linspace(0.1, 3.0, log.n - 1)[np.argsort(np.argsort(log.points[1:, 0]))]
    from dataclasses import replace

    signs = np.random.default_rng(0).choice([-1.0, 1.0], log.n - 1)
    assert 0 in uneven_errors(data, replace(found.residuals, scores=planted * signs))
    even = replace(found.residuals, scores=np.random.default_rng(1).standard_normal(log.n - 1))
    assert uneven_errors(data, even) == ()


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20))
def test_ranks(values):
    assert _ranks(np.array(values, float)) == pytest.approx(stats.rankdata(values) - 1)


def test_a_log_asks_for_the_members_of_its_world():
    """By the evidence of the whole set; the family's own logs ask for nothing."""
    for name, words in {
        "two lengthscales": "two lengthscales in space",
        "periodic in time": "a periodic drift of period",
        "warped inputs": "inputs on a bent scale: x1",
        "one change point": "another objective after 59.6 s (one change point)",
    }.items():
        found = fit(simulated(BY_NAME[name], 1)[0], draws=60)
        assert any(words in line for line in found.asked), name
        assert not any("draws its" in line for line in found.warnings)
    assert fit(simulated(BY_NAME["of the family"], 1)[0], draws=60).asked == ()
