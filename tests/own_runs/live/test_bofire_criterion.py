"""The criterion for BoFire, where that is installed: its frame as a log, and when it converges."""

import numpy as np
import pytest

pytest.importorskip("bofire.data_models.strategies.convergence_criteria.api")
pandas = pytest.importorskip("pandas")

from bofire.data_models.domain.api import Domain, Inputs, Outputs  # noqa: E402
from bofire.data_models.features.api import (  # noqa: E402
    CategoricalInput,
    ContinuousInput,
    ContinuousOutput,
    DiscreteInput,
)
from bofire.data_models.objectives.api import MaximizeObjective, MinimizeObjective  # noqa: E402

from bounds.errors import InvalidInput  # noqa: E402
from own_runs.live.bofire_criterion import (  # noqa: E402
    NotWorthItCriterion,
    observations_of,
    verdict_on,
)


def domain_of(*objectives):
    return Domain(
        inputs=Inputs(
            features=[ContinuousInput(key=k, bounds=b) for k, b in (("a", (0, 2)), ("b", (-1, 1)))]
        ),
        outputs=Outputs(
            features=[
                ContinuousOutput(key=f"y{i}", objective=objective)
                for i, objective in enumerate(objectives)
            ]
        ),
    )


def experiments(n):
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame({"a": rng.uniform(0, 2, n), "b": rng.uniform(-1, 1, n)})
    frame["y0"] = (frame["a"] - 0.7) ** 2 + frame["b"] ** 2
    frame["valid_y0"] = 1
    frame.loc[2, "valid_y0"] = 0
    return frame


def test_its_frame_is_a_log():
    log = observations_of(domain_of(MinimizeObjective()), experiments(12))
    assert log.n == 11 and log.direction == "minimize"
    assert [(axis.name, axis.low, axis.high) for axis in log.axes] == [("a", 0, 2), ("b", -1, 1)]
    with pytest.raises(InvalidInput, match="one output"):
        observations_of(domain_of(MinimizeObjective(), MaximizeObjective()), experiments(12))


def test_categories_are_words_and_what_is_fixed_is_left_out():
    features = [
        CategoricalInput(key="solvent", categories=["water", "toluene", "dmf"]),
        DiscreteInput(key="steps", values=[1.0, 2.0, 5.0]),
        ContinuousInput(key="fixed", bounds=(3, 3)),
    ]
    domain = Domain(
        inputs=Inputs(features=features),
        outputs=Outputs(features=[ContinuousOutput(key="y0", objective=MaximizeObjective())]),
    )
    frame = pandas.DataFrame(
        {"solvent": ["dmf", "water", "toluene"], "steps": [5.0, 1.0, 2.0], "fixed": 3.0}
    )
    frame["y0"] = [0.0, 1.0, 2.0]
    log = observations_of(domain, frame)
    assert [str(axis) for axis in log.axes] == ["solvent=water|toluene|dmf", "steps=1..5"] or [
        str(axis) for axis in log.axes
    ] == ["steps=1..5", "solvent=water|toluene|dmf"]
    solvent = [axis.name for axis in log.axes].index("solvent")
    assert [log.axes[solvent].value(p) for p in log.points[:, solvent]] == list(frame["solvent"])
    with pytest.raises(InvalidInput, match="solvent = acid: give one of water"):
        observations_of(domain, frame.assign(solvent="acid"))


@pytest.mark.parametrize("given", [{"below": 0.0}, {"below": 1.0, "delta": 1.0}, {}])
def test_what_it_cannot_be_is_refused(given):
    with pytest.raises(ValueError, match=r"below|delta"):
        NotWorthItCriterion(**given)


def test_when_it_converges():
    domain = domain_of(MinimizeObjective())
    loose = NotWorthItCriterion(below=50.0, draws=30)
    assert verdict_on(loose, domain, experiments(9)) is None
    assert verdict_on(loose, domain, experiments(30)).stop
    assert not verdict_on(NotWorthItCriterion(below=1e-9, draws=30), domain, experiments(30)).stop
    assert NotWorthItCriterion.is_applicable_to_singleobjective()
