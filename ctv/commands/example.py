"""`ctv example`: `ctv FILE` on a search that comes with the project."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from ctv.commands.look import FileToLookAt, PageFolder, look
from ctv.options.problem import (
    NOTHING_GIVEN,
    Dimension,
    Epsilon,
    Given,
    Lengthscale,
    ModelOptions,
    NoiseVariance,
)

if TYPE_CHECKING:
    from bounds.progress import Stage
    from ctv.values.look import Look

EXAMPLE = """\
>>> ctv.example(out="none")
<Look: lower bound 2.203 ≤ proven 593.4 ≤ printed 1,922>
"""


@dataclass(frozen=True)
class ExampleModel(ModelOptions):
    """The model of the example, where nobody gives another."""

    epsilon: Epsilon = 0.04
    noise_variance: NoiseVariance = 0.1
    lengthscale: Lengthscale = 1.0
    dimension: Dimension = 1

    def as_model(self, given: Given) -> ModelOptions:
        """The same as of any command; what other options of it say in place of these is kept."""
        values = {one.name: getattr(self, one.name) for one in fields(ModelOptions)}
        instead = {"epsilon": ("half_life", "time_kernel"), "dimension": ("domain",)}
        for name, others in instead.items():
            if name not in given.names and given.names & set(others):
                del values[name]
        return ModelOptions(**values)


def example(
    model: ExampleModel,
    out: PageFolder = Path("out"),
    given: Given = NOTHING_GIVEN,
    *,
    advance: Stage,
) -> Look:
    """`ctv FILE` on a measured Hyperband search that comes with the project.

    With the model below the best blocks are the brackets of the search.
    """
    from ctv.inputs import bundled_search

    file = FileToLookAt(times=bundled_search())
    said = Given(given.names | {"epsilon"})
    return look(file, model.as_model(given), out=out, given=said, advance=advance)
