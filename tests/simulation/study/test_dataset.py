import json

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.study.dataset import dataset, open_dataset
from simulation.study.study import StudySpec, run_study

PROBLEM = Problem(EvaluationTimes.from_durations([1.0]), domain=Grid(2, 1.0, 5))
STUDY = run_study(StudySpec(PROBLEM, seeds=3, seed=4, initial=3, rounds=4))


def test_every_array_is_found_by_its_labels(tmp_path):
    labelled = dataset(STUDY)
    assert dict(labelled.sizes) == {"policy": 2, "seed": 3, "round": 7}
    assert labelled.seed.values.tolist() == [4, 5, 6]
    assert labelled["round"].values.tolist() == [1, 2, 3, 4, 5, 6, 7]
    for name, variable in labelled.items():
        assert {"long_name", "units"} <= set(variable.attrs)
        for policy, runs in STUDY.trajectories.items():
            for run in runs:
                found = variable.sel(policy=policy, seed=run.seed).values
                np.testing.assert_array_equal(found, getattr(run, name))


def test_the_attributes_say_what_the_study_is():
    attributes = dataset(STUDY).attrs
    assert attributes["setting"] == "uniform"
    assert attributes["rounds"] == 4
    assert attributes["space_kernel"] == "SquaredExponential(lengthscale=0.2)"
    assert json.loads(attributes["policies"]) == ["ctv-fixed", "random"]
    assert json.loads(attributes["measured"]) is None
    written = {key: value for key, value in STUDY.spec.identity().items() if value is not None}
    as_they_are = {key: attributes[key] for key in written if not isinstance(written[key], list)}
    assert as_they_are == {key: written[key] for key in as_they_are}


def test_a_folder_opens_as_the_same_dataset(tmp_path):
    run_study(STUDY.spec, tmp_path)
    opened, held = open_dataset(tmp_path), dataset(STUDY)
    assert opened.attrs.pop("missing") == 0
    assert opened.identical(held)


def test_an_unfinished_folder_opens_with_gaps(tmp_path):
    run_study(STUDY.spec, tmp_path)
    (tmp_path / "random-5.npz").unlink()
    (tmp_path / "random-6.npz").write_bytes(b"damaged")
    opened = open_dataset(tmp_path)
    assert opened.attrs["missing"] == 2
    gap = opened.sel(policy="random", seed=5)
    assert (gap["points"].values == -1).all()
    assert np.isnan(opened["regrets"].sel(policy="random", seed=6)).all()
    whole = opened.sel(policy="ctv-fixed")
    np.testing.assert_array_equal(
        whole["regrets"], dataset(STUDY).sel(policy="ctv-fixed")["regrets"]
    )


def test_a_folder_without_a_study_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="give the folder of a study"):
        open_dataset(tmp_path)
    (tmp_path / "study.json").write_text("{}")
    with pytest.raises(InvalidInput, match="give the folder of a study"):
        open_dataset(tmp_path)
