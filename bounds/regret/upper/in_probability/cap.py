"""The cap of a covered policy: every deviation is at most 1."""

from __future__ import annotations

from bounds.arithmetic import Arithmetic, Value
from bounds.regret.bound import CTV_FIXED, FormulaBound


class DeviationCap(FormulaBound):
    """2√β_n·n."""

    name = "cap"
    title = "largest deviation"
    source = "2√β_n·n"
    direction = "upper"
    covers = (CTV_FIXED,)
    kind = "probability"
    rounds = "all n"

    def formula(self, a: Arithmetic, of: Value) -> Value:
        return 2 * a.sqrt(of.beta) * of.n
