"""What `ctv rates` answers: regimes of the regret exponent, and the printed ones beside them.

In JSON exact numbers are fractions in text, with the formulas beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from bounds.rates.exponents import RegimeTable
from bounds.rates.findings import Finding
from bounds.rates.gain_rates import SpaceGainRate
from bounds.rates.lattice import C
from bounds.rates.least import LEAST_EXPONENTS, LeastExponent
from bounds.rates.literature import LITERATURE
from bounds.rates.tables import expression, latex, records
from bounds.rates.witness import Witness
from bounds.sequences import Scaling, derived_regimes, smooth_regimes
from ctv.show.plain import picked
from ctv.show.rounding import digits
from ctv.show.shared import short_source
from ctv.show.sheet import Row, Sheet, numbers, prose
from ctv.show.shown import Block, Screen, Shown

if TYPE_CHECKING:
    from bounds.rates.findings import Comparison
    from bounds.rates.printed import EpsilonRate
    from bounds.sequences import Measurement

_EDGES = {"from": "−∞", "to": "∞"}
_BOUNDS = {
    "theorem1": "Theorem 1",
    "refined": "Theorem A",
    "floor": "Theorem F",
    "smooth": "Theorem I3",
}
_LEAST = {"floor": "finite", "smooth": "smooth kernel on a box"}
"""The bounds that are of every policy, and their domains."""
_OF_LINES = ("from", "to", "exponent", "exponent_from", "exponent_to", "constant", "slope")
_DERIVED = "Derived by exact arithmetic."


def shown(formula: object) -> str:
    """A formula as one writes it: κ and ν for their names, no `*`.

    >>> shown("kappa*(1 - c)/(5 - 2*c) + 5*kappa/43")
    'κ(1 − c)/(5 − 2c) + 5κ/43'
    """
    text = re.sub(r"\bkappa\b", "κ", str(formula))
    text = re.sub(r"\bepsilon\b", "ε", re.sub(r"\btheta\b", "θ", re.sub(r"\bnu\b", "ν", text)))
    text = re.sub(r"(?<=[\dκνcdεθ)])\*(?=[κνcdTε(])", "", text.replace("**2", "²"))
    return text.replace("<=", "≤").replace(" - ", " − ").replace("(-", "(−").replace("*", "·")


class Asked(Protocol):
    """The options of `ctv rates` that its value repeats."""

    @property
    def bound(self) -> str: ...
    @property
    def c(self) -> str | None: ...
    @property
    def dimension(self) -> int: ...
    @property
    def gamma(self) -> str: ...
    @property
    def kernel(self) -> str: ...
    @property
    def smoothness(self) -> str: ...


@dataclass(frozen=True, eq=False, repr=False)
class Rates(Shown):
    """Derived regimes, the printed ones, and every difference.

    Attributes
    ----------
    rate : how the gain grows, with the hypotheses that fail
    scaling : the family of sequences; None for all of the same total time
    regimes, in_c, in_kernel : the regimes at this c, as formulas in c (None for a family that has
        no such formulas), and in ν and d (None also for the squared exponential or a given c)
    printed, printed_where : Theorem 2, with the c the paper uses for this kernel; None for a
        family of which it says nothing
    findings, findings_c : the differences, and the c at which their ranges are evaluated
    comparisons : every printed claim about rates, those that agree too
    ladder : exponents of ε at unit steps
    exponent, block : at the wanted κ; None where none was given
    measured, seed : fitted exponents, where they were asked for, and the seed of their families
    warnings : hypotheses of the gain's rate that fail
    latex_only : whether the screen is the regimes as LaTeX
    by_partitions : of a floor, the regimes of the best partition bound for the same times at c = 0
    least : between which exponents of ε the least regret lies
    """

    format = "ctv-bounds rates 1"

    options: Asked
    rate: SpaceGainRate
    scaling: Scaling | None
    regimes: RegimeTable
    in_c: RegimeTable | None
    in_kernel: RegimeTable | None
    printed: RegimeTable | None
    printed_where: str | None
    findings: tuple[Finding, ...]
    findings_c: Fraction
    comparisons: tuple[Comparison, ...]
    ladder: tuple[EpsilonRate, ...]
    kappa: Fraction | None
    exponent: Fraction | None
    block: Fraction | None
    measured: tuple[Measurement, ...] = ()
    seed: int | None = None
    warnings: tuple[str, ...] = ()
    latex_only: bool = False
    by_partitions: RegimeTable | None = None
    least: tuple[LeastExponent, ...] = LEAST_EXPONENTS

    def headline(self) -> str:
        if self.exponent is not None:
            return f"R = {self._order}(n^{_power(self.exponent)}) at κ = {_plain(self.kappa)}"
        return f"{len(self.regimes.thresholds) + 1} regimes at c = {self.rate.c}"

    @property
    def _below(self) -> bool:
        """Whether these are exponents of what no policy beats, and not of a partition bound."""
        return self.options.bound in _LEAST

    @property
    def _smooth(self) -> bool:
        """Whether they are attained too, on a smooth domain."""
        return self.options.bound == "smooth"

    @property
    def _order(self) -> str:
        return "Θ̃" if self._smooth else "Ω" if self._below else "Õ"

    def parts(self) -> dict[str, Any]:
        options, rate, scaling = self.options, self.rate, self.scaling
        printed = [] if self.printed is None else records(self.printed)
        at_kappa = {"exponent": self.exponent, "block": self.block, "kappa": self.kappa}
        return {
            "bound": options.bound,
            "c": str(rate.c),
            "regimes": self._floor_records() if self._below else records(self.regimes, rate),
            **(
                {}
                if self.by_partitions is None
                else {"partition_regimes": records(self.by_partitions)}
            ),
            "gap": {one.where: [one.ceiling, one.floor] for one in self.least},
            **({"domain": _LEAST[options.bound]} if self._below else {}),
            **({"families": self._family_records()} if self._smooth else {}),
            "least": [
                {
                    "where": one.where,
                    "exponents": [one.ceiling, one.floor],
                    "known": one.known,
                    "reached_by": one.reached_by,
                    "held_by": one.held_by,
                    "open": one.remains,
                }
                for one in self.least
            ],
            "literature": [asdict(one) for one in LITERATURE],
            "thresholds": [
                {
                    "value": _text(value),
                    "formula": self.in_c and _text(self.in_c.thresholds[i]),
                    "formula_in_kernel": self.in_kernel and _text(self.in_kernel.thresholds[i]),
                }
                for i, value in enumerate(self.regimes.thresholds)
            ],
            "regimes_in_c": self.in_c and records(self.in_c),
            "regimes_in_kernel": self.in_kernel and records(self.in_kernel),
            "continuous": self.regimes.continuous,
            "monotone": self.regimes.monotone,
            "printed": [{name: record[name] for name in _OF_LINES} for record in printed],
            "printed_where": self.printed_where,
            "findings": [_finding(one) for one in self.findings],
            "findings_c": str(self.findings_c),
            "comparisons": [asdict(one) for one in self.comparisons],
            "ladder": [
                {
                    "name": one.name,
                    "source": one.source,
                    "direction": one.direction,
                    "epsilon_exponent": _text(one.exponent.subs(C, expression(rate.c))),
                    "formula": _text(one.exponent),
                    "sets_in": _text(one.low),
                }
                for one in self.ladder
            ],
            **({} if self.kappa is None else {name: _text(v) for name, v in at_kappa.items()}),
            "latex": {
                "regimes": self._latex(),
                "regimes_in_c": self.in_c and latex(self.in_c),
            },
            **({"measured": [_measurement(one) for one in self.measured]} if self.measured else {}),
            "warnings": rate.warnings,
            "problem": {
                "kernel": options.kernel if options.c is None else None,
                "dimension": options.dimension,
                "sequence": scaling and scaling.label,
                "gamma_rate": options.gamma if options.c is None else None,
                "gain": {
                    "c": str(rate.c),
                    "log_power": _text(rate.log_power),
                    "formula": _text(rate.formula),
                    "source": rate.source,
                },
            },
            **({"seed": self.seed} if any(one.scaling.random for one in self.measured) else {}),
        }

    def screen(self) -> Screen:
        if self.latex_only:
            return Screen(self.latex_lines(), verbatim=True)
        options = self.options
        times = "every sequence of times" if self.scaling is None else self.scaling.label
        if self._smooth:
            return self._smooth_screen()
        if self._below:
            return self._floor_screen()
        at_kappa = (
            ()
            if self.exponent is None
            else (
                f"At κ = {_plain(self.kappa)}: R = Õ(n^{_power(self.exponent)}), by blocks of "
                f"n^{_power(self.block)} rounds.",
            )
        )
        title = f"{_BOUNDS[options.bound]}, {times}: R = Õ(n^exponent), θT = n^κ, blocks of n^u"
        regimes = _regimes(self.regimes, title, self.rate, notes=tuple(self._thresholds()))
        rest: list[Block] = []
        if self.in_c is not None:
            rest.append(_regimes(self.in_c, f"{_BOUNDS[options.bound]}, every c in [0, 1)"))
        if self.printed is not None:
            title = f"As printed: {self.printed_where}, c = {self.printed.c}, κ for εT"
            rest.append(_regimes(self.printed, title, block=False, standing="As printed."))
        rest.append(self._ladder())
        rest += [self._least(), _literature()]
        rest += self._differences()
        first = (*at_kappa, _gain(self), regimes, *self._measured())
        return Screen(first, tuple(rest))

    def latex_lines(self) -> tuple[str, ...]:
        """The regimes as LaTeX, each below a comment: at this c, then at every c if it is known."""
        every = ("% every c in [0, 1)", latex(self.in_c)) if self.in_c is not None else ()
        head = "% every c" if self._below else f"% c = {self.rate.c}"
        return (head, self._latex(), *every)

    def _latex(self) -> str:
        order = r"\tilde\Theta" if self._smooth else r"\Omega" if self._below else r"\tilde O"
        return latex(self.regimes, order)

    def _floor_records(self) -> list[dict[str, str | None]]:
        return [{name: one[name] for name in _OF_LINES} for one in records(self.regimes)]

    def _smooth_screen(self) -> Screen:
        """The least regret of a smooth kernel, and the partition bounds by family beside it."""
        times = "uniform" if self.scaling is None else self.scaling.label
        title = f"Theorem I3, {times}: least regret Θ̃(n^exponent), smooth kernel on a box, θT = n^κ"
        first: list[Block] = []
        if self.exponent is not None:
            power = _power(self.exponent)
            first.append(f"At κ = {_plain(self.kappa)}: Θ̃(n^{power}), for every policy and by one.")
        first.append(_regimes(self.regimes, title, block=False, notes=tuple(self._thresholds())))
        return Screen((*first, self._families()), (self._least(), self._ladder(), _literature()))

    def _family_records(self) -> list[dict[str, str]]:
        kappa = Fraction(0) if self.kappa is None else self.kappa
        return [
            {
                "sequence": scaling.label,
                "kappa": str(kappa),
                "smooth": str(smooth_regimes(scaling).exponent(kappa)),
                "refined": str(derived_regimes(scaling, 0, "refined").exponent(kappa)),
                "theorem1": str(derived_regimes(scaling, 0, "theorem1").exponent(kappa)),
            }
            for scaling in _family_scalings()
        ]

    def _families(self) -> Sheet:
        """What the pattern of times does: the least regret, Theorem A's bound and the paper's."""
        records = self._family_records()
        return Sheet(
            f"Exponents of n by family at κ = {_plain(records[0]['kappa'])}, squared exponential",
            (prose("family"), *numbers("least regret", "Theorem A", "Theorem 1")),
            tuple(
                Row(
                    (one["sequence"], *(_signed(one[n]) for n in ("smooth", "refined", "theorem1")))
                )
                for one in records
            ),
            _DERIVED,
            ("Of all sequences with one total drift evenly spread times are the worst.",),
        )

    def _least(self) -> Sheet:
        """The exponent of ε by domain and kernel, with who attains it and what is open."""
        return Sheet(
            "Least regret a round at unit steps: exponent of ε",
            (
                prose("domain and kernel"),
                *numbers("exponent"),
                prose("reached by"),
                prose("held by"),
                prose("open"),
            ),
            tuple(
                Row(
                    (
                        one.where.replace("nu", "ν"),
                        one.floor if one.known else f"{one.ceiling} … {one.floor}",
                        one.reached_by,
                        one.held_by,
                        one.remains,
                    )
                )
                for one in self.least
            ),
            "Theorems, up to logarithms; σ > 0 fixed.",
            ("Partition bounds of the information gain stop at 1/4, whatever the kernel.",),
        )

    def _floor_screen(self) -> Screen:
        """The floor, what is published, and how far it is from the ceilings."""
        times = "uniform" if self.scaling is None else self.scaling.label
        title = f"Theorem F, {times}: E R = Ω(n^exponent) on a finite domain, θT = n^κ"
        first: list[Block] = []
        if self.exponent is not None:
            power = _power(self.exponent)
            first.append(f"At κ = {_plain(self.kappa)}: E R = Ω(n^{power}) for every policy.")
        first.append(_regimes(self.regimes, title, block=False, notes=tuple(self._thresholds())))
        first.append(
            "By Theorem I these are the exponents of the least regret on every finite domain, up "
            "to logarithms and for a noise that is held fixed: the pattern of the times enters "
            "through Π = Σpᵢ alone."
        )
        if self.by_partitions is not None:
            where = f"Best bound by partitions for the same times (Theorem A, c = 0), {times}"
            first.append(_regimes(self.by_partitions, where))
        if self.printed is not None:
            where = f"As published: {self.printed_where}"
            first.append(_regimes(self.printed, where, block=False, standing="As published."))
        known = "; ".join(
            f"{low} {where}" if low == high else f"[{low}, {high}] {where}"
            for where, (low, high) in self._gaps()
        )
        first.append(f"Best regret per round at unit steps, exponent of ε: {known}.")
        return Screen(tuple(first), (self._least(), self._ladder(), _literature()))

    def _gaps(self) -> Iterator[tuple[str, tuple[str, str]]]:
        for one in self.least:
            where = one.where if one.where.startswith("other") else f"for {one.where}"
            yield where.replace("for finite domain", "on a finite domain"), (one.ceiling, one.floor)

    def _thresholds(self) -> Iterator[str]:
        forms = [t.thresholds for t in (self.in_c, self.in_kernel) if t is not None]
        for i, value in enumerate(self.regimes.thresholds):
            same = dict.fromkeys([_plain(value), *(_plain(form[i]) for form in forms)])
            yield f"Threshold {i + 1}: κ = {' = '.join(same)}."
        continuous = "continuous" if self.regimes.continuous else "NOT CONTINUOUS"
        monotone = "never falls" if self.regimes.monotone else "FALLS SOMEWHERE"
        yield f"The exponent is {continuous} and {monotone} as κ grows."

    def _ladder(self) -> Sheet:
        """Exponents of ε at unit steps, ours among those of others."""
        rows = []
        for rung in self.ladder:
            source = rung.source
            if rung.direction == "limit":
                source = "limit of every bound √(C₁nβ·gain)"
            at_c = rung.exponent.subs(C, expression(self.rate.c))
            low = "" if rung.low is None else _plain(rung.low)
            cells = (short_source(source), _plain(at_c), _plain(rung.exponent), low)
            rows.append(Row(cells))
        return Sheet(
            "Unit steps, R ~ n·ε^exponent; for upper bounds larger exponents are better",
            (prose("bound"), *numbers(f"at c = {self.rate.c}", "exponent of ε", "from ε = n^")),
            tuple(rows),
            _DERIVED,
        )

    def _differences(self) -> Iterator[str]:
        agreeing = sum(one.agrees for one in self.comparisons)
        yield (
            f"Printed against derived: {len(self.findings)} differences; {agreeing} of "
            f"{len(self.comparisons)} other claims about rates agree (ranges at c = "
            f"{self.findings_c})."
        )
        for number, one in enumerate(self.findings, 1):
            yield f"{number} {_difference(one)}"

    def _measured(self) -> tuple[Sheet, ...]:
        """Fitted exponents beside the derived ones, and what equal blocks: larger by."""
        if not self.measured:
            return ()
        measured = self.measured
        known = [one for one in measured if one.agrees is not None]
        agreeing = sum(one.agrees is True for one in known)
        notes = [
            f"{agreeing} of {len(known)} derived exponents lie within the uncertainty of the fit "
            "(95 %, plus how far the slopes of its halves differ). Gap: the largest proved "
            "distance of a search from the optimum."
        ]
        reasons = {
            "exponent to show, the bound being near the trivial one": [
                one for one in measured if one.saturated
            ],
            "pattern to show": [one for one in measured if one.early],
        }
        for reason, few in reasons.items():
            if few:
                names = ", ".join(one.scaling.label for one in few)
                notes.append(f"Too few rounds for the {reason}: {names}.")
        return (
            Sheet(
                "Exponents of regret, measured with γ_m = m^c at the best partitions",
                (
                    prose("family"),
                    *numbers("c", "κ", "n up to", "gap", "measured", "derived"),
                    prose("equal blocks: larger by"),
                ),
                tuple(_measurement_row(one) for one in measured),
                "Measured in floating point.",
                tuple(notes),
            ),
        )


def _family_scalings() -> tuple[Scaling, ...]:
    """One of each family, as they stand in the table of families."""
    return (
        Scaling("uniform"),
        Scaling("biased"),
        Scaling("geometric"),
        Scaling("power", power=-2),
        Scaling("bursts"),
        Scaling("pareto", tail="1/2"),
        Scaling("periodic"),
    )


def _difference(finding: Finding) -> str:
    ranges = [
        _between(finding.start_at, "κ", finding.end_at),
        _between(finding.epsilon_start_at, "repaired log_n ε", finding.epsilon_end_at),
    ]
    kept = "; ".join(filter(None, ranges))
    between = f" ({kept})" if kept else ""
    told = (
        f"{shown(finding.where)}: {finding.status.value}. Printed {shown(finding.printed)}; "
        f"derived {shown(finding.derived)}{between}. {finding.reason.strip().rstrip('.')}."
    )
    if finding.witness is None:
        return told
    witness = finding.witness
    return (
        f"{told} Witness, {shown(witness.statement)}: computed/printed = "
        f"{digits(witness.ratios[-1], 3)} at n = {witness.n[-1]:,}, growing as "
        f"n^{digits(witness.growth, 2)}."
    )


def _measurement_row(one: Measurement) -> Row:
    loss = "" if one.loss is None else f"n^{digits(max(one.loss, 0.0), 2)}"
    if one.derived_loss is not None:
        loss += f" (derived n^{_power(one.derived_loss)})" if one.derived_loss else " (none)"
    return Row(
        (
            one.scaling.label,
            _plain(one.c),
            _plain(one.kappa),
            f"{one.n[-1]:,}",
            f"{100 * float(one.gaps.max()):.2g} %",
            f"{digits(one.fit.exponent)} ± {digits(one.fit.uncertainty, 2)}",
            _plain(one.derived),
            loss,
        ),
        emphasised=one.agrees is False,
    )


def _between(low: Fraction | None, name: str, high: Fraction | None) -> str:
    """A range as an inequality; empty without ends."""
    left = "" if low is None else f"{_plain(low)} ≤ "
    right = "" if high is None else f" ≤ {_plain(high)}"
    return f"{left}{name}{right}" if left or right else ""


def _gain(rates: Rates) -> str:
    """How the gain grows, and by whom."""
    options, rate = rates.options, rates.rate
    if options.c is not None:
        return f"Static gain γ_m = Õ(m^c), c = {rate.c} as given."
    named = f"{options.kernel} kernel (ν = {options.smoothness}), dimension {options.dimension}"
    if options.smoothness == "inf":
        named = f"Squared exponential kernel, dimension {options.dimension}"
    formula = "" if rate.formula is None else f" = {shown(rate.formula)}"
    return f"{named}: c{formula} = {rate.c}. {rate.source}."


def _literature() -> Sheet:
    """What others publish for settings near this one."""
    columns = ("source", "setting", "as published", "here")
    return Sheet(
        "Rates of others, and what is derived here",
        tuple(prose(name) for name in columns),
        tuple(Row((one.source, one.setting, one.published, one.derived)) for one in LITERATURE),
        "As published; most from abstracts.",
        ("The first two are of this setting with no drift, the others of neighbours of it.",),
    )


def _regimes(
    table: RegimeTable,
    title: str,
    rate: SpaceGainRate | None = None,
    *,
    block: bool = True,
    notes: tuple[str, ...] = (),
    standing: str = _DERIVED,
) -> Sheet:
    """One row a regime; powers of log n where the rate of the gain is given with its own."""
    logs = rate is not None and rate.log_power is not None
    headings = {
        "from": "κ from",
        "to": "to",
        "exponent": "regret exponent",
        **({"block": "block exponent u"} if block else {}),
        **({"log_power": "log n to the power"} if logs else {}),
    }
    rows = tuple(
        Row(tuple(_cell(record, name) for name in headings)) for record in records(table, rate)
    )
    return Sheet(title, numbers(*headings.values()), rows, standing, notes)


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


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "where": finding.where,
        "printed": finding.printed,
        "derived": finding.derived,
        "status": finding.status.value,
        "reason": finding.reason,
        "from": _text(finding.start_at),
        "to": _text(finding.end_at),
        "from_in_c": _text(finding.start),
        "to_in_c": _text(finding.end),
        "epsilon_from": _text(finding.epsilon_start_at),
        "epsilon_to": _text(finding.epsilon_end_at),
        "epsilon_from_in_c": _text(finding.epsilon_start),
        "epsilon_to_in_c": _text(finding.epsilon_end),
        "witness": finding.witness and _witness(finding.witness),
    }


def _measurement(measurement: Measurement) -> dict[str, Any]:
    """Exponents of regret; `loss` is the power of n by which equal blocks gain more."""
    equal = measurement.equal_fit
    return {
        "sequence": measurement.scaling.label,
        "bound": measurement.bound,
        "c": str(measurement.c),
        "kappa": str(measurement.kappa),
        "n": measurement.n,
        "gain": measurement.gains,
        "gap": measurement.gaps,
        "measured": measurement.fit.exponent,
        "uncertainty": measurement.fit.uncertainty,
        "derived": _text(measurement.derived),
        "agrees": measurement.agrees,
        "saturated": measurement.saturated,
        "early": measurement.early,
        "equal_blocks": equal and equal.exponent,
        "equal_blocks_uncertainty": equal and equal.uncertainty,
        "equal_blocks_derived": _text(measurement.equal_derived),
        "loss": measurement.loss,
        "loss_derived": _text(measurement.derived_loss),
    }


def _witness(witness: Witness) -> dict[str, Any]:
    return picked(witness, "statement", "n", "computed", "printed", "ratios", "growth")


def _text(value: Any) -> str | None:
    """A fraction or a formula as text."""
    return None if value is None else str(expression(value))
