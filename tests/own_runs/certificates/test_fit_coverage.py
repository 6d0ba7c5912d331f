"""The study of fitted priors: the logs it draws, what it certifies, how it counts and keeps."""

import csv
import json
from dataclasses import asdict
from importlib.resources import files
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from own_runs.certificates import fit_coverage as room
from own_runs.certificates.fit_coverage import (
    METHODS,
    QUANTITIES,
    TABLES,
    FitCoverage,
    Setting,
    bundled_coverage,
    certificates_of,
    certified_runs,
    counted,
    covered_of,
    main,
    plugged_in_share,
    settings,
    settings_of_tables,
    simulated_trace,
    studies_of,
    to_json,
)
from own_runs.certificates.search_space import SearchSpace
from own_runs.logs.axes import Axis
from simulation.after_run.coverage import binomial_interval
from simulation.prior.evidence import Member
from tests.simulation.model.test_sampling import law_of

SQUARE = SearchSpace.of((Axis("x1", 0.0, 1.0), Axis("x2", 0.0, 1.0)), np.empty((0, 2)), 9)


def test_settings_are_all_combinations() -> None:
    expected = product(
        ("se", "matern52"), (1e-3, 1e-2, 1e-1), (0.2, 0.4), (60, 9), ("random", "ucb")
    )
    found = settings((60, 9))
    assert len(found) == len(set(found)) == 48
    assert set(found) == {
        Setting(
            kernel=k,
            epsilon=e,
            lengthscale=ell,
            noise_variance=0.01,
            rounds=n,
            policy=p,
            steps=10,
            table="",
        )
        for k, e, ell, n, p in expected
    }
    assert {setting.rounds for setting in settings()} == {60}
    tables = settings_of_tables()
    assert {(one.table, one.policy, one.rounds) for one in tables} == {
        (t, p, 60) for t in TABLES for p in ("ucb", "random")
    }
    assert len(tables) == 4 and [one.rounds for one in settings_of_tables((7, 8))][::4] == [7, 8]
    truth = Setting("matern52", 0.19, 0.3, 0.04).truth
    assert truth == Member("matern52", pytest.approx(-0.5 * np.log(0.81)), (0.3, 0.3), 0.04)


@pytest.mark.parametrize("kernel", ["se", "matern52"])
def test_the_truth_drifts_with_the_law_of_its_setting(kernel: str) -> None:
    setting = Setting(kernel, 0.19, 0.5, 0.04)
    played, spans = (4, 8), []

    def drawn(stream) -> np.ndarray:
        world = room._Drifting(setting, SQUARE, stream)
        spans.clear()
        found = []
        for x in played:
            duration, f, value = world.evaluate(x, stream)
            spans.append(duration)
            found += [f, [value]]
        return np.concatenate(found)

    center, covariance = law_of(drawn)
    assert np.all(center == 0.0) and spans == [2.0, 3.0]
    gram = setting.truth.between(SQUARE.sites, SQUARE.sites)
    kept = np.exp(-setting.truth.rate * 3.0)
    whole = np.kron([[1.0, kept], [kept, 1.0]], gram)
    at = [4, 9 + 8]
    order = [*range(9), 18, *range(9, 18), 19]
    both = np.block([[whole, whole[:, at]], [whole[at], whole[np.ix_(at, at)] + 0.04 * np.eye(2)]])
    np.testing.assert_allclose(covariance, both[np.ix_(order, order)], atol=1e-6)


