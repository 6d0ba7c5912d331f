"""Tables and sentences of `ctv rates`, on at most 100 columns."""

from __future__ import annotations

import re
from typing import Any

from rich.console import Console
from rich.table import Table

from bounds.rates import Finding, RegimeTable, SpaceGainRate, latex, records
from bounds.rates.tables import expression
from ctv.rates_command import Rates
from ctv.screen import TITLES, _console, _say, digits

_EDGES = {"from": "−∞", "to": "∞"}


def shown(formula: object) -> str:
    """A formula as one writes it: κ and ν for their names, no `*`.

    >>> shown("kappa*(1 - c)/(5 - 2*c) + 5*kappa/43")
    'κ(1 − c)/(5 − 2c) + 5κ/43'
    """
    text = re.sub(r"\bkappa\b", "κ", str(formula))
    text = re.sub(r"\bepsilon\b", "ε", re.sub(r"\btheta\b", "θ", re.sub(r"\bnu\b", "ν", text)))
    text = re.sub(r"(?<=[\dκνcdεθ)])\*(?=[κνcdTε(])", "", text.replace("**2", "²"))
    return text.replace("<=", "≤").replace(" - ", " − ").replace("(-", "(−").replace("*", "·")


def show_latex(found: Rates) -> None:
    """The regimes as LaTeX, at this c and as formulas in c."""
    print(f"% c = {found.rate.c}")
    print(latex(found.table))
    print("% every c in [0, 1)")
    print(latex(found.in_c))


def show_rates(found: Rates) -> None:
    """The regimes, the thresholds as formulas, what is printed, and each difference."""
    screen, options = _console(), found.options
    _say(screen, _gain(found))
    title = f"{TITLES[options.bound]}: R = Õ(n^exponent) for θT = n^κ, by blocks of n^u rounds"
    _say(screen, title, "bold")
    screen.print(_regimes(found.table, found.rate))
    for i, value in enumerate(found.table.thresholds):
        forms = [_plain(found.in_c.thresholds[i])]
        if found.in_kernel is not None:
            forms.append(_plain(found.in_kernel.thresholds[i]))
        same = list(dict.fromkeys([_plain(value), *forms]))
        _say(screen, f"Threshold {i + 1}: κ = {' = '.join(same)}")
    continuous = "continuous" if found.table.continuous else "NOT CONTINUOUS"
    monotone = "never falls" if found.table.monotone else "FALLS SOMEWHERE"
    _say(screen, f"The exponent is {continuous} and {monotone} as κ grows.")
    if found.kappa is not None:
        _say(
            screen,
            f"At κ = {_plain(found.kappa)}: R = Õ(n^{_power(found.exponent)}), by blocks of "
            f"n^{_power(found.block)} rounds.",
            "bold",
        )
    _say(screen, f"Every c in [0, 1), {TITLES[options.bound]}", "bold")
    screen.print(_regimes(found.in_c))
    _say(screen, f"As printed: {found.printed_where}, c = {found.printed.c}", "bold")
    screen.print(_regimes(found.printed, block=False))
    agreeing = sum(one.agrees for one in found.comparisons)
    _say(
        screen,
        f"Printed against derived: {len(found.findings)} differences; {agreeing} of "
        f"{len(found.comparisons)} other printed claims about rates agree. κ also for εT, as "
        f"printed; ranges in c at c = {found.findings_c}.",
        "bold",
    )
    for number, one in enumerate(found.findings, 1):
        _show_finding(screen, number, one)


def _show_finding(screen: Console, number: int, found: Finding) -> None:
    _say(screen, f"{number} {shown(found.where)}: {found.status.value}", "bold")
    between = ""
    if found.start_at is not None or found.end_at is not None:
        low, high = (None if v is None else _plain(v) for v in (found.start_at, found.end_at))
        name = "log_n ε" if found.where.startswith("discussion") else "κ"
        left = "" if low is None else f"{low} ≤ "
        between = f" ({left}{name}{'' if high is None else f' ≤ {high}'})"
    _say(screen, f"  printed {shown(found.printed)}; derived {shown(found.derived)}{between}")
    _say(screen, f"  {found.reason.strip().rstrip('.')}.")
    if found.witness is not None:
        witness = found.witness
        _say(
            screen,
            f"  Witness: {witness.statement}: {digits(witness.ratios[-1], 3)} times the printed "
            f"rate at n = {witness.n[-1]:,}, growing as n^{digits(witness.growth, 2)}.",
        )


def _gain(found: Rates) -> str:
    """How the gain grows, and by whom."""
    options, rate = found.options, found.rate
    if options.c is not None:
        return f"Gain without drift γ_m = Õ(m^c), c = {rate.c} as given."
    named = f"{options.kernel} kernel (ν = {options.smoothness}), dimension {options.dimension}"
    if options.smoothness == "inf":
        named = f"Squared exponential kernel, dimension {options.dimension}"
    formula = "" if rate.formula is None else f" = {shown(rate.formula)}"
    return f"{named}: c{formula} = {rate.c}. {rate.source}."


def _regimes(table: RegimeTable, rate: SpaceGainRate | None = None, *, block: bool = True) -> Table:
    """One row a regime; powers of log n where the rate of the gain is given with its own."""
    logs = rate is not None and rate.log_power is not None
    headings = ["κ from", "to", "regret exponent", "block exponent u", "log n to the power"]
    columns = ["from", "to", "exponent", "block", "log_power"]
    kept = [True, True, True, block, logs]
    drawn = Table()
    for heading, keep in zip(headings, kept, strict=True):
        if keep:
            drawn.add_column(heading, justify="right")
    for record in records(table, rate):
        cells = [_cell(record, name) for name, keep in zip(columns, kept, strict=True) if keep]
        drawn.add_row(*cells)
    return drawn


def _cell(record: dict[str, str | None], name: str) -> str:
    value = record[name]
    return _EDGES[name] if value is None else _signed(shown(value))


def _plain(value: Any) -> str:
    return _signed(shown(expression(value)))


def _signed(text: str) -> str:
    return f"−{text[1:]}" if text.startswith("-") else text


def _power(value: Any) -> str:
    text = _plain(value)
    return text if text.isdigit() else f"({text})"
