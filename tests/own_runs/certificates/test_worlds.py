"""Worlds beside the family: what they draw, and a study that goes on where it was."""

from pathlib import Path

import numpy as np
import pytest

from own_runs.certificates import worlds as room
from own_runs.certificates.worlds import WORLDS, Row, counted, main, rows_of, simulated, written
from simulation.after_run.coverage import binomial_interval


@pytest.mark.parametrize("world", WORLDS[::4], ids=lambda world: world.name)
def test_a_world_is_a_log(world):
    log, f, played = simulated(world, 1)
    assert log.n == len(played) == len(f) == room.ROUNDS
    assert np.all(np.isfinite(f)) and np.allclose(log.durations, 1 + 2 * log.points[:, 0])
    seen = f[np.arange(log.n), played]
    errors = log.values - seen
    assert np.std(errors) < 0.6 and abs(np.mean(errors)) < 0.2


def test_a_root_is_one_of_its_covariance():
    gaps = np.abs(np.subtract.outer(np.arange(30.0), np.arange(30.0)))
    for world in WORLDS:
        gram = world.time(gaps)
        assert np.allclose(np.diagonal(gram), 1.0)
        root = room._root(gram)
        assert np.allclose(root @ root.T, gram, atol=1e-9)


@pytest.mark.parametrize("name", ["of the family", "periodic in time", "one change point"])
def test_the_certificates_of_a_known_world_hold(name):
    """18th of 19 draws of regret, level 0.9: of 40 logs 29 hold or more but once in 10⁴."""
    (world,) = (one for one in WORLDS if one.name == name)
    held = np.zeros(2)
    for seed in range(40):
        log, f, played = simulated(world, seed)
        true = room.regrets(f, played, 7)
        held += np.array(true) <= room.truth_of(world, log, played, 7, seed, room.PATHS)
    assert np.all(held >= 29)


def test_a_study_goes_on_where_it_was(tmp_path, monkeypatch):
    asked = []

    def row_of(world, seed, *, paths):
        asked.append((world.name, seed))
        truth = (4.0, 0.2) if seed else (None, None)
        return Row(world.name, seed, 1.0, 2.0, 0.5, 0.1, *truth)

    monkeypatch.setattr(room, "row_of", row_of)
    file = tmp_path / "worlds.json"
    main([str(file), "--runs", "1"])
    main([str(file), "--runs", "2"])
    assert len(asked) == 2 * len(WORLDS) == len(set(asked))
    rows = rows_of(file.read_text())
    assert rows_of(written(rows)) == rows
    *_, whole = counted(rows)
    assert whole["world"] == "all of them" and whole["logs"] == 2 * len(WORLDS)
    assert whole["cumulative_held"] == whole["logs"] and whole["simple_held"] == 0
    low, high = binomial_interval(0, 2 * len(WORLDS))
    assert (whole["simple_low"], whole["simple_high"]) == (low, high)
    assert (whole["cumulative_width"], whole["simple_width"]) == (0.5, 0.5)


def test_the_page_shows_the_bundled_study():
    page = (Path(__file__).parents[3] / "docs" / "logs.md").read_text(encoding="utf-8")
    assert room.table() in page
