"""Stopping rules against hand-made posteriors and exact binomials; the bundled audit."""

import json
from dataclasses import replace
from itertools import product
from math import log, pi

import numpy as np
import pytest
from scipy import stats

from bounds.errors import InvalidInput
from bounds.kernels import parse_kernel
from own_runs.certificates import stopping_rules as room
from own_runs.certificates.fit_coverage import (
    METHODS,
    QUANTITIES,
    Setting,
    bundled_coverage,
    plugged_in_share,
    simulated_trace,
)
from own_runs.certificates.mixture import LogPosterior
from own_runs.certificates.stopping_rules import (
    DRIFTS,
    RULES,
    Audit,
    Stated,
    audit,
    beta_of,
    bundled_audit,
    draws_below,
    stated,
    to_json,
)
from own_runs.prior.fit import data_of, finite_candidates
from simulation.after_run.coverage import binomial_interval
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.hyperprior import FiniteHyperprior

SETTING = Setting(rounds=15, steps=5)


def dense_bound(log_, member, told, weight) -> float:
    """max (μ + wσ) over the grid less max (μ − wσ) over the rows told, by dense algebra."""
    sites = np.stack(
        [a.ravel() for a in np.meshgrid(*[np.linspace(0, 1, 5)] * 2, indexing="ij")], 1
    )
    kernel, points = parse_kernel("se", member.lengthscales[0]), log_.points[told]
    times = log_.times[told]
    decay = np.exp(-member.rate * np.abs(np.subtract.outer(times, times)))
    noisy = kernel.gram(points) * decay + 0.01 * np.eye(len(told))
    left = np.exp(-member.rate * (log_.times[-1] - times))
    cross = kernel.gram(points, sites) * left[:, None]
    mean = cross.T @ np.linalg.solve(noisy, log_.values[told])
    sd = np.sqrt(1 - np.sum(cross * np.linalg.solve(noisy, cross), axis=0))
    place = [int(np.argmin(np.sum((sites - x) ** 2, axis=1))) for x in points]
    return float(np.max(mean + weight * sd) - np.max((mean - weight * sd)[place]))


def test_bounds_of_confidence_from_a_dense_posterior():
    log_, member = simulated_trace(SETTING, 3)[0], SETTING.truth
    weight = np.sqrt(2 * log(2 * 15**2 * pi**2 / (6 * 0.1)) / 5)
    expected = dense_bound(log_, member, np.arange(15), weight)
    rows = {row.rule: row for row in stated(log_, member, sites=25)}
    assert rows["optuna"].bound == pytest.approx(expected, abs=1e-6)
    assert rows["optuna"].bound <= rows["makarova"].bound <= rows["union"].bound
    assert rows["rank"].bound <= rows["wilson"].bound
    assert set(rows) == set(RULES)


@pytest.mark.parametrize(("paths", "delta", "rank"), [(99, 0.1, 90), (39, 0.2, 32), (19, 0.5, 10)])
def test_the_rank_rule_states_the_draw_of_its_rank(paths, delta, rank):
    """The least k with k/(S + 1) ≥ 1 − δ, among draws of the simple regret of the row returned."""
    log_, member = simulated_trace(SETTING, 3)[0], SETTING.truth
    law = MeanAndScale(0.0, 0.0, 1e9, 1e9)
    alone = finite_candidates(data_of(log_), FiniteHyperprior((member,), (1.0,), law))
    draws = LogPosterior(log_, alone, sites=25).draws(paths, 0)
    rows = {r.rule: r for r in stated(log_, member, delta=delta, sites=25, paths=paths)}
    assert np.sum(draws.simple <= rows["rank"].bound * (1 + 1e-9)) == rank
    assert np.sum(draws.simple < rows["rank"].bound * (1 - 1e-9)) == rank - 1
    assert rows["rank"].row == rows["wilson"].row == draws.recommended


@pytest.mark.parametrize(("rounds", "used"), [(15, 15), (30, 20), (50, 25)])
def test_syne_tune_is_told_the_best_half_or_twenty(rounds, used):
    log_, member = simulated_trace(replace(SETTING, rounds=rounds), 3)[0], SETTING.truth
    told = np.sort(np.argsort(-log_.values)[:used])
    row = next(row for row in stated(log_, member, sites=25) if row.rule == "syne-tune")
    assert row.bound == pytest.approx(dense_bound(log_, member, told, 1.0), abs=1e-6)
    assert row.row in told


def test_betas():
    assert beta_of("union", 10, 0.1, parameters=2, size=64) == 5 * beta_of(
        "makarova", 10, 0.1, parameters=2, size=64
    )
    with pytest.raises(InvalidInput, match="rule"):
        beta_of("rank", 10, 0.1, parameters=2, size=64)


