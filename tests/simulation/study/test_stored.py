"""Manifests that say what no study says, although they fit their key."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.study.folder import digest
from simulation.study.stored import StoredStudy, stored_runs, stored_spec
from simulation.study.study import StudySpec, run_study

SPEC = StudySpec(
    Problem(EvaluationTimes.from_durations([1.0]), domain=Grid(1, 1.0, 5)),
    seeds=2,
    initial=2,
    rounds=2,
)
CHANGES = [
    ("policies", "tv"),
    ("policies", ["tv", 3]),
    ("seed", [0]),
    ("seeds", 10**10),
    ("seeds", True),
    ("rounds", -1),
    ("noise_variance", "0.01"),
    ("domain", "Grid(2)"),
    ("domain", "7"),
    ("domain", "np.float64()"),
]


def changed(folder: Path, name: str, value: object) -> None:
    """Write the manifest with another value, and the key of that."""
    manifest = folder / "study.json"
    identity = {**json.loads(manifest.read_text())["study"], name: value}
    key = digest(json.dumps(identity, sort_keys=True).encode())
    manifest.write_text(json.dumps({"key": key, "study": identity}))


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_a_manifest_that_no_study_has_is_refused(tmp_path, name, value):
    run_study(SPEC, tmp_path)
    changed(tmp_path, name, value)
    with pytest.raises(InvalidInput, match=f"^{name} of the study = .*study.json cannot be read"):
        stored_runs(tmp_path)


def test_a_manifest_that_lacks_something_is_refused(tmp_path):
    run_study(SPEC, tmp_path)
    study = stored_runs(tmp_path)
    for name in ("setting", "model_kernel", "readings", "evaluation_time"):
        identity = {key: value for key, value in study.identity.items() if key != name}
        with pytest.raises(InvalidInput, match=f"{name} of the study = nothing"):
            stored_spec(replace(study, identity=identity), study.runs[0])


def test_the_type_of_a_number_in_a_manifest_does_not_matter(tmp_path):
    run_study(SPEC, tmp_path)
    study = stored_runs(tmp_path)
    said = "Matern(nu=2.5, lengthscale=np.float64(0.2))"
    found = stored_spec(
        replace(study, identity={**study.identity, "model_kernel": said}), study.runs[0]
    )
    assert repr(found.model_kernel) == said.replace("np.float64(0.2)", "0.2")


def test_what_is_missing_is_counted_for_the_policies_asked_about(tmp_path):
    run_study(SPEC, tmp_path)
    (tmp_path / "random-0.npz").unlink()
    (tmp_path / "random-1.npz").write_bytes(b"")
    study: StoredStudy = stored_runs(tmp_path)
    assert study.missing == (("random", 0), ("random", 1))
    assert study.lacking(("ctv-fixed",)) == ""
    assert study.lacking(("random",)).startswith("2 of 2 runs are missing or damaged (random-0, ")
    assert study.lacking(("ctv-fixed", "random")).startswith("2 of 4 runs")