def test_a_log_holds_what_its_world_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The points of a world that draws nothing are those of the log's own stream."""
    asked: list[tuple] = []

    class World:
        def __init__(self, setting, space, rng) -> None:
            self.rounds = 0

        def evaluate(self, x, rng):
            self.rounds += 1
            return 1.0 + x, np.arange(9.0) * self.rounds, 100.0 + x

    def upper(sites, played, values, times) -> int:
        asked.append((len(sites), played.tolist(), values.tolist(), times.tolist()))
        return 5

    monkeypatch.setattr(room, "_Drifting", World)
    monkeypatch.setattr(room, "upper_confidence", upper)
    for policy, rounds in (("random", 20), ("ucb", 17)):
        asked.clear()
        log, regret, f = simulated_trace(Setting(rounds=rounds, policy=policy, steps=3), 4)
        rng = np.random.default_rng(np.random.SeedSequence([4, rounds], spawn_key=(9,)))
        points = rng.integers(9, size=rounds)
        if policy == "ucb":
            points[15:] = 5
            assert [one[1] for one in asked] == [points[:15].tolist(), points[:16].tolist()]
            assert asked[0][2] == (100.0 + points[:15]).tolist()
            assert asked[0][3] == np.cumsum(1.0 + points[:15]).tolist() and asked[0][0] == 9
        else:
            assert not asked
        assert np.array_equal(log.points, SQUARE.sites[points])
        assert np.array_equal(log.values, 100.0 + points)
        assert np.array_equal(log.durations, 1.0 + points)
        assert np.array_equal(log.times, np.cumsum(1.0 + points))
        assert np.array_equal(log.starts, log.times - log.durations)
        assert regret == sum((i + 1) * (8.0 - x) for i, x in enumerate(points))
        assert np.array_equal(f, np.arange(9.0) * rounds)
        assert (log.direction, log.now, log.unit, log.source) == (
            "maximize",
            log.times[-1],
            "s",
            "run 4",
        )
        assert (log.clock, log.skipped, log.notes, log.noise) == (None, {}, (), None)
        assert log.rows == tuple(range(1, rounds + 1)) and log.pending.shape == (0, 2)
        assert [str(axis) for axis in log.axes] == ["x1=0..1", "x2=0..1"]


@pytest.mark.parametrize("name", TABLES)
def test_a_table_answers_with_its_own_cells(name: str) -> None:
    text = (files("own_runs") / "data" / f"{name}.csv").read_text(encoding="utf-8")
    cells = [[float(word) for word in row] for row in list(csv.reader(text.splitlines()))[1:]]
    world, rng = room._Table(name), np.random.default_rng(0)
    for x in (0, 57, len(cells) - 1):
        seconds, f, value = world.evaluate(x, rng)
        assert seconds == cells[x][2] and value in cells[x][3:]
        assert f == pytest.approx([sum(row[3:]) / len(row[3:]) for row in cells])
    drawn = {world.evaluate(3, rng)[2] for _ in range(200)}
    assert drawn == set(cells[3][3:])
    log, regret, f = simulated_trace(Setting(rounds=3, policy="random", table=name), 0)
    places = [int(np.argmax(np.all(room_sites() == x, axis=1))) for x in log.points]
    assert log.durations == pytest.approx([cells[x][2] for x in places])
    assert regret == pytest.approx(sum(f.max() - f[x] for x in places))


def room_sites() -> np.ndarray:
    axis = np.linspace(0.0, 1.0, 10)
    return np.array([(a, b) for a in axis for b in axis])


