"""A study of Optuna that ends when it is good enough, in ten lines and as a terminator."""

import importlib.util
from pathlib import Path

import pytest

optuna = pytest.importorskip("optuna")

from bounds.errors import InvalidInput  # noqa: E402
from own_runs.live.optuna_stopping import StopWhenNotWorthIt, log_of, terminator  # noqa: E402
from simulation.prior.hyperprior import Hyperprior  # noqa: E402

QUICK = {"draws": 30, "hyperprior": Hyperprior(kernels=("matern52",), drift=0.0)}
HUB = Path(__file__).parents[3] / "docs" / "optunahub" / "package" / "samplers" / "ctv"


def study_of(seed=0):
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=seed))


def objective(trial):
    x = trial.suggest_float("x", 0.0, 1.0)
    if trial.number == 4:
        raise optuna.TrialPruned
    return (x - 0.3) ** 2


def with_words(trial):
    """Also over a choice of two words, where posterior paths have no even grid."""
    trial.suggest_categorical("kind", ["a", "b"])
    return objective(trial)


def test_ten_lines():
    study = study_of()
    stop = StopWhenNotWorthIt(below=0.1, every=5, **QUICK)
    study.optimize(with_words, n_trials=60, callbacks=[stop])
    assert 10 < len(study.trials) < 60
    assert stop.verdict.stop and stop.verdict.worth <= 0.3
    assert abs(stop.verdict.incumbent["x"] - 0.3) < 0.32
    assert study.user_attrs["ctv"] == str(stop.verdict)
    log = log_of(study)
    assert log.n == len(study.trials) - 1  # the pruned one has no value
    assert [str(axis) for axis in log.axes] == ["kind=a|b", "x=0..1"]
    assert stop.verdict.incumbent["kind"] in ("a", "b")


def test_it_goes_on_where_it_is_worth_it_and_looks_seldom():
    study = study_of(1)
    stop = StopWhenNotWorthIt(below=1e-12, every=6, attribute="", **QUICK)
    looked = []
    study.optimize(
        objective, n_trials=24, callbacks=[stop, lambda s, t: looked.append(stop._looked)]
    )
    assert len(study.trials) == 24 and not stop.verdict.stop
    assert sorted(set(looked)) == [0, 10, 16, 22]
    assert study.user_attrs == {}


def test_a_price():
    study = study_of(2)
    stop = StopWhenNotWorthIt(price=1e6, every=5, **QUICK)  # of a second
    study.optimize(objective, n_trials=30, callbacks=[stop])
    assert len(study.trials) < 30


def test_the_terminator_of_this_optuna():
    if importlib.util.find_spec("optuna.terminator") is None:
        with pytest.raises(InvalidInput, match=r"no optuna.terminator"):
            terminator(0.1)
        return
    found = terminator(0.1, **QUICK)
    assert isinstance(found, optuna.terminator.BaseTerminator)
    study = study_of(3)
    assert not found.should_terminate(study)
    study.optimize(objective, n_trials=40)
    assert found.should_terminate(study)


def test_infinite_values_are_failures_and_several_objectives_are_refused():
    study = study_of(4)
    stop = StopWhenNotWorthIt(below=0.1, every=5, **QUICK)

    def failing(trial):
        x = trial.suggest_float("x", 0.0, 1.0)
        return float("inf") if trial.number % 9 == 3 else (x - 0.3) ** 2

    study.optimize(failing, n_trials=60, callbacks=[stop])
    values = [trial.value for trial in study.trials]
    assert log_of(study).n == sum(value < 2.0 for value in values) < len(values) < 60
    study = optuna.create_study(directions=["minimize", "maximize"])
    with pytest.raises(InvalidInput, match="study = 2 objectives: give it one"):
        study.optimize(lambda trial: (0.0, 1.0), n_trials=1, callbacks=[stop])


@pytest.mark.parametrize("given", [{}, {"below": 0.1, "price": 1.0}, {"below": 0.1, "every": 0}])
def test_refused(given):
    with pytest.raises(InvalidInput):
        StopWhenNotWorthIt(**given)


def test_the_package_of_optunahub_loads():
    """As `optunahub.load_local_module` does: a module by its path, with a README in its form."""
    spec = importlib.util.spec_from_file_location("hub_ctv", HUB / "__init__.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert set(module.__all__) == {"CtvSampler", "StopWhenNotWorthIt"}
    head = (HUB / "README.md").read_text().split("---")[1]
    for key in ("author", "title", "description", "tags", "optuna_versions", "license"):
        assert f"\n{key}:" in head
    assert (HUB / "LICENSE").read_text() == (HUB.parents[4] / "LICENSE").read_text()
    compile((HUB / "example.py").read_text(), "example.py", "exec")
