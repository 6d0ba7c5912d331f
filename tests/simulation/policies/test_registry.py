"""The registry of policies: names, clashes, strangers, and what classes say of themselves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bounds.errors import InvalidInput
from simulation.laws.knowledge import every_policy_says_what_it_is
from simulation.policies.registry import (
    _BUILT_IN,
    forget,
    names,
    policies,
    policy_named,
    register,
)
from simulation.policies.yardsticks import RandomChoice

ROOT = Path(__file__).resolve().parents[3]

STRANGER = '''
"""A policy of somebody else, in one file."""

from simulation.policies.base import Criterion, ModelPolicy


class Timid(ModelPolicy):
    """Plays where it knows most."""

    name, title = "timid", "Timid"
    has_weight = False

    def criterion(self, round_index):
        return Criterion(round_index, weight=-1.0)
'''


def test_names_are_known_before_anything_is_loaded() -> None:
    said = "from simulation.policies.registry import names; import sys; names()\n"
    said += "assert not {'numba', 'scipy', 'simulation.policies.base'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", said], cwd=ROOT, check=True)
    assert list(policies()) == list(names()) == list(_BUILT_IN)


def test_every_policy_says_what_it_is() -> None:
    every_policy_says_what_it_is()
    anchors = (ROOT / "docs/theory.md").read_text(encoding="utf-8")
    for policy in policies().values():
        assert policy.summary and policy.colour
        for anchor in policy.covered_by:
            assert f'<a id="{anchor}"></a>' in anchors
    covered = [name for name, policy in policies().items() if policy.covered_by]
    assert covered == ["ctv-fixed"]
    assert [name for name, policy in policies().items() if policy.sees_objective] == ["clairvoyant"]


def test_two_policies_have_two_names() -> None:
    class Mine(RandomChoice):
        name, title = "mine", "Mine"

    class Other(RandomChoice):
        name, title = "mine", "Other"

    class Nameless(RandomChoice):
        name = ""

    class Taken(RandomChoice):
        name = "tv"

    assert register(Mine) is Mine and register(Mine) is Mine
    try:
        assert policy_named("mine") is Mine and names()[-1] == "mine"
        with pytest.raises(InvalidInput, match="policy = mine: is the name of another"):
            register(Other)
    finally:
        forget("mine")
    assert "mine" not in names()
    with pytest.raises(InvalidInput, match="policy = tv: is the name of another"):
        register(Taken)
    with pytest.raises(InvalidInput, match="policy = Nameless: give the class a name"):
        register(Nameless)


def test_a_strangers_policy_in_one_file_plays_in_every_process(tmp_path: Path) -> None:
    """By an entry point of its package; here with two workers, on the box."""
    (tmp_path / "timid.py").write_text(STRANGER, encoding="utf-8")
    package = tmp_path / "timid-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: timid\nVersion: 1.0\n")
    entry = "[ctv_bounds.policies]\ntimid = timid:Timid\n"
    (package / "entry_points.txt").write_text(entry, encoding="utf-8")
    few = ["--policy", "timid,random", "--runs", "2", "--initial", "2", "--rounds", "3"]
    words = [sys.executable, "-m", "ctv", "simulate", *few, "--grid", "4", "--json"]
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        [*words, "--domain", "box", "--workers", "2"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert list(json.loads(done.stdout)["policies"]) == ["timid", "random"]
    listed = subprocess.run(
        [sys.executable, "-m", "ctv", "simulate", "--help"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "timid" in listed.stdout