@pytest.mark.parametrize("table", ["", TABLES[0]])
def test_a_log_is_certified_under_the_fit_its_best_and_the_truth(monkeypatch, table) -> None:
    fitted = SimpleNamespace(best=2, alone=lambda index: ("alone", index))
    seen = []
    monkeypatch.setattr(
        room,
        "fit",
        lambda log, seed: seen.append((log, seed)) or SimpleNamespace(candidates=fitted),
    )

    def certify_log(log, candidates, stop_below=None, **options):
        """A row of its own for each set; the second says go on."""
        seen.append((log, candidates, options))
        first = len(seen) // 2
        if stop_below is not None:
            assert stop_below == pytest.approx(0.5 * np.std(log.values))
            return SimpleNamespace(stop=SimpleNamespace(stop=first != 2))
        values = [SimpleNamespace(value=10.0 * k + first) for k in (1, 2)]
        return SimpleNamespace(certificates=values, recommended=first + 1)

    monkeypatch.setattr(room, "certify_log", certify_log)
    setting = Setting(rounds=4, steps=10 if table else 3, policy="random", table=table)
    found = certificates_of(setting, 6, paths=9, delta=0.2)
    log, regret, f = simulated_trace(setting, 6)
    assert np.array_equal(seen[0][0].values, log.values)
    assert seen[0][1] == 6 and all(one[0] is seen[0][0] for one in seen)
    options = {"paths": 9, "delta": 0.2, "seed": 6, "sites": setting.steps**2}
    assert all(one[2] == options for one in seen[1:])
    assert seen[1][1] is fitted and seen[3][1] == ("alone", 2)
    methods = METHODS[:2] if table else METHODS
    axis = np.linspace(0.0, 1.0, setting.steps)
    grid = np.array(list(product(axis, axis)))
    own = [f.max() - f[np.argmin(np.abs(grid - x).sum(axis=1))] for x in log.points]
    simple = {m: (own[k + 2 - 1], 20.0 + k + 1) for k, m in enumerate(methods)}
    assert found["cumulative"] == {m: (regret, 11.0 + k) for k, m in enumerate(methods)}
    assert found["simple"] == simple
    assert found["stopped"] == {m: simple[m] for m in methods if m != METHODS[1]}
    if table:
        return
    truth = seen[5][1]
    assert truth.members == (setting.truth,) and truth.exact
    # m = 0 and s = 1, as good as known.
    assert truth.posterior.center.tolist() == [0.0] and truth.posterior.spread.tolist() == [0.0]
    assert truth.posterior.scale / truth.posterior.shape == pytest.approx([1.0], abs=1e-6)
    assert truth.mean_and_scale.shape == 1e9


def all_held(regret: float, value: float) -> dict:
    """What a log says where every certificate is this one; nobody stops."""
    pairs = dict.fromkeys(METHODS, (regret, value))
    return {"cumulative": pairs, "simple": pairs, "stopped": {}}


def test_runs_take_turns_and_seeds_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def certificates(setting, seed, *, paths, delta):
        asked.append((setting, seed, paths, delta))
        return all_held(1.0, seed + 1.0)

    monkeypatch.setattr(room, "certificates_of", certificates)
    first, second = Setting(rounds=4), Setting(rounds=5)
    rows = list(certified_runs((first, second), 2))
    assert asked == [
        (first, 0, 19, 0.1),
        (second, 1000, 19, 0.1),
        (first, 1, 19, 0.1),
        (second, 1001, 19, 0.1),
    ]
    assert rows == [
        (first, all_held(1.0, 1.0)),
        (second, all_held(1.0, 1001.0)),
        (first, all_held(1.0, 2.0)),
        (second, all_held(1.0, 1002.0)),
    ]
    asked.clear()
    list(certified_runs((first, second), 2, paths=9, delta=0.2, seed=7))
    assert [one[1:] for one in asked] == [(s, 9, 0.2) for s in (7, 1007, 8, 1008)]


