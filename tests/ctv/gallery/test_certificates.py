"""The figure `certificates`: what it shows is what the packages compute."""

from pathlib import Path

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from ctv.figures.canvas import rendered
from ctv.figures.runs import certificates
from ctv.gallery.certificates import certified_runs
from simulation.runs.run import simulate
from simulation.world.evaluation_time import constant

PROBLEM = Problem(EvaluationTimes.from_durations([3.0] * 8), domain=Grid(2, 1.0, 5))


def test_picture_holds_runs_certificates_and_bounds() -> None:
    seen = certified_runs(PROBLEM, range(3), "theory", lambda stage, share: None, longest=6)
    runs = [
        simulate(PROBLEM, constant(3.0, 6), seed=seed, initial=0, rounds=6, exploration="theory")
        for seed in range(3)
    ]
    assert seen.regrets == pytest.approx([float(run.cumulative_regret[-1]) for run in runs])
    assert set(seen.certificates) == {"rank", "expected", "probability"}
    assert all(len(values) == 3 for values in seen.certificates.values())
    assert seen.counted
    assert min(seen.bounds.values()) > np.max(seen.certificates["rank"])
    assert rendered(certificates.draw(seen), ".svg") == rendered(certificates.draw(seen), ".svg")


def test_command(ctv, tmp_path: Path) -> None:
    path = tmp_path / "certificates.svg"
    words = ("--n", "5", "--total", "5", "--grid", "5", "--runs", "2", "--out", path, "--json")
    assert ctv("figure", "certificates", *words).json["path"] == str(path)
    assert ctv("figure", "coverage", "--out", path.with_name("c.svg"), "--json").json
