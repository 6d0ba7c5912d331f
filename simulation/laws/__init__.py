"""Laws that every policy, every run and every bound keeps; needs `ctv-bounds[laws]`.

The project's tests run them over everything that is registered (`make properties` over 10,000
problems). A policy of one's own joins by `simulation.policies.registry.register`, a bound by
`bounds.gain.registry.GAIN_BOUNDS`, a kernel by `bounds.kernels.register`.
"""

from simulation.laws.case import one_run, play
from simulation.laws.drawn import cases
from simulation.laws.policy_laws import check_policy_laws
from simulation.laws.run_laws import check_run_laws

__all__ = ["cases", "check_policy_laws", "check_run_laws", "one_run", "play"]
