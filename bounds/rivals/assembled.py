"""Every published bound (docs/theory.md#rivals) for one problem, with its hypotheses checked."""

from __future__ import annotations

from collections.abc import Callable
from math import log, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray
from bounds.confidence.schedules import (
    finite_domain_beta,
    regret_from_gain,
    theorem_beta,
    union_weight,
)
from bounds.confidence.smoothness import TailConstants, slope_constants, value_constants
from bounds.errors import InvalidInput
from bounds.partitions.hypothesis import theorem1_failure
from bounds.partitions.result import SearchResult, checked_gains
from bounds.partitions.search import evaluate, search
from bounds.problem import Problem
from bounds.rivals.drifting import (
    Blocked,
    bogunovic_corrected,
    bogunovic_is_proved,
    bogunovic_printed,
    expected_regret,
    expected_regret_on_box,
    krause_ong,
    mandl_kekkonen,
    mandl_kekkonen_any_times,
    reset_regret,
)
from bounds.rivals.rival import Form, Rival, is_static, unit_step_failure
from bounds.rivals.static import (
    GridSpectrum,
    allocated_gain_upper,
    box_gains,
    greedy_gain_upper,
    grid_spectrum,
    iwazaki_gain_upper,
    spectral_gain_upper,
    vakili_gain_upper,
)

BOGUNOVIC = "Bogunovic et al. 2016 (1601.06650)"
IMAMURA = "Imamura et al. 2020 (2003.04691), Theorem 1"
IWAZAKI = "Iwazaki 2025 (2506.01393)"
KRAUSE_ONG = "Krause and Ong 2011"
MANDL_KEKKONEN = "Mandl and Kekkonen 2026 (2608.18863)"
SRINIVAS = "Srinivas et al. 2010 (0912.3995)"
VAKILI = "Vakili et al. 2021 (2009.06966), Theorem 3"

_KNOWN = "box: gain by Iwazaki 2025"
_DRIFTS = "for a static objective; here it drifts between rounds"

_OfGamma = Callable[[FloatArray], Blocked]
_OfSpectrum = Callable[[GridSpectrum, float, int], float]


def rivals(
    problem: Problem,
    gamma: ArrayLike,
    *,
    theorem1: SearchResult | None = None,
    greedy_gain: float | None = None,
    spectrum: GridSpectrum | None = None,
) -> tuple[Rival, ...]:
    """The published bounds, in the order of their years.

    Parameters
    ----------
    problem : Problem of n rounds
    gamma : (≥ n+1,) non-decreasing upper bounds on γ_0..γ_n
    theorem1 : the best partition of `theorem1`; searched for if not given
    greedy_gain : gain of a greedy (or better) static design of n rounds; without it the bound
        that needs it has no number
    spectrum : `grid_spectrum` of the space kernel; computed where the objective stands still

    Returns
    -------
    tuple of Rival. Bounds on γ_n alone (Srinivas, Vakili, Iwazaki) bound γ̃_n only where nothing
    drifts, and say so. `regret_box` takes gains over the whole box (`box_gains`), not `gamma`.

    Cost: that of the search for `theorem1` where its value is not given, and O(n log n).
    """
    return _Assembly(problem, gamma).rows(theorem1, greedy_gain, spectrum)


