"""`ctv rates`: from its options to regimes of the regret exponent, beside the printed ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from bounds.errors import InvalidInput
from ctv.commands.shared.symbolic import SymbolicValue
from ctv.options.formulas import FormulaOptions, Symbolic
from ctv.options.named_values import named_values
from ctv.options.problem import (
    NOTHING_GIVEN,
    Dimension,
    DriftOptions,
    FileOptions,
    Given,
    KernelName,
    Seed,
    checked_seed,
)
from ctv.show.plain import project_version
from ctv.show.shown import Screen, Shown
from ctv.terminal.command import pictured

if TYPE_CHECKING:
    from bounds.progress import Stage
    from bounds.rates.gain_rates import GainRate
    from bounds.rates.least import LeastExponent
    from bounds.sequences import Measurement, Scaling
    from bounds.symbolic.derivation import Derivation
    from bounds.symbolic.formula import Formula
    from ctv.values.rates import Rates
    from ctv.values.waits import WaitsFound

EXAMPLE = """\
>>> ctv.rates(bound="refined", kernel="matern52")
<Rates: 3 regimes at c = 6/11>
"""

_option = partial(typer.Option, rich_help_panel="Rates")
_SHAPES: dict[str, tuple[str, ...]] = {
    "geometric": ("ratio",),
    "power": ("power",),
    "bursts": ("bursts",),
    "pareto": ("tail",),
    "periodic": ("period", "contrast"),
}
"""What `--sequence NAME:KEY=VALUE,…` takes for each family of growing length."""
_LIKE_PRINTED = (None, "uniform", "exponential")
_SMOOTHNESS = {"se": "inf", "matern12": "1/2", "matern32": "3/2", "matern52": "5/2"}
_FINDINGS_NU = "5/2"

FLOOR, SMOOTH = "floor", "smooth"
"""The bound that is one from below, and the order of the least regret of a smooth kernel."""


@dataclass(frozen=True)
class RatesOptions:
    """Which bound, how the gain grows, and at which drift."""

    bound: Annotated[
        str,
        _option(
            help="theorem1, refined, floor (finite domains) or smooth (least regret of a smooth "
            "kernel, from both sides); --sequence uniform by default for the last two.",
            metavar="NAME",
        ),
    ] = "theorem1"
    gamma: Annotated[
        str,
        _option(
            help="How the gain grows: for a Matérn kernel as in the paper (paper) or as Vakili et "
            "al. prove (vakili); or for any kernel as m^c, with c a number or fraction in [0, 1).",
            metavar="NAME|C",
        ),
    ] = "paper"
    kernel: KernelName = "se"
    dimension: Dimension = 2
    sequence: Annotated[
        str | None,
        _option(
            help="Family of evaluation times, as in ctv bound; otherwise what holds for every "
            "sequence of the same total time. geometric:ratio=R, power:power=P; bursts:bursts=B "
            "for n^B bursts, or a whole number of them; pareto:tail=SHAPE; periodic:period=P for a "
            "long duration every n^P rounds, or every P, contrast=C for short ones that are n^(-C) "
            "of the mean.",
            metavar="FAMILY[:KEY=VALUE,...]",
        ),
    ] = None
    kappa: Annotated[
        str | None,
        _option(help="Give the exponent at this value, e.g. -1/2.", metavar="NUMBER"),
    ] = None

    @property
    def c(self) -> str | None:
        """The exponent of the gain, where it is given in place of a name."""
        return None if self.gamma[:1].isalpha() else self.gamma

    @property
    def smoothness(self) -> str:
        """ν of the kernel as text, `inf` for the squared exponential."""
        from bounds.kernels.registry import usual_name

        kernel = self.kernel if self.kernel in _SMOOTHNESS else usual_name(self.kernel)
        if kernel.startswith("matern:"):
            return kernel.removeprefix("matern:")
        if kernel not in _SMOOTHNESS:
            raise InvalidInput(
                "kernel", self.kernel, "use se, matern12, matern32, matern52 or matern:NU"
            )
        return _SMOOTHNESS[kernel]

    def scaling(self) -> Scaling | None:
        """The family of sequences, None where the rates are to hold for all."""
        if self.sequence is None:
            return None
        from bounds.sequences import Scaling

        family, _, text = self.sequence.partition(":")
        return Scaling(family, **named_values("sequence", text, _SHAPES.get(family, ())))

    @property
    def family(self) -> str | None:
        """The name of the family, without what shapes it; None without one."""
        return None if self.sequence is None else self.sequence.partition(":")[0]

    def check(self) -> None:
        """Refuse what no derivation takes, and options that would be ignored."""
        from bounds.rates.exponents import BOUNDS

        if self.bound not in (*BOUNDS, FLOOR, SMOOTH):
            names = ", ".join((*BOUNDS, FLOOR))
            raise InvalidInput("bound", self.bound, f"use {names} or {SMOOTH}")
        if self.c is not None and self.kernel != RatesOptions.kernel:
            raise InvalidInput("kernel", self.kernel, f"drop it, or drop --gamma {self.c}")


def derived(options: RatesOptions) -> Rates:
    """The answer to `ctv rates`; raises InvalidInput where an option is outside its domain."""
    from bounds.rates.exponents import regimes, symbolic_regimes
    from bounds.rates.findings import comparisons, findings
    from bounds.rates.gain_rates import gain_rate, given_rate
    from bounds.rates.lattice import exact_fraction
    from bounds.rates.printed import epsilon_ladder, printed_biased, printed_uniform
    from ctv.values.rates import Rates

    options.check()
    scaling = options.scaling()
    if options.c is None:
        named = cast("GainRate", options.gamma)  # any other name is refused there
        rate = gain_rate(options.smoothness, options.dimension, named)
        as_printed = gain_rate(options.smoothness, options.dimension, "paper").c
    else:
        # The dimension plays no part beside a given c, but a bad one is refused all the same.
        gain_rate("inf", options.dimension)
        rate = given_rate(options.c)
        as_printed = rate.c
    kappa = None if options.kappa is None else exact_fraction("kappa", options.kappa)
    # Ranges in the Matérn parts need a number for c also where the kernel has none.
    findings_c, findings_nu = as_printed, None
    if options.c is None and options.smoothness != "inf":
        findings_nu = options.smoothness
    if options.c is None and options.smoothness == "inf":
        findings_c = gain_rate(_FINDINGS_NU, options.dimension, "paper").c
    # Exponential durations and uniform ones have the rates that hold for every sequence.
    in_c, by_partitions = None, None
    if options.bound == FLOOR:
        from bounds.sequences import Scaling, derived_regimes, floor_regimes

        table = floor_regimes(scaling)
        by_partitions = derived_regimes(scaling or Scaling("uniform"), 0)
    elif options.bound == SMOOTH:
        from bounds.sequences import smooth_regimes

        table = smooth_regimes(scaling)
    elif scaling is None or options.family in _LIKE_PRINTED:
        table = regimes(options.bound, rate.c)
        in_c = symbolic_regimes(options.bound)
    else:
        from bounds.sequences import derived_regimes

        table = derived_regimes(scaling, rate.c, options.bound)
    printed, where = None, None
    part = "(a)" if as_printed == 0 else "(b)"
    if options.bound == FLOOR:
        from bounds.sequences import published_floor

        if options.family in (None, "uniform"):
            printed, where = published_floor(), "lower bound nε, Bogunovic et al. 2016"
    elif options.bound == SMOOTH:
        pass  # Theorem 2 stands in the table of families
    elif options.family in _LIKE_PRINTED:
        printed, where = printed_uniform(as_printed), f"Theorem 2 (I){part}"
    elif options.family == "biased":
        printed, where = printed_biased(as_printed), f"Theorem 2 (II){part}"
    return Rates(
        options=options,
        rate=rate,
        scaling=scaling,
        regimes=table,
        in_c=in_c,
        by_partitions=by_partitions,
        in_kernel=in_c and rate.formula and in_c.substituted(rate.formula),
        printed=printed,
        printed_where=where,
        findings=findings(findings_c, smoothness=findings_nu),
        findings_c=findings_c,
        comparisons=comparisons(),
        ladder=epsilon_ladder(),
        kappa=kappa,
        exponent=None if kappa is None else table.exponent(kappa),
        block=None if kappa is None or options.bound in (FLOOR, SMOOTH) else table.block(kappa),
        least=least_exponents(options),
        warnings=tuple(rate.warnings),
    )


def least_exponents(options: RatesOptions) -> tuple[LeastExponent, ...]:
    """Between which exponents of ε the least regret lies, with a row for a Matérn kernel."""
    from bounds.rates.lattice import exact_fraction
    from bounds.rates.least import LEAST_EXPONENTS, matern_exponents

    if options.c is not None or options.smoothness == "inf":
        return LEAST_EXPONENTS
    nu = exact_fraction("nu", options.smoothness)
    return (*LEAST_EXPONENTS, matern_exponents(nu, options.dimension))


def measurements(rates: Rates, seed: int, advance: Stage) -> tuple[Measurement, ...]:
    """Fitted exponents of one family, or of the table where no family was named."""
    import numpy as np

    from bounds.sequences import measure, measured_table

    rng = np.random.default_rng(seed)
    if rates.scaling is None:
        return measured_table(rng, progress=lambda share: advance("families", share))
    if rates.kappa is None:
        raise InvalidInput("kappa", "nothing", "give the drift at which to measure, e.g. 0")
    return (measure(rates.scaling, rates.rate.c, rates.kappa, bound=rates.options.bound, rng=rng),)


@dataclass(frozen=True, eq=False, repr=False)
class Derived(SymbolicValue):
    """Regimes with the way that leads to them.

    Attributes
    ----------
    way : the derivation
    rates : the same regimes as numbers
    shown : as LaTeX, and to how many digits the exponent at the wanted drift
    """

    way: Derivation
    rates: Rates
    shown: FormulaOptions

    @property
    def formula(self) -> Formula:
        return self.way.formula

    def headline(self) -> str:
        return self.rates.headline()

    def parts(self) -> dict[str, Any]:
        precise = {} if self.shown.digits is None else {"precise": self._precise()}
        return {**self.rates.parts(), **self.way.to_dict(), **precise}

    def screen(self) -> Screen:
        parts = [self.way.text]
        if self.shown.latex:
            parts = [self.way.latex, *self.rates.latex_lines()[2:]]
        if self.shown.digits is not None:
            parts += ["", f"value: {self._precise() or 'needs --kappa'}"]
        return Screen(("\n".join(parts),), verbatim=True)

    def _precise(self) -> str | None:
        """The exponent at the wanted drift, as text; None where no drift was given."""
        kappa, digits = self.rates.kappa, self.shown.digits
        if kappa is None or digits is None:
            return None
        return str(self.formula.value({"kappa": kappa}, digits))


def of_times(times: FileOptions, drift: DriftOptions, given: Given, advance: Stage) -> WaitsFound:
    """Π of a person's own times, and what it says; raises InvalidInput as `Waits.of` does."""
    from math import isinf, sqrt

    from bounds.partitions.uniformity import scaled_uniformity
    from bounds.pattern import LONGEST_SAVED, Waits
    from bounds.problem import Problem
    from bounds.regret.ingredients.full_information import variance_left
    from bounds.smooth.order import local_exponents, smooth_order
    from ctv.values.waits import WaitsFound

    times.check_file_options()
    read = times.read()
    assert read is not None
    problem = Problem(
        read,
        epsilon=drift.forgetting_rate(),
        time_kernel=drift.kernel_in_time(),
        noise_variance=drift.noise_variance,
    )
    kernel, noise = problem.time_kernel, problem.noise_variance
    advance("what waits leave unknown", 0.0)
    waits = Waits.of(read, kernel, noise)
    rate = problem.epsilon if kernel.name == "forgetting" else kernel.slope
    apart = scaled_uniformity(read, rate)
    return WaitsFound(
        read,
        waits,
        least=variance_left(read, kernel, noise).total(),
        saved=waits.saved() if waits.n <= LONGEST_SAVED else None,
        uniformity=None if rate == 0.0 or isinf(rate) else apart / rate**2,
        rate=rate,
        apart=sqrt(apart),
        made_from={
            "problem": {
                "times": read.source,
                "n": read.n,
                "total_time": read.total_time,
                **times.column(),
                "epsilon": problem.epsilon,
                "time_kernel": kernel.name,
                "time_lengthscale": kernel.parameters.get("lengthscale"),
                "noise_variance": noise,
            },
            "version": project_version(),
        },
        half_life=drift.assumed_half_life(times, given),
        smooth=smooth_order(problem),
        powers=local_exponents(problem),
    )


