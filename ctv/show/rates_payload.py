"""The JSON object of `ctv rates`: exact numbers as fractions in text, formulas beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bounds.rates import Finding, Witness, latex, records
from bounds.rates.lattice import C
from bounds.rates.tables import expression
from ctv.commands.rates import Rates
from ctv.show.payload import project_version

if TYPE_CHECKING:
    from bounds.sequences import Measurement

_OF_LINES = ("from", "to", "exponent", "exponent_from", "exponent_to", "constant", "slope")


def of_rates(
    found: Rates, measured: Sequence[Measurement] = (), seed: int | None = None
) -> dict[str, Any]:
    """`ctv rates`; the seed is that of the measured families, if any is random."""
    options, rate, scaling = found.options, found.rate, found.scaling
    printed = [] if found.printed is None else records(found.printed)
    at_kappa = {"exponent": found.exponent, "block": found.block, "kappa": found.kappa}
    return {
        "bound": options.bound,
        "c": str(rate.c),
        "regimes": records(found.table, rate),
        "thresholds": [
            {
                "value": _text(value),
                "formula": found.in_c and _text(found.in_c.thresholds[i]),
                "formula_in_kernel": found.in_kernel and _text(found.in_kernel.thresholds[i]),
            }
            for i, value in enumerate(found.table.thresholds)
        ],
        "regimes_in_c": found.in_c and records(found.in_c),
        "regimes_in_kernel": found.in_kernel and records(found.in_kernel),
        "continuous": found.table.continuous,
        "monotone": found.table.monotone,
        "printed": [{name: record[name] for name in _OF_LINES} for record in printed],
        "printed_where": found.printed_where,
        "findings": [_finding(one) for one in found.findings],
        "findings_c": str(found.findings_c),
        "comparisons": [
            {"where": one.where, "printed": one.printed, "derived": one.derived,
             "agrees": one.agrees}
            for one in found.comparisons
        ],
        "ladder": [
            {"name": one.name, "source": one.source, "direction": one.direction,
             "epsilon_exponent": _text(one.exponent.subs(C, expression(rate.c))),
             "formula": _text(one.exponent), "sets_in": _text(one.low)}
            for one in found.ladder
        ],
        **({} if found.kappa is None else {name: _text(v) for name, v in at_kappa.items()}),
        "latex": {"regimes": latex(found.table), "regimes_in_c": found.in_c and latex(found.in_c)},
        **({"measured": [_measurement(one) for one in measured]} if measured else {}),
        "warnings": rate.warnings,
        "problem": {
            "kernel": options.kernel if options.c is None else None,
            "dimension": options.dimension,
            "sequence": scaling and scaling.label,
            "gamma_rate": options.gamma_rate if options.c is None else None,
            "gain": {
                "c": str(rate.c), "log_power": _text(rate.log_power),
                "formula": _text(rate.formula), "source": rate.source,
            },
        },
        "version": project_version(),
        **({"seed": seed} if any(one.scaling.random for one in measured) else {}),
    }  # fmt: skip


def _finding(found: Finding) -> dict[str, Any]:
    return {
        "where": found.where,
        "printed": found.printed,
        "derived": found.derived,
        "status": found.status.value,
        "reason": found.reason,
        "from": _text(found.start_at),
        "to": _text(found.end_at),
        "from_in_c": _text(found.start),
        "to_in_c": _text(found.end),
        "epsilon_from": _text(found.epsilon_start_at),
        "epsilon_to": _text(found.epsilon_end_at),
        "epsilon_from_in_c": _text(found.epsilon_start),
        "epsilon_to_in_c": _text(found.epsilon_end),
        "witness": found.witness and _witness(found.witness),
    }


def _measurement(found: Measurement) -> dict[str, Any]:
    """Exponents of regret; `loss` is the power of n by which equal blocks gain more."""
    equal = found.equal_fit
    return {
        "sequence": found.scaling.label,
        "bound": found.bound,
        "c": str(found.c),
        "kappa": str(found.kappa),
        "n": found.n,
        "gain": found.gains,
        "gap": found.gaps,
        "measured": found.fit.exponent,
        "uncertainty": found.fit.uncertainty,
        "derived": _text(found.derived),
        "agrees": found.agrees,
        "saturated": found.saturated,
        "early": found.early,
        "equal_blocks": equal and equal.exponent,
        "equal_blocks_uncertainty": equal and equal.uncertainty,
        "equal_blocks_derived": _text(found.equal_derived),
        "loss": found.loss,
        "loss_derived": _text(found.derived_loss),
    }


def _witness(witness: Witness) -> dict[str, Any]:
    return {
        "statement": witness.statement,
        "n": witness.n,
        "computed": witness.computed,
        "printed": witness.printed,
        "ratios": witness.ratios,
        "growth": witness.growth,
    }


def _text(value: Any) -> str | None:
    """A fraction or a formula as text."""
    return None if value is None else str(expression(value))
