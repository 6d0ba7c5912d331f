"""Tables and sentences of `ctv rates`, on at most 100 columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bounds.rates import Finding, RegimeTable, SpaceGainRate, latex, records
from bounds.rates.lattice import C
from bounds.rates.tables import expression
from ctv.commands.rates import Rates
from ctv.show.rivals import short
from ctv.show.screen import _console, _say, digits

if TYPE_CHECKING:
    from bounds.sequences import Measurement

_EDGES = {"from": "−∞", "to": "∞"}
_BOUNDS = {"theorem1": "Theorem 1", "refined": "Theorem A"}


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
    if found.in_c is not None:
        print("% every c in [0, 1)")
        print(latex(found.in_c))


def show_rates(found: Rates) -> None:
    """The regimes, the thresholds as formulas, what is printed, and each difference."""
    screen, options, table = _console(), found.options, found.table
    _say(screen, _gain(found))
    times = "every sequence of times" if found.scaling is None else found.scaling.label
    title = f"{_BOUNDS[options.bound]}, {times}: R = Õ(n^exponent) for θT = n^κ, blocks of n^u"
    _say(screen, title, "bold")
    screen.print(_regimes(table, found.rate))
    forms = [t.thresholds for t in (found.in_c, found.in_kernel) if t is not None]
    for i, value in enumerate(table.thresholds):
        same = dict.fromkeys([_plain(value), *(_plain(form[i]) for form in forms)])
        _say(screen, f"Threshold {i + 1}: κ = {' = '.join(same)}")
    continuous = "continuous" if table.continuous else "NOT CONTINUOUS"
    monotone = "never falls" if table.monotone else "FALLS SOMEWHERE"
    _say(screen, f"The exponent is {continuous} and {monotone} as κ grows.")
    if found.exponent is not None:
        _say(
            screen,
            f"At κ = {_plain(found.kappa)}: R = Õ(n^{_power(found.exponent)}), by blocks of "
            f"n^{_power(found.block)} rounds.",
            "bold",
        )
    if found.in_c is not None:
        _say(screen, f"{_BOUNDS[options.bound]}, every c in [0, 1)", "bold")
        screen.print(_regimes(found.in_c))
    if found.printed is not None:
        _say(screen, f"As printed: {found.printed_where}, c = {found.printed.c}, κ for εT", "bold")
        screen.print(_regimes(found.printed, block=False))
    _show_ladder(screen, found)
    agreeing = sum(one.agrees for one in found.comparisons)
    _say(
        screen,
        f"Printed against derived: {len(found.findings)} differences; {agreeing} of "
        f"{len(found.comparisons)} other claims about rates agree (ranges at c = "
        f"{found.findings_c})",
        "bold",
    )
    for number, one in enumerate(found.findings, 1):
        _show_finding(screen, number, one)


def _show_ladder(screen: Console, found: Rates) -> None:
    """Exponents of ε at unit steps, ours among those of others."""
    table = Table("bound")
    for heading in (f"at c = {found.rate.c}", "exponent of ε", "from ε = n^"):
        table.add_column(heading, justify="right")
    for rung in found.ladder:
        source = rung.source
        if rung.direction == "limit":
            source = "limit of every bound √(C₁nβ·gain)"
        at_c = rung.exponent.subs(C, expression(found.rate.c))
        low = "" if rung.low is None else _plain(rung.low)
        table.add_row(short(source), _plain(at_c), _plain(rung.exponent), low)
    _say(screen, "Unit steps, R = Õ(n·ε^exponent): the larger, the better", "bold")
    screen.print(table)


def _show_finding(screen: Console, number: int, found: Finding) -> None:
    _say(screen, f"{number} {shown(found.where)}: {found.status.value}", "bold")
    ranges = [
        _between(found.start_at, "κ", found.end_at),
        _between(found.epsilon_start_at, "repaired log_n ε", found.epsilon_end_at),
    ]
    kept = "; ".join(filter(None, ranges))
    between = f" ({kept})" if kept else ""
    _indented(screen, f"printed {shown(found.printed)}; derived {shown(found.derived)}{between}")
    _indented(screen, f"{found.reason.strip().rstrip('.')}.")
    if found.witness is not None:
        witness = found.witness
        _indented(
            screen,
            f"Witness, {shown(witness.statement)}: computed/printed = "
            f"{digits(witness.ratios[-1], 3)} at n = {witness.n[-1]:,}, growing as "
            f"n^{digits(witness.growth, 2)}.",
        )


def _between(low: Fraction | None, name: str, high: Fraction | None) -> str:
    """A range as an inequality; empty without ends."""
    left = "" if low is None else f"{_plain(low)} ≤ "
    right = "" if high is None else f" ≤ {_plain(high)}"
    return f"{left}{name}{right}" if left or right else ""


def show_measured(found: Sequence[Measurement]) -> None:
    """Fitted exponents beside the derived ones, and what equal blocks lose."""
    table = Table("family")
    for heading in ("c", "κ", "n up to", "gap", "measured", "derived", "equal blocks lose"):
        table.add_column(heading, justify="right")
    for one in found:
        loss = "" if one.loss is None else f"n^{digits(max(one.loss, 0.0), 2)}"
        if one.derived_loss is not None:
            loss += f" (derived n^{_power(one.derived_loss)})" if one.derived_loss else " (none)"
        table.add_row(
            one.scaling.label,
            _plain(one.c),
            _plain(one.kappa),
            f"{one.n[-1]:,}",
            f"{100 * float(one.gaps.max()):.2g} %",
            f"{digits(one.fit.exponent)} ± {digits(one.fit.uncertainty, 2)}",
            _plain(one.derived),
            loss,
            style=None if one.agrees is not False else "bold",
        )
    screen = _console()
    _say(screen, "Exponents of regret, measured with γ_m = m^c at the best partitions", "bold")
    screen.print(table)
    known = [one for one in found if one.agrees is not None]
    agreeing = sum(one.agrees is True for one in known)
    _say(
        screen,
        f"{agreeing} of {len(known)} derived exponents lie within the uncertainty of the fit "
        "(95 %, plus how far the slopes of its halves differ). Gap: the largest proved distance "
        "of a search from the optimum.",
    )
    reasons = {
        "exponent to show, the bound being near the trivial one": [o for o in found if o.saturated],
        "pattern to show": [one for one in found if one.early],
    }
    for reason, rows in reasons.items():
        if rows:
            names = ", ".join(one.scaling.label for one in rows)
            _say(screen, f"Too few rounds for the {reason}: {names}.")


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


def _indented(screen: Console, text: str) -> None:
    lines = wrap(text, screen.width, initial_indent="  ", subsequent_indent="  ")
    screen.print(Text("\n".join(lines)))
