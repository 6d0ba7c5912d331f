import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from simulation.paper.experiments import ExperimentOptions
from simulation.paper.findings import findings
from simulation.paper.stored import stored_experiments
from simulation.study.comparison import compare_with_bounds
from tests.simulation.paper.running import run_figure

SMALL = ExperimentOptions(seeds=3, initial=2, rounds=3, grid=Grid(2, 1.0, 4))


@pytest.fixture
def stored(tmp_path):
    """The folder of an experiment, and its studies."""
    return tmp_path, run_figure("figure-2", SMALL, tmp_path / "figure-2" / "matern52-beta")


def test_what_is_read_is_what_was_run(stored):
    root, studies = stored
    (found,) = stored_experiments(root)
    assert (found.figure, found.variant) == ("figure-2", "matern52-beta")
    assert (found.seeds, found.initial, found.rounds) == (3, 2, 3)
    for name, study in studies.items():
        for policy, runs in study.trajectories.items():
            regrets = [run.regrets.sum() / 5 for run in runs]
            assert found.regrets[name][policy].mean == pytest.approx(np.mean(regrets))
            assert found.regrets[name][policy].sd == pytest.approx(np.std(regrets, ddof=1))
    assert repr(found.findings) == repr(findings(studies))
    for name, study in studies.items():
        assert found.floors[name].value == compare_with_bounds(study).protocol.value > 0


def test_what_is_not_there_or_not_finished_is_named(stored, tmp_path):
    with pytest.raises(InvalidInput, match="--out DIR"):
        stored_experiments(tmp_path / "nothing")
    cell = tmp_path / "figure-2" / "matern52-beta" / "length-1" / "tv-1.npz"
    cell.unlink()
    with pytest.raises(InvalidInput, match="lacks runs"):
        stored_experiments(stored[0])
    (cell.parent / "study.json").unlink()
    with pytest.raises(InvalidInput, match="give the folder that ctv simulate --out wrote"):
        stored_experiments(stored[0])


def test_studies_of_different_seeds_are_not_compared(stored):
    root, _ = stored
    other = ExperimentOptions(seeds=2, initial=2, rounds=3, grid=Grid(2, 1.0, 4))
    run_figure("figure-2", other, root / "other")
    folder = root / "figure-2" / "matern52-beta" / "length-10"
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    (root / "other" / "length-10").rename(folder)
    with pytest.raises(InvalidInput, match="different seeds"):
        stored_experiments(root)
