"""The scale of an input by evidence: it finds the one that was searched, and says by how much."""

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from scipy import special

from bounds.errors import InvalidInput
from own_runs.logs.axes import Axis, parse_domain
from own_runs.logs.columns import Columns
from own_runs.logs.reader import read_log
from own_runs.prior.fit import fit
from own_runs.prior.scales import DECIDED, as_fitted, by_evidence, log_evidence, with_scales
from simulation.prior.hyperprior import Hyperprior


def log_of(tmp_path, rows, names=("lr",)):
    file = tmp_path / "log.csv"
    lines = [",".join((*names, "duration", "y"))]
    lines += [",".join(f"{cell:.9g}" for cell in (*row[:-1], 1.0, row[-1])) for row in rows]
    file.write_text("\n".join(lines) + "\n")
    return read_log(file, direction="maximize", columns=Columns(x=names))


def searched(tmp_path, y, n=40, seed=0):
    """n rows of an input over nearly three decades, y of its logarithm in [0, 1] or of itself."""
    rng = np.random.default_rng(seed)
    lr = 10.0 ** rng.uniform(-4.0, -1.03, n)
    return log_of(tmp_path, [(x, y(x) + 0.05 * rng.standard_normal()) for x in lr])


def test_what_moves_with_the_logarithm_is_taken_by_logarithm(tmp_path) -> None:
    log = searched(tmp_path, lambda x: -((np.log10(x) + 2.2) ** 2))
    assert log.unsaid == ("lr",) and not log.axes[0].log
    found = by_evidence(log)
    assert found.axes[0].log and found.unsaid == ()
    low, high = np.log([log.axes[0].low, log.axes[0].high])
    x = log.axes[0].from_unit(log.points[:, 0])
    assert found.points[:, 0] == pytest.approx((np.log(x) - low) / (high - low), abs=1e-12)
    assert np.array_equal(found.values, log.values)
    (note,) = [one for one in found.notes if one not in log.notes]
    nats = log_evidence(found) - log_evidence(log)
    assert nats > 20.0 and f"by logarithm, which the evidence prefers by {nats:.1f} nats" in note
    # The evidence of the fit itself, by importance sampling over every option.
    believed = Hyperprior()
    totals = []
    for one in (log, found):
        chances = believed.structures(1)
        rows = fit(one, draws=200, hyperprior=believed).structures
        totals.append(
            special.logsumexp([row.log_evidence + np.log(chances[row.structure]) for row in rows])
        )
    assert totals[1] - totals[0] == pytest.approx(nats, abs=2.0)


def test_what_moves_with_the_input_itself_stays_even(tmp_path) -> None:
    log = searched(tmp_path, lambda x: 5.0 * np.sin(100.0 * x), n=60)
    found = by_evidence(log)
    assert (
        not found.axes[0].log and "taken as even, which the evidence prefers by" in found.notes[-1]
    )
    assert f'say --domain "{log.axes[0]} log"' in found.notes[-1]
    assert np.array_equal(found.points, log.points)


def test_what_does_not_move_decides_nothing_and_asks(tmp_path) -> None:
    log = searched(tmp_path, lambda x: 0.0, n=20)
    found = by_evidence(log)
    assert abs(log_evidence(log) - log_evidence(with_scales(log, {"lr"}))) <= DECIDED
    assert not found.axes[0].log and "does not decide its scale" in found.notes[-1]
    assert 'if it was searched by logarithm, say --domain "lr=' in found.notes[-1]


def test_each_input_has_a_scale_of_its_own(tmp_path) -> None:
    rng = np.random.default_rng(1)
    a, b, c = 10.0 ** rng.uniform(-4, -1, 60), 10.0 ** rng.uniform(0, 2, 60), rng.random(60)
    y = -((np.log10(a) + 2.2) ** 2) + np.sin(b / 12.0) + c + 0.05 * rng.standard_normal(60)
    log = log_of(tmp_path, np.stack([a, b, c + 1.0, y], axis=1), ("a", "b", "c"))
    assert log.unsaid == ("a", "b")
    found = by_evidence(log)
    assert [axis.log for axis in found.axes] == [True, False, False]
    assert log_evidence(found) == max(
        log_evidence(with_scales(log, set(names))) for names in ((), ("a",), ("b",), ("a", "b"))
    )
    again = as_fitted(log, [str(axis) for axis in found.axes])
    assert again.axes == found.axes and np.array_equal(again.points, found.points)


def test_what_to_write_for_an_input_of_some_rows_can_be_read(tmp_path) -> None:
    """It names the input that decides, without which a condition is refused."""
    rng, file = np.random.default_rng(3), tmp_path / "log.csv"
    lines = ["kernel,gamma,duration,y"]
    for i in range(24):
        gamma = "" if i % 2 else f"{10.0 ** rng.uniform(-4.0, 0.0):.6g}"
        lines.append(f"{'linear' if i % 2 else 'rbf'},{gamma},1,{rng.standard_normal():.4f}")
    file.write_text("\n".join(lines) + "\n")
    log = read_log(file, direction="maximize", columns=Columns(x=("kernel", "gamma")))
    (said,) = re.findall(r'say --domain "(.*?)"', by_evidence(log).notes[-1])
    deciding, gamma = parse_domain(said)
    assert deciding == log.axes[0] and gamma == replace(
        log.axes[1], log=True, low=gamma.low, high=gamma.high
    )
    assert (gamma.low, gamma.high) == pytest.approx((log.axes[1].low, log.axes[1].high), rel=1e-5)


def test_what_was_said_is_left_alone_and_pending_points_move_along(tmp_path) -> None:
    log = searched(tmp_path, lambda x: np.log(x))
    said = replace(log, unsaid=())
    assert by_evidence(said) is said
    waiting = replace(log, pending=np.array([[0.5]]))
    moved = with_scales(waiting, {"lr"})
    axis = Axis("lr", log.axes[0].low, log.axes[0].high, log=True)
    middle = 0.5 * (axis.low + axis.high)
    assert moved.pending[0, 0] == pytest.approx(axis.to_unit(np.array([middle]))[0])


def test_logs_that_are_not_fitted_are_refused(tmp_path) -> None:
    with pytest.raises(InvalidInput, match="the same in every row"):
        by_evidence(log_of(tmp_path, [(10.0**-i, 1.0) for i in range(6)]))
    with pytest.raises(InvalidInput, match="observed rows"):
        by_evidence(log_of(tmp_path, [(1.0, 1.0), (100.0, 2.0)]))


def test_the_bundled_log_has_the_scales_that_its_page_says() -> None:
    log = read_log(files("ctv") / "data" / "optuna_trials.csv", direction="minimize")
    found = by_evidence(log)
    assert [axis.log for axis in found.axes] == [True, False]
    nats = [float(re.search(r"prefers by ([\d.]+) nats", note)[1]) for note in found.notes[-2:]]
    page = (Path(__file__).parents[3] / "docs" / "logs.md").read_text(encoding="utf-8")
    assert f"C by logarithm ({nats[0]:.0f} nats) and γ evenly ({nats[1]:.0f} nats)" in page
