"""Noise inflation by Cauchy–Schwarz, the envelope's looser form."""

from __future__ import annotations

from bounds.arithmetic import Arithmetic, Value
from bounds.regret.bound import CTV_FIXED, FormulaBound


class CauchySchwarz(FormulaBound):
    """2√β_n·min(n, √(2nγ̂/log(1+s'))), least over the noise levels."""

    name = "cauchy_schwarz"
    title = "Cauchy–Schwarz"
    source = "√(8β_n nγ̂(s')/log(1+s')), least over the noise levels"
    direction = "upper"
    covers = (CTV_FIXED,)
    kind = "probability"
    rounds = "all n"

    def formula(self, a: Arithmetic, of: Value) -> Value:
        sums = [a.sqrt(2 * of.n * gain / a.log1p(1 / noise)) for noise, gain in of.gains]
        return 2 * a.sqrt(of.beta) * a.least(of.n, *sums)