def _refuse_beside(given: Given, own: bool, values: Mapping[str, Any]) -> None:
    """Refuse what belongs to families where times are given, and the other way round."""
    if own:
        others = {*(one.name for one in fields(RatesOptions)), *_OF_FAMILIES}
        remedy = "drop it: --times asks for the waits of one sequence"
    else:
        others = {one.name for group in (FileOptions, DriftOptions) for one in fields(group)}
        remedy = "give --times FILE with it: regimes of families are for every drift"
    named = sorted(others & given.names)
    if named:
        raise InvalidInput(named[0].replace("_", "-"), str(values[named[0]]), remedy)


_OF_FAMILIES = ("symbolic", "measure", "seed")


@pictured
def rates(
    rates: RatesOptions,
    times: FileOptions,
    drift: DriftOptions,
    symbolic: Symbolic = None,
    measure: Annotated[
        bool,
        typer.Option(
            "--measure",
            help="Fit exponents of best partitions at n up to 2^17: of --sequence "
            "at --kappa, or of a table of families (up to 3 minutes).",
            show_default=False,
        ),
    ] = False,
    seed: Seed = 0,
    given: Given = NOTHING_GIVEN,
    *,
    advance: Stage,
) -> Shown:
    """How regret grows with rounds and drift: regimes derived, and the printed ones beside them.

    Drift grows as n to the power kappa, the gain as m^c, blocks as n^u. With --times: what the
    waits of one sequence leave unknown, and which of them cost what.
    """
    options = {**vars(rates), **vars(times), **vars(drift)}
    options |= {"symbolic": symbolic, "measure": measure, "seed": seed}
    _refuse_beside(given, times.own, options)
    if times.own:
        return of_times(times, drift, given, advance)
    checked_seed(seed)
    formulas = FormulaOptions(symbolic)
    formulas.check()
    if symbolic is not None and measure:
        raise InvalidInput("measure", "with --symbolic", "drop one: a derivation measures none")
    underived = rates.bound in (FLOOR, SMOOTH)
    latex_only = underived and formulas.latex and formulas.digits is None
    for name, used in (("measure", measure), ("symbolic", symbolic is not None and not latex_only)):
        if underived and used:
            both = f"with --bound {rates.bound}"
            raise InvalidInput(name, both, "drop one: it belongs to the upper bounds")
    regimes = derived(rates)
    draws = measure and (regimes.scaling is None or regimes.scaling.random)
    if seed != 0 and not draws:
        raise InvalidInput("seed", seed, "drop it: only --measure draws, for random families")
    measured = measurements(regimes, seed, advance) if measure else ()
    shown = replace(regimes, measured=measured, seed=seed, latex_only=latex_only)
    if symbolic is None or latex_only:
        return shown
    from bounds.symbolic.derivation import derive

    return Derived(derive(rates.bound, regimes.scaling, regimes.rate), shown, formulas)
