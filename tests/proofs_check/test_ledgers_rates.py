"""The regimes that the ledger proves are those that `bounds.rates` derives; a rival's failure."""

from fractions import Fraction

import numpy as np
import pytest
import sympy

from bounds.rates.exponents import symbolic_regimes
from proofs_check.ledgers import CLAIMS, opened

BY_ID = {claim.id: claim for claim in CLAIMS}


@pytest.mark.parametrize(
    ("theorem", "bound"), [("theorem-1", "theorem1"), ("theorem-a", "refined")]
)
def test_the_regimes_are_the_derived_ones(theorem: str, bound: str) -> None:
    kappa = sympy.Symbol("kappa")
    regimes = symbolic_regimes(bound).regimes
    names = ("static", "balanced", "fresh")
    assert len(regimes) == len(names)
    for regime, name in zip(regimes, names, strict=True):
        value = BY_ID[f"{theorem}-regime-{name}"].formula.rsplit("==", 1)[1]
        difference = sympy.sympify(value) - sympy.sympify(regime.exponent.at(kappa))
        c = [symbol for symbol in difference.free_symbols if str(symbol) == "c"]
        plain = difference.subs({symbol: sympy.Symbol("c") for symbol in c})
        assert sympy.simplify(plain) == 0, name


def test_the_printed_gain_fails_at_small_noise() -> None:
    printed = opened(["docs/ledgers/bogunovic2016"]).known["tv-gain-printed"]
    case = printed.witnesses[0]
    n, length, ratio, v = case["n"], case["N"], 1 / Fraction(case["v"]), Fraction(case["w"])
    lags = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    gain = 0.5 * np.linalg.slogdet(np.eye(n) + float(ratio) * float(v) ** lags)[1]
    drift = length**3 * float(1 - v**2)
    printed = (n / length + 1) * (0.5 * np.log1p(float(ratio) * length) + drift)
    assert gain > printed + 0.1