@pytest.mark.parametrize(("paths", "delta"), [(99, 0.1), (199, 0.1), (999, 0.02), (10, 0.1)])
def test_draws_of_wilson_by_exact_binomials(paths, delta):
    """P(Bin(S, 1 − δ/2) ≥ k) ≤ δ/2 for k draws, and not for one fewer."""
    k = draws_below(paths, delta)
    assert stats.binom.sf(k - 1, paths, 1 - delta / 2) <= delta / 2 + 1e-12
    if k - 1 >= 1:
        assert stats.binom.sf(k - 2, paths, 1 - delta / 2) > delta / 2 - 1e-12


def test_audits_say_how_far_they_are():
    heard: list[float] = []
    audit((0.0, 0.01), 1, setting=replace(SETTING, rounds=8), progress=heard.append)
    assert heard == [0.5, 1.0]


def test_audits_count_what_held():
    rows = audit((0.01,), 3, setting=SETTING)
    assert [(row.rule, row.drift) for row in rows] == [(r, d) for d in DRIFTS for r in RULES]
    assert all(row.runs == 3 and row.low <= row.covered / 3 <= row.high for row in rows)
    known = audit((0.0,), 2, setting=SETTING)
    half = len(RULES)
    for one, other in zip(known[:half], known[half:], strict=True):
        assert replace(other, drift="known") == one  # without drift there is none to ignore


def test_an_audit_survives_its_file():
    rows = bundled_audit()
    text = to_json(rows)
    assert tuple(Audit(**row) for row in json.loads(text)) == rows
    assert text.startswith('[\n {\n  "rule": "optuna",\n')
    assert text.endswith(" }\n]\n")


def test_audits_are_of_the_runs_of_their_seeds(monkeypatch):
    """Run j of rate i has the seed + 1000 i + j; what is stated is compared with the truth."""
    asked = []

    def said(log, member, **options):
        asked.append((log.source, member.rate, options))
        return (Stated("one", 3, 0.5), Stated("two", 0, 9e9))

    monkeypatch.setattr(room, "stated", said)
    rows = audit((0.0, 0.19), 2, delta=0.2, setting=SETTING, seed=7)
    assert [one[0] for one in asked[::2]] == ["run 7", "run 8", "run 1007", "run 1008"]
    fast = -0.5 * np.log(0.81)
    assert [one[1] for one in asked] == pytest.approx([0.0] * 4 + [fast, 0.0] * 2)
    options = [one[2] for one in asked]
    assert [o["seed"] for o in options] == [7, 7, 8, 8, 1007, 1007, 1008, 1008]
    assert all(o["delta"] == 0.2 and o["sites"] == 25 for o in options)
    regrets = {}
    for epsilon, seed in ((0.0, 7), (0.0, 8), (0.19, 1007), (0.19, 1008)):
        log, _, f = simulated_trace(replace(SETTING, epsilon=epsilon), seed)
        places = np.rint(4 * log.points).astype(int) @ [5, 1]
        regrets.setdefault(epsilon, []).append([f.max() - f[places[row]] for row in (3, 0)])
    for row in rows:
        own = np.array(regrets[row.epsilon])[:, ("one", "two").index(row.rule)]
        bound = 0.5 if row.rule == "one" else 9e9
        assert (row.covered, row.runs, row.level) == (np.sum(own <= bound), 2, 0.8)
        assert (row.low, row.high) == binomial_interval(row.covered, 2)
        assert (row.bound, row.regret) == (bound, pytest.approx(np.median(own)))
    assert [(row.rule, row.drift, row.epsilon) for row in rows] == [
        (rule, drift, epsilon)
        for epsilon in (0.0, 0.19)
        for drift in DRIFTS
        for rule in ("one", "two")
    ]


def test_the_bundled_audit_says_that_ignoring_drift_breaks_the_rules():
    rows = {(row.rule, row.drift, row.epsilon): row for row in bundled_audit()}
    assert len(rows) == len(RULES) * len(DRIFTS) * 3
    for rule in ("rank", "union"):
        for epsilon in (0.0, 1e-3, 1e-2):
            row = rows[rule, "known", epsilon]
            assert stats.binom.cdf(row.covered, row.runs, row.level) > 1e-3
    assert rows["optuna", "ignored", 1e-2].high < 0.9
    assert rows["rank", "ignored", 1e-2].high < 0.9


def test_the_bundled_coverage_of_fits():
    for rows in bundled_coverage().values():
        whole = [row for row in rows if row.setting is None]
        keys = list(dict.fromkeys(row.quantity for row in whole))
        assert keys == list(QUANTITIES[: len(keys)])
        methods = METHODS[: len(whole) // len(keys)]
        assert [(row.quantity, row.method) for row in whole] == list(product(keys, methods))
        for row in whole:
            parts = [
                r
                for r in rows
                if r.setting is not None and (r.quantity, r.method) == (row.quantity, row.method)
            ]
            assert sum(r.covered for r in parts) == row.covered
            assert sum(r.runs for r in parts) == row.runs
            if (row.quantity, row.method) == ("cumulative", "mixture") or row.method == METHODS[2]:
                assert stats.binom.cdf(row.covered, row.runs, 0.9) > 0.01
    covered, runs = plugged_in_share()
    assert 0 < covered < runs
