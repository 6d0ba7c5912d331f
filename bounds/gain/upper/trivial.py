"""The trivial cap: no round gains more than its own ½ log(1 + 1/σ²)."""

from __future__ import annotations

from bounds.arithmetic import Arithmetic, Value
from bounds.formulas import gain_cap
from bounds.gain.bound import FormulaBound, Quantities


class TrivialCap(FormulaBound):
    """γ̃_n ≤ (n/2) log(1 + 1/σ²)."""

    name = "trivial"
    title = "trivial upper bound"
    source = "each round gains at most ½ log(1+1/σ²)"
    through_curve = False

    def formula(self, a: Arithmetic, of: Quantities) -> Value:
        return of.n * gain_cap(a, of.noise)
