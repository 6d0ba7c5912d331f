"""The criterion for BoFire, where that is installed: its frame as a log, and when it converges."""

import numpy as np
import pytest

pytest.importorskip("bofire.data_models.strategies.convergence_criteria.api")
pandas = pytest.importorskip("pandas")

from bofire.data_models.domain.api import Domain, Inputs, Outputs  # noqa: E402
from bofire.data_models.features.api import ContinuousInput, ContinuousOutput  # noqa: E402
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


def test_when_it_converges():
    domain = domain_of(MinimizeObjective())
    loose = NotWorthItCriterion(below=50.0, draws=30)
    assert verdict_on(loose, domain, experiments(9)) is None
    assert verdict_on(loose, domain, experiments(30)).stop
    assert not verdict_on(NotWorthItCriterion(below=1e-9, draws=30), domain, experiments(30)).stop
    assert NotWorthItCriterion.is_applicable_to_singleobjective()
