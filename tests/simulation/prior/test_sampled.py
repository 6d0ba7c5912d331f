"""How draws are shared out, put together and counted."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from simulation.prior import sampled
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data
from simulation.prior.hyperprior import Hyperprior, Structure
from simulation.prior.importance import effective_size
from simulation.prior.memory import PERIODS
from simulation.prior.modes import Mode, Search
from simulation.prior.nonstationary import Nonstationarity
from simulation.prior.sampled import sampled_candidates
from tests.simulation.prior.test_evidence import data_of

LAW = MeanAndScale(2.0, 1.5, 2.0, 3.0)
FIRST, SECOND = Structure("se", False, False, False), Structure("se", True, False, False)


@pytest.mark.parametrize(
    ("shares", "count", "least", "expected"),
    [
        ([0.5, 0.5], 10, 4, [5, 5]),
        ([0.9, 0.1], 10, 4, [6, 4]),
        ([0.7, 0.2, 0.1], 11, 1, [8, 2, 1]),
        ([1.0], 7, 4, [7]),
        ([0.4, 0.6], 5, 4, [2, 3]),
        ([0.34, 0.33, 0.33], 4, 0, [2, 1, 1]),
    ],
)
def test_draws_are_shared_out_in_whole_numbers(shares, count, least, expected) -> None:
    assert sampled._apportioned(np.array(shares), count, least).tolist() == expected


def sample_of(points, logs, evidence):
    kept = np.column_stack([evidence, np.arange(4.0 * len(logs)).reshape(-1, 4)])
    return SimpleNamespace(
        points=np.array(points), log_weights=np.array(logs), kept=kept, values=np.zeros(len(logs))
    )


def test_samples_of_structures_are_one_set_and_members_of_no_weight_are_dropped() -> None:
    """A weight is chance × target over proposal, by the number of draws of the structure."""
    one = sample_of([[0.0, 0.0], [1.0, 0.0]], [3.0, 3.0 - 13.0], [-1.0, -2.0])
    two = sample_of(
        [[0.0, 0.0, 1.0], [0.5, 0.0, 0.0], [0.0, 1.0, 0.0]], [1.0, 2.0, -10.0], [-3.0, -4.0, -5.0]
    )
    chances, believed = {FIRST: 0.25, SECOND: 0.75}, Hyperprior()
    search = Search(replace(data_of(2), times=np.array([0.0, 10.0])), believed, LAW)
    found = sampled._together(search, [(FIRST, one), (SECOND, two)], [], chances)
    weights = np.array([0.25 * np.exp(3.0) / 2, *(0.75 * np.exp([1.0, 2.0]) / 3)])
    assert found.weights == pytest.approx(weights / weights.sum())
    assert found.log_evidence.tolist() == [-1.0, -3.0, -4.0] and not found.exact
    assert found.posterior.rows.tolist() == [*one.kept[:1, 1:].tolist(), *two.kept[:2, 1:].tolist()]
    assert found.mean_and_scale is LAW
    expected = believed.members(FIRST, one.points[:1], 2, 10.0)
    expected += believed.members(SECOND, two.points[:2], 2, 10.0)
    assert found.members == tuple(expected)
    modes = [SimpleNamespace(structure=FIRST), SimpleNamespace(structure=SECOND)]
    every = np.array([*(0.25 * np.exp(one.log_weights) / 2), *(0.75 * np.exp(two.log_weights) / 3)])
    worth = every.sum() ** 2 / (every @ every)
    assert sampled._effective([one, two], modes, chances) == pytest.approx(worth)


class Known:
    """Stands for a search: the target of every structure is a normal law of this evidence."""

    def __init__(self, evidence) -> None:
        self.evidence = evidence

    def modes(self, structures):
        return [Mode(s, np.zeros(2), np.eye(2), self.evidence[s]) for s in reversed(structures)]

    def target(self, structure, z):
        logs = stats.multivariate_normal(np.zeros(2)).logpdf(z) + self.evidence[structure]
        return logs, np.zeros((len(z), 5))


@pytest.mark.parametrize(
    ("evidence", "chances", "sizes"),
    [
        ((0.0, 0.0), (0.5, 0.5), (120, 120)),
        ((0.0, 0.0), (0.9, 0.1), (208, 32)),
        ((0.0, 0.0), (0.9995, 0.0005), (240, 0)),
        ((0.0, 7.5), (0.5, 0.5), (0, 240)),
        ((0.0, 6.8), (0.5, 0.5), (32, 208)),
        ((0.0, 6.0), (0.9975, 0.0025), (120, 120)),
    ],
)
def test_structures_are_drawn_by_their_shares(evidence, chances, sizes) -> None:
    """By evidence times chance, at least four a round; below a thousandth by Laplace alone."""
    both = (FIRST, SECOND)
    search = Known(dict(zip(both, evidence, strict=True)))
    modes = search.modes(both)
    found = sampled._drawn(
        search, modes, dict(zip(both, chances, strict=True)), 240, np.random.default_rng(0)
    )
    rows = {structure: (value, count) for structure, value, count in found.evidence}
    assert sum(count for _, count in rows.values()) == found.draws == 240
    for structure, value, size in zip(both, evidence, sizes, strict=True):
        assert rows[structure][1] == pytest.approx(size, abs=16) and (rows[structure][1] == 0) is (
            size == 0
        )
        assert rows[structure][0] == pytest.approx(value, abs=0.2)
        if size == 0:
            assert rows[structure][0] == value
    assert [structure for structure, _ in found.samples] == [
        s for s, size in zip(reversed(both), reversed(sizes), strict=True) if size
    ]
    assert 120 < found.effective <= 240


def test_every_family_is_drawn_from_a_stream_of_its_own() -> None:
    data, heard = data_of(), []
    believed = Hyperprior(kernels=("se", "matern52"), per_input=0.0)
    candidates, table, families = sampled_candidates(
        data, believed, LAW, draws=40, seed=3, progress=heard.append
    )
    assert sorted(heard) == [0.5, 1.0]
    assert [row.kernel for row in families] == ["se", "matern52"]
    assert sum(row.draws for row in table) == sum(row.draws for row in families)
    assert [row.share for row in table] == sorted((row.share for row in table), reverse=True)
    assert sum(row.share for row in table) == pytest.approx(1.0)
    chances = believed.structures(2)
    assert {row.structure for row in table} == set(chances)
    logs = np.array([row.log_evidence + np.log(chances[row.structure]) for row in table])
    shares = np.exp(logs - logs.max())
    assert [row.share for row in table] == pytest.approx(shares / shares.sum())
    for row in families:
        assert row.draws >= 40 and 1.0 <= row.effective <= row.draws
        drawn = [one for one in table if one.structure.kernel == row.kernel]
        assert sum(one.draws for one in drawn) == row.draws
    # Each member has the evidence and the law of m and s that it is given.
    evidence, posterior = data.judged(candidates.members, LAW)
    assert candidates.log_evidence == pytest.approx(evidence)
    assert candidates.posterior.rows == pytest.approx(posterior.rows)
    alone, _, _ = sampled_candidates(
        data, Hyperprior(kernels=("se",), per_input=0.0), LAW, draws=40, seed=3
    )
    mine = [member for member in candidates.members if member.kernel == "se"]
    assert set(mine) <= set(alone.members)
    other, _, _ = sampled_candidates(
        data, Hyperprior(kernels=("se",), per_input=0.0), LAW, draws=40, seed=4
    )
    assert not set(alone.members) & set(other.members)


def test_draws_go_on_while_they_are_worth_too_little(monkeypatch) -> None:
    """Eight rounds, and up to 24 more of an eighth of what was asked for each."""
    believed, data = Hyperprior(kernels=("se",), drift=0.0, per_input=0.0), data_of()
    usual = sampled_candidates(data, believed, LAW, draws=80)[2][0].draws
    assert usual == 80
    for worth, rounds in ((24.9, 24), (25.0, 0)):
        monkeypatch.setattr(sampled, "_effective", lambda *given, worth=worth: worth)
        (row,) = sampled_candidates(data, believed, LAW, draws=80)[2]
        assert row.draws == 80 + 10 * rounds and row.effective == worth
    (row,) = sampled_candidates(data, believed, LAW, draws=3)[2]
    assert row.draws == 8  # of one structure one draw a round


def test_a_family_of_no_weight_is_not_drawn(monkeypatch) -> None:
    believed = Hyperprior(kernels=("se", "matern52"), per_input=0.0)
    shares = sampled._shares

    def rough_is_hopeless(modes, chances):
        found = shares(modes, chances)
        return {s: 1e-9 if s.kernel == "matern52" else share for s, share in found.items()}

    monkeypatch.setattr(sampled, "_shares", rough_is_hopeless)
    candidates, table, families = sampled_candidates(data_of(), believed, LAW, draws=40)
    assert {row.kernel: row.draws > 0 for row in families} == {"se": True, "matern52": False}
    assert {member.kernel for member in candidates.members} == {"se"}
    assert all(row.draws == 0 for row in table if row.structure.kernel == "matern52")


def test_wide_sets_have_the_evidence_of_their_members() -> None:
    """Of other scales, memories and wild errors too; a log of a period asks for that."""
    times = np.arange(40.0)
    values = np.exp(np.sin(2 * np.pi * times / 8.0))
    values[7] += 9.0
    data = Data(np.random.default_rng(0).random((40, 1)), times, values)
    believed = Hyperprior(
        kernels=("se",),
        memories=("forgetting", "smooth", "periodic"),
        powers=(1.0, 0.0),
        wild=0.5,
    )
    law = MeanAndScale.around(values)
    candidates, table, _ = sampled_candidates(data, believed, law, draws=60)
    evidence, posterior = data.judged(candidates.members, law)
    assert candidates.log_evidence == pytest.approx(evidence)
    assert candidates.posterior.rows == pytest.approx(posterior.rows)
    best = table[0].structure
    assert best.memory == "periodic" and best.wild
    heaviest = candidates.members[int(np.argmax(candidates.weights))]
    assert heaviest.outliers == (7,)
    assert heaviest.half_life * PERIODS["periodic"] == pytest.approx(8.0, rel=0.1)


def seen(rng, f, deviations=0.1, n=70) -> Data:
    """f at random points of the unit square, at the times 0, 1, …"""
    points, times = rng.random((n, 2)), np.arange(float(n))
    values = f(points, times) + deviations * rng.standard_normal(n)
    return Data(points, times, values)


def wave(x):
    return np.sin(5.0 * x[:, 0]) + np.cos(4.0 * x[:, 1])


@pytest.mark.parametrize("seed", range(3))
def test_what_stands_beside_is_found_by_evidence(seed) -> None:
    """A change point where it is, the inputs that are bent and how, the input of the errors."""
    rng = np.random.default_rng(seed)
    believed = Hyperprior(
        kernels=("se",), level_share=0.0, change=0.5, bent=0.5, uneven=0.5, per_input=0.5
    )

    def share(data, asked):
        law = MeanAndScale.around(data.values)
        candidates, table, _ = sampled_candidates(data, believed, law, draws=120)
        evidence, _ = data.judged(candidates.members, law)
        assert candidates.log_evidence == pytest.approx(evidence)
        best = table[0].structure.nonstationary
        return sum(row.share for row in table if asked(row.structure.nonstationary)), best

    def turned(x, t):
        return np.where(t < 40.0, wave(x), -wave(x[:, ::-1]))

    found, best = share(seen(rng, turned), lambda nonstationary: nonstationary.change is not None)
    assert found > 0.99 and 37.0 < best.change < 42.0
    found, best = share(
        seen(rng, lambda x, t: np.sin(12.0 * x[:, 0] ** 4) + np.cos(3.0 * x[:, 1])),
        lambda nonstationary: bool(nonstationary.bends),
    )
    assert found > 0.9 and best.bends[0] > 0.0 and abs(best.bends[1]) < best.bends[0]
    points = rng.random((70, 2))
    deviations = np.exp(2.5 * (points[:, 1] - 1.0))
    values = wave(points) + deviations * rng.standard_normal(70)
    found, best = share(
        Data(points, np.arange(70.0), values), lambda nonstationary: bool(nonstationary.slopes)
    )
    assert found > 0.9 and best.slopes[1] > 0.0
    found, _ = share(seen(rng, lambda x, t: wave(x)), lambda nonstationary: nonstationary.unlike)
    assert found < 0.6


def test_a_change_is_as_likely_between_any_two_rows_as_elsewhere() -> None:
    believed = Hyperprior(change=0.25, bent=0.5, uneven=0.2)
    assert believed.log_odds(Nonstationarity(change=3.0), 11) == pytest.approx(
        np.log(0.25 / 0.75 / 10)
    )
    assert believed.log_odds(Nonstationarity(bends=(0.0, 3.0)), 11) == pytest.approx(np.log(1 / 12))
    both = Nonstationarity(1.0, (1.5, 3.0), (2.0, 0.0))
    expected = np.log([1 / 30, 1 / 144, 0.25 / 12]).sum()
    assert believed.log_odds(both, 11) == pytest.approx(expected)
    assert believed.log_odds(Nonstationarity(), 11) == 0.0
    assert Hyperprior().log_odds(Nonstationarity(change=3.0), 11) == -np.inf
    assert Hyperprior().narrow and not believed.narrow and not Hyperprior(wild=0.1).narrow


def test_a_day_is_sought_whatever_the_log() -> None:
    """One of hundreds of days: its summit is narrower than the steps between other periods."""
    rng = np.random.default_rng(0)
    times = np.sort(rng.random(120) * 300.0)
    values = np.sin(2 * np.pi * times) + 0.1 * rng.standard_normal(120)
    data = Data(rng.random((120, 1)), times, values)
    believed = Hyperprior(kernels=("se",), memories=("forgetting", "sinusoid"))
    law = MeanAndScale.around(values)
    candidates, table, _ = sampled_candidates(data, believed, law, draws=60, periods=(1.0, 7.0))
    assert table[0].structure.memory == "sinusoid" and table[0].share > 0.99
    heaviest = candidates.members[int(np.argmax(candidates.weights))]
    assert heaviest.half_life * PERIODS["sinusoid"] == pytest.approx(1.0, rel=1e-3)
    blind, _, _ = sampled_candidates(data, believed, law, draws=60)
    assert blind.log_evidence.max() < candidates.log_evidence.max() - 20.0


@pytest.mark.parametrize("noise", [None, "correlated"])
def test_a_long_log_has_the_set_that_a_short_one_has(noise, monkeypatch) -> None:
    """With modes from every other row and fewer draws: the law of the numbers is the same."""
    believed = Hyperprior(kernels=("se",), per_input=0.0, powers=(1.0, 0.5), wild=0.5)
    data = data_of(n=48, noise=noise)
    data = replace(data, values=np.sin(6.0 * data.points[:, 0]) + 0.1 * data.values)
    data.values[11] += 4.0
    law = MeanAndScale.around(data.values)
    whole, _, (row,) = sampled_candidates(data, believed, law, draws=640)
    monkeypatch.setattr(sampled, "LONG", 40)
    quick, _, (few,) = sampled_candidates(data, believed, law, draws=640)
    assert 0 < few.draws < row.draws
    assert {one.outliers for one in quick.members} == {(11,)}
    assert data.thinned(2).n == 25 and data.thinned(2).times[-1] == data.times[-1]
    evidence, _ = data.judged(quick.members, law)
    assert quick.log_evidence == pytest.approx(evidence)
    for number in ("noise_variance", "rate"):
        means, deviations = [], []
        for found in (whole, quick):
            values = np.log([getattr(one, number) + 1e-3 for one in found.members])
            means.append(found.weights @ values)
            deviations.append(np.sqrt(found.weights @ (values - means[-1]) ** 2))
        assert abs(means[0] - means[1]) < 0.5 * deviations[0] + 0.05, number


def test_the_usual_members_are_kept_where_the_log_has_no_room_for_them() -> None:
    """With what weight they have, so that a theory that is for them alone has its members."""
    times = np.arange(60.0)
    values = np.sin(2 * np.pi * times / 8.0) + 1e-3 * np.cos(7.0 * times**2)
    data = Data(np.random.default_rng(0).random((60, 1)), times, values)
    law = MeanAndScale.around(values)
    believed = Hyperprior(kernels=("se",), memories=("forgetting", "periodic"))
    candidates, table, _ = sampled_candidates(data, believed, law, draws=80)
    assert table[0].structure.memory == "periodic"
    plain = np.array([member.plain for member in candidates.members])
    assert 0.0 < candidates.weights[plain].sum() < 1e-6
    evidence, _ = data.judged(candidates.members, law)
    assert candidates.log_evidence == pytest.approx(evidence)
    assert effective_size(candidates.weights[plain]) > 3.0