class _Assembly:
    """What every row needs: γ, β_n of the finite domain, constants and γ of the box."""

    def __init__(self, problem: Problem, gamma: ArrayLike) -> None:
        self._problem = problem
        self._gamma = checked_gains(gamma, problem.n)
        self._gamma_n = float(self._gamma[problem.n])
        self._beta = float(finite_domain_beta(problem.n, problem.domain.size, problem.delta))
        self._slopes = self._slope_constants()
        self._box_gamma = box_gains(problem)

    def rows(
        self,
        theorem1: SearchResult | None,
        greedy_gain: float | None,
        spectrum: GridSpectrum | None,
    ) -> tuple[Rival, ...]:
        return (
            *self._static(greedy_gain, spectrum),
            self._krause_ong(),
            *self._bogunovic(),
            *self._reset(),
            self._imamura(theorem1),
            *self._mandl_kekkonen(),
        )

    def _static(
        self, greedy_gain: float | None, spectrum: GridSpectrum | None
    ) -> tuple[Rival, ...]:
        problem = self._problem
        n, noise, kernel = problem.n, problem.noise_variance, problem.space_kernel
        failure = "" if is_static(problem) else _DRIFTS
        if spectrum is None and not failure:
            spectrum = grid_spectrum(kernel, problem.domain)
        greedy = None if greedy_gain is None else greedy_gain_upper(greedy_gain)
        no_greedy = "" if greedy is not None else "not computed: needs the gain of a greedy design"
        iwazaki, wrong_kernel = None, "for the squared exponential kernel"
        if kernel.gaussian_lengthscale is not None:
            dimension, radius = problem.domain.dimension, problem.domain.enclosing_radius
            iwazaki = iwazaki_gain_upper(kernel.gaussian_lengthscale, dimension, radius, noise, n)
            wrong_kernel = ""
        box_gain = None if self._box_gamma is None else float(self._box_gamma[n])
        box = self._on_box(box_gain, self._srinivas_box_beta())

        def spectral(
            name: str, source: str, upper: _OfSpectrum, note: str = "", form: Form = "extension"
        ) -> Rival:
            if spectrum is None:
                missing = "not computed: needs the spectrum of the grid"
                return self._row(name, source, None, failure or missing, form=form)
            gain = upper(spectrum, noise, n)
            return self._row(name, source, gain, failure, note=note, form=form)

        of_domain = f"{SRINIVAS}, spectrum of the domain"
        sharp, rest = (
            "without the factor e/(e-1)",
            "rest of k(x,x) on the grid for psi^2 times the tail",
        )
        return (
            self._row("srinivas2010", f"{SRINIVAS}, Theorem 1", self._gamma_n, failure, box=box),
            self._row(
                "srinivas2010-greedy",
                f"{SRINIVAS}, e/(e-1) times greedy",
                greedy,
                failure or no_greedy,
            ),
            spectral("srinivas2010-spectral", of_domain, spectral_gain_upper, form="printed"),
            spectral("srinivas2010-spectral-sharp", of_domain, allocated_gain_upper, sharp),
            spectral("vakili2021", VAKILI, vakili_gain_upper, rest),
            self._row(
                "iwazaki2025",
                IWAZAKI,
                iwazaki,
                failure or wrong_kernel,
                box=None if wrong_kernel else box,
            ),
        )

    def _krause_ong(self) -> Rival:
        times = self._problem.times
        distinct = 1 + int(np.count_nonzero(times.waits > 0))
        note = f"rank of the time kernel at most {distinct}, the number of distinct times"
        if is_static(self._problem):
            distinct, note = 1, "rank of the time kernel 1: no drift"
        gain = krause_ong(distinct, times.n, self._gamma_n)
        return self._row("krause-ong2011", KRAUSE_ONG, gain, "", note=note)

    def _bogunovic(self) -> tuple[Rival, ...]:
        problem = self._problem
        failure = unit_step_failure(problem)
        n, epsilon, noise = problem.n, problem.epsilon, problem.noise_variance
        unproved = ""
        if not bogunovic_is_proved(epsilon, noise):
            unproved = (
                "as printed it lacks the noise: it follows for noise variance >= 1/2 only, and is "
                "false for small noise; see the corrected form"
            )

        def row(name: str, gain_of: _OfGamma, failure: str, form: Form) -> Rival:
            gain, box_gain = gain_of(self._gamma), None
            if self._box_gamma is not None:
                box_gain = gain_of(self._box_gamma).value
            source = f"{BOGUNOVIC}, Theorem 4.3 (TV-GP-UCB)"
            box = self._on_box(box_gain, self._bogunovic_box_beta())
            return self._row(
                name, source, gain.value, failure, box=box, note=_blocks(gain), form=form
            )

        def printed(gamma: FloatArray) -> Blocked:
            return bogunovic_printed(n, epsilon, gamma)

        def corrected(gamma: FloatArray) -> Blocked:
            return bogunovic_corrected(n, epsilon, noise, gamma)

        return (
            row("bogunovic2016", printed, failure or unproved, "printed"),
            row("bogunovic2016-corrected", corrected, failure, "corrected"),
        )

    def _reset(self) -> tuple[Rival, ...]:
        """R-GP-UCB: its regret, not a gain; on the grid a₀ = |D| and b₀ = √2 by a union."""
        problem = self._problem
        failure, noise = unit_step_failure(problem), problem.noise_variance
        # Half of δ for the confidence bounds, the rest for the largest observation.
        beta = float(finite_domain_beta(problem.n, problem.domain.size, 0.5 * problem.delta))

        def row(name: str, noise_scale: float, failure: str, form: Form) -> Rival:
            regret = reset_regret(
                problem.n,
                problem.epsilon,
                noise,
                self._gamma,
                beta=beta,
                delta=problem.delta,
                a0=float(problem.domain.size),
                b0=sqrt(2.0),
                noise_scale=noise_scale,
            )
            reason = failure or f"rounds between resets: {regret.length}"
            source = f"{BOGUNOVIC}, Theorem 4.2 (R-GP-UCB)"
            return Rival(name, source, None, regret.value, not failure, reason, form, beta=beta)

        if noise <= 2.0:
            return (row("bogunovic2016-reset", 2.0, failure, "printed"),)
        large = "the printed 2 + b0 takes the noise below 2 sqrt(log): for noise variance <= 2 only"
        return (
            row("bogunovic2016-reset", 2.0, failure or large, "printed"),
            row("bogunovic2016-reset-corrected", sqrt(2.0 * noise), failure, "corrected"),
        )

    def _imamura(self, result: SearchResult | None) -> Rival:
        problem = self._problem
        if result is None:
            result = search("theorem1", problem, self._gamma)
        beta, box_gain = None, None
        if self._slopes is not None:
            beta = float(
                theorem_beta(
                    problem.n,
                    dimension=problem.domain.dimension,
                    side=problem.domain.box_side(),
                    a=self._slopes.a,
                    b=self._slopes.b,
                    delta=problem.delta,
                )
            )
        if self._box_gamma is not None:
            # The partition that is best for the grid: right for the box as any other.
            box_gain = evaluate("theorem1", problem, self._box_gamma, result.partition).value
        return self._row(
            "imamura2020",
            IMAMURA,
            result.value,
            theorem1_failure(problem),
            box=self._on_box(box_gain, beta),
            note="best partition",
        )

    def _mandl_kekkonen(self) -> tuple[Rival, ...]:
        problem = self._problem
        n, epsilon, noise = problem.n, problem.epsilon, problem.noise_variance

        def printed(gamma: FloatArray) -> Blocked:
            return mandl_kekkonen(n, epsilon, noise, gamma)

        def general(gamma: FloatArray) -> Blocked:
            return mandl_kekkonen_any_times(problem.times, problem.time_kernel.slope, noise, gamma)

        failure = unit_step_failure(problem)
        return (
            self._in_expectation("mandl-kekkonen2026", printed, failure, "printed"),
            self._in_expectation("mandl-kekkonen2026-any-times", general, "", "extension"),
        )

    def _in_expectation(self, name: str, gain_of: _OfGamma, failure: str, form: Form) -> Rival:
        problem, domain = self._problem, self._problem.domain
        n, noise = problem.n, problem.noise_variance
        gain = gain_of(self._gamma)
        on_grid = expected_regret(n, gain.value, noise, domain.size)
        box, chosen = self._on_box(None, None), ""
        if self._slopes is not None and self._box_gamma is not None:
            values = value_constants(problem.space_kernel, domain.dimension, domain.box_side())
            expected = expected_regret_on_box(
                n,
                min(gain_of(self._box_gamma).value, n * problem.trivial_gain_per_round),
                noise,
                domain.dimension,
                domain.box_side(),
                self._slopes,
                mean_spread=2.0 * values.mean_bound,
            )
            box = _OnBox(expected.regret, expected.beta, _KNOWN)
            chosen = f", beta = {expected.beta:.4g} at delta' = {expected.failing:.2g}"
        note = (
            f"{_blocks(gain)}; in expectation, for fixed times and a constant beta, here "
            f"{on_grid.beta:.4g} (delta' = {on_grid.failing:.2g})"
        )
        return Rival(
            name,
            MANDL_KEKKONEN,
            gain.value,
            on_grid.regret,
            not failure,
            f"{failure or note}; {box.note}{chosen}",
            form,
            "mean",
            on_grid.beta,
            box.regret,
            box.beta,
        )

    def _row(
        self,
        name: str,
        source: str,
        gain: float | None,
        failure: str,
        *,
        box: _OnBox | None = None,
        note: str = "",
        form: Form = "printed",
    ) -> Rival:
        problem = self._problem
        regret = None
        if gain is not None:
            regret = regret_from_gain(problem.n, self._beta, gain, problem.noise_variance)
        reasons = [failure or note, "" if box is None else box.note]
        return Rival(
            name,
            source,
            gain,
            regret,
            not failure,
            "; ".join(filter(None, reasons)),
            form,
            "probability",
            self._beta,
            box and box.regret,
            box and box.beta,
        )

    def _on_box(self, gain: float | None, beta: float | None) -> _OnBox:
        """√(C₁nβγ̃_n) + 2 for a gain that bounds the box, and for none why there is none."""
        problem = self._problem
        if self._slopes is None:
            return _OnBox(None, None, "box: a and b are not known for this kernel")
        if gain is None or beta is None:
            return _OnBox(None, None, "box: its gain is not known for this kernel")
        capped = min(gain, problem.n * problem.trivial_gain_per_round)
        regret = regret_from_gain(problem.n, beta, capped, problem.noise_variance) + 2.0
        return _OnBox(regret, beta, _KNOWN)

    def _srinivas_box_beta(self) -> float | None:
        """β_n = 2 log(2n²π²/(3δ)) + 2d log(n²dbr√log(4da/δ))."""
        return self._box_beta(4.0, 4.0 / self._problem.delta)

    def _bogunovic_box_beta(self) -> float | None:
        """β_n = 2 log(π²n²/(2δ)) + 2d log(rdbn²√log(daπ²n²/(2δ)))."""
        weight = 3.0 * float(union_weight(self._problem.n)) / self._problem.delta
        return self._box_beta(3.0, weight)

    def _box_beta(self, split: float, inner: float) -> float | None:
        """2 log(split·π_n/δ) + 2d log(n²dbr√log(d·a·inner)); fewer than one point counts as one."""
        problem, slopes = self._problem, self._slopes
        if slopes is None:
            return None
        d, n = problem.domain.dimension, problem.n
        root = sqrt(max(log(d * slopes.a * inner), 0.0))
        cover = log(max(n**2 * d * slopes.b * problem.domain.box_side() * root, 1.0))
        return 2.0 * log(split * float(union_weight(n)) / problem.delta) + 2.0 * d * cover

    def _slope_constants(self) -> TailConstants | None:
        problem = self._problem
        d = problem.domain.dimension
        weight = 2.0 * pi**2 * problem.n**2 * d / (3.0 * problem.delta)
        try:
            side = problem.domain.box_side()
            return slope_constants(problem.space_kernel, d, side, weight=weight)
        except InvalidInput:
            return None


class _OnBox(NamedTuple):
    """A bound on the regret over the box, or why there is none."""

    regret: float | None
    beta: float | None
    note: str


def _blocks(blocked: Blocked) -> str:
    return f"block length {blocked.length}"
