"""The additive objective: Σ_i [γ_{M_i} + ½ M_i log(1 + sθ√(C_i/M_i))]."""

from __future__ import annotations

from bounds.arithmetic import Arithmetic, Value
from bounds.arrays import FloatArray
from bounds.enclosure import Number
from bounds.formulas import log_growth
from bounds.kernels import Kernel
from bounds.partitions.cells import ALL, Cells, SearchOptions
from bounds.partitions.objectives.uniform import UniformityObjective
from bounds.partitions.uniformity_search import CutChain, search_by_uniformity
from bounds.problem import Problem


class AdditiveObjective(UniformityObjective):
    """Σ_i [γ_{M_i} + ½ M_i log(1 + sθ√(C_i/M_i))], θ the slope of the time kernel."""

    name = "additive"
    rate_name = "theta"
    fewest_cells = 20_000

    def rate(self, epsilon: float, time_kernel: Kernel) -> float:
        return time_kernel.slope

    def growth(self, a: Arithmetic, x: Value) -> Value:
        return log_growth(a, x)

    def solve(
        self, problem: Problem, prices: FloatArray, cells: Cells, options: SearchOptions = ALL
    ) -> CutChain:
        return search_by_uniformity(
            cells,
            problem.time_kernel.slope,
            problem.noise_variance,
            prices,
            concave=True,
            options=options,
        )

    def enclosed_rate(self, problem: Problem) -> Number | None:
        return problem.time_kernel.enclosed_slope()
