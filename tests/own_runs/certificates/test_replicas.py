"""Replicas of a log are draws of its fit, and the table counts what they say."""

from dataclasses import replace

import numpy as np
import pytest

from own_runs.certificates import replicas as room
from own_runs.certificates.mixture import LogPosterior
from own_runs.certificates.replicas import Compared, replicas, table
from own_runs.certificates.worlds import WORLDS, simulated
from own_runs.prior.fit import data_of, finite_candidates
from simulation.prior.beside import Beside
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Member
from simulation.prior.hyperprior import FiniteHyperprior
from simulation.prior.warp import Warp

LOG = simulated(WORLDS[0], 1)[0]
FIRST = Member("se", 0.01, (0.3, 0.3), 0.04, level=0.5)


@pytest.mark.parametrize(
    "member",
    [
        FIRST,
        replace(FIRST, rate=0.0),
        replace(FIRST, warp=Warp.of(LOG.values, 0.5)),
        replace(FIRST, beside=Beside(slopes=(4.0, 0.0))),
    ],
)
def test_a_replica_is_a_path_with_fresh_errors(member):
    """On the scale of y of its member the errors are normal, of its deviations; f is its own."""
    known = MeanAndScale(0.3, 1e-9, 1e9, 4e9)
    candidates = finite_candidates(data_of(LOG), FiniteHyperprior((member,), (1.0,), known))
    posterior = LogPosterior(LOG, candidates, sites=25)
    found = replicas(LOG, posterior, 40, seed=3)
    rows = np.arange(LOG.n)
    on_scale = (lambda y: y) if member.warp is None else member.warp.forward
    errors = [on_scale(one.values) - on_scale(f[rows, posterior.space.played]) for one, f in found]
    expected = 2.0 * 0.2 * member.deviations(LOG.points)
    assert np.std(np.array(errors) / expected) == pytest.approx(1.0, abs=0.05)
    assert {f.shape for _, f in found} == {(LOG.n, len(posterior.space.sites))}
    # Given the log: the paths stay near what was seen.
    middle = np.mean([on_scale(f[rows, posterior.space.played]) for _, f in found], axis=0)
    assert np.corrcoef(middle, on_scale(LOG.values))[0, 1] > 0.8
    again = replicas(LOG, posterior, 2, seed=3)
    assert again[0][0].values.tolist() != again[1][0].values.tolist()


def test_the_table_takes_the_rank_that_covers_nine_in_ten_replicas():
    values = np.arange(1.0, 100.0)
    ranks = np.linspace(0.05, 0.95, 19)  # of these the 18th is 0.90
    rows = [
        {
            "cumulative": Compared(0.5, ranks, values, true),
            "simple": Compared(0.5, np.minimum(ranks + 0.07, 1.0), values, true),
        }
        for true in (89.5, 90.5, 96.5)
    ]
    lines = table(rows).splitlines()
    assert [line.split(":")[1].split("(")[0].strip() for line in lines] == [
        "1 of 3",
        "2 of 3",
        "1 of 3",
        "1 of 3",
        "2 of 3",
        "3 of 3",
    ]
    assert "nominal level 0.90" in lines[2] and "nominal level 0.97" in lines[5]


def test_the_command_writes_what_it_has(tmp_path, monkeypatch):
    one = Compared(0.5, np.linspace(0.05, 0.95, 19), np.arange(1.0, 100.0), 50.0)
    monkeypatch.setattr(room, "compared", lambda *given: {"cumulative": one, "simple": one})
    file = tmp_path / "replicas.txt"
    room.main([str(file), "fast", "rough", "--logs", "2"])
    assert [line for line in file.read_text().splitlines() if line.endswith("logs")] == [
        "fast drift, 2 logs",
        "rough in space, 2 logs",
    ]


def test_a_log_is_compared_with_its_replicas(monkeypatch):
    monkeypatch.setattr(room, "_DRAWS", 24)
    monkeypatch.setattr(room, "_PATHS", 9)
    found = room.compared(WORLDS[0], 2, 2)
    for kind in ("cumulative", "simple"):
        one = found[kind]
        assert one.replicas.shape == (2,) and one.values.shape == (9,)
        assert one.own == (np.count_nonzero(one.values < one.true) + 1) / 10
        assert np.all((one.replicas >= 0.1) & (one.replicas <= 1.0))