def test_counts_are_of_all_rows_and_of_each_setting() -> None:
    drawn, table = Setting(rounds=4), Setting(rounds=4, table=TABLES[0])
    mixture, plugged, true = METHODS

    def log(regret, *values):
        return {m: (regret, value) for m, value in zip(METHODS, values, strict=False)}

    logs = [
        (drawn, log(2.0, 2.0, 1.0, 4.0), log(0.5, 1.0, 0.0, 0.0), (mixture,)),
        (table, log(2.0, 5.0, 2.5), log(0.0, 0.0, 0.0), (mixture, plugged)),
        (drawn, log(1.0, 3.0, 0.5, 1.0), log(0.5, 0.4, 0.6, 0.2), (mixture, true)),
        (drawn, log(9.0, 3.0, 8.0, 2.0), log(0.5, 0.3, 0.9, 0.8), ()),
    ]
    rows = [
        (setting, {"cumulative": whole, "simple": end, "stopped": {m: end[m] for m in stops}})
        for setting, whole, end, stops in logs
    ]
    found = {(one.setting, one.quantity, one.method): one for one in counted(rows, 0.2)}
    groups = {None: METHODS, drawn: METHODS, table: METHODS[:2]}
    assert [key for key in found if key[1] == "cumulative"] == [
        (group, "cumulative", method) for group, methods in groups.items() for method in methods
    ]
    # Median of the certificates over that of the true prior, of the mixture where there is none.
    for key, covered, runs, width in (
        ((None, "cumulative", mixture), 3, 4, 3.0 / 3.0),
        ((None, "cumulative", plugged), 1, 4, 1.75 / 3.0),
        ((None, "cumulative", true), 2, 3, 1.0),
        ((drawn, "cumulative", mixture), 2, 3, 3.0 / 2.0),
        ((table, "cumulative", plugged), 1, 1, 0.5),
        ((None, "simple", mixture), 2, 4, 0.35 / 0.1),
        ((drawn, "simple", plugged), 2, 3, 0.6 / 0.2),
        ((drawn, "simple", true), 1, 3, 1.0),
        ((table, "simple", mixture), 1, 1, None),
        ((None, "stopped", mixture), 2, 3, None),
        ((drawn, "stopped", mixture), 1, 2, 0.7 / 0.1),
        ((drawn, "stopped", true), 0, 1, 1.0),
        ((table, "stopped", plugged), 1, 1, None),
    ):
        low, high = binomial_interval(covered, runs)
        expected = width if width is None else pytest.approx(width)
        assert found[key] == FitCoverage(
            *key, level=0.8, covered=covered, runs=runs, low=low, high=high, width=expected
        )
    assert (drawn, "stopped", plugged) not in found


def test_studies_survive_their_file() -> None:
    studies = {"drawn, 60 rounds": counted([(Setting(), all_held(1.0, 2.0))], 0.1), "none": ()}
    text = to_json(studies)
    assert studies_of(text) == {"drawn, 60 rounds": studies["drawn, 60 rounds"]}
    assert text.endswith("]\n") and text.startswith('[\n {\n  "study": "drawn, 60 rounds",')
    assert [json.loads(text)[3]["setting"]] == [asdict(Setting())]
    whole = [
        (name, row)
        for name, rows in bundled_coverage().items()
        for row in rows
        if row.setting is None
    ]
    for (quantity, method), start in product(product(QUANTITIES, METHODS), ("", "drawn")):
        own = [
            row
            for name, row in whole
            if name.startswith(start)
            if (row.quantity, row.method) == (quantity, method)
        ]
        expected = sum(row.covered for row in own), sum(row.runs for row in own)
        assert covered_of(quantity, method, start) == expected
    assert plugged_in_share() == covered_of("cumulative", "plugged in")


def test_the_command_puts_a_study_in_its_place(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, written = [], []

    def runs(chosen, count, *, seed):
        asked.append((chosen, count, seed))
        for setting in chosen[:2]:
            written.append(place.exists() and place.read_text("utf-8"))
            yield setting, all_held(1.0, 2.0)

    monkeypatch.setattr(room, "certified_runs", runs)
    place = tmp_path / "study.json"
    main([str(place), "--tables", "--rounds", "9"])
    main([str(place)])
    main([str(place), "--rounds", "300", "--runs", "2", "--seed", "5", "--every", "3"])
    main([str(place), "--rounds", "9", "--tables", "--every", "2"])
    assert asked == [
        (settings_of_tables((9,)), 12, 0),
        (settings((60,)), 12, 0),
        (settings((300,))[::3], 2, 5),
        (settings_of_tables((9,))[::2], 12, 0),
    ]
    held = studies_of(place.read_text("utf-8"))
    assert list(held) == ["drawn, 60 rounds", "drawn, 300 rounds", "real fits, 9 rounds"]
    assert held["drawn, 60 rounds"] == counted(
        [(one, all_held(1.0, 2.0)) for one in settings()[:2]], 0.1
    )
    # After every log the file holds what there is, and the other studies.
    assert written[0] is False
    assert studies_of(written[-1])["real fits, 9 rounds"] == counted(
        [(settings_of_tables((9,))[0], all_held(1.0, 2.0))], 0.1
    )
    assert list(studies_of(written[-1])) == list(held)
