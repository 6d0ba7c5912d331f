"""Bugs planted in the source itself, one at a time: the laws as `make test` runs them find each.

Of `test_planted`, which replaces functions while it runs, these are the ones that a copy of the
packages with one line changed shows to be found whoever calls that line.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]

SMALL_RUN = """
from simulation.laws.case import play
from simulation.laws.choice_laws import choice_laws
from simulation.laws.inequality import require
from simulation.policies.registry import names
from simulation.laws.drawn import cases
from simulation.laws.formula_laws import order_statistic
from simulation.laws.looked_at import Looked
from simulation.laws.policy_laws import hold
from simulation.laws.sameness import SAMENESS_LAWS

looked = Looked()
hold(looked.at, cases(), 110, shrink=False)
looked.runs.require()
for law in (*SAMENESS_LAWS, order_statistic):
    hold(law, cases(longest=8, largest=16), 10, shrink=False)
for policy in names():
    drawn = cases(policies=(policy,), longest=10, largest=20)
    hold(lambda case: require(choice_laws(play(case))), drawn, 15, shrink=False)
"""
"""What `test_properties` asks of every problem, without making what fails small."""


class Mutant(NamedTuple):
    """One line of the source, and the same line with a bug."""

    path: str
    right: str
    wrong: str


MUTANTS = {
    "beta: union over rounds": Mutant(
        "bounds/formulas.py", "a.pi**2 * n**2 / 6", "a.pi**2 * n / 6"
    ),
    "beta: its root forgotten by policies": Mutant(
        "simulation/policies/base.py",
        "return np.sqrt(betas(self.problem, self.evaluation_time, numbers))",
        "return betas(self.problem, self.evaluation_time, numbers)",
    ),
    "Theorem C: longest time counted once": Mutant(
        "bounds/confidence/point_times.py", "exactly * Fraction(m)", "exactly"
    ),
    "C1 of the regret": Mutant("bounds/formulas.py", "return 8 / a.log1p", "return 4 / a.log1p"),
    "gain of a run: a half lost": Mutant(
        "simulation/runs/run.py",
        "np.cumsum(0.5 * np.log1p(self.deviations**2",
        "np.cumsum(np.log1p(self.deviations**2",
    ),
    "gain of a design: a half lost": Mutant(
        "bounds/static_gain/information.py",
        "np.asarray(0.5 * np.log1p(_left(gram, noise_variance)[0]))",
        "np.asarray(np.log1p(_left(gram, noise_variance)[0]))",
    ),
    "lower side of the gain: a half lost": Mutant(
        "bounds/static_gain/information.py",
        "max(noise_free, 0.5 * float(np.sum(np.log1p(left))))",
        "max(noise_free, float(np.sum(np.log1p(left))))",
    ),
    "C: its first round forgotten": Mutant(
        "bounds/partitions/uniformity.py", "_windowed(times.waits,", "_windowed(times.waits[1:],"
    ),
    "phi without its last term": Mutant("bounds/formulas.py", "a.log(x) + 1 / x", "a.log(x)"),
    "additive: half of the drift": Mutant(
        "bounds/formulas.py", "(scaled / rounds) / noise) / 2", "(scaled / rounds) / noise) / 4"
    ),
    "refined: half of the drift": Mutant(
        "bounds/formulas.py", "a.log1p(deficit / noise) / 2", "a.log1p(deficit / noise) / 4"
    ),
    "any pattern: a factor lost": Mutant(
        "bounds/gain/upper/any_pattern.py", "a.sqrt(2 * of.gamma", "a.sqrt(of.gamma"
    ),
    "joint dual: half of it": Mutant(
        "bounds/drifting_gain/joint_dual.py", "_Step(0.5 * bound,", "_Step(0.25 * bound,"
    ),
    "floors: four times too high": Mutant(
        "bounds/regret/ingredients/full_information.py", "_DOWN = 1.0 - 2.0**-49", "_DOWN = 4.0"
    ),
    "posterior: what is known ages too slowly": Mutant(
        "simulation/model/posterior.py", "self._explained *= a * a", "self._explained *= a"
    ),
    "CTV-fixed: the time of the round before": Mutant(
        "simulation/policies/finite.py",
        "return self._setup.evaluation_time.of_round(round_index)",
        "return self._setup.evaluation_time.of_round(round_index - 1)",
    ),
    "noise: the variance for the deviation": Mutant(
        "bounds/noise.py", "self.variance**0.5 * normals", "self.variance * normals"
    ),
    "world: the variance for the deviation": Mutant(
        "simulation/world/environment.py",
        "float(np.sqrt(kernel.deficit(gap)))",
        "float(kernel.deficit(gap))",
    ),
    "certificate: the order statistic below": Mutant(
        "simulation/after_run/simulated.py",
        "np.sort(regrets)[rank - 1]",
        "np.sort(regrets)[rank - 2]",
    ),
}


def small_run(folder: Path) -> subprocess.CompletedProcess[str]:
    """The laws over the packages in this folder, on one core."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return subprocess.run(
        [sys.executable, "-c", SMALL_RUN],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, **threads, "PYTHONPATH": str(folder)},
    )


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    for package in ("bounds", "simulation"):
        shutil.copytree(ROOT / package, tmp_path / package)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_bug_in_the_source_is_found(name: str, copied: Path) -> None:
    mutant = MUTANTS[name]
    file = copied / mutant.path
    text = file.read_text(encoding="utf-8")
    assert text.count(mutant.right) == 1
    file.write_text(text.replace(mutant.right, mutant.wrong), encoding="utf-8")
    done = small_run(copied)
    assert done.returncode != 0, "not found"
    said = done.stderr.strip().splitlines()
    assert any(line.startswith("AssertionError") for line in said), done.stderr[-2000:]


@pytest.mark.slow
def test_nothing_is_found_in_the_source_as_it_is(copied: Path) -> None:
    done = small_run(copied)
    assert done.returncode == 0, done.stderr[-2000:]
